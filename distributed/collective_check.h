// Comparing what ranks call.
#pragma once
#include <string>
#include <vector>

#include "../core/communicator.h"

namespace strata::distributed {

/// How what ranks call differs, `ranks[r]` being rank r's: another collective than rank 0's, or another dtype, number
/// of elements, root or operation, or pieces that one rank sends and another takes with another length. It names two
/// ranks and what both call. Empty where all fits.
std::string difference_between(const std::vector<const Collective*>& ranks);

/// Throws that text on all ranks alike. All ranks of the engine's group call it, before each collective that is not a
/// message between two ranks; it costs an all_gather of a few bytes, and for pieces one of 16 W bytes.
void check_same_collective(Communicator& engine, const Collective& c);

}  // namespace strata::distributed
