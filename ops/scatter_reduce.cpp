// Reductions at indexed places: the op with its rules, and the functions made of it and of sums.
#include "ops/scatter_reduce.h"

#include <cmath>
#include <limits>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/overwrite.h"
#include "ops/rules.h"
#include "ops/scatter_args.h"
#include "ops/scatter_reduce_def.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// The derivatives of the result at a place by the elements of x and of source that meet there.
struct Partials {
  Tensor x, source;
};

/// One over the number of equal ones for those that are the result.
Partials partials_of_extreme(const Primals& c, const ScatterReduceParams& p) {
  const Tensor &x = c.in(0), &index = c.in(1), &source = c.in(2), &y = c.out();
  const int64_t dim = p.dim;
  const Tensor equal = eq(x, y).to(x.dtype()), of_x = is_of_source(p.kind) ? scatter(equal, dim, index, 0) : equal;
  const Tensor of_source = eq(source, gather(y, dim, index)).to(x.dtype());
  const Tensor count = scatter_add(of_x, dim, index, of_source);
  return {div(of_x, count), div(of_source, gather(count, dim, index))};
}

/// The product of the others, a quotient where none of them is zero. Where one is, the quotient without it times it: 0,
/// but with a derivative by the one that is zero. Where more are, second derivatives are 0 too, and third ones are left
/// out.
Partials partials_of_product(const Tensor& x, const Tensor& index, const Tensor& source, int64_t dim) {
  const Tensor x_zero = eq(x, 0), source_zero = eq(source, 0);
  const Tensor zeros = scatter_add(x_zero.to(kLong), dim, index, source_zero.to(kLong));
  const Tensor from = where(x_zero, 1, x), factors = where(source_zero, 1, source);
  const Tensor own_x = where(x_zero, x, 0), own_source = where(source_zero, source, 0);
  const Tensor sums = scatter_add(own_x, dim, index, own_source);
  const Tensor product = call1(scatter_reduce_op, {&from, &index, &factors}, ScatterReduceParams{dim, kScatterProduct});
  const auto partial = [](const Tensor& others, const Tensor& factor, const Tensor& count, const Tensor& zero) {
    const Tensor quotient = div(others, factor);
    return where(eq(count, 0), quotient, where(eq(count, 1), mul(quotient, zero), 0));
  };
  return {partial(product, from, sub(zeros, x_zero.to(kLong)), sub(sums, own_x)),
          partial(gather(product, dim, index), factors, sub(gather(zeros, dim, index), source_zero.to(kLong)),
                  sub(gather(sums, dim, index), own_source))};
}

Partials partials_of(const Primals& c, const ScatterReduceParams& p) {
  return p.kind == kScatterProduct ? partials_of_product(c.in(0), c.in(1), c.in(2), p.dim) : partials_of_extreme(c, p);
}

}  // namespace

STRATA_OP(scatter_reduce_op) =
    op<ScatterReduceParams>("scatter_reduce(Tensor x, Tensor index, Tensor source, int dim, int kind) -> Tensor")
        .infer([](Args in) { return meta_like(in[0]); })
        .vjp([](const Vjp& c, const ScatterReduceParams& p) {
          Tensors grads = Tensors::undefined(3);
          const Partials partials = partials_of(c, p);
          if (c.needs(0)) grads[0] = mul(c.grad(), partials.x);
          if (c.needs(2)) grads[2] = mul(gather(c.grad(), p.dim, c.in(1)), partials.source);
          return grads;
        })
        .saves(saves_in(0, 1, 2) | saves_out(0))
        .jvp([](const Jvp& c, const ScatterReduceParams& p) -> Tensors {
          const Partials partials = partials_of(c, p);
          const Tensor x = c.tangent(0).defined() ? mul(c.tangent(0), partials.x) : rules::zero_like(c.in(0));
          if (!c.tangent(2).defined()) return x;
          return scatter_add(x, p.dim, c.in(1), mul(c.tangent(2), partials.source));
        })
        .batch(shift_dims<&ScatterReduceParams::dim>)
        .flag(kUpdatesInput0)
        .autocast(AutocastPolicy::kWidest)
        .dtypes(kRealNumberTypes)
        .dtypes_for(1, DTypes(kLong));

