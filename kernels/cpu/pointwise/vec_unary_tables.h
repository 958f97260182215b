// The table of unary vector loops and the functions that fill it, one per file of loops.
#pragma once
#include "kernels/cpu/pointwise/vec_unary.h"

namespace strata::cpu::pointwise {

struct UnaryTable {
  FloatLoops loops[static_cast<int>(VecUnary::kCount)];
  FloatLoops& operator[](VecUnary f) { return loops[static_cast<int>(f)]; }
  const FloatLoops& operator[](VecUnary f) const { return loops[static_cast<int>(f)]; }
};

void fill_unary_exp_log(UnaryTable& t);
void fill_unary_trig(UnaryTable& t);

}  // namespace strata::cpu::pointwise
