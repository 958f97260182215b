// How regions are opened, helped with and closed, and how workers wait.
#include "core/thread_pool.h"

#include <fcntl.h>
#include <hwy/cache_control.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <system_error>
#include <thread>

namespace strata::detail {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// How long a thread looks out for work, or for the end of a piece, before it sleeps. Sleeping and waking costs some 10
/// us, in a virtual machine 60, of which the caller that wakes a worker pays 40. A thread that spins for longer uses up
/// the time slice that it needs for the work itself where the machine is busy.
constexpr microseconds kSpin{50};
/// How long a worker does so that has found work within that time before, on a machine that is not busy.
constexpr microseconds kLongSpin{500};
/// A region whose other pieces take less is done sooner by its caller than by a worker that has to be woken.
constexpr microseconds kWorthWaking{100};

template <class Ready>
bool spin_until(Ready ready, microseconds limit) {
  constexpr int kLooks = 32;  // between two looks at the clock
  const Clock::time_point end = Clock::now() + limit;
  do {
    for (int i = 0; i < kLooks; ++i) {
      if (ready()) return true;
      hwy::Pause();
    }
  } while (Clock::now() < end);
  return false;
}

/// Do more threads want to run on this machine than this process may use cores? True where that is not known.
bool is_machine_busy() {
  const int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  char text[64] = "";
  const bool is_known = fd >= 0 && read(fd, text, sizeof text - 1) > 0;
  if (fd >= 0) close(fd);
  int running = 0;
  cpu_set_t cores;
  return !is_known || std::sscanf(text, "%*f %*f %*f %d/", &running) != 1 ||
         sched_getaffinity(getpid(), sizeof cores, &cores) != 0 || running > CPU_COUNT(&cores);
}

/// Moves a worker off the core of the caller that it helps. Some systems wake it there although others are idle (Linux
/// in a virtual machine takes a halted core for a busy one), and it would then run in the caller's place, not beside
/// it. What else it may run on stays as whoever started the program has it.
void leave_core(int core) {
  static thread_local cpu_set_t all = {}, chosen = {};
  cpu_set_t now;
  if (core < 0 || sched_getcpu() != core || sched_getaffinity(0, sizeof now, &now) != 0) return;
  if (!CPU_EQUAL(&now, &chosen)) all = now;  // for the first time, or somebody else has chosen meanwhile
  chosen = all;
  CPU_CLR(static_cast<size_t>(core), &chosen);
  if (CPU_COUNT(&chosen) > 0) sched_setaffinity(0, sizeof chosen, &chosen);
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
      core_(sched_getcpu()),
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

/// Runs the first piece. Is there work left for somebody who has to be woken?
bool Region::is_long() noexcept {
  if (pieces_ < kPiecesPerThread * seats_) return true;  // the kernel has asked for few pieces: each may be long
  const Clock::time_point begin = Clock::now();
  if (const int64_t piece = shares_[0].next.fetch_add(1, std::memory_order_relaxed); piece < shares_[0].end)
    run_piece(piece);
  return (Clock::now() - begin) * (pieces_ - 1) > kWorthWaking;
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
  if (int asleep = open(region, limit); asleep > 0 && (machine_is_busy_ || region.is_long()))
    for (; asleep > 0; --asleep) opened_.notify_one();
  region.take_pieces(0);
  close(region);
}

/// For workers that look out. How many that could help are asleep?
int ThreadPool::open(Region& region, int limit) {
  const std::lock_guard lock(mutex_);
  limit_ = limit;
  start_workers(std::min(region.seats_, limit) - 1);
  region.next_open_ = first_open_;
  first_open_ = &region;
  ++busy_;
  openings_.fetch_add(1, std::memory_order_relaxed);
  return std::min({region.seats_ - 1 - looking_out_, sleeping_, limit_ - busy_});
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
  spin_until(alone, kSpin);
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
  bool came_soon = false;
  while (true) {
    if (Region* region = join())
      help(*region, lock);
    else
      came_soon = wait_for_region(lock, came_soon);
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
    if (!machine_is_busy_) leave_core(region.core_);
    const ThreadStateGuard state(region.parent);
    region.take_pieces(seat);
  }
  lock.lock();
  --busy_;
  // From the moment that no helper is counted, the region may be gone.
  const bool wake = region.caller_sleeps_;
  if (region.helpers_.fetch_sub(1, std::memory_order_release) == 1 && wake) left_.notify_all();
}

/// Once in a while.
void ThreadPool::look_around() {
  constexpr std::chrono::milliseconds kRest{20};
  const Clock::duration now = Clock::now().time_since_epoch();
  Clock::duration last = looked_;
  if (now - last >= kRest && looked_.compare_exchange_strong(last, now)) machine_is_busy_ = is_machine_busy();
}

/// Returns whether it has come soon.
bool ThreadPool::wait_for_region(std::unique_lock<std::mutex>& lock, bool came_soon) {
  const uint64_t seen = openings_.load(std::memory_order_relaxed);
  const auto opened = [&] { return openings_.load(std::memory_order_relaxed) != seen; };
  const Clock::time_point begin = Clock::now();
  ++looking_out_;
  lock.unlock();
  if (!spin_until(opened, kSpin)) {
    look_around();
    if (came_soon && !machine_is_busy_) spin_until(opened, kLongSpin);
  }
  lock.lock();
  --looking_out_;
  if (!opened()) {
    ++sleeping_;
    opened_.wait(lock, opened);
    --sleeping_;
  }
  return Clock::now() - begin < kLongSpin;
}

}  // namespace strata::detail