namespace {

/// The names of reductions, in the order of their enum.
enum class Reduce { kProduct, kLargest, kSmallest, kSum, kMean };

Reduce reduce_of(const char* op, std::string_view name, bool takes_sum) {
  if (name == "prod") return Reduce::kProduct;
  if (name == "amax") return Reduce::kLargest;
  if (name == "amin") return Reduce::kSmallest;
  if (name == "mean") return Reduce::kMean;
  STRATA_CHECK(takes_sum && name == "sum", "{}: reduce argument must be either {}prod, mean, amax or amin, got {}", op,
               takes_sum ? "sum, " : "", name);
  return Reduce::kSum;
}

Scalar extreme_of(DType t, bool largest) {
  if (is_floating_point(t)) return largest ? INFINITY : -INFINITY;
  switch (t) {
    case kByte:
      return largest ? std::numeric_limits<uint8_t>::max() : 0;
    case kChar:
      return largest ? std::numeric_limits<int8_t>::max() : std::numeric_limits<int8_t>::min();
    case kShort:
      return largest ? std::numeric_limits<int16_t>::max() : std::numeric_limits<int16_t>::min();
    case kInt:
      return largest ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min();
    case kUInt32:
      return largest ? std::numeric_limits<uint32_t>::max() : 0;
    default:
      return largest ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
  }
}

/// What changes nothing where it is joined.
Scalar identity_of(Reduce reduce, DType t) {
  if (reduce == Reduce::kProduct) return 1;
  if (reduce == Reduce::kLargest) return extreme_of(t, false);
  return reduce == Reduce::kSmallest ? extreme_of(t, true) : Scalar(0);
}

/// What elements are counted in that are summed up in `sums`: ones of the given sizes.
Tensor ones_to_count(const Tensor& sums, IntArrayRef sizes) {
  const TensorOptions options = is_floating_point(sums.dtype()) ? sums.options() : sums.options().dtype(kLong);
  return ones(sizes, options.requires_grad(false));
}

Tensor mean_of(const Tensor& sums, const Tensor& counts) {
  const Tensor n = clamp_min(counts, 1);
  return is_integral(sums.dtype()) ? floor_divide(sums, n).to(sums.dtype()) : div(sums, n);
}

Tensor scatter_counts(const Tensor& sums, const Tensor& index, int64_t dim, bool include_self) {
  Tensor counts = ones_to_count(sums, sums.sizes());
  if (!include_self) counts = scatter(counts, dim, index, 0);
  return scatter_add(counts, dim, index, ones_to_count(sums, index.sizes()));
}

/// The mean at an index of whole slices, which are counted and not their elements.
Tensor mean_of_slices(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, bool include_self) {
  const Tensor sums = index_add(include_self ? x : index_fill(x, dim, index, 0), dim, index, source);
  Tensor counts = ones_to_count(sums, {x.sizes()[dim]});
  if (!include_self) counts = index_fill(counts, 0, index, 0);
  counts = index_add(counts, 0, index, ones_to_count(sums, {index.numel()}));
  DimVector along(static_cast<size_t>(x.dim()), 1);
  along[dim] = x.sizes()[dim];
  return mean_of(sums, reshape(counts, along));
}

/// Products of what has one place in a sorted index, of ever more of it: the last one there is that of all.
Tensor running_products(const Tensor& at, Tensor values, int64_t dim) {
  const int64_t n = at.sizes()[dim];
  for (int64_t step = 1; step < n; step *= 2) {
    const auto earlier = [&](const Tensor& t) { return narrow(t, dim, 0, n - step); };
    const auto later = [&](const Tensor& t) { return narrow(t, dim, step, n - step); };
    const Tensor same = eq(later(at), earlier(at)), factor = where(same, earlier(values), 1);
    values = cat({narrow(values, dim, 0, step), where(same, mul(later(values), factor), later(values))}, dim);
  }
  return values;
}

/// Products of complex numbers at places, which no kernel has, since a device cannot exchange 16 bytes at once.
Tensor complex_products(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  // A source of which no element is taken is a part of the result's history, as in products of real numbers.
  if (index.numel() == 0) return scatter(x, dim, index, source);
  (void)gather(x, dim, index);  // refuses what is out of range
  const int64_t n = index.sizes()[dim], size = x.sizes()[dim];
  const auto [at, order] = sort(index, true, dim, false);
  const Tensor products = running_products(at, gather(source, dim, order), dim);
  // Those of all go to their places, the others to one behind.
  const Tensor last = ones_like(narrow(at, dim, 0, 1), index.options().dtype(kBool));
  const Tensor is_of_all = cat({ne(narrow(at, dim, 1, n - 1), narrow(at, dim, 0, n - 1)), last}, dim);
  const Tensor to = where(is_of_all, at, size), padded = cat({x, ones_like(narrow(x, dim, 0, 1))}, dim);
  const Tensor all = scatter(padded, dim, to, mul(gather(padded, dim, to), products));
  return narrow(all, dim, 0, size).clone(MemoryFormat::Contiguous);
}

int64_t kind_of(Reduce reduce, bool include_self) {
  if (include_self || reduce == Reduce::kProduct) return static_cast<int64_t>(reduce);
  return reduce == Reduce::kLargest ? kScatterLargestOfSource : kScatterSmallestOfSource;
}

Tensor reduced(const char* op, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, Reduce reduce,
               bool include_self) {
  const bool adds = reduce == Reduce::kSum || reduce == Reduce::kMean;
  const bool is_complex_product = is_complex(x.dtype()) && reduce == Reduce::kProduct;
  STRATA_CHECK(
      !is_complex(x.dtype()) || adds || is_complex_product,
      "{}: complex numbers have no order, so {} has a sum, mean and product alone; reduce the parts of view_as_real()",
      op, name(x.dtype()));
  if (x.dtype() == kBool && source.dtype() == kBool) {
    STRATA_CHECK_AS(NotImplementedError, reduce != Reduce::kMean, "{}: the mean is not implemented for bool", op);
    // A narrower type would count 256 true ones as none.
    return reduced(op, x.to(kLong), dim, index, source.to(kLong), reduce, include_self).to(kBool);
  }
  const ScatterArgs a = scatter_args(op, x, dim, index, source, false);
  const int64_t d = a.params.dim;
  Tensor base = x.dim() == 0 ? unsqueeze(x, 0) : x, y;
  if (!include_self) base = scatter(base, d, a.index, identity_of(reduce, x.dtype()));
  if (adds) {
    y = scatter_add(base, d, a.index, a.source);
    if (reduce == Reduce::kMean) y = mean_of(y, scatter_counts(y, a.index, d, include_self));
  } else if (is_complex_product) {
    y = complex_products(base, d, a.index, a.source);
  } else {
    y = call1(scatter_reduce_op, {&base, &a.index, &a.source}, ScatterReduceParams{d, kind_of(reduce, include_self)});
  }
  return x.dim() == 0 ? as_result(squeeze(y, 0)) : y;
}

Reduce scatter_reduction(std::string_view reduce) {
  STRATA_CHECK(reduce == "add" || reduce == "multiply",
               "scatter: reduce argument must be either add or multiply, got {}", reduce);
  return reduce == "add" ? Reduce::kSum : Reduce::kProduct;
}

Tensor filled(const Tensor& index, const Tensor& x, const Scalar& value) {
  return full(index.sizes(), value, x.options().requires_grad(false));
}

}  // namespace

