// SIMD reductions of a contiguous span with Google Highway; see Note [Reduction tree] in vec_reduce.h.
#if defined(STRATA_VEC_REDUCE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_REDUCE_INL_H
#undef STRATA_VEC_REDUCE_INL_H
#else
#define STRATA_VEC_REDUCE_INL_H
#endif
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using V = hn::Vec<Tag<T>>;

/// exp(x) for x <= 0 (or little above): 0 where the result would be subnormal, and for NaN. Half the work of hn::Exp
/// for float.
template <class D, class W>
HWY_INLINE W exp_of_negative(D d, W x) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::Exp(d, x);
  } else {
    const hn::RebindToSigned<D> di;
    const auto magic = hn::Set(d, 12582912.0f);  // rounds to an integer, which then sits in the low bits
    const auto biased = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
    const auto n = hn::Sub(biased, magic);
    const auto r = hn::NegMulAdd(n, hn::Set(d, 1.42860677e-6f), hn::NegMulAdd(n, hn::Set(d, 0.693145752f), x));
    // Cephes' expf
    auto p = hn::MulAdd(r, hn::Set(d, 1.9875691500e-4f), hn::Set(d, 1.3981999507e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
    p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
    p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
    p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
    p = hn::Add(hn::MulAdd(hn::Mul(p, r), r, r), hn::Set(d, 1.0f));
    const auto scaled = hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, biased)));
    return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -87.0f)), hn::BitCast(d, scaled));
  }
}

// What a reduction does: `map` a pair of values, `combine` two results; `fill` maps to the identity.
struct AddOp {
  template <class T>
  static constexpr T identity = T(0);
  template <class D, class W>
  HWY_INLINE W combine(D, W a, W b) const {
    return hn::Add(a, b);
  }
};

template <class T>
struct SumOp : AddOp {
  T fill() const { return 0; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return x; }
};

template <class T>
struct ProdOp {
  template <class U>
  static constexpr U identity = U(1);
  T fill() const { return 1; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return x; }
  template <class D, class W>
  HWY_INLINE W combine(D, W a, W b) const {
    return hn::Mul(a, b);
  }
};

constexpr bool kMaxGivesSecond = HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR;

template <class T, bool kMax>
struct ExtremeOp {
  using Limits = std::numeric_limits<T>;
  template <class U>
  static constexpr U identity = Limits::has_infinity ? (kMax ? -1 : 1) * Limits::infinity()
                                                     : (kMax ? Limits::lowest() : Limits::max());
  T fill() const { return identity<T>; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return x; }
  // `a` when it is beyond `b` or NaN, else `b`. hn::Max may drop a NaN in either operand; on x86 it is maxps, which
  // gives its second operand where one is NaN, and half the chain of a comparison and a choice.
  template <class D, class W>
  HWY_INLINE W combine(D, W a, W b) const {
    if constexpr (std::is_integral_v<T>)
      return kMax ? hn::Max(a, b) : hn::Min(a, b);
    else if constexpr (kMaxGivesSecond)
      return hn::IfThenElse(hn::IsNaN(a), a, kMax ? hn::Max(a, b) : hn::Min(a, b));
    else
      return hn::IfThenElse(hn::Or(kMax ? hn::Gt(a, b) : hn::Lt(a, b), hn::IsNaN(a)), a, b);
  }
};

template <class T>
struct SumAbsOp : SumOp<T> {
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return hn::Abs(x); }
};

/// NaN counts as 0.
template <class T>
struct SumNumbersOp : SumOp<T> {
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T>) const { return hn::IfThenZeroElse(hn::IsNaN(x), x); }
};

// Sums of values less a shift of each's own, of the squares of that and of its exponentials. `nothing` adds 0.
template <class T>
struct SumShiftedColumnsOp : AddOp {
  static T nothing(T shift) { return shift; }
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T> shift) const { return hn::Sub(x, shift); }
};

template <class T>
struct SumSquareColumnsOp : SumShiftedColumnsOp<T> {
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T> shift) const {
    const auto c = hn::Sub(x, shift);
    return hn::Mul(c, c);
  }
};

template <class T>
struct SumExpColumnsOp : AddOp {
  static T nothing(T) { return -std::numeric_limits<T>::infinity(); }
  HWY_INLINE V<T> map(Tag<T> d, V<T> x, V<T> shift) const { return exp_of_negative(d, hn::Sub(x, shift)); }
};

/// The same with one shift for all values.
template <class T, class ColumnsOp>
struct OneShiftOp : ColumnsOp {
  T shift;
  explicit OneShiftOp(T s) : shift(s) {}
  T fill() const { return ColumnsOp::nothing(shift); }
  HWY_INLINE V<T> map(Tag<T> d, V<T> x, V<T>) const { return ColumnsOp::map(d, x, hn::Set(d, shift)); }
};
template <class T>
using SumShiftedOp = OneShiftOp<T, SumShiftedColumnsOp<T>>;
template <class T>
using SumSquareOp = OneShiftOp<T, SumSquareColumnsOp<T>>;
template <class T>
using SumExpOp = OneShiftOp<T, SumExpColumnsOp<T>>;

template <class T>
struct DotOp : SumOp<T> {
  HWY_INLINE V<T> map(Tag<T>, V<T> x, V<T> y) const { return hn::Mul(x, y); }
};

