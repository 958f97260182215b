// The states of a CTC target and sums of log-probabilities, on the host and on the device.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/host_device.h"

namespace strata::ctc {

/// States 0 to 2 * length: blanks at even ones, the target's classes at odd ones.
struct States {
  const int64_t* target;
  int64_t step, length, blank;

  STRATA_HD int64_t count() const { return 2 * length + 1; }
  STRATA_HD int64_t label(int64_t s) const { return s % 2 == 0 ? blank : target[s / 2 * step]; }
  /// May an alignment come to state s from s - 2, without the blank between?
  STRATA_HD bool skips(int64_t s) const { return s % 2 == 1 && s > 1 && label(s) != label(s - 2); }
};

template <class T>
STRATA_HD constexpr T minus_infinity() {
  return -std::numeric_limits<T>::infinity();
}

/// log(exp(a) + exp(b) + exp(c))
template <class T>
STRATA_HD T log_add(T a, T b, T c) {
  const T high = a > b ? (a > c ? a : c) : (b > c ? b : c);
  if (high == minus_infinity<T>()) return high;
  return std::log(std::exp(a - high) + std::exp(b - high) + std::exp(c - high)) + high;
}

}  // namespace strata::ctc
