// The CTC loss: its ops, what a Hessian does to a vector in terms of other ops, and the public function.
#include "ops/ctc_loss.h"

#include <algorithm>
#include <limits>

#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/ctc_loss_def.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Stands for the logarithm of 0 where infinities would give NaN.
constexpr double kNever = -1e30;

Tensor filled(double value, const Tensor& like, IntArrayRef sizes) {
  return constant(value, like.dtype(), like.device(), sizes);
}

/// A log-probability and its derivative along a direction.
struct Dual {
  Tensor x, d;
};

/// Second derivatives of the CTC loss by recursions of pairs of value and derivative, in terms of other ops: they nest
/// to any order, at the cost of some ops a step. The formulas are those of the kernels.
class Curvature {
 public:
  Curvature(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
            int64_t blank)
      : log_probs_(log_probs), input_lengths_(unsqueeze(input_lengths, 1)), steps_(log_probs.sizes()[0]) {
    const int64_t samples = targets.sizes()[0], longest = targets.sizes()[1];
    states_ = 2 * longest + 1;
    const Tensor lengths = unsqueeze(target_lengths, 1), all = numbers(states_, lengths);
    const Tensor blanks = constant(blank, kLong, targets.device(), {samples, longest + 1});
    const Tensor kept = where(lt(numbers(longest, lengths), lengths), targets, blank);
    const Tensor pairs = reshape(stack({narrow(blanks, 1, 0, longest), kept}, 2), {samples, 2 * longest});
    labels_ = cat({pairs, narrow(blanks, 1, longest, 1)}, 1);
    exists_ = le(all, lengths * 2);
    is_last_ = logical_and(exists_, ge(all, lengths * 2 - 1));
    skips_ = ne(labels_, shifted(labels_, 2, constant(blank, kLong, targets.device(), {})));
    skips_ = logical_and(skips_, logical_and(exists_, ge(all, 2)));
  }

  /// The derivative along v (T, N, C) of exp(log_probs) minus the visits of each class.
  Tensor along(const Tensor& v) const {
    const Tensor index = expand(unsqueeze(labels_, 0), {steps_, labels_.sizes()[0], states_});
    const Dual here{clamp_min(gather(log_probs_, 2, index), kNever), gather(v, 2, index)};
    const std::vector<Dual> a = forward(here), b = backward(here);
    const Dual found = log_likelihood(a);
    const Tensor is_possible = gt(found.x, kNever / 2);
    const Dual total = {where(is_possible, found.x, 0), found.d};  // shares of impossible ones stay 0
    std::vector<Tensor> visits;
    for (int64_t t = 0; t < steps_; ++t) {
      const Tensor share = exp(a[t].x + b[t].x - select(here.x, 0, t) - total.x);
      const Tensor change = share * (a[t].d + b[t].d - select(here.d, 0, t) - total.d);
      visits.push_back(where(logical_and(exists_, lt(t_of(t), input_lengths_)), change, 0));
    }
    const Tensor counts = unsqueeze(lt(numbers_down(), transpose(input_lengths_, 0, 1)), 2);
    const Tensor of_classes = where(counts, exp(log_probs_) * v, 0);
    return where(is_possible, scatter_add(of_classes, 2, index, -stack(visits, 0)), 0);
  }

 private:
  static Tensor numbers(int64_t count, const Tensor& like) {
    return unsqueeze(arange(count, TensorOptions(kLong).device(like.device())), 0);
  }
  Tensor numbers_down() const { return transpose(numbers(steps_, labels_), 0, 1); }
  Tensor t_of(int64_t t) const { return constant(t, kLong, labels_.device(), {}); }

