// Sampling images at the places of a grid: affine_grid and grid_sample.
#pragma once
#include <optional>

#include "../core/arg.h"
#include "../core/tensor.h"
#include "enums.h"

namespace strata::nn::functional {

/// Modes: kBilinear (trilinear in volumes), kNearest, kBicubic. Padding modes: kZeros, kBorder, kReflection.
struct GridSampleFuncOptions {
  using mode_t = OneOf<Choice::Bilinear, Choice::Nearest, Choice::Bicubic>;
  using padding_mode_t = OneOf<Choice::Zeros, Choice::Border, Choice::Reflection>;
  STRATA_ARG(mode_t, mode) = kBilinear;
  STRATA_ARG(padding_mode_t, padding_mode) = kZeros;
  STRATA_ARG(std::optional<bool>, align_corners) = std::nullopt;
};

/// Reads `(N, C, H, W)` at the places of `(N, OH, OW, 2)`, or `(N, C, D, H, W)` at those of `(N, OD, OH, OW, 3)`; see
/// strata::grid_sampler. Warns where align_corners is not given.
Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& options = {});

/// The grid of an affine map theta `(N, 2, 3)` or `(N, 3, 4)` for results of `size`.
Tensor affine_grid(const Tensor& theta, IntArrayRef size, bool align_corners = false);

}  // namespace strata::nn::functional
