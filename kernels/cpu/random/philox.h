// One stream of Philox4x32-10's numbers, word by word: for elements that need different counts of them.
#pragma once
#include <cstdint>

namespace strata::cpu::random {

/// J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011). The key is a seed; the counter counts blocks
/// of four words from zero.
class PhiloxStream {
 public:
  explicit PhiloxStream(uint64_t seed) : seed_(seed) {}
  /// In [0, 1), of 53 bits: two words, the first one low.
  double uniform() {
    if (next_ == 4) refill();
    const uint64_t bits = words_[next_] | uint64_t{words_[next_ + 1]} << 32;
    next_ += 2;
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }

 private:
  void refill() {
    uint32_t k0 = static_cast<uint32_t>(seed_), k1 = static_cast<uint32_t>(seed_ >> 32);
    uint32_t c0 = static_cast<uint32_t>(block_), c1 = static_cast<uint32_t>(block_ >> 32), c2 = 0, c3 = 0;
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
      const uint64_t p0 = uint64_t{0xD2511F53u} * c0, p1 = uint64_t{0xCD9E8D57u} * c2;
      c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c1 = static_cast<uint32_t>(p1);
      c3 = static_cast<uint32_t>(p0);
    }
    words_[0] = c0, words_[1] = c1, words_[2] = c2, words_[3] = c3;
    next_ = 0;
    ++block_;
  }

  uint64_t seed_, block_ = 0;
  uint32_t words_[4] = {};
  int next_ = 4;
};

}  // namespace strata::cpu::random
