// Methods that write over the tensor what a function computes aside: in-place forms that have no kernel of their own.
#include "core/tensor.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/in_place.h"
#include "ops/linalg.h"
#include "ops/promote.h"
#include "ops/scan.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {
namespace {

/// Copies `result` into `self`, whose shape and kind of dtype must hold it.
Tensor& store(Tensor& self, const Tensor& result, const char* op) {
  STRATA_CHECK(can_cast(result.dtype(), self.dtype()),
               "{}: the result is {}, which cannot be stored in place in a tensor of {}", op, name(result.dtype()),
               name(self.dtype()));
  STRATA_CHECK(result.sizes() == self.sizes(), "{}: the result has shape {}, which does not fit the tensor's own {}",
               op, result.sizes(), self.sizes());
  return self.copy_(result);
}

/// Stores what `compute` gives.
template <class F>
Tensor& overwrite(Tensor& self, const char* op, F&& compute) {
  return detail::in_place(op, [&]() -> Tensor& { return store(self, compute(), op); });
}

/// The values before the write, of their own where a derivative may be taken by them.
template <class... Operand>
Tensor before(const Tensor& self, const Operand&... others) {
  const bool differentiable = (self.requires_grad() || ... || static_cast<const Tensor&>(others).requires_grad());
  return differentiable && GradMode::is_enabled() ? self.clone() : self;
}

Tensor& overwrite_scan(Tensor& self, Tensor (*scan)(const Tensor&, int64_t, std::optional<DType>), int64_t dim,
                       std::optional<DType> dtype, const char* op) {
  STRATA_CHECK(!dtype || *dtype == self.dtype(), "{}: the dtype {} is not that of the tensor, {}", op,
               name(dtype.value_or(self.dtype())), name(self.dtype()));
  return overwrite(self, op, [&] { return scan(before(self), dim, self.dtype()).to(self.dtype()); });
}

}  // namespace

Tensor& Tensor::eq_(const Tensor& other) {
  return overwrite(*this, "eq_", [&] { return eq(other); });
}
Tensor& Tensor::eq_(const Scalar& other) {
  return overwrite(*this, "eq_", [&] { return eq(other); });
}
Tensor& Tensor::ne_(const Tensor& other) {
  return overwrite(*this, "ne_", [&] { return ne(other); });
}
Tensor& Tensor::ne_(const Scalar& other) {
  return overwrite(*this, "ne_", [&] { return ne(other); });
}
Tensor& Tensor::lt_(const Tensor& other) {
  return overwrite(*this, "lt_", [&] { return lt(other); });
}
Tensor& Tensor::lt_(const Scalar& other) {
  return overwrite(*this, "lt_", [&] { return lt(other); });
}
Tensor& Tensor::le_(const Tensor& other) {
  return overwrite(*this, "le_", [&] { return le(other); });
}
Tensor& Tensor::le_(const Scalar& other) {
  return overwrite(*this, "le_", [&] { return le(other); });
}
Tensor& Tensor::gt_(const Tensor& other) {
  return overwrite(*this, "gt_", [&] { return gt(other); });
}
Tensor& Tensor::gt_(const Scalar& other) {
  return overwrite(*this, "gt_", [&] { return gt(other); });
}
Tensor& Tensor::ge_(const Tensor& other) {
  return overwrite(*this, "ge_", [&] { return ge(other); });
}
Tensor& Tensor::ge_(const Scalar& other) {
  return overwrite(*this, "ge_", [&] { return ge(other); });
}
Tensor& Tensor::logical_and_(const Tensor& other) {
  return overwrite(*this, "logical_and_", [&] { return logical_and(other); });
}
Tensor& Tensor::logical_or_(const Tensor& other) {
  return overwrite(*this, "logical_or_", [&] { return logical_or(other); });
}
Tensor& Tensor::logical_xor_(const Tensor& other) {
  return overwrite(*this, "logical_xor_", [&] { return logical_xor(other); });
}

Tensor& Tensor::div_(const Tensor& other, std::optional<std::string_view> mode) {
  return overwrite(*this, "div_", [&] { return before(*this, other).div(other, mode); });
}
Tensor& Tensor::div_(const Scalar& other, std::optional<std::string_view> mode) {
  return overwrite(*this, "div_", [&] { return div(other, mode); });
}
Tensor& Tensor::hypot_(const Tensor& other) {
  return overwrite(*this, "hypot_", [&] { return before(*this, other).hypot(other); });
}
Tensor& Tensor::xlogy_(const Tensor& other) {
  return overwrite(*this, "xlogy_", [&] { return before(*this, other).xlogy(other); });
}
Tensor& Tensor::xlogy_(const Scalar& other) {
  return overwrite(*this, "xlogy_", [&] { return before(*this).xlogy(other); });
}

Tensor& Tensor::conj_physical_() {
  // A real tensor stays as it is, but where the write is recorded it must be one that may be written to.
  if (!is_complex() && !(requires_grad() && GradMode::is_enabled())) return *this;
  return overwrite(*this, "conj_physical_", [&] { return before(*this).conj(); });
}
Tensor& Tensor::sgn_() {
  return overwrite(*this, "sgn_", [&] { return before(*this).sgn(); });
}
Tensor& Tensor::nan_to_num_(std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) {
  return overwrite(*this, "nan_to_num_", [&] { return before(*this).nan_to_num(nan, posinf, neginf); });
}
Tensor& Tensor::round_(int64_t decimals) {
  return overwrite(*this, "round_", [&] { return round(decimals); });
}
Tensor& Tensor::polygamma_(int64_t n) {
  return overwrite(*this, "polygamma_", [&] { return before(*this).polygamma(n); });
}
Tensor& Tensor::deg2rad_() {
  return overwrite(*this, "deg2rad_", [&] { return deg2rad(); });
}
Tensor& Tensor::rad2deg_() {
  return overwrite(*this, "rad2deg_", [&] { return rad2deg(); });
}
Tensor& Tensor::logit_(std::optional<double> eps) {
  return overwrite(*this, "logit_", [&] { return before(*this).logit(eps); });
}

Tensor& Tensor::clamp_(OptionalTensorRef min, OptionalTensorRef max) {
  return overwrite(*this, "clamp_", [&] { return before(*this, min, max).clamp(min, max); });
}
Tensor& Tensor::clamp_min_(const Tensor& min) {
  return overwrite(*this, "clamp_min_", [&] { return before(*this, min).clamp_min(min); });
}
Tensor& Tensor::clamp_max_(const Tensor& max) {
  return overwrite(*this, "clamp_max_", [&] { return before(*this, max).clamp_max(max); });
}
Tensor& Tensor::lerp_(const Tensor& end, const Tensor& weight) {
  return overwrite(*this, "lerp_", [&] { return before(*this, end, weight).lerp(end, weight); });
}

Tensor& Tensor::cumsum_(int64_t dim, std::optional<DType> dtype) {
  return overwrite_scan(*this, strata::cumsum, dim, dtype, "cumsum_");
}
Tensor& Tensor::cumprod_(int64_t dim, std::optional<DType> dtype) {
  return overwrite_scan(*this, strata::cumprod, dim, dtype, "cumprod_");
}

Tensor& Tensor::addmv_(const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, "addmv_", [&] { return addmv(a, v, beta, alpha); });
}
Tensor& Tensor::baddbmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, "baddbmm_", [&] { return baddbmm(a, b, beta, alpha); });
}
Tensor& Tensor::addbmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, "addbmm_", [&] { return addbmm(a, b, beta, alpha); });
}
Tensor& Tensor::addr_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, "addr_", [&] { return addr(a, b, beta, alpha); });
}

}  // namespace strata
