// The random ops under explicit keys and their params.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Note [Keyed elements]
/// The numbers are those of JAX's default generator (threefry2x32, partitionable), jax/_src/random. T(key, c) are the
/// two words of Threefry-2x32-20 for the 64-bit counter c; i is an element's row-major place among those of its key.
///  - split: element i is the key T(key, i); fold_in: T(key, data).
///  - bits: a = T(key, i)[0] xor T(key, i)[1]; the lower 8, 16 or 32 bits of a, or for 64 bits both words, the first
///  one
///    above.
///  - uniform: the upper 23 bits of a as a fraction f (float16: the upper 10 of 16, bfloat16: the upper 7 of 8 bits,
///    float64: the upper 52 of 64), max(low, f (high - low) + low) with one rounding; 16-bit types round twice.
///  - normal: sqrt(2) erf_inv(u), u uniform on [low, high); exponential: -log(1 - u); gumbel: -log(-log(max(u, tiny))).
///  - randint: with a and b the bits of as many bits as the type has (at least 32) under T(key, 0) and T(key, 1),
///    low + ((a % span) m + b % span) % span, m = 2^bits % span, in unsigned arithmetic that wraps around.
/// Every op takes keys of shape (*K, 2) and makes (*K, *sizes), so a batch of keys is just one more dim in front.

struct KeySplitParams {
  DimVector sizes;
};
struct KeyParams {
  DimVector sizes;
  DType dtype;
};
struct KeyIntervalParams {
  DimVector sizes;
  DType dtype;
  double low, high;
};
/// Span 0 stands for all values of the type.
struct KeyRandintParams {
  DimVector sizes;
  DType dtype;
  int64_t low;
  uint64_t span;
};

/// Inputs: uint32 keys (*K, 2), and for fold_in uint32 data (*K).
extern Op key_split_op, key_fold_in_op, key_bits_op, key_uniform_op, key_normal_op, key_exponential_op, key_gumbel_op,
    key_randint_op;

}  // namespace strata
