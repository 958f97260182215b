// Grid sampling by libtorch's options.
#include "nn/vision.h"

#include "core/called.h"
#include "core/warning.h"
#include "ops/grid_sample.h"

namespace strata::nn {
namespace {

GridInterpolation interpolation(Choice mode) {
  if (mode == kBilinear) return GridInterpolation::Bilinear;
  return mode == kNearest ? GridInterpolation::Nearest : GridInterpolation::Bicubic;
}

GridPadding padding(Choice mode) {
  if (mode == kZeros) return GridPadding::Zeros;
  return mode == kBorder ? GridPadding::Border : GridPadding::Reflection;
}

}  // namespace

Tensor functional::grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& o) {
  const Called called;
  const GridInterpolation mode = interpolation(o.mode());
  const GridPadding beyond = padding(o.padding_mode());
  if (!o.align_corners()) warn("grid_sample: align_corners is false unless it is given; it was true once");
  return grid_sampler(input, grid, static_cast<int64_t>(mode), static_cast<int64_t>(beyond),
                      o.align_corners().value_or(false));
}

Tensor functional::affine_grid(const Tensor& theta, IntArrayRef size, bool align_corners) {
  const Called called;
  return affine_grid_generator(theta, size, align_corners);
}

}  // namespace strata::nn
