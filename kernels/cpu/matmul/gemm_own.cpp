// Products of one tile by SIMD code of our own: both operands are packed into panels that stay in the caches, and tiles
// of sums are held in registers.
#include <algorithm>

#include "kernels/cpu/matmul/gemm_library.h"
#include "kernels/cpu/matmul/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/matmul/gemm_own.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::matmul::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

// A panel of b of so many elements along k stays in the L1 cache, the panels of so many rows of a in the L2 cache.
constexpr int64_t kDepth = 256, kMostRows = 240;
// Rows x vectors of sums, the vectors of b and one number of a fit a file of 16 registers.
constexpr int kRows = 6, kVectors = 2;
constexpr int64_t kFewest = 4;  // rows and columns that are worth packing

template <class T>
constexpr int64_t kCols = kVectors* lanes<T>();

/// Lanes (rows of a, columns of b) of k elements side by side, `width` at a time; the last panel is filled up with
/// zeros.
template <class T>
void pack(T* to, Matrix<const T> from, int64_t count, int64_t width, int64_t k) {
  for (int64_t lane = 0; lane < count; lane += width, to += width * k) {
    const int64_t inside = std::min(width, count - lane);
    for (int64_t q = 0; q < k; ++q) {
      const T* const in = from.data + lane * from.row + q * from.col;
      T* const out = to + q * width;
      if (from.row == 1) {
        std::copy_n(in, inside, out);
      } else {
        for (int64_t j = 0; j < inside; ++j) out[j] = in[j * from.row];
      }
      std::fill(out + inside, out + width, T(0));
    }
  }
}

/// sums(kRows, kCols) = a b from one panel of each.
template <class T>
HWY_INLINE void multiply(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, int64_t k, T* HWY_RESTRICT sums) {
  const hn::ScalableTag<T> d;
  Vec<T> acc[kRows][kVectors];
  unrolled<kRows * kVectors>([&](auto i)
                                 __attribute__((always_inline)) { acc[i / kVectors][i % kVectors] = hn::Zero(d); });
  for (int64_t q = 0; q < k; ++q, a += kRows, b += kCols<T>) {
    Vec<T> cols[kVectors];
    unrolled<kVectors>([&](auto v) __attribute__((always_inline)) { cols[v] = hn::LoadU(d, b + v * lanes<T>()); });
    unrolled<kRows>([&](auto r) __attribute__((always_inline)) {
      const auto x = hn::Set(d, a[r]);
      unrolled<kVectors>([&](auto v) __attribute__((always_inline)) { acc[r][v] = hn::MulAdd(x, cols[v], acc[r][v]); });
    });
  }
  unrolled<kRows * kVectors>([&](auto i) __attribute__((always_inline)) {
    hn::StoreU(acc[i / kVectors][i % kVectors], d, sums + i * lanes<T>());
  });
}

/// Row i of out, from column j on: alpha * sums + beta * start; a null start counts as zeros.
template <class T>
HWY_INLINE void finish_row(const T* sums, const Gemm<T>& p, Matrix<const T> start, T beta, int64_t i, int64_t j,
                           int64_t count) {
  T* const out = p.out.data + i * p.out.row + j;
  const T* const from = moved(start, i, j).data;
  if (!from) {
    for (int64_t c = 0; c < count; ++c) out[c] = p.alpha * sums[c];
  } else if (start.col == 1) {
    for (int64_t c = 0; c < count; ++c) out[c] = p.alpha * sums[c] + beta * from[c];
  } else {
    for (int64_t c = 0; c < count; ++c) out[c] = p.alpha * sums[c] + beta * from[c * start.col];
  }
}

template <class T>
void by_panels(const Gemm<T>& p) {
  const int64_t height = std::min(kMostRows, (p.m + kRows - 1) / kRows * kRows), depth = std::min(kDepth, p.k);
  Scratch<T> memory;
  T* const a = memory.make(height + kCols<T>, depth).data;
  T* const b = a + height * depth;
  HWY_ALIGN T sums[kRows * kCols<T>];
  for (int64_t q = 0; q < p.k; q += kDepth) {
    const int64_t k = std::min(kDepth, p.k - q);
    const Matrix<const T> out{p.out.data, p.out.row, 1}, start = q == 0 ? p.init : out;
    const T beta = q == 0 ? p.beta : T(1);
    for (int64_t top = 0; top < p.m; top += height) {
      const int64_t bottom = std::min(p.m, top + height);
      pack(a, moved(p.a, top, q), bottom - top, kRows, k);
      for (int64_t j = 0; j < p.n; j += kCols<T>) {
        const int64_t cols = std::min(kCols<T>, p.n - j);
        const Matrix<const T> from = moved(p.b, q, j);
        pack(b, {from.data, from.col, from.row}, cols, kCols<T>, k);
        for (int64_t i = top; i < bottom; i += kRows) {
          multiply(a + (i - top) * k, b, k, sums);
          for (int64_t r = 0; r < std::min<int64_t>(kRows, bottom - i); ++r)
            finish_row(sums + r * kCols<T>, p, start, beta, i + r, j, cols);
        }
      }
    }
  }
}

