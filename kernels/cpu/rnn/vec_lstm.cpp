// Vector loops of the steps of an LSTM; the tail of a row runs the same code on partial vectors.
#include "kernels/cpu/rnn/vec_lstm.h"

#include <algorithm>

#include "kernels/host_device.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/rnn/vec_lstm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/common/vec_loop-inl.h"
#include "kernels/cpu/common/vec_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::rnn::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE;

#pragma push_macro("STRATA_HD")
#undef STRATA_HD
#define STRATA_HD HWY_INLINE
#include "kernels/lstm_formulas-inl.h"
#pragma pop_macro("STRATA_HD")

/// What the formulas compute with.
template <class D>
struct Vectors {
  using V = hn::Vec<D>;
  D d;
  HWY_INLINE V add(V a, V b) const { return hn::Add(a, b); }
  HWY_INLINE V mul(V a, V b) const { return hn::Mul(a, b); }
  HWY_INLINE V fma(V a, V b, V c) const { return hn::MulAdd(a, b, c); }
  HWY_INLINE V one_minus(V a) const { return hn::Sub(hn::Set(d, 1), a); }
  HWY_INLINE V sigmoid(V a) const { return cpu::HWY_NAMESPACE::sigmoid(d, a); }
  HWY_INLINE V tanh(V a) const { return cpu::HWY_NAMESPACE::tanh(d, a); }
};

/// `count` elements from i on.
template <class D>
struct Lanes {
  using T = hn::TFromD<D>;
  D d;
  int64_t i;
  size_t count;
  HWY_INLINE hn::Vec<D> load(const T* p) const {
    return HWY_LIKELY(count == hn::Lanes(d)) ? hn::LoadU(d, p + i) : load_n(d, p + i, count);
  }
  HWY_INLINE void store(hn::Vec<D> v, T* p) const {
    HWY_LIKELY(count == hn::Lanes(d)) ? hn::StoreU(v, d, p + i) : store_n(d, v, p + i, count);
  }
  HWY_INLINE LstmGates<hn::Vec<D>> load_gates(const T* p, int64_t step) const {
    return {load(p), load(p + step), load(p + 2 * step), load(p + 3 * step)};
  }
};

template <class T>
void step(const T* gates, int64_t gate_step, const T* cell, T* hidden, T* next, int64_t n) {
  using D = hn::ScalableTag<T>;
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) {
    const Lanes<D> at{d, i, static_cast<size_t>(std::min(lanes, n - i))};
    hn::Vec<D> h, c;
    lstm_step(Vectors<D>{d}, at.load_gates(gates, gate_step), at.load(cell), h, c);
    at.store(h, hidden);
    at.store(c, next);
  }
}

template <class T>
void step_backward(const T* gates, const T* cell, const T* grad_hidden, const T* grad_next, T* grad_gates, T* grad_cell,
                   int64_t n) {
  using D = hn::ScalableTag<T>;
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) {
    const Lanes<D> at{d, i, static_cast<size_t>(std::min(lanes, n - i))};
    LstmGates<hn::Vec<D>> g;
    hn::Vec<D> c;
    lstm_step_backward(Vectors<D>{d}, at.load_gates(gates, n), at.load(cell), at.load(grad_hidden), at.load(grad_next),
                       g, c);
    at.store(g.in, grad_gates);
    at.store(g.forget, grad_gates + n);
    at.store(g.candidate, grad_gates + 2 * n);
    at.store(g.out, grad_gates + 3 * n);
    at.store(c, grad_cell);
  }
}

template <class T>
const VecLstm<T>* table() {
  static constexpr VecLstm<T> functions{.step = step<T>, .step_backward = step_backward<T>};
  return &functions;
}
const VecLstm<float>* lstm_f32() { return table<float>(); }
const VecLstm<double>* lstm_f64() { return table<double>(); }

}  // namespace strata::cpu::rnn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::rnn {
HWY_EXPORT(lstm_f32);
HWY_EXPORT(lstm_f64);

template <>
const VecLstm<float>& vec_lstm<float>() {
  static const VecLstm<float>* functions = HWY_DYNAMIC_DISPATCH(lstm_f32)();
  return *functions;
}
template <>
const VecLstm<double>& vec_lstm<double>() {
  static const VecLstm<double>* functions = HWY_DYNAMIC_DISPATCH(lstm_f64)();
  return *functions;
}
}  // namespace strata::cpu::rnn
#endif
