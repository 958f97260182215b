// The node of a recorded op: its params, the saved tensors its vjp rule asks for, and the edges, in one block of
// memory.
#pragma once
#include "../core/called.h"
#include "../dispatcher/call.h"
#include "../dispatcher/names.h"
#include "node_names.h"
#include "saved_tensor.h"

namespace strata::autograd {

class OpNode final : public BuiltinNode {
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

  Tensors run(Tensors grads) override;
  std::string name() const override;
  void release_variables() override;
  const Op& op() const { return op_; }

 private:
  class Block;
  /// `own_edges` lead to where the gradients of `inputs` themselves go.
  template <class EdgeOf>
  static IntrusivePtr<OpNode> create_with(const Op& op, Args inputs, Params params, const Tensor* self, bool own_edges,
                                          EdgeOf edge_of);
  OpNode(const Op& op, Params params, uint32_t inputs, Edge* edges);
  ~OpNode() override;
  void destroy() override;
  static size_t block_size(size_t inputs, size_t params);
  void save_inputs(Args inputs, const Tensor* self, bool own_edges);
  SavedTensor& saved_output(size_t i) {
    return i < kInlineOutputs ? saved_outputs_[i] : more_saved_outputs_[i - kInlineOutputs];
  }
  bool count_outputs(size_t n);
  Tensors offered_buffers();

  const Op& op_;
  const ParamsType* params_type_;
  void* params_;
  SavedTensor* saved_;
  static constexpr size_t kInlineOutputs = 3;
  SavedTensor saved_outputs_[kInlineOutputs] = {};
  std::unique_ptr<SavedTensor[]> more_saved_outputs_;  ///< of an op with more outputs, from the fourth on
  Saves saves_;
  NumberAt number_ = NumberAt::kNone;
  uint8_t dims_[2] = {};
  const char* const called_ = Called::name();
};

/// The result of `op` without its data: a tensor that has the history of a recorded call.
Tensor history_of(const Op& op, Args inputs, Params params);

}  // namespace strata::autograd
