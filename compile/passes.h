// Passes: each takes the body of a program and returns one that computes the same bits with less work. What nothing
// needs any more is dropped when the body becomes a program again.
#pragma once
#include "../transforms/program.h"

namespace strata::func::passes {

/// Does running the equation once more, or once less, change nothing but time?
bool is_pure(const Program::Equation& e);

/// Equations of constants alone become constants. What was captured from outside stays, since it may be written to.
Program::Body fold_constants(Program::Body body);

/// What multiplies or divides by one, and views that show all of a tensor as it is, are read past. Adding zero is not,
/// which makes -0 a 0.
Program::Body drop_neutral(Program::Body body);

/// Effects write what was copied for them as it was before.
Program::Body drop_copies_for_effects(Program::Body body);

/// Equations that compute the same twice are computed once.
Program::Body share_common(Program::Body body);

/// All of them, in the order that lets each find the most.
Program simplify(const Program& program);

}  // namespace strata::func::passes
