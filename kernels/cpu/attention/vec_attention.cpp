// The rows of attention's score matrices, for each instruction set.
#include "kernels/cpu/attention/vec_attention.h"

#include "kernels/cpu/common/vec_reduce.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/attention/vec_attention.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include "kernels/cpu/common/vec_reduce-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::attention::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

/// Calls f(position, count) for each vector of n elements.
template <class T, class F>
HWY_INLINE void for_each_vector(int64_t n, F f) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  for (int64_t i = 0; i < n; i += kLanes) f(i, std::min(kLanes, n - i));
}
template <class T>
HWY_INLINE V<T> load_part(const T* x, int64_t count) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  return HWY_LIKELY(count == kLanes) ? hn::LoadU(Tag<T>(), x) : load_some(Tag<T>(), x, count, T(0));
}
template <class T>
HWY_INLINE void store_part(V<T> v, T* x, int64_t count) {
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  if (HWY_LIKELY(count == kLanes)) return hn::StoreU(v, Tag<T>(), x);
  store_some(Tag<T>(), v, x, count);
}

template <class T>
T weights(T* s, int64_t n, T* max) {
  const Tag<T> d;
  constexpr int64_t kLanes = hn::MaxLanes(Tag<T>());
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  const ExtremeOp<T, true> larger;
  const auto load = [&](int64_t i, int64_t count) HWY_ATTR {
    return HWY_LIKELY(count == kLanes) ? hn::LoadU(d, s + i) : load_some(d, s + i, count, kLowest);
  };
  V<T> most = hn::Set(d, *max), sum = hn::Zero(d);
  for_each_vector<T>(n, [&](int64_t i, int64_t count) HWY_ATTR { most = larger.combine(d, most, load(i, count)); });
  *max = fold_lanes(d, most, larger);
  const V<T> shift = hn::Set(d, *max);
  for_each_vector<T>(n, [&](int64_t i, int64_t count) HWY_ATTR {
    const V<T> e = exp_of_negative(d, hn::Sub(load(i, count), shift));
    store_part(e, s + i, count);
    sum = hn::Add(sum, e);
  });
  return fold_lanes(d, sum, AddOp());
}

template <class T>
void scale(T* x, int64_t n, T factor) {
  for_each_vector<T>(n, [&](int64_t i, int64_t count) HWY_ATTR {
    store_part(hn::Mul(load_part(x + i, count), hn::Set(Tag<T>(), factor)), x + i, count);
  });
}

template <class T>
void backward(T* s, T* dp, int64_t n, T logsumexp, T delta) {
  const Tag<T> d;
  for_each_vector<T>(n, [&](int64_t i, int64_t count) HWY_ATTR {
    const V<T> p = exp_of_negative(d, hn::Sub(load_part(s + i, count), hn::Set(d, logsumexp)));
    store_part(p, s + i, count);
    store_part(hn::Mul(p, hn::Sub(load_part(dp + i, count), hn::Set(d, delta))), dp + i, count);
  });
}

template <class T>
const VecAttention<T>* table() {
  static constexpr VecAttention<T> functions{weights<T>, scale<T>, backward<T>};
  return &functions;
}
const VecAttention<float>* attention_f32() { return table<float>(); }
const VecAttention<double>* attention_f64() { return table<double>(); }

}  // namespace strata::cpu::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::attention {
HWY_EXPORT(attention_f32);
HWY_EXPORT(attention_f64);

template <>
const VecAttention<float>& vec_attention<float>() {
  static const VecAttention<float>* functions = HWY_DYNAMIC_DISPATCH(attention_f32)();
  return *functions;
}
template <>
const VecAttention<double>& vec_attention<double>() {
  static const VecAttention<double>* functions = HWY_DYNAMIC_DISPATCH(attention_f64)();
  return *functions;
}
}  // namespace strata::cpu::attention
#endif
