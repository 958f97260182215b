// CPU kernels of Cholesky and LU factors, of solving with them and with triangles, and of determinants.
#include "kernels/cpu/linalg/factor.h"

#include <cmath>
#include <numeric>

#include "dispatcher/kernel.h"
#include "kernels/cpu/linalg/lu.h"
#include "ops/cast_def.h"
#include "ops/factor_def.h"

namespace strata::cpu::linalg {
namespace {

double cube(int64_t n) { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n); }

template <class T>
void clear_triangle(Matrix<T> m, int64_t n, bool upper) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = upper ? i + 1 : 0; j < (upper ? n : i); ++j) m.data[i * m.row + j * m.col] = T(0);
}

/// The first NaN on the diagonal, from 1, or 0: OpenBLAS takes such a minor for positive.
template <class T>
int32_t first_nan(Matrix<T> m, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if (is_nan(m.data[i * (m.row + m.col)])) return static_cast<int32_t>(i + 1);
  return 0;
}

template <class T>
void cholesky(const Tensor& l, const Tensor& info, const Tensor& a, bool upper) {
  const Stack<T> from(a, 2), to(l, 2);
  const Stack<int32_t> codes(info, 0);
  const int64_t n = from.size(0);
  for_matrices(from.count(), cube(n) / 3, [&](int64_t begin, int64_t end) {
    Scratch<T> scratch;
    const Matrix<T> m = scratch.make(n, n);
    const blasint size = to_blas(n), ld = std::max<blasint>(1, size);
    for (int64_t i = begin; i < end; ++i) {
      copy_elements(m, from.matrix(i), n, n);
      blasint code = 0;
      // LAPACK sees columns where rows are stored: the transposed matrix, which has the other triangle.
      Lapack<T>::potrf(upper ? "L" : "U", &size, m.data, &ld, &code, 1);
      clear_triangle(m, n, !upper);
      copy_elements(to.matrix(i), m, n, n);
      *codes.at(i) = code ? code : first_nan(m, n);
    }
  });
}

/// The memory of an output matrix if a library can work in it row by row, else some beside it.
template <class T>
class Workplace {
 public:
  Workplace(Matrix<T> out, int64_t rows, int64_t cols) : out_(out), rows_(rows), cols_(cols), work_(out) {
    if (out.col != 1 || out.row < std::max<int64_t>(1, cols) || out.row > INT_MAX) work_ = scratch_.make(rows, cols);
  }
  const Matrix<T>& matrix() const { return work_; }
  void finish() const {
    if (work_.data != out_.data) copy_elements(out_, work_, rows_, cols_);
  }

 private:
  Matrix<T> out_;
  int64_t rows_, cols_;
  Matrix<T> work_;
  Scratch<T> scratch_;
};

/// By LAPACK, for complex numbers.
template <class T>
int32_t lu_by_lapack(Matrix<T> a, int64_t m, int64_t n, int32_t* pivots) {
  Scratch<T> scratch;
  Scratch<blasint> swap_scratch;
  const Matrix<T> columns = scratch.make(n, m);
  blasint* const swap = swap_scratch.make(1, std::min(m, n)).data;
  const blasint rows = to_blas(m), cols = to_blas(n), ld = std::max<blasint>(1, rows);
  copy_elements(columns, transposed(a), n, m);
  blasint code = 0;
  Lapack<T>::getrf(&rows, &cols, columns.data, &ld, swap, &code);
  copy_elements(a, transposed(columns), m, n);
  std::copy_n(swap, std::min(m, n), pivots);
  return static_cast<int32_t>(code);
}

template <class T>
void lu_factor(const Tensor& lu, const Tensor& pivots, const Tensor& info, const Tensor& a) {
  const Stack<T> from(a, 2), to(lu, 2);
  const Stack<int32_t> swaps(pivots, 1), codes(info, 0);
  const int64_t m = from.size(0), n = from.size(1), k = std::min(m, n);
  for_matrices(from.count(), cube(k), [&](int64_t begin, int64_t end) {
    Scratch<int32_t> scratch;
    int32_t* const swap = scratch.make(1, k).data;
    for (int64_t i = begin; i < end; ++i) {
      const Workplace<T> place(to.matrix(i), m, n);
      copy_elements(place.matrix(), from.matrix(i), m, n);
      if constexpr (kIsComplex<T>)
        *codes.at(i) = lu_by_lapack(place.matrix(), m, n, swap);
      else
        *codes.at(i) = lu_in_place(place.matrix(), m, n, swap);
      place.finish();
      for (int64_t j = 0; j < k; ++j) swaps.at(i)[j * swaps.stride(0)] = swap[j];
    }
  });
}

