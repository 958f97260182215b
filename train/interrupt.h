// Ctrl-C as a question that a loop can ask.
#pragma once

namespace strata::train {

/// While one lives, the first SIGINT or SIGTERM only sets a flag, so that a loop may end its step and save; a second
/// one ends the program at once. One at a time in a process.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal came.
  static bool interrupted();
};

}  // namespace strata::train
