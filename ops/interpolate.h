// Resampling of the last one or two dims: nearest neighbours and linear interpolation.
#pragma once
#include <optional>

#include "../core/tensor.h"

namespace strata {

/// `(N, C, L)` to `(N, C, output_size)`: element o copies input element floor(o * L / output_size), or floor(o /
/// scales) where the scale factor is given.
Tensor upsample_nearest1d(const Tensor& input, IntArrayRef output_size, std::optional<double> scales = std::nullopt);
/// The same over both dims of `(N, C, H, W)`.
Tensor upsample_nearest2d(const Tensor& input, IntArrayRef output_size, std::optional<double> scales_h = std::nullopt,
                          std::optional<double> scales_w = std::nullopt);

/// `(N, C, L)` to `(N, C, output_size)` on straight lines between neighbours. With `align_corners` the centres of the
/// first and last elements agree, else their outer edges.
Tensor upsample_linear1d(const Tensor& input, IntArrayRef output_size, bool align_corners,
                         std::optional<double> scales = std::nullopt);
/// The same over both dims of `(N, C, H, W)`.
Tensor upsample_bilinear2d(const Tensor& input, IntArrayRef output_size, bool align_corners,
                           std::optional<double> scales_h = std::nullopt,
                           std::optional<double> scales_w = std::nullopt);

}  // namespace strata
