// What the kernels that factor matrices share: a batch of matrices one by one, copies between layouts, triangular
// solves.
#pragma once
#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "core/tensor.h"
#include "kernels/cpu/common/one_thread.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/linalg/complex_parts.h"
#include "kernels/cpu/linalg/lapack.h"
#include "kernels/cpu/linalg/vec_factor.h"
#include "kernels/cpu/matmul/scratch.h"

namespace strata::cpu::linalg {

using matmul::Matrix;
using matmul::Scratch;

/// The pieces of `last` dims of a tensor with any strides, counted over the leading dims.
template <class T>
class Stack {
 public:
  Stack(const Tensor& t, size_t last) : t_(t), data_(t.data_ptr<T>()), lead_(t.sizes().size() - last) {}
  int64_t count() const { return numel_of(t_.sizes().slice(0, lead_)); }
  T* at(int64_t index) const {
    int64_t offset = 0;
    for (size_t d = lead_; d-- > 0; index /= t_.sizes()[d]) offset += index % t_.sizes()[d] * t_.strides()[d];
    return data_ + offset;
  }
  int64_t size(size_t d) const { return t_.sizes()[lead_ + d]; }
  int64_t stride(size_t d) const { return t_.strides()[lead_ + d]; }
  /// The matrix at `index`, where last is 2.
  Matrix<T> matrix(int64_t index) const { return {at(index), stride(0), stride(1)}; }

 private:
  const Tensor& t_;
  T* data_;
  size_t lead_;
};

/// Calls f.template operator()<T>() with the types that matrices are factored in: float and double, real and complex.
template <class F>
void visit_factored(DType dtype, F&& f) {
  switch (dtype) {
    case kFloat:
      return f.template operator()<float>();
    case kDouble:
      return f.template operator()<double>();
    case kComplexFloat:
      return f.template operator()<Complex<float>>();
    default:
      return f.template operator()<Complex<double>>();
  }
}

template <class T>
bool is_nan(T x) {
  if constexpr (kIsComplex<T>)
    return std::isnan(x.real()) || std::isnan(x.imag());
  else
    return std::isnan(x);
}
template <class T>
RealOf<T> magnitude(T x) {
  if constexpr (kIsComplex<T>)
    return std::hypot(x.real(), x.imag());
  else
    return std::abs(x);
}

template <class T>
bool all_finite(Matrix<T> a, int64_t rows, int64_t cols) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      if (!std::isfinite(magnitude(a.data[i * a.row + j * a.col]))) return false;
  return true;
}

/// A length as the integer type that LAPACK takes; throws where it does not fit.
inline blasint to_blas(int64_t n) {
  STRATA_CHECK(n <= INT_MAX, "linalg: a matrix with a side or work space of {} is too big for LAPACK", n);
  return static_cast<blasint>(n);
}
/// The length of the work space that a routine asked for by a number of type T, which may have been rounded down.
template <class T>
blasint work_size(T wanted) {
  const RealOf<T> padded = real_part(wanted) * (1 + std::numeric_limits<RealOf<T>>::epsilon());
  return std::max<blasint>(1, to_blas(static_cast<int64_t>(padded)));
}

/// What a routine answers, which is negative where it takes an argument for wrong: a work space that overflowed its
/// int.
inline blasint accepted(blasint info) {
  STRATA_CHECK(info >= 0, "linalg: the matrices are too big for LAPACK (its argument {})", -info);
  return info;
}

template <class T>
Matrix<T> transposed(Matrix<T> m) {
  return {m.data, m.col, m.row};
}

template <class T>
Matrix<const T> read_only(Matrix<T> x) {
  return {x.data, x.row, x.col};
}

/// to[i * to_step + j] = from[i + j * from_step] for i < rows and j < cols, in squares that stay in the caches.
template <class T>
void copy_transposed(T* to, int64_t to_step, const T* from, int64_t from_step, int64_t rows, int64_t cols) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr int64_t kSide = 64;
  const auto transpose = vec_move<Bits>().transpose;
  for (int64_t i = 0; i < rows; i += kSide)
    for (int64_t j = 0; j < cols; j += kSide)
      transpose(reinterpret_cast<Bits*>(to + i * to_step + j), to_step,
                reinterpret_cast<const Bits*>(from + i + j * from_step), from_step, std::min(kSide, rows - i),
                std::min(kSide, cols - j));
}

