// Grid sampling's inner loops as SIMD code chosen at run time for the processor.
#pragma once
#include <array>
#include <cstdint>

#include "ops/grid_sample_def.h"

namespace strata::cpu::resample {

/// Points that are sampled together.
inline constexpr int64_t kGridPoints = 64;
inline constexpr int64_t kMostGridTaps = 16;

/// The elements that the points of a block are made of, by their place in the row-major image, and their weights: of
/// tap t of point i at [t * kGridPoints + i]. What does not exist is element -1 with weight 0.
template <class T>
struct GridTaps {
  int64_t count;  ///< taps of a point
  std::array<int64_t, kMostGridTaps * kGridPoints> element;
  std::array<T, kMostGridTaps * kGridPoints> weight;
};

/// T is float or double. Images have `step` numbers for each element, a multiple of kRowUnit of them, and one element
/// more in front of the first, which stands for those that do not exist.
template <class T>
struct VecGrid {
  static constexpr int64_t kRowUnit = 16 / sizeof(T);

  /// The taps of `points` points of the grid, at most kGridPoints, of which x comes first.
  void (*find)(const GridParams& p, const T* grid, int64_t points, GridTaps<T>& taps);
  /// rows[i * step + c] = the sum over the taps of point i of weight * image[element * step + c].
  void (*gather)(const T* image, int64_t step, const GridTaps<T>& taps, int64_t points, T* rows);
  /// Its transpose: adds the rows times the weights to the image.
  void (*scatter)(T* image, int64_t step, const GridTaps<T>& taps, int64_t points, const T* rows);
};

/// The functions for this processor.
template <class T>
const VecGrid<T>& vec_grid();

}  // namespace strata::cpu::resample
