// What convolutions and pools say of their windows. Internal to libstrata_onnx.
#pragma once
#include "exchange/onnx/ops.h"

namespace strata::onnx {

/// The attributes kernel_shape, strides, dilations, pads, auto_pad and ceil_mode, with their defaults, for an input of
/// shape (N, C, D1, ..., Dn).
struct Windows {
  Ints kernel, strides, dilations, before, after;  ///< one for each of the n dims
  Ints outputs;                                    ///< sizes of the result

  Windows(const Arguments& a, IntArrayRef input, Ints kernel_sizes);

  size_t dims() const { return kernel.size(); }
  /// Cells that a window spans along a dim.
  int64_t span(size_t d) const { return (kernel[d] - 1) * dilations[d] + 1; }
  bool is_symmetric() const { return before == after; }
  bool is_dense() const;
  /// Pads for `constant_pad_nd`, with so much more at the end that the last window fits.
  Ints padding(IntArrayRef input, bool fits_last) const;
};

/// A convolution as the node's attributes say; the bias may be undefined.
Tensor convolve(const Arguments& a, const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace strata::onnx
