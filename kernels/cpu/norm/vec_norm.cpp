// Vector loops of normalisation; the tail of a row runs the same code on partial vectors.
#include "kernels/cpu/norm/vec_norm.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/norm/vec_norm.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::norm::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// Access to a whole vector, or to the first `n` lanes of one (the others read as zero).
template <class D>
struct AllLanes {
  D d;
  using T = hn::TFromD<D>;
  HWY_INLINE auto load(const T* p) const { return hn::LoadU(d, p); }
  HWY_INLINE void store(hn::Vec<D> v, T* p) const { hn::StoreU(v, d, p); }
  HWY_INLINE auto keep(hn::Vec<D> v) const { return v; }
};
template <class D>
struct FirstLanes {
  D d;
  size_t n;
  using T = hn::TFromD<D>;
  HWY_INLINE auto load(const T* p) const { return load_n(d, p, n); }
  HWY_INLINE void store(hn::Vec<D> v, T* p) const { store_n(d, v, p, n); }
  HWY_INLINE auto keep(hn::Vec<D> v) const { return hn::IfThenElseZero(hn::FirstN(d, n), v); }
};

/// Calls f(access, i) for each vector of [0, n).
template <class D, class F>
HWY_INLINE void for_vectors(D d, int64_t n, F f) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) f(AllLanes<D>{d}, i);
  if (i < n) f(FirstLanes<D>{d, static_cast<size_t>(n - i)}, i);
}

/// Two running sums of vectors.
template <class D>
struct Pair {
  hn::Vec<D> a, b;
  HWY_INLINE Pair operator+(const Pair& o) const { return {hn::Add(a, o.a), hn::Add(b, o.b)}; }
};

/// Adds the two terms that `f(access, i)` gives: chunks of 4096 in four lanes' sets of T, chunks together in double.
template <class D, class F>
HWY_INLINE void sum_pairs(D d, int64_t n, double* out, F f) {
  constexpr int64_t kChunk = 4096;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const Pair<D> zero{hn::Zero(d), hn::Zero(d)};
  for (int64_t begin = 0; begin < n; begin += kChunk) {
    const int64_t end = std::min(n, begin + kChunk);
    Pair<D> s0 = zero, s1 = zero, s2 = zero, s3 = zero;
    int64_t i = begin;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      s0 = s0 + f(AllLanes<D>{d}, i);
      s1 = s1 + f(AllLanes<D>{d}, i + lanes);
      s2 = s2 + f(AllLanes<D>{d}, i + 2 * lanes);
      s3 = s3 + f(AllLanes<D>{d}, i + 3 * lanes);
    }
    for (; i + lanes <= end; i += lanes) s0 = s0 + f(AllLanes<D>{d}, i);
    if (i < end) s1 = s1 + f(FirstLanes<D>{d, static_cast<size_t>(end - i)}, i);
    const Pair<D> sum = (s0 + s1) + (s2 + s3);
    out[0] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum.a)));
    out[1] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum.b)));
  }
}

template <class T>
void moments(const T* x, int64_t n, T shift, double* out) {
  const hn::ScalableTag<T> d;
  const auto s = hn::Set(d, shift);
  sum_pairs(d, n, out, [&](auto access, int64_t i) HWY_ATTR {
    const auto c = access.keep(hn::Sub(access.load(x + i), s));
    return Pair<hn::ScalableTag<T>>{c, hn::Mul(c, c)};
  });
}

template <class T>
void products(const T* g, const T* w, const T* x, int64_t n, T mean, double* out) {
  const hn::ScalableTag<T> d;
  const auto m = hn::Set(d, mean);
  if (w) {
    return sum_pairs(d, n, out, [&](auto access, int64_t i) HWY_ATTR {
      const auto t = hn::Mul(access.load(g + i), access.load(w + i));
      return Pair<hn::ScalableTag<T>>{t, hn::Mul(t, hn::Sub(access.load(x + i), m))};
    });
  }
  sum_pairs(d, n, out, [&](auto access, int64_t i) HWY_ATTR {
    const auto t = access.load(g + i);
    return Pair<hn::ScalableTag<T>>{t, hn::Mul(t, hn::Sub(access.load(x + i), m))};
  });
}

