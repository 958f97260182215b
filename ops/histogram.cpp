// Histograms, made of searches and sums at indices.
#include "ops/histogram.h"

#include <cmath>

#include "dispatcher/call.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/histogram_def.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

void check_floating_values(const char* op, const Tensor& x) {
  STRATA_CHECK_AS(NotImplementedError, x.is_floating_point(),
                  "{}: not implemented for {}; expected a floating point tensor", op, name(x.dtype()));
}
void check_bins(const char* op, int64_t bins) { STRATA_CHECK(bins > 0, "{}: bins must be > 0, but got {}", op, bins); }

struct Range {
  double low, high;
};

Range range_of(const Tensor& x) {
  if (x.numel() == 0) return {0, 0};
  const auto [low, high] = aminmax(flatten(x), 0);
  return {low.item<double>(), high.item<double>()};
}

void check_range(const char* op, const Range& r) {
  STRATA_CHECK(std::isfinite(r.low) && std::isfinite(r.high), "{}: range of [{}, {}] is not finite", op, r.low, r.high);
  STRATA_CHECK(r.low <= r.high, "{}: max must be larger than min, got [{}, {}]", op, r.low, r.high);
}

/// Adds up `weight`, or counts, for each of `cells` numbers; those with a number below 0 are left out.
Tensor count_cells(const Tensor& cell, int64_t cells, OptionalTensorRef weight, const Tensor& like) {
  // What lies outside goes to one more cell in front.
  const Tensor at = clamp_min(add(cell, 1), 0), sums = zeros({cells + 1}, like.options());
  const Tensor amounts = weight ? reshape(*weight, {-1}).to(like.dtype()) : ones({cell.numel()}, like.options());
  return narrow(scatter_add(sums, 0, at, amounts), 0, 1, cells).clone();
}

/// The bin of each value among increasing edges, -1 for none: the last bin includes its end.
Tensor bins_between(const Tensor& x, const Tensor& edges) {
  const int64_t bins = edges.numel() - 1;
  const Tensor after = bucketize(x.contiguous(), edges, false, true);
  const Tensor closed = where(eq(x, select(edges, 0, bins)), bins - 1, sub(after, 1));
  return where(logical_or(ge(closed, bins), isnan(x)), -1, closed);
}

void check_edges(const char* op, const Tensor& edges, const Tensor& x) {
  STRATA_CHECK(edges.dim() == 1, "{}: bins tensor should have one dimension, got shape {}", op, edges.sizes());
  STRATA_CHECK(edges.dtype() == x.dtype(),
               "{}: input tensor and bins tensors should have the same dtype, got {} and {}", op, name(x.dtype()),
               name(edges.dtype()));
  check_bins(op, edges.numel() - 1);
}

/// Equally spaced edges over `given`, or over x's values, which are widened where they are one.
Tensor equal_edges(const char* op, const Tensor& x, int64_t bins, const std::optional<Range>& given) {
  check_bins(op, bins);
  Range r = given ? *given : range_of(x);
  check_range(op, r);
  if (!given && x.numel() == 0)
    r = {0, 1};
  else if (r.low == r.high)
    r = {r.low - 0.5, r.high + 0.5};
  return linspace(r.low, r.high, bins + 1, x.options());
}

/// What the op `bin_counts` gives of each row, by a search and a sum.
Tensor bin_counts_by_search(const Tensor& x, const Tensor& edges, bool exact) {
  const int64_t bins = edges.size(1) - 1;
  std::vector<Tensor> rows;
  for (int64_t r = 0; r < x.size(0); ++r) {
    const Tensor values = select(x, 0, r), e = std::get<0>(sort(select(edges, 0, r), 0)), low = select(e, 0, 0),
                 high = select(e, 0, bins);
    Tensor cell;
    if (exact) {
      cell = bins_between(values, e);
    } else {
      const Tensor inside = logical_and(ge(values, low), le(values, high));
      const Tensor place = div(mul(sub(where(inside, values, low), low), bins), sub(high, low)).to(kLong);
      cell = where(inside, clamp_max(place, bins - 1), -1);
    }
    rows.push_back(count_cells(cell, bins, {}, x));
  }
  return rows.empty() ? zeros({0, bins}, x.options()) : stack(rows);
}

