// Random permutations for CUDA devices. Fisher-Yates takes one step after the other, which a host does fastest: the
// permutation is the CPU's, copied.
#include "core/cuda_backend.h"
#include "dispatcher/kernel.h"
#include "ops/cast_def.h"
#include "ops/random_def.h"

namespace strata::cuda::random {
namespace {

void randperm_cuda(Tensors& out, Args, const RandomParams& p) {
  refuse_capture("randperm");
  Tensors made(empty_cpu(p.sizes, p.dtype));
  randperm_op.kernels[static_cast<int>(DeviceType::CPU)](made, {}, &p);
  const TransferParams transfer{out[0].device(), false};
  transfer_op.kernels[static_cast<int>(DeviceType::CUDA)](out, {&made[0]}, &transfer);
}

STRATA_KERNEL(randperm_op, CUDA, randperm_cuda);

}  // namespace
}  // namespace strata::cuda::random
