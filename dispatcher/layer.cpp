// Pushing, popping and stepping below a level.
#include "dispatcher/layer.h"

namespace strata {

LayerScope::LayerScope(Layer& layer) : saved_(thread_state) {
  layer.below_ = saved_.top_layer;
  layer.level_ = saved_.top_layer ? saved_.top_layer->level() + 1 : 1;
  thread_state.top_layer = &layer;
  thread_state.included = thread_state.included | KeySet(Key::Transform);
}
LayerScope::~LayerScope() { thread_state = saved_; }

Below::Below(const Layer& layer) : saved_(thread_state) {
  thread_state.top_layer = layer.below();
  if (!layer.below()) thread_state.included = thread_state.included - KeySet(Key::Transform);
}
Below::~Below() { thread_state = saved_; }

}  // namespace strata