/// How many of x's elements lie in each bin between `edges` `(bins + 1,)`.
Tensor bin_counts(const Tensor& x, const Tensor& edges, bool exact) {
  const Tensor row = reshape(stop_gradient(x), {1, -1}), e = unsqueeze(stop_gradient(edges), 0);
  return as_result(select(call1(bin_counts_op, {&row, &e}, BinParams{exact}), 0, 0));
}

/// Counts or sums of weights in the cells that `edges` of each dim make, of shape `sizes`.
Tensor cell_counts(const Tensor& points, TensorList edges, const DimVector& sizes, OptionalTensorRef weight) {
  Tensor cell, outside;
  for (size_t d = 0; d < edges.size(); ++d) {
    const Tensor bin = bins_between(select(points, 1, static_cast<int64_t>(d)), edges[d]), out = lt(bin, 0);
    cell = d == 0 ? bin : add(mul(cell, sizes[d]), bin);
    outside = d == 0 ? out : logical_or(outside, out);
  }
  return as_result(view(count_cells(where(outside, -1, cell), numel_of(sizes), weight, points), sizes));
}

Tensor counts(const char* op, const Tensor& points, TensorList edges, OptionalTensorRef weight, bool density) {
  DimVector sizes;
  for (const Tensor& e : edges) sizes.push_back(e.numel() - 1);
  STRATA_CHECK(!weight || weight->numel() == points.size(0), "{}: expected {} weights, got shape {}", op,
               points.size(0), weight->sizes());
  const bool plain = edges.size() == 1 && !weight && (points.dtype() == kFloat || points.dtype() == kDouble);
  Tensor hist = plain ? bin_counts(points, edges[0], true) : cell_counts(points, edges, sizes, weight);
  if (!density) return hist;
  hist = div(hist, sum(hist));
  for (size_t d = 0; d < edges.size(); ++d) {
    DimVector shape(sizes.size(), 1);
    shape[d] = sizes[d];
    const Tensor widths = sub(narrow(edges[d], 0, 1, sizes[d]), narrow(edges[d], 0, 0, sizes[d]));
    hist = div(hist, view(widths, shape));
  }
  return hist;
}

/// `(n, dims)` points of a tensor of at least 2 dims.
Tensor points_of(const Tensor& x, size_t dims) {
  check_floating_values("histogramdd", x);
  STRATA_CHECK(x.dim() >= 2 && x.size(-1) == static_cast<int64_t>(dims),
               "histogramdd: expected a tensor of at least 2 dims whose last has size {}, got shape {}", dims,
               x.sizes());
  return reshape(x, {-1, x.size(-1)});
}

}  // namespace

STRATA_OP(index_counts_op) = op<CountParams>("index_counts(Tensor x, int size) -> Tensor")
                                 .flag(kNotDifferentiable)
                                 .infer([](Args in, const CountParams& p) {
                                   return meta({in[0].size(0), p.size}, kLong, in[0].device());
                                 })
                                 .batch([](const Batch& c, const CountParams& p) -> Tensors {
                                   const Tensor x = rules::batched(c, 0), rows = flatten(x, 0, 1),
                                                counted = call1(index_counts_op, {&rows}, p);
                                   return view(counted, {x.size(0), x.size(1), p.size});
                                 })
                                 .dtypes(DTypes(kLong))
                                 .decompose([](Args in, const CountParams& p) -> Tensors {
                                   const Tensor sums = zeros({in[0].size(0), p.size}, in[0].options());
                                   return scatter_add(sums, 1, in[0], ones_like(in[0]));
                                 });

