// CUDA kernels of the fused optimizer steps: one launch for many parameters.
#include "kernels/cuda/optim/step_slots.cuh"
#include "kernels/visit_floating.h"
#include "ops/optim_ops_def.h"

namespace strata::cuda::optim {
namespace {

/// Raises the count of steps and writes the rates behind it.
template <class Step, class Rates>
__global__ void count_kernel(double* count, const double* lr, Step s) {
  if (threadIdx.x > 0) return;
  const double steps = count[0] + 1;
  count[0] = steps;
  *reinterpret_cast<Rates*>(count + 1) = steps::rates_of(s, steps, *lr);
}

/// Where in device memory the rates of a capturable step are.
template <class Rates, class Step>
const Rates* rates_on_device(std::string_view op, Args in, const Step& s) {
  const double* const lr = in[in.size() - 1].template data_ptr<double>();
  static_assert(sizeof(Rates) < kStepCounts * sizeof(double));
  if constexpr (std::is_same_v<Step, SgdStep>) {
    static_assert(sizeof(Rates) == sizeof(double));
    return reinterpret_cast<const Rates*>(lr);
  } else {
    const Tensor& count = in[in.size() - 2];
    double* const c = count.template data_ptr<double>();
    start(op, count_kernel<Step, Rates>, {1, 32}, stream_of(count), c, lr, s);
    return reinterpret_cast<const Rates*>(c + 1);
  }
}

template <class P>
void step_cuda(std::string_view op, Tensors& out, Args in, const P& p) {
  const auto& s = p.options;
  const InPlace tensors(out[0], in);
  const auto numbers = steps::rates_of(s);
  const auto* const rates = s.capturable ? rates_on_device<std::remove_const_t<decltype(numbers)>>(op, in, s) : nullptr;
  visit_floating(op, in[0].dtype(), [&]<class T>() {
    steps::with_formula<arithmetic::Compute<T>>(s, [&]<class Formula>(Formula formula) {
      formula.take(numbers);
      run_slots<T, Formula::kWidth>(op, tensors.args(), SlotStep<Formula, typename Formula::Rates>{formula, rates});
    });
  });
}

void adam_cuda(Tensors& out, Args in, const AdamParams& p) { step_cuda("adam_step", out, in, p); }
void sgd_cuda(Tensors& out, Args in, const SgdParams& p) { step_cuda("sgd_step", out, in, p); }
void rmsprop_cuda(Tensors& out, Args in, const RmspropParams& p) { step_cuda("rmsprop_step", out, in, p); }
void adagrad_cuda(Tensors& out, Args in, const AdagradParams& p) { step_cuda("adagrad_step", out, in, p); }

STRATA_KERNEL(adam_step_op, CUDA, adam_cuda);
STRATA_KERNEL(sgd_step_op, CUDA, sgd_cuda);
STRATA_KERNEL(rmsprop_step_op, CUDA, rmsprop_cuda);
STRATA_KERNEL(adagrad_step_op, CUDA, adagrad_cuda);

}  // namespace
}  // namespace strata::cuda::optim
