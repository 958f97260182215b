// Backend calls, key selection and the in-place form.
#include "dispatcher/call.h"

#include <algorithm>
#include <optional>

#include "core/cuda_backend.h"
#include "core/tensor.h"

namespace strata::dispatch {
namespace {

KeyHandler handlers[kNumKeys];
const Op* copy_op = nullptr;

[[gnu::cold]] KernelFn missing_kernel(const Op& op, Device d) {
  detail::fail("{}: no kernel for device {}", {detail::ErrorArg(op.name()), detail::ErrorArg(d.str())});
}

KernelFn kernel_for(const Op& op, Device d) {
  const KernelFn k = op.kernels[static_cast<int>(d.type())];
  return k ? k : missing_kernel(op, d);
}

[[noreturn, gnu::cold]] void fail_devices(const Op& op, Device a, Device b) {
  STRATA_THROW("{}: tensors are on different devices, {} and {}; move one with to()", op.name(), a.str(), b.str());
}

/// All tensors of a call are on one device, but for `transfer`. The keys say at once when they are all on the CPU.
void check_one_device(KeySet keys, const Op& op, Args args, const Tensor* self = nullptr) {
  if (!keys.has(Key::CUDA) || op.is(kMovesDevice)) return;
  std::optional<Device> first;
  if (self) first = self->device();
  for (const Tensor* t : args) {
    if (!t->defined()) continue;
    if (first && !(t->device() == *first)) fail_devices(op, *first, t->device());
    first = t->device();
  }
}

[[noreturn, gnu::cold, gnu::noinline]] void fail_dtype(const Op& op, DType dtype) {
  STRATA_CHECK(!is_complex(dtype), "{}: not implemented for {}; give it abs(), real() or view_as_real() of the tensor",
               op.name(), name(dtype));
  STRATA_THROW("{}: not implemented for {}", op.name(), name(dtype));
}

/// An op's kernels are asked for the dtypes alone that it takes.
inline void check_dtypes(const Op& op, Args args) {
  for (const Tensor* t : args)
    if (t->defined() && !op.dtypes.has(t->dtype())) [[unlikely]]
      fail_dtype(op, t->dtype());
}

[[gnu::cold, gnu::noinline]] Metas fail_no_infer(const Op& op) {
  STRATA_THROW("{}: has no infer rule, which says the shape and dtype of its outputs; give it one with .infer(...)",
               op.name());
}
Metas infer(const Op& op, Args args, Params params) {
  return op.infer ? op.infer(args, params.data()) : fail_no_infer(op);
}

void run_kernel(const Op& op, Device device, Tensors& out, Args args, const void* params) {
  const KernelFn kernel = kernel_for(op, device);
  if (device.is_cpu()) return kernel(out, args, params);
  const cuda::DeviceGuard guard(device);
  kernel(out, args, params);
}

Device device_of(Args args) {
  for (const Tensor* t : args)
    if (t->defined() && t->device().is_cuda()) return t->device();
  return kCPU;
}

/// Half-open byte range that a tensor's elements touch.
struct ByteRange {
  const char* begin;
  const char* end;
};
ByteRange bytes_of(const Tensor& t) {
  int64_t last = 0;
  for (int64_t i = 0; i < t.dim(); ++i) last += (t.sizes()[i] - 1) * t.strides()[i];
  return {t.data(), t.data() + (last + 1) * static_cast<int64_t>(t.element_size())};
}

bool same_geometry(const Tensor& a, const Tensor& b) {
  return a.data() == b.data() && a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

bool overlaps(const Tensor& a, const Tensor& b) {
  if (!a.has_storage() || !b.has_storage() || !(a.storage() == b.storage()) || a.numel() == 0 || b.numel() == 0)
    return false;
  const ByteRange x = bytes_of(a), y = bytes_of(b);
  return x.begin < y.end && y.begin < x.end;
}

/// May the kernel write straight into `self` while it reads `args`?
bool may_write_directly(const Op& op, const Tensor& self, Args args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (!args[i].defined() || !overlaps(self, args[i])) continue;
    const bool exact = same_geometry(self, args[i]);
    if (exact && (op.is(kPointwise) || (op.is(kUpdatesInput0) && i == 0))) continue;
    return false;
  }
  return true;
}

/// An expanded tensor has several elements at one address; writing through it would be ambiguous.
void check_no_internal_overlap(const Op& op, const Tensor& self) {
  if (self.is_contiguous()) return;
  for (int64_t i = 0; i < self.dim(); ++i) {
    STRATA_CHECK(
        self.strides()[i] != 0 || self.sizes()[i] <= 1,
        "{}: in-place on an expanded tensor of shape {} (several elements share one memory location); clone() it first",
        op.name(), self.sizes());
  }
}

/// How a view of `x` comes to be at this moment; a view of an unrecorded view is as unrecorded.
TensorImpl::Made how_made(const Tensor& x) {
  if (x.impl()->view_made() != TensorImpl::Made::kRecorded) return x.impl()->view_made();
  if (GradMode::is_enabled()) return TensorImpl::Made::kRecorded;
  return thread_state.inference_mode ? TensorImpl::Made::kInference : TensorImpl::Made::kNoGrad;
}

/// See Note [Views and gradients] in core/tensor_impl.h.
Tensor make_view(const Op& op, const Tensor& x, const Meta& m) {
  Tensor view = Tensor::adopt(new TensorImpl(m.dtype, m.device, x.storage()));
  TensorImpl* const impl = view.impl();
  int64_t first = x.storage_offset();
  if (m.dtype != x.dtype()) [[unlikely]]  // between complex numbers and their parts
    first = first * x.element_size() / static_cast<int64_t>(item_size(m.dtype));
  impl->set_geometry(m.sizes, m.strides, first + m.offset);
  const bool detached = op.is(kNotDifferentiable);
  impl->set_inference(x.is_inference() && (thread_state.inference_mode || !detached));
  if (detached || x.is_inference()) return view;
  TensorImpl* const root = x.impl()->base();
  impl->add_key(Key::Autograd);
  impl->set_base(IntrusivePtr<TensorImpl>::share(root ? root : x.impl()));
  if (const TensorImpl::Made made = how_made(x); made != TensorImpl::Made::kRecorded) impl->set_view_made(made);
  return view;
}

}  // namespace

void set_key_handler(Key key, KeyHandler handler) { handlers[static_cast<int>(key)] = handler; }

void set_copy_op(const Op& op) { copy_op = &op; }

Tensor empty(const Meta& m) {
  return m.device.is_cpu() ? empty_cpu(m.sizes, m.dtype) : empty_cuda(m.sizes, m.dtype, m.device);
}

Metas infer_like_first(Args in, const void*) { return meta_like(in[0]); }

Tensors call_backend(const Op& op, Args args, Params params) {
  check_dtypes(op, args);
  if (op.infer == &infer_like_first && args[0].is_cpu()) {
    Tensors out(empty_cpu_like(args[0]));
    kernel_for(op, kCPU)(out, args, params.data());
    return out;
  }
  if (op.is(kDataDependent)) [[unlikely]] {
    if (device_of(args).is_cuda()) cuda::refuse_capture(op.name());
    Tensors out;
    run_kernel(op, device_of(args), out, args, params.data());
    return out;
  }
  const Metas metas = infer(op, args, params);
  if (op.is(kView)) return make_view(op, args[0], metas[0]);
  Tensors out = Tensors::undefined(metas.size());
  for (size_t i = 0; i < metas.size(); ++i) out[i] = empty(metas[i]);
  run_kernel(op, out[0].device(), out, args, params.data());
  return out;
}

void call_backend_inplace(const Op& op, Tensor& self, Args args, Params params) {
  STRATA_CHECK(!self.is_inference() || thread_state.inference_mode,
               "{}: in-place outside of InferenceMode on a tensor made in it; clone() it first", op.name());
  check_no_internal_overlap(op, self);
  check_dtypes(op, args);
  if (may_write_directly(op, self, args)) {
    Tensors out(self);
    run_kernel(op, self.device(), out, args, params.data());
  } else {
    Tensors fresh = call_backend(op, args, params);
    Tensors out(self);
    const NoParams none;
    run_kernel(*copy_op, self.device(), out, {&fresh[0]}, &none);
  }
  self.storage()->bump_version();
}

Tensors call_with(KeySet keys, const Op& op, Args args, Params params) {
  check_one_device(keys, op, args);
  if (!keys.has_layer()) return call_backend(op, args, params);
  return handlers[static_cast<int>(keys.highest())].call(op, args, params);
}

void call_inplace_with(KeySet keys, const Op& op, Tensor& self, Args args, Params params) {
  check_one_device(keys, op, args, &self);
  if (!keys.has_layer()) return call_backend_inplace(op, self, args, params);
  handlers[static_cast<int>(keys.highest())].call_inplace(op, self, args, params);
}

}  // namespace strata::dispatch
