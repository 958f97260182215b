// Saving tensors, checking them for later writes, and running the hooks.
#include "autograd/saved_tensor.h"

#include "autograd/accumulate.h"
#include "dispatcher/names.h"
#include "ops/view_def.h"

namespace strata::autograd {

constinit thread_local bool detail::has_saved_tensor_hooks = false;

namespace {

thread_local std::shared_ptr<SavedTensorHooks> current_hooks;

void set_hooks(std::shared_ptr<SavedTensorHooks> hooks) {
  current_hooks = std::move(hooks);
  detail::has_saved_tensor_hooks = static_cast<bool>(current_hooks);
}

class FunctionHooks final : public SavedTensorHooks {
 public:
  FunctionHooks(strata::detail::Function<std::any(const Tensor&)> pack,
                strata::detail::Function<Tensor(const std::any&)> unpack)
      : pack_(std::move(pack)), unpack_(std::move(unpack)) {}
  std::any pack(const Tensor& t) override { return pack_(t); }
  Tensor unpack(const std::any& packed) override { return unpack_(packed); }

 private:
  strata::detail::Function<std::any(const Tensor&)> pack_;
  strata::detail::Function<Tensor(const std::any&)> unpack_;
};

/// Hooks see what eager code saves, not what a transform's rules do.
bool hooks_apply(const Tensor& t) {
  return detail::has_saved_tensor_hooks && !thread_state.inside_rule && !t.impl()->wrapper();
}

/// The value that a transform's wrapper stands for, in a body of its own, which is no view of the user's.
TensorImpl* renamed(const Tensor& t) {
  ThreadState state = thread_state;
  state.inside_rule = true;
  const ThreadStateGuard guard(state);
  const Tensor own = call1(alias_op, {&t});
  own.impl()->retain();
  return own.impl();
}

/// The same data in a body of its own, without history; a wrapper has none when this is asked of it.
TensorImpl* without_history(const Tensor& t) {
  if (t.impl()->wrapper()) [[unlikely]]
    return renamed(t);
  auto* impl = new TensorImpl(t.dtype(), t.device(), t.storage());
  impl->set_geometry(t.sizes(), t.strides(), t.storage_offset());
  return impl;
}

}  // namespace

SavedTensorHooksGuard::SavedTensorHooksGuard(std::shared_ptr<SavedTensorHooks> hooks) : previous_(current_hooks) {
  set_hooks(std::move(hooks));
}
SavedTensorHooksGuard::SavedTensorHooksGuard(strata::detail::Function<std::any(const Tensor&)> pack,
                                             strata::detail::Function<Tensor(const std::any&)> unpack)
    : SavedTensorHooksGuard(std::make_shared<FunctionHooks>(std::move(pack), std::move(unpack))) {}
SavedTensorHooksGuard::~SavedTensorHooksGuard() { set_hooks(std::move(previous_)); }

/// What hooks keep of a tensor, and where its gradient goes.
struct SavedTensor::Packed {
  std::shared_ptr<SavedTensorHooks> hooks;
  std::any value;
  Edge edge;
  DimVector sizes;
  DType dtype;
};

SavedTensor SavedTensor::pack(const Tensor& t, Kind kind) {
  const auto hooks = current_hooks;
  const KeyOff without_recording(Key::Autograd);
  auto packed = std::make_unique<Packed>(Packed{
      hooks, {}, kind == Kind::kPackedInput && t.requires_grad() ? gradient_edge(t) : Edge(), t.sizes(), t.dtype()});
  set_hooks(nullptr);  // what the hooks compute is not for them
  try {
    packed->value = hooks->pack(Tensor::adopt(without_history(t)));
  } catch (...) {
    set_hooks(hooks);
    throw;
  }
  set_hooks(hooks);
  return {packed.release(), 0, kind};
}

SavedTensor SavedTensor::of_through_hooks(const Tensor& t) {
  if (hooks_apply(t)) return pack(t, Kind::kPackedInput);
  t.impl()->retain();
  return {t.impl(), t.impl()->version(), Kind::kInput};
}

SavedTensor SavedTensor::shape_of(const Tensor& t) {
  if (!t.defined()) return {};
  auto* impl = new TensorImpl(t.dtype(), t.device(), Storage());
  impl->set_contiguous(t.sizes(), t.numel());
  return {impl, impl->version(), Kind::kShape};
}

SavedTensor SavedTensor::output(const Tensor& t) {
  if (!t.defined()) return {};
  if (hooks_apply(t)) [[unlikely]]
    return pack(t, Kind::kPackedOutput);
  TensorImpl* const impl = without_history(t);
  return {impl, impl->version(), Kind::kOutput};
}

void SavedTensor::drop_packed() { delete static_cast<Packed*>(pointer_); }

Tensor SavedTensor::unpack_packed(Node& node, uint32_t output_nr) const {
  const Packed& p = *static_cast<const Packed*>(pointer_);
  const Tensor t = p.hooks->unpack(p.value);
  STRATA_CHECK(t.defined() && t.dtype() == p.dtype && t.sizes() == p.sizes,
               "backward of {}: a saved tensor's unpack hook gave {} of shape {} for {} of shape {}", node.name(),
               t.defined() ? strata::name(t.dtype()) : "no tensor", t.defined() ? t.sizes() : IntArrayRef(),
               strata::name(p.dtype), p.sizes);
  // As without hooks, an input comes back with its history even where nothing is recorded: checkpoint looks at it.
  const bool is_output = kind_ == Kind::kPackedOutput;
  if (is_output ? !GradMode::is_enabled() : !p.edge) return t;
  const Tensor with_history = Tensor::adopt(without_history(t));
  set_history(with_history, is_output ? IntrusivePtr<Node>::share(&node) : p.edge.function,
              is_output ? output_nr : p.edge.input_nr);
  return with_history;
}

Tensor SavedTensor::unpack_leaf(const Node& node) const {
  const Tensor& leaf = static_cast<const AccumulateGrad*>(pointer_)->variable;
  STRATA_CHECK(leaf.defined(),
               "backward of {}: a leaf that it needs was modified in place since, inside of a transform; work on a "
               "clone() there",
               node.name());
  return leaf;
}

Tensor SavedTensor::unpack(Node& node, uint32_t output_nr) const {
  if (kind_ == Kind::kNothing) return {};
  if (kind_ >= Kind::kPackedInput) [[unlikely]]
    return unpack_packed(node, output_nr);
  const Tensor t = kind_ == Kind::kLeaf ? unpack_leaf(node) : Tensor::share(impl());
  STRATA_CHECK(version_ == t.impl()->version(),
               "backward of {}: a tensor of shape {} that it needs was modified in place since (one of the variables "
               "needed for gradient computation has been modified by an inplace operation: it has version {}, expected "
               "{}); use an out-of-place op, or clone() before the change",
               node.name(), t.sizes(), t.impl()->version(), version_);
  if (kind_ != Kind::kOutput || !GradMode::is_enabled()) return t;
  const Tensor output = Tensor::adopt(without_history(t));
  set_history(output, IntrusivePtr<Node>::share(&node), output_nr);
  return output;
}

}  // namespace strata::autograd
