// The conversions of 16-bit numbers that the kernels gave.
#include "dispatcher/half_loops.h"

namespace strata::dispatch {
namespace {

HalfLoops loops[2];

}  // namespace

const HalfLoops& half_loops(DType dtype) { return loops[dtype == kBFloat16]; }

void set_half_loops(const HalfLoops& of_float16, const HalfLoops& of_bfloat16) {
  loops[0] = of_float16;
  loops[1] = of_bfloat16;
}

bool works_in_float(const Op& op, DType dtype, const void* params) {
  return !is_half16(dtype) || loop_of(op, dtype, params).loop == loop_of(op, kFloat, params).loop;
}

}  // namespace strata::dispatch
