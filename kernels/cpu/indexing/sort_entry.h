// A value's order-preserving key joined with its position: what the kernels of sorting and selecting work on.
#pragma once
#include <cstdint>
#include <type_traits>

#include "kernels/sort_key.h"

namespace strata::cpu::indexing {

/// A 32-bit key above a 32-bit position: plain integers to sort.
struct Packed {
  using Key = uint32_t;
  uint64_t bits;
  static Packed make(uint32_t key, uint64_t index) { return {uint64_t{key} << 32 | index}; }
  int64_t index() const { return static_cast<int64_t>(bits & 0xffffffffu); }
  uint64_t key_bits() const { return bits >> 32; }
  uint16_t wide_digit(int i) const { return static_cast<uint16_t>(bits >> (32 + 11 * i) & 0x7ff); }
  static constexpr int kWideDigits = 3;
  friend bool operator<(Packed a, Packed b) { return a.bits < b.bits; }
};

/// A 64-bit key, or any key in a line that is too long for 32-bit positions.
struct Pair {
  using Key = uint64_t;
  uint64_t key;
  uint64_t at;
  static Pair make(uint64_t key, uint64_t index) { return {key, index}; }
  int64_t index() const { return static_cast<int64_t>(at); }
  uint64_t key_bits() const { return key; }
  uint16_t wide_digit(int i) const { return static_cast<uint16_t>(key >> (11 * i) & 0x7ff); }
  static constexpr int kWideDigits = 6;
  friend bool operator<(Pair a, Pair b) { return a.key < b.key || (a.key == b.key && a.at < b.at); }
};

/// The entry of values of type T.
template <class T>
using SortEntry = std::conditional_t<sizeof(SortKey<T>) == 4, Packed, Pair>;

}  // namespace strata::cpu::indexing