/// Asks for the next row's values at i, where rows of n follow each other in memory that no cache holds: a row is read
/// once for its sums, and nothing else would ask for the next one while it is read again.
template <bool kAhead, class... T>
HWY_INLINE void prefetch_next(int64_t i, int64_t n, const T*... rows) {
  if constexpr (kAhead) (hwy::Prefetch(rows + i + n), ...);
}

template <class... T>
HWY_INLINE void ask_second_cache(const T*... values) {
  (__builtin_prefetch(values, 0, 2), ...);
}

template <bool kAhead, class T>
void apply_row(const T* x, T* y, int64_t n, T mean, T scale, const T* w, const T* b) {
  const hn::ScalableTag<T> d;
  const auto m = hn::Set(d, mean), s = hn::Set(d, scale), zero = hn::Zero(d), one = hn::Set(d, T(1));
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    prefetch_next<kAhead>(i, n, x, y);
    const auto h = hn::Mul(hn::Sub(access.load(x + i), m), s);
    const auto factor = w ? access.load(w + i) : one, shift = b ? access.load(b + i) : zero;
    access.store(hn::Add(hn::Mul(h, factor), shift), y + i);
  });
}

template <class T>
void apply(const T* x, T* y, int64_t n, T mean, T scale, const T* w, const T* b, bool ahead) {
  (ahead ? apply_row<true, T> : apply_row<false, T>)(x, y, n, mean, scale, w, b);
}

template <class T>
void apply_uniform(const T* x, T* y, int64_t n, T mean, T scale, T shift) {
  const hn::ScalableTag<T> d;
  const auto m = hn::Set(d, mean), s = hn::Set(d, scale), b = hn::Set(d, shift);
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    access.store(hn::Add(hn::Mul(hn::Sub(access.load(x + i), m), s), b), y + i);
  });
}

template <class T>
void gradient(const T* g, T w, const T* x, T* gx, int64_t n, T mean, T scale, T first, T second) {
  const hn::ScalableTag<T> d;
  const auto m = hn::Set(d, mean), s = hn::Set(d, scale), u = hn::Set(d, first), v = hn::Set(d, second);
  const auto weight = hn::Set(d, w);
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    const auto t = hn::Mul(access.load(g + i), weight);
    const auto along = hn::Mul(hn::Sub(access.load(x + i), m), v);
    access.store(hn::Mul(s, hn::Sub(hn::Sub(t, u), along)), gx + i);
  });
}

/// kRows rows at once, so that the sums over them are read and written once for all. What is asked for ahead goes to
/// the second cache: in the first one, rows of 4 KiB would drive each other out.
template <int64_t kRows, bool kAhead, class T>
void gradient_affine_rows(const T* g, const T* w, const T* x, T* gx, int64_t n, const RowScale<T>* scales, T* gw,
                          T* gb) {
  const hn::ScalableTag<T> d;
  const auto one = hn::Set(d, T(1));
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    const auto factor = w ? access.load(w + i) : one;
    auto sum_w = access.load(gw + i), sum_b = access.load(gb + i);
#pragma GCC unroll 2
    for (int64_t row = 0; row < kRows; ++row) {
      const RowScale<T>& s = scales[row];
      const int64_t at = row * n + i;
      if constexpr (kAhead) ask_second_cache(g + at + kRows * n, x + at + kRows * n, gx + at + kRows * n);
      const auto r = hn::Set(d, s.rstd), t = access.load(g + at), c = hn::Sub(access.load(x + at), hn::Set(d, s.mean));
      const auto rest = hn::Sub(hn::Sub(hn::Mul(t, factor), hn::Set(d, s.first)), hn::Mul(c, hn::Set(d, s.second)));
      access.store(hn::Mul(r, rest), gx + at);
      sum_w = hn::Add(sum_w, hn::Mul(t, hn::Mul(c, r)));
      sum_b = hn::Add(sum_b, t);
    }
    access.store(sum_w, gw + i);
    access.store(sum_b, gb + i);
  });
}

