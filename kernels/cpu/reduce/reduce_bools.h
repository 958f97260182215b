// Reductions of bools, which are bytes.
#pragma once
#include "core/tensor.h"

namespace strata::cpu::reduce {

/// Writes how many bools of each line along `dims` are true. False, with nothing done, unless x is bool, its lines are
/// contiguous and so is `out`.
bool count_bools(const Tensor& out, const Tensor& x, IntArrayRef dims);

}  // namespace strata::cpu::reduce
