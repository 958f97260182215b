// libtorch's queue between threads, and what puts results of workers in order.
#pragma once
#include <strata/strata.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

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

/// Two queues, of jobs for workers and of their results, and a count of the jobs under way.
template <class Job, class Result>
class DataShuttle {
 public:
  void push_job(Job job) {
    jobs_.push(std::move(job));
    ++in_flight_;
  }
  void push_result(Result result) { results_.push(std::move(result)); }
  Job pop_job() { return jobs_.pop(); }
  /// The next result, or none where no job is under way. Throws Error when it does not come in time.
  std::optional<Result> pop_result(std::optional<std::chrono::milliseconds> timeout = std::nullopt) {
    if (in_flight_ == 0) return std::nullopt;
    Result result = results_.pop(timeout);
    --in_flight_;
    return result;
  }
  /// Drops the jobs that wait, and the results of those that do not.
  void drain() {
    in_flight_ -= jobs_.clear();
    while (in_flight_ > 0) pop_result();
  }
  size_t in_flight_jobs() const noexcept { return in_flight_; }

 private:
  Queue<Job> jobs_;
  Queue<Result> results_;
  size_t in_flight_ = 0;
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

/// In the order of their `sequence_number`s from 0 on; those that come too early wait in the buffer, which has a place
/// for each job that may be under way.
template <class Result>
struct OrderedSequencer final : Sequencer<Result> {
  using typename Sequencer<Result>::ResultProducer;
  explicit OrderedSequencer(size_t max_jobs) : buffer_(max_jobs) {}
  std::optional<Result> next(ResultProducer next_result) override {
    while (!place(next_sequence_number_)) {
      std::optional<Result> result = next_result();
      if (!result) return std::nullopt;
      const size_t number = result->sequence_number;
      place(number) = std::move(result);
    }
    return std::exchange(place(next_sequence_number_++), std::nullopt);
  }

  size_t next_sequence_number_ = 0;
  std::vector<std::optional<Result>> buffer_;

 private:
  std::optional<Result>& place(size_t number) { return buffer_.at(number % buffer_.size()); }
};

}  // namespace sequencers
}  // namespace strata::data::detail
