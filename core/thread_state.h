// What one thread carries along: included and excluded dispatch keys, the layer stack's top, inference and anomaly
// mode.
#pragma once
#include "keys.h"

namespace strata {

namespace dispatch {
class Layer;  // dispatcher/layer.h
}

struct ThreadState {
  KeySet included;
  KeySet excluded;
  dispatch::Layer* top_layer = nullptr;
  uint64_t level = 0;        ///< of the innermost transform whose function is running; tensors remember it
  bool inside_rule = false;  ///< a layer is interpreting a call: what happens now is not the user's own code
  bool inference_mode = false;
};

/// `constinit` tells the compiler that no initialiser runs, so an access is one instruction.
extern constinit thread_local ThreadState thread_state;

/// Restores the whole state on scope exit; worker threads copy their parent's with it.
class ThreadStateGuard {
 public:
  explicit ThreadStateGuard(const ThreadState& state) : saved_(thread_state) { thread_state = state; }
  ThreadStateGuard() : saved_(thread_state) {}
  ~ThreadStateGuard() { thread_state = saved_; }
  ThreadStateGuard(const ThreadStateGuard&) = delete;
  ThreadStateGuard& operator=(const ThreadStateGuard&) = delete;

 private:
  ThreadState saved_;
};

/// Takes a key out of all calls in its scope.
class KeyOff {
 public:
  explicit KeyOff(Key key) : saved_(thread_state.excluded) { thread_state.excluded = saved_ | KeySet(key); }
  ~KeyOff() { thread_state.excluded = saved_; }
  KeyOff(const KeyOff&) = delete;
  KeyOff& operator=(const KeyOff&) = delete;

 private:
  KeySet saved_;
};

/// Marks its scope as the user's own code again, inside of a layer that calls it (custom rules).
class UserCode {
 public:
  UserCode() : saved_(thread_state.inside_rule) { thread_state.inside_rule = false; }
  ~UserCode() { thread_state.inside_rule = saved_; }
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;

 private:
  bool saved_;
};

}  // namespace strata
