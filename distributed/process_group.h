// Joining the group of all processes of a job, and leaving it.
#pragma once
#include <chrono>
#include <string>

#include "../core/communicator.h"

namespace strata::distributed {

struct InitOptions {
  /// "gloo" for tensors of the CPU, "nccl" for those of CUDA devices, "cpu:gloo,cuda:nccl" for both.
  std::string backend = "gloo";
  /// "env://": as the launcher's variables say (environment.h); "file:///path": a folder that all ranks see, fresh for
  /// each run; "tcp://host:port": rank 0 listens there.
  std::string init_method = "env://";
  int64_t rank = -1, world_size = -1;          ///< from the environment where they are negative
  std::chrono::milliseconds timeout{300'000};  ///< of meeting the others, and of each collective
  std::string group_name = "world";
  /// The address or network interface that other machines reach this rank at. Without one, ranks of a single machine
  /// use its loopback interface, and others the interface that leads to MASTER_ADDR.
  std::string address = {}, interface = {};
  /// The CUDA device of this rank, for barriers before its first tensor; -1 for the one with its number on this
  /// machine.
  int64_t device = -1;
  /// A rank whose process gives no sign of life for so long, as after SIGSTOP or behind a link that was cut, is silent,
  /// which ends the group on all others. Zero for no heartbeats, for example to stop a rank in a debugger. Rank 0's
  /// counts. Computing for long is no silence: the process gives its signs by a thread.
  std::chrono::milliseconds heartbeat_timeout{4000};
  /// Ranks compare what they call before each collective, so that calls that do not match are an error that names two
  /// ranks. Costs an exchange each time. On for all as soon as one rank asks for it, also by
  /// TORCH_DISTRIBUTED_DEBUG=DETAIL or STRATA_DISTRIBUTED_DEBUG=1.
  bool debug = false;
};

/// Makes the default group: all processes that a launcher started, or this one alone where none did. Every rank calls
/// it once, before the first collective. Throws where the ranks do not meet in time, or if there is a group already.
void init_process_group(const InitOptions& options = {});
/// Leaves the default group; modules and graphs that hold it keep it alive.
void destroy_process_group();
bool is_initialized();

}  // namespace strata::distributed
