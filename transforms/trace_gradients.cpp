// What a traced function has done to gradients of leaves.
#include <algorithm>

#include "core/replay.h"
#include "transforms/trace.h"

namespace strata::func {

using Variable = Program::Variable;

/// A tensor from outside that the program is given anew in each run.
void TraceLayer::make_input(Variable v) {
  std::erase_if(body_.constants, [&](const Program::Constant& c) { return c.variable == v; });
  body_.inputs.push_back(v);
}

GradientEffect TraceLayer::gradient_effect(const Leaf& l) {
  using After = GradientEffect::After;
  GradientEffect e;
  if (!l.is_argument) e.leaf = l.leaf;
  e.argument = l.argument;
  e.was_defined = l.gradient.defined();
  const auto read = l.gradient.defined() ? captured_.find(l.gradient.impl()) : captured_.end();
  e.is_input = read != captured_.end();
  if (e.is_input) make_input(read->second.variable);
  const Tensor& now = l.leaf.grad();
  if (!now.is_same(l.gradient)) e.after = now.defined() ? After::computed : After::cleared;
  if (e.after == After::computed) e.value = now;
  e.matters = e.is_input || !e.was_defined;
  return e;
}

std::vector<GradientEffect> TraceLayer::take_gradients() {
  const strata::detail::OutsideOfTransforms unseen;
  std::vector<GradientEffect> effects;
  for (const Leaf& l : leaves_) {
    GradientEffect e = gradient_effect(l);
    const bool is_untouched =
        e.after == GradientEffect::After::kept && !e.is_input && (e.was_defined || !ran_backward_);
    if (!is_untouched) effects.push_back(std::move(e));
  }
  give_back_gradients();
  return effects;
}

void TraceLayer::give_back_gradients() {
  const strata::detail::OutsideOfTransforms unseen;
  for (const Leaf& l : leaves_) l.leaf.mutable_grad() = l.gradient;
}

}  // namespace strata::func
