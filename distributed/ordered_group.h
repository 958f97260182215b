// What every group of processes has above its engine: reductions in a fixed order, numbers for calls, one error for
// all.
#pragma once
#include "../core/communicator.h"

namespace strata::distributed {

/// A group that runs what moves bytes by `engine`, and makes reductions of that: all_reduce by an all_to_all of pieces,
/// the sum of each piece by `reduce_in_pairs`, and an all_gather, so that each byte is sent twice, as in a ring, and
/// the bits are those of `reduce_in_pairs` for any engine. Small ones are gathered whole and summed on each rank. What
/// is started runs on a thread of the group's own. The first failure closes the engine; each later call throws what
/// that one threw.
ProcessGroup ordered_group(ProcessGroup engine);

}  // namespace strata::distributed