template <class T>
void lu_plain(const Tensor& lu, const Tensor& info, const Tensor& a) {
  const Stack<T> from(a, 2), to(lu, 2);
  const Stack<int32_t> codes(info, 0);
  const int64_t m = from.size(0), n = from.size(1);
  for_matrices(from.count(), cube(std::min(m, n)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Workplace<T> place(to.matrix(i), m, n);
      copy_elements(place.matrix(), from.matrix(i), m, n);
      *codes.at(i) = lu_without_pivots(place.matrix(), m, n);
      place.finish();
    }
  });
}

/// Calls f(i, j) for the swaps of rows i and j, in order or backwards.
template <class F>
void for_swaps(const int32_t* pivots, int64_t step, int64_t count, int64_t rows, bool backwards, F f) {
  for (int64_t c = 0; c < count; ++c) {
    const int64_t i = backwards ? count - 1 - c : c, j = pivots[i * step] - 1;
    STRATA_CHECK_INDEX(j >= 0 && j < rows, "linalg: pivot {} at {} is out of range for {} rows", j + 1, i, rows);
    if (i != j) f(i, j);
  }
}

void lu_permutation_cpu(Tensors& out, Args in, const PermutationParams& p) {
  const Stack<int32_t> pivots(in[0], 1);
  const Stack<int64_t> to(out[0], 1);
  const int64_t step = to.stride(0);
  STRATA_CHECK(pivots.size(0) <= p.rows, "lu_pivots_to_permutation: {} pivots for {} rows", pivots.size(0), p.rows);
  for (int64_t i = 0; i < pivots.count(); ++i) {
    int64_t* const order = to.at(i);
    for (int64_t r = 0; r < p.rows; ++r) order[r * step] = r;
    for_swaps(pivots.at(i), pivots.stride(0), pivots.size(0), p.rows, false,
              [&](int64_t a, int64_t b) { std::swap(order[a * step], order[b * step]); });
  }
}

template <class T>
void swap_rows(Matrix<T> x, int64_t i, int64_t j, int64_t length) {
  for (int64_t c = 0; c < length; ++c) std::swap(x.data[i * x.row + c * x.col], x.data[j * x.row + c * x.col]);
}

/// With A = P L U: undoes P, L and U one after the other, as seen from the side and the transposition asked for.
template <class T>
void solve_one(Matrix<T> x, int64_t rows, int64_t cols, Matrix<T> lu, const int32_t* pivots, int64_t step,
               const SolveParams& p) {
  const int64_t n = p.left ? rows : cols, other = p.left ? cols : rows;
  Scratch<T> lower_scratch, upper_scratch;
  const Triangle<T> l = triangle(lu, n, false, true, lower_scratch), u = triangle(lu, n, true, false, upper_scratch);
  const Matrix<T> swapped = p.left ? x : transposed(x);
  const bool from_p = p.left != p.adjoint;  // is P met first?
  const auto permute = [&](bool backwards) {
    for_swaps(pivots, step, n, n, backwards, [&](int64_t i, int64_t j) { swap_rows(swapped, i, j, other); });
  };
  if (from_p) permute(false);
  solve_with(from_p ? l : u, p.left, p.adjoint, x.data, rows, cols, x.row);
  solve_with(from_p ? u : l, p.left, p.adjoint, x.data, rows, cols, x.row);
  if (!from_p) permute(true);
}

template <class T>
void solve(const Tensor& x, const Tensor& b, const Tensor& lu, const Tensor& pivots, const SolveParams& p) {
  const Stack<T> from(b, 2), to(x, 2), factors(lu, 2);
  const Stack<int32_t> swaps(pivots, 1);
  const int64_t rows = from.size(0), cols = from.size(1);
  if (rows == 0 || cols == 0) return;
  const double work = 2 * static_cast<double>(rows * cols) * static_cast<double>(factors.size(0));
  for_matrices(from.count(), work, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Workplace<T> place(to.matrix(i), rows, cols);
      copy_elements(place.matrix(), from.matrix(i), rows, cols);
      solve_one(place.matrix(), rows, cols, factors.matrix(i), swaps.at(i), swaps.stride(0), p);
      place.finish();
    }
  });
}

