// Accumulation into leaves.
#include "autograd/accumulate.h"

#include <mutex>

#include "core/allocator.h"
#include "core/grad_mode.h"
#include "core/naming.h"
#include "ops/binary_def.h"
#include "ops/rules.h"

namespace strata::autograd {
namespace {

/// Does nobody but `grad` see its buffer? A view may be left as the only one who knows its base.
bool is_alone(const Tensor& grad) {
  const TensorImpl* const base = grad.impl()->base();
  const bool is_whole = !base || grad.nbytes() == grad.storage()->nbytes();
  return grad.use_count() == 1 && is_whole && (!base || base->use_count() == 1) &&
         grad.storage()->use_count() == (base && !grad.impl()->borrows_storage() ? 2 : 1);
}

/// The gradient's own memory if nobody else can see it and it is laid out like the leaf, else a copy.
Tensor own_or_copy(Tensor grad, const Tensor& leaf) {
  const WrapperBase* const w = grad.impl()->wrapper();
  if (w && !w->view && !w->unrecorded_view && grad.use_count() == 1) return grad;
  const MemoryFormat format = leaf.is_contiguous() ? MemoryFormat::Contiguous : leaf.suggest_memory_format(true);
  const bool is_plain = !GradMode::is_enabled() && grad.has_storage() && grad.is_contiguous(format);
  if (!is_plain || !is_alone(grad)) return grad.clone(format);
  if (!grad.is_view()) return grad;
  auto* const impl = new TensorImpl(grad.dtype(), grad.device(), grad.storage());
  impl->set_geometry(grad.sizes(), grad.strides(), grad.storage_offset());
  return Tensor::adopt(impl);
}

/// A gradient that is already there was left by set_data or put there by hand: anything may stand in it.
void check_fits(const Tensor& grad, const Tensor& leaf, const char* which) {
  STRATA_CHECK(grad.sizes() == leaf.sizes(), "backward: {} of shape {} at a leaf of shape {}", which, grad.sizes(),
               leaf.sizes());
  STRATA_CHECK(grad.dtype() == leaf.dtype(), "backward: {} of dtype {} at a leaf of dtype {}", which,
               name(grad.dtype()), name(leaf.dtype()));
  STRATA_CHECK(grad.device() == leaf.device(), "backward: {} on {} at a leaf on {}", which, grad.device().str(),
               leaf.device().str());
}

}  // namespace

void* AccumulateGrad::operator new(size_t bytes) { return small_alloc(bytes); }
void AccumulateGrad::operator delete(void* p, size_t bytes) noexcept { small_free(p, bytes); }

[[gnu::noinline]] AccumulateGrad* AccumulateGrad::make(Meta& meta, const Tensor& leaf) {
  return meta.accumulator = new AccumulateGrad(meta, leaf);
}

Edge AccumulateGrad::of(const Tensor& leaf) {
  Meta& meta = ensure_meta(leaf.impl());
  for (;;) {
    const std::lock_guard lock(meta.lock);
    AccumulateGrad* const a = meta.accumulator;
    if (!a) [[unlikely]]
      return {IntrusivePtr<Node>::adopt(make(meta, leaf)), 0};
    if (!a->variable.defined()) {
      a->variable = leaf;
      a->begin_again();
    } else if (!a->try_retain()) {
      continue;  // another thread has dropped the last edge and is about to let go of the leaf
    }
    return {IntrusivePtr<Node>::adopt(a), 0};
  }
}

std::atomic<int64_t> AccumulateGrad::buffers_{0};

void AccumulateGrad::set_buffer(const Tensor& leaf, Tensor buffer) {
  if (buffer.defined()) check_fits(buffer, leaf, "a buffer for gradients");
  const Edge edge = of(leaf);
  auto& self = static_cast<AccumulateGrad&>(*edge.function);
  const std::lock_guard lock(self.meta_->lock);
  buffers_ += int64_t{buffer.defined()} - int64_t{self.buffer_.defined()};
  self.buffer_ = std::move(buffer);
}

AccumulateGrad::~AccumulateGrad() {
  if (buffer_.defined()) --buffers_;
}

Tensor AccumulateGrad::offered_buffer() {
  if (!meta_ || meta_->hooks) return {};
  const std::lock_guard lock(meta_->lock);
  const bool is_free = buffer_.defined() && !meta_->grad.defined() && buffer_.use_count() == 1;
  return is_free ? buffer_ : Tensor();
}

/// A gradient that was made in the buffer is there already.
Tensor AccumulateGrad::first_gradient(Tensor grad) {
  if (!buffer_.defined() || GradMode::is_enabled()) return own_or_copy(std::move(grad), variable);
  if (grad.is_same(buffer_)) return grad;
  if (buffer_.use_count() > 1) return own_or_copy(std::move(grad), variable);
  buffer_.copy_(grad);
  return buffer_;
}

std::string AccumulateGrad::name() const {
  return libtorch_names() ? "torch::autograd::AccumulateGrad" : "AccumulateGrad";
}

void AccumulateGrad::destroy() {
  if (!meta_) return delete this;
  Tensor leaf;  // let go of after the lock: with the leaf's last user goes the meta, and this accumulator
  const std::lock_guard lock(meta_->lock);
  if (!taken_back()) leaf = std::move(variable);
}

void AccumulateGrad::leave_meta() {
  if (!variable.defined()) return delete this;
  meta_ = nullptr;
  variable = {};
}

Tensors AccumulateGrad::run(Tensors grads) {
  if (!meta_) return {};
  Meta& meta = *meta_;
  Tensor grad = std::move(grads[0]);
  check_fits(grad, variable, "a gradient");
  {
    const std::lock_guard lock(meta.lock);
    if (meta.grad.defined()) check_fits(meta.grad, variable, "an earlier gradient, .grad(),");
    if (!meta.grad.defined()) {
      meta.grad = first_gradient(std::move(grad));
    } else if (!GradMode::is_enabled()) {
      call_inplace(add_op, meta.grad, {&meta.grad, &grad});
    } else {
      meta.grad = rules::add(meta.grad, grad);
    }
  }
  if (meta.post_accumulate_hooks) {
    for (const HookEntry& h : std::vector(*meta.post_accumulate_hooks)) h.hook->run(variable);
  }
  return {};
}

}  // namespace strata::autograd
