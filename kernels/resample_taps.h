// Which old positions a resampled one takes and with which weights, and the other way round: the CPU's and the GPU's.
#pragma once
#include <cmath>

#include "kernels/host_device.h"
#include "ops/resample_def.h"

namespace strata {

/// A position of the other side, negative where there is none, and its weight.
struct Tap {
  int64_t position;
  double weight;
};

/// The positions of one resampled dim. What belongs to a position is counted and asked for one by one, so that a GPU's
/// loops over the taps of three dims have one body.
struct ResampleTaps {
  ResampledDim dim;
  Resampling mode;

  /// Taps of a position, and where those of an old one begin.
  struct Range {
    int64_t begin, count;
  };

  /// The old positions that a new one takes.
  STRATA_HD Range sources() const { return {0, is_around() ? 1 : tap_count()}; }
  STRATA_HD Tap source(int64_t i, int64_t k) const {
    if (is_around()) return {around(i), 1};
    const int64_t first = first_source(i);
    return {keeps_size() ? first : inside(first + k), weight(place(i) - static_cast<double>(first), k)};
  }

  /// The new positions that take the old position j, in order, with some that do not.
  STRATA_HD Range users(int64_t j) const {
    if (mode == Resampling::Reflect) return {0, 3};
    if (mode == Resampling::Circular) {
      const int64_t n = circle_size();
      if (j < circle_begin() || j >= circle_begin() + n) return {0, 0};
      const int64_t begin = (before() + j) % n;
      return {begin, begin < dim.out ? (dim.out - begin + n - 1) / n : 0};
    }
    const int64_t begin = j == 0 ? 0 : first_above(j - tap_count());
    const int64_t end = j == dim.in - 1 ? dim.out : first_above(j);
    return {begin, (end - begin) * tap_count()};
  }
  STRATA_HD Tap user(int64_t j, int64_t begin, int64_t k) const {
    if (mode == Resampling::Reflect) return {mirrored(j, k), 1};
    if (mode == Resampling::Circular) return {begin + k * circle_size(), 1};
    const int64_t i = begin + k / tap_count();
    const Tap tap = source(i, k % tap_count());
    return {tap.position == j ? i : -1, tap.weight};
  }

 private:
  STRATA_HD bool is_around() const { return mode == Resampling::Reflect || mode == Resampling::Circular; }
  /// Linear resampling to the size that was takes each position twice, whatever the scale, as PyTorch has it on the
  /// CPU: an infinity next to a position does not reach it by a weight of 0.
  STRATA_HD bool keeps_size() const { return mode == Resampling::Linear && dim.in == dim.out; }
  STRATA_HD int64_t tap_count() const { return mode == Resampling::Nearest ? 1 : mode == Resampling::Linear ? 2 : 4; }
  STRATA_HD double place(int64_t i) const {
    if (keeps_size()) return static_cast<double>(i);
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
  /// Where j appears for the k-th time: in front of the dim, in it, and behind; the ends are not mirrored.
  STRATA_HD int64_t mirrored(int64_t j, int64_t k) const {
    const int64_t last = dim.in - 1;
    if ((k == 0 && j == 0) || (k == 2 && j == last)) return -1;
    const int64_t i = k == 0 ? before() - j : k == 1 ? before() + j : before() + 2 * last - j;
    return i < dim.out ? i : -1;
  }
};

/// Calls f(position, weight) for what a position takes in a call of the op, transposed or not.
template <class F>
STRATA_HD void for_taps(const ResampleTaps& taps, bool transposed, int64_t at, F f) {
  const ResampleTaps::Range range = transposed ? taps.users(at) : taps.sources();
  for (int64_t k = 0; k < range.count; ++k) {
    const Tap tap = transposed ? taps.user(at, range.begin, k) : taps.source(at, k);
    if (tap.position >= 0) f(tap.position, tap.weight);
  }
}

}  // namespace strata
