// Work that is written down once and then done again without the code that asked for it, and what that code has to say.
#pragma once
#include "function.h"
#include "thread_state.h"

namespace strata::detail {

/// Writes down what a thread computes, to compute it again: the trace of a compiled function. A capture into a
/// cuda::Graph counts as one as well, see the functions below.
class Replay {
 public:
  virtual ~Replay() = default;
  /// `refresh` runs on the host before each time.
  virtual void before_each(Function<void()> refresh) = 0;
};

/// Until the end of the scope, this thread's work is written down by `replay`, at a level of transforms.
class ReplayScope {
 public:
  ReplayScope(Replay* replay, uint64_t level);
  ~ReplayScope();
  ReplayScope(const ReplayScope&) = delete;
  ReplayScope& operator=(const ReplayScope&) = delete;

 private:
  Replay* const previous_;
  const uint64_t previous_level_;
};

/// Does a compiled function's trace write down what this thread computes?
bool is_traced_for_replay();
/// At which level it does: its variables may be leaves, for autograd records what becomes of them. 0 for none.
uint64_t traced_level();
/// Throws inside of a compiled function for `who`, whose own code has to run in every call.
void check_not_traced(const char* who);
/// Does that, or does the thread capture a graph: will what it computes be done again without its code?
bool is_replayed();
/// Then: `refresh` runs on the host each time before, for numbers of the host that are read from memory.
void before_each_replay(Function<void()> refresh);

/// Thrown where the first run of some code does what later ones do not, such as making the state of an optimizer: a
/// compiled function that meets it runs once without being written down.
struct RunOnceFirst {};

/// Its scope is what it would be outside of all transforms: tensors that are made in it belong to eager code.
class OutsideOfTransforms {
 public:
  OutsideOfTransforms();

 private:
  const ThreadStateGuard guard_;
};

}  // namespace strata::detail
