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
