// What a step of a chain is written as in a kernel's source.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "dispatcher/chain.h"

namespace strata::cuda::fused {

struct Formula {
  std::string function;         ///< is called with the operands and then the numbers
  std::vector<double> numbers;  ///< of the step's params, in their order
  bool is_long = false;         ///< too long to be written out for each element of a pack
  std::string header = {};      ///< where it is, if not in chain.cuh
};

/// The name of a type in a source: `float`, `Half`, `uint8_t`; empty for types that no chain has.
std::string_view type_name(DType dtype);

/// The formula of an op for inputs of these dtypes, as the op's own kernel chooses it; none where the op is no formula.
std::optional<Formula> formula_of(const dispatch::Op& op, ArrayRef<DType> inputs, const void* params);

}  // namespace strata::cuda::fused
