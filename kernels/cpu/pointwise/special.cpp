// CPU kernels of the functions of mathematics beyond the C library's, of divisors and of the digits of floats.
#include "kernels/cpu/common/op_loops.h"
#include "kernels/special_formulas.h"

namespace strata::cpu::pointwise {
namespace {

const PlainOps registered{arithmetic::OfSpecial()};

}  // namespace
}  // namespace strata::cpu::pointwise
