// The environment of a worker, with the names that torchrun has given them.
#pragma once

#include <string>
#include <vector>

#include "launcher/options.h"
#include "launcher/rendezvous_handler.h"

namespace strata::launcher {

/// `inherited` (entries NAME=value, a null at the end) as it is but for the names of a worker's place in the job, which
/// come behind it. OMP_NUM_THREADS is 1 where several workers share the node and it was not set.
std::vector<std::string> worker_environment(const char* const* inherited, const Options& options,
                                            const RendezvousInfo& info, int local_rank, int attempt);

/// The entries NAME=value of a worker's place in the job alone.
std::vector<std::string> place_variables(const Options& options, const RendezvousInfo& info, int local_rank,
                                         int attempt);

/// Random bytes in hexadecimal digits.
std::string random_hex(size_t bytes);

}  // namespace strata::launcher
