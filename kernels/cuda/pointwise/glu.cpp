// CUDA kernels of glu and its gradient.
#include "kernels/glu_halves.h"

namespace strata::cuda::pointwise {
namespace {

STRATA_KERNEL(split_glu_op, CUDA, halves::glu<Key::CUDA>);
STRATA_KERNEL(split_glu_backward_op, CUDA, halves::glu_backward<Key::CUDA>);

}  // namespace
}  // namespace strata::cuda::pointwise
