// What the parts of the sweep share: the calls to check, comparison, and the count of checks made.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "ops/complex.h"
#include "test/catch.h"
#include "test/recorder.h"

namespace strata::test {

/// Every distinct primitive call that the table's samples make, then those that their rules make in turn.
const std::vector<Call>& all_calls();

/// Has this build no kernel of the op on purpose?
bool is_left_out_of_build(const Op& op);

/// Notes one check; a failing one is reported with its message and the sweep goes on.
void expect(bool ok, const std::string& message);
/// How many checks `expect` has seen so far.
int64_t checks_made();

/// Runs `f` and reports an exception as a failure of `what`.
void guarded(const std::string& what, const std::function<void()>& f);

/// Largest difference relative to the largest entry; infinite when shapes differ or a NaN stands against a number.
double distance(const Tensor& a, const Tensor& b);
/// How far two ways of computing the same in this type may differ.
double rounding(DType t);
/// `distance` within the rounding of the type times `factor`; undefined equals undefined.
bool close(const Tensor& a, const Tensor& b, double factor = 1);

inline bool is_float(const Tensor& t) { return t.defined() && is_differentiable(t.dtype()); }
/// Is its arithmetic that of float64?
inline bool is_double(const Tensor& t) { return to_real_dtype(t.dtype()) == kDouble; }
/// From which input on an op takes constants though they are floating point: weights of classes and their sum, and the
/// orders of functions.
inline size_t constants_from(const Op& op) {
  if (op.name() == "nll_loss" || op.name() == "nll_loss_backward") return 2;
  return op.name() == "zeta" || op.name() == "gammainc" || op.name() == "gammaincc" ? 1 : 99;
}
/// Complex numbers as pairs of real ones, for real sums over all numbers; real tensors as they are.
inline Tensor numbers_of(const Tensor& t) { return t.is_complex() ? view_as_real(t) : t; }
/// The optimizers' fused steps and the updates of lists write the tensors they are given: only their values are
/// checked.
inline bool updates_state(const Call& c) { return c.op->is(kUpdatesInputs); }
inline bool is_random(const Call& c) { return c.op->is(kRandom); }

/// A number with the size of the terms it was summed from.
struct Sum {
  double value = 0, scale = 0;
  void add(double x) {
    value += x;
    scale += std::abs(x);
  }
};

/// Sum of a * b over the first n pairs; an undefined tensor is zero.
template <class A, class B>
Sum sum_of_products(const A& a, const B& b, size_t n) {
  Sum sum;
  for (size_t i = 0; i < n; ++i) {
    if (!is_float(a[i]) || !is_float(b[i])) continue;
    const std::vector<double> x = values(a[i]), y = values(b[i]);
    STRATA_CHECK(x.size() == y.size(), "{} numbers and {} are multiplied", x.size(), y.size());
    for (size_t k = 0; k < x.size(); ++k) sum.add(x[k] * y[k]);
  }
  return sum;
}

/// A tensor of random values for each floating point one, an undefined one for each other.
template <class L>
List random_like(const L& like, unsigned seed) {
  List v;
  for (const Tensor& t : like)
    v.push_back(is_float(t) ? uniform_values(t.sizes(), -1, 1, seed++, t.dtype()) : Tensor());
  return v;
}

/// The inputs that have memory in a layout, the others as they are.
inline List laid_out(List inputs, Tensor (*layout)(const Tensor&)) {
  for (Tensor& t : inputs)
    if (t.defined() && t.has_storage()) t = in_layout(t, layout(t));
  return inputs;
}

/// Are dtypes, sizes and the elements' bits the same?
inline bool same_bits(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) {
    return x.defined() == y.defined() &&
           (!x.defined() || (x.dtype() == y.dtype() && x.sizes() == y.sizes() && bytes(x) == bytes(y)));
  });
}

/// Kernels that no in-place form leads to fill row-major outputs alone.
bool fills_fresh_outputs_only(const Call& c);

/// The rules' outputs, computed as eager code would: no recording of gradients, nothing transformed.
Tensors run_vjp(const Call& c, const List& inputs, const Tensors& outputs, const List& grads,
                const std::vector<bool>& wanted);
Tensors run_jvp(const Call& c, const List& inputs, const Tensors& outputs, const List& tangents);
Tensors run_batch(const Call& c, const List& inputs, const std::vector<bool>& batched, int64_t size);
/// `size` variants of `t` stacked in front: rotated elements, floating ones slightly scaled; entry 0 is `t`.
Tensor stacked(const Tensor& t, int64_t size);
/// Entry b of a stack.
Tensor entry(const Tensor& stack, int64_t b);

}  // namespace strata::test