Tensor scatter_reduce(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                      bool include_self) {
  const Called called;
  return reduced("scatter_reduce", x, dim, index, source, reduce_of("scatter_reduce", reduce, true), include_self);
}

Tensor index_reduce(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                    bool include_self) {
  const Reduce how = reduce_of("index_reduce", reduce, false);
  const int64_t d = wrap_dim(dim, x.dim(), "index_reduce");
  STRATA_CHECK_INDEX(index.dim() <= 1, "index_reduce: Index is supposed to be a vector, got shape {}", index.sizes());
  if (x.dim() == 0 || source.dim() == 0)
    return reduced("index_reduce", x, d, reshape(index, source.sizes()), source, how, include_self);
  STRATA_CHECK(source.dim() == x.dim() && source.sizes()[d] == index.numel(),
               "index_reduce: number of indices ({}) should be equal to source.size(dim), got source of shape {}",
               index.numel(), source.sizes());
  for (int64_t k = 0; k < x.dim(); ++k)
    STRATA_CHECK(k == d || source.sizes()[k] == x.sizes()[k], "index_reduce: source of shape {} does not fit shape {}",
                 source.sizes(), x.sizes());
  if (how == Reduce::kMean && (is_floating_point(x.dtype()) || is_integral(x.dtype())) && source.dtype() == x.dtype()) {
    const Tensor places = as_index(index, "index_reduce", kIntOrLongIndex);
    try {
      return mean_of_slices(x, d, reshape(places, {index.numel()}), source, include_self);
    } catch (const Error&) {
      detail::rethrow_as("index_reduce");
    }
  }
  DimVector along(static_cast<size_t>(x.dim()), 1);
  along[d] = index.numel();
  return reduced("index_reduce", x, d, expand(reshape(index, along), source.sizes()), source, how, include_self);
}

Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce) {
  return reduced("scatter", x, dim, index, source, scatter_reduction(reduce), true);
}
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  return scatter(x, dim, index, filled(index, x, value), reduce);
}

