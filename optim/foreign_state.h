// Optimizers' states as PyTorch and libtorch save them, put into the form of our own archives. Internal to
// Optimizer::load.
#pragma once
#include "optimizer.h"

namespace strata::optim::detail {

/// Is it the state of a `torch.optim` optimizer in Python or in libtorch?
bool is_foreign_state(const serialize::InputArchive& archive);
/// The same options and states by group and place. Options that are not in the file are those of the optimizer's
/// groups.
serialize::InputArchive translated(const serialize::InputArchive& archive,
                                   const std::vector<OptimizerParamGroup>& groups);

}  // namespace strata::optim::detail
