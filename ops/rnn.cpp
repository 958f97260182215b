// The step of an LSTM: a primitive for all that follows its matrix products, and the rules of both its derivatives; and
// all steps in one call, whose derivatives are made of those.
#include "ops/rnn.h"

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/promote.h"
#include "ops/rnn_def.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor given_or_zeros(const Tensor& t, const Tensor& like) { return t.defined() ? t : rules::zero_like(like); }

/// The four parts of (..., 4 H).
struct Gates {
  Tensor in, forget, candidate, out;
  explicit Gates(const Tensor& all) {
    const std::vector<Tensor> parts = chunk(all, 4, -1);
    in = parts[0], forget = parts[1], candidate = parts[2], out = parts[3];
  }
};

/// What a step computes on its way, and how that moves with the gates and the cell. Where y is a gate, `slope` is its
/// derivative by the sum in front of it and `bend` what the derivative of the slope is over the slope.
struct Step {
  Tensor cell, i, f, g, o, i_slope, f_slope, g_slope, o_slope, next, squashed, squashed_slope;

  Step(const Tensor& gates, const Tensor& c) : cell(c) {
    const Gates all(gates);
    i = sigmoid(all.in), f = sigmoid(all.forget), g = tanh(all.candidate), o = sigmoid(all.out);
    i_slope = i * (1 - i), f_slope = f * (1 - f), g_slope = 1 - g * g, o_slope = o * (1 - o);
    next = f * c + i * g;
    squashed = tanh(next);
    squashed_slope = 1 - squashed * squashed;
  }
  /// The tangent of the cell after the step.
  Tensor next_tangent(const Gates& d, const Tensor& d_cell) const {
    return f_slope * d.forget * cell + f * d_cell + i_slope * d.in * g + i * g_slope * d.candidate;
  }
  Tensor hidden_tangent(const Gates& d, const Tensor& d_next) const {
    return o_slope * d.out * squashed + o * squashed_slope * d_next;
  }
  /// What the backward gives where only the cell after the step has a gradient: the hidden state, which may be NaN
  /// where the gates are not, and the gate that it alone depends on take no part.
  Tensors backward_of_next(const Tensor& grad) const {
    const Tensor of_in = grad * g * i_slope, of_forget = grad * cell * f_slope, of_candidate = grad * i * g_slope;
    return {cat({of_in, of_forget, of_candidate, rules::zero_like(cell)}, -1), grad * f};
  }
  /// The tangents of what the backward gives, from those of all that it takes.
  Tensors backward_tangents(const Tensor& grad_hidden, const Tensor& grad_next, const Gates& d, const Tensor& d_cell,
                            const Tensor& d_grad_hidden, const Tensor& d_grad_next) const {
    const Tensor d_squashed = squashed_slope * next_tangent(d, d_cell);
    const Tensor grad = grad_next + grad_hidden * o * squashed_slope;
    const Tensor d_grad = d_grad_next + (d_grad_hidden * o + grad_hidden * o_slope * d.out) * squashed_slope -
                          2 * grad_hidden * o * squashed * d_squashed;
    const Tensor of_in = (d_grad * g + grad * g_slope * d.candidate + grad * g * (1 - 2 * i) * d.in) * i_slope;
    const Tensor of_forget = (d_grad * cell + grad * d_cell + grad * cell * (1 - 2 * f) * d.forget) * f_slope;
    const Tensor of_candidate = (d_grad * i + grad * i_slope * d.in - 2 * grad * i * g * d.candidate) * g_slope;
    const Tensor of_out =
        (d_grad_hidden * squashed + grad_hidden * d_squashed + grad_hidden * squashed * (1 - 2 * o) * d.out) * o_slope;
    return {cat({of_in, of_forget, of_candidate, of_out}, -1), d_grad * f + grad * f_slope * d.forget};
  }
};

/// The elements of dim 0. Where they are recorded each view would have a gradient as large as all of x.
std::vector<Tensor> steps_of(const Tensor& x) { return x.requires_grad() ? unbind_copy(x, 0) : x.unbind(0); }

/// The i-th step that is made is this one of `count`.
size_t place(const LstmParams& p, size_t i, size_t count) { return p.reverse ? count - 1 - i : i; }

/// gates[t] + hidden weight^T, of matrices or of batches of them.
Tensor sums_of_step(const Tensor& gates, const Tensor& hidden, const Tensor& weight) {
  return weight.dim() == 2 ? addmm(gates, hidden, weight.t()) : gates.add(matmul(hidden, weight.mT()));
}

