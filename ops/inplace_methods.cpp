// Methods that write over the tensor what a function computes aside: in-place forms that have no kernel of their own.
#include "core/tensor.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/linalg.h"
#include "ops/promote.h"
#include "ops/scan.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {
namespace {

/// Copies `result` into `self`, whose shape and kind of dtype must hold it.
Tensor& overwrite(Tensor& self, const Tensor& result, const char* op) {
  STRATA_CHECK(can_cast(result.dtype(), self.dtype()),
               "{}: the result is {}, which cannot be stored in place in a tensor of {}", op, name(result.dtype()),
               name(self.dtype()));
  STRATA_CHECK(result.sizes() == self.sizes(), "{}: the result has shape {}, which does not fit the tensor's own {}",
               op, result.sizes(), self.sizes());
  return self.copy_(result);
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
  return overwrite(self, scan(before(self), dim, self.dtype()).to(self.dtype()), op);
}

}  // namespace

Tensor& Tensor::eq_(const Tensor& other) { return overwrite(*this, eq(other), "eq_"); }
Tensor& Tensor::eq_(const Scalar& other) { return overwrite(*this, eq(other), "eq_"); }
Tensor& Tensor::ne_(const Tensor& other) { return overwrite(*this, ne(other), "ne_"); }
Tensor& Tensor::ne_(const Scalar& other) { return overwrite(*this, ne(other), "ne_"); }
Tensor& Tensor::lt_(const Tensor& other) { return overwrite(*this, lt(other), "lt_"); }
Tensor& Tensor::lt_(const Scalar& other) { return overwrite(*this, lt(other), "lt_"); }
Tensor& Tensor::le_(const Tensor& other) { return overwrite(*this, le(other), "le_"); }
Tensor& Tensor::le_(const Scalar& other) { return overwrite(*this, le(other), "le_"); }
Tensor& Tensor::gt_(const Tensor& other) { return overwrite(*this, gt(other), "gt_"); }
Tensor& Tensor::gt_(const Scalar& other) { return overwrite(*this, gt(other), "gt_"); }
Tensor& Tensor::ge_(const Tensor& other) { return overwrite(*this, ge(other), "ge_"); }
Tensor& Tensor::ge_(const Scalar& other) { return overwrite(*this, ge(other), "ge_"); }
Tensor& Tensor::logical_and_(const Tensor& other) { return overwrite(*this, logical_and(other), "logical_and_"); }
Tensor& Tensor::logical_or_(const Tensor& other) { return overwrite(*this, logical_or(other), "logical_or_"); }
Tensor& Tensor::logical_xor_(const Tensor& other) { return overwrite(*this, logical_xor(other), "logical_xor_"); }

Tensor& Tensor::div_(const Tensor& other, std::optional<std::string_view> mode) {
  return overwrite(*this, before(*this, other).div(other, mode), "div_");
}
Tensor& Tensor::div_(const Scalar& other, std::optional<std::string_view> mode) {
  return overwrite(*this, div(other, mode), "div_");
}
Tensor& Tensor::hypot_(const Tensor& other) { return overwrite(*this, before(*this, other).hypot(other), "hypot_"); }
Tensor& Tensor::xlogy_(const Tensor& other) { return overwrite(*this, before(*this, other).xlogy(other), "xlogy_"); }
Tensor& Tensor::xlogy_(const Scalar& other) { return overwrite(*this, before(*this).xlogy(other), "xlogy_"); }

Tensor& Tensor::conj_physical_() {
  // A real tensor stays as it is, but where the write is recorded it must be one that may be written to.
  if (!is_complex() && !(requires_grad() && GradMode::is_enabled())) return *this;
  return overwrite(*this, before(*this).conj(), "conj_physical_");
}
Tensor& Tensor::sgn_() { return overwrite(*this, before(*this).sgn(), "sgn_"); }
Tensor& Tensor::nan_to_num_(std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) {
  return overwrite(*this, before(*this).nan_to_num(nan, posinf, neginf), "nan_to_num_");
}
Tensor& Tensor::round_(int64_t decimals) { return overwrite(*this, round(decimals), "round_"); }
Tensor& Tensor::polygamma_(int64_t n) { return overwrite(*this, before(*this).polygamma(n), "polygamma_"); }
Tensor& Tensor::deg2rad_() { return overwrite(*this, deg2rad(), "deg2rad_"); }
Tensor& Tensor::rad2deg_() { return overwrite(*this, rad2deg(), "rad2deg_"); }
Tensor& Tensor::logit_(std::optional<double> eps) { return overwrite(*this, before(*this).logit(eps), "logit_"); }

Tensor& Tensor::clamp_(OptionalTensorRef min, OptionalTensorRef max) {
  return overwrite(*this, before(*this, min, max).clamp(min, max), "clamp_");
}
Tensor& Tensor::clamp_min_(const Tensor& min) {
  return overwrite(*this, before(*this, min).clamp_min(min), "clamp_min_");
}
Tensor& Tensor::clamp_max_(const Tensor& max) {
  return overwrite(*this, before(*this, max).clamp_max(max), "clamp_max_");
}
Tensor& Tensor::lerp_(const Tensor& end, const Tensor& weight) {
  return overwrite(*this, before(*this, end, weight).lerp(end, weight), "lerp_");
}

Tensor& Tensor::cumsum_(int64_t dim, std::optional<DType> dtype) {
  return overwrite_scan(*this, strata::cumsum, dim, dtype, "cumsum_");
}
Tensor& Tensor::cumprod_(int64_t dim, std::optional<DType> dtype) {
  return overwrite_scan(*this, strata::cumprod, dim, dtype, "cumprod_");
}

Tensor& Tensor::addmv_(const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, addmv(a, v, beta, alpha), "addmv_");
}
Tensor& Tensor::baddbmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, baddbmm(a, b, beta, alpha), "baddbmm_");
}
Tensor& Tensor::addbmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, addbmm(a, b, beta, alpha), "addbmm_");
}
Tensor& Tensor::addr_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  return overwrite(*this, addr(a, b, beta, alpha), "addr_");
}

}  // namespace strata
