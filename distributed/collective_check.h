// Comparing what ranks call.
#pragma once
#include "../core/communicator.h"

namespace strata::distributed {

/// Throws on all ranks alike where one of them calls another collective than rank 0, or with another dtype, number of
/// elements, root or operation. All ranks of the engine's group call it, before each collective that is not a message
/// between two ranks; it costs an all_gather of a few bytes. Pieces of different lengths are not compared.
void check_same_collective(Communicator& engine, const Collective& c);

}  // namespace strata::distributed
