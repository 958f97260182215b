// An optimizer's step as a function: what it would write over its tensors, as new ones, for transforms and programs.
#pragma once
#include <vector>

#include "../dispatcher/names.h"

namespace strata {

/// The step's own op and params, and the inputs that it writes to, the first of them input 0.
struct StepResultsParams {
  const Op* step;
  OwnedParams params;
  std::vector<size_t> written;
  static constexpr bool kHoldsCode = true;
};
/// Shows the step's name and then its fields.
void visit(const StepResultsParams& p, FieldVisitor& visitor);

/// `step_results(Tensor[] tensors, str step) -> Tensor[]`: one result for each tensor that is written to. Not in the op
/// table, because it does nothing by itself.
extern Op step_results_op;

}  // namespace strata
