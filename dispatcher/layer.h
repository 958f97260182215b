// The layer stack that transforms push onto: each level sees a call and calls again with itself out of the way.
#pragma once
#include <memory>

#include "call.h"

namespace strata::dispatch {

/// One level of a functional transform.
class Layer {
 public:
  Layer() = default;
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  /// Interprets one call at this level; runs with the layer below installed (`Below`) when it calls again.
  virtual Tensors process(const Op& op, Args args, Params params) = 0;
  /// Does the layer write calls down, to run them again?
  virtual bool records() const { return false; }
  /// Will the layer's function be differentiated, and `t` with it, though eager autograd does not record it now?
  virtual bool wants_gradient(const Tensor&) const { return false; }
  /// The tensor that stands behind `t`, for layers whose tensors are only names of others: what in-place calls write
  /// to.
  virtual Tensor* target(const Tensor&) const { return nullptr; }
  /// Does the layer also interpret this call, though it has no input of its level?
  virtual bool takes(const Op&, Args, Params) const { return false; }
  /// Before an in-place call: does the layer make a tensor from outside of its function one of its own, so that the
  /// write is an effect of what it records?
  virtual bool adopts(const Tensor&) { return false; }
  /// The group that collectives inside of the layer's function know by its name; null for none.
  virtual std::shared_ptr<Communicator> axis() const { return nullptr; }
  /// A number that no other layer of this process has or had; inner layers have higher ones. 0 is eager code.
  uint64_t level() const { return level_; }
  Layer* below() const { return below_; }

 private:
  friend class LayerScope;
  friend class Below;
  uint64_t level_ = 0;
  Layer* below_ = nullptr;
  KeySet excluded_outside_;
};

/// Is what this thread calls written down by some layer?
inline bool is_recorded() {
  const Layer* layer = thread_state.top_layer;
  while (layer && !layer->records()) layer = layer->below();
  return layer;
}

/// Will a gradient go through what is computed of `t`? It is what a function asks that computes or keeps another thing
/// then.
bool is_gradient_wanted(const Tensor& t);

/// Pushes a layer with a fresh level until the end of the scope; its level is dead afterwards.
class LayerScope {
 public:
  explicit LayerScope(Layer& layer);
  ~LayerScope();
  LayerScope(const LayerScope&) = delete;
  LayerScope& operator=(const LayerScope&) = delete;

 private:
  ThreadState saved_;
};

/// Runs its scope as if the stack ended below `layer`.
class Below {
 public:
  explicit Below(const Layer& layer) : saved_(thread_state) {
    thread_state.top_layer = layer.below();
    thread_state.inside_rule = true;
    thread_state.excluded = thread_state.excluded | layer.excluded_outside_;
    if (!layer.below()) thread_state.included = thread_state.included - KeySet(Key::Transform);
  }
  ~Below() { thread_state = saved_; }
  Below(const Below&) = delete;
  Below& operator=(const Below&) = delete;

 private:
  ThreadState saved_;
};

}  // namespace strata::dispatch
