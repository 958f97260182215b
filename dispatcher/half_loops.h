// Loops between the 16-bit floating point types and float, for programs that run chains of ops on such numbers.
#pragma once
#include "loops.h"

namespace strata::dispatch {

constexpr bool is_half16(DType t) { return t == kHalf || t == kBFloat16; }

/// As the CPU's element-wise kernels convert what they read and write. The loops have one input, whose elements lie in
/// a row, and no params.
struct HalfLoops {
  Loop widen = nullptr;   ///< to float
  Loop narrow = nullptr;  ///< from float, to the nearest, ties to even
  Loop round = nullptr;   ///< from float to the float that its 16 bits stand for; output and input may be one
};

/// Those of float16 or bfloat16.
const HalfLoops& half_loops(DType dtype);
/// For the kernels: gives the loops, when the library is loaded.
void set_half_loops(const HalfLoops& of_float16, const HalfLoops& of_bfloat16);

/// Does what calls the op's loop for `dtype` widen 16-bit operands and round results? It does unless the loop is one of
/// those that move bits.
bool works_in_float(const Op& op, DType dtype, const void* params);

}  // namespace strata::dispatch
