// Pooling: maxima and means over windows of the last one, two or three dims.
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
/// The same over `(N, C, D, H, W)` or `(C, D, H, W)`.
Tensor max_pool3d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  IntArrayRef dilation = 1, bool ceil_mode = false);
/// Also the int64 position of each maximum, counted row by row in its line, plane or volume; -1 where all that a
/// dilated window meets is padding.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride = {}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride = {}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, IntArrayRef kernel_size,
                                                   IntArrayRef stride = {}, IntArrayRef padding = 0,
                                                   IntArrayRef dilation = 1, bool ceil_mode = false);

/// Means over windows of `(N, C, L)` or `(C, L)`; padding counts as zeros with `count_include_pad`, else not at all.
Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true);
/// The same over `(N, C, H, W)` or `(C, H, W)`; sums are divided by `divisor_override` if given.
Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true,
                  std::optional<int64_t> divisor_override = std::nullopt);
/// The same over `(N, C, D, H, W)` or `(C, D, H, W)`.
Tensor avg_pool3d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride = {}, IntArrayRef padding = 0,
                  bool ceil_mode = false, bool count_include_pad = true,
                  std::optional<int64_t> divisor_override = std::nullopt);

/// Means over `output_size` windows that cover the input as evenly as possible.
Tensor adaptive_avg_pool1d(const Tensor& input, IntArrayRef output_size);
Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size);
Tensor adaptive_avg_pool3d(const Tensor& input, IntArrayRef output_size);
/// Maxima over such windows, and their positions.
std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& input, IntArrayRef output_size);
std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& input, IntArrayRef output_size);
std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& input, IntArrayRef output_size);

/// Puts what max_pool1d_with_indices found back: zeros of `output_size` (L) that hold each value of `(N, C, L)` or `(C,
/// L)` at its index. Throws if indices lie outside.
Tensor max_unpool1d(const Tensor& input, const Tensor& indices, IntArrayRef output_size);
/// The same in planes of `output_size` (H, W).
Tensor max_unpool2d(const Tensor& input, const Tensor& indices, IntArrayRef output_size);
/// The same in volumes of `output_size` (D, H, W). As in libtorch, stride and padding are checked and not used.
Tensor max_unpool3d(const Tensor& input, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                    IntArrayRef padding);

/// Maxima, and their positions, over windows whose places follow a pseudo-random sequence (Graham 2014): `output_size`
/// windows of `kernel_size` elements per dim of `(N, C, H, W)` or `(C, H, W)`. `random_samples` `(N, C, 2)` are numbers
/// in [0, 1), first that of the width.
std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples);
/// The same over `(N, C, D, H, W)` or `(C, D, H, W)`; `random_samples` `(N, C, 3)` are those of depth, height and
/// width.
std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples);

}  // namespace strata
