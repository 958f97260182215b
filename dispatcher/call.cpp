// Backend calls, key selection and the in-place form.
#include "dispatcher/call.h"

#include <algorithm>
#include <optional>

#include "core/cuda_backend.h"
#include "core/stack.h"
#include "core/tensor.h"
#include "dispatcher/fallback.h"
#include "dispatcher/layout.h"
#include "dispatcher/undefined.h"

namespace strata::dispatch {
namespace {

KeyHandler handlers[kNumKeys];
const Op* copy_op = nullptr;

[[noreturn, gnu::cold]] void fail_devices(const Op& op, Device a, Device b) {
  STRATA_THROW("{}: tensors are on different devices, {} and {}; move one with to()", op.name(), a.str(), b.str());
}

/// All tensors of a call are on one device, but for `transfer`.
void check_one_device(const Op& op, Args args, const Tensor* self) {
  if (op.is(kMovesDevice)) return;
  std::optional<Device> first;
  if (self) first = self->device();
  for (const Tensor* t : args) {
    if (!t->defined()) continue;
    if (first && !(t->device() == *first)) fail_devices(op, *first, t->device());
    first = t->device();
  }
}

std::string list_of(DTypes types) {
  std::string list;
  for (int i = 0; i < kNumDTypes; ++i)
    if (const DType t = static_cast<DType>(i); types.has(t)) list += std::string(list.empty() ? "" : ", ") + name(t);
  return list;
}

[[noreturn, gnu::cold, gnu::noinline]] void fail_dtype(const Op& op, Args args, size_t input) {
  const DType dtype = args[input].dtype();
  const DTypes taken = op.dtypes_for(input);
  const bool is_same_for_all = taken == op.dtypes_for(0) && taken == op.dtypes_for(1) && taken == op.dtypes_for(2);
  STRATA_THROW_AS(NotImplementedError, "{}: not implemented for {}{}; it takes {}{}", op.name(), name(dtype),
                  is_same_for_all ? std::string() : " as input " + std::to_string(input), list_of(taken),
                  is_complex(dtype) ? ": give it abs(), real() or view_as_real() of the tensor" : "");
}

/// An op's kernels are asked for the dtypes alone that it takes. The undefined dtype is in every set.
inline void check_dtypes(const Op& op, Args args) {
  const auto check = [&](size_t i, DTypes taken) {
    if (args[i].defined() && !taken.has(args[i].dtype())) [[unlikely]]
      fail_dtype(op, args, i);
  };
  if (args.size() > 0) check(0, op.dtypes[0]);
  if (args.size() > 1) check(1, op.dtypes[1]);
  for (size_t i = 2; i < args.size(); ++i) check(i, op.dtypes[2]);
}

[[gnu::cold, gnu::noinline]] Metas fail_no_infer(const Op& op) {
  STRATA_THROW("{}: has no infer rule, which says the shape and dtype of its outputs; give it one with .infer(...)",
               op.name());
}
void run(KernelFn kernel, Device device, Tensors& out, Args args, const void* params) {
  if (device.is_cpu()) return kernel(out, args, params);
  const DeviceGuard guard(device);
  kernel(out, args, params);
}

/// On Meta what the op infers is the result, except where the result depends on values or is to have some.
[[gnu::cold, gnu::noinline]] void check_needs_no_values(const Op& op, bool makes_values) {
  STRATA_CHECK(!makes_values, "{}: Cannot copy out of meta tensor; no data! It has a shape and a dtype only",
               op.name());
  STRATA_CHECK(!op.is(kDataDependent),
               "{}: the shape of its result depends on values, and a tensor on meta has a shape and a dtype only",
               op.name());
}

/// The device's kernel, or the CPU's where it has none; none on Meta.
void run_kernel(const Op& op, Device device, Tensors& out, Args args, const void* params) {
  if (device.is_meta()) [[unlikely]]
    return check_needs_no_values(op, !out.empty() && !out[0].device().is_meta());
  const KernelFn kernel = op.kernel(device.type());
  if (kernel) [[likely]]
    return run(kernel, device, out, args, params);
  run_on_cpu(op, device, out, args, params);
}

Device device_of(Args args) {
  for (const Tensor* t : args)
    if (t->defined() && !t->device().is_cpu()) return t->device();
  return kCPU;
}

/// Where an op's outputs are to be; that of its inputs if it has none.
Device device_of(const Metas& metas, Args args) { return metas.size() > 0 ? metas[0].device : device_of(args); }

/// Whose kernel makes results on a device: its own, but what is moved to the CPU is the work of where it comes from.
Device runs_on(const Op& op, Device results, Args args) {
  return op.is(kMovesDevice) && results.is_cpu() ? device_of(args) : results;
}

/// Is the op made of other ops there, for want of a kernel?
bool decomposes(const Op& op, Device device) {
  return !op.kernel(device.type()) && op.decompose && !(device.is_meta() && op.infer);
}

/// Does the tensor show memory of one of these?
bool is_shared(const Tensor& t, Args with) {
  for (const Tensor* a : with)
    if (a->defined() && a->has_storage() && a->storage() == t.storage()) return true;
  return false;
}

/// Runs the other ops. Their results become what a kernel gives: row-major, with memory of their own.
[[gnu::cold, gnu::noinline]] Tensors decomposed(const Op& op, Args args, Params params) {
  const KeyOff below_autograd(Key::Autograd);
  Tensors out = op.decompose(args, params.data());
  const NoParams none;
  for (Tensor& t : out)
    if (t.defined() && (t.is_view() || !t.is_contiguous() || is_shared(t, args)))
      t = call_backend(*copy_op, {&t}, Params::of(none))[0];
  return out;
}

bool same_geometry(const Tensor& a, const Tensor& b) {
  return a.bytes() == b.bytes() && a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides();
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
TensorImpl::Made how_made(const TensorImpl& x) {
  if (x.view_made() != TensorImpl::Made::kRecorded) return x.view_made();
  if (GradMode::is_enabled()) return TensorImpl::Made::kRecorded;
  return thread_state.inference_mode ? TensorImpl::Made::kInference : TensorImpl::Made::kNoGrad;
}

}  // namespace

/// See Note [Views and gradients] in core/tensor_impl.h.
Tensor make_view(const Op& op, const Tensor& x, Params params) {
  x.numel();  // throws if x is undefined
  TensorImpl* const from = x.impl();
  check_dtypes(op, {&x});
  STRATA_CHECK(op.view, "{}: is flagged as a view and has no view rule; give it one with .view(...)", op.name());
  const bool detached = op.is(kNotDifferentiable), is_related = !detached && !from->is_inference();
  TensorImpl* const root = from->base() ? from->base() : from;
  auto* const impl = new TensorImpl(*from, is_related ? root : nullptr);
  Tensor view = Tensor::adopt(impl);
  TensorImpl::ViewGeometry g = impl->geometry();
  op.view(x, params.data(), g);
  impl->finish_view(*from, g);
  impl->set_inference(from->is_inference() && (thread_state.inference_mode || !detached));
  if (!is_related) return view;
  impl->add_key(Key::Autograd);
  if (const TensorImpl::Made made = how_made(*from); made != TensorImpl::Made::kRecorded) impl->set_view_made(made);
  return view;
}

namespace {

/// `input` in `linear(Tensor input, Tensor weight, Tensor? bias) -> Tensor`; its number where a list is among them.
std::string argument_name(const Op& op, size_t i) {
  const std::string_view schema = op.schema;
  if (schema.find("Tensor[]") != std::string_view::npos) return "input " + std::to_string(i);
  size_t at = schema.find('(');
  for (size_t left = i + 1; left > 0; --left) {
    at = schema.find("Tensor", at + 1);
    if (at == std::string_view::npos || at > schema.find("->")) return "input " + std::to_string(i);
  }
  const size_t begin = schema.find(' ', at);
  return std::string(schema.substr(begin + 1, schema.find_first_of(",)", begin) - begin - 1));
}

}  // namespace

void fail_undefined(const Op& op, size_t input) {
  const std::string called = called_function(), argument = argument_name(op, input);
  STRATA_CHECK(called.empty() || called == op.name(), "{}: the argument {} of {} is an undefined tensor", called,
               argument, op.name());
  fail_undefined(std::string(op.name()).c_str(), argument.c_str());
}

void fail_undefined(const char* function, const char* argument) {
  STRATA_THROW("{}: the argument {} is an undefined tensor", function, argument);
}

void fail_undefined(const char* function, size_t place_in_list) {
  fail_undefined(function, ("tensors[" + std::to_string(place_in_list) + "]").c_str());
}

namespace {
/// A rule that looks into an undefined tensor cannot know what it was called for; one that may be left out it does not
/// look into.
[[gnu::cold, gnu::noinline]] void name_undefined(const Op& op, Args args, const Error& error) {
  if (error.msg().find("undefined tensor") == std::string::npos) return;
  for (size_t i = 0; i < args.size(); ++i)
    if (!args[i].defined()) fail_undefined(op, i);
}
}  // namespace

Metas infer_outputs(const Op& op, Args args, Params params) {
  try {
    return op.infer ? op.infer(args, params.data()) : fail_no_infer(op);
  } catch (const Error& error) {
    name_undefined(op, args, error);
    throw;
  }
}

void set_key_handler(Key key, KeyHandler handler) { handlers[static_cast<int>(key)] = handler; }

void set_copy_op(const Op& op) { copy_op = &op; }

Tensor empty(const Meta& m) {
  if (m.strided) [[unlikely]] {
    Tensor t = empty_cpu(m.sizes, m.dtype);
    t.impl()->set_geometry(m.sizes, m.strides, 0);
    return t;
  }
  return m.device.is_cpu() ? empty_cpu(m.sizes, m.dtype) : empty_on_device(m.sizes, m.dtype, m.device);
}

Metas infer_like_first(Args in, const void*) { return meta_like(in[0]); }

namespace {

/// Gives a fresh row-major result of an element-wise op the order of dims of its operands: Note [Order of dims].
[[gnu::noinline]] void order_like_operands(Args args, const Tensor& out) {
  const DimVector sizes = out.sizes();
  if (DimVector strides; strides_of_result(args, sizes, strides)) out.impl()->set_geometry(sizes, strides, 0);
}

Tensors fresh_outputs(const Op& op, const Metas& metas, Args args) {
  Tensors out = Tensors::undefined(metas.size());
  const bool orders = may_order(op, args);
  for (size_t i = 0; i < metas.size(); ++i) {
    out[i] = empty(metas[i]);
    if (orders && !metas[i].strided && metas[i].device.is_cpu()) [[unlikely]]
      order_like_operands(args, out[i]);
  }
  return out;
}

/// Most element-wise calls, in a function of its own: where several variables are returned, the compiler moves them.
Tensors call_like_first(const Op& op, KernelFn kernel, Args args, Params params) {
  Tensors out(empty_cpu_like(args[0]));
  if (may_order(op, args)) [[unlikely]]
    order_like_operands(args, out[0]);
  kernel(out, args, params.data());
  return out;
}

Tensors call_data_dependent(const Op& op, Args args, Params params) {
  const Device device = device_of(args);
  if (decomposes(op, device)) return decomposed(op, args, params);
  if (device.is_cuda()) cuda::refuse_capture(op.name());
  Tensors out;
  run_kernel(op, device, out, args, params.data());
  return out;
}

/// A call that moves its input to another device, or that its device has no kernel for.
[[gnu::cold, gnu::noinline]] Tensors call_unusual(const Op& op, const Metas& metas, Args args, Params params) {
  const Device device = runs_on(op, device_of(metas, args), args);
  if (decomposes(op, device)) return decomposed(op, args, params);
  Tensors out = fresh_outputs(op, metas, args);
  run_kernel(op, device, out, args, params.data());
  return out;
}

/// Any other call, in a function of its own that has room for descriptions.
[[gnu::noinline]] Tensors call_inferred(const Op& op, Args args, Params params) {
  if (op.is(kDataDependent)) [[unlikely]]
    return call_data_dependent(op, args, params);
  const Metas metas = infer_outputs(op, args, params);
  const Device device = device_of(metas, args);
  const KernelFn kernel = op.is(kMovesDevice) ? nullptr : op.kernel(device.type());
  if (!kernel) [[unlikely]]
    return call_unusual(op, metas, args, params);
  Tensors out = fresh_outputs(op, metas, args);
  run(kernel, device, out, args, params.data());
  return out;
}

}  // namespace

Tensors call_backend(const Op& op, Args args, Params params) {
  if (op.is(kView)) return make_view(op, args[0], params);
  check_dtypes(op, args);
  if (op.infer == &infer_like_first && args[0].is_cpu()) {
    if (const KernelFn kernel = op.kernel(kCPU)) [[likely]]
      return call_like_first(op, kernel, args, params);
  }
  return call_inferred(op, args, params);
}

void call_backend_inplace(const Op& op, Tensor& self, Args args, Params params) {
  STRATA_CHECK(!self.is_inference() || thread_state.inference_mode,
               "{}: Inplace update to inference tensor outside InferenceMode is not allowed. clone() it first",
               op.name());
  check_no_internal_overlap(op, self);
  check_dtypes(op, args);
  const Device device = runs_on(op, self.device(), args);
  if (may_write_directly(op, self, args) && !decomposes(op, device)) {
    Tensors out(self);
    run_kernel(op, device, out, args, params.data());
  } else {
    Tensors fresh = call_backend(op, args, params);
    Tensors out(self);
    const NoParams none;
    run_kernel(*copy_op, self.device(), out, {&fresh[0]}, &none);
  }
  if (self.has_storage()) self.storage()->bump_version();
}

namespace {

inline Tensors call_highest(const Op& op, Args args, Params params, KeySet keys) {
  if (!keys.has_layer()) return call_backend(op, args, params);
  return handlers[static_cast<int>(keys.highest())].call(op, args, params);
}

/// In a function of its own, so that calls on the CPU go straight on to their layer.
[[gnu::noinline]] Tensors call_on_device(const Op& op, Args args, Params params, KeySet keys) {
  check_one_device(op, args, nullptr);
  return call_highest(op, args, params, keys);
}

}  // namespace

Tensors call_with(const Op& op, Args args, Params params, KeySet keys) {
  return keys.has_accelerator() ? call_on_device(op, args, params, keys) : call_highest(op, args, params, keys);
}

Tensor call_view_with(const Op& op, const Tensor& x, Params params, KeySet keys) {
  return std::move(call_with(op, {&x}, params, keys)[0]);
}

void call_inplace_with(const Op& op, Tensor& self, Args args, Params params, KeySet keys) {
  if (keys.has_accelerator()) check_one_device(op, args, &self);
  if (!keys.has_layer()) return call_backend_inplace(op, self, args, params);
  handlers[static_cast<int>(keys.highest())].call_inplace(op, self, args, params);
}

}  // namespace strata::dispatch
