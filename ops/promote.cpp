// The promotion rules of mixed operands and bringing operands to a common form.
#include "ops/promote.h"

#include "ops/cast.h"
#include "ops/view.h"

namespace strata {
namespace {

/// dtypes of the operands by priority: tensors with dims, 0-dim tensors, numbers.
struct Ranked {
  DType dims = DType::Undefined, zero = DType::Undefined, number = DType::Undefined;
};

void include(DType& slot, DType t) { slot = slot == DType::Undefined ? t : promote_types(slot, t); }
void include(Ranked& r, const Tensor& t) { include(t.dim() > 0 ? r.dims : r.zero, t.dtype()); }
void include(Ranked& r, const Scalar& s) {
  if (s.is_complex()) return include(r.number, to_complex_dtype(get_default_dtype()));
  include(r.number, s.is_floating_point() ? get_default_dtype() : s.type());
}

/// The higher rank decides, unless the lower one is of a higher category; a floating point type then lends a complex
/// one its precision.
DType combine(DType higher, DType lower) {
  if (higher == DType::Undefined) return lower;
  if (lower == DType::Undefined || category(lower) <= category(higher)) return higher;
  return is_floating_point(higher) && is_complex(lower) ? to_complex_dtype(higher) : promote_types(higher, lower);
}
DType resolve(const Ranked& r) { return combine(r.dims, combine(r.zero, r.number)); }

template <class A, class B>
DType resolve(const A& a, const B& b) {
  Ranked r;
  include(r, a);
  include(r, b);
  return resolve(r);
}

/// A 0-dim CPU tensor stands for a number: it goes where the others are.
bool follows(const Tensor& x) { return x.dim() == 0 && x.is_cpu(); }

}  // namespace

DType result_type(const Tensor& a, const Tensor& b) { return resolve(a, b); }
DType result_type(const Tensor& a, const Scalar& b) { return resolve(a, b); }
DType result_type(const Scalar& a, const Tensor& b) { return resolve(a, b); }
DType result_type(const Scalar& a, const Scalar& b) { return resolve(a, b); }

bool can_cast(DType from, DType to) { return category(from) <= category(to); }
DType float_type(DType t) { return is_differentiable(t) ? t : get_default_dtype(); }

namespace detail {

Tensor prepare(const Tensor& x, DType dtype, Device device, IntArrayRef sizes, const char* op) {
  STRATA_CHECK(x.device() == device || follows(x),
               "{}: tensors are on different devices, {} and {}; move one with to()", op, device.str(),
               x.device().str());
  Tensor y = x.device() == device ? x : x.to(TensorOptions(device));
  if (y.dtype() != dtype) y = cast(y, dtype);
  STRATA_CHECK(y.dim() <= static_cast<int64_t>(sizes.size()), "{}: shape {} does not broadcast to {}", op, x.sizes(),
               sizes);
  return y.sizes() == sizes ? y : expand(y, sizes);
}

Device common_device(std::initializer_list<const Tensor*> operands) {
  for (const Tensor* x : operands)
    if (!follows(*x)) return x->device();
  return kCPU;
}

}  // namespace detail
}  // namespace strata
