// Grid sampling on CUDA devices, of gathers and scatters.
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "ops/grid_sample_def.h"

namespace strata::cuda::resample {
namespace {

void grid_sample_cuda(Tensors& out, Args in, const GridParams& p) {
  copy_strided(out[0], composed_grid_sample(in[0], in[1], p));
}
void grid_sample_backward_cuda(Tensors& out, Args in, const GridParams& p) {
  copy_strided(out[0], composed_grid_sample_backward(in[0], in[1], p));
}

STRATA_KERNEL(grid_sample_op, CUDA, grid_sample_cuda);
STRATA_KERNEL(grid_sample_backward_op, CUDA, grid_sample_backward_cuda);

}  // namespace
}  // namespace strata::cuda::resample
