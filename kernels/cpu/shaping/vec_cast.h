// Casts of which the compiler makes no vectors, or short ones: SIMD code chosen at run time for the processor.
#pragma once
#include "dispatcher/loops.h"

namespace strata::cpu::shaping {

// Loops of one input; to integers as truncated() of kernels/convert.h has it.
dispatch::Loop float_to_int64();
dispatch::Loop double_to_int64();
dispatch::Loop double_to_float();

}  // namespace strata::cpu::shaping
