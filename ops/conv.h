// Convolutions and transposed convolutions over one, two and three spatial dimensions.
#pragma once
#include <string_view>
#include <type_traits>

#include "../core/tensor.h"

namespace strata {

/// Cross-correlates input `(N, C, L)` or `(C, L)` with weight `(O, C / groups, K)`; bias `(O,)` may be undefined. Gives
/// `(N, O, (L + 2 * padding - dilation * (K - 1) - 1) / stride + 1)`. Throws unless groups divide C and O and dtypes
/// agree.
Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
/// The same over `(N, C, H, W)` or `(C, H, W)` with weight `(O, C / groups, KH, KW)`; a single number serves both dims.
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
/// The same over `(N, C, D, H, W)` or `(C, D, H, W)` with weight `(O, C / groups, KD, KH, KW)`.
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias = {}, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);

namespace detail {
Tensor conv_named(int64_t dims, const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                  std::string_view padding, IntArrayRef dilation, int64_t groups);
// A template, so that the number 0 never counts as a null `const char*`.
template <class S>
concept PaddingName = std::is_convertible_v<const S&, std::string_view>;
}  // namespace detail

/// Padding "valid" (none) or "same" (the output is as long as the input; stride must be 1; an odd zero goes to the
/// end).
template <detail::PaddingName S>
Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride, const S& padding,
              IntArrayRef dilation = 1, int64_t groups = 1) {
  return detail::conv_named(1, input, weight, bias, stride, padding, dilation, groups);
}
template <detail::PaddingName S>
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride, const S& padding,
              IntArrayRef dilation = 1, int64_t groups = 1) {
  return detail::conv_named(2, input, weight, bias, stride, padding, dilation, groups);
}
template <detail::PaddingName S>
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride, const S& padding,
              IntArrayRef dilation = 1, int64_t groups = 1) {
  return detail::conv_named(3, input, weight, bias, stride, padding, dilation, groups);
}

/// The transposed convolution (the gradient of conv1d with respect to its input) of `(N, C, L)` with weight `(C, O /
/// groups, K)`. Gives `(N, O, (L - 1) * stride - 2 * padding + dilation * (K - 1) + output_padding + 1)`.
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias = {}, IntArrayRef stride = 1,
                        IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1,
                        IntArrayRef dilation = 1);
/// The same over `(N, C, H, W)` with weight `(C, O / groups, KH, KW)`.
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias = {}, IntArrayRef stride = 1,
                        IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1,
                        IntArrayRef dilation = 1);
/// The same over `(N, C, D, H, W)` with weight `(C, O / groups, KD, KH, KW)`.
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias = {}, IntArrayRef stride = 1,
                        IntArrayRef padding = 0, IntArrayRef output_padding = 0, int64_t groups = 1,
                        IntArrayRef dilation = 1);

/// libtorch's common entry: one, two or three spatial dims by the weight's, transposed or not.
Tensor convolution(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   int64_t groups);

}  // namespace strata
