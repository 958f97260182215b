// libtorch's queue between threads, and what puts results of workers in order.
#pragma once
#include <strata/strata.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "check.h"

namespace strata::data::detail {

/// Values that some threads push and others wait for.
template <class T>
class Queue {
 public:
  void push(T value) {
    {
      const std::lock_guard lock(mutex_);
      values_.push(std::move(value));
    }
    arrived_.notify_one();
  }
  /// The oldest value. Throws Error when none comes in time.
  T pop(std::optional<std::chrono::milliseconds> timeout = std::nullopt) {
    std::unique_lock lock(mutex_);
    const auto any = [this] { return !values_.empty(); };
    if (!timeout) {
      arrived_.wait(lock, any);
    } else if (!arrived_.wait_for(lock, *timeout, any)) {
      throw Error(
          str("Timeout in DataLoader queue while waiting for next batch (timeout was ", timeout->count(), " ms)"));
    }
    T value = std::move(values_.front());
    values_.pop();
    return value;
  }
  /// Drops all values; how many there were.
  size_t clear() {
    const std::lock_guard lock(mutex_);
    const size_t count = values_.size();
    values_ = {};
    return count;
  }

 private:
  std::queue<T> values_;
  std::mutex mutex_;
  std::condition_variable arrived_;
};

/// Give results in an order: `next(get)` calls `get` for further ones until the next of the order is there.
namespace sequencers {

template <class Result>
struct Sequencer {
  using ResultProducer = std::function<std::optional<Result>()>;
  virtual ~Sequencer() = default;
  virtual std::optional<Result> next(ResultProducer next_result) = 0;
};

/// In the order in which they come.
template <class Result>
struct NoSequencer final : Sequencer<Result> {
  using typename Sequencer<Result>::ResultProducer;
  std::optional<Result> next(ResultProducer next_result) override { return next_result(); }
};

/// In the order of their `sequence_number`s from 0 on; those that come too early wait.
template <class Result>
struct OrderedSequencer final : Sequencer<Result> {
  using typename Sequencer<Result>::ResultProducer;
  explicit OrderedSequencer(size_t max_jobs) { waiting_.reserve(max_jobs); }
  std::optional<Result> next(ResultProducer next_result) override {
    auto found = waiting_.find(next_);
    while (found == waiting_.end()) {
      std::optional<Result> result = next_result();
      if (!result) return std::nullopt;
      const size_t number = result->sequence_number;
      waiting_.emplace(number, std::move(*result));
      found = waiting_.find(next_);
    }
    std::optional<Result> result = std::move(found->second);
    waiting_.erase(found);
    ++next_;
    return result;
  }

 private:
  size_t next_ = 0;
  std::unordered_map<size_t, Result> waiting_;
};

}  // namespace sequencers
}  // namespace strata::data::detail
