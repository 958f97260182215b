// How ATen's functions of gradients are written: as the pullback of the function itself.
#pragma once
#include <strata/strata.h>

namespace strata::detail {

/// What `grad`, the gradient of `f(x)`, becomes at `x`. The result has derivatives in turn, by `x` and by `grad`.
template <class F>
Tensor pulled(const Tensor& grad, const Tensor& x, const F& f) {
  return func::vjp(f, x).second(grad);
}

/// The same of an element's function: `x`, `f(x)` and `grad` broadcast.
template <class F>
Tensor pulled_each(const Tensor& grad, const Tensor& x, const F& f) {
  const std::vector<Tensor> both = broadcast_tensors({grad, x});
  return pulled(both[0], both[1], f);
}

/// All dims of `x` but `kept`.
inline std::vector<int64_t> dims_but(const Tensor& x, int64_t kept) {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < x.dim(); ++d)
    if (d != kept) dims.push_back(d);
  return dims;
}

/// `x` (C) or undefined, where it multiplies or shifts the channels of a tensor of `dims` dims.
inline Tensor by_channel(const Tensor& x, int64_t dims) {
  std::vector<int64_t> shape(static_cast<size_t>(dims), 1);
  shape[1] = -1;
  return x.reshape(shape);
}

/// `x`, or an undefined tensor where it was not asked for.
template <class F>
Tensor where_asked(bool asked, const F& x) {
  return asked ? x() : Tensor();
}

}  // namespace strata::detail
