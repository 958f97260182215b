// Running a module's hooks: around its calls, and around the gradients that pass through it.
#include "nn/hooks.h"

#include "core/grad_mode.h"
#include "core/warning.h"
#include "nn/module.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::nn {
namespace detail {

void HookLists::remove(HookHandle handle) {
  const auto is_that = [handle](const auto& entry) { return entry.first == handle; };
  std::erase_if(before, is_that);
  std::erase_if(after, is_that);
  std::erase_if(inputs, is_that);
  std::erase_if(outputs, is_that);
  std::erase_if(grad_outputs, is_that);
  std::erase_if(grads, is_that);
}

namespace {

void replace(HookTensors& tensors, HookResult result, const char* what) {
  if (!result) return;
  STRATA_CHECK(result->size() == tensors.size(), "{}: {} tensors come back for {}", what, result->size(),
               tensors.size());
  tensors = std::move(*result);
}

/// Several tensors as one, so that one hook sees the gradients of all at the same time.
class Bundle {
 public:
  /// Of those tensors that require a gradient.
  explicit Bundle(const HookTensors& tensors) : count_(tensors.size()) {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].defined() && tensors[i].requires_grad()) {
        places_.push_back(i);
        kinds_.push_back({tensors[i].sizes(), tensors[i].dtype(), tensors[i].device()});
      }
  }
  bool empty() const { return places_.empty(); }
  Tensor joined(const HookTensors& tensors) const {
    if (places_.size() == 1) return tensors[places_[0]].view_as(tensors[places_[0]]);
    std::vector<Tensor> parts;
    for (size_t k = 0; k < places_.size(); ++k) {
      const Tensor& t = tensors[places_[k]];
      parts.push_back(t.defined() ? t.reshape({-1}) : zeros({numel_of(k)}, kinds_[k].options()));
    }
    return cat(parts);
  }
  /// The parts of `whole` in their places; other places keep what stands there.
  void split_into(HookTensors& tensors, const Tensor& whole) const {
    if (places_.size() == 1) {
      tensors[places_[0]] = whole;
      return;
    }
    int64_t at = 0;
    for (size_t k = 0; k < places_.size(); ++k) {
      const Tensor part = whole.narrow(0, at, numel_of(k)).reshape(kinds_[k].sizes);
      tensors[places_[k]] = part.to(kinds_[k].dtype);
      at += numel_of(k);
    }
  }
  HookTensors split(const Tensor& whole) const {
    HookTensors all(count_);
    split_into(all, whole);
    return all;
  }

 private:
  struct Kind {
    DimVector sizes;
    DType dtype;
    Device device;
    TensorOptions options() const { return TensorOptions(dtype).device(device); }
  };
  int64_t numel_of(size_t k) const {
    int64_t n = 1;
    for (const int64_t size : kinds_[k].sizes) n *= size;
    return n;
  }
  size_t count_;
  std::vector<size_t> places_;
  std::vector<Kind> kinds_;
};

}  // namespace

/// What the gradients' hooks of one call know.
struct BackwardCall {
  Module* module;
  std::weak_ptr<const Module> owner;  ///< expires with the module, where it is held by a shared_ptr
  bool is_owned;
  HookLists hooks;
  HookTensors grad_outputs;
  size_t inputs = 0;
  bool sees_inputs = false;

  bool is_alive() const { return !is_owned || !owner.expired(); }
  HookResult run(HookTensors grad_inputs) {
    bool changed = false;
    for (const auto& [handle, hook] : hooks.grads)
      if (HookResult result = (*hook)(*module, grad_inputs, grad_outputs)) {
        replace(grad_inputs, std::move(result), "register_full_backward_hook");
        changed = true;
      }
    grad_outputs.clear();
    return changed ? HookResult(std::move(grad_inputs)) : HookResult();
  }
};

namespace {

/// Lets `f` see and replace the gradients of the tensors together; they become views of what is hooked.
template <class F>
void hook_gradients(HookTensors& tensors, const HookLists& hooks, F f) {
  const Bundle bundle(tensors);
  if (bundle.empty()) return;
  const Tensor whole = bundle.joined(tensors);
  hooks.attach(whole, [bundle, f](const Tensor& grad) mutable -> Tensor {
    HookTensors grads = bundle.split(grad);
    HookResult result = f(grads);
    if (!result) return {};
    replace(grads, std::move(result), "register_full_backward_hook");
    return bundle.joined(grads);
  });
  bundle.split_into(tensors, whole);
}

}  // namespace

