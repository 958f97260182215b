// The layer stack that transforms push onto: each level sees a call and calls again with itself out of the way.
#pragma once
#include "call.h"

namespace strata {

/// One level of a functional transform. Levels count from 1; 0 is eager autograd.
class Layer {
 public:
  Layer() = default;
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  /// Interprets one call at this level; runs with the layer below installed when it calls again.
  virtual Tensors process(const Op& op, Args args, Params params) = 0;
  virtual void process_inplace(const Op& op, Tensor& self, Args args, Params params) = 0;
  int level() const { return level_; }
  Layer* below() const { return below_; }

 private:
  friend class LayerScope;
  int level_ = 0;
  Layer* below_ = nullptr;
};

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
  explicit Below(const Layer& layer);
  ~Below();
  Below(const Below&) = delete;
  Below& operator=(const Below&) = delete;

 private:
  ThreadState saved_;
};

}  // namespace strata