  /// x (N, states) moved by k states to the right (left where k is negative), `edge` coming in.
  Tensor shifted(const Tensor& x, int64_t k, const Tensor& edge) const {
    const int64_t by = std::min(std::abs(k), states_);
    const Tensor in = expand(edge, {x.sizes()[0], by});
    return k > 0 ? cat({in, narrow(x, 1, 0, states_ - by)}, 1) : cat({narrow(x, 1, by, states_ - by), in}, 1);
  }
  Dual shifted(const Dual& a, int64_t k, const Tensor& allowed = {}) const {
    Dual out{shifted(a.x, k, filled(kNever, a.x, {})), shifted(a.d, k, filled(0, a.d, {}))};
    if (allowed.defined()) out = {where(allowed, out.x, kNever), where(allowed, out.d, 0)};
    return out;
  }
  static Dual log_add(const std::vector<Dual>& terms, int64_t dim = 0) {
    std::vector<Tensor> x, d;
    for (const Dual& t : terms) x.push_back(t.x), d.push_back(t.d);
    return log_add(Dual{stack(x, 0), stack(d, 0)}, dim, false);
  }
  static Dual log_add(const Dual& terms, int64_t dim, bool keepdim) {
    const Tensor whole = logsumexp(terms.x, {dim}, true);
    const Tensor d = sum(exp(terms.x - whole) * terms.d, {dim}, keepdim);
    return {keepdim ? whole : squeeze(whole, dim), d};
  }
  Dual masked(const Tensor& where_true, const Dual& a) const {
    return {where(where_true, a.x, kNever), where(where_true, a.d, 0)};
  }
  static Dual step(const Dual& here, int64_t t) { return {select(here.x, 0, t), select(here.d, 0, t)}; }
  static Dual plus(const Dual& a, const Dual& b) { return {a.x + b.x, a.d + b.d}; }

  std::vector<Dual> forward(const Dual& here) const {
    const Tensor is_first = logical_and(exists_, lt(numbers(states_, labels_), 2));
    std::vector<Dual> out = {masked(is_first, step(here, 0))};
    for (int64_t t = 1; t < steps_; ++t) {
      const Dual& a = out.back();
      const Dual sum = log_add({a, shifted(a, 1), shifted(a, 2, skips_)});
      out.push_back(masked(exists_, plus(sum, step(here, t))));
    }
    return out;
  }
  std::vector<Dual> backward(const Dual& here) const {
    std::vector<Dual> out(steps_);
    const Tensor skipped = shifted(skips_, -2, constant(false, kBool, skips_.device(), {}));
    Dual b = masked(constant(false, kBool, skips_.device(), skips_.sizes()), step(here, 0));
    for (int64_t t = steps_ - 1; t >= 0; --t) {
      const Dual now = step(here, t), end = masked(is_last_, now);
      const Dual rest = masked(exists_, plus(log_add({b, shifted(b, -1), shifted(b, -2, skipped)}), now));
      const Tensor ends = eq(t_of(t + 1), input_lengths_);
      b = out[t] = {where(ends, end.x, rest.x), where(ends, end.d, rest.d)};
    }
    return out;
  }
  /// The log-probability of all alignments, (N, 1).
  Dual log_likelihood(const std::vector<Dual>& a) const {
    std::vector<Tensor> x, d;
    for (const Dual& t : a) x.push_back(t.x), d.push_back(t.d);
    const Tensor last = clamp_min(input_lengths_ - 1, 0);
    const Tensor index = unsqueeze(expand(last, labels_.sizes()), 0);
    const Dual at_end{squeeze(gather(stack(x, 0), 0, index), 0), squeeze(gather(stack(d, 0), 0, index), 0)};
    return log_add(masked(is_last_, at_end), 1, true);
  }

  Tensor log_probs_, input_lengths_, labels_, exists_, is_last_, skips_;
  int64_t steps_, states_;
};

Tensor curvature(const Primals& c, const Tensor& v, const CtcParams& p) {
  if (v.sizes()[0] == 0) return v;
  return Curvature(c.in(0), c.in(2), c.in(3), c.in(4), p.blank).along(v);
}

/// The gradients of losses (N), at each step that their inputs have: (T, N, 1).
Tensor in_time(const Tensor& grad, const Primals& c) {
  const Tensor steps = arange(c.in(0).sizes()[0], TensorOptions(kLong).device(grad.device()));
  return unsqueeze(where(lt(unsqueeze(steps, 1), c.in(2)), grad, 0), -1);
}

Tensor slope_of(const Primals& c, const CtcParams& p) {
  return call1(ctc_loss_slope_op, {&c.in(0), &c.out(1), &c.in(1), &c.in(2), &c.in(3)}, p);
}

/// The samples of all examples as those of one call: (B, T, N, C) to (T, B N, C), all others (B, N, ...) to (B N, ...).
Tensor joined(const Batch& c, size_t i, bool is_in_time) {
  const Tensor t = rules::batched(c, i);
  if (!is_in_time) return flatten(t, 0, 1);
  return flatten(transpose(t, 0, 1), 1, 2);
}
/// The reverse, for `samples` in each example.
Tensor parted(const Tensor& t, const Batch& c, int64_t samples, bool is_in_time) {
  const Tensor split = unflatten(t, is_in_time ? 1 : 0, {c.size, samples});
  return is_in_time ? transpose(split, 0, 1) : split;
}
/// How many samples an example has, by its last input.
int64_t samples_in(const Batch& c) { return c.in(c.arity() - 1).sizes().back(); }

}  // namespace

