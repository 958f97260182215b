// The inner loops of element-wise ops, for callers that bring their own walk over memory: kernels, and programs that
// run a chain of ops tile by tile while the tile is in cache.
#pragma once
#include <array>
#include <cstdint>

#include "op.h"

namespace strata::dispatch {

/// Elements below which an element-wise call stays on the calling thread; also the least work given to a thread.
inline constexpr int64_t kElementwiseGrain = 32768;
/// Bytes of an output that gains nothing from the caches: see LoopArgs::stream.
inline constexpr int64_t kStreamBytes = 48 << 20;

/// What an inner loop works on: `n` elements of `out` from inputs whose step is 1 (contiguous) or 0 (one value for
/// all).
struct LoopArgs {
  void* out;
  const void* in[3];
  int64_t step[3];
  int64_t n;
  /// The op's numbers (bounds, slopes, ...), if it has any.
  const double* params;
  /// Write past the caches: `out` is far larger than them, 64-byte aligned, and is no input.
  bool stream;
};

/// Element types are the loop's own; an input may be the output itself. What becomes of an element does not depend on
/// where in the loop it stands.
using Loop = void (*)(const LoopArgs&);

/// An op's loop with the numbers that it takes as LoopArgs::params.
struct OpLoop {
  Loop loop = nullptr;
  std::array<double, 3> numbers{};
};
using OpLoopFn = OpLoop (*)(DType dtype, const void* params);

/// The CPU's loop of an op for elements of `dtype`, the type of its last input that is no mask, and the op's params
/// (null where it has none). Ops that compute have for float16 and bfloat16 the loop over float: the caller widens and
/// rounds. A null loop says that the op has no loop, or none for this dtype.
OpLoop loop_of(const Op& op, DType dtype, const void* params = nullptr);

/// Registers what gives the loops of an op, beside its kernel.
struct LoopRegistrar {
  LoopRegistrar(const Op& op, OpLoopFn find);
};

}  // namespace strata::dispatch
