// SIMD kernels for small matrix products: register tiles over columns, or dot products where both operands run along k.
#include "kernels/cpu/matmul/gemm_direct.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/matmul/gemm_direct.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::matmul::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

constexpr int64_t kMaxProducts = 32 * 32 * 32;  // above this oneDNN's own kernels win, call overhead included
constexpr int64_t kMaxPacked = 32 * 64;         // elements of b that are worth a copy onto the stack
constexpr int64_t kMaxDots = 2;                 // outputs that are worth a pass of their own over a and b
constexpr int kWideRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;  // rows x 2 vectors of accumulators fit the register file

// alpha * acc + beta * init, stored to `count` elements of row i from column j.
template <class T>
HWY_INLINE void finish(const Gemm<T>& p, Vec<T> acc, int64_t i, int64_t j, int64_t count) {
  const hn::ScalableTag<T> d;
  if (p.alpha != T(1)) acc = hn::Mul(acc, hn::Set(d, p.alpha));
  if (p.init.data) {
    const auto init = load_row(p.init.data + i * p.init.row + j * p.init.col, p.init.col, count);
    acc = p.beta == T(1) ? hn::Add(acc, init) : hn::MulAdd(hn::Set(d, p.beta), init, acc);
  }
  store_row(acc, p.out.data + i * p.out.row + j, count);
}

// R rows x V vectors of columns, the last vector possibly partial; `b` has unit column stride.
template <int R, int V, class T>
HWY_INLINE void tile(const Gemm<T>& p, int64_t i, int64_t j) {
  const hn::ScalableTag<T> d;
  const int64_t last = j + (V - 1) * lanes<T>(), count = p.n - last;
  const T* a = p.a.data + i * p.a.row;
  const T* b = p.b.data + j;
  Vec<T> acc[R][V];
  unrolled<R * V>([&](auto at) __attribute__((always_inline)) { acc[at / V][at % V] = hn::Zero(d); });
  for (int64_t q = 0; q < p.k; ++q, a += p.a.col, b += p.b.row) {
    Vec<T> row[V];
    unrolled<V - 1>([&](auto v) __attribute__((always_inline)) { row[v] = hn::LoadU(d, b + v * lanes<T>()); });
    row[V - 1] = load_row(b + (V - 1) * lanes<T>(), 1, count);
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      const auto x = hn::Set(d, a[r * p.a.row]);
      unrolled<V>([&](auto v) __attribute__((always_inline)) { acc[r][v] = hn::MulAdd(x, row[v], acc[r][v]); });
    });
  }
  unrolled<R>([&](auto r) __attribute__((always_inline)) {
    unrolled<V - 1>([&](auto v) __attribute__((always_inline)) {
      finish(p, acc[r][v], i + r, j + v * lanes<T>(), lanes<T>());
    });
    finish(p, acc[r][V - 1], i + r, last, count);
  });
}

// All rows of one strip of V vectors of columns, R rows at a time, then R / 2, ...
template <int R, int V, class T>
HWY_INLINE void strip(const Gemm<T>& p, int64_t i, int64_t j) {
  for (; i + R <= p.m; i += R) tile<R, V>(p, i, j);
  if constexpr (R > 1) strip<R / 2, V>(p, i, j);
}

template <class T>
HWY_INLINE void columns(const Gemm<T>& p) {
  int64_t j = 0;
  if (p.m == 1) {  // one row has no other row to overlap with, so take more columns at once
    for (; j + 5 * lanes<T>() < p.n; j += 6 * lanes<T>()) tile<1, 6>(p, 0, j);
  }
  for (; j + lanes<T>() < p.n; j += 2 * lanes<T>()) strip<kWideRows, 2>(p, 0, j);
  if (j < p.n) strip<8, 1>(p, 0, j);
}

