// Memory: per-thread free lists for small blocks, a process-wide cache for big CPU buffers.
#pragma once
#include <cstddef>
#include <cstdint>

namespace strata {

inline constexpr size_t kAlignment = 64;

/// Largest block the per-thread free lists serve.
inline constexpr size_t kSmallBlock = 1024;

/// A 64-byte aligned block of at most kSmallBlock bytes from this thread's free list; a few instructions when the list
/// has one.
void* small_alloc(size_t bytes);
/// Gives it back to the calling thread's list, whichever thread took it; `bytes` as asked for.
void small_free(void* p, size_t bytes) noexcept;

/// A 64-byte aligned buffer of any size from the caching allocator; throws Error when there is no memory.
void* buffer_alloc(size_t bytes);
void buffer_free(void* p, size_t bytes) noexcept;

/// What the caching allocator holds.
struct MemoryStats {
  int64_t in_use = 0;        ///< bytes handed out and not yet given back
  int64_t cached = 0;        ///< bytes kept for reuse
  int64_t peak = 0;          ///< highest `in_use` so far
  int64_t system_calls = 0;  ///< buffers asked of the system
};
MemoryStats memory_stats();
/// Returns all cached buffers to the system.
void empty_cache();

}  // namespace strata
