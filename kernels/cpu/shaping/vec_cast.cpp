// Casts from floating point numbers, for each instruction set.
#include "kernels/cpu/shaping/vec_cast.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/shaping/vec_cast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/convert.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::shaping::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;

HWY_INLINE hn::Vec<D> load_doubles(const double* x) { return hn::LoadU(D(), x); }
HWY_INLINE hn::Vec<D> load_doubles(const float* x) { return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), x)); }

/// Only the newest processors have an instruction for it. The others add a number so large that the last bit of its
/// fraction is 1: a whole number below 2^51 then is what the sum's bits are beyond that number's.
template <class T>
void truncate_all(const dispatch::LoopArgs& a) {
  constexpr double kLimit = 2251799813685248.0, kLarge = 3 * kLimit;
  const D d;
  const hn::RebindToSigned<D> di;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const T* const x = static_cast<const T*>(a.in[0]);
  int64_t* const out = static_cast<int64_t*>(a.out);
  if (a.step[0] == 0) return static_cast<void>(std::fill_n(out, a.n, truncated<int64_t>(*x)));
  const auto large = hn::Set(d, kLarge);
  int64_t i = 0;
  for (; i + lanes <= a.n; i += lanes) {
    const auto v = load_doubles(x + i);
    if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(hn::Abs(v), hn::Set(d, kLimit)))))
      hn::StoreU(hn::Sub(hn::BitCast(di, hn::Add(hn::Trunc(v), large)), hn::BitCast(di, large)), di, out + i);
    else
      for (int64_t k = i; k < i + lanes; ++k) out[k] = truncated<int64_t>(x[k]);
  }
  for (; i < a.n; ++i) out[i] = truncated<int64_t>(x[i]);
}

void to_floats(const dispatch::LoopArgs& a) {
  const D d;
  const hn::Rebind<float, D> f;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const double* const x = static_cast<const double*>(a.in[0]);
  float* const out = static_cast<float*>(a.out);
  if (a.step[0] == 0) return static_cast<void>(std::fill_n(out, a.n, static_cast<float>(*x)));
  int64_t i = 0;
  for (; i + lanes <= a.n; i += lanes) hn::StoreU(hn::DemoteTo(f, hn::LoadU(d, x + i)), f, out + i);
  for (; i < a.n; ++i) out[i] = static_cast<float>(x[i]);
}
static dispatch::Loop of_floats() { return &truncate_all<float>; }
static dispatch::Loop of_doubles() { return &truncate_all<double>; }
static dispatch::Loop narrowing() { return &to_floats; }

}  // namespace strata::cpu::shaping::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::shaping {
HWY_EXPORT(of_floats);
HWY_EXPORT(of_doubles);
HWY_EXPORT(narrowing);
dispatch::Loop float_to_int64() { return HWY_DYNAMIC_DISPATCH(of_floats)(); }
dispatch::Loop double_to_int64() { return HWY_DYNAMIC_DISPATCH(of_doubles)(); }
dispatch::Loop double_to_float() { return HWY_DYNAMIC_DISPATCH(narrowing)(); }
}  // namespace strata::cpu::shaping
#endif
