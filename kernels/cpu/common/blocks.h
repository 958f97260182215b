// Moving short runs of elements between strided memory and buffers, with narrow floating point widened to float.
#pragma once
#include <cstdint>

#include "core/dtype.h"

namespace strata::cpu {

/// Rows of elements in strided memory; strides are in bytes, 0 repeats one place.
struct Rows {
  int64_t row_stride, rows, stride, length;
};
/// Reads into a dense buffer.
using BlockReader = void (*)(void* to, const char* from, const Rows& rows);
/// Writes a dense buffer.
using BlockWriter = void (*)(char* to, const Rows& rows, const void* from);

/// Readers and writers of a dtype; with `as_float` the buffer holds floats (of the 16-bit and 8-bit floating point
/// types).
BlockReader block_reader(DType dtype, bool as_float);
BlockWriter block_writer(DType dtype, bool as_float);

// Dense conversions, vectorized.
void half_to_float(const Half* from, float* to, int64_t n);
void half_to_float(const BFloat16* from, float* to, int64_t n);
void float_to_half(const float* from, Half* to, int64_t n);
void float_to_half(const float* from, BFloat16* to, int64_t n);

}  // namespace strata::cpu
