// The node at the end of every path: adds the gradient to a leaf's `.grad()`.
#pragma once
#include "meta.h"

namespace strata::autograd {

/// Note [Accumulators]
/// Its memory belongs to the leaf, its life to the edges that lead to it: with the first edge of a graph it begins to
/// hold the leaf and gets a new number, with the last one it lets go of both. So graphs end with their last user, a
/// gradient is accumulated as soon as the nodes that the graph has recorded since are done, and a leaf that is used in
/// every step costs no memory block each time.
///
/// Note [Gradient buffers]
/// A leaf may have a buffer: memory where its first gradient is to lie, such as its part of a bucket that ranks
/// average. An accumulator whose leaf has no gradient puts the one that comes there and makes it `.grad()`. While a
/// backward pass runs that accumulates, the rule of the op before it may write there in place of making a tensor
/// (dispatch::gradient_place), unless somebody else holds the buffer: another gradient of the same pass, or a user who
/// kept it. Nor is it offered where the leaf has hooks, which may keep what they see.
class AccumulateGrad final : public BuiltinNode {
 public:
  static void* operator new(size_t bytes);
  static void operator delete(void* p, size_t bytes) noexcept;
  /// The accumulator of a leaf, made on first use.
  static Edge of(const Tensor& leaf);
  /// From now on the leaf's first gradient goes to `buffer`, a row-major tensor of its shape and dtype of which nobody
  /// keeps a handle; an undefined one ends that.
  static void set_buffer(const Tensor& leaf, Tensor buffer);
  /// Has any leaf of the process one?
  static bool are_there_buffers() { return buffers_.load(std::memory_order_relaxed) != 0; }
  /// The buffer, if the gradient that is about to be made for this leaf may be made there; else undefined.
  Tensor offered_buffer();
  Tensors run(Tensors grads) override;
  std::string name() const override;
  const std::vector<HookEntry>* active_hooks() const override { return meta_ ? meta_->hooks.get() : nullptr; }
  Tensor variable;  ///< the leaf; undefined while no edge leads here
  /// The owner goes. Edges lead here still if the leaf has become another tensor, as in-place ops inside transforms
  /// make of one: then gradients are dropped, and the last edge frees the memory. The leaf is let go of at once, since
  /// what it has become may itself lead here.
  void leave_meta();

 private:
  AccumulateGrad(Meta& meta, Tensor leaf) : BuiltinNode(nullptr, 0, 1), variable(std::move(leaf)), meta_(&meta) {}
  ~AccumulateGrad() override;
  static AccumulateGrad* make(Meta& meta, const Tensor& leaf);
  void destroy() override;
  /// What becomes the gradient of a leaf that has none.
  Tensor first_gradient(Tensor grad);
  Meta* meta_;
  Tensor buffer_;  ///< guarded by the leaf's lock
  static std::atomic<int64_t> buffers_;
};

}  // namespace strata::autograd
