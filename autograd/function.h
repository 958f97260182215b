// Custom differentiable functions with libtorch's signature: a struct with static forward and backward.
#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/function.h"
#include "../core/value.h"
#include "saved_tensor.h"

namespace strata::autograd {

class FunctionNode;

/// What forward hands to backward.
class AutogradContext {
 public:
  /// Values kept from forward to backward: `ctx->saved_data["stride"] = 2;` … `.toInt()`.
  std::map<std::string, Value> saved_data;
  /// Keeps tensors for backward, checked against later in-place writes. Call once, in forward.
  void save_for_backward(variable_list to_save);
  /// The kept tensors, in order.
  variable_list get_saved_variables() const;
  /// Outputs that get no gradient.
  void mark_non_differentiable(const variable_list& outputs);
  /// Inputs that forward wrote to in place and returns.
  void mark_dirty(const variable_list& inputs);
  /// Whether undefined gradients are turned into zeros before backward sees them (default true).
  void set_materialize_grads(bool on) { materialize_grads_ = on; }
  /// Does the i-th tensor argument of forward need a gradient?
  bool needs_input_grad(size_t i) const;
  /// Does any in these ranges, each of which ends before its second number?
  bool needs_input_grad(std::initializer_list<IndexRange> ranges) const {
    for (auto [i, end] : ranges)
      for (; i < end; ++i)
        if (needs_input_grad(i)) return true;
    return false;
  }

 private:
  friend class FunctionNode;
  friend class FunctionCall;
  friend class FunctionRule;
  struct SavedVariable {
    SavedTensor tensor;
    uint32_t output_nr = 0;  ///< its place among the outputs, if it is one
  };
  std::vector<SavedVariable> kept_;
  variable_list residuals_;   ///< inside functional transforms, where levels keep them
  std::vector<bool> wanted_;  ///< there: which gradients go on
  std::set<const TensorImpl*> non_differentiable_;
  variable_list dirty_;
  variable_list to_save_;
  bool materialize_grads_ = true;
  FunctionNode* node_ = nullptr;  ///< null inside functional transforms
};

using BackwardFn = variable_list (*)(AutogradContext*, variable_list);

/// The untyped part of Function::apply.
class FunctionCall {
 public:
  /// Starts a call with these arguments in order; `is_tensor` tells which of backward's gradients belong to tensors.
  FunctionCall(BackwardFn backward, std::string name, const variable_list& inputs, std::vector<bool> is_tensor);
  AutogradContext* context();
  /// Gives the outputs their history.
  variable_list finish(variable_list outputs);

 private:
  IntrusivePtr<Node> owner_;
  FunctionNode* node_;
  variable_list inputs_;
  bool any_requires_grad_;
};

/// Forward with its tensor arguments given anew.
using ForwardFn = strata::detail::Function<variable_list(AutogradContext*, const variable_list&)>;
/// The same call inside functional transforms, where it runs as a custom rule: see Note [Custom rules].
variable_list call_function_rule(ForwardFn forward, BackwardFn backward, std::string name, const variable_list& inputs,
                                 std::vector<bool> is_tensor);

namespace detail {
inline void collect(variable_list& inputs, std::vector<bool>& is_tensor, const Tensor& t) {
  inputs.push_back(t);
  is_tensor.push_back(true);
}
inline void collect(variable_list& inputs, std::vector<bool>& is_tensor, const std::optional<Tensor>& t) {
  collect(inputs, is_tensor, t.value_or(Tensor()));
}
inline void collect(variable_list& inputs, std::vector<bool>& is_tensor, TensorList list) {
  for (const Tensor& t : list) collect(inputs, is_tensor, t);
}
inline void collect(variable_list& inputs, std::vector<bool>& is_tensor, const variable_list& list) {
  collect(inputs, is_tensor, TensorList(list));
}
template <class T>
void collect(variable_list&, std::vector<bool>& is_tensor, const T&) {
  is_tensor.push_back(false);
}
/// Puts the next of `tensors` in the place of an argument that is one.
inline void replace(const Tensor*& next, Tensor& t) { t = *next++; }
inline void replace(const Tensor*& next, std::optional<Tensor>& t) {
  const Tensor given = *next++;
  if (t) t = given;
}
inline void replace(const Tensor*& next, variable_list& list) {
  for (Tensor& t : list) replace(next, t);
}
template <class T>
void replace(const Tensor*&, T&) {}
/// An argument as it waits for a later call of forward. Tensors are put in its place then (see replace); the argument's
/// own would be held by the history that the call gives to them: a circle, where forward writes to an argument.
template <class A>
using Kept = std::conditional_t<std::is_same_v<std::decay_t<A>, TensorList>, variable_list, std::decay_t<A>>;
template <class A>
Kept<A> keep(const A& argument) {
  if constexpr (std::is_same_v<A, Tensor>)
    return {};
  else if constexpr (std::is_same_v<A, std::optional<Tensor>>)
    return argument ? A(Tensor()) : A();
  else if constexpr (std::is_same_v<Kept<A>, variable_list>)
    return variable_list(argument.size());
  else
    return argument;
}
inline variable_list to_list(Tensor t) { return {std::move(t)}; }
inline variable_list to_list(variable_list l) { return l; }
template <class R>
R from_list(variable_list l) {
  if constexpr (std::is_same_v<R, Tensor>)
    return std::move(l.at(0));
  else
    return l;
}
std::string demangled(const char* type_name);
/// T's backward, however it takes its gradients and gives them back.
template <class T>
variable_list backward_of(AutogradContext* ctx, variable_list gradients) {
  return T::backward(ctx, std::move(gradients));
}
}  // namespace detail

/// `struct Mul : Function<Mul> { static Tensor forward(AutogradContext* ctx, Tensor a, Tensor b); static variable_list
/// backward(AutogradContext* ctx, variable_list grads); };` then `Mul::apply(a, b)`. Backward returns one gradient per
/// argument of forward (an undefined Tensor for none and for non-tensors). Backward may be differentiated again if it
/// is written with ops.
template <class T>
struct Function {
  template <class X = T, class... A>
  static auto apply(A&&... args) {
    using Result = std::decay_t<decltype(X::forward(static_cast<AutogradContext*>(nullptr), std::forward<A>(args)...))>;
    variable_list inputs;
    std::vector<bool> is_tensor;
    (detail::collect(inputs, is_tensor, args), ...);
    if (thread_state.top_layer) [[unlikely]] {
      auto forward = [copies = std::tuple<detail::Kept<A>...>(detail::keep(args)...)](AutogradContext* ctx,
                                                                                      const variable_list& tensors) {
        auto given = copies;
        const Tensor* next = tensors.data();
        return std::apply(
            [&](auto&... arg) {
              (detail::replace(next, arg), ...);
              return detail::to_list(X::forward(ctx, arg...));
            },
            given);
      };
      return detail::from_list<Result>(call_function_rule(std::move(forward), &detail::backward_of<X>,
                                                          detail::demangled(typeid(X).name()), inputs,
                                                          std::move(is_tensor)));
    }
    FunctionCall call(&detail::backward_of<X>, detail::demangled(typeid(X).name()), inputs, std::move(is_tensor));
    variable_list outputs;
    {
      const NoGradGuard no_grad;
      outputs = detail::to_list(X::forward(call.context(), std::forward<A>(args)...));
    }
    return detail::from_list<Result>(call.finish(std::move(outputs)));
  }
};

}  // namespace strata::autograd
