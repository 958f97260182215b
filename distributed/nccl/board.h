// What ranks tell each other beside their collectives.
#pragma once
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "rendezvous/meeting.h"

namespace strata::distributed::nccl {

/// The meeting of a rank, for any of its threads. A group and its parts share one, so that the store which rank 0 opens
/// lives as long as the last group of it.
class Board {
 public:
  explicit Board(std::unique_ptr<rendezvous::Meeting> meeting) : meeting_(std::move(meeting)) {}

  void set(const std::string& key, const std::string& value) {
    const std::lock_guard lock(mutex_);
    meeting_->set(key, value);
  }
  bool has(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return meeting_->check(key);
  }
  /// Waits for the key, and lets other threads use the meeting meanwhile.
  std::string wait_for(const std::string& key, std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      const auto rest =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      try {
        const std::lock_guard lock(mutex_);
        return meeting_->get(key, std::clamp(rest, std::chrono::milliseconds(1), kTurn));
      } catch (const rendezvous::StoreTimeout&) {
        if (rest <= kTurn) throw;
      }
    }
  }
  bool is_host() const { return meeting_->is_host(); }

 private:
  static constexpr std::chrono::milliseconds kTurn{200};
  std::mutex mutex_;
  const std::unique_ptr<rendezvous::Meeting> meeting_;
};

}  // namespace strata::distributed::nccl
