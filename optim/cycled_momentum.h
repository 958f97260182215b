// Momenta that schedules set.
#pragma once
#include <bit>
#include <memory>

#include "../core/host_state.h"
#include "optimizer.h"

namespace strata::optim::detail {

/// Sets it such that programs of compiled functions that took steps with another one are not run again.
inline void cycle_momentum(OptimizerOptions& options, double momentum) {
  const std::unique_ptr<OptimizerOptions> before = options.clone();
  options.set_momentum(momentum);
  strata::detail::note_host_state(&options, std::bit_cast<uint64_t>(before->get_momentum()),
                                  std::bit_cast<uint64_t>(options.get_momentum()));
}

}  // namespace strata::optim::detail
