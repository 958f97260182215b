// Histories that a trace cannot pass on.
#pragma once
#include <cstdint>

namespace strata::func::detail {

/// Note [Cut histories]
/// A tensor that is written to while recording is off keeps its history in eager code, so gradients flow on past the
/// write. In a program the new value is that of an equation which no gradient goes through. What the function itself
/// differentiates is right, for autograd records the trace's own variables; where its results pass gradients on, they
/// would be wrong, so that is an error.
void note_cut_history(uint64_t level);
/// Was there such a write in the trace of this level?
bool has_cut_history(uint64_t level);

}  // namespace strata::func::detail
