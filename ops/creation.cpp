// Creation functions; the counted ones are ops, so that each device fills its own memory.
#include "ops/creation.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <sstream>

#include "core/cuda.h"
#include "ops/cast_def.h"
#include "ops/complex.h"
#include "ops/creation_def.h"
#include "ops/memory_format.h"
#include "ops/number.h"
#include "ops/print.h"
#include "ops/rules.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor empty_of(IntArrayRef sizes, DType dtype, Device device) { return empty(meta(sizes, dtype, device)); }

void check_may_pin(Device device) {
  STRATA_CHECK(device.is_cpu(), "pinned_memory: host memory alone can be pinned, the tensor is to be on {}",
               device.str());
}

Tensor empty_for(IntArrayRef sizes, DType dtype, const TensorOptions& options) {
  if (!options.pinned_memory()) return empty_of(sizes, dtype, options.device());
  check_may_pin(options.device());
  return cuda::empty_pinned(sizes, dtype);
}

/// The dtype that a number without a given one takes.
DType dtype_for(const Scalar& value, const TensorOptions& options) {
  if (options.has_dtype()) return options.dtype();
  if (value.is_complex()) return to_complex_dtype(get_default_dtype());
  return value.is_floating_point() ? get_default_dtype() : value.type();
}
/// The dtype that numbers without a given one take.
DType dtype_for(bool floating, DType integer, const TensorOptions& options) {
  if (options.has_dtype()) return options.dtype();
  return floating ? get_default_dtype() : integer;
}

void check_real(const char* op, const TensorOptions& options) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(options.dtype()),
                  "{}: not implemented for {}; make real numbers and convert them with to()", op,
                  name(options.dtype()));
}

int64_t count_between(const Scalar& start, const Scalar& end, const Scalar& step) {
  STRATA_CHECK(step.toDouble() != 0, "arange: step must not be zero");
  const double count = std::ceil((end.toDouble() - start.toDouble()) / step.toDouble());
  STRATA_CHECK(std::isfinite(count) && count < 9.0e18,
               "arange: bounds {} and {} with step {} give no finite number of values", start.toDouble(),
               end.toDouble(), step.toDouble());
  STRATA_CHECK(count >= 0, "arange: bounds {} and {} do not fit the sign of the step {}", start.toDouble(),
               end.toDouble(), step.toDouble());
  return static_cast<int64_t>(count);
}

}  // namespace

STRATA_OP(arange_op) =
    op<ArangeParams>("arange(Scalar start, Scalar step, int count, ScalarType dtype, Device device) -> Tensor")
        .flag(kNotDifferentiable)
        .infer([](Args, const ArangeParams& p) { return meta({p.count}, p.dtype, p.device); })
        .batch(pointwise_batch);
STRATA_OP(linspace_op) =
    op<LinspaceParams>("linspace(float start, float end, int count, ScalarType dtype, Device device) -> Tensor")
        .flag(kNotDifferentiable)
        .infer([](Args, const LinspaceParams& p) { return meta({p.count}, p.dtype, p.device); })
        .batch(pointwise_batch);

namespace {

/// This thread's last constant. When nobody else holds it any more, it is filled anew instead of made anew: a number as
/// an operand then costs no allocation.
struct LastConstant {
  Tensor tensor;
  ~LastConstant() { tensor.reset(); }  // null for whoever comes later in the thread's end
};
thread_local LastConstant last_constant;

bool can_refill(const Tensor& t, DType dtype) {
  if (!t.defined() || t.use_count() != 1 || t.dtype() != dtype) return false;
  const TensorImpl& impl = *t.impl();
  return impl.storage()->use_count() == 1 && !impl.autograd() && !impl.wrapper() &&
         impl.is_inference() == thread_state.inference_mode && impl.born() == thread_state.level;
}

void expand_in_place(Tensor& t, IntArrayRef sizes) {
  if (t.sizes() == sizes) return;
  t.impl()->set_geometry(sizes, DimVector(sizes.size(), 0), 0);
}

}  // namespace

