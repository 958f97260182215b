// Moving short runs of elements between strided memory and buffers, with 16-bit floating point widened to float.
#pragma once
#include <cstdint>

#include "core/dtype.h"

namespace strata::cpu {

/// Reads `n` elements, `stride` bytes apart (0 repeats one), into a dense buffer.
using BlockReader = void (*)(void* to, const char* from, int64_t stride, int64_t n);
/// Writes a dense buffer of `n` elements to places `stride` bytes apart.
using BlockWriter = void (*)(char* to, int64_t stride, const void* from, int64_t n);

/// Readers and writers of a dtype; with `as_float` the buffer holds floats (float16 and bfloat16 only).
BlockReader block_reader(DType dtype, bool as_float);
BlockWriter block_writer(DType dtype, bool as_float);

// Dense conversions, vectorized.
void half_to_float(const Half* from, float* to, int64_t n);
void half_to_float(const BFloat16* from, float* to, int64_t n);
void float_to_half(const float* from, Half* to, int64_t n);
void float_to_half(const float* from, BFloat16* to, int64_t n);

}  // namespace strata::cpu
