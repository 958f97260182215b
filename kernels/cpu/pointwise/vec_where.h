// Loops of `where(bool condition, a, b)`, by element size.
#pragma once
#include "kernels/cpu/common/loop.h"

namespace strata::cpu::pointwise {

struct WhereLoops {
  Loop loops[4];  // of 1, 2, 4 and 8 bytes
};
const WhereLoops& vec_where();

}  // namespace strata::cpu::pointwise