/// Folds the lanes of `v` in halves.
#if HWY_TARGET == HWY_SCALAR
template <class D, class W, class Op>
HWY_INLINE hn::TFromD<D> fold_lanes(D, W v, const Op&) {
  return hn::GetLane(v);
}
#else
template <class T, class Op>
HWY_INLINE T fold_lanes(hn::Simd<T, 16 / sizeof(T), 0> d, hn::Vec<hn::Simd<T, 16 / sizeof(T), 0>> v, const Op& op) {
  if constexpr (sizeof(T) < 4) {  // what is shifted in reaches no lane that counts
    v = op.combine(d, v, hn::ShiftRightBytes<8>(d, v));
    v = op.combine(d, v, hn::ShiftRightBytes<4>(d, v));
    v = op.combine(d, v, hn::ShiftRightBytes<2>(d, v));
    return hn::GetLane(sizeof(T) == 1 ? op.combine(d, v, hn::ShiftRightBytes<1>(d, v)) : v);
  } else if constexpr (sizeof(T) == 4) {
    v = op.combine(d, v, hn::Shuffle1032(v));
    return hn::GetLane(op.combine(d, v, hn::Shuffle2301(v)));
  } else {
    return hn::GetLane(op.combine(d, v, hn::Shuffle01(v)));
  }
}
template <class D, class W, class Op>
HWY_INLINE hn::TFromD<D> fold_lanes(D, W v, const Op& op) {
  // Highway 1.2's Half is another type than the tag of as many lanes, for which the function above is.
  const hn::FixedTag<hn::TFromD<D>, hn::MaxLanes(D()) / 2> half;
  return fold_lanes(half, op.combine(half, hn::LowerHalf(half, v), hn::UpperHalf(half, v)), op);
}
#endif

/// Are there loads and stores of some lanes of T, which do not touch the memory of the others?
template <class T>
constexpr bool kMasksMemory = HWY_TARGET <= HWY_AVX3 || (HWY_TARGET <= HWY_AVX2 && sizeof(T) >= 4);

/// Loads `n` < Lanes(d) values, the rest of the vector being `fill`.
template <class T>
HWY_INLINE V<T> load_some(Tag<T> d, const T* x, size_t n, T fill) {
  if constexpr (kMasksMemory<T>) {
    const auto mask = hn::FirstN(d, n);
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, x), hn::Set(d, fill));
  }
  HWY_ALIGN T buffer[64 / sizeof(T)];
  hn::Store(hn::Set(d, fill), d, buffer);
  std::copy_n(x, n, buffer);
  return hn::Load(d, buffer);
}

template <class T>
HWY_INLINE void store_some(Tag<T> d, V<T> v, T* y, size_t n) {
  if constexpr (kMasksMemory<T>) return hn::BlendedStore(v, hn::FirstN(d, n), d, y);
  HWY_ALIGN T buffer[64 / sizeof(T)];
  hn::Store(v, d, buffer);
  std::copy_n(buffer, n, y);
}

/// The reduction of op.map(x[i], y[i]) over i < n.
template <class T, class Op>
HWY_NOINLINE T reduce_span(const T* HWY_RESTRICT x, const T* HWY_RESTRICT y, size_t n, Op op) {
  const Tag<T> d;
  constexpr size_t kLanes = hn::MaxLanes(Tag<T>());
  constexpr size_t kVecs = 256 / sizeof(T) / kLanes;
  constexpr size_t kRound = kLanes * kVecs;
  V<T> total[kVecs];
#pragma GCC unroll 16
  for (size_t j = 0; j < kVecs; ++j) total[j] = hn::Set(d, Op::template identity<T>);

  size_t i = 0;
  while (n - i >= kRound) {
    const size_t end = i + std::min<size_t>((n - i) / kRound, 16) * kRound;
    // Begun with the identity, not with values: one loop of four loads is what the processor's prefetching likes best.
    V<T> acc[kVecs];
#pragma GCC unroll 16
    for (size_t j = 0; j < kVecs; ++j) acc[j] = hn::Set(d, Op::template identity<T>);
    do {
#pragma GCC unroll 16
      for (size_t j = 0; j < kVecs; ++j) {
        const size_t at = i + j * kLanes;
        acc[j] = op.combine(d, acc[j], op.map(d, hn::LoadU(d, x + at), hn::LoadU(d, y + at)));
      }
      i += kRound;
    } while (i < end);
#pragma GCC unroll 16
    for (size_t j = 0; j < kVecs; ++j) total[j] = op.combine(d, total[j], acc[j]);
  }

  // Unrolled, so that all totals stay in registers.
#pragma GCC unroll 16
  for (size_t j = 0; j < kVecs; ++j, i += kLanes) {
    if (i >= n) break;
    const bool whole = n - i >= kLanes;
    const auto xv = whole ? hn::LoadU(d, x + i) : load_some(d, x + i, n - i, op.fill());
    const auto yv = whole ? hn::LoadU(d, y + i) : load_some(d, y + i, n - i, op.fill());
    total[j] = op.combine(d, total[j], op.map(d, xv, yv));
  }
#pragma GCC unroll 4
  for (size_t h = kVecs / 2; h > 0; h /= 2)
    for (size_t j = 0; j < h; ++j) total[j] = op.combine(d, total[j], total[j + h]);
  return fold_lanes(d, total[0], op);
}

template <class T, class Op>
T reduce_one(const T* x, int64_t n) {
  return reduce_span(x, x, static_cast<size_t>(n), Op());
}
template <class T, class Op>
T reduce_shifted(const T* x, int64_t n, T shift) {
  return reduce_span(x, x, static_cast<size_t>(n), Op(shift));
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
