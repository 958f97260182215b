// One list of jobs, oldest first; workers take the first that waits, the owner the first that is (or any that is) done.
#include "data/job_queue.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"

namespace strata::data::detail {

enum class State { kWaiting, kRunning, kDone };

struct Entry {
  std::unique_ptr<Job> job;
  State state = State::kWaiting;
};

struct JobQueue::Impl {
  bool in_order;
  std::optional<std::chrono::milliseconds> timeout;
  std::mutex mutex;
  std::condition_variable new_job, job_done;
  std::list<Entry> entries;
  bool quit = false;
  std::vector<std::thread> threads;

  auto first(State state) {
    return std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.state == state; });
  }

  void drop_waiting() {
    std::erase_if(entries, [](const Entry& e) { return e.state == State::kWaiting; });
  }

  bool can_pop() { return in_order ? entries.front().state == State::kDone : first(State::kDone) != entries.end(); }

  /// Waits until `ready`; false when the time is up.
  template <class Ready>
  bool wait_done(std::unique_lock<std::mutex>& lock, Ready ready) {
    if (timeout) return job_done.wait_for(lock, *timeout, ready);
    job_done.wait(lock, ready);
    return true;
  }

  void work(size_t worker) {
    const InlineRegions inline_regions;  // the workers are the parallelism
    std::unique_lock lock(mutex);
    while (true) {
      new_job.wait(lock, [&] { return quit || first(State::kWaiting) != entries.end(); });
      if (quit) return;
      Entry& entry = *first(State::kWaiting);
      entry.state = State::kRunning;
      lock.unlock();
      try {
        entry.job->run(worker);
      } catch (...) {
        entry.job->error = std::current_exception();
      }
      lock.lock();
      entry.state = State::kDone;
      job_done.notify_all();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
    }
    new_job.notify_all();
    for (std::thread& thread : threads) thread.join();
  }
};

JobQueue::JobQueue(size_t workers, bool in_order, std::optional<std::chrono::milliseconds> timeout) : impl_(new Impl) {
  impl_->in_order = in_order;
  impl_->timeout = timeout;
  try {
    for (size_t i = 0; i < workers; ++i) impl_->threads.emplace_back([impl = impl_.get(), i] { impl->work(i); });
  } catch (...) {
    impl_->stop();
    throw Error("data loader: the system gives no more threads");
  }
}

JobQueue::~JobQueue() { impl_->stop(); }

void JobQueue::push(std::unique_ptr<Job> job) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->entries.push_back({std::move(job)});
  }
  impl_->new_job.notify_one();
}

bool JobQueue::is_busy() const {
  const std::lock_guard lock(impl_->mutex);
  return !impl_->entries.empty();
}

std::unique_ptr<Job> JobQueue::pop() {
  std::unique_lock lock(impl_->mutex);
  if (impl_->entries.empty()) return nullptr;
  const bool in_time = impl_->wait_done(lock, [&] { return impl_->can_pop(); });
  STRATA_CHECK(in_time, "data loader: Timeout, no batch within {} ms", impl_->timeout->count());
  const auto done = impl_->first(State::kDone);
  std::unique_ptr<Job> job = std::move(done->job);
  impl_->entries.erase(done);
  return job;
}

void JobQueue::clear() {
  std::unique_lock lock(impl_->mutex);
  impl_->drop_waiting();
  impl_->job_done.wait(lock, [&] { return impl_->first(State::kRunning) == impl_->entries.end(); });
  impl_->entries.clear();
}

}  // namespace strata::data::detail
