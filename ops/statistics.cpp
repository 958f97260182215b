// Order statistics and moments, made of sorts, gathers and sums.
#include "ops/statistics.h"

#include <cmath>

#include "core/called.h"
#include "core/warning.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/sort_def.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

enum class Interpolation { kLinear, kLower, kHigher, kMidpoint, kNearest };

Interpolation interpolation_of(const char* op, std::string_view name) {
  constexpr std::string_view kNames[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  for (int i = 0; i < 5; ++i)
    if (name == kNames[i]) return static_cast<Interpolation>(i);
  STRATA_THROW("{}: interpolation must be one of linear, lower, higher, midpoint or nearest, but got {}", op, name);
}

/// Can the host look at the numbers? Not inside a transform, and on a device it would have to wait.
bool is_readable_on_host(const Tensor& x) { return x.is_cpu() && !x.keys().has(Key::Transform); }

void check_quantile(const char* op, const Tensor& x, const Tensor& q) {
  STRATA_CHECK(x.numel() > 0, "{}: input tensor must be non-empty, got shape {}", op, x.sizes());
  STRATA_CHECK(q.dim() <= 1, "{}: q must be a scalar or 1D tensor, got shape {}", op, q.sizes());
  STRATA_CHECK(x.dtype() == kFloat || x.dtype() == kDouble,
               "{}: input tensor must be either float or double dtype, got {}", op, name(x.dtype()));
  STRATA_CHECK(q.dtype() == x.dtype(), "{}: q tensor must be same dtype as the input tensor, got {} and {}", op,
               name(q.dtype()), name(x.dtype()));
  STRATA_CHECK(!is_readable_on_host(q) || all(logical_and(ge(q, 0), le(q, 1))).item<bool>(),
               "{}: q values must be in the range [0, 1]", op);
}

/// Which of the places below and above ranks a quantile is, or what lies between them.
Tensor between_places(const Tensor& below, const Tensor& above, const Tensor& ranks, Interpolation how) {
  const Tensor low = floor(ranks), share = sub(ranks, low);
  if (how == Interpolation::kLower) return below;
  if (how == Interpolation::kHigher) return above;
  if (how == Interpolation::kNearest) return where(eq(round(ranks), low), below, above);
  return how == Interpolation::kMidpoint ? lerp(below, above, 0.5) : lerp(below, above, share.to(below.dtype()));
}

/// A few quantiles `(..., Q)` of lines `(..., n)`, without sorting those; NaN where a line has one.
Tensor few_quantiles(const Tensor& lines, const Tensor& ranks, Interpolation how) {
  DimVector places;
  for (const Tensor& each : {floor(ranks), ceil(ranks)})
    for (int64_t i = 0; i < ranks.numel(); ++i) places.push_back(each[i].item<int64_t>());
  places.push_back(lines.size(-1) - 1);  // NaN sorts last
  const Tensor chosen = std::get<0>(at_places(lines, {lines.dim() - 1, places}));
  const int64_t n = ranks.numel();
  const Tensor last = narrow(chosen, -1, 2 * n, 1);
  return where(isnan(last), last, between_places(narrow(chosen, -1, 0, n), narrow(chosen, -1, n, n), ranks, how));
}

/// Quantiles `(..., Q)` of lines `(..., n)`: at these parts of the numbers alone if `ignore_nan`.
Tensor quantiles_of_sorted(const Tensor& lines, const Tensor& parts, Interpolation how, bool ignore_nan) {
  const Tensor sorted = std::get<0>(sort(lines, -1));
  const int64_t n = lines.size(-1);
  // NaN sorts last.
  Tensor ranks;
  if (ignore_nan) {
    const Tensor valid = logical_not(isnan(stop_gradient(lines))).sum({-1}, true);
    ranks = mul(clamp_min(sub(valid, 1), 0).to(parts.dtype()), parts);
  } else {
    const Tensor last = narrow(stop_gradient(sorted), -1, n - 1, 1);
    ranks = where(isnan(last), static_cast<double>(n - 1), mul(parts, static_cast<double>(n - 1)));
  }
  const Tensor below = gather(sorted, -1, floor(ranks).to(kLong)), above = gather(sorted, -1, ceil(ranks).to(kLong));
  return between_places(below, above, ranks, how);
}

Tensor quantile_of(const char* op, const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation, bool ignore_nan) {
  check_quantile(op, x, q);
  const Interpolation how = interpolation_of(op, interpolation);
  const int64_t d = dim ? wrap_dim(*dim, x.dim(), op) : 0;
  const Tensor lines = x.dim() == 0 ? reshape(x, {1}) : dim ? movedim(x, d, -1) : flatten(x);
  const int64_t n = lines.size(-1);
  // As in PyTorch, where ranks are doubles: above 2^24 float32 has not all the integers, and the last rank could come
  // to lie behind the last element.
  const Tensor parts = q.to(kDouble);
  constexpr int64_t kFew = 4;
  Tensor values = !ignore_nan && is_readable_on_host(parts) && parts.numel() <= kFew
                      ? few_quantiles(lines, reshape(mul(parts, static_cast<double>(n - 1)), {-1}), how)
                      : quantiles_of_sorted(lines, parts, how, ignore_nan);
  values = q.dim() == 1 ? movedim(values, -1, 0) : squeeze(values, -1);
  if (keepdim) {
    if (dim && x.dim() > 0) return as_result(unsqueeze(values, d + q.dim()));
    DimVector sizes(static_cast<size_t>(x.dim()), 1);
    if (q.dim() == 1) sizes.insert(0, q.numel());
    return as_result(reshape(values, sizes));
  }
  return as_result(values);
}

Tensor as_q(const Tensor& x, double q, const char* op) {
  STRATA_CHECK(q >= 0 && q <= 1, "{}: q must be in the range [0, 1] but got {}", op, q);
  return full({}, q, x.options());
}

std::tuple<Tensor, Tensor> without_dim(const Tensor& values, const Tensor& places, int64_t dim, bool keepdim) {
  if (keepdim) return {values, places};
  return {as_result(squeeze(values, dim)), as_result(squeeze(places, dim))};
}

void check_has_elements(const char* op, const Tensor& x, int64_t dim) {
  STRATA_CHECK_INDEX(x.dim() == 0 || x.sizes()[dim] > 0,
                     "{}: expected reduction dim {} of shape {} to have non-zero size", op, dim, x.sizes());
}

/// The weights of observations, undefined for none.
Tensor weights_of(const Tensor& x, OptionalTensorRef fweights, OptionalTensorRef aweights) {
  const auto check = [&](const Tensor& w, const char* what) {
    STRATA_CHECK(w.dim() <= 1 && w.numel() == x.size(1), "cov: expected {} of shape ({},), got {}", what, x.size(1),
                 w.sizes());
    STRATA_CHECK(!is_readable_on_host(w) || w.numel() == 0 || ge(min(w), 0).item<bool>(), "cov: {} cannot be negative",
                 what);
  };
  Tensor w;
  if (fweights) {
    STRATA_CHECK(is_integral(fweights->dtype()), "cov: expected fweights to have integral dtype, got {}",
                 name(fweights->dtype()));
    check(*fweights, "fweights");
    w = *fweights;
  }
  if (aweights) {
    STRATA_CHECK(aweights->is_floating_point(), "cov: expected aweights to have floating point dtype, got {}",
                 name(aweights->dtype()));
    check(*aweights, "aweights");
    w = w.defined() ? mul(w, *aweights) : *aweights;
  }
  return w;
}

}  // namespace

