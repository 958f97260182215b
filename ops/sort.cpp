// Sorting: ops with their rules, and the functions that are made of them.
#include "ops/sort.h"

#include <cmath>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/histogram_def.h"
#include "ops/indexing.h"
#include "ops/order_key.h"
#include "ops/promote.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/sort_def.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "ops/without_dims.h"

namespace strata {
namespace {

/// An op that picks elements along a dim: (values, indices).
template <class P>
constexpr Builder<P> selection(const char* schema) {
  return op<P>(schema)
      .vjp([](const Vjp& c, const P& p) -> Tensors {
        if (!c.grad().defined() || is_without(c.in(0), p.dim)) return c.grad();
        return scatter(rules::zero_like(c.in(0)), p.dim, c.out(1), c.grad());
      })
      .saves(saves_shape(0) | saves_out(1))
      .jvp([](const Jvp& c, const P& p) -> Tensors {
        return {is_without(c.in(0), p.dim) ? c.tangent() : gather(c.tangent(), p.dim, c.out(1)), Tensor()};
      })
      .batch(shift_dims<&P::dim>);
}

/// What the op `at_places` gives, from whole sorted lines.
Tensors at_places_of_sorted(const Tensor& x, const PlacesParams& p) {
  const auto [sorted, order] = sort(x, p.dim);
  if (x.dim() == 0) return {sorted, order};
  const int64_t n = x.sizes()[p.dim];
  DimVector along(static_cast<size_t>(x.dim()), 1);
  along[p.dim] = static_cast<int64_t>(p.places.size());
  Tensor at = p.places.empty()
                  ? Tensor()
                  : view(tensor(std::vector<int64_t>(p.places.begin(), p.places.end()), order.options()), along);
  if (p.nan != NanPlace::kLast) {
    const Tensor valid = logical_not(isnan(x)).sum({p.dim}, true);
    at = p.nan == NanPlace::kLeftOut ? clamp_min(floor_divide(sub(valid, 1), 2), 0) : where(lt(valid, n), valid, at);
  }
  DimVector sizes = x.sizes();
  sizes[p.dim] = at.sizes()[p.dim];
  at = expand(at, sizes);
  return {gather(sorted, p.dim, at), gather(order, p.dim, at)};
}

/// The places of the middle of a line.
PlacesParams middle_of(const Tensor& x, const MedianParams& p) {
  const int64_t n = x.dim() ? x.sizes()[p.dim] : 1;
  return {p.dim, p.nan == NanPlace::kLeftOut ? DimVector() : DimVector{(n - 1) / 2}, p.nan};
}

/// The elements that are equal to the median of their line, as NaN is to NaN.
Tensor is_median(const Primals& c, const MedianParams& p) {
  const Tensor &x = c.in(0), y = unsqueeze(c.out(), p.dim);
  return logical_or(eq(x, y), logical_and(isnan(x), isnan(y)));
}

}  // namespace

STRATA_OP(sort_op) =
    selection<SortParams>("sort(Tensor x, int dim, bool descending) -> (Tensor values, Tensor indices)")
        .infer([](Args in) { return Metas(meta_like(in[0]), meta_like(in[0], kLong)); });

STRATA_OP(topk_op) =
    selection<TopkParams>("topk(Tensor x, int dim, int k, bool largest) -> (Tensor values, Tensor indices)")
        .infer([](Args in, const TopkParams& p) {
          DimVector sizes = in[0].sizes();
          if (p.dim < in[0].dim()) sizes[p.dim] = p.k;
          return Metas(meta(sizes, in[0].dtype(), in[0].device()), meta(sizes, kLong, in[0].device()));
        });

STRATA_OP(at_places_op) =
    selection<PlacesParams>("at_places(Tensor x, int dim, int[] places, int nan) -> (Tensor values, Tensor indices)")
        .infer([](Args in, const PlacesParams& p) {
          DimVector sizes = in[0].sizes();
          if (p.dim < in[0].dim()) sizes[p.dim] = p.places.empty() ? 1 : static_cast<int64_t>(p.places.size());
          return Metas(meta(sizes, in[0].dtype(), in[0].device()), meta(sizes, kLong, in[0].device()));
        })
        // A place may be named twice.
        .vjp([](const Vjp& c, const PlacesParams& p) -> Tensors {
          if (!c.grad().defined() || is_without(c.in(0), p.dim)) return c.grad();
          return scatter_add(rules::zero_like(c.in(0)), p.dim, c.out(1), c.grad());
        })
        .decompose([](Args in, const PlacesParams& p) { return at_places_of_sorted(in[0], p); });

STRATA_OP(median_op) = op<MedianParams>("median(Tensor x, int dim, int nan) -> Tensor")
                           .infer([](Args in, const MedianParams& p) {
                             DimVector sizes = in[0].sizes();
                             sizes.erase(static_cast<size_t>(p.dim));
                             return meta(sizes, in[0].dtype(), in[0].device());
                           })
                           .vjp([](const Vjp& c, const MedianParams& p) -> Tensors {
                             const Tensor chosen = is_median(c, p);
                             return where(chosen, unsqueeze(c.grad() / chosen.sum({p.dim}), p.dim), 0);
                           })
                           .jvp([](const Jvp& c, const MedianParams& p) -> Tensors {
                             const Tensor chosen = is_median(c, p);
                             return where(chosen, c.tangent(), 0).sum({p.dim}) / chosen.sum({p.dim});
                           })
                           .saves(saves_in(0) | saves_out(0))
                           .batch(shift_dims<&MedianParams::dim>)
                           .decompose([](Args in, const MedianParams& p) -> Tensors {
                             return std::get<0>(at_place(in[0], middle_of(in[0], p), false));
                           });

STRATA_OP(searchsorted_op) = op<SearchParams>("searchsorted(Tensor sorted, Tensor values, bool right) -> Tensor")
                                 .flag(kNotDifferentiable)
                                 .infer([](Args in) { return meta_like(in[1], kLong); })
                                 .batch([](const Batch& c, const SearchParams& p) -> Tensors {
                                   const Tensor sorted = rules::batched(c, 0), values = rules::batched(c, 1);
                                   const Tensor s = flatten(sorted, 0, 1), v = flatten(values, 0, 1);
                                   return view(call1(searchsorted_op, {&s, &v}, p), values.sizes());
                                 });

STRATA_OP(unique_op) =
    op("unique(Tensor x) -> (Tensor values, Tensor inverse, Tensor counts)").flag(kDataDependent | kNotDifferentiable);

std::tuple<Tensor, Tensor> at_places(const Tensor& x, const PlacesParams& p) {
  Tensors r = call(at_places_op, {&x}, p);
  return {std::move(r[0]), std::move(r[1])};
}

std::tuple<Tensor, Tensor> at_place(const Tensor& x, const PlacesParams& p, bool keepdim) {
  const auto [value, index] = at_places(x, p);
  if (keepdim || x.dim() == 0) return {value, index};
  return {as_result(squeeze(value, p.dim)), as_result(squeeze(index, p.dim))};
}

namespace {

std::tuple<Tensor, Tensor> pair(Tensors r) { return {std::move(r[0]), std::move(r[1])}; }

int64_t size_along(const Tensor& x, int64_t dim) { return x.dim() ? x.sizes()[dim] : 1; }

}  // namespace

std::tuple<Tensor, Tensor> sort(const Tensor& x, int64_t dim, bool descending) {
  STRATA_CHECK_AS(TypeError, !is_complex(x.dtype()),
                  "sort: not implemented for {}: Sort does not support complex dtypes", name(x.dtype()));
  if (kUnsignedStorageTypes.has(x.dtype())) {
    const auto [keys, places] = sort(detail::order_key(x), dim, descending);
    return {detail::of_order_key(keys, x.dtype()), places};
  }
  return pair(call(sort_op, {&x}, SortParams{wrap_dim(dim, x.dim(), "sort"), descending}));
}
std::tuple<Tensor, Tensor> sort(const Tensor& x, std::optional<bool>, int64_t dim, bool descending) {
  return sort(x, dim, descending);
}
Tensor argsort(const Tensor& x, int64_t dim, bool descending) { return std::get<1>(sort(x, dim, descending)); }

std::tuple<Tensor, Tensor> topk(const Tensor& x, int64_t k, int64_t dim, bool largest, bool) {
  const int64_t d = wrap_dim(dim, x.dim(), "topk");
  STRATA_CHECK(k >= 0 && k <= size_along(x, d), "topk: selected index k out of range: {}, but dim {} has {} elements",
               k, d, size_along(x, d));
  // The one element of a 0-dim tensor comes back even for k = 0, as in PyTorch.
  return pair(call(topk_op, {&x}, TopkParams{d, x.dim() ? k : 1, largest}));
}

std::tuple<Tensor, Tensor> kthvalue(const Tensor& x, int64_t k, int64_t dim, bool keepdim) {
  const Called called;
  const int64_t d = wrap_dim(dim, x.dim(), "kthvalue");
  STRATA_CHECK_INDEX(size_along(x, d) > 0, "kthvalue: Expected reduction dim {} to have non-zero size, got shape {}", d,
                     x.sizes());
  STRATA_CHECK(k >= 1 && k <= size_along(x, d), "kthvalue: selected number k out of range for dimension {}: {} of {}",
               d, k, size_along(x, d));
  return at_place(x, {d, {k - 1}, NanPlace::kLast}, keepdim);
}

std::tuple<Tensor, Tensor> median(const Tensor& x, int64_t dim, bool keepdim) {
  const Called called;
  const int64_t d = wrap_dim(dim, x.dim(), "median"), n = size_along(x, d);
  STRATA_CHECK_INDEX(n > 0, "median: dim {} of shape {} has no elements to choose from", d, x.sizes());
  return at_place(x, middle_of(x, {d}), keepdim);
}
Tensor median(const Tensor& x) {
  if (x.numel() == 0 && x.is_floating_point()) return add(sum(x), NAN);  // in the graph of x, with a derivative of 0
  const Tensor line = reshape(x, {-1});
  return x.is_floating_point() ? call1(median_op, {&line}, MedianParams{0}) : std::get<0>(median(line, 0));
}

std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& x, bool, bool, bool) {
  if (kUnsignedStorageTypes.has(x.dtype())) {
    const auto [keys, inverse, counts] = unique(detail::order_key(x));
    return {detail::of_order_key(keys, x.dtype()), inverse, counts};
  }
  const Tensor flat = reshape(x, {-1});
  Tensors r = call(unique_op, {&flat});
  return {std::move(r[0]), as_result(reshape(r[1], x.sizes())), std::move(r[2])};
}
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& x, bool sorted, bool return_inverse, bool return_counts) {
  const auto [values, inverse, counts] = unique(x, sorted, return_inverse, return_counts);
  const Tensor none = empty({0}, values.options().dtype(kLong));  // what nobody asked for
  return {values, return_inverse ? inverse : none, return_counts ? counts : none};
}
std::tuple<Tensor, Tensor> _unique(const Tensor& x, bool sorted, bool return_inverse) {
  const auto [values, inverse, counts] = _unique2(x, sorted, return_inverse, false);
  return {values, inverse};
}

