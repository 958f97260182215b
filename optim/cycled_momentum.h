// Momenta that schedules set.
#pragma once
#include <bit>

#include "../core/host_state.h"
#include "optimizer.h"

namespace strata::optim::detail {

/// Sets it such that programs of compiled functions that took steps with another one are not run again.
inline void cycle_momentum(OptimizerOptions& options, double momentum) {
  const auto now = [&] { return std::bit_cast<uint64_t>(options.get_momentum()); };
  const uint64_t before = now();
  options.set_momentum(momentum);
  strata::detail::note_host_state(&options, before, now());
}

}  // namespace strata::optim::detail
