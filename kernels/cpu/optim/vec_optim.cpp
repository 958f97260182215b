// Vector loops of the optimizers' steps.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/optim/vec_optim.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/optim/vec_optim.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::optim::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

#include "kernels/optim_formulas-inl.h"

/// Loads and stores of whole vectors, or of the first `n` lanes.
template <class D>
struct WholeVector {
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
struct PartialVector {
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
HWY_INLINE void for_each_vector(D d, int64_t begin, int64_t end, F step) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes) step(WholeVector<D>(), i);
  if (i < end) step(PartialVector<D>{static_cast<size_t>(end - i)}, i);
}

/// What the formulas compute with.
template <class D>
struct Vectors {
  using V = hn::Vec<D>;
  D d;
  HWY_INLINE V set(hn::TFromD<D> x) const { return hn::Set(d, x); }
  HWY_INLINE V add(V a, V b) const { return hn::Add(a, b); }
  HWY_INLINE V sub(V a, V b) const { return hn::Sub(a, b); }
  HWY_INLINE V mul(V a, V b) const { return hn::Mul(a, b); }
  HWY_INLINE V div(V a, V b) const { return hn::Div(a, b); }
  HWY_INLINE V fma(V a, V b, V c) const { return hn::MulAdd(a, b, c); }
  HWY_INLINE V neg_fma(V a, V b, V c) const { return hn::NegMulAdd(a, b, c); }
  HWY_INLINE V min(V a, V b) const { return hn::Min(a, b); }
  HWY_INLINE V max(V a, V b) const { return hn::Max(a, b); }
  HWY_INLINE V sqrt(V a) const { return hn::Sqrt(a); }
  HWY_INLINE V if_positive(V x, V a, V b) const { return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), a, b); }
};

/// `k` counts the tensors of a slot: loops over them would not be unrolled in time for registers.
template <class Formula, size_t... k>
HWY_INLINE void step_all(const Formula& f, typename Formula::Value* const (&x)[Formula::kWidth],
                         typename Formula::Value* out, int64_t begin, int64_t end, std::index_sequence<k...>) {
  using D = hn::ScalableTag<typename Formula::Value>;
  const Vectors<D> m{};
  const Formula numbers = f;  // nothing points to the copy: the numbers stay in registers
  typename Formula::Value* const from[] = {x[k]...};
  typename Formula::Value* const to[] = {(k == 0 ? out : x[k])...};
  for_each_vector(m.d, begin, end, [&](const auto& at, int64_t i) HWY_ATTR {
    hn::Vec<D> v[] = {at.load(m.d, from[k] + i)...};
    apply(m, numbers, v);
    ((k == 1 ? void() : at.store(m.d, v[k], to[k] + i)), ...);
  });
}

template <class Formula>
void step_loop(const Formula& f, typename Formula::Value* const (&x)[Formula::kWidth], typename Formula::Value* out,
               int64_t begin, int64_t end) {
  step_all(f, x, out, begin, end, std::make_index_sequence<Formula::kWidth>());
}

template <class... Formulas>
StepLoopsOf<Formulas...> loops_of(const StepLoopsOf<Formulas...>*) {
  return {&step_loop<Formulas>...};
}
StepLoops<float> loops_f32() { return loops_of(static_cast<StepLoops<float>*>(nullptr)); }
StepLoops<double> loops_f64() { return loops_of(static_cast<StepLoops<double>*>(nullptr)); }

}  // namespace strata::cpu::optim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::optim {
HWY_EXPORT(loops_f32);
HWY_EXPORT(loops_f64);

template <>
const StepLoops<float>& step_loops<float>() {
  static const StepLoops<float> loops = HWY_DYNAMIC_DISPATCH(loops_f32)();
  return loops;
}
template <>
const StepLoops<double>& step_loops<double>() {
  static const StepLoops<double> loops = HWY_DYNAMIC_DISPATCH(loops_f64)();
  return loops;
}

}  // namespace strata::cpu::optim
#endif
