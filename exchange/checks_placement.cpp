// Views and the ops that lay out, pick and put elements.
#include <algorithm>

#include "exchange/check_rows.h"
#include "ops/diagonal_def.h"
#include "ops/embedding_bag_def.h"
#include "ops/indexing_def.h"
#include "ops/reinterpret_def.h"
#include "ops/scatter_reduce_def.h"
#include "ops/shaping_def.h"
#include "ops/view_def.h"
#include "ops/without_slope_def.h"

namespace strata::func::exchange {
namespace {

/// Offsets of diagonals and paddings up to here leave room for arithmetic with sizes.
constexpr int64_t kFar = int64_t{1} << 48;

void check_diagonal(const Arguments& a, int64_t offset, int64_t dim1, int64_t dim2, int64_t dims) {
  a.require_dim(dim1, dims);
  a.require_dim(dim2, dims);
  a.require(dim1 != dim2, "a diagonal needs two dims");
  a.require_between(offset, -kFar, kFar, "offset");
}

/// The sizes of `index` but along `dim` are at most those of `x`.
void check_places(const Arguments& a, const Tensor& x, const Tensor& index, int64_t dim) {
  a.require_any_dim(dim, x.dim());
  a.require(index.dim() == x.dim(), "the index has not as many dims as the tensor");
  for (int64_t d = 0; d < x.dim(); ++d)
    a.require(d == dim || index.sizes()[d] <= x.sizes()[d], "the index is larger than the tensor");
}

/// What a number of indices of one shape picks.
DimVector picked(const Arguments& a, int64_t first, size_t indices_from) {
  const IntArrayRef x = a[0].sizes(), index = a[indices_from].sizes();
  const auto count = static_cast<int64_t>(a.count() - indices_from);
  a.require_between(first, 0, a[0].dim() - count, "first");
  DimVector sizes(x.slice(0, static_cast<size_t>(first)));
  for (const int64_t n : index) sizes.push_back(n);
  for (const int64_t n : x.slice(static_cast<size_t>(first + count))) sizes.push_back(n);
  return sizes;
}

/// Tensors of these sizes along a dim, and of one shape otherwise.
void check_parts(const Arguments& a, const CatParams& p) {
  a.require_dim(p.dim, a[0].dim());
  a.require(p.lengths.size() == a.count(), "there has to be a length for each tensor");
  for (size_t i = 0; i < a.count(); ++i) {
    DimVector sizes = a[0].sizes();
    sizes[p.dim] = p.lengths[i];
    a.require_shape(i, sizes);
  }
}

void check_split(const Arguments& a, const CatParams& p) {
  a.require_dim(p.dim, a[0].dim());
  int64_t left = a[0].sizes()[p.dim];
  for (const int64_t n : p.lengths) {
    a.require_between(n, 0, left, "a length");
    left -= n;
  }
  a.require(left == 0, "the lengths do not add up to the dim's size");
}

void check_geometry_of(const Arguments& a, const StridedParams& p) {
  a.require_sizes(p.base_sizes);
  a.require_sizes(p.sizes);
  check_geometry(p, "strided");
}

constexpr auto triangle = [](const Arguments& a, const TriangleParams& p) {
  a.require(a[0].dim() >= 2, "a matrix has two dims");
  a.require_between(p.diagonal, -kFar, kFar, "diagonal");
};

constexpr CheckRow kPlacementRows[] = {
    row("alias", ".[.]"),
    row("detach", ".[.]"),
    row("stop_gradient", ".[.]"),
    row("view_as_real", ".[.]"),
    row("view_as_complex", ".[*,2]"),
    row<ViewParams>("view", ".[.]",
                    [](const Arguments& a, const ViewParams& p) {
                      a.require_sizes(p.sizes);
                      a.require(numel_of(p.sizes) == a[0].numel(), "sizes do not hold the elements");
                    }),
    row<ViewParams>("expand", ".[.]",
                    [](const Arguments& a, const ViewParams& p) {
                      a.require_sizes(p.sizes);
                      a.require(p.sizes.size() >= a[0].sizes().size(), "there are fewer sizes than dims");
                      const size_t lead = p.sizes.size() - a[0].sizes().size();
                      for (size_t d = lead; d < p.sizes.size(); ++d)
                        a.require(a[0].sizes()[d - lead] == p.sizes[d] || a[0].sizes()[d - lead] == 1,
                                  "a dim that is not 1 is expanded");
                    }),
    row<PermuteParams>("permute", ".[.]",
                       [](const Arguments& a, const PermuteParams& p) {
                         a.require(p.dims.size() == a[0].sizes().size(), "not all dims are named");
                         a.require_dims(p.dims, a[0].dim(), /*sorted=*/false);
                       }),
    row<SqueezeParams>("squeeze", ".[.]",
                       [](const Arguments& a, const SqueezeParams& p) {
                         for (const int64_t d : p.dims) a.require_dim(d, a[0].dim());
                         a.require_dims(p.dims, a[0].dim());
                         for (const int64_t d : p.dims) a.require(a[0].sizes()[d] == 1, "a dim is not of size 1");
                       }),
    row<SqueezeParams>("unsqueeze", ".[.]",
                       [](const Arguments& a, const SqueezeParams& p) {
                         a.require_dims(p.dims, a[0].dim() + static_cast<int64_t>(p.dims.size()));
                       }),
    row<SelectParams>("select", ".[.]",
                      [](const Arguments& a, const SelectParams& p) {
                        a.require_dim(p.dim, a[0].dim());
                        a.require_between(p.index, 0, a[0].sizes()[p.dim] - 1, "index");
                      }),
    row<SliceParams>("slice", ".[.]",
                     [](const Arguments& a, const SliceParams& p) {
                       a.require_dim(p.dim, a[0].dim());
                       const int64_t n = a[0].sizes()[p.dim];
                       a.require_between(p.step, 1, INT64_MAX, "step");
                       a.require_between(p.start, 0, n, "start");
                       a.require_between(p.length, 0, p.start < n ? (n - 1 - p.start) / p.step + 1 : 0, "length");
                     }),
    row<DiagonalParams>(
        "diagonal", ".[.]",
        [](const Arguments& a, const DiagonalParams& p) { check_diagonal(a, p.offset, p.dim1, p.dim2, a[0].dim()); }),
    row<UnfoldParams>("unfold", ".[.]",
                      [](const Arguments& a, const UnfoldParams& p) {
                        a.require_dim(p.dim, a[0].dim());
                        a.require_between(p.size, 0, a[0].sizes()[p.dim], "size");
                        a.require_between(p.step, 1, INT64_MAX, "step");
                      }),
    row<ViewDtypeParams>("view_dtype", ".[.]",
                         [](const Arguments& a, const ViewDtypeParams& p) { a.require_dtype(p.dtype, kStoredTypes); }),
    row<CatParams>("cat", "T[.]+", [](const Arguments& a, const CatParams& p) { check_parts(a, p); }),
    row<CatParams>("split_copy", ".[.]", [](const Arguments& a, const CatParams& p) { check_split(a, p); }),
    row<PadParams>("pad", ".[.]",
                   [](const Arguments& a, const PadParams& p) {
                     a.require(p.low.size() == a[0].sizes().size() && p.high.size() == p.low.size(),
                               "there has to be a padding for each dim");
                     for (size_t d = 0; d < p.low.size(); ++d) {
                       const int64_t n = a[0].sizes()[d];
                       a.require_between(p.low[d], -n, kFar, "low");
                       a.require_between(p.high[d], -n, kFar, "high");
                       a.require(n + p.low[d] + p.high[d] >= 0, "more is cut off than is there");
                     }
                   }),
    row<FlipParams>("flip", ".[.]",
                    [](const Arguments& a, const FlipParams& p) { a.require_dims(p.dims, a[0].dim(), false); }),
    row<RollParams>("roll", ".[.]",
                    [](const Arguments& a, const RollParams& p) {
                      a.require(p.dims.size() == p.shifts.size(), "there has to be a shift for each dim");
                      for (size_t i = 0; i < p.dims.size(); ++i) {
                        a.require_dim(p.dims[i], a[0].dim());
                        a.require_between(p.shifts[i], 0, std::max<int64_t>(a[0].sizes()[p.dims[i]] - 1, 0), "shift");
                      }
                      a.require_dims(p.dims, a[0].dim(), false);
                    }),
    row<TriangleParams>("tril", ".[.]", triangle),
    row<TriangleParams>("triu", ".[.]", triangle),
    row<StridedParams>("as_strided_copy", ".[.]",
                       [](const Arguments& a, const StridedParams& p) {
                         check_geometry_of(a, p);
                         a.require_shape(0, p.base_sizes);
                       }),
    row<StridedParams>("as_strided_backward", ".[.]",
                       [](const Arguments& a, const StridedParams& p) {
                         check_geometry_of(a, p);
                         a.require_shape(0, p.sizes);
                       }),
    row<StridedParams>("as_strided_scatter", "T[.] T[.]",
                       [](const Arguments& a, const StridedParams& p) {
                         check_geometry_of(a, p);
                         a.require_shape(0, p.base_sizes);
                         a.require_shape(1, p.sizes);
                       }),
    row<GatherParams>("gather", ".[.] .[.]",
                      [](const Arguments& a, const GatherParams& p) { check_places(a, a[0], a[1], p.dim); }),
    row<ScatterParams>("scatter", "T[.] .[.] T[.]",
                       [](const Arguments& a, const ScatterParams& p) {
                         check_places(a, a[0], a[1], p.dim);
                         a.require_shape(2, a[1].sizes());
                       }),
    row<ScatterReduceParams>("scatter_reduce", "T[.] .[.] T[.]",
                             [](const Arguments& a, const ScatterReduceParams& p) {
                               check_places(a, a[0], a[1], p.dim);
                               a.require_shape(2, a[1].sizes());
                               a.require_between(p.kind, kScatterProduct, kScatterSmallestOfSource, "kind");
                             }),
    row<IndexParams>("index", ".[.] I[*]+",
                     [](const Arguments& a, const IndexParams& p) { a.require_sizes(picked(a, p.first, 1)); }),
    row<IndexPutParams>("index_put", "T[.] T[.] I[*]+",
                        [](const Arguments& a, const IndexPutParams& p) { a.require_shape(1, picked(a, p.first, 2)); }),
    row<EmbeddingParams>(
        "embedding", ".[v,d] .[.]",
        [](const Arguments& a, const EmbeddingParams& p) { a.require_between(p.period, 1, INT64_MAX, "period"); }),
    row<RowsParams>("add_rows", "T[v,d] I[l] I[l] T[l]",
                    [](const Arguments& a, const RowsParams& p) { a.require_between(p.count, 0, kFar, "count"); }),
    row<RowsParams>("max_rows", "T[v,d] I[l] I[l]",
                    [](const Arguments& a, const RowsParams& p) { a.require_between(p.count, 0, kFar, "count"); }),
    row("block_diag", "T[*,_,_]+"),
    row<WithoutSlopeParams>("without_slope", ".[.] .[.]",
                            [](const Arguments& a, const WithoutSlopeParams& p) {
                              a.require(p.why >= NoSlope::kBernoulli && p.why <= NoSlope::kLast, "why is out of range");
                            }),
    row<LaidDiagonalParams>("diagonal_backward", ".[.]",
                            [](const Arguments& a, const LaidDiagonalParams& p) {
                              a.require_sizes(p.sizes);
                              check_diagonal(a, p.offset, p.dim1, p.dim2, static_cast<int64_t>(p.sizes.size()));
                              const int64_t rows = p.sizes[p.dim1], columns = p.sizes[p.dim2];
                              DimVector sizes = p.sizes;
                              sizes.erase(std::max(p.dim1, p.dim2));
                              sizes.erase(std::min(p.dim1, p.dim2));
                              sizes.push_back(std::max<int64_t>(0, p.offset >= 0 ? std::min(rows, columns - p.offset)
                                                                                 : std::min(rows + p.offset, columns)));
                              a.require_shape(0, sizes);
                            }),
};

}  // namespace

CheckRows rows_of_placement() { return kPlacementRows; }

}  // namespace strata::func::exchange
