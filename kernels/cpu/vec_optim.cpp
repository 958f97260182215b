// Vector loops of the fused optimizer steps.
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vec_optim.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/vec_loop-inl.h"
#include "kernels/cpu/vec_optim.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::HWY_NAMESPACE {

/// Loads and stores of whole vectors, or of the first `n` lanes.
template <class D>
struct Whole {
  template <class T>
  static HWY_INLINE hn::Vec<D> load(D d, const T* p) {
    return hn::LoadU(d, p);
  }
  template <class T>
  static HWY_INLINE void store(D d, hn::Vec<D> v, T* p) {
    hn::StoreU(v, d, p);
  }
};
template <class D>
struct Part {
  size_t n;
  template <class T>
  HWY_INLINE hn::Vec<D> load(D d, const T* p) const {
    return load_n(d, p, n);
  }
  template <class T>
  HWY_INLINE void store(D d, hn::Vec<D> v, T* p) const {
    store_n(d, v, p, n);
  }
};

/// Runs `step(access, i)` on whole vectors, then on the rest.
template <class D, class F>
HWY_INLINE void for_each_vector(D d, int64_t n, F step) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) step(Whole<D>(), i);
  if (i < n) step(Part<D>{static_cast<size_t>(n - i)}, i);
}

template <class T, bool kAmsgrad>
void adam_loop(const AdamArgs<T>& a, int64_t n) {
  using D = hn::ScalableTag<T>;
  const D d;
  const auto sign = hn::Set(d, a.sign), shrink = hn::Set(d, a.shrink), decay = hn::Set(d, a.decay),
             eps = hn::Set(d, a.eps);
  const auto keep1 = hn::Set(d, a.one_minus_beta1), beta2 = hn::Set(d, a.beta2), keep2 = hn::Set(d, a.one_minus_beta2);
  const auto root = hn::Set(d, a.inverse_root_correction), size = hn::Set(d, a.step_size);
  for_each_vector(d, n, [&](const auto& at, int64_t i) HWY_ATTR {
    const auto p = hn::Mul(at.load(d, a.param + i), shrink);
    const auto g = hn::MulAdd(at.load(d, a.grad + i), sign, hn::Mul(p, decay));
    auto m = at.load(d, a.exp_avg + i);
    m = hn::MulAdd(hn::Sub(g, m), keep1, m);
    const auto v = hn::MulAdd(hn::Mul(g, g), keep2, hn::Mul(at.load(d, a.exp_avg_sq + i), beta2));
    auto second = v;
    if constexpr (kAmsgrad) {
      second = hn::Max(at.load(d, a.max_exp_avg_sq + i), v);
      at.store(d, second, a.max_exp_avg_sq + i);
    }
    const auto denominator = hn::MulAdd(hn::Sqrt(second), root, eps);
    at.store(d, m, a.exp_avg + i);
    at.store(d, v, a.exp_avg_sq + i);
    at.store(d, hn::NegMulAdd(size, hn::Div(m, denominator), p), a.out + i);
  });
}

template <class T>
void adam_all(const AdamArgs<T>& a, int64_t n) {
  if (a.max_exp_avg_sq)
    adam_loop<T, true>(a, n);
  else
    adam_loop<T, false>(a, n);
}

template <class T, bool kMomentum>
void sgd_loop(const SgdArgs<T>& a, int64_t n) {
  using D = hn::ScalableTag<T>;
  const D d;
  const auto sign = hn::Set(d, a.sign), decay = hn::Set(d, a.decay), lr = hn::Set(d, a.lr);
  const auto keep = hn::Set(d, a.keep), take = hn::Set(d, a.take), ahead = hn::Set(d, a.ahead), now = hn::Set(d, a.now);
  for_each_vector(d, n, [&](const auto& at, int64_t i) HWY_ATTR {
    const auto p = at.load(d, a.param + i);
    auto g = hn::MulAdd(at.load(d, a.grad + i), sign, hn::Mul(p, decay));
    if constexpr (kMomentum) {
      auto b = hn::Mul(g, take);
      if (a.keep != T(0)) b = hn::MulAdd(at.load(d, a.momentum_buffer + i), keep, b);
      at.store(d, b, a.momentum_buffer + i);
      g = hn::MulAdd(b, ahead, hn::Mul(g, now));
    }
    at.store(d, hn::NegMulAdd(lr, g, p), a.out + i);
  });
}

template <class T>
void sgd_all(const SgdArgs<T>& a, int64_t n) {
  if (a.momentum_buffer)
    sgd_loop<T, true>(a, n);
  else
    sgd_loop<T, false>(a, n);
}

void adam_f32(const AdamArgs<float>& a, int64_t n) { adam_all(a, n); }
void adam_f64(const AdamArgs<double>& a, int64_t n) { adam_all(a, n); }
void sgd_f32(const SgdArgs<float>& a, int64_t n) { sgd_all(a, n); }
void sgd_f64(const SgdArgs<double>& a, int64_t n) { sgd_all(a, n); }

}  // namespace strata::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu {
HWY_EXPORT(adam_f32);
HWY_EXPORT(adam_f64);
HWY_EXPORT(sgd_f32);
HWY_EXPORT(sgd_f64);

void vec_adam(const AdamArgs<float>& a, int64_t n) { HWY_DYNAMIC_DISPATCH(adam_f32)(a, n); }
void vec_adam(const AdamArgs<double>& a, int64_t n) { HWY_DYNAMIC_DISPATCH(adam_f64)(a, n); }
void vec_sgd(const SgdArgs<float>& a, int64_t n) { HWY_DYNAMIC_DISPATCH(sgd_f32)(a, n); }
void vec_sgd(const SgdArgs<double>& a, int64_t n) { HWY_DYNAMIC_DISPATCH(sgd_f64)(a, n); }

}  // namespace strata::cpu
#endif
