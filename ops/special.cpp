// Functions of namespace special that are made of other ops.
#include "ops/special.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/promote.h"
#include "ops/ternary.h"

namespace strata::special {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor floating(const Tensor& x, const char* op) {
  STRATA_CHECK(!is_complex(x.dtype()), "{}: not implemented for {}", op, name(x.dtype()));
  return cast(x, float_type(x.dtype()));
}

}  // namespace

Tensor ndtr(const Tensor& x) { return erfc(floating(x, "ndtr") * -std::sqrt(0.5)) * 0.5; }

Tensor spherical_bessel_j0(const Tensor& x) {
  const Tensor y = floating(x, "spherical_bessel_j0"), is_zero = y == 0, is_far = isinf(y);
  const Tensor inside = where(logical_or(is_zero, is_far), 1, y);
  return where(is_zero, 1, where(is_far, 0, sin(inside) / inside));
}

Tensor xlog1py(const Tensor& a, const Tensor& b) {
  const DType t = float_type(result_type(a, b));
  STRATA_CHECK(!is_complex(t), "xlog1py: not implemented for {}", name(t));
  const Tensor x = cast(a, t), y = cast(b, t);
  // The logarithm is replaced where it has no finite value that 0 could be multiplied with.
  const Tensor is_flat = logical_and(x == 0, logical_or(y <= -1, y == kInfinity));
  return x * log1p(where(is_flat, 0, y));
}
Tensor xlog1py(const Tensor& a, const Scalar& b) {
  return xlog1py(a, full({}, b, TensorOptions(float_type(result_type(a, b))).device(a.device())));
}
Tensor xlog1py(const Scalar& a, const Tensor& b) {
  return xlog1py(full({}, a, TensorOptions(float_type(result_type(a, b))).device(b.device())), b);
}

}  // namespace strata::special
