// linearize: a function's value and its derivative as a linear program that can be applied many times.
#pragma once
#include "../ops/creation.h"
#include "jvp.h"
#include "trace.h"
#include "vjp.h"

namespace strata::func {

/// The derivative of a function at one point: maps tangents of its arguments to tangents of its results.
template <class Out, class... X>
class LinearMap {
 public:
  LinearMap(Program program, Out out) : program_(std::move(program)), out_(std::move(out)) {}
  /// Tangents like the arguments, undefined = zero.
  Out operator()(const X&... tangents) const;
  /// Reads tangents of the floating point arguments; all that does not depend on them is a constant in it.
  const Program& program() const { return program_; }

 private:
  Program program_;
  Out out_;  // its tensors are undefined
};

namespace detail {
/// Runs a program of tangents: those of arguments without one are dropped, missing ones are zero.
std::vector<Tensor> push(const Program& program, std::vector<Tensor> tangents);
}  // namespace detail

template <class Out, class... X>
Out LinearMap<Out, X...>::operator()(const X&... tangents) const {
  std::vector<Tensor> inputs;
  (tree::for_each(const_cast<X&>(tangents), [&](Tensor& t) { inputs.push_back(t); }), ...);
  return tree::unflatten(out_, detail::push(program_, std::move(inputs)));
}

namespace detail {

template <class F, class... X>
auto linearize_run(const F& f, std::tuple<X...> primals) {
  TraceLayer layer(TraceLayer::Records::tangents);
  const LayerScope scope(layer);
  std::vector<Tensor> tangents = tree::leaves(primals);
  for (Tensor& t : tangents) t = layer.input(t.defined() && is_differentiable(t.dtype()) ? t : Tensor());
  auto [out, tangent] = jvp_run<false>(f, std::move(primals), SelectAll<std::tuple<X...>>(), tangents);
  Program program = layer.finish(tree::leaves(tangent));
  tree::for_each(tangent, [](Tensor& t) { t = Tensor(); });
  LinearMap<std::decay_t<decltype(tangent)>, X...> map(std::move(program), std::move(tangent));
  return std::pair(std::move(out), std::move(map));
}

}  // namespace detail

/// `auto [y, push] = linearize(f, x...)`: y = f(x...), and the map from tangents of the arguments to the tangent of y:
/// `push(t...)` is `jvp(f, {x...}, {t...}).second` without running f again, because only what happens to tangents is in
/// its program. Arguments that are not floating point are constants. Throws where jvp does; push, for tangents of other
/// shapes. After JAX's linearize.
///
///     auto [sine, push] = linearize([](Tensor x) { return x.sin(); }, ones({3}));
///     Tensor slope = push(ones({3}));  // cos(1), three times
template <class F, class... X>
auto linearize(const F& f, X... xs) {
  const auto& ref = detail::refer_to(f);
  return detail::linearize_run(ref, detail::arguments_for(ref, std::move(xs)...));
}

/// `linear_transpose(f, x...)` of a linear function f is its transpose: a map from cotangents of f's result to
/// cotangents of its arguments, of which only shapes and dtypes are read. `f` must be linear (what a function adds or
/// squares is lost without a word). Errors as those of vjp. After JAX's linear_transpose.
///
///     auto transpose = linear_transpose([](Tensor x) { return x.cumsum(0); }, ones({3}));
///     Tensor counts = transpose(ones({3}));  // 3, 2, 1
template <class F, class... X>
auto linear_transpose(const F& f, const X&... like) {
  const auto zeros_of = [](auto nest) {
    tree::for_each(nest, [](Tensor& t) { t = zeros(t.sizes(), t.options()); });
    return nest;
  };
  return vjp(f, zeros_of(like)...).second;
}

}  // namespace strata::func
