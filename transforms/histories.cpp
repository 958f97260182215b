// Adding equations by which values get other histories.
#include "transforms/histories.h"

#include <unordered_map>
#include <utility>

#include "dispatcher/names.h"

namespace strata::func::detail {

using autograd::custom_op;
using autograd::CustomParams;
using Variable = Program::Variable;

/// Note [Histories of their own]
/// An equation's result has no history but that of its inputs. Where results of a program pass gradients on, equations
/// of custom rules give those values another one that have another one in eager code:
/// - A tensor that is written to while recording is off keeps its history: gradients flow on past the write, as if the
///   new value had always been there. What is detached has the history of what is written to it, and shares its memory
///   with a tensor that has another one.
/// - The derivative of a custom rule is what its backward says, from what it kept of the ops of its forward, which are
///   what the program has.
namespace {

/// The second input with the history of the first.
class KeepHistory final : public CustomRule {
 public:
  std::string name() const override { return "keep_history"; }
  bool needs_history() const override { return false; }
  List forward(const List& inputs) const override { return {inputs[1]}; }
  Forward forward_with_residuals(const List& inputs) const override { return {{inputs[1]}, {}, nullptr}; }
  List backward(const Forward&, const List& grads) const override { return {grads[0], Tensor()}; }
  List jvp(const List&, const List& tangents) const override { return {tangents[0]}; }
};

/// A rule whose forward has run: takes its arguments, what it gave, and what it keeps.
class RuleThatRan final : public CustomRule {
 public:
  RuleThatRan(std::shared_ptr<const CustomRule> rule, size_t arguments, const Forward& ran)
      : rule_(std::move(rule)), arguments_(arguments), results_(ran.outputs.size()), context_(ran.context) {}
  std::string name() const override { return rule_->name(); }
  bool needs_history() const override { return false; }
  List forward(const List& inputs) const override { return part(inputs, arguments_, results_); }
  Forward forward_with_residuals(const List& inputs) const override {
    const size_t before = arguments_ + results_;
    return {forward(inputs), part(inputs, before, inputs.size() - before), context_};
  }
  List backward(const Forward& kept, const List& grads) const override {
    List gradients = rule_->backward(kept, grads);
    gradients.resize(gradients.size() + results_ + kept.residuals.size());
    return gradients;
  }
  List jvp(const List& inputs, const List& tangents) const override {
    return rule_->jvp(part(inputs, 0, arguments_), part(tangents, 0, arguments_));
  }

 private:
  static List part(const List& list, size_t first, size_t count) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  const std::shared_ptr<const CustomRule> rule_;
  const size_t arguments_, results_;
  const std::shared_ptr<void> context_;
};

}  // namespace

// Only the library calls these.
[[gnu::visibility("hidden")]] std::shared_ptr<const CustomRule> rule_of_unrecorded_write() {
  return std::make_shared<const KeepHistory>();
}

[[gnu::visibility("hidden")]] std::shared_ptr<const CustomRule> rule_that_ran(std::shared_ptr<const CustomRule> rule,
                                                                              size_t arguments,
                                                                              const CustomRule::Forward& ran) {
  return std::make_shared<const RuleThatRan>(std::move(rule), arguments, ran);
}

namespace {

/// Which variables are read in the places of others.
class Renamed {
 public:
  void name(Variable v, Variable now) { now_[v] = now; }
  Variable of(Variable v) const {
    const auto at = now_.find(v);
    return at == now_.end() ? v : at->second;
  }
  void apply(std::vector<Variable>& list) const {
    for (Variable& v : list) v = of(v);
  }

 private:
  std::unordered_map<Variable, Variable> now_;
};

void add_history(Program::Body& body, const History& history, Renamed& renamed) {
  std::vector<Variable> inputs = history.inputs, outputs;
  renamed.apply(inputs);
  for (size_t i = 0; i < history.values.size(); ++i) {
    if (history.rule) {
      const Program::Type type = body.types[history.values[i]];
      outputs.push_back(static_cast<Variable>(body.types.size()));
      body.types.push_back(type);
    }
    renamed.name(history.values[i], history.rule ? outputs.back() : inputs[i]);
  }
  if (!history.rule) return;
  const CustomParams rule{history.rule};
  body.equations.push_back({&custom_op, OwnedParams(Params::of(rule)), true, std::move(inputs), std::move(outputs)});
}

}  // namespace

[[gnu::visibility("hidden")]] void add_histories(Program::Body& body, const std::vector<History>& histories) {
  std::vector<Program::Equation> recorded = std::exchange(body.equations, {});
  Renamed renamed;
  auto history = histories.begin();
  for (size_t i = 0; i <= recorded.size(); ++i) {
    for (; history != histories.end() && history->equations == i; ++history) add_history(body, *history, renamed);
    if (i == recorded.size()) break;
    renamed.apply(recorded[i].inputs);
    body.equations.push_back(std::move(recorded[i]));
  }
  renamed.apply(body.outputs);
  for (Program::Effect& e : body.effects) e.value = renamed.of(e.value);
}

}  // namespace strata::func::detail
