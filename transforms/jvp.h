// jvp: forward-mode derivatives; a dual tensor carries its tangent along.
#pragma once
#include "dims.h"
#include "level.h"

namespace strata::func {

/// One level of forward mode: each op runs on the primals below, and its jvp rule on the tangents.
class JvpLayer final : public Layer {
 public:
  Tensors process(const Op& op, Args args, Params params) override;
  /// A tensor of this level with a tangent of the same shape; an undefined tangent is zero and makes it a constant.
  Tensor dual(const Tensor& primal, const Tensor& tangent) const;
  Tensor primal(const Tensor& t) const;
  /// The tangent that `t` carries at this level; undefined for constants.
  Tensor tangent(const Tensor& t) const;
};

namespace detail {

/// `f(x)`, or `f(x...)` of a tuple's elements where f takes those.
template <class F, class X>
decltype(auto) apply_to(const F& f, X&& x) {
  if constexpr (std::is_invocable_v<const F&, X>)
    return f(std::forward<X>(x));
  else
    return std::apply(f, std::forward<X>(x));
}

/// Makes duals of `x` and `t`, both of the same structure; throws where shapes or dtypes differ.
void make_duals(const JvpLayer& layer, const std::vector<Tensor*>& x, const std::vector<Tensor>& t);
/// Splits a result into its primal, left in place, and its tangent (zeros for a constant).
Tensor split_dual(const JvpLayer& layer, Tensor& t);

}  // namespace detail

/// `jvp(f, x, t)` is the pair of `f(x)` and its derivative in the direction `t`: one run of `f`, no graph.
/// `x` and `t` are tensors or nests of equal structure; for a function of several arguments, tuples of them. Undefined
/// tangents are zero. Throws where a tangent's shape or dtype is not its primal's, and inside of custom_vjp. After
/// JAX's and torch.func's jvp.
///
///     auto [y, dy] = jvp([](Tensor x) { return sin(x); }, x, t);  // dy: t cos(x)
///     auto [z, dz] = jvp([](Tensor a, Tensor b) { return a * b; }, std::tuple(a, b), std::tuple(t, Tensor()));
template <class F, class X, class T>
auto jvp(const F& f, X primals, T tangents) {
  JvpLayer layer;
  auto out = [&] {
    const LayerScope scope(layer);
    std::vector<Tensor*> inputs;
    tree::for_each(primals, [&](Tensor& x) { inputs.push_back(&x); });
    detail::make_duals(layer, inputs, tree::leaves(tangents));
    return detail::fresh(detail::apply_to(f, std::move(primals)));
  }();
  auto derivative = out;
  std::vector<Tensor> split;
  tree::for_each(out, [&](Tensor& y) { split.push_back(detail::split_dual(layer, y)); });
  return std::pair(std::move(out), tree::unflatten(std::move(derivative), split));
}

}  // namespace strata::func
