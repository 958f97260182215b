// How the launchers of a job's nodes meet. So far a node meets itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/options.h"

namespace strata::launcher {

/// What one attempt of the job is made of, as this node's launcher sees it.
struct RendezvousInfo {
  int64_t generation = 0;  ///< grows with each meeting; nothing of an earlier one counts any more
  int group_rank = 0;      ///< of this node
  int group_world_size = 1;
  int first_rank = 0;  ///< of this node's workers
  int world_size = 1;  ///< workers of all nodes
  std::string master_addr;
  int master_port = 0;
  std::vector<std::string> environment;  ///< more NAME=value for the workers, such as where the store is
};

/// Meets the other nodes. The launcher calls it before each attempt; it is the one place that knows of other machines.
class RendezvousHandler {
 public:
  using Ready = std::function<void(const RendezvousInfo&)>;
  virtual ~RendezvousHandler() = default;
  /// Calls `ready` on the launcher's loop, maybe before it returns, once all nodes have come.
  virtual void next_rendezvous(Ready ready) = 0;
};

/// The handler for a job of one node. Throws Exit (2) where the options want more nodes than one.
std::unique_ptr<RendezvousHandler> make_rendezvous(const Options& options);

}  // namespace strata::launcher
