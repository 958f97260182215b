// How the launchers of a job's nodes meet, and how each hears what has become of the others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/loop.h"
#include "launcher/options.h"

namespace strata::launcher {

/// What one attempt of the job is made of, as this node's launcher sees it.
struct RendezvousInfo {
  int64_t generation = 0;  ///< grows with each meeting; nothing of an earlier one counts any more
  int restarts = 0;        ///< how many of the job's there have been before it
  int group_rank = 0;      ///< of this node
  int group_world_size = 1;
  std::vector<int> nodes = {0};  ///< which nodes these are, by --node-rank
  int first_rank = 0;            ///< of this node's workers
  int world_size = 1;            ///< workers of all nodes
  std::string master_addr;
  int master_port = 0;
  std::vector<std::string> environment;  ///< more NAME=value for the workers, such as where the store is
};

/// How an attempt of the whole job has ended.
struct Verdict {
  bool succeeded = false;
  bool is_final = false;   ///< no restart follows, whatever is left of them
  bool grows = false;      ///< it has not failed: another node wants to take part, and a restart is not counted
  bool leaves = false;     ///< the node that has ended it takes part in no further attempt
  bool is_silent = false;  ///< and may live all the same
  bool follows = false;    ///< how it has ended is not known, but that another one follows
  int node = 0;            ///< which has ended it
  std::string reason;      ///< what has happened there
};

/// Meets the other nodes; it is the one place that knows of other machines. All calls come from the launcher's loop.
class RendezvousHandler {
 public:
  using Ready = std::function<void(const RendezvousInfo&)>;
  using Failed = std::function<void(int code, const std::string& text)>;
  using Ended = std::function<void(const Verdict&)>;
  virtual ~RendezvousHandler() = default;

  /// Comes before all other calls. `ended` is called when a node, maybe this one, has ended the attempt, or when all
  /// have succeeded.
  virtual void attach(Loop& loop, Ended ended) = 0;

  /// Calls `ready`, maybe before it returns, once all nodes have come, or `failed` with the launcher's exit code.
  virtual void next_rendezvous(Ready ready, Failed failed) = 0;

  /// All workers of this node have exited with 0. Where they were done before they took part in the current
  /// generation, `finished` is the one that they have finished, whose nodes are all that the job's success wants;
  /// else -1.
  virtual void succeed(int64_t finished) = 0;

  /// Ends the attempt on all nodes.
  virtual void fail(const std::string& reason, bool is_final) = 0;
};

/// The handler that a job of these options wants. Throws Exit (2) where several nodes lack what they need to meet.
std::unique_ptr<RendezvousHandler> make_rendezvous(const Options& options);

/// A port that nobody holds, of the loopback interface or of all. Throws std::system_error.
int free_port(bool is_local);

/// The handler for several nodes.
std::unique_ptr<RendezvousHandler> make_several_nodes(const Options& options);

}  // namespace strata::launcher
