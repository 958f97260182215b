// The switch of deterministic algorithms.
#include "core/deterministic.h"

#include <atomic>

#include "core/error.h"

namespace strata {
namespace {
std::atomic<bool> deterministic{false};
}  // namespace

void use_deterministic_algorithms(bool wanted) { deterministic.store(wanted, std::memory_order_relaxed); }
bool are_deterministic_algorithms_enabled() { return deterministic.load(std::memory_order_relaxed); }

void Context::setFloat32MatmulPrecision(std::string_view precision) {
  STRATA_CHECK(precision == "highest" || precision == "high" || precision == "medium",
               "setFloat32MatmulPrecision: '{}' is none of highest, high, medium", precision);
  setFloat32MatmulPrecision(precision == "highest" ? Float32MatmulPrecision::HIGHEST : Float32MatmulPrecision::HIGH);
}

Context& globalContext() {
  static Context context;
  return context;
}

}  // namespace strata
