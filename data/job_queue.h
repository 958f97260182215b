// Worker threads that run jobs and give them back in the order in which they were asked for, or as they finish.
#pragma once
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>

namespace strata::data::detail {

/// Something for a worker to do; the result stays in the job.
class Job {
 public:
  virtual ~Job() = default;
  /// Runs on the worker of that number; what it throws ends up in `error`.
  virtual void run(size_t worker) = 0;
  std::exception_ptr error;
};

/// Used from one thread, its owner's. The destructor drops the jobs that wait and joins the workers.
class JobQueue {
 public:
  /// Without a timeout `pop` waits for ever.
  JobQueue(size_t workers, bool in_order, std::optional<std::chrono::milliseconds> timeout);
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void push(std::unique_ptr<Job> job);
  /// Waits for a finished job; null when none is under way. Throws Error when the time is up.
  std::unique_ptr<Job> pop();
  /// Has a job been pushed that was not popped?
  bool is_busy() const;
  /// Drops the jobs that wait, waits for those that run, and forgets their results.
  void clear();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strata::data::detail
