// eval_shape: the shapes and dtypes of what a function would give, without computing it.
#pragma once
#include "trace.h"

namespace strata::func {

namespace detail {

template <class F, class... A>
auto eval_shape_run(const F& f, std::tuple<A...> args) {
  TraceLayer layer;
  const LayerScope scope(layer);
  tree::for_each(args, [&](Tensor& t) { t = layer.input(t); });
  auto out = fresh(std::apply(f, std::move(args)));
  tree::for_each(out, [](Tensor& t) {
    if (t.defined()) t = empty_on_device(t.sizes(), t.scalar_type(), Device(kMeta));
  });
  return out;
}

}  // namespace detail

/// The shapes and dtypes of what `f(args...)` would give, as tensors on `kMeta`: `f` runs once on tensors without
/// values, as in `trace`, whose errors it has. Of the arguments shapes and dtypes alone are read, so that they may be
/// on `kMeta` as well. After JAX's eval_shape.
///
///     const Tensor x = empty({1 << 20, 1 << 20}, kMeta);
///     Tensor like = eval_shape([](Tensor a) { return matmul(a, a.t()).sum(0); }, x);  // (1048576,), no memory
template <class F, class... X>
auto eval_shape(const F& f, X... xs) {
  const auto& ref = detail::refer_to(f);
  return detail::eval_shape_run(ref, detail::arguments_for(ref, std::move(xs)...));
}

}  // namespace strata::func
