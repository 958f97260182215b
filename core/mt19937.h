// libtorch's CPU generator: the Mersenne twister, and normal numbers that come in pairs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

namespace strata {

/// The numbers of at::CPUGeneratorImpl: mt19937 (Matsumoto and Nishimura, 1998), seeded by the low 32 bits of the seed.
/// A second normal number that a draw has left over waits for the next one.
class Mt19937 {
 public:
  explicit Mt19937(uint64_t seed) : engine_(static_cast<uint32_t>(seed)) {}
  uint32_t random() { return static_cast<uint32_t>(engine_()); }
  /// Two of them, the first one high.
  uint64_t random64() {
    const uint64_t high = random();
    return high << 32 | random();
  }
  /// The normal number left over, taken away.
  std::optional<double> take_normal() {
    const std::optional<double> left = normal_;
    normal_.reset();
    return left;
  }
  void leave_normal(double value) { normal_ = value; }
  /// Words of state and how many of them are used up.
  static constexpr size_t kWords = 624;
  struct State {
    std::array<uint32_t, kWords> words;
    size_t used;
    std::optional<double> normal;
  };
  State state() const;
  void set_state(const State& state);

 private:
  std::mt19937 engine_;
  std::optional<double> normal_;
};

}  // namespace strata
