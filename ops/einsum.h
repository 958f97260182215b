// Einstein summation.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata {

/// Sums products over named dims: `einsum("bij,bjk->bik", {a, b})`. Letters name dims, a repeated letter within one
/// operand takes its diagonal, `...` stands for broadcast leading dims; without `->` the result has the dims of `...`
/// and then the letters that appear once, in alphabetical order. Operands are contracted in pairs from left to right.
Tensor einsum(std::string_view equation, TensorList operands);

}  // namespace strata
