// Windows of pools, in numbers of type I: the CPU's and the GPU's.
#pragma once
#include <algorithm>

#include "kernels/host_device.h"
#include "ops/pool_def.h"

namespace strata {

/// The part of one window in one dimension that lies inside the input, and its length with padding.
template <class I>
struct Window {
  I begin, end, padded;
};

/// The windows of one dimension.
template <class I>
struct WindowDim {
  I in, out, kernel, stride, pad, dilation;
  bool adaptive;

  STRATA_HD Window<I> at(I o) const {
    if (adaptive) {
      const I begin = static_cast<I>(int64_t{o} * in / out);
      const I end = static_cast<I>(((int64_t{o} + 1) * in + out - 1) / out);
      return {begin, end, end - begin};
    }
    const I begin = o * stride - pad, end = begin + (kernel - 1) * dilation + 1;
    const I inside = begin < 0 ? (-begin + dilation - 1) / dilation * dilation + begin : begin;
    return {inside, end < in ? end : in, (end < in + pad ? end : in + pad) - begin};
  }
  /// Between one tap of a window and the next.
  STRATA_HD I step() const { return adaptive ? 1 : dilation; }
  /// The first and the last window that position `i` may be in.
  STRATA_HD I first_with(I i) const {
    if (adaptive) return static_cast<I>(int64_t{i} * out / in);
    const I behind = i + pad - (kernel - 1) * dilation;
    return behind <= 0 ? 0 : (behind + stride - 1) / stride;
  }
  STRATA_HD I last_with(I i) const {
    const int64_t last = adaptive ? ((int64_t{i} + 1) * out + in - 1) / in - 1 : (i + pad) / stride;
    return last < out ? static_cast<I>(last) : out - 1;
  }
};

template <class I>
WindowDim<I> window_rows(const PoolParams& p) {
  return {static_cast<I>(p.ih),
          static_cast<I>(p.oh),
          static_cast<I>(p.kh),
          static_cast<I>(p.sh),
          static_cast<I>(p.ph),
          static_cast<I>(p.dh),
          p.adaptive};
}
template <class I>
WindowDim<I> window_cols(const PoolParams& p) {
  return {static_cast<I>(p.iw),
          static_cast<I>(p.ow),
          static_cast<I>(p.kw),
          static_cast<I>(p.sw),
          static_cast<I>(p.pw),
          static_cast<I>(p.dw),
          p.adaptive};
}

/// The index of a window whose taps, by dilation, all fall on padding: its maximum is -inf and has no gradient.
inline constexpr int64_t kNowhere = -1;

/// What the sum over a window is divided by.
template <class T, class I>
STRATA_HD T window_divisor(int64_t divisor, bool count_include_pad, const Window<I>& r, const Window<I>& c) {
  if (divisor) return static_cast<T>(divisor);
  const int64_t h = count_include_pad ? r.padded : r.end - r.begin;
  return static_cast<T>(h * (count_include_pad ? c.padded : c.end - c.begin));
}

}  // namespace strata
