// Programs as compiled functions.
#pragma once
#include "test/differential/program.h"

namespace differential {

/// Runs a statement.
using CallStatement = List (*)(const Statement& s, const Variables& variables);

/// Makes one function of what a program does with its leaves, as far as eager code takes it and it can be traced, runs
/// it compiled, three times, and prints a difference to eager code: in a bit of a result or of a leaf that it writes
/// to, in whether a result is an argument or requires a gradient, or in a gradient. It does so without gradients, with
/// the program's backward passes inside of the function, with one outside of it, and with forward and backward made
/// ahead of time by aot. True if there is no difference. A statement that is refused inside alone, but for its asking
/// for values, is counted, and what comes before it compared.
bool check_compiled(const Program& program, CallStatement call);

/// Prints what was refused so far, by the kind of the message, the most frequent first, and gives the number of
/// programs that were refused in some way.
int report_refusals();

}  // namespace differential
