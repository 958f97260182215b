// Copies, conversions and moves between devices.
#include "ops/cast.h"

#include "core/called.h"
#include "core/cuda_backend.h"
#include "ops/cast_def.h"
#include "ops/complex.h"
#include "ops/in_place.h"
#include "ops/memory_format.h"
#include "ops/promote.h"
#include "ops/rules.h"
#include "ops/shown_once.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor converted(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  return call1(is_differentiable(dtype) ? cast_op : cast_to_integer_op, {&x}, CastParams{dtype});
}

/// The gradient of what was cast: a real input takes the real part of a complex one.
Tensor cast_back(const Tensor& grad, DType dtype) {
  return converted(is_complex(grad.dtype()) && !is_complex(dtype) ? real(grad) : grad, dtype);
}

/// Does a row-major tensor have strides along dims of one element that a new one would not have? In PyTorch copies keep
/// them, by which an element-wise result of it and a larger tensor is laid out: Note [Order of dims].
bool has_own_strides(const Tensor& x) {
  return x.is_cpu() && x.is_contiguous() && x.numel() != 0 && !(x.strides() == contiguous_strides(x.sizes()));
}

Meta meta_of_cast(Args in, const CastParams& p) {
  const Tensor& x = in[0];
  if (has_own_strides(x)) [[unlikely]]
    return {p.dtype, x.device(), true, 0, x.sizes(), x.strides()};
  return meta_like(x, p.dtype);
}

}  // namespace

STRATA_OP(cast_op) = pointwise<CastParams>("cast(Tensor x, DType dtype) -> Tensor", one)
                         .infer([](Args in, const CastParams& p) { return meta_of_cast(in, p); })
                         .vjp([](const Vjp& c) { return Tensors(cast_back(c.grad(), c.in(0).dtype())); })
                         .saves(saves_shape(0))
                         .dtypes(kStoredTypes)
                         .jvp(linear_rule);

STRATA_OP(cast_to_integer_op) = pointwise_constant<CastParams>("cast_to_integer(Tensor x, DType dtype) -> Tensor")
                                    .infer([](Args in, const CastParams& p) { return meta_of_cast(in, p); })
                                    .dtypes(kStoredTypes);

STRATA_OP(copy_op) = pointwise("copy(Tensor x) -> Tensor", one).flag(kRowMajor).dtypes(kStoredTypes);

STRATA_OP(fill_op) = pointwise<FillParams>("fill(Tensor x, Scalar value) -> Tensor", zero).dtypes(kStoredTypes);

STRATA_OP(transfer_op) = op<TransferParams>("transfer(Tensor x, Device device, bool non_blocking) -> Tensor")
                             .flag(kMovesDevice)
                             .dtypes(kStoredTypes)
                             .infer([](Args in, const TransferParams& p) {
                               return meta(in[0].sizes(), in[0].dtype(), p.device);
                             })
                             .vjp([](const Vjp& c) { return Tensors(c.grad().to(c.in(0).device())); })
                             .saves(saves_shape(0))
                             .jvp(linear_rule)
                             .batch(pointwise_batch);

namespace {

const int copy_op_known = (set_copy_op(copy_op), 0);

/// Do the kernels of one kind of device know both? Between two kinds the way goes over the host.
bool is_one_step(Device from, Device to) { return from.is_cpu() || to.is_cpu() || from.type() == to.type(); }

/// Without blocking, the host gets pinned memory, which alone is written while it goes on.
Tensor moved(const Tensor& x, Device device, bool non_blocking = false) {
  const Device to = numbered(device);
  if (x.device() == to) return x;
  if (!is_one_step(x.device(), to)) return moved(moved(x, kCPU), to);
  if (!non_blocking || !to.is_cpu() || !x.is_cuda() || !x.is_contiguous())
    return call1(transfer_op, {&x}, TransferParams{to, false});
  const DeviceGuard guard(x.device());
  Tensor pinned = cuda::empty_pinned(x.sizes(), x.dtype());
  return pinned.copy_(x, true);
}

}  // namespace

Tensor detail::row_major_copy(const Tensor& x) { return call1(copy_op, {&x}); }
Tensor clone(const Tensor& x) {
  if (!x.is_contiguous()) return x.clone(MemoryFormat::Preserve);
  Tensor copy = detail::row_major_copy(x);
  if (has_own_strides(x) && thread_state.level == 0) [[unlikely]]
    copy.impl()->set_geometry(x.sizes(), x.strides(), 0);
  return copy;
}
Tensor contiguous(const Tensor& x) { return x.is_contiguous() ? x : detail::row_major_copy(x); }
Tensor cast(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  STRATA_CHECK(dtype != DType::Undefined, "to: the dtype is undefined");
  if (is_complex(x.dtype()) && !is_complex(dtype) && dtype != kBool)
    warn_once("to: casting complex values to real discards the imaginary part");
  return converted(x, dtype);
}

namespace {
Tensor& fill_all(Tensor& x, const Scalar& value) {
  if (detail::has_repeated(x)) {
    Tensor once = detail::shown_once(x);
    fill_all(once, value);
  } else {
    call_inplace(fill_op, x, {&x}, FillParams{value});
  }
  return x;
}
}  // namespace

