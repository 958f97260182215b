// Element-wise inner loops as plain templates: integers, bool, and functions that have no vector form.
#pragma once
#include <algorithm>

#include "kernels/arithmetic.h"
#include "kernels/cpu/common/elementwise.h"

namespace strata::cpu {

/// out[i] = F::run(x[i]).
template <class F, class R, class T>
void plain_loop1(const LoopArgs& a) {
  R* out = static_cast<R*>(a.out);
  const T* x = static_cast<const T*>(a.in[0]);
  if (a.step[0] == 0) {
    std::fill_n(out, a.n, static_cast<R>(F::run(*x)));
    return;
  }
  for (int64_t i = 0; i < a.n; ++i) out[i] = static_cast<R>(F::run(x[i]));
}

/// out[i] = F::run(x[i], y[i]).
template <class F, class R, class T>
void plain_loop2(const LoopArgs& a) {
  R* out = static_cast<R*>(a.out);
  const T* x = static_cast<const T*>(a.in[0]);
  const T* y = static_cast<const T*>(a.in[1]);
  if (a.step[0] && a.step[1]) {
    for (int64_t i = 0; i < a.n; ++i) out[i] = static_cast<R>(F::run(x[i], y[i]));
  } else if (a.step[0]) {
    const T v = *y;
    for (int64_t i = 0; i < a.n; ++i) out[i] = static_cast<R>(F::run(x[i], v));
  } else if (a.step[1]) {
    const T v = *x;
    for (int64_t i = 0; i < a.n; ++i) out[i] = static_cast<R>(F::run(v, y[i]));
  } else {
    std::fill_n(out, a.n, static_cast<R>(F::run(*x, *y)));
  }
}

template <class F, int kInputs, class T>
constexpr Loop plain_loop() {
  if constexpr (kInputs == 1)
    return &plain_loop1<F, arithmetic::Result<F, T>, T>;
  else
    return &plain_loop2<F, arithmetic::Result<F, T>, T>;
}

/// Adds the loops of the integer types.
template <class F, int kInputs>
void add_integer_loops(DTypeLoops& t) {
  t[kByte] = plain_loop<F, kInputs, uint8_t>();
  t[kChar] = plain_loop<F, kInputs, int8_t>();
  t[kShort] = plain_loop<F, kInputs, int16_t>();
  t[kInt] = plain_loop<F, kInputs, int32_t>();
  t[kUInt32] = plain_loop<F, kInputs, uint32_t>();
  t[kLong] = plain_loop<F, kInputs, int64_t>();
}
template <class F, int kInputs>
void add_bool_loop(DTypeLoops& t) {
  t[kBool] = plain_loop<F, kInputs, bool>();
}
/// Adds the loops of the complex types.
template <class F, int kInputs>
void add_complex_loops(DTypeLoops& t) {
  t[kComplexFloat] = plain_loop<F, kInputs, Complex<float>>();
  t[kComplexDouble] = plain_loop<F, kInputs, Complex<double>>();
}
/// Loops over float and double by a function of one value at a time.
template <class F, int kInputs>
constexpr FloatLoops plain_float_loops() {
  return {plain_loop<F, kInputs, float>(), plain_loop<F, kInputs, double>()};
}

}  // namespace strata::cpu