template <class T>
void triangular_solve(const Tensor& x, const Tensor& a, const Tensor& b, const TriangularParams& p) {
  const Stack<T> from(b, 2), to(x, 2), triangles(a, 2);
  const int64_t rows = from.size(0), cols = from.size(1), n = triangles.size(0);
  if (rows == 0 || cols == 0) return;
  for_matrices(from.count(), static_cast<double>(rows * cols) * static_cast<double>(n),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   Scratch<T> scratch;
                   const Workplace<T> place(to.matrix(i), rows, cols);
                   copy_elements(place.matrix(), from.matrix(i), rows, cols);
                   const Triangle<T> t = triangle(triangles.matrix(i), n, p.upper, p.unitriangular, scratch);
                   solve_with(t, p.left, false, place.matrix().data, rows, cols, place.matrix().row);
                   place.finish();
                 }
               });
}

/// Calls f(index, diagonal of U and its step, whether an odd number of rows was swapped) for each matrix.
template <class T, class F>
void for_diagonals(const Tensor& lu, const Tensor& pivots, F f) {
  const Stack<T> factors(lu, 2);
  const Stack<int32_t> swaps(pivots, 1);
  const int64_t n = factors.size(0);
  for (int64_t i = 0; i < factors.count(); ++i) {
    bool odd = false;
    for (int64_t j = 0; j < n; ++j) odd ^= swaps.at(i)[j * swaps.stride(0)] != j + 1;
    f(i, factors.at(i), factors.stride(0) + factors.stride(1), n, odd);
  }
}

template <class T>
void det(const Tensor& out, const Tensor& lu, const Tensor& pivots) {
  const Stack<T> to(out, 0);
  for_diagonals<T>(lu, pivots, [&](int64_t i, const T* d, int64_t step, int64_t n, bool odd) {
    T product = odd ? T(-1) : T(1);
    for (int64_t j = 0; j < n; ++j) product *= d[j * step];
    *to.at(i) = product;
  });
}

/// v / |v|.
template <class T>
T direction(T v, RealOf<T> size) {
  if constexpr (kIsComplex<T>)
    return v / size;
  else
    return v > 0 ? T(1) : T(-1);
}

template <class T>
void slogdet(const Tensor& sign, const Tensor& logabsdet, const Tensor& lu, const Tensor& pivots) {
  const Stack<T> signs(sign, 0);
  const Stack<RealOf<T>> logs(logabsdet, 0);
  for_diagonals<T>(lu, pivots, [&](int64_t i, const T* d, int64_t step, int64_t n, bool odd) {
    T s = odd ? T(-1) : T(1);
    RealOf<T> sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      const T v = d[j * step];
      const RealOf<T> size = magnitude(v);
      s *= is_nan(v) ? v : size == 0 ? T(0) : direction(v, size);
      sum += std::log(size);
    }
    *signs.at(i) = s;
    *logs.at(i) = sum;
  });
}

void cholesky_cpu(Tensors& out, Args in, const CholeskyParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { cholesky<T>(out[0], out[1], in[0], p.upper); });
}
void lu_factor_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { lu_factor<T>(out[0], out[1], out[2], in[0]); });
}
void lu_plain_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { lu_plain<T>(out[0], out[1], in[0]); });
}
void solve_cpu(Tensors& out, Args in, const SolveParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { solve<T>(out[0], in[1], in[2], in[3], p); });
}
void triangular_solve_cpu(Tensors& out, Args in, const TriangularParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { triangular_solve<T>(out[0], in[0], in[1], p); });
}
void det_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { det<T>(out[0], in[1], in[2]); });
}
void slogdet_cpu(Tensors& out, Args in, const NoParams&) {
  visit_factored(in[0].dtype(), [&]<class T>() { slogdet<T>(out[0], out[1], in[1], in[2]); });
}
/// The second input: what was made of the first, which is there for its derivative.
void copy_made_cpu(Tensors& out, Args in, const NoParams& p) {
  copy_op.kernels[static_cast<int>(Key::CPU)](out, {&in[1]}, &p);
}

STRATA_KERNEL(cholesky_op, CPU, cholesky_cpu);
STRATA_KERNEL(lu_factor_op, CPU, lu_factor_cpu);
STRATA_KERNEL(lu_plain_op, CPU, lu_plain_cpu);
STRATA_KERNEL(lu_permutation_op, CPU, lu_permutation_cpu);
STRATA_KERNEL(solve_op, CPU, solve_cpu);
STRATA_KERNEL(triangular_solve_op, CPU, triangular_solve_cpu);
STRATA_KERNEL(det_op, CPU, det_cpu);
STRATA_KERNEL(slogdet_op, CPU, slogdet_cpu);
STRATA_KERNEL(inverse_op, CPU, copy_made_cpu);
STRATA_KERNEL(pinv_op, CPU, copy_made_cpu);
STRATA_KERNEL(matrix_sqrth_op, CPU, copy_made_cpu);

}  // namespace
}  // namespace strata::cpu::linalg
