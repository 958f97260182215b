// Poisson's and the binomial distribution: a seed for each element, from which an op draws.
#include "ops/poisson.h"

#include <limits>

#include "core/shape.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/libtorch_random.h"
#include "ops/poisson_def.h"
#include "ops/random.h"
#include "ops/random_def.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "ops/without_slope.h"

namespace strata {

STRATA_OP(poisson_op) = op("poisson(Tensor rate, Tensor seed) -> Tensor")
                            .flag(kNotDifferentiable)
                            .infer([](Args in) { return meta_like(in[0]); })
                            .batch(pointwise_batch)
                            .dtypes(DTypes(kDouble))
                            .dtypes_for(1, DTypes(kLong));

STRATA_OP(binomial_op) = op("binomial(Tensor count, Tensor prob, Tensor seed) -> Tensor")
                             .flag(kNotDifferentiable)
                             .infer([](Args in) { return meta_like(in[0]); })
                             .batch(pointwise_batch)
                             .dtypes(DTypes(kDouble))
                             .dtypes_for(2, DTypes(kLong));

namespace {

Tensor seeds_like(const Tensor& x, Generator& generator) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  return randint(kLeast, kMost, x.sizes(), generator, TensorOptions(kLong).device(x.device()));
}

}  // namespace

Tensor poisson(const Tensor& rate, OptionalGenerator generator) {
  STRATA_CHECK(rate.is_floating_point(), "poisson: needs a floating point dtype, got {}", name(rate.dtype()));
  const Tensor mean = cast(rate.detach(), kDouble);
  STRATA_CHECK(!is_readable(mean) || logical_and(ge(mean, 0), isfinite(mean)).all().item<bool>(),
               "poisson: invalid Poisson rate, expected rate to be non-negative and finite");
  Tensor counts;
  const auto draw = [&](Mt19937& source) { counts = libtorch_random::poisson(mean, source); };
  if (!is_readable(mean) || !generator.get().draw_as_libtorch(draw)) {
    const Tensor seeds = seeds_like(mean, generator.get());
    counts = call1(poisson_op, {&mean, &seeds});
  }
  return without_slope(counts.to(rate.options()), rate, NoSlope::kPoisson);
}

Tensor binomial(const Tensor& count, const Tensor& prob, OptionalGenerator generator) {
  STRATA_CHECK(count.is_floating_point() && prob.is_floating_point(),
               "binomial: only supports floating-point dtypes, got {} for count and {} for prob", name(count.dtype()),
               name(prob.dtype()));
  STRATA_CHECK(count.dtype() == prob.dtype(), "binomial: expected count and prob of one dtype, but got {} and {}",
               name(count.dtype()), name(prob.dtype()));
  const DimVector sizes = broadcast_shapes(count.sizes(), prob.sizes(), "binomial");
  const Tensor trials = expand(count.detach(), sizes), p = expand(prob.detach(), sizes);
  Tensor counts;
  const auto draw = [&](Mt19937& source) { counts = libtorch_random::binomial(trials, p, source); };
  if (!is_readable(trials) || !is_readable(p) || !generator.get().draw_as_libtorch(draw)) {
    const Tensor n = cast(trials, kDouble), each = cast(p, kDouble), seeds = seeds_like(n, generator.get());
    counts = call1(binomial_op, {&n, &each, &seeds});
  }
  counts = counts.to(count.options());
  return without_slope(without_slope(counts, count, NoSlope::kBinomial), prob, NoSlope::kBinomial);
}

}  // namespace strata