Tensor quantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  return quantile_of("quantile", x, q, dim, keepdim, interpolation, false);
}
Tensor quantile(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) {
  return quantile(x, as_q(x, q, "quantile"), dim, keepdim, interpolation);
}
Tensor nanquantile(const Tensor& x, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  return quantile_of("nanquantile", x, q, dim, keepdim, interpolation, true);
}
Tensor nanquantile(const Tensor& x, double q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  return nanquantile(x, as_q(x, q, "nanquantile"), dim, keepdim, interpolation);
}

std::tuple<Tensor, Tensor> nanmedian(const Tensor& x, int64_t dim, bool keepdim) {
  if (!x.is_floating_point()) return median(x, dim, keepdim);
  const int64_t d = wrap_dim(dim, x.dim(), "nanmedian");
  check_has_elements("nanmedian", x, d);
  return at_place(x, {d, {}, NanPlace::kLeftOut}, keepdim);
}
Tensor nanmedian(const Tensor& x) {
  if (x.numel() == 0 || !x.is_floating_point()) return median(x);
  const Tensor line = flatten(x);
  return call1(median_op, {&line}, MedianParams{0, NanPlace::kLeftOut});
}

// Of the sorted elements runs of equal ones begin where one differs from the one before; each element's place in its
// run is then its own place less that of the run's start, and the longest run ends at the first largest of these.
std::tuple<Tensor, Tensor> mode(const Tensor& x, int64_t dim, bool keepdim) {
  const Called called;
  const int64_t d = wrap_dim(dim, x.dim(), "mode");
  if (x.dim() == 0) return {x.clone(), zeros({}, x.options().dtype(kLong))};
  check_has_elements("mode", x, d);
  const auto [sorted, order] = sort(stop_gradient(x), d);
  const int64_t n = x.sizes()[d];
  DimVector along(static_cast<size_t>(x.dim()), 1);
  along[d] = n;
  const Tensor places = reshape(arange(n, order.options()), along);
  const Tensor differs = ne(narrow(sorted, d, 1, n - 1), narrow(sorted, d, 0, n - 1));
  const Tensor starts = constant_pad_nd(movedim(mul(narrow(places, d, 1, n - 1), differs), d, -1), {1, 0});
  const Tensor run = sub(places, movedim(std::get<0>(cummax(starts, -1)), -1, d));
  const Tensor index = gather(order, d, argmax(run, d, true));
  return without_dim(gather(x, d, index), index, d, keepdim);
}

