// custom_vjp, custom_jvp and checkpoint: functions whose derivative the user gives, or that compute it by running
// again.
#pragma once
#include "../core/autocast.h"
#include "../core/function.h"
#include "../core/generator.h"
#include "jvp.h"
#include "vjp.h"

namespace strata::func {
namespace detail {

/// Sets the default generator for a scope.
class RestoredRandom {
 public:
  explicit RestoredRandom(Generator::Position state) : saved_(default_generator().state()) {
    default_generator().set_state(state);
  }
  ~RestoredRandom() { default_generator().set_state(saved_); }
  RestoredRandom(const RestoredRandom&) = delete;
  RestoredRandom& operator=(const RestoredRandom&) = delete;

 private:
  const Generator::Position saved_;
};

using ListFunction = strata::detail::Function<std::vector<Tensor>(const std::vector<Tensor>&)>;
/// Runs `f` again in eager code and pulls `grads` back to `inputs` and to leaves that f captured.
std::vector<Tensor> eager_checkpoint_backward(const ListFunction& f, const std::vector<Tensor>& inputs,
                                              const std::vector<Tensor>& grads);
Tensor zero_tangent(const Tensor& x);

/// A user's function at work: its argument types stand in `Args`, and the nests it takes and returns are lists of
/// tensors to the rule. `Self` says how derivatives are computed.
template <class F, class... X>
class TypedRule : public CustomRule {
 public:
  using Args = std::tuple<X...>;
  using Out = std::decay_t<decltype(std::apply(std::declval<const F&>(), std::declval<Args>()))>;

  TypedRule(F f, const Args& args, const char* name) : f_(std::move(f)), args_(args), name_(name) {
    tree::for_each(args_, [](Tensor& t) { t = Tensor(); });
  }
  std::string name() const override { return name_; }
  List forward(const List& inputs) const override { return outputs(std::apply(f_, arguments(inputs))); }
  List jvp(const List&, const List&) const override {
    STRATA_THROW("{}: has no forward-mode derivative (jvp, jacfwd, hessian); use custom_jvp", name_);
  }
  /// The results of a call as the function would have returned them.
  Out result(const Tensors& tensors) const { return tree::unflatten(Out(*pattern_), tensors); }

 protected:
  Args arguments(const List& inputs) const { return tree::unflatten(args_, inputs); }
  List outputs(Out out) const {
    List tensors = tree::leaves(fresh(out));
    tree::for_each(out, [](Tensor& t) { t = Tensor(); });
    pattern_ = std::make_shared<const Out>(std::move(out));
    return tensors;
  }
  Out cotangents(const List& grads) const { return tree::unflatten(Out(*pattern_), grads); }
  /// What a rule returns for the arguments, one nest or a tuple of them, as a list.
  template <class Nest>
  static List to_list(const Nest& nest) {
    return tree::leaves(nest);
  }
  const F f_;
  Args args_;
  const char* const name_;
  mutable std::shared_ptr<const Out> pattern_;  ///< the structure of the result, known once the function ran
};

template <class F, class Fwd, class Bwd, class... X>
class VjpRule final : public TypedRule<F, X...> {
  using Base = TypedRule<F, X...>;
  using typename CustomRule::Forward;
  using typename CustomRule::List;
  using Residuals =
      std::decay_t<decltype(std::apply(std::declval<const Fwd&>(), std::declval<std::tuple<X...>>()).second)>;

 public:
  VjpRule(F f, Fwd fwd, Bwd bwd, const std::tuple<X...>& args)
      : Base(std::move(f), args, "custom_vjp"), fwd_(std::move(fwd)), bwd_(std::move(bwd)) {}

  Forward forward_with_residuals(const List& inputs) const override {
    auto [out, residuals] = std::apply(fwd_, this->arguments(inputs));
    Forward kept{this->outputs(std::move(out)), tree::leaves(residuals), nullptr};
    tree::for_each(residuals, [](Tensor& t) { t = Tensor(); });
    kept.context = std::make_shared<Residuals>(std::move(residuals));
    return kept;
  }
  List backward(const Forward& kept, const List& grads) const override {
    const auto& pattern = *static_cast<const Residuals*>(kept.context.get());
    return this->to_list(bwd_(tree::unflatten(pattern, kept.residuals), this->cotangents(grads)));
  }

 private:
  const Fwd fwd_;
  const Bwd bwd_;
};

template <class F, class Rule, class... X>
class JvpRule final : public TypedRule<F, X...> {
  using Base = TypedRule<F, X...>;
  using typename CustomRule::Forward;
  using typename CustomRule::List;

 public:
  JvpRule(F f, Rule rule, const std::tuple<X...>& args)
      : Base(std::move(f), args, "custom_jvp"), rule_(std::move(rule)) {}

  Forward forward_with_residuals(const List& inputs) const override { return {this->forward(inputs), inputs, nullptr}; }
  List jvp(const List& inputs, const List& tangents) const override {
    return tree::leaves(rule_(this->arguments(inputs), this->arguments(tangents)).second);
  }
  /// The tangent map is linear, so its transpose is its vjp at any point.
  List backward(const Forward& kept, const List& grads) const override {
    const List& inputs = kept.residuals;
    List zeros;
    for (const Tensor& t : inputs) zeros.push_back(zero_tangent(t));
    return vjp([&](const List& tangents) { return jvp(inputs, tangents); }, zeros).second(grads);
  }

