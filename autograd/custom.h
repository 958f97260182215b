// Calls whose derivative the user gives: one op for all of them, whose params hold the rule.
#pragma once
#include <memory>

#include "../dispatcher/call.h"
#include "saved_tensor.h"
#include "validate.h"

namespace strata::autograd {

using dispatch::Op;
using dispatch::Params;

/// Note [Custom rules]
/// `call(custom_op, inputs, CustomParams{rule})` runs `rule->forward`. Autograd and the grad layer run
/// `forward_with_residuals` instead and keep its residuals for `backward`; the jvp layer asks `jvp`; the vmap layer
/// calls the op below with a rule that runs this one on batches. So a rule says what happens at one level, and all
/// levels above and below follow.
class CustomRule {
 public:
  using List = std::vector<Tensor>;
  struct Forward {
    List outputs;
    List residuals;
    std::shared_ptr<void> context;    ///< whatever else `backward` needs
    bool eager = false;               ///< recorded by eager autograd, not by a transform's level
    std::vector<bool> constant = {};  ///< which outputs get no gradient; none where it is empty
    bool takes_undefined = false;     ///< does `backward` take undefined gradients instead of zeros?
    std::vector<bool> wanted = {};    ///< in `backward`: which inputs' gradients go on
  };
  virtual ~CustomRule() = default;
  virtual std::string name() const = 0;
  /// Are residuals more than inputs, so that eager autograd has to record how they were made?
  virtual bool needs_history() const { return true; }
  /// Is the derivative that of the ops of `forward`, which run once more for it?
  virtual bool only_runs_again() const { return false; }
  virtual List forward(const List& inputs) const = 0;
  virtual Forward forward_with_residuals(const List& inputs) const = 0;
  /// Gradients of the inputs for those of the outputs, which are defined unless `kept` says otherwise.
  virtual List backward(const Forward& kept, const List& grads) const = 0;
  /// Tangents of the outputs, given inputs and their tangents, none of which is undefined.
  virtual List jvp(const List& inputs, const List& tangents) const = 0;
};

struct CustomParams {
  std::shared_ptr<const CustomRule> rule;
  static constexpr bool kHoldsCode = true;
  auto fields() const { return std::tuple<>(); }
};

/// `custom(Tensor[] inputs) -> Tensor[]` with CustomParams. Not in the op table, because it does nothing by itself.
extern Op custom_op;

/// A node whose gradients come from a user's code, with any number of inputs.
class UserNode : public BuiltinNode {
 protected:
  /// `inputs` are what the gradients will be for, one for each of the edges.
  UserNode(std::vector<Edge> edges, std::vector<TensorKind> inputs, uint32_t num_outputs);
};

/// The node of a custom call, shared by eager autograd and the grad layer.
class CustomNode final : public UserNode {
 public:
  CustomNode(CustomParams params, CustomRule::Forward kept, std::vector<Edge> edges, Args inputs);
  Tensors run(Tensors grads) override;
  void release_variables() override;
  std::string name() const override { return params_.rule->name(); }

 private:
  CustomParams params_;
  CustomRule::Forward kept_;
  std::vector<Tensor> output_shapes_;
  std::vector<SavedTensor> residuals_;
};

/// What is looked at of a custom call that is recorded.
struct CustomCall {
  CustomRule::Forward* ran = nullptr;  ///< gets what the rule gives and keeps
  bool with_history = false;           ///< that of the ops of its forward, also where the rule needs none
};
/// Runs a custom call in eager code and records it.
Tensors record_custom(Args inputs, Params params, CustomCall looked_at = {});

}  // namespace strata::autograd