namespace {
/// `sorted` in the order that `sorter` says.
Tensor in_order(const Tensor& sorted, const Tensor& sorter) {
  STRATA_CHECK(sorter.dtype() == kLong && sorter.sizes() == sorted.sizes(),
               "searchsorted: expected an int64 sorter of shape {}, got {} of shape {}", sorted.sizes(),
               name(sorter.dtype()), sorter.sizes());
  return gather(sorted, -1, sorter);
}
void warn_of_copy(const char* role, const Tensor& x) {
  if (!x.is_contiguous())
    warn_once(std::string("searchsorted: the ") + role + " tensor is non-contiguous and has to be copied");
}
bool is_right(bool right, std::optional<std::string_view> side) {
  if (!side) return right;
  STRATA_CHECK(*side == "left" || *side == "right", "searchsorted: side must be \"left\" or \"right\", got \"{}\"",
               *side);
  STRATA_CHECK(!right || *side == "right", "searchsorted: side is \"left\" though right is true");
  return *side == "right";
}
}  // namespace

Tensor searchsorted(const Tensor& sorted, const Scalar& value, bool out_int32, bool right,
                    std::optional<std::string_view> side, OptionalTensorRef sorter) {
  return searchsorted(sorted, constant(value, result_type(sorted, value), sorted.device(), {}), out_int32, right, side,
                      sorter);
}
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool out_int32, bool right,
                    std::optional<std::string_view> side, OptionalTensorRef sorter) {
  STRATA_CHECK(sorted.dim() >= 1, "searchsorted: the sorted values are 0-dim");
  right = is_right(right, side);
  warn_of_copy("boundary", sorted);
  warn_of_copy("input value", values);
  if (sorter) return searchsorted(in_order(sorted, *sorter), values, out_int32, right);
  const DType dtype = promote_types(sorted.dtype(), values.dtype());
  const int64_t n = sorted.sizes().back(),
                rows = n ? sorted.numel() / n : numel_of(sorted.sizes().slice(0, sorted.dim() - 1));
  const bool one_row = sorted.dim() == 1;
  if (!one_row) {
    const bool fits = values.dim() == sorted.dim() &&
                      values.sizes().slice(0, values.dim() - 1) == sorted.sizes().slice(0, sorted.dim() - 1);
    STRATA_CHECK(fits, "searchsorted: values of shape {} do not fit sorted rows of shape {}", values.sizes(),
                 sorted.sizes());
  }
  const int64_t row_count = one_row ? 1 : rows, per_row = row_count ? values.numel() / row_count : 0;
  const Tensor s = reshape(sorted.to(dtype), {row_count, n}), v = reshape(values.to(dtype), {row_count, per_row});
  const Tensor at = as_result(view(call1(searchsorted_op, {&s, &v}, SearchParams{right}), values.sizes()));
  return out_int32 ? at.to(kInt) : at;
}
Tensor bucketize(const Tensor& values, const Tensor& boundaries, bool out_int32, bool right) {
  STRATA_CHECK(boundaries.dim() == 1, "bucketize: expected 1-dim boundaries, got shape {}", boundaries.sizes());
  return searchsorted(boundaries, values, out_int32, right);
}