Tensor constant(const Scalar& value, DType dtype, Device device, IntArrayRef sizes) {
  if (dtype == kBool && value.is_complex()) return constant(!(value == Scalar(0)), dtype, device, sizes);
  if (!device.is_cpu()) {
    Tensor t = empty_of({}, dtype, device);
    call_inplace(fill_op, t, {&t}, FillParams{value});
    expand_in_place(t, sizes);
    return t;
  }
  Tensor& t = last_constant.tensor;
  if (!can_refill(t, dtype)) t = empty_of({}, dtype, device);
  visit_stored_dtype(dtype, [&]<class T>() { *t.data_ptr<T>() = value.wrapped_to<T>(); });
  expand_in_place(t, sizes);
  return t;
}

const TensorImpl* detail::last_number() noexcept { return last_constant.tensor.impl(); }

namespace {

/// Uninitialised; Preserve is that of `like`.
Tensor empty_in(IntArrayRef sizes, const TensorOptions& options, std::optional<MemoryFormat> format,
                const Tensor& like) {
  const Tensor t = empty_for(sizes, options.dtype(), options);
  if (format && *format != MemoryFormat::Contiguous) detail::set_strides(t, detail::strides_in(*format, sizes, like));
  return t;
}

std::optional<MemoryFormat> format_of(const TensorOptions& options, std::optional<MemoryFormat> apart) {
  STRATA_CHECK(!apart || !options.has_memory_format(), "empty: the memory format is given twice");
  return apart ? apart : options.memory_format_opt();
}

/// A `*_like` function: uninitialised memory as `x` that `fill` writes to.
template <class F>
Tensor made_like(const Tensor& x, const TensorOptions& options, std::optional<MemoryFormat> format, F fill) {
  const TensorOptions o = detail::options_like(x, options);
  const auto wanted = format_of(options, format).value_or(MemoryFormat::Preserve);
  const bool plain = wanted == MemoryFormat::Preserve && (x.is_contiguous() || !o.device().is_cpu());
  Tensor t = empty_in(x.sizes(), o, plain ? MemoryFormat::Contiguous : wanted, x);
  fill(t);
  return detail::finished(t, o);
}

}  // namespace

Tensor empty(IntArrayRef sizes, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return detail::finished(empty_in(sizes, options, format_of(options, memory_format), {}), options);
}
Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  int64_t room = 1;
  STRATA_CHECK(sizes.size() == strides.size(), "empty_strided: {} sizes and {} strides", sizes.size(), strides.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t steps = std::max<int64_t>(sizes[i] - 1, 0);
    room = checked_add(room, checked_mul(steps, strides[i], "empty_strided"), "empty_strided");
  }
  return detail::finished(as_strided(empty_for({room}, options.dtype(), options), sizes, strides), options);
}

Tensor zeros(IntArrayRef sizes, const TensorOptions& options) {
  Tensor t = empty_for(sizes, options.dtype(), options);
  if (t.is_cpu())
    std::memset(t.bytes(), 0, t.nbytes());
  else
    t.zero_();
  return detail::finished(t, options);
}
Tensor full(IntArrayRef sizes, const Scalar& value, const TensorOptions& options) {
  Tensor t = empty_for(sizes, dtype_for(value, options), options);
  t.fill_(value);
  return detail::finished(t, options);
}
Tensor ones(IntArrayRef sizes, const TensorOptions& options) { return full(sizes, 1, options.dtype(options.dtype())); }
Tensor scalar_tensor(const Scalar& value, const TensorOptions& options) {
  return full({}, value, options.dtype(options.dtype()));
}

Tensor empty_like(const Tensor& x, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return made_like(x, options, memory_format, [](Tensor&) {});
}
Tensor zeros_like(const Tensor& x, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  if (!memory_format && !options.has_memory_format() && x.is_contiguous())
    return zeros(x.sizes(), detail::options_like(x, options));
  return made_like(x, options, memory_format, [](Tensor& t) { t.zero_(); });
}
Tensor ones_like(const Tensor& x, const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  return full_like(x, 1, options, memory_format);
}
Tensor full_like(const Tensor& x, const Scalar& value, const TensorOptions& options,
                 std::optional<MemoryFormat> memory_format) {
  return made_like(x, options, memory_format, [&](Tensor& t) { t.fill_(value); });
}

Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options) {
  const bool floating = start.is_floating_point() || end.is_floating_point() || step.is_floating_point();
  check_real("arange", options);
  const ArangeParams p{start, step, count_between(start, end, step), dtype_for(floating, kLong, options),
                       options.device()};
  return detail::finished(call1(arange_op, {}, p), options);
}
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return arange(start, end, 1, options);
}
Tensor arange(const Scalar& end, const TensorOptions& options) { return arange(0, end, 1, options); }

