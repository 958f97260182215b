// The few routines of BLAS and LAPACK that Cholesky and LU factors and triangular solves need, for builds without
// OpenBLAS (STRATA_SLIM): plain loops under the libraries' names and calling conventions.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/cpu/linalg/complex_parts.h"

#ifdef STRATA_SLIM
using blasint = int32_t;
enum CBLAS_ORDER { CblasRowMajor };
enum CBLAS_TRANSPOSE { CblasNoTrans, CblasTrans, CblasConjTrans, CblasConjNoTrans };
enum CBLAS_UPLO { CblasUpper, CblasLower };
enum CBLAS_DIAG { CblasNonUnit, CblasUnit };
enum CBLAS_SIDE { CblasLeft, CblasRight };
#endif

namespace strata::cpu::linalg::own {

/// What a pivot is chosen by, as LAPACK does: |x|, of a complex number the sum of both parts' magnitudes.
template <class T>
auto pivot_size(T x) {
  if constexpr (kIsComplex<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

/// Solves t x = b for `count` vectors of length n, in place; element i of vector v is x[i * step + v * next]. t is
/// lower triangular, or upper if not `lower`; at(i, j) is its element.
template <class T, class At>
void solve_triangle(bool lower, bool unit, int64_t n, int64_t count, T* x, int64_t step, int64_t next, At at) {
  for (int64_t place = 0; place < n; ++place) {
    const int64_t i = lower ? place : n - 1 - place;
    T* const row = x + i * step;
    for (int64_t other = 0; other < place; ++other) {
      const int64_t j = lower ? other : n - 1 - other;
      const T factor = at(i, j);
      for (int64_t v = 0; v < count; ++v) row[v * next] = row[v * next] - factor * x[j * step + v * next];
    }
    if (unit) continue;
    const T diagonal = at(i, i);
    for (int64_t v = 0; v < count; ++v) row[v * next] = row[v * next] / diagonal;
  }
}

/// BLAS's trsm with a factor of one: x (rows, cols), row-major, becomes op(t)^-1 x, or x op(t)^-1 from the right.
template <class T, class Order, class Side, class Uplo, class Op, class Diag, class One>
void trsm(Order, Side side, Uplo uplo, Op op, Diag diag, int64_t rows, int64_t cols, One, const T* t, int64_t ld, T* x,
          int64_t ldx) {
  const bool left = static_cast<int>(side) == 0, conjugates = static_cast<int>(op) >= 2;
  // From the right, the transposed problem is solved: op(t)^T x^T = b^T.
  const bool is_transposed = (static_cast<int>(op) == 1 || static_cast<int>(op) == 2) == left;
  const bool lower = (static_cast<int>(uplo) == 1) != is_transposed;
  const auto at = [=](int64_t i, int64_t j) {
    const T value = is_transposed ? t[j * ld + i] : t[i * ld + j];
    return conjugates ? conjugate(value) : value;
  };
  const bool unit = static_cast<int>(diag) == 1;
  if (left)
    solve_triangle(lower, unit, rows, cols, x, ldx, int64_t{1}, at);
  else
    solve_triangle(lower, unit, cols, rows, x, int64_t{1}, ldx, at);
}

/// BLAS's trsv: one vector, whose elements are `step` apart.
template <class T, class Order, class Uplo, class Op, class Diag>
void trsv(Order order, Uplo uplo, Op op, Diag diag, int64_t n, const T* t, int64_t ld, T* x, int64_t step) {
  trsm(order, 0, uplo, op, diag, n, int64_t{1}, T(1), t, ld, x, step);
}

/// LAPACK's potrf of a matrix stored by columns: 'U' gives U^H U, 'L' L L^H; info is the first minor, from 1, that is
/// not positive, or 0.
template <class T, class Int>
void potrf(const char* uplo, const Int* size, T* a, const Int* lda, Int* info, size_t) {
  const int64_t n = *size, ld = *lda;
  // As rows lie in memory, U^H is a lower triangle, of the transposed matrix, and L is the adjoint of one.
  const bool flip = *uplo == 'L';
  const auto get = [=](int64_t i, int64_t j) { return flip ? conjugate(a[j * ld + i]) : a[i * ld + j]; };
  const auto set = [=](int64_t i, int64_t j, T v) { (flip ? a[j * ld + i] : a[i * ld + j]) = flip ? conjugate(v) : v; };
  *info = 0;
  for (int64_t j = 0; j < n; ++j) {
    auto square = real_part(get(j, j));
    for (int64_t k = 0; k < j; ++k) square -= real_part(get(j, k) * conjugate(get(j, k)));
    if (!(square > 0)) {
      *info = static_cast<Int>(j + 1);
      return;
    }
    const auto diagonal = std::sqrt(square);
    set(j, j, T(diagonal));
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = get(i, j);
      for (int64_t k = 0; k < j; ++k) sum = sum - get(i, k) * conjugate(get(j, k));
      set(i, j, sum / T(diagonal));
    }
  }
}

/// LAPACK's getrf of a matrix (m, n) stored by columns: rows exchanged with the pivots (from 1), L below the diagonal,
/// U on and above it; info is the first zero on U's diagonal, from 1, or 0.
template <class T, class Int>
void getrf(const Int* rows, const Int* cols, T* a, const Int* lda, Int* pivots, Int* info) {
  const int64_t m = *rows, n = *cols, ld = *lda;
  *info = 0;
  for (int64_t j = 0; j < (m < n ? m : n); ++j) {
    int64_t best = j;
    for (int64_t i = j + 1; i < m; ++i)
      if (pivot_size(a[j * ld + i]) > pivot_size(a[j * ld + best])) best = i;
    pivots[j] = static_cast<Int>(best + 1);
    if (a[j * ld + best] == T(0)) {
      if (*info == 0) *info = static_cast<Int>(j + 1);
      continue;
    }
    for (int64_t c = 0; c < n && best != j; ++c) std::swap(a[c * ld + j], a[c * ld + best]);
    for (int64_t i = j + 1; i < m; ++i) a[j * ld + i] = a[j * ld + i] / a[j * ld + j];
    for (int64_t c = j + 1; c < n; ++c) {
      const T factor = a[c * ld + j];
      for (int64_t i = j + 1; i < m; ++i) a[c * ld + i] = a[c * ld + i] - a[j * ld + i] * factor;
    }
  }
}

}  // namespace strata::cpu::linalg::own

#ifdef STRATA_SLIM
namespace strata::cpu::linalg {

/// What lapack.h has of the library's routines, for the kernels that are left.
template <class T>
struct Lapack {
  static constexpr auto potrf = &own::potrf<T, blasint>;
  static constexpr auto getrf = &own::getrf<T, blasint>;
  static constexpr auto trsm = &own::trsm<T, CBLAS_ORDER, CBLAS_SIDE, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, T>;
  static constexpr auto trsv = &own::trsv<T, CBLAS_ORDER, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG>;
  static constexpr T one = T(1);
};

}  // namespace strata::cpu::linalg
#endif
