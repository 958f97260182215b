// Inner loops over whole vectors: functors map 1 to 3 inputs to an output; the tail runs the same vector code on a
// partial load.
#if defined(STRATA_VEC_LOOP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STRATA_VEC_LOOP_INL_H
#undef STRATA_VEC_LOOP_INL_H
#else
#define STRATA_VEC_LOOP_INL_H
#endif
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstring>

#include "kernels/cpu/common/loop.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The first `n` lanes from memory, the others zero.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_n(D d, const T* p, size_t n) {
#if HWY_TARGET <= HWY_AVX2
  return hn::MaskedLoad(hn::FirstN(d, n), d, p);
#else
  HWY_ALIGN T lanes[hn::MaxLanes(D())] = {};
  std::memcpy(lanes, p, n * sizeof(T));
  return hn::Load(d, lanes);
#endif
}

template <class D, class T>
HWY_INLINE void store_n(D d, hn::Vec<D> v, T* p, size_t n) {
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, n), d, p);
#else
  HWY_ALIGN T lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  std::memcpy(p, lanes, n * sizeof(T));
#endif
}

/// An input that is read vector by vector; a single value is splatted once and then read over and over.
template <class D>
class Source {
  using T = hn::TFromD<D>;

 public:
  HWY_INLINE Source(D d, const void* p, int64_t step)
      : p_(static_cast<const T*>(p)), index_mask_(step ? ~size_t{0} : 0) {
    if (step == 0) {
      hn::Store(hn::Set(d, *p_), d, splat_);
      p_ = splat_;
    }
  }
  HWY_INLINE hn::Vec<D> load(D d, size_t i) const { return hn::LoadU(d, p_ + (i & index_mask_)); }
  HWY_INLINE hn::Vec<D> load_n(D d, size_t i, size_t n) const {
    return HWY_NAMESPACE::load_n(d, p_ + (i & index_mask_), n);
  }

 private:
  const T* p_;
  size_t index_mask_;
  HWY_ALIGN T splat_[hn::MaxLanes(D())];
};

/// Stores vectors of results as they are.
template <class D>
struct PlainSink {
  hn::TFromD<D>* out;
  HWY_INLINE void put(D d, hn::Vec<D> v, size_t i) const { hn::StoreU(v, d, out + i); }
  HWY_INLINE void stream(D d, hn::Vec<D> v, size_t i) const { hn::Stream(v, d, out + i); }
  HWY_INLINE void put_n(D d, hn::Vec<D> v, size_t i, size_t n) const { store_n(d, v, out + i, n); }
};

/// Stores masks as bools.
template <class D>
struct BoolSink {
  bool* out;
  static constexpr hn::Rebind<uint8_t, D> kBytes{};
  HWY_INLINE auto bytes(D d, hn::Mask<D> m) const {
    if constexpr (sizeof(hn::TFromD<D>) == 8) {
      return hn::DemoteTo(kBytes, hn::DemoteTo(hn::Rebind<int32_t, D>(), hn::IfThenElseZero(m, hn::Set(d, 1))));
    } else {
      const hn::RebindToSigned<D> di;
      return hn::DemoteTo(kBytes, hn::And(hn::VecFromMask(di, hn::RebindMask(di, m)), hn::Set(di, 1)));
    }
  }
  HWY_INLINE void put(D d, hn::Mask<D> m, size_t i) const {
    hn::StoreU(bytes(d, m), kBytes, reinterpret_cast<uint8_t*>(out + i));
  }
  HWY_INLINE void stream(D d, hn::Mask<D> m, size_t i) const { put(d, m, i); }
  HWY_INLINE void put_n(D d, hn::Mask<D> m, size_t i, size_t n) const {
    HWY_ALIGN uint8_t lanes[hn::MaxLanes(D())];
    hn::StoreU(bytes(d, m), kBytes, lanes);
    std::memcpy(out + i, lanes, n);
  }
};