namespace {
/// The real and the imaginary parts each go in equal steps.
Tensor complex_linspace(const Scalar& start, const Scalar& end, int64_t steps, const TensorOptions& options) {
  const DType dtype = options.has_dtype() ? options.dtype() : to_complex_dtype(get_default_dtype());
  STRATA_CHECK(is_complex(dtype), "linspace: complex ends cannot stand in a tensor of {}", name(dtype));
  const TensorOptions part = TensorOptions(to_real_dtype(dtype)).device(options.device());
  const Complex<double> first = start.toComplexDouble(), last = end.toComplexDouble();
  const Tensor real = linspace(first.real(), last.real(), steps, part);
  return detail::finished(complex(real, linspace(first.imag(), last.imag(), steps, part)), options);
}
}  // namespace

Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, const TensorOptions& options) {
  STRATA_CHECK(steps >= 0, "linspace: steps must not be negative, got {}", steps);
  if (start.is_complex() || end.is_complex() || is_complex(options.dtype()))
    return complex_linspace(start, end, steps, options);
  STRATA_CHECK_AS(NotImplementedError, options.dtype() != kBool, "linspace: not implemented for bool");
  start.check_fits("linspace", options.dtype());
  end.check_fits("linspace", options.dtype());
  // Between integers the ends are integers themselves.
  const bool whole = is_integral(options.dtype());
  const double first = whole ? std::trunc(start.toDouble()) : start.toDouble(),
               last = whole ? std::trunc(end.toDouble()) : end.toDouble();
  const LinspaceParams p{first, last, steps, options.dtype(), options.device()};
  return detail::finished(call1(linspace_op, {}, p), options);
}
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, const TensorOptions& options) {
  const TensorOptions plain = options.requires_grad(false);
  if (!is_integral(options.dtype())) {
    const Tensor exponents = linspace(start, end, steps, plain);
    return detail::finished(scalar_tensor(base, exponents.options()).pow(exponents), options);
  }
  start.check_fits("logspace", options.dtype());
  end.check_fits("logspace", options.dtype());
  // Integers have exponents between integers, which are none themselves: 10^1.5 is 31.
  const auto end_of = [&](const Scalar& x) { return steps == 1 ? x.toDouble() : std::trunc(x.toDouble()); };
  const Tensor exponents = linspace(end_of(start), end_of(end), steps, plain.dtype(kDouble));
  return detail::finished(scalar_tensor(base, exponents.options()).pow(exponents).to(options.dtype()), options);
}

Tensor eye(int64_t n, int64_t m, const TensorOptions& options) {
  Tensor t = zeros({n, m}, options.requires_grad(false));
  t.diagonal().fill_(1);
  return detail::finished(t, options);
}
Tensor eye(int64_t n, const TensorOptions& options) { return eye(n, n, options); }

