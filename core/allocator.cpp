// Free lists for small blocks (per thread, refilled from a shared pool) and a size-class cache for big buffers, of
// which threads keep some.
#include "core/allocator.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/allocation_observer.h"
#include "core/error.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STRATA_PLAIN_MALLOC 1  // sanitizers see every block's life only if no cache hides it
#else
#define STRATA_PLAIN_MALLOC 0
#endif

namespace strata {
namespace {

constexpr size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/// The next larger size of a page on x86-64, and on Arm beside pages of 4 KiB.
constexpr size_t kHugePage = size_t{2} << 20;

/// Large buffers are of huge pages where the system gives them to those who ask (Linux's transparent huge pages): they
/// take one page fault and one entry of the TLB for 2 MiB instead of 512 of each.
void* system_alloc(size_t bytes) {
  const size_t size = round_up(std::max<size_t>(bytes, 1), kAlignment);
#ifdef MADV_HUGEPAGE
  if (!STRATA_PLAIN_MALLOC && size >= 2 * kHugePage) {
    void* p = nullptr;  // aligned_alloc would want a size that is a multiple of the alignment
    if (posix_memalign(&p, kHugePage, size) != 0) return nullptr;
    madvise(p, size, MADV_HUGEPAGE);
    return p;
  }
#endif
  return std::aligned_alloc(kAlignment, size);
}

// ---- Small blocks ---------------------------------------------------------------------------------------------------

using detail::free_lists;
using detail::FreeBlock;
using detail::FreeList;

constexpr size_t kLists = kSmallBlock / kAlignment;
constexpr uint32_t kBatch = 64;  // blocks moved between a thread and the pool at a time
constexpr size_t block_size(size_t list) { return (list + 1) * kAlignment; }

/// Blocks that no thread holds. Lives for ever, since threads may end after static destruction began.
class SmallPool {
 public:
  static SmallPool& get() {
    static SmallPool& pool = *new SmallPool;
    return pool;
  }
  /// Moves up to kBatch blocks into this thread's list, making new ones if the pool is empty.
  void refill(size_t list) {
    const std::lock_guard lock(mutex_);
    FreeList& pool = lists_[list];
    if (!pool.head) carve(list);
    for (uint32_t i = 0; i < kBatch && pool.head; ++i) free_lists[list].push(pool.pop());
  }
  std::mutex& mutex() { return mutex_; }
  /// Takes `n` blocks of this thread's list.
  void take_back(size_t list, uint32_t n) {
    const std::lock_guard lock(mutex_);
    for (uint32_t i = 0; i < n && free_lists[list].head; ++i) lists_[list].push(free_lists[list].pop());
  }

 private:
  void carve(size_t list) {
    const size_t size = block_size(list);
    char* chunk = static_cast<char*>(system_alloc(size * kBatch));
    STRATA_CHECK(chunk, "out of memory: {} bytes for small blocks", size * kBatch);
    for (uint32_t i = 0; i < kBatch; ++i) lists_[list].push(reinterpret_cast<FreeBlock*>(chunk + i * size));
  }
  std::mutex mutex_;
  FreeList lists_[kLists] = {};
};

constinit thread_local bool thread_ended = false;

/// Gives a thread's blocks and buffers to all when it ends; touched only on the slow path, so the lists need no
/// initialiser.
struct ThreadEnd {
  ~ThreadEnd();
  void touch() {}
};
thread_local ThreadEnd thread_end;

// ---- Big buffers ----------------------------------------------------------------------------------------------------

/// Sizes are rounded to an eighth of their power of two, so that a buffer serves nearby sizes and wastes an eighth at
/// most.
size_t buffer_size(size_t bytes) {
  const size_t b = std::max<size_t>(bytes, 4096);
  return round_up(b, std::max<size_t>(std::bit_floor(b) / 8, 512));
}

class ThreadBuffers;
/// Null until the thread gives back its first buffer, and again when it has ended.
constinit thread_local ThreadBuffers* own_buffers = nullptr;

/// Buffers that a thread has given back and keeps for its own use, so that threads do not wait for each other at the
/// cache of all. Its mutex is there for whoever asks for all memory back.
class ThreadBuffers {
 public:
  static constexpr size_t kLargest = size_t{128} << 10;
  static constexpr int64_t kMostBytes = int64_t{1} << 20;
  static bool serves(size_t size) { return size <= kLargest; }

