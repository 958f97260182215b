// Factors of matrices that the host's LAPACK computes for tensors on the GPU: eigenvalues of matrices of any kind,
// whose reduction by rotations hardly runs in parallel, and packed reflections. The host waits for the matrices.
#include "core/cuda_backend.h"
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "ops/eigen_def.h"

namespace strata::cuda::linalg {
namespace {

template <const Op& op>
void factor_on_host(Tensors& out, Args in, const NoParams&) {
  cuda::refuse_capture(op.name());
  const Tensor a = in[0].cpu();
  const Tensors found = call(op, {&a});
  for (size_t i = 0; i < out.size(); ++i) out[i].copy_(found[i]);
}

STRATA_KERNEL(eig_op, CUDA, factor_on_host<eig_op>);
STRATA_KERNEL(eigvals_op, CUDA, factor_on_host<eigvals_op>);
STRATA_KERNEL(geqrf_op, CUDA, factor_on_host<geqrf_op>);

}  // namespace
}  // namespace strata::cuda::linalg
