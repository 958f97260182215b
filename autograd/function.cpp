// The node behind custom functions.
#include "autograd/function.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "autograd/custom.h"
#include "autograd/inplace.h"
#include "autograd/meta.h"
#include "autograd/validate.h"
#include "core/naming.h"
#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::autograd {

class FunctionNode final : public UserNode {
 public:
  FunctionNode(BackwardFn backward, std::string name, std::vector<bool> is_tensor, std::vector<Edge> edges,
               const variable_list& inputs)
      : UserNode(std::move(edges), {inputs.begin(), inputs.end()}, 0),
        backward_(backward),
        name_(std::move(name)),
        is_tensor_(std::move(is_tensor)) {
    context.node_ = this;
  }
  Tensors run(Tensors grads) override;
  std::string name() const override { return libtorch_names() ? "torch::autograd::CppNode<" + name_ + ">" : name_; }
  void add_output(const Tensor& t) {
    outputs_.emplace_back(t);
    set_num_inputs(static_cast<uint32_t>(outputs_.size()));
  }
  void release_variables() override {
    context.kept_.clear();
    context.saved_data.clear();
  }
  AutogradContext context;

 private:
  BackwardFn backward_;
  std::string name_;
  std::vector<bool> is_tensor_;
  std::vector<TensorKind> outputs_;
};

namespace {

/// Of what backward returned for all arguments, the gradients of those that are tensors.
variable_list tensor_gradients(variable_list returned, const std::vector<bool>& is_tensor, const std::string& name) {
  // Arguments that forward took by default have gradients too, as long as those are undefined (libtorch's rule).
  while (returned.size() > is_tensor.size() && !returned.back().defined()) returned.pop_back();
  STRATA_CHECK(returned.size() == is_tensor.size(), "{}: backward returned {} gradients for {} arguments of forward",
               name, returned.size(), is_tensor.size());
  variable_list out;
  for (size_t i = 0; i < returned.size(); ++i) {
    STRATA_CHECK(is_tensor[i] || !returned[i].defined(),
                 "{}: backward returned a gradient for argument {}, which is no tensor", name, i);
    if (is_tensor[i]) out.push_back(returned[i]);
  }
  return out;
}

}  // namespace

Tensors FunctionNode::run(Tensors grads) {
  variable_list given(grads.begin(), grads.end());
  for (size_t i = 0; i < given.size() && context.materialize_grads_; ++i) {
    const TensorKind& kind = outputs_[i];
    if (!given[i].defined()) given[i] = zeros(kind.sizes, TensorOptions(kind.dtype).device(kind.device));
  }
  return fitted(tensor_gradients(backward_(&context, std::move(given)), is_tensor_, name_));
}

/// A custom function inside functional transforms: what it saved are the residuals.
class FunctionRule final : public CustomRule {
 public:
  FunctionRule(ForwardFn forward, BackwardFn backward, std::string name, std::vector<bool> is_tensor, bool may_write)
      : forward_(std::move(forward)),
        backward_(backward),
        name_(std::move(name)),
        is_tensor_(std::move(is_tensor)),
        may_write_(may_write) {}
  std::string name() const override { return name_; }
  List forward(const List& inputs) const override { return forward_with_residuals(inputs).outputs; }
  Forward forward_with_residuals(const List& inputs) const override {
    auto context = std::make_shared<AutogradContext>();
    List outputs = forward_(context.get(), inputs);
    note_dirty(context->dirty_, outputs, inputs);
    context->dirty_.clear();
    std::vector<bool> constant;
    for (const Tensor& t : outputs) constant.push_back(context->non_differentiable_.contains(t.impl()));
    List residuals = std::move(context->to_save_);
    Forward kept{std::move(outputs), std::move(residuals), context};
    kept.constant = std::move(constant);
    kept.takes_undefined = !context->materialize_grads_;
    return kept;
  }
  List backward(const Forward& kept, const List& grads) const override {
    const auto& forward = *static_cast<const AutogradContext*>(kept.context.get());
    AutogradContext context;
    context.saved_data = forward.saved_data;
    context.materialize_grads_ = forward.materialize_grads_;
    context.residuals_ = kept.residuals;
    context.wanted_ = kept.wanted;
    return tensor_gradients(backward_(&context, grads), is_tensor_, name_);
  }
  List jvp(const List&, const List&) const override {
    STRATA_THROW("{}: a custom function has no forward-mode derivative (jvp, jacfwd, hessian); use func::custom_jvp",
                 name_);
  }
  /// Which outputs of the last forward are inputs that it wrote to: pairs of numbers.
  struct Written {
    size_t output, input;
  };
  const std::vector<Written>& written() const { return written_; }

