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

/// One operation's loops over integers of some types; null where plain ones serve.
struct IntegerLoops {
  Loop u8 = nullptr, i8 = nullptr, i16 = nullptr, i32 = nullptr, i64 = nullptr;
};

}  // namespace strata::cpu
