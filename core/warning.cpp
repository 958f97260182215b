// The thread's warning handler, and warnings that are given once.
#include "core/warning.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>

namespace strata {
namespace {

WarningHandler& default_handler() {
  static WarningHandler handler;
  return handler;
}

thread_local WarningHandler* current_handler = nullptr;

std::atomic<bool> warns_always = false;

bool is_first(const std::string& message) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  const std::lock_guard lock(mutex);
  return seen.insert(message).second;
}

}  // namespace

void WarningHandler::process(const Warning& warning) {
  std::fprintf(stderr, "strata warning: %s\n", warning.msg().c_str());
}

void WarningUtils::set_warning_handler(WarningHandler* handler) noexcept { current_handler = handler; }
WarningHandler* WarningUtils::get_warning_handler() noexcept {
  return current_handler ? current_handler : &default_handler();
}

void WarningUtils::set_warnAlways(bool on) noexcept { warns_always = on; }
bool WarningUtils::get_warnAlways() noexcept { return warns_always; }

void warn(const Warning& warning) { WarningUtils::get_warning_handler()->process(warning); }

void warn_once(const std::string& message) {
  if (warns_always || is_first(message)) warn(Warning(message));
}

}  // namespace strata
