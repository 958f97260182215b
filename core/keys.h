// Dispatch keys and sets of them.
#pragma once
#include <bit>
#include <cstdint>

#include "device.h"

namespace strata {

/// Lowest first; the highest key present in a call is served first. Those of devices (in the order of DeviceType) run
/// kernels, the others are layers over all ops.
enum class Key : uint8_t {
  CPU = 0,
  CUDA = 1,
  PrivateUse1 = 2,
  Meta = 3,
  Autograd = 4,
  Transform = 5,
  Autocast = 6,
  Profiler = 7
};
inline constexpr int kNumKeys = 8;
inline constexpr int kNumBackends = kNumDeviceTypes;
/// The key of a kind of device.
constexpr Key backend_key(DeviceType type) { return static_cast<Key>(type); }

/// A set of keys in one byte.
class KeySet {
 public:
  constexpr KeySet() = default;
  constexpr KeySet(Key k) : bits_(static_cast<uint8_t>(1u << static_cast<int>(k))) {}
  static constexpr KeySet from_bits(unsigned bits) {
    KeySet s;
    s.bits_ = static_cast<uint8_t>(bits);
    return s;
  }
  constexpr bool has(Key k) const { return bits_ >> static_cast<int>(k) & 1u; }
  /// Nothing but the CPU, or nothing at all: most calls, which need no look at the single keys.
  constexpr bool is_plain_cpu() const { return bits_ <= KeySet(Key::CPU).bits_; }
  constexpr bool has_layer() const { return bits_ >> kNumBackends; }
  /// Is some tensor of the call on another device than the CPU?
  constexpr bool has_accelerator() const { return bits_ & backends().bits_ & ~1u; }
  /// Those of all kinds of device.
  static constexpr KeySet backends() { return from_bits((1u << kNumBackends) - 1); }
  constexpr Key highest() const { return static_cast<Key>(std::bit_width(static_cast<unsigned>(bits_)) - 1); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr unsigned bits() const { return bits_; }
  friend constexpr KeySet operator|(KeySet a, KeySet b) { return from_bits(a.bits_ | b.bits_); }
  friend constexpr KeySet operator-(KeySet a, KeySet b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(KeySet a, KeySet b) = default;

 private:
  uint8_t bits_ = 0;
};

}  // namespace strata
