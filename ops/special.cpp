// Functions of namespace special that are made of other ops.
#include "ops/special.h"

#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/promote.h"
#include "ops/ternary.h"

namespace strata::special {
namespace {

Tensor floating(const Tensor& x, const char* op) {
  STRATA_CHECK_AS(NotImplementedError, !is_complex(x.dtype()), "{}: not implemented for {}", op, name(x.dtype()));
  return cast(x, float_type(x.dtype()));
}

}  // namespace

Tensor spherical_bessel_j0(const Tensor& x) {
  const Tensor y = floating(x, "spherical_bessel_j0"), is_zero = y == 0, is_far = isinf(y);
  const Tensor inside = where(logical_or(is_zero, is_far), 1, y);
  return where(is_zero, 1, where(is_far, 0, sin(inside) / inside));
}

}  // namespace strata::special