  void* take(size_t size) {
    const std::lock_guard lock(mutex_);
    FreeList& list = lists_[list_of(size)];
    if (!list.head) return nullptr;
    bytes_ -= static_cast<int64_t>(size);
    return list.pop();
  }
  /// False where it has enough.
  bool keep(void* p, size_t size) {
    const std::lock_guard lock(mutex_);
    if (bytes_ + static_cast<int64_t>(size) > kMostBytes) return false;
    lists_[list_of(size)].push(static_cast<FreeBlock*>(p));
    bytes_ += static_cast<int64_t>(size);
    return true;
  }
  int64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  /// Calls give(p, size) for all that is kept.
  template <class F>
  void empty(const F& give) {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < kLists; ++i)
      while (lists_[i].head) give(lists_[i].pop(), size_of(i));
    bytes_ = 0;
  }
  std::mutex& mutex() { return mutex_; }

 private:
  /// The sizes that `buffer_size` gives: eight between a power of two and the next.
  static constexpr size_t kFirstPower = 12, kLists = (std::bit_width(kLargest) - 1 - kFirstPower) * 8 + 1;
  static size_t list_of(size_t size) {
    const auto doublings = static_cast<size_t>(std::bit_width(size >> (kFirstPower + 1)));
    return doublings * 8 + ((size >> (kFirstPower - 3 + doublings)) & 7);
  }
  static size_t size_of(size_t list) { return (8 + list % 8) << (kFirstPower - 3 + list / 8); }

  mutable std::mutex mutex_;
  FreeList lists_[kLists] = {};
  int64_t bytes_ = 0;
};

/// The cache of all threads. What threads keep for themselves counts as in use here, but for `stats`.
class BufferCache {
 public:
  static BufferCache& get() {
    static BufferCache& cache = *new BufferCache;
    return cache;
  }
  void* alloc(size_t bytes) {
    STRATA_CHECK(bytes <= size_t{1} << 62, "out of memory: {} bytes asked for", bytes);
    const size_t size = buffer_size(bytes);
    if (own_buffers && ThreadBuffers::serves(size))
      if (void* p = own_buffers->take(size)) return p;
    if (void* p = take(size)) return p;
    void* p = system_alloc(size);
    if (!p) {
      trim(0);
      p = system_alloc(size);
    }
    const std::lock_guard lock(mutex_);
    if (!p) {
      detail::fail("out of memory: {} bytes asked for, {} in use by tensors",
                   {detail::ErrorArg(size), detail::ErrorArg(stats_.in_use)});
    }
    ++stats_.system_calls;
    account(static_cast<int64_t>(size));
    return p;
  }
  void free(void* p, size_t bytes) noexcept {
    const size_t size = buffer_size(bytes);
    if (own_buffers && ThreadBuffers::serves(size)) {
      if (own_buffers->keep(p, size)) return;
      collect(*own_buffers);  // sizes change: what it keeps may be of no use to it any more
    }
    const std::lock_guard lock(mutex_);
    if (!own_buffers && !thread_ended) begin_thread();
    put(p, size);
    // Keep about what was ever in use at once, so that a change of sizes cannot hoard memory; the quarter above is for
    // buffers of a step that are never in use together, which a trim would have to fetch from the system each time.
    if (stats_.cached > std::max<int64_t>(stats_.peak + stats_.peak / 4, int64_t{256} << 20)) trim_locked(stats_.peak);
  }
  /// Frees cached buffers, also those that threads keep, the biggest first, until at most `keep` bytes remain.
  void trim(int64_t keep) noexcept {
    const std::lock_guard lock(mutex_);
    for (ThreadBuffers* const thread : threads_) collect_locked(*thread);
    trim_locked(keep);
  }
  void end_thread() noexcept {
    if (!own_buffers) return;
    const std::lock_guard lock(mutex_);
    collect_locked(*own_buffers);
    std::erase(threads_, own_buffers);
    delete std::exchange(own_buffers, nullptr);
  }
  MemoryStats stats() const {
    const std::lock_guard lock(mutex_);
    MemoryStats s = stats_;
    const int64_t kept = kept_by_threads();
    s.in_use -= kept, s.cached += kept;
    return s;
  }
  void lock_all() {
    mutex_.lock();
    for (ThreadBuffers* const thread : threads_) thread->mutex().lock();
  }
  void unlock_all() {
    for (ThreadBuffers* const thread : threads_) thread->mutex().unlock();
    mutex_.unlock();
  }

