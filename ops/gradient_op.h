// The builder of ops that are gradients of element-wise functions.
#pragma once
#include "rules.h"

namespace strata {

/// An element-wise op `(Tensor grad, Tensor x)` that is linear in grad; `curvature` is its partial derivative by x, as
/// `pointwise` takes it. What comes back to grad is the op again and not a product: where it picks by x, infinity or
/// NaN times a slope of 0 is 0.
template <class P = NoParams, class F>
constexpr Builder<P> gradient_op(const char* schema, F curvature) {
  namespace detail = dispatch::rule_detail;
  return pointwise<P>(schema, one, curvature)
      .vjp([](const Vjp& c, const P& p) {
        Tensors grads = Tensors::undefined(2);
        if (c.needs(0)) grads[0] = call1(c.op, {&c.grad(), &c.in(1)}, p);
        if (c.needs(1)) grads[1] = detail::scaled<F, P, &rules::mul>(c.grad(), c, &p);
        return grads;
      })
      .jvp([](const Jvp& c, const P& p) {
        Tensor sum;
        if (c.tangent(0).defined()) sum = call1(c.op, {&c.tangent(0), &c.in(1)}, p);
        if (!c.tangent(1).defined()) return Tensors(sum);
        return Tensors(rules::add_defined(sum, detail::scaled<F, P, &rules::mul>(c.tangent(1), c, &p)));
      })
      .saves_for(0, saves_in(1))
      .saves_for(1, std::is_same_v<F, Zero> ? kSavesNothing : saves_in(0, 1));
}

}  // namespace strata
