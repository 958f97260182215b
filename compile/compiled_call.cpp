// Running a program and handing its gradients to the leaves.
#include "compile/compiled_call.h"

#include <algorithm>
#include <optional>

#include "core/grad_mode.h"

namespace strata::func::compiling {
namespace {

using After = GradientEffect::After;

size_t count_computed(const std::vector<GradientEffect>& gradients) {
  return static_cast<size_t>(std::count_if(gradients.begin(), gradients.end(),
                                           [](const GradientEffect& g) { return g.after == After::computed; }));
}

std::vector<GradientEffect> without_values(std::vector<GradientEffect> gradients) {
  for (GradientEffect& g : gradients) g.value.reset();  // they belonged to the trace
  return gradients;
}

}  // namespace

CompiledCall::CompiledCall(TracedCall traced, std::vector<Refreshes::Refresh> refreshes, std::vector<bool> donated)
    : gradients_(without_values(std::move(traced.gradients))),
      refreshes_(std::move(refreshes)),
      passes_gradients_(traced.passes_gradients),
      aftermath_(std::move(traced.aftermath)),
      run_(std::move(traced.program), std::move(donated)) {
  for (const Program::Constant& c : program().constants()) require_grad_.push_back(c.value.requires_grad());
}

bool CompiledCall::fits(TensorList inputs) const {
  if (is_stale_.load(std::memory_order_relaxed)) return false;
  for (const GradientEffect& g : gradients_)
    if (g.matters && g.of(inputs).grad().defined() != g.was_defined) return false;
  for (size_t i = 0; i < require_grad_.size(); ++i)
    if (program().constants()[i].value.requires_grad() != require_grad_[i]) return false;
  return true;
}

bool CompiledCall::refresh() const {
  if (refreshes_.empty()) return true;
  try {
    const strata::detail::OutsideOfTransforms outside;  // a function around this one that is traced does it each time
    for (const Refreshes::Refresh& refresh : refreshes_) refresh();
  } catch (const strata::detail::RunOnceFirst&) {
    is_stale_ = true;
    return false;
  }
  if (strata::detail::is_traced_for_replay())
    for (const Refreshes::Refresh& refresh : refreshes_) strata::detail::before_each_replay(refresh);
  return true;
}

std::vector<Tensor> CompiledCall::operator()(std::vector<Tensor> inputs) const {
  const std::vector<Tensor> callers = aftermath_.callers_tensors(inputs);
  std::vector<Tensor> outputs = run(std::move(inputs));
  aftermath_.settle(callers, outputs);
  return outputs;
}

std::vector<Tensor> CompiledCall::run(std::vector<Tensor> inputs) const {
  std::optional<AutoGradMode> recording;
  if (passes_gradients_ || thread_state.level == 0) recording.emplace(passes_gradients_);
  std::optional<KeyOff> casts;  // which are equations of the program
  if (is_autocast_active()) casts.emplace(Key::Autocast);
  if (gradients_.empty()) return run_(std::move(inputs));
  std::vector<Tensor> leaves;
  for (const GradientEffect& g : gradients_) leaves.push_back(g.of(inputs));
  for (size_t i = 0; i < leaves.size(); ++i)
    if (gradients_[i].is_input) inputs.push_back(leaves[i].grad());
  std::vector<Tensor> outputs = run_(std::move(inputs));
  size_t next = outputs.size() - count_computed(gradients_);
  const size_t results = next;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (gradients_[i].after == After::computed) leaves[i].mutable_grad() = std::move(outputs[next++]);
    if (gradients_[i].after == After::cleared) leaves[i].mutable_grad().reset();
  }
  outputs.resize(results);
  return outputs;
}

}  // namespace strata::func::compiling