 private:
  void begin_thread() {
    thread_end.touch();
    threads_.push_back(own_buffers = new ThreadBuffers);
  }
  void collect(ThreadBuffers& thread) noexcept {
    const std::lock_guard lock(mutex_);
    collect_locked(thread);
  }
  void collect_locked(ThreadBuffers& thread) noexcept {
    thread.empty([this](void* p, size_t size) { put(p, size); });
  }
  void put(void* p, size_t size) {
    free_[size].push_back(p);
    stats_.cached += static_cast<int64_t>(size);
    stats_.in_use -= static_cast<int64_t>(size);
  }
  void trim_locked(int64_t keep) noexcept {
    while (stats_.cached > keep && !free_.empty()) {
      auto biggest = std::prev(free_.end());
      if (biggest->second.empty()) {
        free_.erase(biggest);
        continue;
      }
      std::free(biggest->second.back());
      biggest->second.pop_back();
      stats_.cached -= static_cast<int64_t>(biggest->first);
    }
  }
  void* take(size_t size) {
    const std::lock_guard lock(mutex_);
    const auto it = free_.find(size);
    if (it == free_.end() || it->second.empty()) return nullptr;
    void* p = it->second.back();
    it->second.pop_back();
    stats_.cached -= static_cast<int64_t>(size);
    account(static_cast<int64_t>(size));
    return p;
  }
  void account(int64_t size) {
    stats_.in_use += size;
    if (stats_.in_use > stats_.peak) stats_.peak = std::max(stats_.peak, stats_.in_use - kept_by_threads());
  }
  int64_t kept_by_threads() const {
    int64_t sum = 0;
    for (const ThreadBuffers* const thread : threads_) sum += thread->bytes();
    return sum;
  }
  mutable std::mutex mutex_;
  std::map<size_t, std::vector<void*>> free_;
  std::vector<ThreadBuffers*> threads_;
  MemoryStats stats_;
};

ThreadEnd::~ThreadEnd() {
  for (size_t i = 0; i < kLists; ++i) SmallPool::get().take_back(i, free_lists[i].count);
  thread_ended = true;
  BufferCache::get().end_thread();
}

void lock_all() {
  SmallPool::get().mutex().lock();
  BufferCache::get().lock_all();
}
void unlock_all() {
  BufferCache::get().unlock_all();
  SmallPool::get().mutex().unlock();
}
/// A forked process has the calling thread alone: a lock that another thread held in its parent would stay held for
/// ever. So the thread that forks holds them all while it does.
[[maybe_unused]] const int forks_with_locks = pthread_atfork(lock_all, unlock_all, unlock_all);

std::atomic<AllocationObserver*> observer{nullptr};

}  // namespace

constinit thread_local FreeList detail::free_lists[kLists] = {};

void* detail::alloc_without_list(size_t list) {
  if constexpr (STRATA_PLAIN_MALLOC) return system_alloc(block_size(list));
  if (!thread_ended) thread_end.touch();
  SmallPool::get().refill(list);
  return free_lists[list].pop();
}

/// A thread that only frees gives its blocks back too; one that frees many passes some on to the others.
void detail::free_and_share(size_t list, FreeBlock* block) noexcept {
  if constexpr (STRATA_PLAIN_MALLOC) return std::free(block);
  if (!thread_ended) thread_end.touch();
  free_lists[list].push(block);
  const uint32_t count = free_lists[list].count;
  if (count > kMostFree || thread_ended) SmallPool::get().take_back(list, thread_ended ? count : kBatch);
}

void* buffer_alloc(size_t bytes) {
  if constexpr (STRATA_PLAIN_MALLOC) {
    void* p = bytes <= size_t{1} << 62 ? system_alloc(bytes) : nullptr;
    STRATA_CHECK(p, "out of memory: {} bytes asked for", bytes);
    return p;
  }
  void* const p = BufferCache::get().alloc(bytes);
  if (auto* const o = observer.load(std::memory_order_acquire)) [[unlikely]]
    o->taken(p, buffer_size(bytes));
  return p;
}
void buffer_free(void* p, size_t bytes) noexcept {
  if constexpr (STRATA_PLAIN_MALLOC) return std::free(p);
  if (auto* const o = observer.load(std::memory_order_acquire)) [[unlikely]]
    o->given_back(p, buffer_size(bytes));  // before another thread can take it
  BufferCache::get().free(p, bytes);
}

void set_allocation_observer(AllocationObserver* o) noexcept { observer.store(o, std::memory_order_release); }

MemoryStats memory_stats() { return BufferCache::get().stats(); }
void empty_cache() { BufferCache::get().trim(0); }

}  // namespace strata
