// Whoever writes down what this thread computes.
#include "core/replay.h"

#include "core/cuda_graph.h"

namespace strata::detail {
namespace {

constinit thread_local Replay* current = nullptr;

ThreadState outside_of_transforms() {
  ThreadState state = thread_state;
  state.included = state.included - KeySet(Key::Transform);
  state.top_layer = nullptr;
  state.level = 0;
  state.inside_rule = false;
  return state;
}

}  // namespace

ReplayScope::ReplayScope(Replay* replay) : previous_(current) { current = replay; }
ReplayScope::~ReplayScope() { current = previous_; }

bool is_traced_for_replay() { return current != nullptr; }
bool is_replayed() { return current || cuda::is_current_stream_capturing(); }

void before_each_replay(Function<void()> refresh) {
  if (current) return current->before_each(std::move(refresh));
  cuda::before_each_replay(std::move(refresh));
}

OutsideOfTransforms::OutsideOfTransforms() : guard_(outside_of_transforms()) {}

}  // namespace strata::detail