template <class T>
void copy_elements(Matrix<T> to, Matrix<T> from, int64_t rows, int64_t cols) {
  constexpr int64_t kBlock = 16;
  if (to.col == 1 && from.col == 1) {
    for (int64_t i = 0; i < rows; ++i) std::copy_n(from.data + i * from.row, cols, to.data + i * to.row);
    return;
  }
  if constexpr (!kIsComplex<T>) {
    if (to.col == 1 && from.row == 1) return copy_transposed(to.data, to.row, from.data, from.col, rows, cols);
    if (to.row == 1 && from.col == 1) return copy_transposed(to.data, to.col, from.data, from.row, cols, rows);
  }
  // In blocks, so that a transposed source is read a cache line at a time.
  for (int64_t j0 = 0; j0 < cols; j0 += kBlock) {
    const int64_t end = std::min(cols, j0 + kBlock);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = j0; j < end; ++j) to.data[i * to.row + j * to.col] = from.data[i * from.row + j * from.col];
  }
}

template <class T>
void fill_elements(Matrix<T> m, int64_t rows, int64_t cols, T value) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) m.data[i * m.row + j * m.col] = value;
}

/// Calls f(begin, end) on ranges of `count` matrices that take about `work` operations each, with the libraries held to
/// one thread: every matrix is worked on by one, so that results do not depend on their number.
template <class F>
void for_matrices(int64_t count, double work, F&& f) {
  constexpr double kGrainWork = 1 << 16;
  const int64_t grain = std::max<int64_t>(1, static_cast<int64_t>(kGrainWork / std::max(work, 1.0)));
  parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
    const OneThread guard;
    f(begin, end);
  });
}

/// A triangular matrix as BLAS reads it: row-major, or transposed if it is stored by columns.
template <class T>
struct Triangle {
  const T* data;
  blasint ld;
  bool upper, unit, is_transposed;
};

/// Of `m` (n, n) as it lies in memory, or of a copy in `scratch` where BLAS cannot read it.
template <class T>
Triangle<T> triangle(Matrix<T> m, int64_t n, bool upper, bool unit, Scratch<T>& scratch) {
  const auto usable = [n](int64_t ld) { return ld >= std::max<int64_t>(1, n) && ld <= INT_MAX; };
  if (m.col == 1 && usable(m.row)) return {m.data, to_blas(m.row), upper, unit, false};
  if (m.row == 1 && usable(m.col)) return {m.data, to_blas(m.col), !upper, unit, true};
  const Matrix<T> copy = scratch.make(n, n);
  copy_elements(copy, m, n, n);
  return {copy.data, to_blas(std::max<int64_t>(1, n)), upper, unit, false};
}

/// x (rows, cols), row-major with `ld` between rows, becomes t^-1 x (left) or x t^-1, or the same with t's adjoint: by
/// BLAS.
template <class T>
void solve_with_blas(const Triangle<T>& t, bool left, bool adjoint, T* x, int64_t rows, int64_t cols, int64_t ld) {
  const auto uplo = t.upper ? CblasUpper : CblasLower;
  const auto diag = t.unit ? CblasUnit : CblasNonUnit;
  const auto op = [adjoint](bool flipped) {
    if (kIsComplex<T> && adjoint) return flipped ? CblasConjTrans : CblasConjNoTrans;
    return flipped ? CblasTrans : CblasNoTrans;
  };
  const bool flip = adjoint != t.is_transposed;
  if (left && cols == 1)
    Lapack<T>::trsv(CblasRowMajor, uplo, op(flip), diag, to_blas(rows), t.data, t.ld, x, to_blas(ld));
  else if (!left && rows == 1)
    Lapack<T>::trsv(CblasRowMajor, uplo, op(!flip), diag, to_blas(cols), t.data, t.ld, x, 1);
  else
    Lapack<T>::trsm(CblasRowMajor, left ? CblasLeft : CblasRight, uplo, op(flip), diag, to_blas(rows), to_blas(cols),
                    Lapack<T>::one, t.data, t.ld, x, to_blas(ld));
}

/// The largest triangle that is solved with in one piece, by SIMD code.
constexpr int64_t kSolveBlock = 64;

