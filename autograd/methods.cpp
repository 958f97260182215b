// Tensor's autograd methods and hooks.

#include <algorithm>

#include "autograd/autograd.h"
#include "autograd/engine.h"
#include "autograd/inplace.h"
#include "autograd/record.h"
#include "core/replay.h"
#include "core/warning.h"
#include "ops/print_values.h"
#include "ops/view.h"

namespace strata {

using autograd::meta_of;

const Tensor& Tensor::requires_grad_(bool on) const {
  STRATA_CHECK(defined(), "requires_grad_: undefined tensor");
  const WrapperBase* const wrapper = impl_->wrapper();
  STRATA_CHECK(!wrapper || wrapper->level == detail::traced_level(),
               "requires_grad_: inside a transform (vmap, grad, jvp, …) use grad() instead");
  // A view made while recording was off says that it requires grad because its base does; it has no gradient of its
  // own.
  const bool by_base_alone = !impl_->autograd() && impl_->view_made() != TensorImpl::Made::kRecorded;
  if (on == requires_grad() && !(on && by_base_alone)) return *this;
  STRATA_CHECK(is_leaf(),
               "requires_grad_: you can only change requires_grad flags of leaf variables. Use detach() on results");
  STRATA_CHECK(!on || is_differentiable(dtype()),
               "requires_grad_: Only Tensors of floating point and complex dtype can require gradients, this one is {}",
               strata::name(dtype()));
  STRATA_CHECK(
      !on || !is_inference() || thread_state.inference_mode,
      "requires_grad_: Setting requires_grad=True on inference tensor outside InferenceMode is not allowed. clone() "
      "it first");
  if (on) {
    impl_->add_key(Key::Autograd);
    autograd::ensure_meta(impl_);
  } else {
    impl_->remove_key(Key::Autograd);
  }
  return *this;
}

namespace {
/// A compiled function's trace has to know of each leaf whose gradient the function reads or sets; it takes note of
/// those that ops use.
void show_to_trace(const Tensor& t) {
  if (!thread_state.top_layer || !detail::is_traced_for_replay() || t.impl()->wrapper()) return;
  if (!t.requires_grad() || !t.is_leaf()) return;
  const NoGradGuard no_grad;
  detach(t);
}
}  // namespace

namespace {
[[gnu::cold, gnu::noinline]] void warn_of_missing_grad() {
  warn(Warning(
      "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
      "populated during autograd.backward(). Use .retain_grad() on it if you want that, or access the leaf "
      "Tensor instead"));
}
}  // namespace

Tensor& Tensor::mutable_grad() const {
  STRATA_CHECK(defined(), "grad: undefined tensor");
  show_to_trace(*this);
  return autograd::ensure_meta(impl_).grad;
}
const Tensor& Tensor::grad() const {
  static const Tensor none;
  if (!impl_) return none;
  show_to_trace(*this);
  const autograd::Meta* const meta = meta_of(impl_);
  if (meta && meta->grad_fn && !meta->retain_hook && !meta->grad.defined()) [[unlikely]]
    warn_of_missing_grad();
  return meta ? meta->grad : none;
}

std::shared_ptr<autograd::Node> Tensor::grad_fn() const {
  if (!requires_grad() || is_leaf()) return nullptr;
  return autograd::gradient_edge(*this).function;
}
std::string grad_fn_name(const Tensor& x) {
  const auto made_by = x.defined() ? x.grad_fn() : nullptr;
  if (!made_by) return {};
  const std::string name = made_by->name();
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}
bool Tensor::is_leaf() const { return !requires_grad() || autograd::is_leaf(impl_); }
int64_t Tensor::output_nr() const { return impl_ && meta_of(impl_) ? meta_of(impl_)->output_nr : 0; }

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph,
                      std::optional<TensorList> inputs) const {
  STRATA_CHECK(!inputs || !inputs->empty(), "backward: the list of inputs cannot be empty");
  autograd::backward({*this}, {gradient}, retain_graph, create_graph,
                     inputs ? inputs->vec() : autograd::variable_list());
}

Tensor Tensor::detach() const { return strata::detach(*this); }
const Tensor& Tensor::detach_() const {
  STRATA_CHECK(!is_view(), "detach_: a view cannot be detached in place; use detach()");
  if (!requires_grad()) return *this;
  autograd::Meta& meta = autograd::ensure_meta(impl_);
  meta.grad_fn = nullptr;
  impl_->remove_key(Key::Autograd);
  return *this;
}

