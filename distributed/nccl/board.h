// What ranks tell each other beside their collectives.
#pragma once
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "rendezvous/meeting.h"

namespace strata::distributed::nccl {

/// The meeting of a rank, for any of its threads. A group and its parts share one, so that the store which rank 0 opens
/// lives as long as the last group of it: the rank that has it waits up to `grace` for the others' boards to end.
class Board {
 public:
  /// Keys of its own begin with `prefix`, as those of the ranks' first group.
  Board(std::unique_ptr<rendezvous::Meeting> meeting, std::string prefix, int64_t rank, int64_t ranks,
        std::chrono::milliseconds grace)
      : prefix_(std::move(prefix)), rank_(rank), grace_(grace), meeting_(std::move(meeting)) {
    for (int64_t r = 0; r < ranks; ++r) others_.insert(r);
    others_.erase(rank);
  }
  ~Board() {
    const auto deadline = std::chrono::steady_clock::now() + grace_;
    try {
      set(gone(rank_), "");
      if (!meeting_->is_host()) return;
      for (const int64_t r : others_) wait_for(gone(r), until(deadline));
    } catch (const std::exception&) {
      // Somebody did not leave in time, or the store has gone with the rank that had opened it.
    }
  }
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

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
      const std::chrono::milliseconds rest = until(deadline);
      try {
        const std::lock_guard lock(mutex_);
        return meeting_->get(key, std::clamp(rest, kShortest, kTurn));
      } catch (const rendezvous::StoreTimeout&) {
        if (rest <= kTurn) throw;
      }
    }
  }
  /// Does not wait in the end for the one that has this rank of the first group.
  void forget(int64_t rank) {
    const std::lock_guard lock(mutex_);
    others_.erase(rank);
  }

 private:
  static constexpr std::chrono::milliseconds kShortest{1}, kTurn{200};
  static std::chrono::milliseconds until(std::chrono::steady_clock::time_point deadline) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  }
  std::string gone(int64_t rank) const { return prefix_ + "gone/" + std::to_string(rank); }

  const std::string prefix_;
  const int64_t rank_;
  const std::chrono::milliseconds grace_;
  std::mutex mutex_;
  std::set<int64_t> others_;
  const std::unique_ptr<rendezvous::Meeting> meeting_;
};

}  // namespace strata::distributed::nccl
