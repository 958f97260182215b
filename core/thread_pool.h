// The pool of worker threads behind parallel_for: one for the process, whichever threads call it.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>

#include "parallel.h"
#include "thread_state.h"

namespace strata::detail {

/// Pieces that a range is cut into for each thread, if the grain allows it: a thread that loses its core in the middle
/// of a piece holds up no more than that piece.
inline constexpr int64_t kPiecesPerThread = 4;

/// One parallel_for while it runs: a range cut into pieces, which its caller and the workers that come to help take one
/// after another. It lives on the caller's stack. Seat 0 is the caller's; a helper's seat says with which share of the
/// pieces it begins, so that the same memory tends to stay with the same core from one region to the next.
class Region {
 public:
  Region(int64_t begin, int64_t end, int64_t pieces, int seats, RangeFn fn, void* context);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// Runs pieces until none is left: those of the seat's own share first, then the others'.
  void take_pieces(int seat) noexcept;
  bool has_pieces() const;
  bool is_long() noexcept;
  /// Rethrows the first exception of any piece. Pieces that had not begun by then are left out.
  void rethrow() const;

  const ThreadState parent = thread_state;

 private:
  friend class ThreadPool;
  struct Share {
    std::atomic<int64_t> next;
    int64_t end;
  };

  void run_piece(int64_t piece) noexcept;
  int64_t bound(int64_t piece) const;

  const int64_t begin_, end_, pieces_;
  const RangeFn fn_;
  void* const context_;
  const int seats_;
  const int core_;  ///< that the caller runs on
  const std::unique_ptr<Share[]> shares_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;

  // The pool's notes, under its lock (but `helpers_`, which the caller also looks at while it waits).
  Region* next_open_ = nullptr;
  int taken_seats_ = 1;
  std::atomic<int> helpers_ = 0;
  bool caller_sleeps_ = false;
};

/// Workers are started when a region first asks for them, spin for a moment when they have nothing to do, longer where
/// regions follow each other, and then sleep; one that sleeps is woken for regions that are long enough. No region
/// waits for a worker that has not begun one of its pieces. The process has one pool, which is never destroyed.
class ThreadPool {
 public:
  static ThreadPool& instance();
  ThreadPool() = default;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Runs all of the region, with the help of idle workers as long as no more than `limit` threads, callers among them,
  /// are at work in the pool.
  void run(Region& region, int limit);

 private:
  int open(Region& region, int limit);
  void close(Region& region);
  void start_workers(int count);
  void work();
  Region* join();
  void help(Region& region, std::unique_lock<std::mutex>& lock);
  void look_around();
  bool wait_for_region(std::unique_lock<std::mutex>& lock, bool came_soon);

  std::mutex mutex_;
  std::condition_variable opened_, left_;  ///< a region was opened; the last helper left one whose caller sleeps
  std::atomic<uint64_t> openings_ = 0;     ///< grows when there is new work for a worker; changed under the lock
  Region* first_open_ = nullptr;
  int limit_ = 1;    ///< threads that may be at work
  int busy_ = 0;     ///< threads that are: callers and helpers
  int workers_ = 0;  ///< that were started
  int looking_out_ = 0, sleeping_ = 0;
  /// Whether others want the cores, as seen a while ago: then nobody spins for long, and workers are woken at once.
  std::atomic<bool> machine_is_busy_ = true;
  std::atomic<std::chrono::steady_clock::duration> looked_{};
};

}  // namespace strata::detail
