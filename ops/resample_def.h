// The resampling op and its geometry, for rules and kernels.
#pragma once
#include <array>
#include <tuple>

#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "resample.h"

namespace strata {

/// Up to three neighbouring dims from `first` on; those behind `count` are not used. A transposed call goes from `out`
/// to `in` positions and adds up what belongs to the same input.
struct ResampleParams {
  static constexpr int64_t kMostDims = 3;
  int64_t first, count;
  Resampling mode;
  bool transposed;
  std::array<ResampledDim, kMostDims> dims;

  /// The number of positions of resampled dim d before and behind the call.
  int64_t from(int64_t d) const { return transposed ? dim(d).out : dim(d).in; }
  int64_t to(int64_t d) const { return transposed ? dim(d).in : dim(d).out; }
  const ResampledDim& dim(int64_t d) const { return dims[static_cast<size_t>(d)]; }
  /// Does every element of the result come from one of the input, with weight 1?
  bool moves() const { return !transposed && mode != Resampling::Linear && mode != Resampling::Cubic; }
  auto fields() const {
    using dispatch::group;
    const auto& [a, b, c] = dims;
    return std::tuple_cat(std::tie(first, count, mode, transposed),
                          std::tuple(group(a.in, b.in, c.in), group(a.out, b.out, c.out)),
                          std::tie(a.scale, a.shift, a.back, b.scale, b.shift, b.back, c.scale, c.shift, c.back));
  }
};

/// Are there elements wherever the dim's new positions lie?
bool is_valid(const ResampledDim& dim, Resampling mode);
extern Op resample_op;

}  // namespace strata
