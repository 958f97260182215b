// Membership and distinct slices, made of sorts, searches and comparisons.
#include "ops/sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/visit_types.h"
#include "dispatcher/call.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/order_key.h"
#include "ops/promote.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/scan.h"
#include "ops/sets_def.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

using Distinct = std::tuple<Tensor, Tensor, Tensor>;

Tensor no_indices(const Tensor& x) { return empty({0}, x.options().dtype(kLong)); }

/// Does row i of `(n, m)` differ from the one before? The first does.
Tensor run_starts(const Tensor& rows) {
  const int64_t n = rows.size(0);
  const Tensor one = ones({std::min<int64_t>(n, 1)}, rows.options().dtype(kBool));
  if (n < 2) return one;
  const Tensor differs = ne(narrow(rows, 0, 1, n - 1), narrow(rows, 0, 0, n - 1));
  return cat({one, rows.dim() > 1 ? any(differs, 1) : differs});
}

/// What the op `runs` gives, from a comparison of all rows.
Tensors runs_by_comparison(const Tensor& rows, const RunsParams& p) {
  const Tensor starts = run_starts(rows), first = reshape(nonzero(starts), {-1});
  const int64_t n = starts.numel();
  const Tensor inverse = p.inverse ? sub(cumsum(starts, 0), 1) : no_indices(rows);
  Tensor counts = no_indices(rows);
  if (p.counts) {
    const Tensor ends = cat({slice(first, 0, 1), full({n > 0 ? 1 : 0}, n, first.options())});
    counts = sub(ends, first);
  }
  return {first, inverse, counts};
}

/// Slices of x along `dim`, as `rows`, without those that equal the one before.
Distinct runs_of(const Tensor& x, int64_t dim, const Tensor& rows, bool return_inverse, bool return_counts) {
  Tensors r = call(runs_op, {&rows}, RunsParams{return_inverse, return_counts});
  return {index_select(x, dim, r[0]), std::move(r[1]), std::move(r[2])};
}

/// The slices along `dim` as rows `(n, m)`.
Tensor rows_along(const char* op, const Tensor& x, int64_t dim) {
  const int64_t n = x.sizes()[dim];
  int64_t elements = 1;
  for (int64_t d = 0; d < x.dim(); ++d)
    if (d != dim) elements *= x.sizes()[d];
  STRATA_CHECK(n == 0 || elements > 0,
               "{}: there are 0 sized dimensions, and they aren't selected, so unique cannot be applied to shape {}",
               op, x.sizes());
  return reshape(movedim(detail::order_key(stop_gradient(x)), dim, 0), {n, elements});
}

/// NaN after all numbers, as in sort().
template <class T>
bool is_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a < b || (std::isnan(b) && !std::isnan(a));
  return a < b;
}

/// The numbers of the rows in lexicographic order.
template <class T>
void sort_rows(const Tensor& rows, std::vector<int64_t>& order) {
  const int64_t m = rows.size(1);
  const T* const data = rows.data_ptr<T>();
  std::stable_sort(order.begin(), order.end(), [=](int64_t a, int64_t b) {
    return std::lexicographical_compare(data + a * m, data + (a + 1) * m, data + b * m, data + (b + 1) * m, is_less<T>);
  });
}

Tensor row_order(const Tensor& rows) {
  // Halves compare as floats do.
  const bool is_half = rows.dtype() == kHalf || rows.dtype() == kBFloat16;
  const Tensor host = (is_half ? rows.to(kFloat) : rows).to(Device(kCPU)).contiguous();
  std::vector<int64_t> order(static_cast<size_t>(rows.size(0)));
  std::iota(order.begin(), order.end(), 0);
  visit_types<float, double, bool, uint8_t, int8_t, int16_t, int32_t, int64_t, uint32_t>(
      host.dtype(), "unique_dim", [&]<class T>() { sort_rows<T>(host, order); });
  return tensor(order, TensorOptions(kLong)).to(rows.device());
}

