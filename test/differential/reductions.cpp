// Reductions, running sums, sorting and softmax.
#include "test/differential/names.h"

namespace differential {
namespace {

Rows reducing_rows() {
  return {
      {"sum", [](T x, MaybeDType dtype) { return x.sum(dtype); }},
      {"sum", [](T x, Dims dims, bool keep, MaybeDType dtype) { return x.sum(dims, keep, dtype); }},
      {"nansum", [](T x, Dims dims, bool keep, MaybeDType dtype) { return x.nansum(dims, keep, dtype); }},
      {"mean", [](T x, MaybeDType dtype) { return x.mean(dtype); }},
      {"mean", [](T x, Dims dims, bool keep, MaybeDType dtype) { return x.mean(dims, keep, dtype); }},
      {"prod", [](T x, MaybeDType dtype) { return x.prod(dtype); }},
      {"prod", [](T x, I dim, bool keep, MaybeDType dtype) { return x.prod(dim, keep, dtype); }},
      {"max", [](T x) { return x.max(); }},
      {"min", [](T x) { return x.min(); }},
      {"max", [](T x, I dim, bool keep) { return x.max(dim, keep); }},
      {"min", [](T x, I dim, bool keep) { return x.min(dim, keep); }},
      {"amax", [](T x, IntArrayRef dims, bool keep) { return x.amax(dims, keep); }},
      {"amin", [](T x, IntArrayRef dims, bool keep) { return x.amin(dims, keep); }},
      {"aminmax", [](T x, MaybeInt dim, bool keep) { return x.aminmax(dim, keep); }},
      {"argmax", [](T x, MaybeInt dim, bool keep) { return x.argmax(dim, keep); }},
      {"argmin", [](T x, MaybeInt dim, bool keep) { return x.argmin(dim, keep); }},
      {"var", [](T x, Dims dims, MaybeScalar correction, bool keep) { return x.var(dims, correction, keep); }},
      {"std", [](T x, Dims dims, MaybeScalar correction, bool keep) { return x.std(dims, correction, keep); }},
      {"var_mean", [](T x, Dims dims, MaybeScalar c, bool keep) { return strata::var_mean(x, dims, c, keep); }},
      {"std_mean", [](T x, Dims dims, MaybeScalar c, bool keep) { return strata::std_mean(x, dims, c, keep); }},
      {"norm", [](T x, MaybeScalar p, IntArrayRef dims, bool keep) { return x.norm(p, dims, keep); }},
      {"linalg_vector_norm", [](T x, S p, Dims dims, bool keep,
                                MaybeDType dtype) { return strata::linalg_vector_norm(x, p, dims, keep, dtype); }},
      {"logsumexp", [](T x, IntArrayRef dims, bool keep) { return x.logsumexp(dims, keep); }},
      {"all", [](T x) { return x.all(); }},
      {"any", [](T x) { return x.any(); }},
      {"all", [](T x, I dim, bool keep) { return x.all(dim, keep); }},
      {"any", [](T x, I dim, bool keep) { return x.any(dim, keep); }},
      {"all", [](T x, Dims dims, bool keep) { return x.all(dims, keep); }},
      {"any", [](T x, Dims dims, bool keep) { return x.any(dims, keep); }},
      {"count_nonzero", [](T x, Dims dims) { return x.count_nonzero(dims); }},
      {"median", [](T x) { return x.median(); }},
      {"median", [](T x, I dim, bool keep) { return x.median(dim, keep); }},
      {"kthvalue", &Tensor::kthvalue},
      {"median_values", [](T x, I dim, bool keep) { return std::get<0>(x.median(dim, keep)); }},
      {"kthvalue_values", [](T x, I k, I dim, bool keep) { return std::get<0>(x.kthvalue(k, dim, keep)); }},
      {"trace", &Tensor::trace},
  };
}

Rows along_rows() {
  return {
      {"softmax", &Tensor::softmax},
      {"log_softmax", &Tensor::log_softmax},
      {"cumsum", &Tensor::cumsum, &Tensor::cumsum_},
      {"cumprod", &Tensor::cumprod, &Tensor::cumprod_},
      {"cummax", &Tensor::cummax},
      {"cummin", &Tensor::cummin},
      {"sort", [](T x, bool stable, I dim, bool descending) { return x.sort(stable, dim, descending); }},
      {"argsort", [](T x, bool stable, I dim, bool descending) { return x.argsort(stable, dim, descending); }},
      {"topk", &Tensor::topk},
      {"topk_values",
       [](T x, I k, I dim, bool largest, bool sorted) { return std::get<0>(x.topk(k, dim, largest, sorted)); }},
      {"searchsorted",
       [](T sorted, T values, bool narrow, bool right) { return strata::searchsorted(sorted, values, narrow, right); }},
      {"bucketize",
       [](T values, T bounds, bool narrow, bool right) { return strata::bucketize(values, bounds, narrow, right); }},
      {"bincount", &Tensor::bincount},
  };
}

}  // namespace

Rows reduction_rows() {
  Rows rows = reducing_rows();
  for (auto& row : along_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace differential