// Copies b to the stack, row by row with a padded width, then runs the column kernel on it.
template <class T>
HWY_NOINLINE void packed_columns(Gemm<T> p, int64_t width) {
  HWY_ALIGN T buffer[kMaxPacked];
  for (int64_t j = 0; j < p.n; ++j) {
    const T* b = p.b.data + j * p.b.col;
    for (int64_t q = 0; q < p.k; ++q) buffer[q * width + j] = b[q * p.b.row];
  }
  for (int64_t q = 0; q < p.k; ++q) std::fill(buffer + q * width + p.n, buffer + (q + 1) * width, T(0));
  p.b = {buffer, width, 1};
  columns(p);
}

// The product of a row of a and a column of b, in four independent sums.
template <class T>
HWY_INLINE T dot(const T* a, int64_t step_a, const T* b, int64_t step_b, int64_t k) {
  const hn::ScalableTag<T> d;
  constexpr int kSums = 4;
  Vec<T> acc[kSums];
  unrolled<kSums>([&](auto s) __attribute__((always_inline)) { acc[s] = hn::Zero(d); });
  int64_t q = 0;
  for (; q + kSums * lanes<T>() <= k; q += kSums * lanes<T>()) {
    unrolled<kSums>([&](auto s) __attribute__((always_inline)) {
      const int64_t at = q + s * lanes<T>();
      acc[s] = hn::MulAdd(load_row(a + at * step_a, step_a, lanes<T>()), load_row(b + at * step_b, step_b, lanes<T>()),
                          acc[s]);
    });
  }
  for (; q < k; q += lanes<T>()) {
    // A number that repeats fills the lanes beyond the row too; infinity would make NaN of a 0 on the other side.
    const auto inside = hn::FirstN(d, static_cast<size_t>(std::min(k - q, lanes<T>())));
    const auto x = load_row(a + q * step_a, step_a, k - q), y = load_row(b + q * step_b, step_b, k - q);
    acc[0] = hn::MulAdd(hn::IfThenElseZero(inside, x), hn::IfThenElseZero(inside, y), acc[0]);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(acc[0], acc[1]), hn::Add(acc[2], acc[3]))));
}

template <class T>
HWY_NOINLINE void dots(const Gemm<T>& p) {
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      T value = p.alpha * dot(p.a.data + i * p.a.row, p.a.col, p.b.data + j * p.b.col, p.b.row, p.k);
      if (p.init.data) value += p.beta * p.init.data[i * p.init.row + j * p.init.col];
      p.out.data[i * p.out.row + j] = value;
    }
  }
}

template <class T>
HWY_INLINE bool direct(const Gemm<T>& p) {
  if (p.m * p.n <= kMaxDots) {
    dots(p);
    return true;
  }
  if (p.m * p.n > kMaxProducts || p.m * p.n * p.k > kMaxProducts) return false;
  const int64_t width = (p.n + lanes<T>() - 1) / lanes<T>() * lanes<T>();
  const bool partial_loads_safe = !HWY_MEM_OPS_MIGHT_FAULT || width == p.n;
  if (p.b.col == 1 && partial_loads_safe) {
    columns(p);
  } else if (p.a.col == 1 && p.b.row == 1 && p.m * 8 <= p.k) {
    dots(p);
  } else if (width * p.k <= kMaxPacked) {
    packed_columns(p, width);
  } else {
    return false;
  }
  return true;
}

bool direct_float(const Gemm<float>& p) { return direct(p); }
bool direct_double(const Gemm<double>& p) { return direct(p); }

}  // namespace strata::cpu::matmul::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::matmul {
HWY_EXPORT(direct_float);
HWY_EXPORT(direct_double);

bool gemm_direct(const Gemm<float>& p) { return HWY_DYNAMIC_DISPATCH(direct_float)(p); }
bool gemm_direct(const Gemm<double>& p) { return HWY_DYNAMIC_DISPATCH(direct_double)(p); }

}  // namespace strata::cpu::matmul
#endif
