// What ops ask of their arguments, for calls that nobody vouches for. Internal to what loads programs.
#pragma once
#include <vector>

#include "../transforms/program.h"

namespace strata::func::exchange {

/// Note [Arguments of ops]
/// The public functions check, promote and broadcast what they are given; the ops behind them trust their arguments, so
/// that rules and eager code pay nothing for checks that cannot fail. A program from a file calls ops directly, so each
/// op that may be in one says here what it asks for: element-wise ops by being so, all others by a row in one of the
/// tables (check_rows.h). An op without one, of a plugin for example, is refused.

/// Is it known what the op asks for, so that it may be in a file?
bool has_checks(const Op& op);

/// Throws unless the op may be called with tensors of such types, null where one is undefined, and params; gives the
/// types of its results. Values are for kernels to check.
std::vector<Program::Type> checked_outputs(const Op& op, const std::vector<const Program::Type*>& inputs,
                                           dispatch::Params params);

}  // namespace strata::func::exchange
