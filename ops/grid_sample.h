// Reading images and volumes at any places, and the places that an affine map gives.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// What grid_sampler reads between elements, and outside of all. The numbers are libtorch's.
enum class GridInterpolation : int64_t { Bilinear, Nearest, Bicubic };
enum class GridPadding : int64_t { Zeros, Border, Reflection };

/// Reads `(N, C, H, W)` at `grid` `(N, OH, OW, 2)` of places (x, y), or `(N, C, D, H, W)` at `(N, OD, OH, OW, 3)` of
/// (x, y, z), giving `(N, C, OH, OW)` or `(N, C, OD, OH, OW)`. -1 and 1 are the middles of the first and the last
/// element with `align_corners`, else their outer edges. Bilinear is trilinear in volumes, which have no bicubic.
Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners);
Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners);
Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners);

/// The grid of an affine map: theta `(N, 2, 3)` and size (N, C, H, W) give `(N, H, W, 2)`; theta `(N, 3, 4)` and size
/// (N, C, D, H, W) give `(N, D, H, W, 3)`.
Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners);

}  // namespace strata
