// CUDA kernels of the steps of an LSTM: one thread per element of the state.
#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/dense.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_floating.h"
#include "ops/rnn_def.h"

namespace strata::cuda::rnn {
namespace {

#include "kernels/lstm_formulas-inl.h"

/// What the formulas compute with.
template <class C>
struct Numbers {
  STRATA_HD C add(C a, C b) const { return a + b; }
  STRATA_HD C mul(C a, C b) const { return a * b; }
  STRATA_HD C fma(C a, C b, C c) const { return std::fma(a, b, c); }
  STRATA_HD C one_minus(C a) const { return C(1) - a; }
  STRATA_HD C sigmoid(C a) const {
    const C e = std::exp(-std::abs(a));
    return (a < C(0) ? e : C(1)) / (C(1) + e);
  }
  STRATA_HD C tanh(C a) const { return std::tanh(a); }
};

/// The gates of element i, which are n apart from each other in a row of 4 n.
template <class C, class T>
__device__ LstmGates<C> load_gates(const T* gates, int64_t i, int64_t n) {
  const T* const p = gates + i / n * 4 * n + i % n;
  return {static_cast<C>(p[0]), static_cast<C>(p[n]), static_cast<C>(p[2 * n]), static_cast<C>(p[3 * n])};
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    step_kernel(const T* gates, const T* cell, T* hidden, T* next, int64_t n, int64_t count) {
  using C = arithmetic::Compute<T>;
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  C h, c;
  lstm_step(Numbers<C>(), load_gates<C>(gates, i, n), static_cast<C>(cell[i]), h, c);
  hidden[i] = static_cast<T>(h);
  next[i] = static_cast<T>(c);
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    step_backward_kernel(const T* gates, const T* cell, const T* grad_hidden, const T* grad_next, T* grad_gates,
                         T* grad_cell, int64_t n, int64_t count) {
  using C = arithmetic::Compute<T>;
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  LstmGates<C> g;
  C c;
  lstm_step_backward(Numbers<C>(), load_gates<C>(gates, i, n), static_cast<C>(cell[i]), static_cast<C>(grad_hidden[i]),
                     static_cast<C>(grad_next[i]), g, c);
  T* const to = grad_gates + i / n * 4 * n + i % n;
  to[0] = static_cast<T>(g.in);
  to[n] = static_cast<T>(g.forget);
  to[2 * n] = static_cast<T>(g.candidate);
  to[3 * n] = static_cast<T>(g.out);
  grad_cell[i] = static_cast<T>(c);
}

void lstm_gates_cuda(Tensors& out, Args in, const NoParams&) {
  const int64_t count = in[1].numel();
  if (count == 0) return;
  visit_floating(lstm_gates_op.name(), in[1].dtype(), [&]<class T>() {
    start(lstm_gates_op.name(), step_kernel<T>, {blocks_for(count)}, stream_of(out[0]), in[0].data_ptr<T>(),
          in[1].data_ptr<T>(), out[0].data_ptr<T>(), out[1].data_ptr<T>(), in[1].size(-1), count);
  });
}
void lstm_gates_backward_cuda(Tensors& out, Args in, const NoParams&) {
  const int64_t count = in[1].numel();
  if (count == 0) return;
  visit_floating(lstm_gates_backward_op.name(), in[1].dtype(), [&]<class T>() {
    start(lstm_gates_backward_op.name(), step_backward_kernel<T>, {blocks_for(count)}, stream_of(out[0]),
          in[0].data_ptr<T>(), in[1].data_ptr<T>(), in[2].data_ptr<T>(), in[3].data_ptr<T>(), out[0].data_ptr<T>(),
          out[1].data_ptr<T>(), in[1].size(-1), count);
  });
}

STRATA_KERNEL(lstm_gates_op, CUDA, RowMajor<lstm_gates_cuda>::run);
STRATA_KERNEL(lstm_gates_backward_op, CUDA, RowMajor<lstm_gates_backward_cuda>::run);

}  // namespace
}  // namespace strata::cuda::rnn
