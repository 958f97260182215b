// The calling convention of all element-wise inner loops: one output and up to three inputs, each contiguous or one
// value.
#pragma once
#include <cstdint>

namespace strata::cpu {

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

/// Element types are the loop's own; an input may be the output itself.
using Loop = void (*)(const LoopArgs&);

/// One operation's loops over float and double.
struct FloatLoops {
  Loop f32 = nullptr;
  Loop f64 = nullptr;
};

}  // namespace strata::cpu
