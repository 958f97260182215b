// Programs as compiled functions.
#pragma once
#include "test/differential/program.h"

namespace differential {

/// Runs a statement.
using CallStatement = List (*)(const Statement& s, const Variables& variables);

/// Makes one function of what a program does with its leaves, up to the first statement that eager code refuses or that
/// cannot be traced, runs it compiled, three times, and prints a difference to eager code in a bit of a result or of
/// a leaf that it writes to; then the same with a backward pass from its results inside of the function, for the
/// gradients of its leaves; then its forward and backward made ahead of time by aot, for the gradients that eager
/// code's backward gives. True if there is none.
bool check_compiled(const Program& program, CallStatement call);

}  // namespace differential
