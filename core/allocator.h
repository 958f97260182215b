// Memory: per-thread free lists for small blocks, a process-wide cache for big CPU buffers, of which threads keep some.
#pragma once
#include <cstddef>
#include <cstdint>

namespace strata {

inline constexpr size_t kAlignment = 64;

/// Largest block the per-thread free lists serve.
inline constexpr size_t kSmallBlock = 1024;

namespace detail {

/// The same memory is an object of another type before and after, whose accesses the compiler must keep in order with
/// ours where it inlines both.
struct [[gnu::may_alias]] FreeBlock {
  FreeBlock* next;
};
/// Free blocks of one size.
struct FreeList {
  FreeBlock* head;
  uint32_t count;
  void push(FreeBlock* block) {
    block->next = head;
    head = block;
    ++count;
  }
  FreeBlock* pop() {
    FreeBlock* const block = head;
    head = block->next;
    --count;
    return block;
  }
};

/// Most blocks of one size that a thread keeps.
inline constexpr uint32_t kMostFree = 512;
/// This thread's, by size: a multiple of kAlignment each.
extern constinit thread_local FreeList free_lists[kSmallBlock / kAlignment];
constexpr size_t free_list_of(size_t bytes) { return (bytes - (bytes != 0)) / kAlignment; }
/// What small_alloc does when its list is empty.
void* alloc_without_list(size_t list);
/// What small_free does when its list is empty (it may be a thread's first) or full.
void free_and_share(size_t list, FreeBlock* block) noexcept;

}  // namespace detail

/// A 64-byte aligned block of at most kSmallBlock bytes from this thread's free list; a few instructions when the list
/// has one.
inline void* small_alloc(size_t bytes) {
  const size_t i = detail::free_list_of(bytes);
  detail::FreeList& list = detail::free_lists[i];
  if (!list.head) [[unlikely]]
    return detail::alloc_without_list(i);
  return list.pop();
}
/// Gives it back to the calling thread's list, whichever thread took it; `bytes` as asked for.
inline void small_free(void* p, size_t bytes) noexcept {
  const size_t i = detail::free_list_of(bytes);
  detail::FreeList& list = detail::free_lists[i];
  auto* const block = static_cast<detail::FreeBlock*>(p);
  if (list.count - 1 >= detail::kMostFree) [[unlikely]]  // none or many
    return detail::free_and_share(i, block);
  list.push(block);
}

/// A 64-byte aligned buffer of any size from the caching allocator; throws Error when there is no memory.
void* buffer_alloc(size_t bytes);
void buffer_free(void* p, size_t bytes) noexcept;

/// What the caching allocator holds.
struct MemoryStats {
  int64_t in_use = 0;  ///< bytes handed out and not yet given back
  int64_t cached = 0;  ///< bytes kept for reuse
  int64_t peak = 0;    ///< highest `in_use` so far, but for what threads take of buffers they keep, 1 MiB each at most
  int64_t system_calls = 0;  ///< buffers asked of the system
};
MemoryStats memory_stats();
/// Returns all cached buffers to the system.
void empty_cache();

}  // namespace strata