Distinct unique_flat(const Tensor& x, bool return_inverse, bool return_counts) {
  const Tensor flat = reshape(x, {-1});
  auto [values, inverse, counts] =
      runs_of(flat, 0, reshape(detail::order_key(stop_gradient(flat)), {-1, 1}), return_inverse, return_counts);
  return {values, return_inverse ? as_result(reshape(inverse, x.sizes())) : inverse, counts};
}

}  // namespace

STRATA_OP(runs_op) = op<RunsParams>(
                         "runs(Tensor rows, bool inverse, bool counts) -> (Tensor first, Tensor inverse, "
                         "Tensor counts)")
                         .flag(kDataDependent | kNotDifferentiable)
                         .decompose([](Args in, const RunsParams& p) { return runs_by_comparison(in[0], p); });

Tensor isin(const Tensor& elements, const Tensor& test_elements, bool, bool invert) {
  const DType dtype = result_type(elements, test_elements);
  const Tensor x = elements.to(dtype), tests = reshape(test_elements.to(dtype), {-1});
  const int64_t n = tests.numel();
  Tensor found;
  if (n == 0) {
    found = zeros(x.sizes(), x.options().dtype(kBool));
  } else if (n <= 8) {
    found = eq(x, select(tests, 0, 0));
    for (int64_t i = 1; i < n; ++i) found = logical_or(found, eq(x, select(tests, 0, i)));
  } else {
    const Tensor sorted = std::get<0>(sort(tests, 0)), at = clamp_max(searchsorted(sorted, x.contiguous()), n - 1);
    found = eq(take(sorted, at), x);
  }
  return (invert ? logical_not(found) : found).contiguous();  // row-major, as in PyTorch
}
Tensor isin(const Tensor& elements, const Scalar& test_element, bool, bool invert) {
  return invert ? ne(elements, test_element) : eq(elements, test_element);
}
Tensor isin(const Scalar& element, const Tensor& test_elements, bool, bool invert) {
  const Tensor found = any(eq(test_elements, element));
  return invert ? logical_not(found) : found;
}

// Along a dim the inverse and the counts come unasked, as in PyTorch.
Distinct unique_dim_consecutive(const Tensor& x, int64_t dim, bool, bool) {
  const int64_t d = wrap_dim(dim, x.dim(), "unique_consecutive");
  if (x.dim() == 0) return unique_flat(x, true, true);
  const Tensor rows = rows_along("unique_consecutive", x, d);
  return runs_of(x, d, rows, true, true);
}
Distinct unique_consecutive(const Tensor& x, bool return_inverse, bool return_counts, std::optional<int64_t> dim) {
  const bool is_flat = dim && *dim == 0 && x.dim() == 1;  // not for -1, as in PyTorch
  if (dim && !is_flat) return unique_dim_consecutive(x, *dim, return_inverse, return_counts);
  return unique_flat(x, return_inverse, return_counts);
}
Distinct unique_dim(const Tensor& x, int64_t dim, bool, bool, bool) {
  const int64_t d = wrap_dim(dim, x.dim(), "unique_dim");
  if (x.dim() == 0) return unique_flat(x, true, true);
  const Tensor rows = rows_along("unique_dim", x, d), order = row_order(rows);
  const auto [values, inverse, counts] =
      runs_of(index_select(x, d, order), d, index_select(rows, 0, order), true, true);
  return {values, scatter(zeros_like(order), 0, order, inverse), counts};
}

std::vector<Tensor> nonzero_numpy(const Tensor& x) { return unbind(nonzero(x.dim() == 0 ? unsqueeze(x, 0) : x), 1); }
Tensor nonzero_static(const Tensor& x, int64_t size, int64_t fill_value) {
  STRATA_CHECK(size >= 0, "nonzero_static: 'size' must be a non-negative integer, got {}", size);
  const Tensor found = nonzero(x);
  const int64_t n = found.size(0);
  if (n >= size) return narrow(found, 0, 0, size).clone();
  return cat({found, full({size - n, x.dim()}, fill_value, found.options())});
}

std::vector<Tensor> Tensor::nonzero_numpy() const { return strata::nonzero_numpy(*this); }
Tensor Tensor::nonzero_static(int64_t size, int64_t fill_value) const {
  return strata::nonzero_static(*this, size, fill_value);
}
}  // namespace strata
