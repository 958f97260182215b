// Switching the recording of gradients on and off for the current thread.
#pragma once
#include "thread_state.h"

namespace strata {

/// Is recording on? (libtorch's GradMode)
struct GradMode {
  static bool is_enabled() { return !thread_state.excluded.has(Key::Autograd); }
  static void set_enabled(bool on) {
    thread_state.excluded =
        on ? thread_state.excluded - KeySet(Key::Autograd) : thread_state.excluded | KeySet(Key::Autograd);
  }
};

/// Turns recording on or off until the end of the scope.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool on) : previous_(GradMode::is_enabled()) { GradMode::set_enabled(on); }
  ~AutoGradMode() { GradMode::set_enabled(previous_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool previous_;
};

/// Nothing inside its scope is recorded.
class NoGradGuard : public AutoGradMode {
 public:
  NoGradGuard() : AutoGradMode(false) {}
};

/// Recording is on inside its scope.
class EnableGradGuard : public AutoGradMode {
 public:
  EnableGradGuard() : AutoGradMode(true) {}
};

/// No recording, and tensors made inside can never take part in a recorded call nor be written to outside (libtorch's
/// InferenceMode). `InferenceMode(false)` is normal mode with recording on, whatever is around it.
class InferenceMode {
 public:
  explicit InferenceMode(bool on = true) : grad_(!on), previous_(thread_state.inference_mode) {
    thread_state.inference_mode = on;
  }
  ~InferenceMode() { thread_state.inference_mode = previous_; }
  static bool is_enabled() { return thread_state.inference_mode; }

 private:
  AutoGradMode grad_;
  bool previous_;
};

/// libtorch's alias.
using AutoNonVariableTypeMode = NoGradGuard;

}  // namespace strata
