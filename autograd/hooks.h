// Hooks on gradients: on a tensor, after accumulation into a leaf, and on a node.
#pragma once
#include <type_traits>
#include <utility>

#include "node.h"

namespace strata {

namespace autograd {

/// Sees all gradients that a node is about to be given, and gives what it is given in their place.
struct FunctionPreHook {
  virtual ~FunctionPreHook() = default;
  virtual variable_list operator()(const variable_list& grads) = 0;
};
/// Sees all gradients that a node gave, and those that it was given; what it returns goes on in place of the former.
struct FunctionPostHook {
  virtual ~FunctionPostHook() = default;
  virtual variable_list operator()(const variable_list& outputs, const variable_list& inputs) = 0;
};
/// The hooks of one node.
struct NodeHooks {
  std::vector<std::unique_ptr<FunctionPreHook>> of_tensors, before;
  std::vector<std::unique_ptr<FunctionPostHook>> after;
};

/// Adds `hook` to the gradient of `t` (which must require grad); the handle removes it again.
HookHandle add_hook(const Tensor& t, IntrusivePtr<Hook> hook);
/// Adds a hook that runs once a gradient was accumulated into the leaf `t`.
HookHandle add_post_accumulate_hook(const Tensor& t, IntrusivePtr<Hook> hook);

/// A callable as a Hook; it takes the gradient (or the leaf) and returns nothing or a Tensor.
template <class F>
class HookOf final : public Hook {
 public:
  explicit HookOf(F f) : f_(std::move(f)) {}
  Tensor run(const Tensor& grad) override {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, Tensor>>) {
      f_(grad);
      return {};
    } else {
      return f_(grad);
    }
  }

 private:
  F f_;
};

template <class F>
IntrusivePtr<Hook> make_hook(F&& f) {
  return IntrusivePtr<Hook>::adopt(new HookOf<std::decay_t<F>>(std::forward<F>(f)));
}

/// `f(leaf)` runs after each accumulation into `leaf.grad()`; for optimizers in backward and data-parallel buckets.
template <class F>
HookHandle register_post_accumulate_grad_hook(const Tensor& leaf, F&& f) {
  return add_post_accumulate_hook(leaf, make_hook(std::forward<F>(f)));
}

}  // namespace autograd

template <class F>
HookHandle Tensor::register_hook(F&& hook) const {
  return autograd::add_hook(*this, autograd::make_hook(std::forward<F>(hook)));
}

}  // namespace strata
