// Adding equations by which values get other histories.
#include "transforms/histories.h"

#include <algorithm>
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
///   with a tensor that has another one. Each use of such a value has an equation of its own, so that gradients come
///   one by one to what they are for, as in eager code.
/// - A hook on a tensor is one on all that is computed of it, whenever it was registered.
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
      : rule_(std::move(rule)), arguments_(arguments), results_(ran.outputs.size()), ran_(ran) {
    ran_.outputs.clear();
    ran_.residuals.clear();
  }
  std::string name() const override { return rule_->name(); }
  bool needs_history() const override { return false; }
  List forward(const List& inputs) const override { return part(inputs, arguments_, results_); }
  Forward forward_with_residuals(const List& inputs) const override {
    const size_t before = arguments_ + results_;
    Forward kept = ran_;
    kept.outputs = forward(inputs);
    kept.residuals = part(inputs, before, inputs.size() - before);
    return kept;
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
  Forward ran_;  // without its tensors
};

/// A hook as a function of the gradient. A trace only has to know that the result is like that.
class RunHook final : public CustomRule {
 public:
  explicit RunHook(IntrusivePtr<autograd::Hook> hook) : hook_(std::move(hook)) {}
  std::string name() const override { return "run_hook"; }
  List forward(const List& inputs) const override {
    if (inputs[0].impl()->wrapper()) return inputs;
    const Tensor given = hook_->run(inputs[0]);
    return {given.defined() ? given : inputs[0]};
  }
  Forward forward_with_residuals(const List& inputs) const override { return {forward(inputs), {}, nullptr}; }
  List backward(const Forward&, const List& grads) const override { return grads; }
  List jvp(const List&, const List& tangents) const override { return tangents; }

 private:
  const IntrusivePtr<autograd::Hook> hook_;
};

/// Gives what it takes, and runs a hook on its gradient: at once in eager code, and else as a call of its own, which
/// runs whenever the gradient has values.
class Hooked final : public CustomRule {
 public:
  explicit Hooked(IntrusivePtr<autograd::Hook> hook) : hook_(std::move(hook)) {}
  std::string name() const override { return "hook"; }
  bool needs_history() const override { return false; }
  List forward(const List& inputs) const override { return inputs; }
  Forward forward_with_residuals(const List& inputs) const override { return {inputs, {}, nullptr}; }
  List backward(const Forward& kept, const List& grads) const override {
    if (kept.eager) {
      const Tensor given = hook_->run(grads[0]);
      return {given.defined() ? given : grads[0]};
    }
    return {dispatch::call1(custom_op, {&grads[0]}, CustomParams{std::make_shared<const RunHook>(hook_)})};
  }
  List jvp(const List&, const List& tangents) const override { return tangents; }

 private:
  const IntrusivePtr<autograd::Hook> hook_;
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

/// Behind what gives the value, so that all that is computed of it is hooked as well.
[[gnu::visibility("hidden")]] void add_hook(std::vector<History>& histories, const Program::Body& body, Variable value,
                                            IntrusivePtr<autograd::Hook> hook) {
  const auto names = [&](const std::vector<Variable>& list) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  const auto made = std::find_if(body.equations.begin(), body.equations.end(),
                                 [&](const Program::Equation& e) { return names(e.outputs); });
  const size_t first = made == body.equations.end() ? 0 : static_cast<size_t>(made - body.equations.begin()) + 1;
  const auto last =
      std::find_if(histories.rbegin(), histories.rend(), [&](const History& h) { return names(h.values); });
  auto at = last.base();
  if (last == histories.rend())
    at = std::find_if(histories.begin(), histories.end(), [&](const History& h) { return h.equations >= first; });
  const size_t equations = last == histories.rend() ? first : last->equations;
  histories.insert(at, {equations, std::make_shared<const Hooked>(std::move(hook)), {value}, {value}});
}

namespace {

/// Which variables are read in the places of others.
class Renamed {
 public:
  explicit Renamed(Program::Body& body) : body_(body) {}
  void name(Variable v, Variable now) {
    now_[v] = now;
    histories_.erase(v);
  }
  /// `v`, where it is read, is to have the history of `before`.
  void keep(Variable v, Variable before) {
    const auto kept = histories_.find(before);
    histories_[v] = kept == histories_.end() ? of(before) : Variable(kept->second);
  }
  /// What a reader of `v` reads.
  Variable of(Variable v) {
    const auto at = now_.find(v);
    const Variable value = at == now_.end() ? v : at->second;
    const auto kept = histories_.find(v);
    return kept == histories_.end() ? value : add(rule_of_unrecorded_write(), {kept->second, value}, {v})[0];
  }
  /// What was written to `target` without being recorded leaves that its history, and what else it is has another one.
  void apply(Program::Effect& e) {
    const auto kept = histories_.find(e.value);
    const bool is_kept = kept != histories_.end(), is_own = is_kept && kept->second == e.target;
    if (is_own) histories_.erase(kept);
    e.value = of(e.value);
    e.recording |= is_kept && !is_own;
  }
  /// What is given back twice is one tensor.
  void apply_once(std::vector<Variable>& list) {
    std::unordered_map<Variable, Variable> done;
    for (auto v = list.rbegin(); v != list.rend(); ++v) {
      const auto [at, is_new] = done.try_emplace(*v, *v);
      if (is_new) at->second = of(*v);
      *v = at->second;
    }
  }
  /// The engine meets the last equation first, so the first of the list is for the last reader.
  void apply(std::vector<Variable>& list) {
    for (auto v = list.rbegin(); v != list.rend(); ++v) *v = of(*v);
  }
  /// Adds the equation of a rule, whose results are like these.
  std::vector<Variable> add(std::shared_ptr<const CustomRule> rule, std::vector<Variable> inputs,
                            const std::vector<Variable>& like) {
    std::vector<Variable> outputs;
    for (Variable v : like) {
      const Program::Type type = body_.types[v];
      outputs.push_back(static_cast<Variable>(body_.types.size()));
      body_.types.push_back(type);
    }
    const CustomParams params{std::move(rule)};
    body_.equations.push_back({&custom_op, OwnedParams(Params::of(params)), true, std::move(inputs), outputs});
    return outputs;
  }

 private:
  Program::Body& body_;
  std::unordered_map<Variable, Variable> now_, histories_;
};

void add_history(const History& history, Renamed& renamed) {
  if (dynamic_cast<const KeepHistory*>(history.rule.get())) return renamed.keep(history.values[0], history.inputs[0]);
  std::vector<Variable> inputs = history.inputs;
  renamed.apply(inputs);
  if (history.rule) inputs = renamed.add(history.rule, std::move(inputs), history.values);
  for (size_t i = 0; i < history.values.size(); ++i) renamed.name(history.values[i], inputs[i]);
}

}  // namespace

[[gnu::visibility("hidden")]] void add_histories(Program::Body& body, const std::vector<History>& histories) {
  std::vector<Program::Equation> recorded = std::exchange(body.equations, {});
  Renamed renamed(body);
  auto history = histories.begin();
  for (size_t i = 0; i <= recorded.size(); ++i) {
    for (; history != histories.end() && history->equations == i; ++history) add_history(*history, renamed);
    if (i == recorded.size()) break;
    renamed.apply(recorded[i].inputs);
    body.equations.push_back(std::move(recorded[i]));
  }
  renamed.apply_once(body.outputs);
  for (Program::Effect& e : body.effects) renamed.apply(e);
}

}  // namespace strata::func::detail
