// CPU kernels of divisors and of the digits of floats.
#include "kernels/cpu/common/op_loops.h"
#include "kernels/digits_formulas.h"

namespace strata::cpu::pointwise {
namespace {

const PlainOps digits_ops{arithmetic::Digits()};

}  // namespace
}  // namespace strata::cpu::pointwise
