// Real parts and conjugates of elements that may be real or complex.
#pragma once
#include "core/complex.h"

namespace strata::cpu::linalg {

/// The type of a complex number's real and imaginary part; of a real number its own.
template <class T>
struct RealTypeOf {
  using type = T;
};
template <class T>
struct RealTypeOf<Complex<T>> {
  using type = T;
};
template <class T>
using RealOf = typename RealTypeOf<T>::type;

template <class T>
RealOf<T> real_part(T x) {
  if constexpr (kIsComplex<T>)
    return x.real();
  else
    return x;
}
template <class T>
T conjugate(T x) {
  if constexpr (kIsComplex<T>)
    return conj(x);
  else
    return x;
}

}  // namespace strata::cpu::linalg