STRATA_OP(ctc_loss_op) =
    op<CtcParams>(
        "ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank, bool "
        "zero_infinity) -> (Tensor loss, Tensor log_alpha)")
        .infer([](Args in) {
          const int64_t steps = in[0].sizes()[0], samples = in[0].sizes()[1], states = 2 * in[1].sizes()[1] + 1;
          return Metas(meta({samples}, in[0].dtype(), in[0].device()),
                       meta({samples, steps, states}, in[0].dtype(), in[0].device()));
        })
        .vjp([](const Vjp& c, const CtcParams& p) {
          Tensors grads = Tensors::undefined(4);
          if (c.grad().defined()) grads[0] = slope_of(c, p) * in_time(c.grad(), c);
          return grads;
        })
        .saves(saves_in(0, 1, 2, 3) | saves_out(1))
        .jvp([](const Jvp& c, const CtcParams& p) -> Tensors {
          return {sum(slope_of(c, p) * c.tangent(), {0, 2}), Tensor()};
        })
        .batch([](const Batch& c, const CtcParams& p) -> Tensors {
          const Tensor x = joined(c, 0, true), y = joined(c, 1, false), in = joined(c, 2, false),
                       out = joined(c, 3, false);
          const Tensors all = call(c.op, {&x, &y, &in, &out}, p);
          return {parted(all[0], c, samples_in(c), false), parted(all[1], c, samples_in(c), false)};
        })
        .autocast(AutocastPolicy::kFloat32)
        .dtypes(DTypes(kLong))
        .dtypes_for(0, kSingleAndDouble);

// log_alpha is a function of log_probs too: what it changes is part of the curvature.
STRATA_OP(ctc_loss_slope_op) =
    op<CtcParams>(
        "ctc_loss_slope(Tensor log_probs, Tensor log_alpha, Tensor targets, Tensor input_lengths, Tensor "
        "target_lengths, int blank, bool zero_infinity) -> Tensor")
        .infer([](Args in) { return meta_like(in[0]); })
        .vjp([](const Vjp& c, const CtcParams& p) {
          Tensors grads = Tensors::undefined(5);
          if (c.needs(0)) grads[0] = curvature(c, c.grad(), p);
          return grads;
        })
        .saves(saves_in(0, 2, 3, 4))
        .jvp([](const Jvp& c, const CtcParams& p) -> Tensors {
          return c.tangent().defined() ? curvature(c, c.tangent(), p) : Tensor();
        })
        .batch([](const Batch& c, const CtcParams& p) -> Tensors {
          std::vector<Tensor> in;
          for (size_t i = 0; i < c.arity(); ++i) in.push_back(joined(c, i, i == 0));
          return parted(call1(c.op, {&in[0], &in[1], &in[2], &in[3], &in[4]}, p), c, samples_in(c), true);
        })
        .dtypes(DTypes(kLong))
        .dtypes_for(0, kSingleAndDouble)
        .dtypes_for(1, kSingleAndDouble);

