// Loading what moves bytes between processes: a library for each kind of engine, so that libstrata depends on none.
#pragma once
#include <chrono>
#include <string>

#include "../core/communicator.h"

namespace strata::distributed {

/// What an engine needs to meet the other ranks of a group.
struct EngineOptions {
  std::string name;  ///< of the group; the same on all ranks, and another one for each group that uses the same store
  int64_t rank = 0;
  int64_t world_size = 1;
  /// Where ranks find each other: "file:///path", a folder that all see and that is fresh; "tcp://host:port", where
  /// rank 0 opens a store; "agent://host:port", where somebody has opened one; "generation://host:port", where a
  /// launcher has, and ends it when a rank is lost before all have met.
  std::string store;
  std::string token;  ///< of the store, in hexadecimal digits; empty for one that asks for none
  /// The address or the interface that others reach this rank at; empty for 127.0.0.1.
  std::string address, interface;
  std::chrono::milliseconds timeout{0};  ///< of meeting the others and of each collective
  /// The CUDA device of this rank where no tensor says which; -1 for the current one.
  int64_t device = -1;
  /// A watched group's engine waits so much longer than `timeout`, since its watch looks at the clock.
  std::chrono::milliseconds grace{0};
  /// A rank whose heartbeat has not changed for so long is silent; 0 for no heartbeats.
  std::chrono::milliseconds heartbeat_timeout{4000};
  bool debug = false;  ///< compares what ranks call, before each call
};

/// What an engine may be besides a Communicator: one that knows to which ranks its connections are broken.
class KnowsLostRanks {
 public:
  /// From any thread.
  virtual std::vector<int64_t> lost_ranks() = 0;

 protected:
  ~KnowsLostRanks() = default;
};

/// What an engine's library exports as `strata_engine_entry`: makes a group. That of Gloo moves bytes (kBroadcast,
/// kAllGather, kAllToAll, kPermute, kGather, kScatter, kBarrier, and messages) and leaves reductions to
/// `ordered_group`. Throws Error where the ranks do not meet in time.
using EngineEntry = void (*)(const EngineOptions& options, ProcessGroup& group);

/// A group by Gloo. Throws where its library is not installed.
ProcessGroup gloo_engine(const EngineOptions& options);
/// A group by NCCL, of ranks that have a CUDA device each: all collectives, of CUDA tensors, on a stream of the group's
/// own that waits for the current one, as that does for it. Reductions have NCCL's order. Throws where NCCL or its
/// engine's library is not installed. The ranks' communicator is made by the first collective, for its tensor's device.
ProcessGroup nccl_engine(const EngineOptions& options);

}  // namespace strata::distributed