/// The op step by step: hidden states, cells and sums. Every operand but the gates, whose dim 0 is the time, may have
/// one more dim in front.
Tensors step_by_step(const Tensor& gates, const Tensor& weight, Tensor hidden, Tensor cell, const LstmParams& p) {
  const std::vector<Tensor> steps = steps_of(gates);
  std::vector<Tensor> hiddens(steps.size()), cells(steps.size()), sums(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t t = place(p, i, steps.size());
    sums[t] = sums_of_step(steps[t], hidden, weight);
    std::tie(hidden, cell) = lstm_gates(sums[t], cell);
    hiddens[t] = hidden, cells[t] = cell;
  }
  return {stack(hiddens), stack(cells), stack(sums)};
}

/// The states before each step: `first`, then all but the last of those after a step.
Tensor before_steps(const Tensor& first, const Tensor& after, const LstmParams& p) {
  const Tensor one = first.unsqueeze(0);
  const int64_t others = after.size(0) - 1;
  return p.reverse ? cat({after.narrow(0, 1, others), one}) : cat({one, after.narrow(0, 0, others)});
}

/// What a gradient of the results says of each step; undefined where there is none.
std::vector<Tensor> steps_of_gradient(const Tensor& grad, size_t count) {
  return grad.defined() ? steps_of(grad) : std::vector<Tensor>(count);
}

Tensors sequence_vjp(const Vjp& c, const LstmParams& p) {
  const Tensor &weight = c.in(1), &hidden = c.in(2), &cell = c.in(3);
  const std::vector<Tensor> cells = steps_of(c.out(1)), sums = steps_of(c.out(2));
  const size_t count = sums.size();
  const auto hidden_grads = steps_of_gradient(c.grad(0), count), cell_grads = steps_of_gradient(c.grad(1), count),
             sum_grads = steps_of_gradient(c.grad(2), count);
  Tensor of_hidden, of_cell;
  std::vector<Tensor> of_sums(count);
  for (size_t i = count; i-- > 0;) {
    const size_t t = place(p, i, count);
    const Tensor& before = i == 0 ? cell : cells[place(p, i - 1, count)];
    const Tensor grad_hidden = given_or_zeros(rules::add_defined(hidden_grads[t], of_hidden), cell);
    const Tensor grad_cell = given_or_zeros(rules::add_defined(cell_grads[t], of_cell), cell);
    const Tensors both = call(lstm_gates_backward_op, {&sums[t], &before, &grad_hidden, &grad_cell});
    of_sums[t] = rules::add_defined(both[0], sum_grads[t]);
    of_cell = both[1];
    if (i > 0 || c.needs(2)) of_hidden = mm(of_sums[t], weight);
  }
  Tensors grads = Tensors::undefined(4);
  grads[0] = stack(of_sums);
  if (c.needs(1)) {
    const Tensor before = before_steps(hidden, c.out(0), p);
    grads[1] = mm(grads[0].flatten(0, 1).t(), before.flatten(0, 1));
  }
  if (c.needs(2)) grads[2] = of_hidden;
  if (c.needs(3)) grads[3] = of_cell;
  if (!c.needs(0)) grads[0] = Tensor();
  return grads;
}

Tensors sequence_jvp(const Jvp& c, const LstmParams& p) {
  const std::vector<Tensor> hiddens = steps_of(before_steps(c.in(2), c.out(0), p)),
                            cells = steps_of(before_steps(c.in(3), c.out(1), p)), sums = steps_of(c.out(2)),
                            gates = steps_of(given_or_zeros(c.tangent(0), c.in(0)));
  const Tensor d_weight = given_or_zeros(c.tangent(1), c.in(1));
  Tensor d_hidden = given_or_zeros(c.tangent(2), c.in(2)), d_cell = given_or_zeros(c.tangent(3), c.in(3));
  const size_t count = sums.size();
  std::vector<Tensor> d_hiddens(count), d_cells(count), d_sums(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t t = place(p, i, count);
    d_sums[t] = addmm(addmm(gates[t], d_hidden, c.in(1).t()), hiddens[t], d_weight.t());
    const Step step(sums[t], cells[t]);
    const Gates d(d_sums[t]);
    d_cells[t] = step.next_tangent(d, d_cell);
    d_hiddens[t] = step.hidden_tangent(d, d_cells[t]);
    d_hidden = d_hiddens[t], d_cell = d_cells[t];
  }
  return {stack(d_hiddens), stack(d_cells), stack(d_sums)};
}

