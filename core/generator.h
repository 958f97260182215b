// The stateful random source: a seed and a running offset into Philox4x32-10's counter space.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>

#include "device.h"

namespace strata {

class Mt19937;

/// Element i of a draw at offset o is Philox(key = seed, counter = (i / 4, o)) word i % 4: the same on any number of
/// threads.
class Generator {
 public:
  explicit Generator(uint64_t seed = 0);
  /// Draws the numbers of libtorch's own CPU generator (mt19937.h) instead of Philox's from now on, started at `seed`.
  /// Tensors of other devices take theirs through the CPU then.
  void use_mt19937(uint64_t seed);
  /// Where libtorch's generator draws, calls `draw(Mt19937&)`, one thread at a time, and gives true.
  template <class F>
  bool draw_as_libtorch(F draw) {
    if (!is_libtorchs_.load(std::memory_order_relaxed)) return false;
    const std::lock_guard lock(mutex_);
    draw(*mt19937_);
    return true;
  }
  /// A generator of its own in the same state.
  std::shared_ptr<Generator> clone() const;
  ~Generator();
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  /// Where one draw takes its numbers from.
  struct Position {
    uint64_t seed;
    uint64_t offset;
  };
  /// Reserves the next draw.
  Position next() { return advance(1); }
  /// The same for a draw on a device: in the capture of a CUDA graph the numbers are found when it is replayed.
  Position next(Device device);
  /// Reserves as many draws at once; the first of them.
  Position advance(uint64_t draws);
  /// The state as it stands, for checkpoints; `set_state` restores it.
  Position state() const;
  void set_state(Position p);
  void set_current_seed(uint64_t seed);
  uint64_t current_seed() const { return state().seed; }

 private:
  mutable std::mutex mutex_;
  uint64_t seed_;
  uint64_t offset_ = 0;
  std::unique_ptr<Mt19937> mt19937_;        // once there, it stays
  std::atomic<bool> is_libtorchs_ = false;  // is it there? so that Philox's draws need no second lock
};

/// A generator argument that may be left out: a generator, nullopt or nothing, which stands for the default one.
class OptionalGenerator {
 public:
  OptionalGenerator() = default;
  OptionalGenerator(std::nullopt_t) {}
  OptionalGenerator(Generator& generator) : generator_(&generator) {}
  OptionalGenerator(const std::shared_ptr<Generator>& generator) : generator_(generator.get()) {}
  template <class G>
  requires std::is_convertible_v<const G&, Generator&> OptionalGenerator(const std::optional<G>& generator) {
    if (generator) generator_ = &static_cast<Generator&>(*generator);
  }
  /// The generator, or the default one.
  Generator& get() const;

 private:
  Generator* generator_ = nullptr;
};

/// The generator behind `randn`, `dropout` and so on, shared by all threads.
Generator& default_generator();
/// Restarts the default generator.
void manual_seed(uint64_t seed);

/// Philox4x32-10 (Salmon et al., SC'11): ten rounds on a 128-bit counter with a 64-bit key.
struct Philox4x32 {
  uint32_t word[4];
  static constexpr Philox4x32 at(uint64_t key, uint64_t counter_low, uint64_t counter_high) {
    uint32_t c0 = static_cast<uint32_t>(counter_low), c1 = static_cast<uint32_t>(counter_low >> 32);
    uint32_t c2 = static_cast<uint32_t>(counter_high), c3 = static_cast<uint32_t>(counter_high >> 32);
    uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{0xD2511F53u} * c0, p1 = uint64_t{0xCD9E8D57u} * c2;
      c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<uint32_t>(p1);
      c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<uint32_t>(p0);
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
  }
};

}  // namespace strata
