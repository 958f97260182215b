// Pushing and popping levels.
#include "dispatcher/layer.h"

#include <atomic>

#include "core/grad_mode.h"
#include "dispatcher/transforms_end.h"

namespace strata::dispatch {
namespace {
std::atomic<uint64_t> last_level{0};
void (*at_end)() = nullptr;
}  // namespace

void at_end_of_transforms(void (*f)()) { at_end = f; }

bool is_gradient_wanted(const Tensor& t) {
  if (!GradMode::is_enabled()) return false;
  const Layer* layer = thread_state.top_layer;
  while (layer && !layer->wants_gradient(t)) layer = layer->below();
  return layer || t.requires_grad();
}

LayerScope::LayerScope(Layer& layer) : saved_(thread_state) {
  layer.below_ = saved_.top_layer;
  layer.excluded_outside_ = saved_.excluded;
  layer.level_ = last_level.fetch_add(1, std::memory_order_relaxed) + 1;
  thread_state.top_layer = &layer;
  thread_state.level = layer.level_;
  thread_state.inside_rule = false;
  thread_state.included = thread_state.included | KeySet(Key::Transform);
}
LayerScope::~LayerScope() {
  thread_state = saved_;
  if (saved_.level == 0 && at_end) at_end();
}

}  // namespace strata::dispatch
