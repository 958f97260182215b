// The table of binary vector loops and the function that fills the part of it that needs vector mathematics.
#pragma once
#include "kernels/cpu/pointwise/vec_binary.h"

namespace strata::cpu::pointwise {

struct BinaryTable {
  FloatLoops loops[static_cast<int>(VecBinary::kCount)];
  FloatLoops& operator[](VecBinary f) { return loops[static_cast<int>(f)]; }
  const FloatLoops& operator[](VecBinary f) const { return loops[static_cast<int>(f)]; }
};

void fill_binary_math(BinaryTable& t);

}  // namespace strata::cpu::pointwise
