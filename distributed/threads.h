// Ranks as threads of one process: a group for tests, for debugging, and for programs that share a process.
#pragma once
#include <chrono>

#include "../core/communicator.h"
#include "../core/function.h"

namespace strata::distributed {

/// Runs `body(group)` once for each of `world_size` ranks, each on a thread of its own, and returns when all are done.
/// On its thread the group is the default one and known by `name`. All reductions go by `reduce_in_pairs`, so they give
/// the bits of a vmap whose axis has that name. Where ranks throw, the others' collectives throw too, and the error of
/// the first one to fail comes out of the call. A rank that has waited for others for `timeout` fails.
///
///     distributed::run_threads(4, [](const ProcessGroup& group) {
///       const Tensor sum = distributed::all_reduce(full({}, group->rank()));  // 6 on each
///     });
void run_threads(int64_t world_size, const strata::detail::Function<void(const ProcessGroup&)>& body,
                 const std::string& name = "threads", std::chrono::milliseconds timeout = std::chrono::minutes(30));

/// A group of one rank, for programs that run alone.
ProcessGroup single_rank(const std::string& name = "single");

}  // namespace strata::distributed
