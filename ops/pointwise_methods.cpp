// Methods of the element-wise functions that are made of other ops.
#include <cmath>

#include "core/called.h"
#include "ops/binary.h"
#include "ops/overwrite.h"
#include "ops/pointwise_functions.h"

namespace strata {

using detail::before, detail::overwrite;

Tensor Tensor::positive() const { return strata::positive(*this); }
Tensor Tensor::signbit() const { return strata::signbit(*this); }
Tensor Tensor::sinc() const { return strata::sinc(*this); }
Tensor& Tensor::sinc_() const { return strata::sinc_(self()); }
Tensor Tensor::isposinf() const { return strata::isposinf(*this); }
Tensor Tensor::isneginf() const { return strata::isneginf(*this); }
Tensor Tensor::copysign(const Tensor& other) const { return strata::copysign(*this, other); }
Tensor Tensor::copysign(const Scalar& other) const { return strata::copysign(*this, other); }
Tensor& Tensor::copysign_(const Tensor& other) const {
  return overwrite(self(), "copysign_", [&] { return before(self(), other).copysign(other); });
}
Tensor& Tensor::copysign_(const Scalar& other) const {
  return overwrite(self(), "copysign_", [&] { return before(self()).copysign(other); });
}
Tensor Tensor::heaviside(const Tensor& values) const { return strata::heaviside(*this, values); }
Tensor& Tensor::heaviside_(const Tensor& values) const {
  return overwrite(self(), "heaviside_", [&] { return heaviside(values); });
}
Tensor Tensor::logaddexp2(const Tensor& other) const { return strata::logaddexp2(*this, other); }
Tensor Tensor::ldexp(const Tensor& other) const { return strata::ldexp(*this, other); }
Tensor& Tensor::ldexp_(const Tensor& other) const { return strata::ldexp_(self(), other); }
Tensor Tensor::mvlgamma(int64_t p) const { return strata::mvlgamma(*this, p); }
Tensor& Tensor::mvlgamma_(int64_t p) const {
  return overwrite(self(), "mvlgamma_", [&] { return before(self()).mvlgamma(p); });
}
Tensor Tensor::float_power(const Tensor& exponent) const { return strata::float_power(*this, exponent); }
Tensor Tensor::float_power(const Scalar& exponent) const { return strata::float_power(*this, exponent); }

namespace {
/// The method keeps the tensor's dtype, which must be the one that the power is computed in.
Tensor same_dtype(const Tensor& power, const Tensor& x) {
  STRATA_CHECK(power.dtype() == x.dtype(), "float_power_: the result is {}, the tensor {}", name(power.dtype()),
               name(x.dtype()));
  return power;
}
}  // namespace
Tensor& Tensor::float_power_(const Tensor& exponent) const {
  return overwrite(self(), "float_power_",
                   [&] { return same_dtype(before(self(), exponent).float_power(exponent), self()); });
}
Tensor& Tensor::float_power_(const Scalar& exponent) const {
  return overwrite(self(), "float_power_", [&] { return same_dtype(before(self()).float_power(exponent), self()); });
}

}  // namespace strata