/// solve_with_blas for real triangles of a side up to kSolveBlock. The columns of x, or its rows where t stands on the
/// right, are solved apart from each other, so that they may be cut over the threads anyhow.
template <class T>
void solve_block(const Triangle<T>& t, bool left, bool adjoint, T* x, int64_t rows, int64_t cols, int64_t ld) {
  constexpr int64_t kStrip = 64, kGrainWork = 1 << 18;
  const int64_t n = left ? rows : cols, lines = left ? cols : rows, strips = (lines + kStrip - 1) / kStrip;
  // From the right, x t^-1 is the transpose of t^-T x^T.
  const bool flip = (adjoint != t.is_transposed) == left;
  Matrix<const T> lower{t.data, flip ? 1 : t.ld, flip ? t.ld : 1};
  const bool backwards = t.upper != flip;
  if (backwards) lower = {t.data + (n - 1) * (t.ld + int64_t{1}), -lower.row, -lower.col};
  T inverses[kSolveBlock];
  for (int64_t i = 0; i < n; ++i) inverses[i] = t.unit ? T(1) : T(1) / lower.data[i * (lower.row + lower.col)];
  const auto solve = [&](Matrix<T> lines_of_x, int64_t count) {
    if (backwards) lines_of_x = {lines_of_x.data + (n - 1) * lines_of_x.row, -lines_of_x.row, 1};
    vec_factor<T>().solve_lower(lower, inverses, lines_of_x, n, count);
  };
  parallel_for(0, strips, std::max<int64_t>(1, kGrainWork / (n * n * kStrip)), [&](int64_t begin, int64_t end) {
    if (left) return solve({x + begin * kStrip, ld, 1}, std::min(end * kStrip, lines) - begin * kStrip);
    Scratch<T> scratch;
    const Matrix<T> aside = scratch.make(n, kStrip);
    for (int64_t i = begin * kStrip; i < std::min(end * kStrip, lines); i += kStrip) {
      const int64_t count = std::min(kStrip, lines - i);
      const Matrix<T> strip{x + i * ld, ld, 1};
      copy_elements(transposed(aside), strip, count, n);
      solve(aside, count);
      copy_elements(strip, transposed(aside), count, n);
    }
  });
}

/// What solve_with_blas computes, faster for real triangles: OpenBLAS solves at a third of the speed of a product. A
/// large triangle is seen as two triangular halves on the diagonal and a rectangle between them. One half gives its
/// part of the result, which is multiplied with the rectangle and subtracted from the rest of x; the other half gives
/// the rest.
template <class T>
void solve_with(const Triangle<T>& t, bool left, bool adjoint, T* x, int64_t rows, int64_t cols, int64_t ld) {
  constexpr int64_t kFewest = 16;
  if (rows == 0 || cols == 0) return;
  const int64_t n = left ? rows : cols;
  if constexpr (!kIsComplex<T>)
    if (n <= kSolveBlock) return solve_block(t, left, adjoint, x, rows, cols, ld);
  if (kIsComplex<T> || (left ? cols : rows) < kFewest) return solve_with_blas(t, left, adjoint, x, rows, cols, ld);
  const int64_t head = (n / 2 + kSolveBlock - 1) / kSolveBlock * kSolveBlock, tail = n - head;
  const bool flip = adjoint != t.is_transposed, is_lower = t.upper == flip;
  const bool head_first = left == is_lower;
  T* const beyond = x + head * (left ? ld : 1);
  const auto solve_half = [&](bool is_head) {
    Triangle<T> half = t;
    if (!is_head) half.data += head * (t.ld + int64_t{1});
    const int64_t size = is_head ? head : tail;
    solve_with(half, left, adjoint, is_head ? x : beyond, left ? size : rows, left ? cols : size, ld);
  };
  solve_half(head_first);
  // The part of the triangle that is neither half, as it is multiplied with.
  const Matrix<const T> rest{t.data + head * (t.upper ? 1 : t.ld), flip ? 1 : t.ld, flip ? t.ld : 1};
  T* const first = head_first ? x : beyond;
  T* const second = head_first ? beyond : x;
  const int64_t done = head_first ? head : tail, open = n - done;
  const Matrix<const T> known{first, ld, 1}, init{second, ld, 1};
  matmul::gemm<T>({.m = left ? open : rows,
                   .n = left ? cols : open,
                   .k = done,
                   .a = left ? rest : known,
                   .b = left ? known : rest,
                   .init = init,
                   .out = {second, ld, 1},
                   .alpha = -1});
  solve_half(!head_first);
}

}  // namespace strata::cpu::linalg