STRATA_OP(bin_counts_op) = op<BinParams>("bin_counts(Tensor x, Tensor edges, bool exact) -> Tensor")
                               .flag(kNotDifferentiable)
                               .infer([](Args in) {
                                 return meta({in[0].size(0), in[1].size(1) - 1}, in[0].dtype(), in[0].device());
                               })
                               .batch([](const Batch& c, const BinParams& p) -> Tensors {
                                 const Tensor x = rules::batched(c, 0), edges = rules::batched(c, 1);
                                 const Tensor rows = flatten(x, 0, 1), e = flatten(edges, 0, 1);
                                 const Tensor counted = call1(bin_counts_op, {&rows, &e}, p);
                                 return view(counted, {x.size(0), x.size(1), counted.size(1)});
                               })
                               .dtypes(kSingleAndDouble)
                               .decompose([](Args in, const BinParams& p) -> Tensors {
                                 return bin_counts_by_search(in[0], in[1], p.exact);
                               });

Tensor histc(const Tensor& x, int64_t bins, const Scalar& min, const Scalar& max) {
  check_floating_values("histc", x);
  // Of 16 bits neither the places nor counts above some hundreds would be exact.
  if (x.dtype() == kHalf || x.dtype() == kBFloat16) return histc(x.to(kFloat), bins, min, max).to(x.dtype());
  check_bins("histc", bins);
  Range r{min.toDouble(), max.toDouble()};
  if (r.low == r.high) r = range_of(x);
  check_range("histc", r);
  if (r.low == r.high) r = {r.low - 1, r.high + 1};
  return bin_counts(x, linspace(r.low, r.high, bins + 1, x.options()), false);
}

std::tuple<Tensor, Tensor> histogram(const Tensor& x, const Tensor& edges, OptionalTensorRef weight, bool density) {
  check_floating_values("histogram", x);
  check_edges("histogram", edges, x);
  return {counts("histogram", reshape(x, {-1, 1}), edges, weight, density), edges.clone()};
}
std::tuple<Tensor, Tensor> histogram(const Tensor& x, int64_t bins, std::optional<ArrayRef<double>> range,
                                     OptionalTensorRef weight, bool density) {
  check_floating_values("histogram", x);
  STRATA_CHECK(!range || range->size() == 2, "histogram: range should have 2 elements, but got {}", range->size());
  const std::optional<Range> given = range ? std::optional(Range{(*range)[0], (*range)[1]}) : std::nullopt;
  return histogram(x, equal_edges("histogram", x, bins, given), weight, density);
}

std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& x, TensorList edges, std::optional<ArrayRef<double>>,
                                                    OptionalTensorRef weight, bool density) {
  const Tensor points = points_of(x, edges.size());
  for (const Tensor& e : edges) check_edges("histogramdd", e, x);
  return {counts("histogramdd", points, edges, weight, density), edges.vec()};
}
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& x, IntArrayRef bins,
                                                    std::optional<ArrayRef<double>> range, OptionalTensorRef weight,
                                                    bool density) {
  const Tensor points = points_of(x, bins.size());
  STRATA_CHECK(!range || range->size() == 2 * bins.size(), "histogramdd: range should have {} elements, but got {}",
               2 * bins.size(), range->size());
  std::vector<Tensor> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    const std::optional<Range> given =
        range ? std::optional(Range{(*range)[2 * d], (*range)[2 * d + 1]}) : std::nullopt;
    edges.push_back(equal_edges("histogramdd", select(points, 1, static_cast<int64_t>(d)), bins[d], given));
  }
  return histogramdd(x, TensorList(edges), range, weight, density);
}
std::tuple<Tensor, std::vector<Tensor>> histogramdd(const Tensor& x, int64_t bins,
                                                    std::optional<ArrayRef<double>> range, OptionalTensorRef weight,
                                                    bool density) {
  const DimVector each(x.dim() > 0 ? static_cast<size_t>(x.size(-1)) : 0, bins);
  return histogramdd(x, IntArrayRef(each), range, weight, density);
}

Tensor Tensor::histc(int64_t bins, const Scalar& min, const Scalar& max) const {
  return strata::histc(*this, bins, min, max);
}
std::tuple<Tensor, Tensor> Tensor::histogram(const Tensor& edges, OptionalTensorRef weight, bool density) const {
  return strata::histogram(*this, edges, weight, density);
}
std::tuple<Tensor, Tensor> Tensor::histogram(int64_t bins, std::optional<ArrayRef<double>> range,
                                             OptionalTensorRef weight, bool density) const {
  return strata::histogram(*this, bins, range, weight, density);
}

}  // namespace strata
