// The switch of deterministic algorithms.
#include "core/deterministic.h"

#include <atomic>

namespace strata {
namespace {
std::atomic<bool> deterministic{false};
}  // namespace

void use_deterministic_algorithms(bool wanted) { deterministic.store(wanted, std::memory_order_relaxed); }
bool are_deterministic_algorithms_enabled() { return deterministic.load(std::memory_order_relaxed); }

Context& globalContext() {
  static Context context;
  return context;
}

}  // namespace strata
