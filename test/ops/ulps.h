// What the tests that measure errors in units of the last place share.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "ops/creation.h"

namespace strata::test {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <class T>
Tensor wrap(const std::vector<T>& v) {
  return tensor(v, TensorOptions(dtype_of<T>));
}

/// The distance between neighbouring T at `exact`, not below that of the subnormals.
template <class T>
long double spacing(long double exact) {
  int exponent = 0;
  std::frexp(std::abs(exact), &exponent);
  return std::ldexp(1.0L, std::max(exponent, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits);
}

}  // namespace strata::test
