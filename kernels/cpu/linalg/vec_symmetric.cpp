// Products with symmetric matrices and plane rotations, for each instruction set.
#include "kernels/cpu/linalg/vec_symmetric.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/linalg/vec_symmetric.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::linalg::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// Rows i to i + R of A, each element used on its own side of the diagonal and on the other.
template <int R, class T>
HWY_INLINE void multiply_rows(const T* a, int64_t step, const T* x, T* y, int64_t i, int64_t n) {
  const hn::ScalableTag<T> d;
  const T* const rows = a + i * step;
  Vec<T> sum[R];
  unrolled<R>([&](auto r) __attribute__((always_inline)) { sum[r] = hn::Zero(d); });
  for (int64_t j = i + R; j < n; j += lanes<T>()) {
    const auto of_x = load_row(x + j, 1, n - j);
    auto of_y = load_row(static_cast<const T*>(y + j), 1, n - j);
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      const auto of_a = load_row(rows + r * step + j, 1, n - j);
      sum[r] = hn::MulAdd(of_a, of_x, sum[r]);
      of_y = hn::MulAdd(of_a, hn::Set(d, x[i + r]), of_y);
    });
    store_row(of_y, y + j, n - j);
  }
  unrolled<R>([&](auto r) __attribute__((always_inline)) {
    T total = hn::GetLane(hn::SumOfLanes(d, sum[r]));
    for (int q = 0; q < R; ++q) total += (q < r ? rows[q * step + i + r] : rows[r * step + i + q]) * x[i + q];
    y[i + r] += total;
  });
}

template <class T>
void multiply(const T* a, int64_t step, const T* x, T* y, int64_t n) {
  constexpr int kRows = 4;
  std::fill(y, y + n, T(0));
  int64_t i = 0;
  for (; i + kRows <= n; i += kRows) multiply_rows<kRows>(a, step, x, y, i, n);
  for (; i < n; ++i) multiply_rows<1>(a, step, x, y, i, n);
}

template <int V, class T>
HWY_INLINE void rotate_strip(T* z, int64_t step, int64_t first, int64_t last, const T* c, const T* s, int64_t count) {
  const hn::ScalableTag<T> d;
  const auto count_of = [&](auto v) { return v == V - 1 ? count : lanes<T>(); };
  Vec<T> below[V];
  unrolled<V>([&](auto v) __attribute__((always_inline)) {
    below[v] = load_row(static_cast<const T*>(z + last * step + v * lanes<T>()), 1, count_of(v));
  });
  for (int64_t i = last - 1; i >= first; --i) {
    T* const row = z + i * step;
    const auto cosine = hn::Set(d, c[i]), sine = hn::Set(d, s[i]);
    unrolled<V>([&](auto v) __attribute__((always_inline)) {
      const auto above = load_row(static_cast<const T*>(row + v * lanes<T>()), 1, count_of(v));
      store_row(hn::MulAdd(sine, above, hn::Mul(cosine, below[v])), row + step + v * lanes<T>(), count_of(v));
      below[v] = hn::NegMulAdd(sine, below[v], hn::Mul(cosine, above));
    });
  }
  unrolled<V>([&](auto v) __attribute__((always_inline)) {
    store_row(below[v], z + first * step + v * lanes<T>(), count_of(v));
  });
}

template <class T>
void rotate_rows(T* z, int64_t step, int64_t first, int64_t last, const T* c, const T* s, int64_t cols) {
  constexpr int kStrip = 4;
  int64_t j = 0;
  for (; j + kStrip * lanes<T>() <= cols; j += kStrip * lanes<T>())
    rotate_strip<kStrip>(z + j, step, first, last, c, s, lanes<T>());
  for (; j + lanes<T>() < cols; j += 2 * lanes<T>())
    rotate_strip<2>(z + j, step, first, last, c, s, cols - j - lanes<T>());
  if (j < cols) rotate_strip<1>(z + j, step, first, last, c, s, cols - j);
}

template <class T>
const VecSymmetric<T>* table() {
  static constexpr VecSymmetric<T> functions{.multiply = multiply<T>, .rotate_rows = rotate_rows<T>};
  return &functions;
}
const VecSymmetric<float>* symmetric_f32() { return table<float>(); }
const VecSymmetric<double>* symmetric_f64() { return table<double>(); }

}  // namespace strata::cpu::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::linalg {
HWY_EXPORT(symmetric_f32);
HWY_EXPORT(symmetric_f64);

template <>
const VecSymmetric<float>& vec_symmetric<float>() {
  static const VecSymmetric<float>* functions = HWY_DYNAMIC_DISPATCH(symmetric_f32)();
  return *functions;
}
template <>
const VecSymmetric<double>& vec_symmetric<double>() {
  static const VecSymmetric<double>* functions = HWY_DYNAMIC_DISPATCH(symmetric_f64)();
  return *functions;
}
}  // namespace strata::cpu::linalg
#endif
