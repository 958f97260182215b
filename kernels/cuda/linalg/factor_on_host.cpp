// Factors of matrices that the host's LAPACK computes for tensors on the GPU: eigenvalues of matrices of any kind,
// whose reduction by rotations hardly runs in parallel, packed reflections, and factors that need or lack pivots of
// their own kind. The host waits for the matrices.
#include "core/cuda_backend.h"
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "ops/eigen_def.h"
#include "ops/factor_def.h"
#include "ops/ldl_def.h"

namespace strata::cuda::linalg {
namespace {

template <class P>
void run_on_host(const Op& op, Tensors& out, Args in, const P& p) {
  cuda::refuse_capture(op.name());
  std::vector<Tensor> here;
  here.reserve(in.size());
  ArgList args;
  for (const Tensor* t : in) args.push_back(here.emplace_back(t->cpu()));
  const Tensors found = call(op, args, p);
  for (size_t i = 0; i < out.size(); ++i) out[i].copy_(found[i]);
}

template <const Op& op>
void factor_on_host(Tensors& out, Args in, const NoParams& p) {
  run_on_host(op, out, in, p);
}
template <const Op& op>
void ldl_on_host(Tensors& out, Args in, const LdlParams& p) {
  run_on_host(op, out, in, p);
}

STRATA_KERNEL(eig_op, CUDA, factor_on_host<eig_op>);
STRATA_KERNEL(eigvals_op, CUDA, factor_on_host<eigvals_op>);
STRATA_KERNEL(geqrf_op, CUDA, factor_on_host<geqrf_op>);
STRATA_KERNEL(lu_plain_op, CUDA, factor_on_host<lu_plain_op>);
STRATA_KERNEL(ldl_factor_op, CUDA, ldl_on_host<ldl_factor_op>);
STRATA_KERNEL(ldl_solve_op, CUDA, ldl_on_host<ldl_solve_op>);

}  // namespace
}  // namespace strata::cuda::linalg
