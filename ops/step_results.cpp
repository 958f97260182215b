// Steps of optimizers on copies of their tensors.
#include "ops/step_results.h"

#include "core/grad_mode.h"
#include "ops/cast.h"

namespace strata {

void visit(const StepResultsParams& p, FieldVisitor& visitor) {
  visitor.text(p.step->name());
  Params(p.params).visit_fields(visitor);
}

namespace {

const StepResultsParams& of(const void* params) { return *static_cast<const StepResultsParams*>(params); }

Metas infer(Args in, const void* params) {
  const std::vector<size_t>& written = of(params).written;
  std::vector<Meta> metas;
  for (size_t i : written) metas.push_back(meta_like(in[i]));
  return Metas(std::move(metas));
}

/// The kernels of steps write to their inputs but for the first, whose new value is their output.
void run(Tensors& out, Args in, const void* params) {
  const StepResultsParams& p = of(params);
  const NoGradGuard no_grad;
  Tensors row_major = Tensors::undefined(in.size());
  ArgList tensors;
  for (size_t i = 0; i < in.size(); ++i)
    row_major[i] = in[i].is_contiguous() ? in[i] : in[i].clone(MemoryFormat::Contiguous);
  for (size_t k = 0; k < p.written.size(); ++k) {
    out[k].copy_(in[p.written[k]]);
    row_major[p.written[k]] = out[k];
  }
  for (const Tensor& t : row_major) tensors.push_back(t);
  Tensors first(out[0]);
  p.step->kernel(in[0].device().type())(first, tensors, p.params.data());
}

constexpr Op make_step_results_op() {
  Op op;
  op.schema = "step_results(Tensor[] tensors, str step) -> Tensor[]";
  op.flags = kNotDifferentiable;
  op.params = &dispatch::params_type<StepResultsParams>;
  for (DTypes& types : op.dtypes) types = kFloatingTypes;
  op.infer = &infer;
  for (KernelFn& kernel : op.kernels) kernel = &run;
  return op;
}

}  // namespace

constinit Op step_results_op = make_step_results_op();

}  // namespace strata
