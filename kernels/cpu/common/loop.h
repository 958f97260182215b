// The calling convention of all element-wise inner loops: one output and up to three inputs, each contiguous or one
// value.
#pragma once
#include "dispatcher/loops.h"

namespace strata::cpu {

using dispatch::Loop;
using dispatch::LoopArgs;
using dispatch::LoopRegistrar;
using dispatch::OpLoop;

/// One operation's loops over float and double.
struct FloatLoops {
  Loop f32 = nullptr;
  Loop f64 = nullptr;
};

}  // namespace strata::cpu
