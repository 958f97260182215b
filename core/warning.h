// Warnings: what a call says that computes, but perhaps not what was meant; and who hears it.
#pragma once
#include <string>
#include <string_view>

#include "error.h"

namespace strata {

/// One line about a call that is probably a mistake (libtorch's class of this name).
class Warning {
 public:
  explicit Warning(std::string message) : message_(std::move(message)) {}
  const std::string& msg() const { return message_; }

 private:
  std::string message_;
};

/// Hears the warnings of the threads that it is set on; it may throw to make an error of one. The default prints
/// `strata warning: ...` to stderr.
class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  virtual void process(const Warning& warning);
};

/// libtorch's names for who hears the calling thread's warnings.
namespace WarningUtils {

/// Sets the handler of the calling thread, which the caller keeps alive; nullptr brings the default back.
void set_warning_handler(WarningHandler* handler) noexcept;
WarningHandler* get_warning_handler() noexcept;

/// Whether `warn_once` speaks each time, on all threads.
void set_warnAlways(bool on) noexcept;
bool get_warnAlways() noexcept;

/// Has `warn_once` speak each time, or once, until the scope ends.
class WarnAlways {
 public:
  explicit WarnAlways(bool on = true) : previous_(get_warnAlways()) { set_warnAlways(on); }
  ~WarnAlways() { set_warnAlways(previous_); }
  WarnAlways(const WarnAlways&) = delete;
  WarnAlways& operator=(const WarnAlways&) = delete;

 private:
  bool previous_;
};

/// Has a handler hear the calling thread's warnings until the scope ends.
class WarningHandlerGuard {
 public:
  explicit WarningHandlerGuard(WarningHandler* handler) : previous_(get_warning_handler()) {
    set_warning_handler(handler);
  }
  ~WarningHandlerGuard() { set_warning_handler(previous_); }
  WarningHandlerGuard(const WarningHandlerGuard&) = delete;
  WarningHandlerGuard& operator=(const WarningHandlerGuard&) = delete;

 private:
  WarningHandler* previous_;
};

}  // namespace WarningUtils

/// Gives the warning to the calling thread's handler.
void warn(const Warning& warning);

/// `warn("op: {} looks odd", x)`: each `{}` stands for one argument, as in STRATA_CHECK.
template <class... A>
[[gnu::cold, gnu::noinline]] void warn(std::string_view format, const A&... args) {
  warn(Warning(detail::format_message(format, {detail::ErrorArg(args)...})));
}

}  // namespace strata
