// The node at the end of every path: adds the gradient to a leaf's `.grad()`.
#pragma once
#include "meta.h"

namespace strata::autograd {

/// Owned by the edges that lead to it; the leaf keeps a weak reference, so that graphs end with their last user.
class AccumulateGrad final : public Node {
 public:
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes) noexcept;
  /// The accumulator of a leaf, made on first use.
  static Edge of(const Tensor& leaf);
  Tensors apply(Tensors grads) override;
  std::string name() const override { return "AccumulateGrad"; }
  const std::vector<HookEntry>* active_hooks() const override { return meta_of(variable_.impl())->hooks.get(); }
  const Tensor& variable() const { return variable_; }

 private:
  explicit AccumulateGrad(Tensor variable) : Node(nullptr, 0, 1), variable_(std::move(variable)) {}
  ~AccumulateGrad() override = default;
  void destroy() override;
  Tensor variable_;
};

}  // namespace strata::autograd
