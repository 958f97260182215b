// The node behind custom functions.
#include "autograd/function.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "ops/creation.h"
#include "ops/view.h"

namespace strata::autograd {

class FunctionNode final : public Node {
 public:
  FunctionNode(BackwardFn backward, std::string name, std::vector<bool> is_tensor, std::vector<Edge> edges)
      : Node(nullptr, 0, 0),
        backward_(backward),
        name_(std::move(name)),
        is_tensor_(std::move(is_tensor)),
        edge_list_(std::move(edges)) {
    set_edges(edge_list_.data(), static_cast<uint32_t>(edge_list_.size()));
    context.node_ = this;
  }
  Tensors apply(Tensors grads) override;
  std::string name() const override { return name_; }
  void release_saved() override {
    context.kept_.clear();
    context.saved_data.clear();
    context.released_ = true;
  }
  void add_output(const Tensor& t) {
    output_shapes_.push_back({t.sizes(), t.dtype(), t.device()});
    set_num_outputs(static_cast<uint32_t>(output_shapes_.size()));
  }
  AutogradContext context;

 private:
  ~FunctionNode() override = default;
  void destroy() override { delete this; }
  struct Shape {
    DimVector sizes;
    DType dtype;
    Device device;
  };
  BackwardFn backward_;
  std::string name_;
  std::vector<bool> is_tensor_;
  std::vector<Edge> edge_list_;
  std::vector<Shape> output_shapes_;
};

Tensors FunctionNode::apply(Tensors grads) {
  variable_list given(grads.begin(), grads.end());
  for (size_t i = 0; i < given.size() && context.materialize_grads_; ++i) {
    const Shape& s = output_shapes_[i];
    if (!given[i].defined()) given[i] = zeros(s.sizes, TensorOptions(s.dtype).device(s.device));
  }
  variable_list returned = backward_(&context, std::move(given));
  // Arguments that forward took by default have gradients too, as long as those are undefined (libtorch's rule).
  while (returned.size() > is_tensor_.size() && !returned.back().defined()) returned.pop_back();
  STRATA_CHECK(returned.size() == is_tensor_.size(), "{}: backward returned {} gradients for {} arguments of forward",
               name_, returned.size(), is_tensor_.size());
  Tensors out = Tensors::undefined(num_inputs());
  for (size_t i = 0, tensor = 0; i < returned.size(); ++i) {
    STRATA_CHECK(is_tensor_[i] || !returned[i].defined(),
                 "{}: backward returned a gradient for argument {}, which is no tensor", name_, i);
    if (is_tensor_[i]) out[tensor++] = returned[i];
  }
  return out;
}

void AutogradContext::save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }

variable_list AutogradContext::get_saved_variables() const {
  STRATA_CHECK(!released_,
               "backward through {} a second time: its saved tensors were freed; say retain_graph the first time",
               node_->name());
  variable_list out;
  for (const Kept& k : kept_) {
    STRATA_CHECK(
        !k.tensor.defined() || k.tensor._version() == k.version,
        "backward of {}: a saved tensor of shape {} was modified in place since (it has version {}, expected {})",
        node_->name(), k.tensor.sizes(), k.tensor._version(), k.version);
    out.push_back(k.tensor);
    if (k.output < 0 || !GradMode::is_enabled()) continue;
    out.back() = k.tensor.detach();
    set_history(out.back(), IntrusivePtr<Node>::share(node_), static_cast<uint32_t>(k.output));
  }
  return out;
}

void AutogradContext::mark_non_differentiable(const variable_list& outputs) {
  for (const Tensor& t : outputs) non_differentiable_.insert(t.impl());
}
void AutogradContext::mark_dirty(const variable_list& inputs) {
  for (const Tensor& t : inputs) dirty_.insert(t.impl());
}
bool AutogradContext::needs_input_grad(size_t i) const { return i < node_->num_inputs() && node_->next_edge(i); }

FunctionCall::FunctionCall(BackwardFn backward, std::string name, const variable_list& inputs,
                           std::vector<bool> is_tensor)
    : inputs_(inputs), any_requires_grad_(false) {
  std::vector<Edge> edges;
  for (const Tensor& t : inputs) {
    edges.push_back(t.requires_grad() && GradMode::is_enabled() ? gradient_edge(t) : Edge());
    any_requires_grad_ |= static_cast<bool>(edges.back());
  }
  node_ = new FunctionNode(backward, std::move(name), std::move(is_tensor), std::move(edges));
  owner_ = IntrusivePtr<Node>::adopt(node_);
}

AutogradContext* FunctionCall::context() { return &node_->context; }

variable_list FunctionCall::finish(variable_list outputs) {
  AutogradContext& context = node_->context;
  if (!any_requires_grad_) return outputs;
  std::vector<const TensorImpl*> originals;
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    Tensor& out = outputs[i];
    originals.push_back(out.impl());
    node_->add_output(out);
    if (context.non_differentiable_.contains(out.impl()) || !out.is_floating_point()) continue;
    const bool is_input = std::any_of(inputs_.begin(), inputs_.end(), [&](const Tensor& t) { return t.is_same(out); });
    if (context.dirty_.contains(out.impl())) {
      STRATA_CHECK(!out.requires_grad() || !out.is_leaf(), "{}: a leaf that requires grad was marked dirty",
                   node_->name());
    } else if (is_input || out.is_view()) {
      out = out.detach();  // a tensor of its own, so that the argument keeps its history
    }
    set_history(out, owner_, i);
  }
  for (const Tensor& t : context.to_save_) {
    const auto at = std::find(originals.begin(), originals.end(), t.impl());
    const bool is_output = t.defined() && at != originals.end();
    context.kept_.push_back({is_output ? t.detach() : t, t.defined() ? t._version() : 0,
                             is_output ? static_cast<int>(at - originals.begin()) : -1});
  }
  context.to_save_.clear();
  return outputs;
}

namespace detail {
std::string demangled(const char* type_name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(type_name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : type_name;
}
}  // namespace detail

}  // namespace strata::autograd
