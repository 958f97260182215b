// CUDA kernels of the CTC loss: a block a sample for the recursions over time, whose threads share the states.
#include "dispatcher/kernel.h"
#include "kernels/ctc_states.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/runtime/index_error.h"
#include "ops/ctc_loss_def.h"

namespace strata::cuda::loss {
namespace {

using ctc::log_add, ctc::minus_infinity;

constexpr const char* kCtcOutside = "ctc_loss: target {} at position {} is outside [0, {})";

/// All operands row-major: log_probs (T, N, C), targets (N, S), log_alpha and log_beta (N, T, 2 S + 1).
template <class T>
struct Problem {
  const T* log_probs;
  const int64_t *targets, *input_lengths, *target_lengths;
  int64_t steps, samples, classes, longest, blank;
  IndexErrors errors;

  Problem(const Tensor& x, const Tensor& target, const Tensor& in_lengths, const Tensor& out_lengths,
          const CtcParams& p)
      : log_probs(x.data_ptr<T>()),
        targets(target.data_ptr<int64_t>()),
        input_lengths(in_lengths.data_ptr<int64_t>()),
        target_lengths(out_lengths.data_ptr<int64_t>()),
        steps(x.size(0)),
        samples(x.size(1)),
        classes(x.size(2)),
        longest(target.size(1)),
        blank(p.blank),
        errors(index_errors(target, kCtcOutside)) {}
  __device__ int64_t steps_of(int64_t n) const { return input_lengths[n]; }
  __device__ ctc::States states(int64_t n) const { return {targets + n * longest, 1, target_lengths[n], blank}; }
  /// The log-probability of all alignments of sample n.
  __device__ T likelihood(const T* alpha, int64_t n) const {
    const ctc::States of_target = states(n);
    if (steps_of(n) == 0) return of_target.length == 0 ? T(0) : minus_infinity<T>();
    const T* const last = alpha + (n * steps + steps_of(n) - 1) * width() + of_target.count() - 1;
    return log_add(last[0], of_target.length > 0 ? last[-1] : minus_infinity<T>(), minus_infinity<T>());
  }
  __device__ int64_t width() const { return 2 * longest + 1; }
  __device__ int64_t row(int64_t t, int64_t n) const { return (t * samples + n) * classes; }
  /// 0 where the state's class does not exist, which is reported.
  __device__ T at(int64_t t, int64_t n, const ctc::States& states, int64_t s) const {
    const int64_t label = errors.checked(states.label(s), s / 2, classes);
    return label < 0 ? T(0) : log_probs[row(t, n) + label];
  }
};

template <class T>
__global__ void __launch_bounds__(kThreads) alpha_kernel(Problem<T> p, T* losses, T* alpha) {
  const int64_t n = blockIdx.x, steps = p.steps_of(n), width = p.width();
  const ctc::States states = p.states(n);
  T* const of_sample = alpha + n * p.steps * width;
  for (int64_t t = 0; t < p.steps; ++t) {
    const T* const before = of_sample + (t - 1) * width;
    for (int64_t s = threadIdx.x; s < width; s += blockDim.x) {
      T value = minus_infinity<T>();
      if (t < steps && s < states.count()) {
        if (t == 0)
          value = s < 2 ? T(0) : value;
        else
          value = log_add(before[s], s > 0 ? before[s - 1] : value, states.skips(s) ? before[s - 2] : value);
        value += p.at(t, n, states, s);
      }
      of_sample[t * width + s] = value;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) losses[n] = -p.likelihood(alpha, n);
}

template <class T>
__global__ void __launch_bounds__(kThreads) beta_kernel(Problem<T> p, T* beta) {
  const int64_t n = blockIdx.x, steps = p.steps_of(n), width = p.width();
  const ctc::States states = p.states(n);
  const int64_t count = states.count();
  T* const of_sample = beta + n * p.steps * width;
  for (int64_t t = steps - 1; t >= 0; --t) {
    const T* const after = of_sample + (t + 1) * width;
    for (int64_t s = threadIdx.x; s < count; s += blockDim.x) {
      T value = minus_infinity<T>();
      if (t == steps - 1)
        value = s + 2 >= count ? T(0) : value;
      else
        value = log_add(after[s], s + 1 < count ? after[s + 1] : value,
                        s + 2 < count && states.skips(s + 2) ? after[s + 2] : value);
      of_sample[t * width + s] = value + p.at(t, n, states, s);
    }
    __syncthreads();
  }
}

/// exp(log_probs), in the steps that count.
template <class T>
__global__ void __launch_bounds__(kThreads) fill_kernel(Problem<T> p, const T* losses, bool zero_infinity, T* out) {
  const int64_t total = p.steps * p.samples * p.classes;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < total; i += int64_t{gridDim.x} * kThreads) {
    const int64_t n = i / p.classes % p.samples, t = i / p.classes / p.samples;
    const bool is_impossible = losses[n] == -minus_infinity<T>();
    out[i] = t >= p.steps_of(n) || (is_impossible && zero_infinity) ? T(0)
             : is_impossible                                        ? std::numeric_limits<T>::quiet_NaN()
                                                                    : std::exp(p.log_probs[i]);
  }
}

/// A thread a step and sample takes off how often each class is visited, in order: the same bits each time.
template <class T>
__global__ void __launch_bounds__(kThreads)
    visits_kernel(Problem<T> p, const T* losses, const T* alpha, const T* beta, T* out) {
  const int64_t total = p.steps * p.samples, width = p.width();
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < total; i += int64_t{gridDim.x} * kThreads) {
    const int64_t n = i % p.samples, t = i / p.samples, from = (n * p.steps + t) * width;
    if (t >= p.steps_of(n) || losses[n] == -minus_infinity<T>()) continue;
    const ctc::States states = p.states(n);
    for (int64_t s = 0; s < states.count(); ++s) {
      const int64_t label = states.label(s);
      const T a = alpha[from + s], b = beta[from + s];
      if (label < 0 || label >= p.classes || a == minus_infinity<T>() || b == minus_infinity<T>()) continue;
      const int64_t at = p.row(t, n) + label;
      out[at] -= std::exp(a + b - p.log_probs[at] + losses[n]);
    }
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads) likelihood_kernel(Problem<T> p, const T* alpha, T* losses) {
  const int64_t n = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (n < p.samples) losses[n] = -p.likelihood(alpha, n);
}

template <class F>
void visit_single_and_double(DType dtype, F&& f) {
  dtype == kDouble ? f.template operator()<double>() : f.template operator()<float>();
}

/// The operands row-major.
struct Operands {
  Tensor log_probs, targets, input_lengths, target_lengths;
  Operands(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d)
      : log_probs(row_major(a)), targets(row_major(b)), input_lengths(row_major(c)), target_lengths(row_major(d)) {}
  template <class T>
  Problem<T> problem(const CtcParams& p) const {
    return {log_probs, targets, input_lengths, target_lengths, p};
  }
};

void ctc_loss_cuda(Tensors& out, Args in, const CtcParams& p) {
  if (out[0].numel() == 0) return;
  const Operands x(in[0], in[1], in[2], in[3]);
  write_row_major(out[0], [&](const Tensor& losses) {
    write_row_major(out[1], [&](const Tensor& alpha) {
      visit_single_and_double(x.log_probs.dtype(), [&]<class T>() {
        start("ctc_loss", alpha_kernel<T>, {static_cast<unsigned>(losses.numel())}, stream_of(losses), x.problem<T>(p),
              losses.data_ptr<T>(), alpha.data_ptr<T>());
      });
    });
  });
}

template <class T>
void slope_of(const Tensor& out, const Operands& x, const Tensor& alpha, const CtcParams& p) {
  const Problem<T> problem = x.problem<T>(p);
  const Tensor beta = empty_on_device(alpha.sizes(), alpha.dtype(), alpha.device());
  const Tensor losses = empty_on_device({problem.samples}, alpha.dtype(), alpha.device());
  const cudaStream_t stream = stream_of(out);
  constexpr const char* kName = "ctc_loss_slope";
  start(kName, likelihood_kernel<T>, {blocks_for(problem.samples)}, stream, problem, alpha.data_ptr<T>(),
        losses.data_ptr<T>());
  start(kName, beta_kernel<T>, {static_cast<unsigned>(problem.samples)}, stream, problem, beta.data_ptr<T>());
  start(kName, fill_kernel<T>, {grid(out.numel())}, stream, problem, losses.data_ptr<T>(), p.zero_infinity,
        out.data_ptr<T>());
  start(kName, visits_kernel<T>, {grid(problem.steps * problem.samples)}, stream, problem, losses.data_ptr<T>(),
        alpha.data_ptr<T>(), beta.data_ptr<T>(), out.data_ptr<T>());
}

void ctc_loss_slope_cuda(Tensors& out, Args in, const CtcParams& p) {
  if (out[0].numel() == 0) return;
  const Operands x(in[0], in[2], in[3], in[4]);
  const Tensor alpha = row_major(in[1]);
  write_row_major(out[0], [&](const Tensor& slope) {
    visit_single_and_double(slope.dtype(), [&]<class T>() { slope_of<T>(slope, x, alpha, p); });
  });
}

STRATA_KERNEL(ctc_loss_op, CUDA, ctc_loss_cuda);
STRATA_KERNEL(ctc_loss_slope_op, CUDA, ctc_loss_slope_cuda);

}  // namespace
}  // namespace strata::cuda::loss
