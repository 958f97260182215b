// Running sums and products of rows, for each instruction set.
#include "kernels/cpu/reduce/vec_scan.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/reduce/vec_scan.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/arithmetic.h"
#include "kernels/cpu/common/vec_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::reduce::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;
using arithmetic::wrapping;

/// What running sums are made of; T is the type that they run in.
template <class T>
struct Sum {
  using Type = T;
  /// Rows that are worth being joined side by side. One at a time memory likes best, but sums of floats take longer.
  static constexpr int kTogether = std::is_integral_v<T> ? 1 : 4;
  static constexpr T kStart = 0;
  static T of(T a, T b) { return static_cast<T>(wrapping(a) + wrapping(b)); }
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return hn::Add(a, b);
  }
  /// `before` joins the lanes of `mask`.
  template <class V, class M>
  static HWY_INLINE V of_some(M mask, V before, V v) {
    return hn::Add(v, hn::IfThenElseZero(mask, before));
  }
};
/// The same of running products.
template <class T>
struct Product {
  using Type = T;
  static constexpr int kTogether = 4;
  static constexpr T kStart = 1;
  static T of(T a, T b) { return static_cast<T>(wrapping(a) * wrapping(b)); }
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return hn::Mul(a, b);
  }
  template <class V, class M>
  static HWY_INLINE V of_some(M mask, V before, V v) {
    return hn::IfThenElse(mask, hn::Mul(before, v), v);
  }
};

/// Running results within a vector, in log2 of its lanes steps, each of which joins those that end `kStep` lanes
/// before.
template <class Join, bool kReverse>
class ScanInVector {
  using T = typename Join::Type;
  using D = hn::ScalableTag<T>;
  static constexpr int64_t kLanes = lanes<T>();

 public:
  ScanInVector() {
    const D d;
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
  HWY_INLINE Vec<T> of(Vec<T> v) const {
    unrolled<kSteps>([&](auto s) __attribute__((always_inline)) {
      v = Join::of_some(inside_[s], hn::TableLookupLanes(v, from_[s]), v);
    });
    return v;
  }
  /// The result of all, in every lane.
  HWY_INLINE Vec<T> last(Vec<T> v) const { return hn::TableLookupLanes(v, last_); }

 private:
  static constexpr int kSteps = kLanes >= 8 ? 3 : kLanes >= 4 ? 2 : kLanes >= 2 ? 1 : 0;
  using Indices = decltype(hn::SetTableIndices(D(), static_cast<const int64_t*>(nullptr)));
  Indices last_;
  Indices from_[kSteps + 1];
  hn::Mask<D> inside_[kSteps + 1];
};

/// Elements as what they are joined in: floats as doubles, others as they are.
HWY_INLINE Vec<double> load(const float* x) {
  const hn::ScalableTag<double> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), x));
}
HWY_INLINE Vec<int64_t> load(const int64_t* x) { return hn::LoadU(hn::ScalableTag<int64_t>(), x); }
HWY_INLINE void store(Vec<double> v, float* y) {
  const hn::Rebind<float, hn::ScalableTag<double>> d;
  hn::StoreU(hn::DemoteTo(d, v), d, y);
}
HWY_INLINE void store(Vec<int64_t> v, int64_t* y) { hn::StoreU(v, hn::ScalableTag<int64_t>(), y); }

/// R neighbouring rows, so that one need not wait for its last result. All are read before any is written: rows of 4096
/// bytes would wait for stores to the same place in a page.
template <int R, class Join, bool kReverse, class E>
HWY_INLINE void scan_rows(const E* x, E* y, int64_t n, const ScanInVector<Join, kReverse>& scan) {
  using T = typename Join::Type;
  constexpr int64_t kLanes = lanes<T>();
  T all[R];
  std::fill_n(all, R, Join::kStart);
  const int64_t whole = n / kLanes * kLanes;
  const auto rest = [&] {
    for (int64_t k = whole; k < n; ++k) {
      const int64_t i = kReverse ? n - 1 - (k - whole) : k;
      for (int r = 0; r < R; ++r)
        y[r * n + i] = static_cast<E>(all[r] = Join::of(all[r], static_cast<T>(x[r * n + i])));
    }
  };
  if (kReverse) rest();
  Vec<T> before[R];
  unrolled<R>([&](auto r) __attribute__((always_inline)) { before[r] = hn::Set(hn::ScalableTag<T>(), all[r]); });
  for (int64_t k = 0; k < whole; k += kLanes) {
    const int64_t i = kReverse ? whole - kLanes - k : k;
    Vec<T> v[R];
    unrolled<R>([&](auto r) __attribute__((always_inline)) { v[r] = load(x + r * n + i); });
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      const Vec<T> here = scan.of(v[r]);
      store(Join::of(here, before[r]), y + r * n + i);
      before[r] = Join::of(scan.last(here), before[r]);
    });
  }
  if (kReverse) return;
  unrolled<R>([&](auto r) __attribute__((always_inline)) { all[r] = hn::GetLane(before[r]); });
  rest();
}

template <class Join, bool kReverse, class E>
void scan_all_rows(const E* x, E* y, int64_t rows, int64_t n) {
  constexpr int kTogether = Join::kTogether;
  const ScanInVector<Join, kReverse> scan;
  int64_t row = 0;
  for (; row + kTogether <= rows; row += kTogether) scan_rows<kTogether>(x + row * n, y + row * n, n, scan);
  for (; row < rows; ++row) scan_rows<1>(x + row * n, y + row * n, n, scan);
}
template <class Join, class E>
void scan_all_rows(const E* x, E* y, int64_t rows, int64_t n, bool reverse) {
  (reverse ? scan_all_rows<Join, true, E> : scan_all_rows<Join, false, E>)(x, y, rows, n);
}

void sum_floats(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  scan_all_rows<Sum<double>>(x, y, rows, n, reverse);
}
void sum_integers(const int64_t* x, int64_t* y, int64_t rows, int64_t n, bool reverse) {
  scan_all_rows<Sum<int64_t>>(x, y, rows, n, reverse);
}
void multiply_integers(const int64_t* x, int64_t* y, int64_t rows, int64_t n, bool reverse) {
  scan_all_rows<Product<int64_t>>(x, y, rows, n, reverse);
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
using Four = hn::Vec<hn::FixedTag<float, 4>>;
using TwoDoubles = hn::Vec<hn::FixedTag<double, 2>>;

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

void multiply_floats(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
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
HWY_EXPORT(sum_floats);
HWY_EXPORT(sum_integers);
HWY_EXPORT(multiply_floats);
HWY_EXPORT(multiply_integers);

void sum_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  HWY_DYNAMIC_DISPATCH(sum_floats)(x, y, rows, n, reverse);
}
void sum_along_rows(const int64_t* x, int64_t* y, int64_t rows, int64_t n, bool reverse) {
  HWY_DYNAMIC_DISPATCH(sum_integers)(x, y, rows, n, reverse);
}
void multiply_along_rows(const float* x, float* y, int64_t rows, int64_t n, bool reverse) {
  HWY_DYNAMIC_DISPATCH(multiply_floats)(x, y, rows, n, reverse);
}
void multiply_along_rows(const int64_t* x, int64_t* y, int64_t rows, int64_t n, bool reverse) {
  HWY_DYNAMIC_DISPATCH(multiply_integers)(x, y, rows, n, reverse);
}

}  // namespace strata::cpu::reduce
#endif
