// Householder reflections: many at once, by the product engine, and QR factors made of them.
#pragma once
#include "kernels/cpu/linalg/factor.h"

namespace strata::cpu::linalg {

/// k reflections of vectors of length m, as LAPACK leaves them: number j is I - tau[j] u u^T, where u is zero above
/// element j, one there and column j of `below` further down. T is float or double.
template <class T>
struct Reflections {
  Matrix<const T> below;
  const T* tau;
  int64_t m, k;
};

/// c (m, n) becomes Q c, Q being the product of the reflections in their order, or Q^T c if `transpose`.
template <class T>
void apply(const Reflections<T>& q, bool transpose, Matrix<T> c, int64_t n);

/// q (m, n) becomes the first n columns of the product of the reflections.
template <class T>
void form(const Reflections<T>& reflections, Matrix<T> q, int64_t n);

/// `a` (m, n), row-major, becomes R on and above its diagonal and, below it, the reflections whose product is Q.
template <class T>
void qr_in_place(Matrix<T> a, int64_t m, int64_t n, T* tau);

}  // namespace strata::cpu::linalg
