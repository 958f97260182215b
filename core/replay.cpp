// Whoever writes down what this thread computes.
#include "core/replay.h"

#include "core/cuda_graph.h"
#include "core/error.h"

namespace strata::detail {
namespace {

constinit thread_local Replay* current = nullptr;
constinit thread_local uint64_t current_level = 0;

ThreadState outside_of_transforms() {
  ThreadState state = thread_state;
  state.included = state.included - KeySet(Key::Transform);
  state.top_layer = nullptr;
  state.level = 0;
  state.inside_rule = false;
  return state;
}

}  // namespace

ReplayScope::ReplayScope(Replay* replay, uint64_t level) : previous_(current), previous_level_(current_level) {
  current = replay;
  current_level = level;
}
ReplayScope::~ReplayScope() {
  current = previous_;
  current_level = previous_level_;
}

bool is_traced_for_replay() { return current != nullptr; }
uint64_t traced_level() { return current_level; }
void check_not_traced(const char* who) {
  STRATA_CHECK(!current,
               "{}: cannot be part of a compiled function, whose code runs only while it is traced; compile what {} "
               "wraps, and call backward() outside",
               who, who);
}
bool is_replayed() { return current || cuda::is_current_stream_capturing(); }

void before_each_replay(Function<void()> refresh) {
  if (current) return current->before_each(std::move(refresh));
  cuda::before_each_replay(std::move(refresh));
}

OutsideOfTransforms::OutsideOfTransforms() : guard_(outside_of_transforms()) {}

}  // namespace strata::detail
