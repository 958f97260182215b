// Running sums and products of rows of floats, for each instruction set.
#include "kernels/cpu/reduce/vec_scan.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/reduce/vec_scan.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::reduce::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Floats = hn::Rebind<float, Doubles>;
constexpr int64_t kLanes = lanes<double>();

/// Running sums within a vector, in log2 of its lanes steps, each of which adds the sums that end `kStep` lanes before.
template <bool kReverse>
class SumsInVector {
 public:
  SumsInVector() {
    const Doubles d;
    int64_t index[kLanes];
    std::fill_n(index, kLanes, kReverse ? 0 : kLanes - 1);
    last_ = hn::SetTableIndices(d, index);
    for (int s = 0; s < kSteps; ++s) {
      const int64_t step = int64_t{1} << s;
      for (int64_t i = 0; i < kLanes; ++i)
        index[i] = kReverse ? std::min(i + step, kLanes - 1) : std::max<int64_t>(i - step, 0);
      from_[s] = hn::SetTableIndices(d, index);
      const auto first = hn::FirstN(d, static_cast<size_t>(kReverse ? kLanes - step : step));
      inside_[s] = kReverse ? first : hn::Not(first);
    }
  }
  HWY_INLINE Vec<double> of(Vec<double> v) const {
    unrolled<kSteps>([&](auto s) __attribute__((always_inline)) {
      v = hn::Add(v, hn::IfThenElseZero(inside_[s], hn::TableLookupLanes(v, from_[s])));
    });
    return v;
  }
  /// The sum of all, in every lane.
  HWY_INLINE Vec<double> last(Vec<double> sums) const { return hn::TableLookupLanes(sums, last_); }

 private:
  static constexpr int kSteps = kLanes >= 8 ? 3 : kLanes >= 4 ? 2 : kLanes >= 2 ? 1 : 0;
  using Indices = decltype(hn::SetTableIndices(Doubles(), static_cast<const int64_t*>(nullptr)));
  Indices last_;
  Indices from_[kSteps + 1];
  hn::Mask<Doubles> inside_[kSteps + 1];
};

/// R neighbouring rows, so that one need not wait for its last sum. All are read before any is written: rows of 4096
/// bytes would wait for stores to the same place in a page.
template <int R, bool kReverse>
HWY_INLINE void sum_rows(const float* x, float* y, int64_t n, const SumsInVector<kReverse>& sums) {
  const Doubles d;
  const Floats df;
  double sum[R] = {};
  const int64_t whole = n / kLanes * kLanes;
  const auto rest = [&] {
    for (int64_t k = whole; k < n; ++k) {
      const int64_t i = kReverse ? n - 1 - (k - whole) : k;
      for (int r = 0; r < R; ++r) y[r * n + i] = static_cast<float>(sum[r] += static_cast<double>(x[r * n + i]));
    }
  };
  if (kReverse) rest();
  Vec<double> before[R];
  unrolled<R>([&](auto r) __attribute__((always_inline)) { before[r] = hn::Set(d, sum[r]); });
  for (int64_t k = 0; k < whole; k += kLanes) {
    const int64_t i = kReverse ? whole - kLanes - k : k;
    Vec<double> v[R];
    unrolled<R>([&](auto r) __attribute__((always_inline)) { v[r] = hn::PromoteTo(d, hn::LoadU(df, x + r * n + i)); });
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      v[r] = hn::Add(sums.of(v[r]), before[r]);
      before[r] = sums.last(v[r]);
      hn::StoreU(hn::DemoteTo(df, v[r]), df, y + r * n + i);
    });
  }
  if (kReverse) return;
  unrolled<R>([&](auto r) __attribute__((always_inline)) { sum[r] = hn::GetLane(before[r]); });
  rest();
}

template <bool kReverse>
void sum_all_rows(const float* x, float* y, int64_t rows, int64_t n) {
  constexpr int kTogether = 4;
  const SumsInVector<kReverse> sums;
  int64_t row = 0;
  for (; row + kTogether <= rows; row += kTogether) sum_rows<kTogether>(x + row * n, y + row * n, n, sums);
  for (; row < rows; ++row) sum_rows<1>(x + row * n, y + row * n, n, sums);
}

