// Threefry words, and numbers made of them in blocks: Note [Keyed elements].
#pragma once
#include <cstdint>

namespace strata::cpu::random {

// Blocks have a multiple of kRandomStep elements.

/// The two words of the blocks with counters first, ..., first + n - 1 under one key.
void threefry_counted(const uint32_t* key, uint64_t first, int64_t n, uint32_t* b0, uint32_t* b1);
/// The two words of n blocks, each with a key (k0, k1) and a counter of its own.
void threefry_each(const uint32_t* k0, const uint32_t* k1, const uint32_t* counter, int64_t n, uint32_t* b0,
                   uint32_t* b1);

/// Multiples of 2^-mantissa in [0, 1) from the upper `mantissa` of the lower `drawn` bits of b0 ^ b1.
void unit_block(const uint32_t* b0, const uint32_t* b1, int64_t n, int drawn, int mantissa, float* x);
/// The same with the upper 52 bits of b0 and b1 joined.
void unit_block(const uint32_t* b0, const uint32_t* b1, int64_t n, double* x);

// In place:
/// max(low, x * width + low), rounded once.
void scale_block(float* x, int64_t n, float low, float width);
void scale_block(double* x, int64_t n, double low, double width);
/// scale * erf_inv(x) by Giles' polynomials.
void erf_inv_block(float* x, int64_t n, float scale);
void erf_inv_block(double* x, int64_t n, double scale);
/// -log(x).
void neg_log_block(float* x, int64_t n);
void neg_log_block(double* x, int64_t n);
/// -log(1 - x).
void exponential_block(float* x, int64_t n);
void exponential_block(double* x, int64_t n);

}  // namespace strata::cpu::random
