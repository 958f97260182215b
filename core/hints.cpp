// The switch of hints.
#include "core/hints.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "core/error.h"

namespace strata {
namespace {
bool wanted_by_environment() {
  const char* const value = std::getenv("STRATA_HINTS");
  return !value || std::string_view(value) != "0";
}
std::atomic<bool>& enabled() {
  static std::atomic<bool> on{wanted_by_environment()};
  return on;
}
}  // namespace

bool hints_enabled() noexcept { return enabled().load(std::memory_order_relaxed); }
void set_hints_enabled(bool on) noexcept { enabled() = on; }
void hint(const std::string& message) {
  if (hints_enabled()) warn_once(message);
}

}  // namespace strata
