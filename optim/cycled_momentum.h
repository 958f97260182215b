// Momenta that schedules set.
#pragma once
#include <bit>
#include <utility>

#include "../core/host_state.h"
#include "optimizer.h"

namespace strata::optim::detail {

/// Sets it such that programs of compiled functions that took steps with another one are not run again.
inline void cycle_momentum(OptimizerOptions& options, double momentum) {
  const auto bits = [&] { return std::bit_cast<uint64_t>(std::as_const(options).get_momentum()); };
  const uint64_t before = bits();
  options.set_momentum(momentum);
  strata::detail::note_host_state(&options, before, bits());
}

}  // namespace strata::optim::detail
