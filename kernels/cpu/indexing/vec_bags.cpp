// Sums of rows over bags: registers hold a part of the sum's columns while all rows of the bag are added.
#include "kernels/cpu/indexing/vec_bags.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/indexing/vec_bags.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::indexing::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// The entries of one bag: their rows, and their weights if they have some.
template <class T>
struct Bag {
  const int64_t* index;
  const T* weight;
  int64_t rows, known;
};

/// kVectors whole vectors of a bag's sum. Rows that are some steps ahead, also of the next bags, are fetched meanwhile.
template <int kVectors, bool kWeighted, class T>
HWY_INLINE void sum_columns(const T* x, int64_t columns, const Bag<T>& bag, T* y) {
  // On their way in, rows cost most by the first touch of their page; what follows the processor fetches by itself.
  constexpr int64_t kAhead = 24;
  const hn::ScalableTag<T> d;
  constexpr auto lanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  hn::Vec<decltype(d)> sum[kVectors];
  unrolled<kVectors>([&](auto v) __attribute__((always_inline)) { sum[v] = hn::Zero(d); });
  for (int64_t i = 0; i < bag.rows; ++i) {
    const T* const row = x + bag.index[i] * columns;
    hwy::Prefetch(x + bag.index[std::min(i + kAhead, bag.known - 1)] * columns);
    if constexpr (kWeighted) {
      const auto w = hn::Set(d, bag.weight[i]);
      unrolled<kVectors>([&](auto v) __attribute__((always_inline)) {
        sum[v] = hn::MulAdd(w, hn::LoadU(d, row + v * lanes), sum[v]);
      });
    } else {
      unrolled<kVectors>([&](auto v) __attribute__((always_inline)) {
        sum[v] = hn::Add(sum[v], hn::LoadU(d, row + v * lanes));
      });
    }
  }
  unrolled<kVectors>([&](auto v) __attribute__((always_inline)) { hn::StoreU(sum[v], d, y + v * lanes); });
}

/// The first n columns, less than a vector.
template <class T>
HWY_INLINE void sum_rest(const T* x, int64_t columns, const Bag<T>& bag, T* y, size_t n) {
  const hn::ScalableTag<T> d;
  auto sum = hn::Zero(d);
  for (int64_t i = 0; i < bag.rows; ++i) {
    const auto row = load_n(d, x + bag.index[i] * columns, n);
    sum = hn::MulAdd(hn::Set(d, bag.weight ? bag.weight[i] : T(1)), row, sum);
  }
  store_n(d, sum, y, n);
}

template <bool kWeighted, class T>
HWY_INLINE void sum_bag(const T* x, int64_t columns, const Bag<T>& bag, T* y) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  int64_t c = 0;
  for (; c + 8 * lanes <= columns; c += 8 * lanes) sum_columns<8, kWeighted>(x + c, columns, bag, y + c);
  for (; c + 4 * lanes <= columns; c += 4 * lanes) sum_columns<4, kWeighted>(x + c, columns, bag, y + c);
  for (; c + lanes <= columns; c += lanes) sum_columns<1, kWeighted>(x + c, columns, bag, y + c);
  if (c < columns) sum_rest(x + c, columns, bag, y + c, static_cast<size_t>(columns - c));
}

template <class T>
void sum(const T* x, int64_t columns, const int64_t* index, const T* weight, const int64_t* first, int64_t bags,
         int64_t known, T* y) {
  for (int64_t b = 0; b < bags; ++b, y += columns) {
    const int64_t at = first[b];
    const Bag<T> bag{index + at, weight ? weight + at : nullptr, first[b + 1] - at, known - at};
    weight ? sum_bag<true>(x, columns, bag, y) : sum_bag<false>(x, columns, bag, y);
  }
}

using Index = hn::ScalableTag<int64_t>;

/// Is f(i), a mask of the elements from i on, false everywhere? What is left behind the last whole vector is a vector
/// that begins earlier, or left to one(i) where there is no whole one.
template <class F, class One>
HWY_INLINE bool none_of(int64_t n, F f, One one) {
  const Index d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (n < lanes) {
    for (int64_t i = 0; i < n; ++i)
      if (one(i)) return false;
    return true;
  }
  auto found = f(n - lanes);
  for (int64_t i = 0; i + lanes <= n; i += lanes) found = hn::Or(found, f(i));
  return hn::AllFalse(d, found);
}

bool in_range(const int64_t* index, int64_t n, int64_t low, int64_t high) {
  const Index d;
  const auto least = hn::Set(d, low), most = hn::Set(d, high);
  return none_of(
      n,
      [&](int64_t i) __attribute__((always_inline)) {
        const auto at = hn::LoadU(d, index + i);
        return hn::Or(hn::Lt(at, least), hn::Gt(at, most));
      },
      [&](int64_t i) { return index[i] < low || index[i] > high; });
}

bool is_rising(const int64_t* x, int64_t n) {
  const Index d;
  return none_of(
      std::max<int64_t>(0, n - 1),
      [&](int64_t i) __attribute__((always_inline)) { return hn::Lt(hn::LoadU(d, x + i + 1), hn::LoadU(d, x + i)); },
      [&](int64_t i) { return x[i + 1] < x[i]; });
}

const VecIndex* vec_indices() {
  static constexpr VecIndex functions{.in_range = in_range, .is_rising = is_rising};
  return &functions;
}

template <class T>
const VecBags<T>* table() {
  static constexpr VecBags<T> functions{.sum = sum<T>};
  return &functions;
}
const VecBags<float>* bags_f32() { return table<float>(); }
const VecBags<double>* bags_f64() { return table<double>(); }

}  // namespace strata::cpu::indexing::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::indexing {
HWY_EXPORT(bags_f32);
HWY_EXPORT(bags_f64);
HWY_EXPORT(vec_indices);

const VecIndex& vec_index() {
  static const VecIndex* functions = HWY_DYNAMIC_DISPATCH(vec_indices)();
  return *functions;
}

template <>
const VecBags<float>& vec_bags<float>() {
  static const VecBags<float>* functions = HWY_DYNAMIC_DISPATCH(bags_f32)();
  return *functions;
}
template <>
const VecBags<double>& vec_bags<double>() {
  static const VecBags<double>* functions = HWY_DYNAMIC_DISPATCH(bags_f64)();
  return *functions;
}
}  // namespace strata::cpu::indexing
#endif