/// The sum of products of neighbours, in four independent vectors.
template <class T>
HWY_INLINE T dot(const T* a, const T* b, int64_t k) {
  const hn::ScalableTag<T> d;
  constexpr int kSums = 4;
  Vec<T> acc[kSums];
  unrolled<kSums>([&](auto s) __attribute__((always_inline)) { acc[s] = hn::Zero(d); });
  int64_t q = 0;
  for (; q + kSums * lanes<T>() <= k; q += kSums * lanes<T>()) {
    unrolled<kSums>([&](auto s) __attribute__((always_inline)) {
      const int64_t at = q + s * lanes<T>();
      acc[s] = hn::MulAdd(hn::LoadU(d, a + at), hn::LoadU(d, b + at), acc[s]);
    });
  }
  T sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(acc[0], acc[1]), hn::Add(acc[2], acc[3]))));
  for (; q < k; ++q) sum += a[q] * b[q];
  return sum;
}

/// sums(1, n) of a(1, k), whose elements are neighbours, and b.
template <class T>
HWY_INLINE void row_by_matrix(const T* a, Matrix<const T> b, int64_t k, int64_t n, T* sums) {
  if (b.row == 1) {
    for (int64_t j = 0; j < n; ++j) sums[j] = dot(a, b.data + j * b.col, k);
    return;
  }
  std::fill_n(sums, n, T(0));
  for (int64_t q = 0; q < k; ++q) {
    const T* const row = b.data + q * b.row;
    if (b.col == 1) {
      for (int64_t j = 0; j < n; ++j) sums[j] += a[q] * row[j];
    } else {
      for (int64_t j = 0; j < n; ++j) sums[j] += a[q] * row[j * b.col];
    }
  }
}

/// Few rows: one after the other, without a copy of b.
template <class T>
void by_rows(const Gemm<T>& p) {
  constexpr int64_t kPiece = 512;
  Scratch<T> memory;
  T* const a = memory.make(1, p.k + kPiece).data;
  T* const sums = a + p.k;
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t q = 0; q < p.k; ++q) a[q] = p.a.data[i * p.a.row + q * p.a.col];
    for (int64_t j = 0; j < p.n; j += kPiece) {
      const int64_t count = std::min(kPiece, p.n - j);
      row_by_matrix(a, moved(p.b, 0, j), p.k, count, sums);
      for (int64_t c = 0; c < count; ++c) {
        const Matrix<const T> start = moved(p.init, i, j + c);
        const T sum = p.alpha * sums[c];
        *moved(p.out, i, j + c).data = start.data ? sum + p.beta * *start.data : sum;
      }
    }
  }
}

template <class T>
void own(const Gemm<T>& p) {
  const auto t = [](auto x) { return decltype(x){x.data, x.col, x.row}; };
  if (p.m < kFewest)
    by_rows(p);
  else if (p.n < kFewest)
    by_rows<T>({p.n, p.m, p.k, t(p.b), t(p.a), t(p.init), t(p.out), p.alpha, p.beta});
  else
    by_panels(p);
}

void own_float(const Gemm<float>& p) { own(p); }
void own_double(const Gemm<double>& p) { own(p); }

}  // namespace strata::cpu::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::matmul {
HWY_EXPORT(own_float);
HWY_EXPORT(own_double);

template <>
void own_product(const Gemm<float>& p) {
  HWY_DYNAMIC_DISPATCH(own_float)(p);
}
template <>
void own_product(const Gemm<double>& p) {
  HWY_DYNAMIC_DISPATCH(own_double)(p);
}

namespace {

/// The real or the imaginary parts of a matrix, which are a matrix of twice the strides.
template <class T>
Matrix<const T> part_of(Matrix<const Complex<T>> x, int64_t part) {
  return {reinterpret_cast<const T*>(x.data) + part, 2 * x.row, 2 * x.col};
}

/// By four products of real numbers.
template <class T>
void complex_product(const Gemm<Complex<T>>& p) {
  Scratch<T> memory;
  const Matrix<T> sums = memory.make(2 * p.m, p.n);
  for (int64_t part = 0; part < 2; ++part) {
    Gemm<T> real{p.m, p.n, p.k, part_of(p.a, 0), part_of(p.b, part), {}, moved(sums, part * p.m, 0)};
    own_product(real);
    real.a = part_of(p.a, 1), real.b = part_of(p.b, 1 - part);
    real.init = {real.out.data, real.out.row, 1};
    real.alpha = part == 0 ? T(-1) : T(1);
    own_product(real);
  }
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      const Complex<T> sum = p.alpha * Complex<T>(*moved(sums, i, j).data, *moved(sums, p.m + i, j).data);
      const Matrix<const Complex<T>> start = moved(p.init, i, j);
      *moved(p.out, i, j).data = start.data ? sum + p.beta * *start.data : sum;
    }
  }
}

}  // namespace

template <>
void own_product(const Gemm<Complex<float>>& p) {
  complex_product(p);
}
template <>
void own_product(const Gemm<Complex<double>>& p) {
  complex_product(p);
}

#ifdef STRATA_SLIM
template <class T>
void library_product(Gemm<T> p) {
  own_product(p);
}
template void library_product(Gemm<float>);
template void library_product(Gemm<double>);
template void library_product(Gemm<Complex<float>>);
template void library_product(Gemm<Complex<double>>);
#endif

}  // namespace strata::cpu::matmul
#endif
