// a log(b) and a log(1 + b), which are 0 where a is: ops with their rules.
#include "ops/binary.h"
#include "ops/binary_def.h"
#include "ops/rules.h"
#include "ops/special.h"
#include "ops/special_def.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {
namespace {

struct OfB {
  static Tensor argument(const Tensor& b) { return b; }
  static Tensor log(const Tensor& b) { return strata::log(b); }
  static Tensor product(const Tensor& a, const Tensor& b) { return xlogy(a, b); }
  static Tensor has_no_log(const Tensor& b) { return b <= 0; }
};
struct OfOnePlusB {
  static Tensor argument(const Tensor& b) { return b + 1; }
  static Tensor log(const Tensor& b) { return log1p(b); }
  static Tensor product(const Tensor& a, const Tensor& b) { return special::xlog1py(a, b); }
  static Tensor has_no_log(const Tensor& b) { return b <= -1; }
};

/// The slope along a, which is 0 where a is and the logarithm has no finite value: PyTorch's choice.
template <class F>
Tensor unless_flat(const Primals& c, const Tensor& slope) {
  return where(logical_and(c.in(0) == 0, F::has_no_log(c.in(1))), 0, slope);
}

template <class F>
constexpr auto times_logarithm(const char* schema) {
  return pointwise(
             schema, [](const Primals& c) { return unless_flat<F>(c, F::log(c.in(1))); },
             [](const Primals& c) { return c.in(0) / F::argument(c.in(1)); })
      .vjp([](const Vjp& c) {
        Tensors grads = Tensors::undefined(2);
        if (c.needs(0)) grads[0] = unless_flat<F>(c, F::product(c.grad(), c.in(1)));
        if (c.needs(1)) grads[1] = c.grad() * c.in(0) / F::argument(c.in(1));
        return grads;
      })
      .jvp([](const Jvp& c) {
        Tensor sum;
        if (c.tangent(0).defined()) sum = unless_flat<F>(c, F::product(c.tangent(0), c.in(1)));
        if (c.tangent(1).defined()) sum = rules::add_defined(sum, c.tangent(1) * c.in(0) / F::argument(c.in(1)));
        return Tensors(sum);
      })
      .saves_for(0, saves_in(0, 1))
      .saves_for(1, saves_in(0, 1))
      .decompose([](Args in) {
        const Tensor is_zero = logical_and(in[0] == 0, logical_not(isnan(in[1])));
        return Tensors(where(is_zero, 0, in[0] * F::log(in[1])));
      })
      .dtypes(kFloatingTypes);
}

}  // namespace

STRATA_OP(xlogy_op) = times_logarithm<OfB>("xlogy(Tensor a, Tensor b) -> Tensor");
STRATA_OP(xlog1py_op) = times_logarithm<OfOnePlusB>("xlog1py(Tensor a, Tensor b) -> Tensor");

}  // namespace strata