/// With one weight for all, the batch is more rows.
Tensors sequence_batch(const Batch& c, const LstmParams& p) {
  const Tensor gates = rules::batched(c, 0).transpose(0, 1), hidden = rules::batched(c, 2), cell = rules::batched(c, 3);
  Tensors out;
  if (c.batched(1)) {
    out = step_by_step(gates, c.in(1), hidden, cell, p);
  } else {
    const Tensor rows = gates.flatten(1, 2), first_hidden = hidden.flatten(0, 1), first_cell = cell.flatten(0, 1);
    out = call(c.op, {&rows, &c.in(1), &first_hidden, &first_cell}, Params::of(p));
    for (Tensor& t : out) t = t.reshape({t.size(0), c.size, hidden.size(1), t.size(2)});
  }
  for (Tensor& t : out) t = t.transpose(0, 1);
  return out;
}

/// Does a gradient come back to a cell, but not to the gates?
bool is_of_cell_alone(const Tensor& gates, const Tensor& cell) {
  return GradMode::is_enabled() && cell.requires_grad() && !gates.requires_grad();
}

/// The op by its parts, none of which keeps the cell for its gradient, as the op would: the cell may be written to
/// before backward, as in PyTorch. Halves are computed in float, as by the kernel.
std::tuple<Tensor, Tensor> step_by_parts(const Tensor& gates, const Tensor& cell) {
  const DType type = cell.dtype(), wide = promote_types(type, kFloat);
  const Step step(gates.to(wide), cell.to(wide));
  return {(step.o * step.squashed).to(type), step.next.to(type)};
}

}  // namespace

STRATA_OP(lstm_gates_op) = op("lstm_gates(Tensor gates, Tensor cell) -> (Tensor, Tensor)")
                               .infer([](Args in) { return Metas(meta_like(in[1]), meta_like(in[1])); })
                               .vjp([](const Vjp& c) -> Tensors {
                                 const Tensor& hidden = c.grad(0);
                                 if (!hidden.defined()) return Step(c.in(0), c.in(1)).backward_of_next(c.grad(1));
                                 const Tensor next = given_or_zeros(c.grad(1), c.in(1));
                                 return call(lstm_gates_backward_op, {&c.in(0), &c.in(1), &hidden, &next});
                               })
                               .saves(saves_in(0, 1))
                               .jvp([](const Jvp& c) -> Tensors {
                                 const Step step(c.in(0), c.in(1));
                                 const Gates d(given_or_zeros(c.tangent(0), c.in(0)));
                                 const Tensor next = step.next_tangent(d, given_or_zeros(c.tangent(1), c.in(1)));
                                 return {step.hidden_tangent(d, next), next};
                               })
                               .batch(pointwise_batch)
                               .dtypes(kFloatingTypes)
                               .autocast(AutocastPolicy::kWidest);

// The backward is the gradient of grad_hidden . hidden + grad_next . next by gates and cell: its own derivative by them
// is a symmetric matrix, so that the vjp is the jvp in the direction of the cotangents; and it is linear in both
// gradients.
STRATA_OP(lstm_gates_backward_op) =
    op("lstm_gates_backward(Tensor gates, Tensor cell, Tensor grad_hidden, Tensor grad_next) -> (Tensor, Tensor)")
        .infer([](Args in) { return Metas(meta_like(in[0]), meta_like(in[1])); })
        .vjp([](const Vjp& c) {
          const Step step(c.in(0), c.in(1));
          const Gates d(given_or_zeros(c.grad(0), c.in(0)));
          const Tensor d_cell = given_or_zeros(c.grad(1), c.in(1)), none = rules::zero_like(c.in(1));
          Tensors grads = Tensors::undefined(4);
          if (c.needs(0) || c.needs(1)) {
            const Tensors both = step.backward_tangents(c.in(2), c.in(3), d, d_cell, none, none);
            if (c.needs(0)) grads[0] = both[0];
            if (c.needs(1)) grads[1] = both[1];
          }
          if (!c.needs(2) && !c.needs(3)) return grads;
          const Tensor next = step.next_tangent(d, d_cell);
          if (c.needs(2)) grads[2] = step.hidden_tangent(d, next);
          if (c.needs(3)) grads[3] = next;
          return grads;
        })
        .saves(saves_in(0, 1, 2, 3))
        .jvp([](const Jvp& c) {
          const auto tangent = [&](size_t i) { return given_or_zeros(c.tangent(i), c.in(i)); };
          return Step(c.in(0), c.in(1))
              .backward_tangents(c.in(2), c.in(3), Gates(tangent(0)), tangent(1), tangent(2), tangent(3));
        })
        .batch(pointwise_batch)
        .dtypes(kFloatingTypes)
        .autocast(AutocastPolicy::kWidest);

