// Reductions, scans, sorts and products.
#include <cmath>

#include "exchange/check_rows.h"
#include "ops/distance_def.h"
#include "ops/foreach_def.h"
#include "ops/glu_def.h"
#include "ops/histogram_def.h"
#include "ops/linalg_def.h"
#include "ops/reduce_def.h"
#include "ops/scan_def.h"
#include "ops/softmax_def.h"
#include "ops/sort_def.h"

namespace strata::func::exchange {
namespace {

constexpr auto over_dims = [](const Arguments& a, const auto& p) { a.require_dims(p.dims, a[0].dim()); };
constexpr auto floats_over_dims = [](const Arguments& a, const auto& p) {
  a.require(is_differentiable(a[0].dtype()), "the numbers are no floating point ones");
  a.require_dims(p.dims, a[0].dim());
};
constexpr auto along_dim = [](const Arguments& a, const auto& p) { a.require_any_dim(p.dim, a[0].dim()); };

void check_not_empty(const Arguments& a, int64_t dim) {
  if (a[0].dim() > 0) a.require(a[0].sizes()[dim] > 0, "an extreme of no elements");
}
constexpr auto extreme_over_dims = [](const Arguments& a, const ReduceParams& p) {
  a.require_dims(p.dims, a[0].dim());
  for (const int64_t d : p.dims) check_not_empty(a, d);
};
constexpr auto extreme_along_dim = [](const Arguments& a, const ReduceDimParams& p) {
  a.require_any_dim(p.dim, a[0].dim());
  check_not_empty(a, p.dim);
};

int64_t size_along(const Tensor& t, int64_t dim) { return t.dim() > 0 ? t.sizes()[dim] : 1; }

void check_halves(const Arguments& a, const Tensor& x, int64_t dim) {
  a.require_dim(dim, x.dim());
  a.require(x.sizes()[dim] % 2 == 0, "a dim of odd size has no halves");
}

constexpr CheckRow kSumRows[] = {
    row<ReduceParams>("sum", ".[.]", over_dims),
    row<ReduceParams>("nansum", ".[.]", over_dims),
    row<ReduceParams>("mean", ".[.]", floats_over_dims),
    row<ReduceParams>("logsumexp", ".[.]", floats_over_dims),
    row<ReduceParams>("all", ".[.]", over_dims),
    row<ReduceParams>("any", ".[.]", over_dims),
    row<ReduceParams>("amax", ".[.]", extreme_over_dims),
    row<ReduceParams>("amin", ".[.]", extreme_over_dims),
    row<ReduceParams>("aminmax", ".[.]", extreme_over_dims),
    row<VarParams>("var", ".[.]", floats_over_dims),
    row<VarParams>("std", ".[.]", floats_over_dims),
    row<NormParams>("norm", ".[.]", floats_over_dims),
    row<ReduceDimParams>("prod", ".[.]", along_dim),
    row<ReduceDimParams>("argmax", ".[.]", extreme_along_dim),
    row<ReduceDimParams>("argmin", ".[.]", extreme_along_dim),
    row<ReduceDimParams>("max_dim", ".[.]", extreme_along_dim),
    row<ReduceDimParams>("min_dim", ".[.]", extreme_along_dim),
    row<TotalNormParams>("total_norm", "T[.]+",
                         [](const Arguments& a, const TotalNormParams& p) {
                           a.require(p.p == 1 || p.p == 2 || std::isinf(p.p), "p is neither 1 nor 2 nor infinity");
                           for (size_t i = 0; i < a.count(); ++i) a.require(a[i].numel() > 0, "a tensor is empty");
                         }),
    row<ScanParams>("cumsum", ".[.]", along_dim),
    row<ScanParams>("cumprod", ".[.]", along_dim),
    row<ScanParams>("logcumsumexp", ".[.]", along_dim),
    row<ScanParams>("cummax", ".[.]", along_dim),
    row<ScanParams>("cummin", ".[.]", along_dim),
    row<ScanParams>("affine_scan", "T[*] T[*]", along_dim),
    row<SortParams>("sort", ".[.]", along_dim),
    row<TopkParams>("topk", ".[.]",
                    [](const Arguments& a, const TopkParams& p) {
                      a.require_any_dim(p.dim, a[0].dim());
                      a.require_between(p.k, 0, size_along(a[0], p.dim), "k");
                    }),
    row<PlacesParams>("at_places", ".[.]",
                      [](const Arguments& a, const PlacesParams& p) {
                        a.require_any_dim(p.dim, a[0].dim());
                        const int64_t n = size_along(a[0], p.dim);
                        a.require(n > 0, "a line of no elements");
                        for (const int64_t place : p.places) a.require_between(place, 0, n - 1, "place");
                        a.require(a[0].dim() > 0 || p.places.size() <= 1, "one number has one place");
                        a.require(p.places.empty() == (p.nan == NanPlace::kLeftOut), "places do not go with nan");
                        a.require(p.nan >= NanPlace::kLast && p.nan <= NanPlace::kLeftOut, "nan is out of range");
                      }),
    row<MedianParams>("median", ".[.]",
                      [](const Arguments& a, const MedianParams& p) {
                        a.require_dim(p.dim, a[0].dim());
                        a.require(a[0].sizes()[p.dim] > 0, "a line of no elements");
                        a.require(p.nan >= NanPlace::kLast && p.nan <= NanPlace::kLeftOut, "nan is out of range");
                      }),
    row<SearchParams>("searchsorted", "T[b,n] T[b,m]"),
    row<BinParams>("bin_counts", "T[r,n] T[r,b]",
                   [](const Arguments& a, const BinParams&) { a.require(a.size('b') >= 2, "a bin has two edges"); }),
    row<CountParams>("index_counts", ".[r,n]",
                     [](const Arguments& a, const CountParams& p) {
                       a.require_sizes({a.size('r'), p.size});
                     }),
    row<DimParams>("softmax", ".[.]", along_dim),
    row<DimParams>("log_softmax", ".[.]", along_dim),
    row<DimParams>("softmax_backward", "T[*] T[*]", along_dim),
    row<DimParams>("log_softmax_backward", "T[*] T[*]", along_dim),
    row<GluParams>("split_glu", ".[.]", [](const Arguments& a, const GluParams& p) { check_halves(a, a[0], p.dim); }),
    row<GluParams>("split_glu_backward", "T[.] T[.]",
                   [](const Arguments& a, const GluParams& p) {
                     check_halves(a, a[1], p.dim);
                     DimVector half = a[1].sizes();
                     half[p.dim] /= 2;
                     a.require_shape(0, half);
                   }),
    row("matmul", "T[*,m,k] T[*,k,n]"),
    row<AddmmParams>("addmm", "T[*,m,n] T[*,m,k] T[*,k,n]"),
    row("linear", "T[*,k] T[n,k] T[n]?"),
    row("linear_relu", "T[*,k] T[n,k] T[n]?"),
    row("linear_gelu", "T[*,k] T[n,k] T[n]?"),
    row("dot", "T[n] T[n]"),
    row<CrossParams>("cross", "T[*] T[*]",
                     [](const Arguments& a, const CrossParams& p) {
                       a.require_dim(p.dim, a[0].dim());
                       a.require(a[0].sizes()[p.dim] == 3, "the vectors are not of 3 elements");
                     }),
    row<CdistParams>("cdist", "T[*,m,k] T[*,n,k]"),
    row<CdistParams>("pdist", "T[*,m,k]"),
    row("pull_signs", "T[*,m,n] T[*,m,k] T[*,n,k]"),
    row("pull_differences", "T[*,m,n] T[*,m,k] T[*,n,k]"),
};

}  // namespace

CheckRows rows_of_sums() { return kSumRows; }

}  // namespace strata::func::exchange
