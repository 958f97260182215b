// Methods that write over the tensor what a function computes aside: in-place forms that have no kernel of their own.
#include "core/tensor.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/linalg.h"
#include "ops/overwrite.h"
#include "ops/scan.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {

using detail::before, detail::overwrite;

namespace {

Tensor& overwrite_scan(Tensor& self, Tensor (*scan)(const Tensor&, int64_t, std::optional<DType>), int64_t dim,
                       std::optional<DType> dtype, const char* op) {
  STRATA_CHECK(!dtype || *dtype == self.dtype(), "{}: the dtype {} is not that of the tensor, {}", op,
               name(dtype.value_or(self.dtype())), name(self.dtype()));
  return overwrite(self, op, [&] { return scan(before(self), dim, self.dtype()).to(self.dtype()); });
}

}  // namespace

Tensor& Tensor::eq_(const Tensor& other) const {
  return overwrite(self(), "eq_", [&] { return eq(other); });
}
Tensor& Tensor::eq_(const Scalar& other) const {
  return overwrite(self(), "eq_", [&] { return eq(other); });
}
Tensor& Tensor::ne_(const Tensor& other) const {
  return overwrite(self(), "ne_", [&] { return ne(other); });
}
Tensor& Tensor::ne_(const Scalar& other) const {
  return overwrite(self(), "ne_", [&] { return ne(other); });
}
Tensor& Tensor::lt_(const Tensor& other) const {
  return overwrite(self(), "lt_", [&] { return lt(other); });
}
Tensor& Tensor::lt_(const Scalar& other) const {
  return overwrite(self(), "lt_", [&] { return lt(other); });
}
Tensor& Tensor::le_(const Tensor& other) const {
  return overwrite(self(), "le_", [&] { return le(other); });
}
Tensor& Tensor::le_(const Scalar& other) const {
  return overwrite(self(), "le_", [&] { return le(other); });
}
Tensor& Tensor::gt_(const Tensor& other) const {
  return overwrite(self(), "gt_", [&] { return gt(other); });
}
Tensor& Tensor::gt_(const Scalar& other) const {
  return overwrite(self(), "gt_", [&] { return gt(other); });
}
Tensor& Tensor::ge_(const Tensor& other) const {
  return overwrite(self(), "ge_", [&] { return ge(other); });
}
Tensor& Tensor::ge_(const Scalar& other) const {
  return overwrite(self(), "ge_", [&] { return ge(other); });
}
Tensor& Tensor::logical_and_(const Tensor& other) const {
  return overwrite(self(), "logical_and_", [&] { return logical_and(other); });
}
Tensor& Tensor::logical_or_(const Tensor& other) const {
  return overwrite(self(), "logical_or_", [&] { return logical_or(other); });
}
Tensor& Tensor::logical_xor_(const Tensor& other) const {
  return overwrite(self(), "logical_xor_", [&] { return logical_xor(other); });
}

Tensor& Tensor::div_(const Tensor& other, std::optional<std::string_view> mode) const {
  return overwrite(self(), "div_", [&] { return before(self(), other).div(other, mode); });
}
Tensor& Tensor::div_(const Scalar& other, std::optional<std::string_view> mode) const {
  return overwrite(self(), "div_", [&] { return div(other, mode); });
}
Tensor& Tensor::hypot_(const Tensor& other) const {
  return overwrite(self(), "hypot_", [&] { return before(self(), other).hypot(other); });
}
Tensor& Tensor::xlogy_(const Tensor& other) const {
  return overwrite(self(), "xlogy_", [&] { return before(self(), other).xlogy(other); });
}
Tensor& Tensor::xlogy_(const Scalar& other) const {
  return overwrite(self(), "xlogy_", [&] { return before(self()).xlogy(other); });
}

Tensor& Tensor::conj_physical_() const {
  // A real tensor stays as it is, but where the write is recorded it must be one that may be written to.
  if (!is_complex() && !(requires_grad() && GradMode::is_enabled())) return self();
  return overwrite(self(), "conj_physical_", [&] { return before(self()).conj(); });
}
Tensor& Tensor::sgn_() const {
  return overwrite(self(), "sgn_", [&] { return before(self()).sgn(); });
}
Tensor& Tensor::nan_to_num_(std::optional<double> nan, std::optional<double> posinf,
                            std::optional<double> neginf) const {
  return overwrite(self(), "nan_to_num_", [&] { return before(self()).nan_to_num(nan, posinf, neginf); });
}
Tensor& Tensor::round_(int64_t decimals) const {
  return overwrite(self(), "round_", [&] { return round(decimals); });
}
Tensor& Tensor::polygamma_(int64_t n) const {
  return overwrite(self(), "polygamma_", [&] { return before(self()).polygamma(n); });
}
Tensor& Tensor::deg2rad_() const {
  return overwrite(self(), "deg2rad_", [&] { return deg2rad(); });
}
Tensor& Tensor::rad2deg_() const {
  return overwrite(self(), "rad2deg_", [&] { return rad2deg(); });
}
Tensor& Tensor::logit_(std::optional<double> eps) const {
  return overwrite(self(), "logit_", [&] { return before(self()).logit(eps); });
}

Tensor& Tensor::clamp_(OptionalTensorRef min, OptionalTensorRef max) const {
  return overwrite(self(), "clamp_", [&] { return before(self(), min, max).clamp(min, max); });
}
Tensor& Tensor::clamp_min_(const Tensor& min) const {
  return overwrite(self(), "clamp_min_", [&] { return before(self(), min).clamp_min(min); });
}
Tensor& Tensor::clamp_max_(const Tensor& max) const {
  return overwrite(self(), "clamp_max_", [&] { return before(self(), max).clamp_max(max); });
}
Tensor& Tensor::lerp_(const Tensor& end, const Tensor& weight) const {
  return overwrite(self(), "lerp_", [&] { return before(self(), end, weight).lerp(end, weight); });
}

Tensor& Tensor::cumsum_(int64_t dim, std::optional<DType> dtype) const {
  return overwrite_scan(self(), strata::cumsum, dim, dtype, "cumsum_");
}
Tensor& Tensor::cumprod_(int64_t dim, std::optional<DType> dtype) const {
  return overwrite_scan(self(), strata::cumprod, dim, dtype, "cumprod_");
}

Tensor& Tensor::addmv_(const Tensor& a, const Tensor& v, const Scalar& beta, const Scalar& alpha) const {
  return overwrite(self(), "addmv_", [&] { return addmv(a, v, beta, alpha); });
}
Tensor& Tensor::baddbmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return overwrite(self(), "baddbmm_", [&] { return baddbmm(a, b, beta, alpha); });
}
Tensor& Tensor::addbmm_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return overwrite(self(), "addbmm_", [&] { return addbmm(a, b, beta, alpha); });
}
Tensor& Tensor::addr_(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return overwrite(self(), "addr_", [&] { return addr(a, b, beta, alpha); });
}

}  // namespace strata
