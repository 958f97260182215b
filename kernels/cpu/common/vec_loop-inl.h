// What inner loops over whole vectors read and write: sources that repeat one value, sinks of numbers and of masks, and
// the vector that is not full at the end.
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

/// An input whose elements lie in a row.
template <class D>
struct InRow {
  const hn::TFromD<D>* p;
  HWY_INLINE hn::Vec<D> load(D d, size_t i) const { return hn::LoadU(d, p + i); }
  HWY_INLINE hn::Vec<D> load_n(D d, size_t i, size_t n) const { return HWY_NAMESPACE::load_n(d, p + i, n); }
};

/// An input that is one value.
template <class D>
struct Repeated {
  hn::Vec<D> v;
  HWY_INLINE hn::Vec<D> load(D, size_t) const { return v; }
  HWY_INLINE hn::Vec<D> load_n(D, size_t, size_t) const { return v; }
};

/// Room for a value in every lane.
template <class D>
struct Splat {
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(D())];
};

/// An input of either kind, read vector by vector, where a loop for each would be too much code; a single value is
/// splatted once, into `splat`, and then read over and over. The room is not in here, so that what is here can stay in
/// registers while results are stored.
template <class D>
class Source {
  using T = hn::TFromD<D>;

 public:
  HWY_INLINE Source(D d, const void* p, int64_t step, Splat<D>& splat)
      : p_(step ? static_cast<const T*>(p) : splat.lanes), index_mask_(step ? ~size_t{0} : 0) {
    if (step == 0) hn::Store(hn::Set(d, *static_cast<const T*>(p)), d, splat.lanes);
  }
  HWY_INLINE hn::Vec<D> load(D d, size_t i) const { return hn::LoadU(d, p_ + (i & index_mask_)); }
  HWY_INLINE hn::Vec<D> load_n(D d, size_t i, size_t n) const {
    return HWY_NAMESPACE::load_n(d, p_ + (i & index_mask_), n);
  }

 private:
  const T* p_;
  size_t index_mask_;
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
  HWY_INLINE auto bytes([[maybe_unused]] D d, hn::Mask<D> m) const {
    if constexpr (sizeof(hn::TFromD<D>) == 8) {
      const hn::RebindToUnsigned<D> du;
      return hn::TruncateTo(kBytes, hn::And(hn::VecFromMask(du, hn::RebindMask(du, m)), hn::Set(du, 1)));
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

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