void Tensor::set_data(const Tensor& other) const {
  STRATA_CHECK(defined() && other.defined(), "set_data: undefined tensor");
  STRATA_CHECK(!requires_grad() || is_differentiable(other.dtype()), "set_data: {} values cannot require grad",
               strata::name(other.dtype()));
  impl_->take_data(*other.impl());
}

namespace {

/// Keeps what comes to a tensor that is no leaf. It is the last of the tensor's hooks, whenever others are registered.
class RetainHook final : public autograd::Hook {
 public:
  explicit RetainHook(TensorImpl* self) : self_(self) {}
  Tensor run(const Tensor& grad) override {
    Tensor& kept = meta_of(self_)->grad;
    kept = kept.defined() ? kept.add(grad) : grad;
    return {};
  }

 private:
  TensorImpl* self_;  // weak: the meta removes the hook when the tensor goes
};

}  // namespace

bool Tensor::retains_grad() const { return impl_ && meta_of(impl_) && meta_of(impl_)->retain_hook != 0; }
void Tensor::retain_grad() const {
  autograd::refresh(*this);
  STRATA_CHECK(requires_grad(), "retain_grad: the tensor does not require grad");
  if (is_leaf() || retains_grad()) return;
  const HookHandle id = autograd::add_hook(*this, IntrusivePtr<autograd::Hook>::adopt(new RetainHook(impl_)));
  meta_of(impl_)->retain_hook = id;
}

namespace autograd {
namespace {

std::atomic<HookHandle> next_handle{1};
HookHandle new_handle() { return next_handle.fetch_add(1); }

HookHandle append(std::unique_ptr<std::vector<HookEntry>>& list, IntrusivePtr<Hook> hook) {
  if (!list) list = std::make_unique<std::vector<HookEntry>>();
  list->push_back({new_handle(), 0, std::move(hook)});
  return list->back().id;
}

void tell_trace(const Tensor& t, HookHandle id, Hook& hook) {
  if (note_hook_in_trace && strata::detail::traced_level() != 0) note_hook_in_trace(t, id, hook);
}

}  // namespace

void (*note_hook_in_trace)(const Tensor& t, HookHandle id, Hook& hook) = nullptr;

HookHandle add_hook(const Tensor& t, IntrusivePtr<Hook> hook) {
  refresh(t);
  STRATA_CHECK(t.requires_grad(), "register_hook: the tensor does not require grad");
  if (t.is_leaf()) {
    const HookHandle id = append(ensure_meta(t.impl()).hooks, hook);
    tell_trace(t, id, *hook);
    return id;
  }
  const Edge edge = gradient_edge(t);
  std::vector<HookEntry>& hooks = edge.function->hooks();
  const auto retains = [](const HookEntry& h) { return dynamic_cast<const RetainHook*>(h.hook.get()) != nullptr; };
  const bool is_last = dynamic_cast<const RetainHook*>(hook.get()) != nullptr;
  const auto at = is_last ? hooks.end() : std::find_if(hooks.begin(), hooks.end(), retains);
  const HookHandle id = hooks.insert(at, {new_handle(), edge.input_nr, hook})->id;
  if (!is_last) tell_trace(t, id, *hook);
  return id;
}

HookHandle add_post_accumulate_hook(const Tensor& t, IntrusivePtr<Hook> hook) {
  STRATA_CHECK(t.requires_grad() && t.is_leaf(),
               "register_post_accumulate_grad_hook: only leaves that require grad accumulate");
  return append(ensure_meta(t.impl()).post_accumulate_hooks, std::move(hook));
}

}  // namespace autograd

/// A hook may be removed twice, but there was one.
void Tensor::remove_hook(HookHandle handle) const {
  STRATA_CHECK(handle > 0 && handle < autograd::next_handle, "remove_hook: Invalid index, no hook at position {}",
               handle);
  const auto drop = [handle](std::vector<autograd::HookEntry>& list) {
    std::erase_if(list, [handle](const autograd::HookEntry& h) { return h.id == handle; });
  };
  autograd::Meta* const meta = impl_ ? meta_of(impl_) : nullptr;
  if (!meta) return;
  if (meta->hooks) drop(*meta->hooks);
  if (meta->post_accumulate_hooks) drop(*meta->post_accumulate_hooks);
  if (meta->grad_fn) drop(meta->grad_fn->hooks());
}

}  // namespace strata
