// Pooling: maxima and means over windows of the last one or two dims.
#pragma once
#include <optional>
#include <tuple>

#include "../core/tensor.h"

namespace strata {

/// Maxima over windows of `(N, C, L)` or `(C, L)`; `stride` is the kernel size unless given. NaN wins. The output has
/// `floor((L + 2 * padding - dilation * (kernel_size - 1) - 1) / stride) + 1` positions, or ceil with `ceil_mode` (no
/// window starts beyond the padded input). Throws if `padding` is more than half the window.
Tensor max_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false);
/// The same over `(N, C, H, W)` or `(C, H, W)`; a single number serves both dims.
Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false);
/// Also the int64 position of each maximum, counted row by row in its plane.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride = {}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride = {}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);

/// Means over windows of `(N, C, L)` or `(C, L)`; padding counts as zeros with `count_include_pad`, else not at all.
Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true);
/// The same over `(N, C, H, W)` or `(C, H, W)`; sums are divided by `divisor_override` if given.
Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true,
                  std::optional<int64_t> divisor_override = std::nullopt);

/// Means over `output_size` windows that cover the input as evenly as possible.
Tensor adaptive_avg_pool1d(const Tensor& input, IntArrayRef output_size);
Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size);
/// Maxima over such windows, and their positions.
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& input, IntArrayRef output_size);
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& input, IntArrayRef output_size);

}  // namespace strata