template <bool kAhead, class T>
void gradient_affine_of(const T* g, const T* w, const T* x, T* gx, int64_t n, const RowScale<T>* scales, int64_t rows,
                        T* gw, T* gb) {
  const auto run = rows == 1 ? gradient_affine_rows<1, kAhead, T> : gradient_affine_rows<kRowsTogether, kAhead, T>;
  run(g, w, x, gx, n, scales, gw, gb);
}

template <class T>
void gradient_affine(const T* g, const T* w, const T* x, T* gx, int64_t n, const RowScale<T>* scales, int64_t rows,
                     T* gw, T* gb, bool ahead) {
  (ahead ? gradient_affine_of<true, T> : gradient_affine_of<false, T>)(g, w, x, gx, n, scales, rows, gw, gb);
}

template <class T>
void row_moments(const T* x, int64_t n, const T* shift, T* a, T* b) {
  const hn::ScalableTag<T> d;
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    const auto c = hn::Sub(access.load(x + i), access.load(shift + i));
    access.store(hn::Add(access.load(a + i), c), a + i);
    access.store(hn::Add(access.load(b + i), hn::Mul(c, c)), b + i);
  });
}

template <class T>
void row_products(const T* g, const T* x, int64_t n, const T* mean, T* a, T* b) {
  const hn::ScalableTag<T> d;
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    const auto t = access.load(g + i), c = hn::Sub(access.load(x + i), access.load(mean + i));
    access.store(hn::Add(access.load(a + i), t), a + i);
    access.store(hn::Add(access.load(b + i), hn::Mul(t, c)), b + i);
  });
}

template <class T>
void row_apply(const T* x, T* y, int64_t n, const T* mean, const T* scale, const T* shift) {
  const hn::ScalableTag<T> d;
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    const auto c = hn::Sub(access.load(x + i), access.load(mean + i));
    access.store(hn::Add(hn::Mul(c, access.load(scale + i)), access.load(shift + i)), y + i);
  });
}

template <class T>
void row_gradient(const T* g, const T* x, T* gx, int64_t n, const T* mean, const T* scale, const T* first,
                  const T* second) {
  const hn::ScalableTag<T> d;
  for_vectors(d, n, [&](auto access, int64_t i) HWY_ATTR {
    const auto along = hn::Mul(hn::Sub(access.load(x + i), access.load(mean + i)), access.load(second + i));
    const auto t = hn::Sub(hn::Sub(access.load(g + i), access.load(first + i)), along);
    access.store(hn::Mul(access.load(scale + i), t), gx + i);
  });
}

template <class T>
constexpr VecNorm<T> functions() {
  return {&moments<T>,         &products<T>,    &apply<T>,        &apply_uniform<T>, &gradient<T>,
          &gradient_affine<T>, &row_moments<T>, &row_products<T>, &row_apply<T>,     &row_gradient<T>};
}
VecNorm<float> float_functions() { return functions<float>(); }
VecNorm<double> double_functions() { return functions<double>(); }

}  // namespace strata::cpu::norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::norm {
HWY_EXPORT(float_functions);
HWY_EXPORT(double_functions);

template <>
const VecNorm<float>& vec_norm() {
  static const VecNorm<float> table = HWY_DYNAMIC_DISPATCH(float_functions)();
  return table;
}
template <>
const VecNorm<double>& vec_norm() {
  static const VecNorm<double> table = HWY_DYNAMIC_DISPATCH(double_functions)();
  return table;
}

}  // namespace strata::cpu::norm
#endif
