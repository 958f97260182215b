// The steps of Adafactor.
#include "optim/adafactor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata::optim {

template class OptimizerCloneableOptions<AdafactorOptions>;
template class OptimizerCloneableParamState<AdafactorParamState>;

namespace {

/// The parameter's shape with 1 in place of the dim.
DimVector without(const Tensor& p, int64_t dim) {
  DimVector sizes = p.sizes();
  sizes[static_cast<size_t>(p.dim() + dim)] = 1;
  return sizes;
}

Tensor root_mean_square(const Tensor& x) { return x.norm() / std::sqrt(static_cast<double>(x.numel())); }

/// The mean square of lines along a dim taken into `average`, which is returned.
Tensor take_in(const Tensor& average, const Tensor& g, int64_t dim, double weight) {
  Tensor out = average;
  return out.lerp_(g.square().mean({dim}, /*keepdim=*/true), weight);
}

double least_root(const AdafactorOptions& o, DType dtype) {
  const double eps = std::get<0>(o.eps());
  if (eps != 0) return eps;
  if (dtype == kDouble) return std::numeric_limits<double>::epsilon();
  if (dtype == kFloat) return std::numeric_limits<float>::epsilon();
  return dtype == kHalf ? 0x1p-10 : 0x1p-7;
}

}  // namespace

void AdafactorOptions::check() const {
  const auto [least, scale] = eps();
  detail::check_not_negative("Adafactor", "the learning rate", lr());
  STRATA_CHECK(beta2_decay() <= 0, "Adafactor: beta2_decay must not be positive, got {}", beta2_decay());
  detail::check_not_negative("Adafactor", "the first eps", least);
  detail::check_not_negative("Adafactor", "the second eps", scale);
  STRATA_CHECK(d() >= 1, "Adafactor: d must be at least 1, got {}", d());
  detail::check_not_negative("Adafactor", "weight_decay", weight_decay());
}

void AdafactorParamState::adopt(const Tensor& p) {
  const auto adopt_part = [&](Tensor& part, const char* name, auto sizes_of) {
    if (part.defined()) detail::adopt_tensor(part, p.detach().new_empty(sizes_of()), name);
  };
  adopt_part(variance(), "variance", [&] { return DimVector(p.sizes()); });
  if (p.dim() < 2) return;
  adopt_part(row_var(), "row_var", [&] { return without(p, -1); });
  adopt_part(col_var(), "col_var", [&] { return without(p, -2); });
}

void Adafactor::begin(const Tensor& p, AdafactorParamState& s, const AdafactorOptions&) const {
  STRATA_CHECK(!p.is_complex(), "Adafactor: parameters must be real, got {}", name(p.dtype()));
  if (p.dim() < 2) {
    if (!s.variance().defined()) s.variance(zeros_like(p));
  } else if (!s.row_var().defined()) {
    s.row_var(p.detach().new_zeros(without(p, -1)));
    s.col_var(p.detach().new_zeros(without(p, -2)));
  }
}

void Adafactor::take_step(const Members& members, const AdafactorOptions& o) const {
  for (const auto& m : members) {
    detail::check_counts_on_host("Adafactor", m.param);
    AdafactorParamState& s = *m.state;
    s.step(s.step() + 1);
    const double steps = static_cast<double>(s.step()), weight = std::pow(steps, o.beta2_decay());
    const double least = least_root(o, m.param.dtype()), rate = std::min(o.lr(), 1 / std::sqrt(steps));
    Tensor p = m.param;
    const Tensor g = o.maximize() ? -m.param.grad() : m.param.grad();
    const Tensor scale = root_mean_square(p).clamp_min(std::get<1>(o.eps()));
    if (o.weight_decay() != 0) p.mul_(1 - o.lr() * o.weight_decay());
    Tensor square;
    if (p.dim() < 2) {
      square = s.variance().lerp_(g.square(), weight);
    } else {
      const Tensor rows = take_in(s.row_var(), g, -1, weight), columns = take_in(s.col_var(), g, -2, weight);
      square = rows.mul(columns) / rows.mean({-2}, /*keepdim=*/true).clamp_min(least);
    }
    const Tensor update = square.clamp_min(least * least).rsqrt() * g;
    p.sub_(update * (scale / (root_mean_square(update) / o.d()).clamp_min(1.0)), rate);
  }
}

}  // namespace strata::optim
