// A stream of a device that is host memory, whose work runs on a thread of its own: later than the host goes on, as on
// a GPU.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "test/cuda_stream.h"

namespace strata::test {

/// Lives as long as the process, and so does its thread: a stream that waits for ever must not keep it from ending.
class AsyncStream : public HostStream {
 public:
  AsyncStream() {
    std::thread([this] { work(); }).detach();
  }
  AsyncStream(const AsyncStream&) = delete;
  AsyncStream& operator=(const AsyncStream&) = delete;

  void enqueue(std::function<void()> job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
  }
  /// Returns when all that was put on the stream so far is done.
  void drain() {
    std::unique_lock lock(mutex_);
    const uint64_t last = done_ + jobs_.size();
    changed_.wait(lock, [&] { return done_ >= last; });
  }
  bool is_done() {
    const std::lock_guard lock(mutex_);
    return jobs_.empty();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !jobs_.empty(); });
      const std::function<void()> job = jobs_.front();
      lock.unlock();
      job();
      lock.lock();
      jobs_.pop_front();
      ++done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  ///< the first one is running
  uint64_t done_ = 0;
};

inline AsyncStream& stream_at(void* native) { return *static_cast<AsyncStream*>(static_cast<HostStream*>(native)); }

}  // namespace strata::test
