// The device of these tests: a GPU where there is one, else host memory with the kernels emulated.
#pragma once
#include "test/cuda_emulator/run.h"
#include "test/cuda_stand_in.h"

namespace strata::test {

/// Null on a GPU.
inline StandIn* const emulated = stand_in(STRATA_EMULATED_KERNELS);
/// Names it in every file, so that it is there before the first test.
[[maybe_unused]] static StandIn* const installed = emulated;

/// Do emulated threads run from the last to the first?
inline void set_falling_order(bool falling) { emulator::set_falling_order(falling); }
inline int64_t launches() { return emulator::launches(); }

}  // namespace strata::test
