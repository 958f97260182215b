// Hooks around the calls of a module and around the gradients that pass through it.
#pragma once
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/function.h"
#include "../core/tensor.h"

namespace strata::nn {

class Module;

namespace detail {

using HookTensors = std::vector<Tensor>;
/// What a hook gives: nothing, or tensors in place of those it was shown.
using HookResult = std::optional<HookTensors>;
using OnGradient = strata::detail::Function<Tensor(const Tensor&)>;

/// All hooks of one module, in the order of registration. Whoever runs some runs those of a copy of their list, which
/// shares the hooks: they may remove themselves or add others.
struct HookLists {
  template <class Result, class... Args>
  using ListOf =
      std::vector<std::pair<HookHandle, std::shared_ptr<const strata::detail::Function<Result(Module&, Args...)>>>>;
  template <class... Args>
  using List = ListOf<HookResult, Args...>;
  ListOf<void> before, after;
  List<const HookTensors&> inputs;                       ///< before a call
  List<const HookTensors&, const HookTensors&> outputs;  ///< after it: inputs, outputs
  List<const HookTensors&> grad_outputs;
  List<const HookTensors&, const HookTensors&> grads;  ///< gradients of inputs and of outputs
  /// Puts a hook on a tensor's gradient: only programs that see autograd/ can.
  HookHandle (*attach)(const Tensor&, OnGradient) = nullptr;
  HookHandle last = 0;

  void remove(HookHandle handle);
  bool sees_gradients() const { return !grad_outputs.empty() || !grads.empty(); }
};

/// How a hook's own result reads.
inline HookResult as_hook_result(Tensor t) {
  return t.defined() ? HookResult(HookTensors{std::move(t)}) : HookResult();
}
inline HookResult as_hook_result(HookTensors list) { return list; }
inline HookResult as_hook_result(HookResult list) { return list; }

template <class... Args, class F>
strata::detail::Function<HookResult(Module&, Args...)> make_module_hook(F hook) {
  return [hook](Module& module, Args... args) mutable -> HookResult {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, Module&, Args...>>) {
      hook(module, args...);
      return {};
    } else {
      return as_hook_result(hook(module, args...));
    }
  };
}

template <class F>
HookHandle attach_hook(const Tensor& t, std::type_identity_t<F> f) {
  return t.register_hook(std::move(f));
}

/// Calls `f(tensor)` for each tensor in a value: itself, or in tuples and vectors of tensors.
template <class T, class F>
void visit_tensors(T& value, F& f) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Plain, Tensor>)
    f(value);
  else if constexpr (std::is_same_v<Plain, std::vector<Tensor>>)
    for (auto& t : value) f(t);
  else if constexpr (requires { std::tuple_size<Plain>::value; })
    std::apply([&f](auto&... each) { (visit_tensors(each, f), ...); }, value);
}

}  // namespace detail

/// What registering a hook gives; it outlives its module safely.
class RemovableHandle {
 public:
  RemovableHandle() = default;
  RemovableHandle(std::weak_ptr<detail::HookLists> lists, HookHandle number)
      : lists_(std::move(lists)), number_(number) {}
  /// Takes the hook away; calls that are recorded already keep it.
  void remove() const {
    if (const auto lists = lists_.lock()) lists->remove(number_);
  }
  /// For `Module::remove_forward_hook`.
  operator HookHandle() const noexcept { return number_; }

 private:
  std::weak_ptr<detail::HookLists> lists_;
  HookHandle number_ = 0;
};

}  // namespace strata::nn
