// Poisson's distribution by bisection of its distribution function, which is an incomplete gamma function:
// DLMF 8.11.10.
#include "ops/poisson.h"

#include <cmath>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/special.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Beyond so many deviations from the mean lies less than what a uniform number resolves.
constexpr double kDeviations = 12, kMargin = 60;

/// Halvings that leave one of the whole numbers between the ends; inside of a transform the rates cannot be looked at.
int halvings(const Tensor& rate) {
  if (rate.keys().has(Key::Transform)) return 40;
  const double largest = rate.numel() == 0 ? 0 : rate.max().item<double>();
  return static_cast<int>(std::ceil(std::log2(2 * kDeviations * std::sqrt(largest) + 2 * kMargin)));
}

void check_rates(const Tensor& rate) {
  STRATA_CHECK(rate.is_floating_point(), "poisson: needs a floating point dtype, got {}", name(rate.dtype()));
  STRATA_CHECK(rate.keys().has(Key::Transform) || logical_and(ge(rate, 0), lt(rate, 1e15)).all().item<bool>(),
               "poisson: invalid Poisson rate, expected rate to be non-negative and below 1e15");
}

}  // namespace

Tensor poisson(const Tensor& rate) {
  check_rates(rate.detach());
  const Tensor mean = cast(rate.detach(), kDouble), u = rand(mean.sizes(), mean.options());
  const Tensor reach = sqrt(mean) * kDeviations + kMargin;
  // The smallest k of which the share up to k exceeds u lies above `low`, and is `high` at most.
  Tensor low = clamp_min(floor(mean - reach), -1), high = ceil(mean + reach);
  for (int i = halvings(mean); i > 0; --i) {
    const Tensor middle = floor((low + high) * 0.5), is_above = igammac(clamp_min(middle + 1, 0), mean) > u;
    const Tensor is_high = logical_and(is_above, middle >= 0);
    high = where(is_high, middle, high);
    low = where(is_high, low, middle);
  }
  return cast(high, rate.dtype());
}

}  // namespace strata
