// Noting in a trace what the results are, and making them that after a run.
#include "compile/results.h"

#include "autograd/meta.h"

namespace strata::func::compiling {
namespace {

using History = ResultKind::History;

/// The history of a result that requires a gradient and passes none on.
class EndOfGraph final : public autograd::BuiltinNode {
 public:
  explicit EndOfGraph(bool is_used_up) : BuiltinNode(nullptr, 0, 1) {
    if (is_used_up) release_saved();
  }
  autograd::Tensors run(autograd::Tensors) override {
    check_not_released();
    return {};
  }
  std::string name() const override { return "CompiledBackward"; }
};

History history_of(const Tensor& t) {
  if (!t.defined() || !t.requires_grad()) return History::none;
  if (t.is_leaf()) return History::leaf;
  const autograd::Edge edge = autograd::gradient_edge(t);
  if (!edge || edge.function->num_outputs() == 0) return History::ends;
  return edge.function->is_released() ? History::used_up : History::passes;
}

void end_history(History wanted, const Tensor& t) {
  autograd::set_history(t, IntrusivePtr<autograd::Node>::adopt(new EndOfGraph(wanted == History::used_up)), 0);
}

void settle_history(History wanted, Tensor& t) {
  if (wanted != History::used_up && t.requires_grad() == (wanted != History::none)) return;
  if (wanted == History::none)
    t = t.detach();
  else if (wanted == History::leaf)
    t.requires_grad_();
  else
    end_history(wanted, t);
}

/// A tensor of the caller's has the history that the program gave it, unless there is nothing left of that.
void settle_written(History wanted, const Tensor& t) {
  if ((wanted == History::ends || wanted == History::used_up) && !t.requires_grad()) end_history(wanted, t);
}

}  // namespace

// Only the library calls these.
[[gnu::visibility("hidden")]] Aftermath::Aftermath(const TraceLayer& layer, TensorList results)
    : shapes_(layer.shape_changes()) {
  needs_callers_ = !shapes_.empty();
  for (const Tensor& t : results) {
    kinds_.push_back({layer.identity_of(t), history_of(t)});
    needs_callers_ |= static_cast<bool>(kinds_.back().is);
  }
}

[[gnu::visibility("hidden")]] std::vector<Tensor> Aftermath::left_to_program(std::vector<Tensor> results) const {
  for (size_t i = 0; i < kinds_.size(); ++i)
    if (kinds_[i].is) results[i].reset();
  return results;
}

/// One for each result, undefined where the program gives it, and then the arguments that get other shapes.
std::vector<Tensor> Aftermath::callers_tensors(TensorList inputs) const {
  if (!needs_callers_) return {};
  std::vector<Tensor> tensors;
  for (const ResultKind& k : kinds_) tensors.push_back(k.is.input ? inputs[*k.is.input] : k.is.outside);
  for (const TraceLayer::ShapeChange& c : shapes_) tensors.push_back(inputs[c.input]);
  return tensors;
}

/// Inside of a transform results are its tensors, whose history is the level's.
void Aftermath::settle(const std::vector<Tensor>& callers, std::vector<Tensor>& results) const {
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].is) results[i] = callers[i];
    if (thread_state.level != 0 || !results[i].defined()) continue;
    kinds_[i].is ? settle_written(kinds_[i].history, results[i]) : settle_history(kinds_[i].history, results[i]);
  }
  for (size_t i = 0; i < shapes_.size(); ++i) {
    const Tensor& t = callers[kinds_.size() + i];
    t.as_strided_(shapes_[i].sizes, shapes_[i].strides, t.storage_offset() + shapes_[i].offset);
  }
}

}  // namespace strata::func::compiling
