// The random ops and their params.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Note [Random elements]
/// Words come from Philox4x32-10 with key = seed and counter = (block, offset): word w of a draw is word w % 4 of block
/// w / 4.
///  - uniform, float32: (word i >> 8) 2^-24; 11 and 8 bits for float16 and bfloat16; float64: the upper 53 bits of
///  words 2i (low), 2i + 1.
///  - normal: elements 2j and 2j + 1 are r cos(t) and r sin(t), r = sqrt(-2 log u), t = 2 pi v. float32: u = (word 2j
///  >> 1) 2^-31 + 2^-32,
///    v = (word 2j + 1 >> 8) 2^-24. float64: u and v from words 4j to 4j + 3 as for uniform, u moved up by 2^-54.
///  - bernoulli: word i < p 2^32 rounded up.
///  - randint: low + (word i * range >> 32) for ranges up to 2^32, else low + (words 2i, 2i + 1 as 64 bits) mod range.
///  - randperm: Fisher-Yates from the back; step i of row r swaps with randint's draw number r n + i from i + 1 values.
/// So an element depends on its place alone: neither on threads nor on what else is drawn.

/// Uniform on [a, b), normal with mean a and deviation b, bernoulli with probability a.
struct RandomParams {
  DimVector sizes;
  DType dtype;
  Device device;
  uint64_t seed, offset;
  double a = 0, b = 1;
  auto fields() const { return std::tie(sizes, dtype, device, seed, offset, a, b); }
};
/// Integers low, ..., low + range - 1; range 0 stands for 2^64.
struct RandintParams {
  DimVector sizes;
  DType dtype;
  Device device;
  uint64_t seed, offset;
  int64_t low;
  uint64_t range;
  auto fields() const { return std::tie(sizes, dtype, device, seed, offset, low, range); }
};
struct MaskedScaleParams {
  double scale;
};

/// randperm fills each line of the last dim with a permutation.
extern Op uniform_op, normal_op, bernoulli_op, randint_op, randperm_op;
/// Inputs (x, bool mask): x * (mask * scale).
extern Op masked_scale_op;

/// Can the values of `x` be looked at? Inside a transform they may stand for a whole batch.
inline bool is_readable(const Tensor& x) { return !x.keys().has(Key::Transform); }

}  // namespace strata
