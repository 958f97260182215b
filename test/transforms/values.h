// Small tensors that functions are transformed at, and a result as a number.
#pragma once
#include <strata/strata.h>

namespace strata {

inline double number(const Tensor& t) { return t.item<double>(); }
inline Tensor scalar(double v) { return scalar_tensor(v, kDouble); }
inline Tensor ramp(int64_t n) { return arange(n, kFloat); }

}  // namespace strata