Tensor& fill_(Tensor& x, const Scalar& value) {
  return detail::in_place(fill_op, [&]() -> Tensor& {
    // As in libtorch, one element of a small floating point type on the CPU may become infinity.
    const bool is_one_small = x.dim() == 0 && x.is_cpu() && x.dtype() != detail::opmath_dtype(x.dtype());
    value.check_fits("fill_", is_one_small ? kDouble : x.dtype());
    return fill_all(x, value);
  });
}
Tensor& zero_(Tensor& x) {
  const Called called;
  return detail::in_place("zero_", [&]() -> Tensor& { return fill_all(x, 0); });
}

namespace {
/// What `to` has made of a tensor, in the memory format that was asked for; Preserve, as none, takes it as it is.
Tensor in_format(Tensor t, std::optional<MemoryFormat> format) {
  return !format || *format == MemoryFormat::Preserve ? t : t.contiguous(*format);
}
}  // namespace

Tensor Tensor::to(DType dtype, bool, bool copy, std::optional<MemoryFormat> memory_format) const {
  return in_format(copy && dtype == this->dtype() ? clone() : cast(*this, dtype), memory_format);
}
Tensor Tensor::to(Device device, DType dtype, bool non_blocking, bool copy,
                  std::optional<MemoryFormat> memory_format) const {
  if (numbered(device) == this->device()) return to(dtype, non_blocking, copy, memory_format);
  if (dtype != this->dtype()) return in_format(cast(moved(*this, device), dtype), memory_format);  // read at once
  return in_format(moved(*this, device, non_blocking), memory_format);
}
Tensor Tensor::to(const TensorOptions& options, bool non_blocking, bool copy,
                  std::optional<MemoryFormat> memory_format) const {
  STRATA_CHECK(!options.requires_grad(), "to: options with requires_grad are not taken; call requires_grad_() on it");
  STRATA_CHECK(!memory_format || !options.has_memory_format(), "to: the memory format is given twice");
  return to(options.device_opt().value_or(device()), options.dtype_opt().value_or(dtype()), non_blocking, copy,
            memory_format ? memory_format : options.memory_format_opt());
}
Tensor Tensor::to(const Tensor& other, bool non_blocking, bool copy, std::optional<MemoryFormat> memory_format) const {
  return to(other.device(), other.dtype(), non_blocking, copy, memory_format);
}
Tensor Tensor::type_as(const Tensor& other) const { return to(other.device(), other.dtype()); }
Tensor Tensor::toType(DType dtype) const { return cast(*this, dtype); }
Tensor Tensor::cpu() const { return moved(*this, kCPU); }
Tensor Tensor::cuda() const { return moved(*this, kCUDA); }
Tensor Tensor::clone() const { return strata::clone(*this); }
Tensor Tensor::contiguous() const { return strata::contiguous(*this); }

bool Tensor::is_pinned() const {
  if (!is_cpu() || !has_storage()) return false;
  cuda::Backend* const backend = cuda::find_backend();
  return backend && backend->is_pinned(storage()->data());
}
Tensor Tensor::pin_memory() const {
  STRATA_CHECK(is_cpu(), "pin_memory: the tensor is on {}; host memory alone can be pinned", device().str());
  if (!cuda::find_backend() || is_pinned()) return *this;
  Tensor pinned = cuda::empty_pinned(sizes(), dtype());
  return pinned.copy_(*this);
}

Tensor& Tensor::copy_(const Tensor& source, bool non_blocking) const {
  const Called called;
  STRATA_CHECK(source.dim() <= dim() || source.numel() == 1, "copy_: shape {} does not broadcast to {}", source.sizes(),
               sizes());
  return detail::in_place("copy_", [&]() -> Tensor& {
    if (source.device() != device() && is_one_step(source.device(), device()) && source.dtype() == dtype() &&
        source.sizes() == sizes()) {
      call_inplace(transfer_op, self(), {&source}, TransferParams{device(), non_blocking});
      return self();
    }
    Tensor value = cast(moved(source, device()), dtype());
    if (value.dim() > dim()) value = strata::reshape(value, IntArrayRef());
    if (value.sizes() != sizes()) value = strata::expand(value, sizes());
    call_inplace(copy_op, self(), {&value});
    return self();
  });
}
Tensor& Tensor::fill_(const Scalar& value) const { return strata::fill_(self(), value); }
Tensor& Tensor::fill_(const Tensor& value) const {
  const Called called("fill_.Tensor");
  STRATA_CHECK(value.dim() == 0, "fill_: expected a 0-dim value, got shape {}", value.sizes());
  return detail::in_place(fill_op, [&]() -> Tensor& { return copy_(value); });
}
Tensor& Tensor::zero_() const { return strata::zero_(self()); }

Tensor& Tensor::operator=(const Tensor& value) && { return copy_(value); }
Tensor& Tensor::operator=(Tensor&& value) && { return copy_(value); }
Tensor& Tensor::operator=(const Scalar& value) && { return fill_(value); }

}  // namespace strata
