// The node at the end of every path: adds the gradient to a leaf's `.grad()`.
#pragma once
#include "meta.h"

namespace strata::autograd {

/// Note [Accumulators]
/// Its memory belongs to the leaf, its life to the edges that lead to it: with the first edge of a graph it begins to
/// hold the leaf and gets a new number, with the last one it lets go of both. So graphs end with their last user, a
/// gradient is accumulated as soon as the nodes that the graph has recorded since are done, and a leaf that is used in
/// every step costs no memory block each time.
class AccumulateGrad final : public Node {
 public:
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes) noexcept;
  /// The accumulator of a leaf, made on first use.
  static Edge of(const Tensor& leaf);
  Tensors apply(Tensors grads) override;
  std::string name() const override { return "AccumulateGrad"; }
  const std::vector<HookEntry>* active_hooks() const override { return meta_ ? meta_->hooks.get() : nullptr; }
  const Tensor& variable() const { return variable_; }
  /// The owner goes. Edges lead here still if the leaf has become another tensor, as in-place ops inside transforms
  /// make of one: then gradients are dropped, and the last edge frees the memory. The leaf is let go of at once, since
  /// what it has become may itself lead here.
  void leave_meta();

 private:
  AccumulateGrad(Meta& meta, Tensor variable) : Node(nullptr, 0, 1), meta_(&meta), variable_(std::move(variable)) {}
  ~AccumulateGrad() override = default;
  static AccumulateGrad* make(Meta& meta, const Tensor& leaf);
  void destroy() override;
  Meta* meta_;
  Tensor variable_;  ///< undefined while no edge leads here
};

}  // namespace strata::autograd
