// Which old positions a resampled one takes and with which weights, and the other way round: the CPU's and the GPU's.
#pragma once
#include <cmath>

#include "kernels/host_device.h"
#include "ops/resample_def.h"

namespace strata {

/// The positions of one resampled dim.
struct ResampleTaps {
  ResampledDim dim;
  Resampling mode;

  /// f(j, weight) for every old position j that the new position i takes, in order.
  template <class F>
  STRATA_HD void for_sources(int64_t i, F f) const {
    if (mode == Resampling::Reflect || mode == Resampling::Circular) return f(around(i), 1.0);
    const double at = place(i);
    const int64_t first = first_source(i), taps = tap_count();
    for (int64_t t = 0; t < taps; ++t) f(inside(first + t), weight(at - static_cast<double>(first), t));
  }
  /// f(i, weight) for every new position i that takes the old position j, in order.
  template <class F>
  STRATA_HD void for_users(int64_t j, F f) const {
    if (mode == Resampling::Reflect) return for_mirrored(j, f);
    if (mode == Resampling::Circular) return for_turns(j, f);
    const int64_t end = j == dim.in - 1 ? dim.out : first_above(j);
    for (int64_t i = j == 0 ? 0 : first_above(j - tap_count()); i < end; ++i)
      for_sources(i, [&](int64_t source, double w) {
        if (source == j) f(i, w);
      });
  }

 private:
  STRATA_HD int64_t tap_count() const { return mode == Resampling::Nearest ? 1 : mode == Resampling::Linear ? 2 : 4; }
  STRATA_HD double place(int64_t i) const {
    const double at = (static_cast<double>(i) + dim.shift) * dim.scale - dim.back;
    return mode == Resampling::Linear && at < 0 ? 0 : at;
  }
  /// Grows with i; may lie outside of the dim.
  STRATA_HD int64_t first_source(int64_t i) const {
    return static_cast<int64_t>(std::floor(place(i))) - (mode == Resampling::Cubic ? 1 : 0);
  }
  STRATA_HD int64_t inside(int64_t j) const { return j < 0 ? 0 : j < dim.in ? j : dim.in - 1; }

  /// The weight of tap t for what lies `distance` behind the first tap.
  STRATA_HD double weight(double distance, int64_t t) const {
    if (mode == Resampling::Nearest) return 1;
    if (mode == Resampling::Linear) return t == 0 ? 1 - distance : distance;
    constexpr double a = -0.75;
    const double d = std::abs(distance - static_cast<double>(t));
    return d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  }

  /// The first new position whose first source lies above j.
  STRATA_HD int64_t first_above(int64_t j) const {
    int64_t low = 0, high = dim.out;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      first_source(middle) > j ? high = middle : low = middle + 1;
    }
    return low;
  }

  /// New positions in front of the old ones (negative: cut off), and the first old one and the number of those that
  /// are left of a circle.
  STRATA_HD int64_t before() const { return -static_cast<int64_t>(dim.shift); }
  STRATA_HD int64_t circle_begin() const { return before() < 0 ? -before() : 0; }
  STRATA_HD int64_t circle_size() const {
    const int64_t behind = dim.out - dim.in - before();
    return dim.in - circle_begin() + (behind < 0 ? behind : 0);
  }

  /// The old position that mirrors or circles bring to i.
  STRATA_HD int64_t around(int64_t i) const {
    const int64_t at = i - before();
    if (mode == Resampling::Reflect) return at < 0 ? -at : at >= dim.in ? 2 * (dim.in - 1) - at : at;
    const int64_t n = circle_size();
    return circle_begin() + ((at - circle_begin()) % n + n) % n;
  }
  template <class F>
  STRATA_HD void for_mirrored(int64_t j, F f) const {
    const int64_t last = dim.in - 1, images[] = {before() - j, before() + j, before() + 2 * last - j};
    for (int k = 0; k < 3; ++k) {
      const bool is_image = k == 1 || (k == 0 ? j > 0 : j < last);
      if (is_image && images[k] >= 0 && images[k] < dim.out) f(images[k], 1.0);
    }
  }
  template <class F>
  STRATA_HD void for_turns(int64_t j, F f) const {
    const int64_t n = circle_size(), begin = circle_begin();
    if (j < begin || j >= begin + n) return;
    for (int64_t i = (before() + j) % n; i < dim.out; i += n) f(i, 1.0);
  }
};

/// Calls f(position, weight) for what a position takes in a call of the op, transposed or not.
template <class F>
STRATA_HD void for_taps(const ResampleTaps& taps, bool transposed, int64_t at, F f) {
  transposed ? taps.for_users(at, f) : taps.for_sources(at, f);
}

}  // namespace strata