Tensor nanmean(const Tensor& x, OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) {
  STRATA_CHECK_AS(NotImplementedError, x.is_floating_point(),
                  "nanmean: expected input to have floating point dtype but got {}", name(x.dtype()));
  const Tensor count = logical_not(isnan(stop_gradient(x))).sum(dims, keepdim);
  return div(nansum(x, dims, keepdim, dtype), count);
}

Tensor cov(const Tensor& x, int64_t correction, OptionalTensorRef fweights, OptionalTensorRef aweights) {
  STRATA_CHECK(x.dim() <= 2, "cov: expected input to have two or fewer dimensions, got shape {}", x.sizes());
  STRATA_CHECK(x.dtype() != kBool, "cov: bool dtype is not supported for input");
  const Tensor rows = x.dim() < 2 ? reshape(x, {1, -1}) : x, w = weights_of(rows, fweights, aweights);
  const auto weighted = [&](const Tensor& t) { return w.defined() ? mul(t, w) : t; };
  const Tensor total = w.defined() ? sum(w) : scalar_tensor(rows.size(1), rows.options().dtype(kLong));
  const Tensor centered = sub(rows, unsqueeze(div(sum(weighted(rows), 1), total), 1));
  const Tensor lost = w.defined() && aweights && correction != 0
                          ? div(mul(sum(mul(w, *aweights)), correction), total)
                          : scalar_tensor(correction, rows.options().dtype(kLong));
  const Tensor freedom = sub(total, lost);
  if (is_readable_on_host(freedom) && freedom.item<double>() <= 0) warn("cov: degrees of freedom is <= 0");
  const Tensor c = mm(centered, conj(weighted(centered).t()).to(centered.dtype()));
  return as_result(squeeze(div(c, clamp_min(freedom, 0))));
}

Tensor corrcoef(const Tensor& x) {
  STRATA_CHECK(x.dim() <= 2, "corrcoef: expected input to have two or fewer dimensions, got shape {}", x.sizes());
  const Tensor c = cov(x);
  if (c.dim() == 0) return div(c, c);
  const Tensor deviations = sqrt(real(diagonal(c)));
  const Tensor r = div(div(c, unsqueeze(deviations, 1)), unsqueeze(deviations, 0));
  if (!is_complex(r)) return clamp(r, -1, 1);
  return complex(clamp(real(r), -1, 1), clamp(imag(r), -1, 1));
}

Tensor Tensor::quantile(const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                        std::string_view interpolation) const {
  return strata::quantile(*this, q, dim, keepdim, interpolation);
}
Tensor Tensor::quantile(double q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) const {
  return strata::quantile(*this, q, dim, keepdim, interpolation);
}
Tensor Tensor::nanquantile(const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                           std::string_view interpolation) const {
  return strata::nanquantile(*this, q, dim, keepdim, interpolation);
}
Tensor Tensor::nanquantile(double q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) const {
  return strata::nanquantile(*this, q, dim, keepdim, interpolation);
}
Tensor Tensor::nanmedian() const { return strata::nanmedian(*this); }
std::tuple<Tensor, Tensor> Tensor::nanmedian(int64_t dim, bool keepdim) const {
  return strata::nanmedian(*this, dim, keepdim);
}
std::tuple<Tensor, Tensor> Tensor::mode(int64_t dim, bool keepdim) const { return strata::mode(*this, dim, keepdim); }
Tensor Tensor::nanmean(OptionalIntArrayRef dims, bool keepdim, std::optional<DType> dtype) const {
  return strata::nanmean(*this, dims, keepdim, dtype);
}
Tensor Tensor::cov(int64_t correction, OptionalTensorRef fweights, OptionalTensorRef aweights) const {
  return strata::cov(*this, correction, fweights, aweights);
}
Tensor Tensor::corrcoef() const { return strata::corrcoef(*this); }

}  // namespace strata
