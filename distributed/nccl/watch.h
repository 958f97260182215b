// What watches a group's collectives on the device: nobody else would notice that a rank does not come.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/cuda.h"
#include "distributed/engine.h"
#include "distributed/nccl/board.h"
#include "distributed/nccl/link.h"

namespace strata::distributed::nccl {

/// A collective between its start on the host and its end on the device.
struct Pending {
  std::string what;  ///< names it in errors
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  cuda::Event done{false};
  bool is_on_stream = false;  ///< was `done` recorded? Guarded by the watch.
};

/// How long others are waited for when a group is left.
std::chrono::milliseconds grace_of(const EngineOptions& options);

/// Keeps the first failure of a group. A thread asks about what is pending: has the library met an error, has another
/// rank failed or gone, is the time over? Then it ends the communicator, which lets the device's streams go on. Whoever
/// waited for a stream and then finds no failure has good numbers: a failure is known before anything ends by it.
class Watch {
 public:
  /// `link` outlives it. Ranks tell each other of failures at the board, by keys that begin with `prefix`.
  Watch(Link& link, std::shared_ptr<Board> board, const EngineOptions& options, std::string prefix);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Throws the failure, if there is one.
  void check();
  /// From here on the collective has a deadline.
  std::shared_ptr<Pending> begin(std::string what);
  /// It was put on the stream.
  void record(Pending& pending, const cuda::Stream& stream);
  /// Ends the group with this failure, unless it has one already, and tells the other ranks.
  void fail(const std::string& why);
  /// Returns when the device has finished it; throws the failure.
  void wait(const Pending& pending);
  /// Does so for all that is pending. False where the group has failed.
  bool drain();
  /// Tells the other ranks that this one leaves.
  void leave();

  /// Puts a value where the other ranks find it, and the way back.
  void publish(const std::string& name, const std::string& value);
  std::string look_up(const std::string& name);
  /// What a name of this group is on the board.
  std::string key(const std::string& name) const { return prefix_ + name; }

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  void look_after(const Pending& oldest, std::string why);
  std::string own_problem(const Pending& oldest);
  std::string told_by_others(const Pending& oldest);
  void end(const std::string& why, bool tell);
  std::string drop_finished();

  Link& link_;
  const EngineOptions options_;
  const std::string prefix_;  ///< of this group's keys
  const std::chrono::milliseconds grace_;
  const std::shared_ptr<Board> board_;
  Clock::time_point asked_others_ = Clock::now();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Pending>> pending_;
  std::string failure_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace strata::distributed::nccl