void float_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  (reverse ? sum_all_rows<true> : sum_all_rows<false>)(x, y, rows, n);
}

/// Products of R neighbouring rows from the step `first` on, one after another.
template <int R>
void multiply_rest(const float* x, float* y, int64_t n, int64_t first, bool reverse, double* product) {
  for (int64_t k = first; k < n; ++k) {
    const int64_t i = reverse ? n - 1 - k : k;
    for (int r = 0; r < R; ++r) y[r * n + i] = static_cast<float>(product[r] *= static_cast<double>(x[r * n + i]));
  }
}

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void multiply_four_rows(const float* x, float* y, int64_t n, bool reverse) {
  double product[4] = {1, 1, 1, 1};
  multiply_rest<4>(x, y, n, 0, reverse, product);
}
#else
constexpr hn::FixedTag<float, 4> kFour;
constexpr hn::FixedTag<float, 2> kTwo;
constexpr hn::FixedTag<double, 2> kTwoDoubles;
using Four = hn::Vec<hn::FixedTag<float, 4> >;
using TwoDoubles = hn::Vec<hn::FixedTag<double, 2> >;

HWY_INLINE void transpose(Four (&v)[4]) {
  const Four low = hn::InterleaveLower(kFour, v[0], v[1]), low2 = hn::InterleaveLower(kFour, v[2], v[3]);
  const Four high = hn::InterleaveUpper(kFour, v[0], v[1]), high2 = hn::InterleaveUpper(kFour, v[2], v[3]);
  v[0] = hn::ConcatLowerLower(kFour, low2, low), v[1] = hn::ConcatUpperUpper(kFour, low2, low);
  v[2] = hn::ConcatLowerLower(kFour, high2, high), v[3] = hn::ConcatUpperUpper(kFour, high2, high);
}

/// Four neighbouring rows, a lane each, so that none waits for another one's last product.
HWY_INLINE void multiply_four_rows(const float* x, float* y, int64_t n, bool reverse) {
  const int64_t whole = n / 4 * 4;
  TwoDoubles low = hn::Set(kTwoDoubles, 1.0), high = low;
  for (int64_t k = 0; k < whole; k += 4) {
    const int64_t i = reverse ? n - 4 - k : k;
    Four v[4];
    unrolled<4>([&](auto r) __attribute__((always_inline)) { v[r] = hn::LoadU(kFour, x + r * n + i); });
    transpose(v);
    unrolled<4>([&](auto step) __attribute__((always_inline)) {
      Four& column = v[reverse ? 3 - step : step];
      low = hn::Mul(low, hn::PromoteTo(kTwoDoubles, hn::LowerHalf(kTwo, column)));
      high = hn::Mul(high, hn::PromoteTo(kTwoDoubles, hn::UpperHalf(kTwo, column)));
      column = hn::Combine(kFour, hn::DemoteTo(kTwo, high), hn::DemoteTo(kTwo, low));
    });
    transpose(v);
    unrolled<4>([&](auto r) __attribute__((always_inline)) { hn::StoreU(v[r], kFour, y + r * n + i); });
  }
  double product[4];
  hn::StoreU(low, kTwoDoubles, product);
  hn::StoreU(high, kTwoDoubles, product + 2);
  multiply_rest<4>(x, y, n, whole, reverse, product);
}
#endif

void multiply_all_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  int64_t row = 0;
  for (; row + 4 <= rows; row += 4)
    reverse ? multiply_four_rows(x + row * n, y + row * n, n, true)
            : multiply_four_rows(x + row * n, y + row * n, n, false);
  for (; row < rows; ++row) {
    double product = 1;
    multiply_rest<1>(x + row * n, y + row * n, n, 0, reverse, &product);
  }
}

}  // namespace strata::cpu::reduce::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::reduce {
HWY_EXPORT(float_rows);
HWY_EXPORT(multiply_all_rows);

void sum_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  HWY_DYNAMIC_DISPATCH(float_rows)(x, y, rows, n, reverse);
}
void multiply_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  HWY_DYNAMIC_DISPATCH(multiply_all_rows)(x, y, rows, n, reverse);
}

}  // namespace strata::cpu::reduce
#endif