 private:
  const Rule rule_;
};

/// Keeps its inputs alone and runs the function again to differentiate it.
template <class F, class... X>
class CheckpointRule final : public TypedRule<F, X...> {
  using Base = TypedRule<F, X...>;
  using typename CustomRule::Forward;
  using typename CustomRule::List;

 public:
  CheckpointRule(F f, const std::tuple<X...>& args) : Base(std::move(f), args, "checkpoint") {}

  bool needs_history() const override { return false; }
  bool only_runs_again() const override { return true; }
  List forward(const List& inputs) const override {
    random_ = default_generator().state();
    return run(inputs);
  }
  Forward forward_with_residuals(const List& inputs) const override {
    List outputs = forward(inputs);
    return {std::move(outputs), inputs, std::make_shared<Generator::Position>(random_)};
  }
  List backward(const Forward& kept, const List& grads) const override {
    const RestoredRandom random(*static_cast<const Generator::Position*>(kept.context.get()));
    return kept.eager ? eager_checkpoint_backward(again(), kept.residuals, grads)
                      : vjp(again(), kept.residuals).second(grads);
  }
  List jvp(const List& inputs, const List& tangents) const override {
    const RestoredRandom random(random_);
    return func::jvp(again(), inputs, tangents).second;
  }

 private:
  /// In the precision that was asked for where the function was called, whatever it is now.
  List run(const List& inputs) const {
    const autocast::Restored precision(precision_);
    return Base::forward(inputs);
  }
  ListFunction again() const {
    return [this](const List& inputs) { return run(inputs); };
  }
  const autocast::Settings precision_ = autocast::settings();
  mutable Generator::Position random_{};  ///< the generator's state when the function ran last
};

/// Calls the rule on the arguments' tensors and returns what the function would have.
template <class Rule, class Args>
auto call_custom(const std::shared_ptr<Rule>& rule, const Args& args) {
  const std::vector<Tensor> inputs = tree::leaves(args);
  return rule->result(call(custom_op, ArgList(inputs), CustomParams{rule}));
}

template <class Fwd, class Bwd>
struct CustomVjp {
  Fwd fwd;
  Bwd bwd;
  template <class F, class... X>
  auto operator()(const F& f, const std::tuple<X...>& args) const {
    return call_custom(std::make_shared<VjpRule<F, Fwd, Bwd, X...>>(f, fwd, bwd, args), args);
  }
};
template <class Rule>
struct CustomJvp {
  Rule rule;
  template <class F, class... X>
  auto operator()(const F& f, const std::tuple<X...>& args) const {
    return call_custom(std::make_shared<JvpRule<F, Rule, X...>>(f, rule, args), args);
  }
};
struct Checkpoint {
  template <class F, class... X>
  auto operator()(const F& f, const std::tuple<X...>& args) const {
    return call_custom(std::make_shared<CheckpointRule<F, X...>>(f, args), args);
  }
};

}  // namespace detail

/// `f` with a derivative of your own for reverse mode: `fwd(args...)` returns the pair of f's result and residuals (any
/// nest), `bwd(residuals, cotangent)` the cotangents of all tensors of the arguments, in order: one nest or a tuple.
/// Holds at every level, in eager autograd too; forward mode throws. What is differentiated has to be
/// an argument: to capture a tensor of the same level is an error. After JAX's custom_vjp.
///
///     auto clipped = custom_vjp([](Tensor x) { return x; }, [](Tensor x) { return std::pair(x, std::tuple<>()); },
///                               [](std::tuple<>, Tensor g) { return clamp(g, -1, 1); });
template <class F, class Fwd, class Bwd>
auto custom_vjp(F f, Fwd fwd, Bwd bwd) {
  auto known_fwd = detail::at_the_door(std::move(fwd));
  auto known_bwd = detail::at_the_door(std::move(bwd));
  return detail::transformed(detail::CustomVjp<decltype(known_fwd), decltype(known_bwd)>{known_fwd, known_bwd},
                             std::move(f));
}

/// `f` with a derivative of your own for both modes: `rule(primals, tangents)`, both tuples of f's arguments, returns
/// the pair of f's result and its tangent, which must be linear in the tangents. After JAX's custom_jvp.
///
///     auto softplus = custom_jvp([](Tensor x) { return log1p(exp(x)); },
///                                [](std::tuple<Tensor> x, std::tuple<Tensor> t) {
///                                  const Tensor slope = sigmoid(std::get<0>(x));
///                                  return std::pair(log1p(exp(std::get<0>(x))), slope * std::get<0>(t));
///                                });
template <class F, class Rule>
auto custom_jvp(F f, Rule rule) {
  auto known_rule = detail::at_the_door(std::move(rule));
  return detail::transformed(detail::CustomJvp<decltype(known_rule)>{known_rule}, std::move(f));
}

/// `f` with less memory: a derivative keeps f's arguments alone and runs f again when it needs what lies between, with
/// the default generator as it was. In eager autograd, `backward()` also reaches leaves that f captures (a module's
/// parameters); inside transforms, what is differentiated must be an argument. After JAX's checkpoint.
///
///     auto block = checkpoint([](Tensor x, Tensor w) { return tanh(matmul(x, w)); });
///     Tensor g = grad([&](Tensor v) { return block(x, v).sum(); })(w);  // like w; keeps x and w alone
template <class F>
auto checkpoint(F f) {
  return detail::transformed(detail::Checkpoint(), std::move(f));
}

}  // namespace strata::func
