// A communicator of NCCL that never makes the host wait inside of the library, so that any thread can end it.
#pragma once
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "core/function.h"
#include "distributed/nccl/api.h"

namespace strata::distributed::nccl {

/// Owns an ncclComm_t, which does not exist before `open`. The library is called by one thread at a time, and each of
/// its calls returns at once; what they began is waited for outside of the lock. Failures throw Error with the name of
/// the function and the library's own words.
class Link {
 public:
  Link() = default;
  /// Aborts what was not closed.
  ~Link() { abort(); }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  using Call = detail::Function<Result(Comm)>;
  using Clock = std::chrono::steady_clock;

  /// Joins the other ranks on the current device; returns when all have come, throws when `abort` was called. The id is
  /// not asked for where another link has given this link its communicator.
  void open(const UniqueId& id, int ranks, int rank);
  /// Gives `part` a communicator of the ranks that pass the same color, in the order of `key`; none for kNoColor. Every
  /// rank calls it when all that it has put on the stream is done. Throws at the deadline. Needs CommSplit.
  void split_into(Link& part, int color, int key, Clock::time_point deadline);
  /// Gives `part` a communicator of all ranks but `excluded`, which do not call it, in their order. As `split_into`
  /// otherwise. Needs CommShrink.
  void shrink_into(Link& part, std::vector<int> excluded, Clock::time_point deadline);
  bool is_open();
  /// Calls one function of the library and waits until it has put its work on the stream.
  void run(const char* what, const Call& call);
  /// The same for several that have to go on together; `calls` stops at the first that fails.
  void run_together(const char* what, const Call& calls);
  /// What has gone wrong since on the device or in the network; empty for nothing.
  std::string async_error();
  /// Ends everything that runs or waits, from any thread; later calls throw. Nothing where it has ended already.
  void abort() noexcept;
  /// Ends well, with the other ranks; aborts where they do not come in time.
  void close(std::chrono::milliseconds grace);

 private:
  void check(const char* what, Result result) const;
  void settle(const char* what, Result result, Clock::time_point deadline = Clock::time_point::max());
  Result begin(const char* what, const Call& call, bool together);
  using Make = detail::Function<Result(Comm whole, Comm* made)>;
  void make_part(const char* what, Link& part, bool is_in_it, Clock::time_point deadline, const Make& make);

  std::mutex mutex_;
  Comm comm_ = nullptr;
  bool ended_ = false;
  std::deque<Comm> parts_;  ///< where the library writes the communicators of parts, when it is ready to
};

}  // namespace strata::distributed::nccl