Tensor bucketize(const Scalar& value, const Tensor& boundaries, bool out_int32, bool right) {
  return searchsorted(boundaries, value, out_int32, right);
}

Tensor bincount(const Tensor& x, OptionalTensorRef weights, int64_t minlength) {
  STRATA_CHECK_AS(NotImplementedError, is_integral(x.dtype()), "bincount: expected an integer tensor, got {}",
                  name(x.dtype()));
  STRATA_CHECK(x.dim() == 1, "bincount: expected a 1-dim tensor, got shape {}", x.sizes());
  STRATA_CHECK(minlength >= 0, "bincount: minlength is {}, expected at least 0", minlength);
  STRATA_CHECK(!weights || weights->sizes() == x.sizes(), "bincount: weights of shape {} do not fit values of shape {}",
               weights->sizes(), x.sizes());
  if (x.numel() > 0) {
    STRATA_CHECK(min(x).item<int64_t>() >= 0, "bincount: the values must not be negative");
    minlength = std::max(minlength, max(x).item<int64_t>() + 1);
  }
  if (!weights) {
    const Tensor row = reshape(x.to(kLong), {1, -1});
    return as_result(select(call1(index_counts_op, {&row}, CountParams{minlength}), 0, 0));
  }
  const Tensor w = weights->dtype() == kFloat ? *weights : weights->to(kDouble);
  return scatter_add(constant(0, w.dtype(), w.device(), {minlength}), 0, x.to(kLong), w);
}

std::tuple<Tensor, Tensor> Tensor::sort(int64_t dim, bool descending) const {
  return strata::sort(*this, dim, descending);
}
Tensor Tensor::argsort(int64_t dim, bool descending) const { return strata::argsort(*this, dim, descending); }
std::tuple<Tensor, Tensor> Tensor::topk(int64_t k, int64_t dim, bool largest, bool sorted) const {
  return strata::topk(*this, k, dim, largest, sorted);
}

}  // namespace strata
