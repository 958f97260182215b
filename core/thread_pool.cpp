// How regions are opened, helped with and closed, and how workers wait.
#include "core/thread_pool.h"

#include <hwy/cache_control.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <thread>

namespace strata::detail {
namespace {

/// How long a thread looks out for work, or for the end of a piece, before it sleeps. Sleeping and waking costs some 10
/// us; a thread that spins for longer uses up the time slice that it needs for the work itself where the machine is
/// busy.
constexpr std::chrono::microseconds kSpin{50};

template <class Ready>
void spin_until(Ready ready) {
  constexpr int kLooks = 32;  // between two looks at the clock
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < kLooks; ++i) {
      if (ready()) return;
      hwy::Pause();
    }
  } while (std::chrono::steady_clock::now() < end);
}

alignas(ThreadPool) char pool_memory[sizeof(ThreadPool)];

/// A forked process has the calling thread alone, so the pool that it inherits has no workers and maybe a lock that
/// nobody gives back: it begins with a new one.
ThreadPool* make_pool() { return new (pool_memory) ThreadPool; }

}  // namespace

Region::Region(int64_t begin, int64_t end, int64_t pieces, int seats, RangeFn fn, void* context)
    : begin_(begin),
      end_(end),
      pieces_(pieces),
      fn_(fn),
      context_(context),
      seats_(seats),
      shares_(std::make_unique<Share[]>(static_cast<size_t>(seats))) {
  for (int s = 0; s < seats; ++s) {
    shares_[s].next.store(pieces * s / seats, std::memory_order_relaxed);
    shares_[s].end = pieces * (s + 1) / seats;
  }
}

bool Region::has_pieces() const {
  if (failed_.load(std::memory_order_relaxed)) return false;
  return std::any_of(shares_.get(), shares_.get() + seats_,
                     [](const Share& s) { return s.next.load(std::memory_order_relaxed) < s.end; });
}

/// Where a piece begins; all are of the same length, up to one.
int64_t Region::bound(int64_t piece) const {
  const int64_t length = end_ - begin_;
  return begin_ + length / pieces_ * piece + std::min(piece, length % pieces_);
}

void Region::run_piece(int64_t piece) noexcept {
  try {
    fn_(context_, bound(piece), bound(piece + 1));
  } catch (...) {
    if (!failed_.exchange(true)) error_ = std::current_exception();
  }
}

void Region::take_pieces(int seat) noexcept {
  for (int i = 0; i < seats_; ++i) {
    Share& share = shares_[(seat + i) % seats_];
    while (!failed_.load(std::memory_order_relaxed)) {
      const int64_t piece = share.next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= share.end) break;
      run_piece(piece);
    }
  }
}

void Region::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

ThreadPool& ThreadPool::instance() {
  static ThreadPool* const pool = [] {
    pthread_atfork(nullptr, nullptr, [] { make_pool(); });
    return make_pool();
  }();
  return *pool;
}

void ThreadPool::run(Region& region, int limit) {
  open(region, limit);
  region.take_pieces(0);
  close(region);
}

void ThreadPool::open(Region& region, int limit) {
  int wake;
  {
    const std::lock_guard lock(mutex_);
    limit_ = limit;
    start_workers(std::min(region.seats_, limit) - 1);
    region.next_open_ = first_open_;
    first_open_ = &region;
    ++busy_;
    openings_.fetch_add(1, std::memory_order_relaxed);
    wake = std::min({region.seats_ - 1, sleeping_, limit_ - busy_});
  }
  for (; wake > 0; --wake) opened_.notify_one();
}

/// Waits for the helpers that have begun a piece.
void ThreadPool::close(Region& region) {
  std::unique_lock lock(mutex_);
  Region** link = &first_open_;
  while (*link != &region) link = &(*link)->next_open_;
  *link = region.next_open_;
  --busy_;
  if (first_open_ && join()) {  // as one thread fewer is at work, a worker may help another caller
    openings_.fetch_add(1, std::memory_order_relaxed);
    opened_.notify_one();
  }
  const auto alone = [&] { return region.helpers_.load(std::memory_order_acquire) == 0; };
  if (alone()) return;
  lock.unlock();
  spin_until(alone);
  if (alone()) return;
  lock.lock();
  region.caller_sleeps_ = true;
  left_.wait(lock, alone);
}

/// Where the system gives no more threads, those that are there do the work.
void ThreadPool::start_workers(int count) {
  try {
    for (; workers_ < count; ++workers_) std::thread([this] { work(); }).detach();
  } catch (const std::system_error&) {
  }
}

void ThreadPool::work() {
  const InlineRegions inside;
  std::unique_lock lock(mutex_);
  while (true) {
    if (Region* region = join())
      help(*region, lock);
    else
      wait_for_region(lock);
  }
}

/// An open region that has pieces and a seat, if one more thread may be at work.
Region* ThreadPool::join() {
  if (busy_ >= limit_) return nullptr;
  for (Region* r = first_open_; r; r = r->next_open_)
    if (r->taken_seats_ < r->seats_ && r->has_pieces()) return r;
  return nullptr;
}

void ThreadPool::help(Region& region, std::unique_lock<std::mutex>& lock) {
  const int seat = region.taken_seats_++;
  region.helpers_.fetch_add(1, std::memory_order_relaxed);
  ++busy_;
  lock.unlock();
  {
    const ThreadStateGuard state(region.parent);
    region.take_pieces(seat);
  }
  lock.lock();
  --busy_;
  // From the moment that no helper is counted, the region may be gone.
  const bool wake = region.caller_sleeps_;
  if (region.helpers_.fetch_sub(1, std::memory_order_release) == 1 && wake) left_.notify_all();
}

void ThreadPool::wait_for_region(std::unique_lock<std::mutex>& lock) {
  const uint64_t seen = openings_.load(std::memory_order_relaxed);
  const auto opened = [&] { return openings_.load(std::memory_order_relaxed) != seen; };
  lock.unlock();
  spin_until(opened);
  lock.lock();
  if (opened()) return;
  ++sleeping_;
  opened_.wait(lock, opened);
  --sleeping_;
}

}  // namespace strata::detail
