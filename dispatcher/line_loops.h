// Kernels that work line by line, for programs that take a few lines through several ops while those are in cache.
#pragma once
#include <array>

#include "op.h"

namespace strata::dispatch {

/// What an operand has for each line: its elements, one value, or nothing of its own because all lines share it.
enum class LineOperand : uint8_t { elements, value, shared };

/// Some lines: where the share of the first one begins in each operand; null for inputs that are undefined.
struct LineArgs {
  std::array<void*, 3> out;
  std::array<const void*, 3> in;
  int64_t lines, length;
  const void* params;
};

/// How the CPU's kernel makes lines of its results, all of one length, from the same lines of its inputs, all of them
/// row-major. Lines do not depend on which others are there.
struct LineLoop {
  void (*run)(const LineArgs&) = nullptr;
  int64_t length = 0;
  std::array<LineOperand, 3> in{}, out{};
};
using LineLoopFn = LineLoop (*)(Args in, const void* params);

/// A null `run` says that the op has no such loop, or none for inputs of these dtypes and shapes.
LineLoop line_loop_of(const Op& op, Args in, const void* params);

/// Registers what gives the loops of an op, beside its kernel.
struct LineLoopRegistrar {
  LineLoopRegistrar(const Op& op, LineLoopFn find);
};

}  // namespace strata::dispatch
