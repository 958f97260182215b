// The step of an LSTM: a primitive for all that follows its matrix products, and the rules of both its derivatives.
#include "ops/rnn.h"

#include "ops/binary.h"
#include "ops/creation.h"
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
  Tensor cell, i, f, g, o, i_slope, f_slope, g_slope, o_slope, squashed, squashed_slope;

  Step(const Tensor& gates, const Tensor& c) : cell(c) {
    const Gates all(gates);
    i = sigmoid(all.in), f = sigmoid(all.forget), g = tanh(all.candidate), o = sigmoid(all.out);
    i_slope = i * (1 - i), f_slope = f * (1 - f), g_slope = 1 - g * g, o_slope = o * (1 - o);
    squashed = tanh(f * c + i * g);
    squashed_slope = 1 - squashed * squashed;
  }
  /// The tangent of the cell after the step.
  Tensor next_tangent(const Gates& d, const Tensor& d_cell) const {
    return f_slope * d.forget * cell + f * d_cell + i_slope * d.in * g + i * g_slope * d.candidate;
  }
  Tensor hidden_tangent(const Gates& d, const Tensor& d_next) const {
    return o_slope * d.out * squashed + o * squashed_slope * d_next;
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

}  // namespace

STRATA_OP(lstm_gates_op) = op("lstm_gates(Tensor gates, Tensor cell) -> (Tensor, Tensor)")
                               .infer([](Args in) { return Metas(meta_like(in[1]), meta_like(in[1])); })
                               .vjp([](const Vjp& c) -> Tensors {
                                 const Tensor hidden = given_or_zeros(c.grad(0), c.in(1));
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

std::tuple<Tensor, Tensor> lstm_gates(const Tensor& gates, const Tensor& cell) {
  DimVector sizes = cell.sizes();
  STRATA_CHECK(!sizes.empty(), "lstm_gates: the cell is a 0-dim tensor, expected (..., H)");
  sizes.back() = checked_mul(sizes.back(), 4, "lstm_gates");
  STRATA_CHECK(gates.sizes() == IntArrayRef(sizes), "lstm_gates: gates have shape {}, expected {} for a cell of {}",
               gates.sizes(), IntArrayRef(sizes), cell.sizes());
  const DType type = promote_types(gates.dtype(), cell.dtype());
  const Tensor g = gates.dtype() == type ? gates : gates.to(type), c = cell.dtype() == type ? cell : cell.to(type);
  Tensors out = call(lstm_gates_op, {&g, &c});
  return {std::move(out[0]), std::move(out[1])};
}

}  // namespace strata
