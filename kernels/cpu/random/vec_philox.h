// Philox words and the numbers made from them, a block at a time: Note [Random elements].
#pragma once
#include <cstdint>

namespace strata::cpu::random {

/// The `words` (a multiple of kRandomStep) words from `first_word` (a multiple of 4) on.
void philox_words(uint64_t seed, uint64_t offset, uint64_t first_word, int64_t words, uint32_t* out);

/// `n` values (a multiple of kRandomStep) from as many words, twice as many for double: uniform on [low, low + width)
/// below `last`, made of `bits` bits.
void uniform_block(const uint32_t* words, int64_t n, int bits, float low, float width, float last, float* out);
void uniform_block(const uint32_t* words, int64_t n, int bits, double low, double width, double last, double* out);
/// The same from a normal distribution.
void normal_block(const uint32_t* words, int64_t n, float mean, float std, float* out);
void normal_block(const uint32_t* words, int64_t n, double mean, double std, double* out);

}  // namespace strata::cpu::random
