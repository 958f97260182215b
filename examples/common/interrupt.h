// Ctrl-C as a question that a loop can ask.
#pragma once

namespace strata::examples {

/// While one lives, the first SIGINT or SIGTERM only sets a flag; a second one ends the program at once,
/// after making the terminal's cursor visible again.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal came.
  static bool interrupted();
};

}  // namespace strata::examples
