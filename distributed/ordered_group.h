// What every group of processes has above its engine: reductions in a fixed order, numbers for calls, one error for
// all.
#pragma once
#include <memory>

#include "../core/communicator.h"

namespace strata::distributed {

class GroupWatch;

/// A group that runs what moves bytes by `engine`, and makes reductions of that: for all_reduce, each rank sums one
/// piece of everybody's numbers in the order of `reduce_in_pairs` and sends it to all, so that each byte is sent twice,
/// as in a ring, and the bits are the same for any engine. Large ones go in rounds, of which one travels while another
/// is summed; small ones are gathered whole and summed on each rank. What is started runs on a thread of the group's
/// own, what is run on the caller's. The engine's `start` of kPermute must not wait for other ranks. The first
/// failure closes the engine; each later call throws what that one threw. With a watch, all ranks throw the same, and
/// what each has run is recorded. Messages between two ranks have numbers of their own, since only those two count
/// them.
ProcessGroup ordered_group(ProcessGroup engine, std::shared_ptr<GroupWatch> watch = nullptr);

}  // namespace strata::distributed
