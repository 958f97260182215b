// The inner loops of reductions, for programs that reduce what they compute while it is in cache.
#pragma once
#include "op.h"

namespace strata::dispatch {

/// How the CPU's kernel reduces a line of row-major elements to one value of their type: spans of `chunk` elements, the
/// last one shorter, each on its own; their results folded pairwise (neighbours, then those two apart, and so on, as
/// Note [Reduction tree] in kernels/cpu says); then `finish`.
struct ReduceLoop {
  void (*span)(const void* x, int64_t n, void* result) = nullptr;
  void (*combine)(void* into, const void* other) = nullptr;
  void (*finish)(void* result, int64_t length) = nullptr;  ///< null where nothing is left to do
  int64_t chunk = 0;
};
using ReduceLoopFn = ReduceLoop (*)(DType dtype);

/// A null span says that the op has no such loop, or none for this dtype.
ReduceLoop reduce_loop_of(const Op& op, DType dtype);

/// Registers what gives the loops of an op, beside its kernel.
struct ReduceLoopRegistrar {
  ReduceLoopRegistrar(const Op& op, ReduceLoopFn find);
};

}  // namespace strata::dispatch
