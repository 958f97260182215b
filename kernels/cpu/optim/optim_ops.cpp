// CPU kernels of the fused optimizer steps.
#include "dispatcher/kernel.h"
#include "kernels/cpu/optim/step_slots.h"
#include "ops/optim_ops_def.h"

namespace strata::cpu::optim {
namespace {

double& number(const Tensor& t) { return *reinterpret_cast<double*>(t.bytes()); }

/// The rates of a step. A capturable one has its learning rate in its last input, and in the one before it the count,
/// which is raised.
template <class Step>
auto rates_of(const Step& s, Args in) {
  if constexpr (requires { s.capturable; }) {
    if (s.capturable) {
      const double lr = number(in[in.size() - 1]);
      if constexpr (std::is_same_v<Step, SgdStep>)
        return steps::rates_of(s, 0, lr);
      else
        return steps::rates_of(s, ++number(in[in.size() - 2]), lr);
    }
  }
  return steps::rates_of(s);
}

template <class P>
void step_cpu(Tensors& out, Args in, const P& p) {
  const auto& s = p.options;
  const auto rates = rates_of(s, in);
  const auto run = [&](auto formula) {
    formula.take(rates);
    step_slots(out, in, formula);
  };
  if (in[0].dtype() == kDouble) return steps::with_formula<double>(s, run);
  steps::with_formula<float>(s, run);
}

STRATA_KERNEL(adam_step_op, CPU, step_cpu<AdamParams>);
STRATA_KERNEL(sgd_step_op, CPU, step_cpu<SgdParams>);
STRATA_KERNEL(rmsprop_step_op, CPU, step_cpu<RmspropParams>);
STRATA_KERNEL(adagrad_step_op, CPU, step_cpu<AdagradParams>);
STRATA_KERNEL(adamax_step_op, CPU, step_cpu<AdamaxParams>);
STRATA_KERNEL(nadam_step_op, CPU, step_cpu<NadamParams>);
STRATA_KERNEL(radam_step_op, CPU, step_cpu<RadamParams>);
STRATA_KERNEL(adadelta_step_op, CPU, step_cpu<AdadeltaParams>);
STRATA_KERNEL(rprop_step_op, CPU, step_cpu<RpropParams>);
STRATA_KERNEL(asgd_step_op, CPU, step_cpu<AsgdParams>);
STRATA_KERNEL(lion_step_op, CPU, step_cpu<LionParams>);

}  // namespace
}  // namespace strata::cpu::optim