/// A functor of kInputs vectors: F::run(d, x, ..., params).
template <class F, int kInputs>
struct Apply {
  template <class D>
  static HWY_INLINE auto full(D d, const Source<D>* in, const double* params, size_t i) {
    if constexpr (kInputs == 1)
      return F::run(d, in[0].load(d, i), params);
    else if constexpr (kInputs == 2)
      return F::run(d, in[0].load(d, i), in[1].load(d, i), params);
    else
      return F::run(d, in[0].load(d, i), in[1].load(d, i), in[2].load(d, i), params);
  }
  template <class D>
  static HWY_INLINE auto tail(D d, const Source<D>* in, const double* params, size_t i, size_t n) {
    if constexpr (kInputs == 1)
      return F::run(d, in[0].load_n(d, i, n), params);
    else if constexpr (kInputs == 2)
      return F::run(d, in[0].load_n(d, i, n), in[1].load_n(d, i, n), params);
    else
      return F::run(d, in[0].load_n(d, i, n), in[1].load_n(d, i, n), in[2].load_n(d, i, n), params);
  }
};

/// The loop of every functor: whole vectors (four at a time where F is marked kCheap), then what is left.
template <class F, int kInputs, template <class> class Sink, class D>
HWY_INLINE void run_loop(D d, const LoopArgs& a, const Source<D>* in) {
  using A = Apply<F, kInputs>;
  const Sink<D> sink{static_cast<decltype(Sink<D>::out)>(a.out)};
  const double* const p = a.params;
  const size_t lanes = hn::Lanes(d), n = static_cast<size_t>(a.n);
  size_t i = 0;
  if constexpr (requires { F::kCheap; }) {
    if (HWY_UNLIKELY(a.stream)) {
      for (; i + lanes <= n; i += lanes) sink.stream(d, A::full(d, in, p, i), i);
      hwy::FlushStream();
    }
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      const auto v0 = A::full(d, in, p, i), v1 = A::full(d, in, p, i + lanes);
      const auto v2 = A::full(d, in, p, i + 2 * lanes), v3 = A::full(d, in, p, i + 3 * lanes);
      sink.put(d, v0, i);
      sink.put(d, v1, i + lanes);
      sink.put(d, v2, i + 2 * lanes);
      sink.put(d, v3, i + 3 * lanes);
    }
  }
  for (; i + lanes <= n; i += lanes) sink.put(d, A::full(d, in, p, i), i);
  if (i < n) sink.put_n(d, A::tail(d, in, p, i, n - i), i, n - i);
}

template <class F, class T, int kInputs, template <class> class Sink>
void map_loop(const LoopArgs& a) {
  using D = hn::ScalableTag<T>;
  using S = Source<D>;
  const D d;
  if constexpr (kInputs == 1) {
    const S in[] = {S(d, a.in[0], a.step[0])};
    run_loop<F, kInputs, Sink, D>(d, a, in);
  } else if constexpr (kInputs == 2) {
    const S in[] = {S(d, a.in[0], a.step[0]), S(d, a.in[1], a.step[1])};
    run_loop<F, kInputs, Sink, D>(d, a, in);
  } else {
    const S in[] = {S(d, a.in[0], a.step[0]), S(d, a.in[1], a.step[1]), S(d, a.in[2], a.step[2])};
    run_loop<F, kInputs, Sink, D>(d, a, in);
  }
}

/// The loops of a functor whose result has its inputs' type.
template <class F, int kInputs>
constexpr FloatLoops float_loops() {
  return {&map_loop<F, float, kInputs, PlainSink>, &map_loop<F, double, kInputs, PlainSink>};
}
/// The loops of a functor whose result is a mask.
template <class F, int kInputs>
constexpr FloatLoops bool_loops() {
  return {&map_loop<F, float, kInputs, BoolSink>, &map_loop<F, double, kInputs, BoolSink>};
}

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
