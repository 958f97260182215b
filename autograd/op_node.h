// The node of a recorded op: its params, the saved tensors its vjp rule asks for, and the edges, in one block of
// memory.
#pragma once
#include "../dispatcher/call.h"
#include "../dispatcher/names.h"
#include "node.h"

namespace strata::autograd {

/// A tensor kept for backward, with the version its storage had. Sixteen bytes.
struct Saved {
  enum Kind : uint8_t { kNothing, kInput, kShape, kOutput };
  TensorImpl* impl = nullptr;
  uint32_t version = 0;
  Kind kind = kNothing;
};

class OpNode final : public Node {
 public:
  /// A node with its edges and saved inputs; `save_outputs` completes it once the op has run. With `self`, an input
  /// that shares self's storage is saved as a copy, because the op is about to overwrite it.
  static IntrusivePtr<OpNode> create(const Op& op, Args inputs, Params params, const Tensor* self = nullptr);
  /// The same for a transform's level: `edges` (one per input, taken) are those of the level, `inputs` the values below
  /// it.
  static IntrusivePtr<OpNode> create(const Op& op, Args inputs, Params params, Edge* edges,
                                     const Tensor* self = nullptr);
  /// Keeps what the rule reads of the outputs: without history, so that a node that saves its own output makes no
  /// cycle.
  void save_outputs(TensorList outputs);
  /// The same for outputs that never get this node as their history: the values below a transform's level.
  void save_values(TensorList outputs);

  Tensors apply(Tensors grads) override;
  std::string name() const override;
  void release_saved() override;
  const Op& op() const { return op_; }

 private:
  OpNode(const Op& op, Params params, uint32_t inputs, char* block);
  ~OpNode() override;
  void destroy() override;
  static size_t block_size(size_t inputs, size_t params);
  void save_inputs(Args inputs, const Tensor* self);
  Saved* saved_inputs() { return saved_; }
  Tensor unpack(const Saved& s, uint32_t output_nr);

  const Op& op_;
  const ParamsType* params_type_;
  void* params_;
  Saved* saved_;
  Saved saved_outputs_[kMaxOutputs];
  Saves saves_;
  bool released_ = false;
};

/// The result of `op` without its data: a tensor that has the history of a recorded call.
Tensor history_of(const Op& op, Args inputs, Params params);

}  // namespace strata::autograd