 private:
  void note_dirty(const List& dirty, const List& outputs, const List& inputs) const {
    const auto number_in = [](const List& list, const Tensor& t) {
      const auto at = std::find_if(list.begin(), list.end(), [&](const Tensor& each) { return each.is_same(t); });
      return static_cast<size_t>(at - list.begin());
    };
    written_.clear();
    for (const Tensor& t : dirty) {
      written_.push_back({number_in(outputs, t), number_in(inputs, t)});
      const bool is_given_back = written_.back().output < outputs.size() && written_.back().input < inputs.size();
      STRATA_CHECK(may_write_ && is_given_back,
                   "{}: mark_dirty is not possible inside functional transforms, and inside of compiled functions for "
                   "arguments that forward returns",
                   name_);
    }
  }

  const ForwardFn forward_;
  const BackwardFn backward_;
  const std::string name_;
  const std::vector<bool> is_tensor_;
  const bool may_write_;  // to arguments, which then have bodies of their own
  mutable std::vector<Written> written_;
};

variable_list call_function_rule(ForwardFn forward, BackwardFn backward, std::string name, const variable_list& inputs,
                                 std::vector<bool> is_tensor) {
  const uint64_t traced = strata::detail::traced_level();
  const bool is_compiled = traced != 0 && thread_state.top_layer->level() == traced && !thread_state.inside_rule;
  const auto rule =
      std::make_shared<FunctionRule>(std::move(forward), backward, std::move(name), std::move(is_tensor), is_compiled);
  const Tensors given = call(custom_op, ArgList(inputs), CustomParams{rule});
  variable_list out(given.begin(), given.end());
  for (const auto& [output, input] : rule->written()) {  // forward wrote to a body that only it had
    inputs[input].copy_(out[output]);
    out[output] = inputs[input];
  }
  return out;
}

void AutogradContext::save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }

variable_list AutogradContext::get_saved_variables() const {
  if (!node_) return residuals_;
  node_->check_not_released();
  variable_list out;
  for (const SavedVariable& k : kept_) out.push_back(k.tensor.unpack(*node_, k.output_nr));
  return out;
}

void AutogradContext::mark_non_differentiable(const variable_list& outputs) {
  for (const Tensor& t : outputs) non_differentiable_.insert(t.impl());
}
void AutogradContext::mark_dirty(const variable_list& inputs) {
  dirty_.insert(dirty_.end(), inputs.begin(), inputs.end());
}
bool AutogradContext::needs_input_grad(size_t i) const {
  if (!node_) return i >= wanted_.size() || wanted_[i];
  return i < node_->num_outputs() && node_->next_edge(i);
}

FunctionCall::FunctionCall(BackwardFn backward, std::string name, const variable_list& inputs,
                           std::vector<bool> is_tensor)
    : inputs_(inputs), any_requires_grad_(false) {
  std::vector<Edge> edges;
  for (const Tensor& t : inputs) {
    const bool is_recorded = t.requires_grad() && GradMode::is_enabled();
    edges.push_back(is_recorded ? gradient_edge(t) : Edge());
    any_requires_grad_ |= is_recorded;  // also of a view made while recording was off, which no gradient goes to
  }
  node_ = new FunctionNode(backward, std::move(name), std::move(is_tensor), std::move(edges), inputs);
  owner_ = IntrusivePtr<Node>::adopt(node_);
}

namespace {
bool contains(const variable_list& list, const Tensor& t) {
  return std::any_of(list.begin(), list.end(), [&](const Tensor& each) { return each.is_same(t); });
}
}  // namespace

AutogradContext* FunctionCall::context() { return &node_->context; }

variable_list FunctionCall::finish(variable_list outputs) {
  AutogradContext& context = node_->context;
  // What was saved before holds another value now, however forward wrote to it.
  const variable_list dirty = std::move(context.dirty_);  // the node must not own an output: that owns the node
  for (const Tensor& t : dirty)
    if (t.has_storage()) t.storage()->bump_version();
  if (!any_requires_grad_) return outputs;
  std::vector<const TensorImpl*> originals;
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    Tensor& out = outputs[i];
    originals.push_back(out.impl());
    node_->add_output(out);
    if (context.non_differentiable_.contains(out.impl()) || !is_differentiable(out.dtype())) continue;
    if (contains(dirty, out)) {
      check_inplace_allowed(node_->name(), out);
      out.is_view() ? rebase(out, owner_, i) : set_history(out, owner_, i);
      continue;
    }
    if (contains(inputs_, out) || out.is_view()) out = out.detach();  // of its own: the argument keeps its history
    set_history(out, owner_, i);
  }
  for (const Tensor& t : context.to_save_) {
    const auto at = std::find(originals.begin(), originals.end(), t.impl());
    const bool is_output = t.defined() && at != originals.end();
    context.kept_.push_back({is_output ? SavedTensor::output(t) : SavedTensor::of(t),
                             is_output ? static_cast<uint32_t>(at - originals.begin()) : 0});
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
