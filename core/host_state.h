// What of the host's state compiled functions take for granted and cannot look at when they run.
#pragma once
#include <atomic>
#include <cstdint>

namespace strata::detail {

/// Another number whenever a module is in another mode, or a schedule has set another momentum: programs that were
/// traced with the same number met the same state.
[[gnu::visibility("hidden")]] inline std::atomic<uint64_t> host_state{0};

/// A share of the number: that `owner` has the value `bits`.
inline uint64_t share_of(const void* owner, uint64_t bits) {
  uint64_t x = reinterpret_cast<uintptr_t>(owner) ^ (bits * 0x9e3779b97f4a7c15);  // the mixing of splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline void note_host_state(const void* owner, uint64_t before, uint64_t after) {
  if (before != after)
    host_state.fetch_xor(share_of(owner, before) ^ share_of(owner, after), std::memory_order_relaxed);
}

}  // namespace strata::detail
