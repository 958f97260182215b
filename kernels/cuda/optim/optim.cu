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
  using Rates = std::remove_const_t<decltype(numbers)>;
  const Rates* rates = nullptr;
  if constexpr (requires { s.capturable; })
    if (s.capturable) rates = rates_on_device<Rates>(op, in, s);
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
void adamax_cuda(Tensors& out, Args in, const AdamaxParams& p) { step_cuda("adamax_step", out, in, p); }
void nadam_cuda(Tensors& out, Args in, const NadamParams& p) { step_cuda("nadam_step", out, in, p); }
void radam_cuda(Tensors& out, Args in, const RadamParams& p) { step_cuda("radam_step", out, in, p); }
void adadelta_cuda(Tensors& out, Args in, const AdadeltaParams& p) { step_cuda("adadelta_step", out, in, p); }
void rprop_cuda(Tensors& out, Args in, const RpropParams& p) { step_cuda("rprop_step", out, in, p); }
void asgd_cuda(Tensors& out, Args in, const AsgdParams& p) { step_cuda("asgd_step", out, in, p); }
void lion_cuda(Tensors& out, Args in, const LionParams& p) { step_cuda("lion_step", out, in, p); }

STRATA_KERNEL(adam_step_op, CUDA, adam_cuda);
STRATA_KERNEL(sgd_step_op, CUDA, sgd_cuda);
STRATA_KERNEL(rmsprop_step_op, CUDA, rmsprop_cuda);
STRATA_KERNEL(adagrad_step_op, CUDA, adagrad_cuda);
STRATA_KERNEL(adamax_step_op, CUDA, adamax_cuda);
STRATA_KERNEL(nadam_step_op, CUDA, nadam_cuda);
STRATA_KERNEL(radam_step_op, CUDA, radam_cuda);
STRATA_KERNEL(adadelta_step_op, CUDA, adadelta_cuda);
STRATA_KERNEL(rprop_step_op, CUDA, rprop_cuda);
STRATA_KERNEL(asgd_step_op, CUDA, asgd_cuda);
STRATA_KERNEL(lion_step_op, CUDA, lion_cuda);

}  // namespace
}  // namespace strata::cuda::optim
