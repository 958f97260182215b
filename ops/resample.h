// Resampling: dims whose new positions are weighted sums of old ones. Interpolation and the paddings that repeat
// elements.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// What a new position takes. With x where it lies in the old ones: the element at floor(x); a weighted sum of the two
/// or, by Keys' cubic convolution (1981, with -0.75), the four around x; or the element at x where the dim goes on
/// beyond its ends as a mirror image without the ends, or as a circle. The others repeat the ends.
enum class Resampling : uint8_t { Nearest, Linear, Cubic, Reflect, Circular };

/// A dim of `in` positions that gets `out`. Position i lies at `(i + shift) * scale - back` of the old ones.
struct ResampledDim {
  int64_t in, out;
  double scale = 1, shift = 0, back = 0;
};

/// Resamples the dims `first`, `first + 1`, …, of which there are as many as `dims`. Linear and cubic need floating
/// point or complex numbers. Mirrors and circles have scale 1 and whole shifts. A mirror reaches one image of the dim
/// far; a circle leaves out what is cut off before or behind. Throws if a dim is not of `in` positions, or has places
/// that its mode does not reach.
Tensor resample(const Tensor& x, int64_t first, ArrayRef<ResampledDim> dims, Resampling mode);

}  // namespace strata
