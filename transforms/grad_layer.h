// The grad layer: a level of reverse mode, and the graph that one call leaves behind.
#pragma once
#include "../autograd/custom.h"
#include "../autograd/meta.h"
#include "dims.h"
#include "level.h"

namespace strata::func {

using autograd::custom_op;
using autograd::CustomParams;
using autograd::CustomRule;

/// One level of reverse mode: each op runs on the values below and leaves a node of the level's own graph.
class GradLayer final : public Layer {
 public:
  Tensors process(const Op& op, Args args, Params params) override;
  /// A tensor of this level at which gradients end.
  Tensor track(const Tensor& value) const;
  /// The value of `t` below this level; `t` itself where it is a constant.
  Tensor value(const Tensor& t) const;
  /// Where gradients of `t` go; empty for constants.
  autograd::Edge edge(const Tensor& t) const;

 private:
  Tensors tracked(Tensors out, const IntrusivePtr<autograd::Node>& node) const;
  Tensors record_custom(Args values, autograd::Edge* edges, const CustomParams& custom) const;
  Tensors record_control_flow(const Op& op, Args values, autograd::Edge* edges, Params params) const;
};

/// Runs a function at a grad layer: pushes the layer and turns recording on, whatever is outside (torch.func's rule:
/// `NoGradGuard` counts inside the function only).
class GradScope {
 public:
  explicit GradScope(GradLayer& layer) : level_(layer), recording_(true) {}

 private:
  LayerScope level_;
  AutoGradMode recording_;
};

namespace detail {

/// The graph of one call: how gradients of its outputs become gradients of its inputs, as often as asked.
class Graph {
 public:
  /// What becomes of inputs that have no gradients: an error, or constants with undefined gradients.
  enum class Integers : uint8_t { refused, constants };
  /// Makes `t` an input. `who` is the transform.
  void add_input(const GradLayer& layer, Tensor& t, const char* who, Integers integers = Integers::refused);
  /// Makes `t` an output and replaces it by its value.
  void add_output(const GradLayer& layer, Tensor& t);
  /// Gradients of the inputs for those of the outputs (undefined = zero); zeros for inputs that nothing depends on.
  /// `keep` allows another pull.
  std::vector<Tensor> pull(TensorList cotangents, bool keep) const;
  size_t num_outputs() const { return outputs_.size(); }

 private:
  struct Output {
    autograd::Edge edge;
    Tensor like;
  };
  std::vector<autograd::Edge> inputs_;
  std::vector<Tensor> input_values_;
  std::vector<Output> outputs_;
};

}  // namespace detail
}  // namespace strata::func