namespace detail {

Tensor finished(Tensor t, const TensorOptions& options) {
  if (t.has_storage()) t.storage()->set_version(0);
  if (options.pinned_memory() && !t.is_pinned()) {
    check_may_pin(t.device());
    t = cuda::empty_pinned(t.sizes(), t.dtype()).copy_(t);
  }
  if (options.requires_grad()) t.requires_grad_();
  return t;
}

void check_strides(IntArrayRef sizes, IntArrayRef strides) {
  STRATA_CHECK(sizes.size() == strides.size(), "from_blob: {} sizes and {} strides", sizes.size(), strides.size());
}

Tensor from_foreign(void* data, IntArrayRef sizes, IntArrayRef strides, DataDeleter deleter, void* context,
                    const TensorOptions& options) {
  STRATA_CHECK(!options.pinned_memory(),
               "from_blob: the memory is there already, it cannot be pinned; pin_memory() "
               "copies a tensor into pinned memory");
  int64_t room = numel_of(sizes) == 0 ? 0 : 1;
  for (size_t i = 0; i < sizes.size() && room; ++i) {
    STRATA_CHECK(strides[i] >= 0, "from_blob: strides {} must not be negative", strides);
    room = checked_add(room, checked_mul(sizes[i] - 1, strides[i], "from_blob"), "from_blob");
  }
  const auto bytes = static_cast<size_t>(checked_mul(room, item_size(options.dtype()), "from_blob"));
  const Device device = numbered(options.device());
  auto* impl =
      new TensorImpl(options.dtype(), device, Storage::adopt(StorageImpl::wrap(data, bytes, device, deleter, context)));
  impl->set_geometry(sizes, strides, 0);
  return finished(Tensor::adopt(impl), options);
}

namespace {

/// The numbers of a nest of braces as a program wrote them; `values` gives its numbers one by one.
std::string braced(IntArrayRef sizes, const Scalar*& values) {
  if (sizes.empty()) return (std::ostringstream() << *values++).str();
  std::string text = "{";
  for (int64_t i = 0; i < sizes[0]; ++i) text += (i ? ", " : "") + braced(sizes.slice(1), values);
  return text + "}";
}

std::string braced(const TensorData& data) {
  const Scalar* values = data.values().data();
  return braced(data.sizes(), values);
}

void check_sizes(const TensorData& first, const TensorData& part) {
  if (IntArrayRef(part.sizes()) == IntArrayRef(first.sizes())) return;
  const auto words = [](const DimVector& sizes) {
    return fmt::format("{}", fmt::join(sizes.begin(), sizes.end(), " "));
  };
  STRATA_THROW("tensor: Expected all sub-lists to have sizes: {} (e.g. {}), but got sub-list {} with sizes: {}",
               words(first.sizes()), braced(first), braced(part), words(part.sizes()));
}

}  // namespace

TensorData::TensorData(std::initializer_list<TensorData> list)
    : sizes_{static_cast<int64_t>(list.size())}, element_(list.size() ? list.begin()->element_ : kDouble) {
  const TensorData* first = list.begin();
  for (const TensorData& part : list) {
    check_sizes(*first, part);
    values_.insert(values_.end(), part.values_.begin(), part.values_.end());
    STRATA_CHECK(
        part.element_ == element_,
        "tensor: Expected all elements of the tensor to have the same scalar type: {}, but got element of scalar "
        "type: {}",
        name(element_), name(part.element_));
  }
  if (first != list.end())
    for (int64_t s : first->sizes_) sizes_.push_back(s);
}

Tensor from_values(const void* data, DType source, IntArrayRef sizes, const TensorOptions& options) {
  Tensor t = empty_of(sizes, source, kCPU);
  if (t.numel() > 0) std::memcpy(t.bytes(), data, t.nbytes());
  return finished(t.to(options.device(), options.dtype()), options);
}

}  // namespace detail

Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return detail::from_foreign(data, sizes, contiguous_strides(sizes), nullptr, nullptr, options);
}
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  detail::check_strides(sizes, strides);
  return detail::from_foreign(data, sizes, strides, nullptr, nullptr, options);
}

Tensor tensor(std::initializer_list<detail::TensorData> list, const TensorOptions& options) {
  const detail::TensorData data(list);
  const bool floating = data.dtype() == DType::Undefined;
  const DType dtype = dtype_for(floating, data.dtype(), options);
  Tensor t = empty_of(data.sizes(), dtype, kCPU);
  visit_stored_dtype(dtype, [&]<class T>() {
    T* out = t.data_ptr<T>();
    for (const Scalar& v : data.values()) *out++ = v.wrapped_to<T>();
  });
  return detail::finished(options.device().is_cpu() ? t : t.to(options.device()), options);
}

namespace {
/// What `o` leaves open is as in `t`.
TensorOptions completed(const TensorOptions& o, const Tensor& t) {
  return o.dtype(o.has_dtype() ? o.dtype() : t.dtype()).device(o.has_device() ? o.device() : t.device());
}
}  // namespace

Tensor Tensor::new_empty(IntArrayRef sizes, const TensorOptions& o) const { return empty(sizes, completed(o, *this)); }
Tensor Tensor::new_empty_strided(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& o) const {
  return empty_strided(sizes, strides, completed(o, *this));
}
Tensor Tensor::new_zeros(IntArrayRef sizes, const TensorOptions& o) const { return zeros(sizes, completed(o, *this)); }
Tensor Tensor::new_ones(IntArrayRef sizes, const TensorOptions& o) const { return ones(sizes, completed(o, *this)); }
Tensor Tensor::new_full(IntArrayRef sizes, const Scalar& value, const TensorOptions& o) const {
  return full(sizes, value, completed(o, *this));
}

}  // namespace strata