namespace {
template <class List>
List copy_of(const List& list) {
  return list;
}
}  // namespace

void ForwardScope::run_before() const {
  for (const auto& [handle, hook] : copy_of(lists_->before)) (*hook)(*module_);
}
void ForwardScope::run_after() const noexcept {
  for (const auto& [handle, hook] : copy_of(lists_->after)) (*hook)(*module_);
}

void ForwardScope::before(HookTensors& inputs) {
  for (const auto& [handle, hook] : copy_of(lists_->inputs))
    replace(inputs, (*hook)(*module_, inputs), "register_forward_pre_hook");
  shown_ = inputs;
  if (!lists_->sees_gradients() || !GradMode::is_enabled()) return;
  const auto owner = module_->weak_from_this();
  backward_ = std::make_shared<BackwardCall>(
      BackwardCall{module_, owner, !owner.expired(), *lists_, {}, inputs.size(), !Bundle(inputs).empty()});
  hook_gradients(inputs, *lists_, [call = backward_](HookTensors& grads) -> HookResult {
    return call->is_alive() ? call->run(grads) : HookResult();
  });
}

void ForwardScope::after_references(const HookTensors& outputs) {
  HookTensors seen = outputs;
  after(seen);
  for (size_t i = 0; i < seen.size(); ++i)
    STRATA_CHECK(seen[i].is_same(outputs[i]),
                 "{}: its forward returns a reference, to which hooks cannot bring other tensors and through which no "
                 "gradient's hook sees; return the tensors themselves",
                 module_->name());
}

void ForwardScope::after(HookTensors& outputs) {
  for (const auto& [handle, hook] : copy_of(lists_->outputs))
    replace(outputs, (*hook)(*module_, shown_, outputs), "register_forward_hook");
  if (!backward_) return;
  hook_gradients(outputs, *lists_, [call = backward_](HookTensors& grads) -> HookResult {
    if (!call->is_alive()) return {};
    for (const auto& [handle, hook] : call->hooks.grad_outputs)
      replace(grads, (*hook)(*call->module, grads), "register_full_backward_pre_hook");
    call->grad_outputs = grads;
    if (!call->sees_inputs) call->run(HookTensors(call->inputs));
    return grads;
  });
}

}  // namespace detail

namespace {
template <class List, class Hook>
HookHandle added(detail::HookLists& lists, List& list, Hook hook) {
  list.emplace_back(++lists.last, std::make_shared<const Hook>(std::move(hook)));
  return lists.last;
}
}  // namespace

detail::HookLists& Module::hook_lists() {
  auto& lists = forward_hooks_.lists;
  if (!lists) lists = std::make_shared<detail::HookLists>();
  return *lists;
}
RemovableHandle Module::handle_of(HookHandle number) const { return {forward_hooks_.lists, number}; }

RemovableHandle Module::add_before(ForwardHook hook) {
  return handle_of(added(hook_lists(), hook_lists().before, std::move(hook)));
}
RemovableHandle Module::add_after(ForwardHook hook) {
  return handle_of(added(hook_lists(), hook_lists().after, std::move(hook)));
}
RemovableHandle Module::add_inputs_hook(InputsHook hook) {
  return handle_of(added(hook_lists(), hook_lists().inputs, std::move(hook)));
}
RemovableHandle Module::add_outputs_hook(OutputsHook hook) {
  return handle_of(added(hook_lists(), hook_lists().outputs, std::move(hook)));
}
RemovableHandle Module::add_backward_hook(OutputsHook hook, AttachHook attach) {
  hook_lists().attach = attach;
  return handle_of(added(hook_lists(), hook_lists().grads, std::move(hook)));
}
RemovableHandle Module::add_backward_pre_hook(InputsHook hook, AttachHook attach) {
  hook_lists().attach = attach;
  return handle_of(added(hook_lists(), hook_lists().grad_outputs, std::move(hook)));
}

void Module::remove_forward_hook(HookHandle handle) {
  if (forward_hooks_.lists) forward_hooks_.lists->remove(handle);
}

}  // namespace strata::nn