Tensor put(const Tensor& x, const Tensor& index, const Tensor& source, bool accumulate) {
  const Called called;
  const Tensor places = as_index(index, "put", kLongIndex);
  STRATA_CHECK(source.dtype() == x.dtype(), "put: expected source of {}, got {}", name(x.dtype()),
               name(source.dtype()));
  STRATA_CHECK_INDEX(source.numel() == index.numel(),
                     "put: Expected source and index to have the same number of elements, but got {} and {}",
                     source.numel(), index.numel());
  STRATA_CHECK_INDEX(index.numel() == 0 || x.numel() > 0, "put: tried to put elements into an empty tensor");
  const Tensor flat = flatten(x), at = flatten(places), values = flatten(source);
  const Tensor y = call1(index_put_op, {&flat, &values, &at}, IndexPutParams{0, true, accumulate});
  return as_result(reshape(y, x.sizes()));
}

Tensor Tensor::scatter_reduce(int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                              bool include_self) const {
  return strata::scatter_reduce(*this, dim, index, source, reduce, include_self);
}
Tensor& Tensor::scatter_reduce_(int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                                bool include_self) const {
  return detail::overwrite(self(), "scatter_reduce_", [&] {
    return strata::scatter_reduce(detail::before(*this, source), dim, index, source, reduce, include_self);
  });
}
Tensor Tensor::index_reduce(int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                            bool include_self) const {
  return strata::index_reduce(*this, dim, index, source, reduce, include_self);
}
Tensor& Tensor::index_reduce_(int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                              bool include_self) const {
  return detail::overwrite(self(), "index_reduce_", [&] {
    return strata::index_reduce(detail::before(*this, source), dim, index, source, reduce, include_self);
  });
}
Tensor Tensor::scatter(int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce) const {
  return strata::scatter(*this, dim, index, source, reduce);
}
Tensor Tensor::scatter(int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) const {
  return strata::scatter(*this, dim, index, value, reduce);
}
Tensor& Tensor::scatter_(int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce) const {
  return detail::overwrite(self(), "scatter_",
                           [&] { return strata::scatter(detail::before(*this, source), dim, index, source, reduce); });
}
Tensor& Tensor::scatter_(int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) const {
  return detail::overwrite(self(), "scatter_",
                           [&] { return strata::scatter(detail::before(*this), dim, index, value, reduce); });
}
Tensor Tensor::put(const Tensor& index, const Tensor& source, bool accumulate) const {
  return strata::put(*this, index, source, accumulate);
}
Tensor& Tensor::put_(const Tensor& index, const Tensor& source, bool accumulate) const {
  return detail::in_place("put_", [&]() -> Tensor& { return copy_(strata::put(*this, index, source, accumulate)); });
}

}  // namespace strata