STRATA_OP(lstm_sequence_op) = op<LstmParams>(
                                  "lstm_sequence(Tensor gates, Tensor weight, Tensor hidden, Tensor cell, bool "
                                  "reverse, bool keeps_sums) -> (Tensor, Tensor, Tensor)")
                                  .infer([](Args in, const LstmParams& p) {
                                    const DimVector states = {in[0].size(0), in[3].size(0), in[3].size(1)};
                                    const auto state = [&] { return meta(states, in[3].dtype(), in[3].device()); };
                                    Meta sums = meta_like(in[0]);
                                    if (!p.keeps_sums) sums.sizes[0] = 1;
                                    return Metas(state(), state(), std::move(sums));
                                  })
                                  .vjp([](const Vjp& c, const LstmParams& p) { return sequence_vjp(c, p); })
                                  .saves(saves_in(1, 2, 3) | saves_out(0, 1, 2))
                                  .jvp([](const Jvp& c, const LstmParams& p) { return sequence_jvp(c, p); })
                                  .batch([](const Batch& c, const LstmParams& p) { return sequence_batch(c, p); })
                                  .decompose([](Args in, const LstmParams& p) {
                                    return step_by_step(in[0], in[1], in[2], in[3], p);
                                  })
                                  .dtypes(kFloatingTypes);

std::tuple<Tensor, Tensor> lstm_gates(const Tensor& gates, const Tensor& cell) {
  DimVector sizes = cell.sizes();
  STRATA_CHECK(!sizes.empty(), "lstm_gates: the cell is a 0-dim tensor, expected (..., H)");
  sizes.back() = checked_mul(sizes.back(), 4, "lstm_gates");
  STRATA_CHECK(gates.sizes() == IntArrayRef(sizes), "lstm_gates: gates have shape {}, expected {} for a cell of {}",
               gates.sizes(), IntArrayRef(sizes), cell.sizes());
  const DType type = promote_types(gates.dtype(), cell.dtype());
  const Tensor g = gates.dtype() == type ? gates : gates.to(type), c = cell.dtype() == type ? cell : cell.to(type);
  if (is_of_cell_alone(g, c)) return step_by_parts(g, c);
  Tensors out = call(lstm_gates_op, {&g, &c});
  return {std::move(out[0]), std::move(out[1])};
}

std::tuple<Tensor, Tensor> lstm_sequence(const Tensor& gates, const Tensor& weight, const Tensor& hidden,
                                         const Tensor& cell, bool reverse) {
  STRATA_CHECK(gates.dim() == 3 && gates.size(0) > 0 && cell.dim() == 2,
               "lstm_sequence: expected gates (T, B, 4 H) and a cell (B, H), got {} and {}", gates.sizes(),
               cell.sizes());
  const int64_t rows = cell.size(0), n = cell.size(1), sums = checked_mul(n, 4, "lstm_sequence");
  STRATA_CHECK(gates.size(1) == rows && gates.size(2) == sums && weight.sizes() == IntArrayRef({sums, n}) &&
                   hidden.sizes() == cell.sizes(),
               "lstm_sequence: gates {}, weight {} and hidden state {} do not fit a cell of {}", gates.sizes(),
               weight.sizes(), hidden.sizes(), cell.sizes());
  for (const Tensor& t : {weight, hidden, cell})
    STRATA_CHECK(t.dtype() == gates.dtype(), "lstm_sequence: gates are {}, another operand is {}", name(gates.dtype()),
                 name(t.dtype()));
  // The sums of all steps are as large as the gates; where nobody asks for them, one step's stay in the caches.
  const bool keeps_sums = !keys_of({&gates, &weight, &hidden, &cell}).is_plain_cpu();
  Tensors out = call(lstm_sequence_op, {&gates, &weight, &hidden, &cell}, Params::of(LstmParams{reverse, keeps_sums}));
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace strata
