// The ops that sample images and volumes at the places of a grid, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "grid_sample.h"

namespace strata {

/// How numbers of a grid are places, and places elements.
struct GridParams {
  GridInterpolation mode;
  GridPadding padding;
  bool align_corners;
  DimVector image;  ///< the sizes (D,) H, W of what is sampled
};

/// `grid_sample(Tensor input, Tensor grid)`: (N, C, image...) at (N, points..., dims) gives (N, C, points...).
extern Op grid_sample_op;
/// `grid_sample_backward(Tensor grad, Tensor grid)`: its transpose, from (N, C, points...) to (N, C, image...).
extern Op grid_sample_backward_op;

/// The two as gathers and scatters, for devices that have no loops of their own.
Tensor composed_grid_sample(const Tensor& input, const Tensor& grid, const GridParams& p);
Tensor composed_grid_sample_backward(const Tensor& grad, const Tensor& grid, const GridParams& p);

}  // namespace strata
