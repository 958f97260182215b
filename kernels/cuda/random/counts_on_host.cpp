// Poisson's and binomial numbers for tensors on the GPU, drawn on the host: elements take different counts of uniform
// numbers, and the same ones on every device. The host waits for the means.
#include "core/cuda_backend.h"
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "ops/poisson_def.h"

namespace strata::cuda::random {
namespace {

template <const Op& op>
void draw_on_host(Tensors& out, Args in, const NoParams&) {
  cuda::refuse_capture(op.name());
  std::vector<Tensor> here;
  here.reserve(in.size());
  ArgList args;
  for (const Tensor* t : in) args.push_back(here.emplace_back(t->cpu()));
  out[0].copy_(call(op, args)[0]);
}

STRATA_KERNEL(poisson_op, CUDA, draw_on_host<poisson_op>);
STRATA_KERNEL(binomial_op, CUDA, draw_on_host<binomial_op>);

}  // namespace
}  // namespace strata::cuda::random
