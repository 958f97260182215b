// The pooling ops and their geometry, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Windows over the last two dims `(ih, iw)` of an input, one per element of `(oh, ow)`; all other dims are planes.
/// An adaptive pool's window i covers [floor(i * in / out), ceil((i + 1) * in / out)); then only the sizes count.
struct PoolParams {
  int64_t ih, iw, oh, ow;
  bool adaptive;
  int64_t kh, kw, sh, sw, ph, pw, dh, dw;
  auto fields() const {
    using dispatch::group;
    return std::tuple_cat(std::tuple(group(ih, iw), group(oh, ow)), std::tie(adaptive),
                          std::tuple(group(kh, kw), group(sh, sw), group(ph, pw), group(dh, dw)));
  }
};
struct AvgPoolParams : PoolParams {
  bool count_include_pad;
  int64_t divisor;  ///< 0: the number of elements in the window
  auto fields() const { return std::tuple_cat(PoolParams::fields(), std::tie(count_include_pad, divisor)); }
};

/// `max_pool(Tensor x)` gives the maxima and where each was found: an int64 position in its plane.
extern Op max_pool_op;
/// `max_pool_values(Tensor x)` gives the maxima alone, for calls that record nothing.
extern Op max_pool_values_op;
/// `max_pool_scatter(Tensor g, Tensor indices)` adds each element of g `(..., oh, ow)` to its position in `(..., ih,
/// iw)`.
extern Op max_pool_scatter_op;
/// `max_pool_gather(Tensor x, Tensor indices)` reads `(..., oh, ow)` from the positions in x `(..., ih, iw)`.
extern Op max_pool_gather_op;
/// `avg_pool(Tensor x)`, and its transpose from `(..., oh, ow)` to `(..., ih, iw)`.
extern Op avg_pool_op, avg_pool_backward_op;

}  // namespace strata
