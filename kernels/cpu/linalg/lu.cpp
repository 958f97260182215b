// LU factors: halves of the columns one after the other, so that almost all work is products.
#include "kernels/cpu/linalg/lu.h"

namespace strata::cpu::linalg {
namespace {

constexpr int64_t kLuPanel = 32;  // columns that are factored in the caches, by SIMD code

/// Pivots are looked for down columns, so that a panel is factored stored by columns.
template <class T>
int32_t factor_panel(Matrix<T> a, int64_t m, int64_t n, int32_t* pivots) {
  constexpr int64_t kLine = 64 / sizeof(T);
  Scratch<T> scratch;
  const Matrix<T> columns = scratch.make(n, (m + kLine - 1) / kLine * kLine);
  copy_elements(columns, transposed(a), n, m);
  const int32_t zero = vec_factor<T>().factor_panel(columns.data, columns.row, m, n, pivots);
  copy_elements(a, transposed(columns), m, n);
  return zero;
}

template <class T>
void exchange_rows(Matrix<T> a, int64_t n, const int32_t* pivots, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    T* const row = a.data + i * a.row;
    if (const int64_t other = pivots[i] - 1; other != i) std::swap_ranges(row, row + n, a.data + other * a.row);
  }
}

/// rest (m, n) -= left (m, k) corner (k, n).
template <class T>
void subtract_product(Matrix<T> left, Matrix<T> corner, Matrix<T> rest, int64_t m, int64_t n, int64_t k) {
  matmul::gemm<T>({.m = m,
                   .n = n,
                   .k = k,
                   .a = read_only(left),
                   .b = read_only(corner),
                   .init = read_only(rest),
                   .out = rest,
                   .alpha = -1});
}

}  // namespace

template <class T>
int32_t lu_in_place(Matrix<T> a, int64_t m, int64_t n, int32_t* pivots) {
  if (m == 0 || n == 0) return 0;
  if (n <= kLuPanel) return factor_panel(a, m, n, pivots);
  const int64_t head = std::min(m, (n / 2 + kLuPanel - 1) / kLuPanel * kLuPanel), right = n - head, below = m - head;
  const Matrix<T> corner = moved(a, 0, head), left = moved(a, head, 0), rest = moved(a, head, head);
  const int32_t zero = lu_in_place(a, m, head, pivots);
  exchange_rows(corner, right, pivots, head);
  solve_with(Triangle<T>{a.data, to_blas(a.row), false, true, false}, true, false, corner.data, head, right, a.row);
  if (below == 0) return zero;
  subtract_product(left, corner, rest, below, right, head);
  const int64_t rest_pivots = std::min(below, right);
  const int32_t rest_zero = lu_in_place(rest, below, right, pivots + head);
  exchange_rows(left, head, pivots + head, rest_pivots);
  for (int64_t i = head; i < head + rest_pivots; ++i) pivots[i] += static_cast<int32_t>(head);
  return zero ? zero : rest_zero ? rest_zero + static_cast<int32_t>(head) : 0;
}

namespace {

template <class T>
int32_t eliminate_columns(Matrix<T> a, int64_t m, int64_t n) {
  int32_t zero = 0;
  for (int64_t j = 0; j < std::min(m, n); ++j) {
    const T* const top = a.data + j * a.row;
    if (zero == 0 && top[j] == T(0)) zero = static_cast<int32_t>(j + 1);
    for (int64_t i = j + 1; i < m; ++i) {
      T* const row = a.data + i * a.row;
      if (row[j] == T(0)) continue;
      row[j] = row[j] / top[j];
      for (int64_t c = j + 1; c < n; ++c) row[c] -= row[j] * top[c];
    }
  }
  return zero;
}

}  // namespace

template <class T>
int32_t lu_without_pivots(Matrix<T> a, int64_t m, int64_t n) {
  if (n <= kLuPanel || m <= kLuPanel) return eliminate_columns(a, m, n);
  const int64_t head = (std::min(m, n) / 2 + kLuPanel - 1) / kLuPanel * kLuPanel, right = n - head, below = m - head;
  const Matrix<T> corner = moved(a, 0, head), left = moved(a, head, 0), rest = moved(a, head, head);
  const int32_t zero = lu_without_pivots(a, m, head);
  solve_with(Triangle<T>{a.data, to_blas(a.row), false, true, false}, true, false, corner.data, head, right, a.row);
  subtract_product(left, corner, rest, below, right, head);
  const int32_t rest_zero = lu_without_pivots(rest, below, right);
  return zero ? zero : rest_zero ? rest_zero + static_cast<int32_t>(head) : 0;
}

template int32_t lu_without_pivots(Matrix<float>, int64_t, int64_t);
template int32_t lu_without_pivots(Matrix<double>, int64_t, int64_t);
template int32_t lu_without_pivots(Matrix<Complex<float>>, int64_t, int64_t);
template int32_t lu_without_pivots(Matrix<Complex<double>>, int64_t, int64_t);
template int32_t lu_in_place(Matrix<float>, int64_t, int64_t, int32_t*);
template int32_t lu_in_place(Matrix<double>, int64_t, int64_t, int32_t*);

}  // namespace strata::cpu::linalg
