// Bringing a matrix near 1 before it is squared.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace strata::cpu::linalg {

/// The largest of the magnitudes of x (n) and of `so_far`, which is no less than 0; inf or NaN if there is one.
/// Compares the bits, which order magnitudes, so that the compiler can do it by vectors.
template <class T>
T largest_magnitude(const T* x, int64_t n, T so_far = 0) {
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  Bits largest = std::bit_cast<Bits>(so_far);
  for (int64_t i = 0; i < n; ++i)
    largest = std::max(largest, std::bit_cast<Bits>(x[i]) & std::numeric_limits<Bits>::max());
  return std::bit_cast<T>(largest);
}

/// Multiplies x (n), whose finite largest magnitude is given, with a power of two that brings that near 1, so that no
/// number has to be feared for its square. Returns the power of two that undoes it.
template <class T>
T scale_to_one(T* x, int64_t n, T largest) {
  using Limits = std::numeric_limits<T>;
  int exponent = 0;
  std::frexp(largest, &exponent);
  exponent = std::clamp(exponent, Limits::min_exponent, Limits::max_exponent - 2);
  const T by = std::ldexp(T(1), -exponent);
  for (int64_t i = 0; i < n; ++i) x[i] *= by;
  return std::ldexp(T(1), exponent);
}

}  // namespace strata::cpu::linalg
