// CUDA kernels of the steps of an LSTM, one and all of them: one thread per element of the state.
#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/dense.h"
#include "kernels/cuda/matmul/matmul.h"
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

template <class T>
matmul::Matrix rows_at(T* data, int64_t row) {
  return {reinterpret_cast<char*>(data), row, 1};
}

/// One product and one kernel for each step, whose sums and states go where the gradient and the result want them.
void lstm_sequence_cuda(Tensors& out, Args in, const LstmParams& p) {
  const int64_t steps = in[0].size(0), rows = in[3].size(0), n = in[3].size(1), count = rows * n;
  if (count == 0) return;
  const std::string_view name = lstm_sequence_op.name();
  matmul::Gemm product;
  product.op = name, product.dtype = in[3].dtype(), product.device = out[0].device().index();
  product.m = rows, product.n = 4 * n, product.k = n;
  product.b = {static_cast<char*>(in[1].bytes()), 1, n};
  visit_floating(name, in[3].dtype(), [&]<class T>() {
    T *hidden = in[2].data_ptr<T>(), *cell = in[3].data_ptr<T>();
    for (int64_t i = 0; i < steps; ++i) {
      const int64_t at = (p.reverse ? steps - 1 - i : i) * count;
      T *const sums = out[2].data_ptr<T>() + 4 * at, *const next_hidden = out[0].data_ptr<T>() + at,
               *const next = out[1].data_ptr<T>() + at;
      product.a = rows_at(hidden, n);
      product.init = rows_at(in[0].data_ptr<T>() + 4 * at, 4 * n);
      product.out = rows_at(sums, 4 * n);
      matmul::gemm(product);
      start(name, step_kernel<T>, {blocks_for(count)}, stream_of(out[0]), sums, cell, next_hidden, next, n, count);
      hidden = next_hidden, cell = next;
    }
  });
}

STRATA_KERNEL(lstm_gates_op, CUDA, RowMajor<lstm_gates_cuda>::run);
STRATA_KERNEL(lstm_gates_backward_op, CUDA, RowMajor<lstm_gates_backward_cuda>::run);
STRATA_KERNEL(lstm_sequence_op, CUDA, RowMajor<lstm_sequence_cuda>::run);

}  // namespace
}  // namespace strata::cuda::rnn