namespace {

constexpr const char* kName = "ctc_loss";

void check_lengths(const char* what, IntArrayRef lengths, int64_t samples) {
  STRATA_CHECK(static_cast<int64_t>(lengths.size()) == samples,
               "{}: {} must be of size batch_size, {} are given for {} samples", kName, what, lengths.size(), samples);
  for (const int64_t n : lengths)
    STRATA_CHECK(n >= 0, "{}: Expected {} to have value at least 0, but got value {}", kName, what, n);
}

/// Of targets (N, S) those behind a sample's length are not looked at.
void check_padded(const Tensor& targets, IntArrayRef lengths) {
  const int64_t longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  STRATA_CHECK(
      longest <= targets.size(1),
      "{}: Expected tensor to have size at least {} at dimension 1, but got size {} for argument #2 'targets', "
      "of which target_lengths tells the longest",
      kName, longest, targets.size(1));
}

Tensor on_device(IntArrayRef values, Device device) {
  Tensor t = empty({static_cast<int64_t>(values.size())}, TensorOptions(kLong));
  std::copy(values.begin(), values.end(), t.data_ptr<int64_t>());
  return t.to(device);
}

/// Targets one after the other as rows (N, longest), which are filled up with what stands at their end.
Tensor as_rows(const Tensor& targets, IntArrayRef lengths) {
  int64_t longest = 0, total = 0;
  for (const int64_t n : lengths) longest = std::max(longest, n), total = checked_add(total, n, kName);
  STRATA_CHECK(targets.sizes()[0] == total,
               "{}: Expected tensor to have size {} at dimension 0, the sum of the target_lengths, but got size {} for "
               "argument #2 'targets'",
               kName, total, targets.sizes()[0]);
  const int64_t samples = static_cast<int64_t>(lengths.size());
  if (longest == 0) return reshape(targets, {samples, 0});
  Tensor index = empty({samples, longest}, TensorOptions(kLong));
  int64_t at = 0;
  for (int64_t n = 0; n < samples; ++n) {
    for (int64_t i = 0; i < longest; ++i)
      index.data_ptr<int64_t>()[n * longest + i] = std::clamp<int64_t>(at + std::min(i, lengths[n] - 1), 0, total - 1);
    at += lengths[n];
  }
  return take(targets, index.to(targets.device()));
}

Tensor reduced(const Tensor& losses, const Tensor& target_lengths, int64_t reduction) {
  if (reduction == Reduction::None) return losses;
  if (reduction == Reduction::Sum) return sum(losses);
  return mean(losses / clamp_min(target_lengths, 1).to(losses.dtype()));
}

std::vector<int64_t> read_lengths(const Tensor& t, const char* what) {
  STRATA_CHECK(is_integral(t.dtype()), "{}: {} must be integral, got {}", kName, what, name(t.dtype()));
  const Tensor host = t.to(kLong).cpu().contiguous();
  return {host.data_ptr<int64_t>(), host.data_ptr<int64_t>() + host.numel()};
}

}  // namespace

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank, int64_t reduction, bool zero_infinity) {
  if (log_probs.dim() == 2) {
    const Tensor loss =
        ctc_loss(unsqueeze(log_probs, 1), targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
    return reduction == Reduction::None ? as_result(squeeze(loss, 0)) : loss;
  }
  STRATA_CHECK(log_probs.dim() == 3 && log_probs.is_floating_point(),
               "{}: expected floating point log-probabilities (T, N, C) or (T, C), got {} of shape {}", kName,
               name(log_probs.dtype()), log_probs.sizes());
  const int64_t samples = log_probs.sizes()[1], classes = log_probs.sizes()[2];
  STRATA_CHECK(blank >= 0 && blank < classes, "{}: the blank must be a class, in [0, {}), got {}", kName, classes,
               blank);
  STRATA_CHECK(targets.dim() == 1 || (targets.dim() == 2 && targets.sizes()[0] == samples),
               "{}: expected targets ({}, S) or one after the other, got shape {}", kName, samples, targets.sizes());
  const bool is_padded = targets.dim() == 2;
  check_lengths("input_lengths", input_lengths, samples);
  for (const int64_t n : input_lengths)
    STRATA_CHECK(n <= log_probs.size(0), "{}: Expected input_lengths to have value at most {}, but got value {}", kName,
                 log_probs.size(0), n);
  check_lengths("target_lengths", target_lengths, samples);
  if (is_padded) check_padded(targets, target_lengths);
  const Tensor labels = as_index(targets, kName, kIntOrLongIndex, "targets").to(log_probs.device());
  const Tensor rows = is_padded ? labels : as_rows(labels, target_lengths);
  const Tensor in = on_device(input_lengths, log_probs.device()), out = on_device(target_lengths, log_probs.device());
  Tensor losses = call(ctc_loss_op, {&log_probs, &rows, &in, &out}, CtcParams{blank, zero_infinity})[0];
  if (zero_infinity) losses = masked_fill(losses, eq(losses, std::numeric_limits<double>::infinity()), 0);
  return reduced(losses, out, reduction);
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  const std::vector<int64_t> in = read_lengths(input_lengths, "input_lengths"),
                             out = read_lengths(target_lengths, "target_lengths");
  return ctc_loss(log_probs, targets, IntArrayRef(in), IntArrayRef(out), blank, reduction, zero_infinity);
}

}  // namespace strata
