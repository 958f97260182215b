// CPU kernels of glu and its gradient.
#include "kernels/glu_halves.h"

namespace strata::cpu::pointwise {
namespace {

STRATA_KERNEL(split_glu_op, CPU, halves::glu<Key::CPU>);
STRATA_KERNEL(split_glu_backward_op, CPU, halves::glu_backward<Key::CPU>);

}  // namespace
}  // namespace strata::cpu::pointwise
