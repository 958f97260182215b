// The public indexing functions over the primitives of ops/indexing.cpp: arguments, broadcasting and composites.
#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/in_place.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/indexing_def.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/scatter_args.h"
#include "ops/shown_once.h"
#include "ops/ternary_def.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor as_dtype(const Tensor& t, DType dtype) { return t.dtype() == dtype ? t : t.to(dtype); }

/// Indexing sees a 0-dim tensor as one of a single element.
Tensor with_dims(const Tensor& t) { return t.dim() == 0 ? unsqueeze(t, 0) : t; }

/// gather and scatter: equal numbers of dims, and index inside of `other` in every dim but `dim`.
void check_fits(const Tensor& index, const Tensor& other, int64_t dim, const char* op, const char* what) {
  STRATA_CHECK(index.dim() == other.dim(), "{}: index has {} dims, {} has {}", op, index.dim(), what, other.dim());
  for (int64_t d = 0; d < index.dim(); ++d)
    STRATA_CHECK(d == dim || index.sizes()[d] <= other.sizes()[d],
                 "{}: index of shape {} exceeds {} of shape {} in dim {}", op, index.sizes(), what, other.sizes(), d);
}

bool fits(const Tensor& index, const Tensor& other, int64_t dim) {
  bool inside = index.dim() == other.dim();
  for (int64_t d = 0; inside && d < index.dim(); ++d) inside = d == dim || index.sizes()[d] <= other.sizes()[d];
  return inside;
}

/// The index of a scatter or sum. Where x alone of a sum needs a gradient, no derivative reads the index; what is saved
/// is a copy then, so that the index may be written to before backward, as in PyTorch.
Tensor saved_index(const Tensor& index, const Tensor& x, const Tensor& source, bool accumulate) {
  const bool is_unread = accumulate && GradMode::is_enabled() && x.requires_grad() && !source.requires_grad();
  return is_unread ? index.clone() : index;
}

}  // namespace

ScatterArgs scatter_args(const char* op, const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                         bool accumulate) {
  const int64_t d = wrap_dim(dim, x.dim(), op);
  const Tensor i = saved_index(with_dims(as_index_if_read(index, op, kIntOrLongIndex)), x, source, accumulate);
  STRATA_CHECK(source.dtype() == x.dtype(), "{}: source is {}, the tensor is {}", op, name(source.dtype()),
               name(x.dtype()));
  Tensor s = with_dims(source);
  check_fits(i, with_dims(x), d, op, "the tensor");
  check_fits(i, s, -1, op, "source");
  for (int64_t k = 0; k < i.dim(); ++k)
    if (s.sizes()[k] != i.sizes()[k]) s = narrow(s, k, 0, i.sizes()[k]);
  return {i, s, {d, accumulate}};
}

namespace {

ScatterArgs scatter_args(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, bool accumulate) {
  return strata::scatter_args(accumulate ? "scatter_add" : "scatter", x, dim, index, source, accumulate);
}

Tensor scattered(const Tensor& x, const ScatterArgs& a) {
  if (x.dim() > 0) return call1(scatter_op, {&x, &a.index, &a.source}, a.params);
  const Tensor x1 = with_dims(x);
  return as_result(squeeze(call1(scatter_op, {&x1, &a.index, &a.source}, a.params), 0));
}

void scatter_inplace(Tensor& x, const ScatterArgs& a) {
  if (x.dim() == 0) {
    Tensor x1 = with_dims(x);
    return scatter_inplace(x1, a);
  }
  call_inplace(scatter_op, x, {&x, &a.index, &a.source}, a.params);
}

/// Where nothing is written, any value will do.
Tensor filled_like(const Tensor& index, const Tensor& x, const Scalar& value) {
  if (index.numel()) value.check_fits("scatter", x.dtype());
  return constant(index.numel() ? value : Scalar(0), x.dtype(), x.device(), index.sizes());
}

/// index_add and its kin: a 1-dim index along `dim`, and a source with index's length there. Those that write, and do
/// not add, take a source of a single element for a 0-dim one and the other way round, and int64 indices alone.
struct SlicesArgs {
  Tensor index, source;
  IndexPutParams params;
};

SlicesArgs slices_args(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, bool accumulate,
                       const char* op) {
  const int64_t d = wrap_dim(dim, x.dim(), op);
  STRATA_CHECK_INDEX(index.dim() <= 1, "{}: Index is supposed to be a vector, got shape {}", op, index.sizes());
  const Tensor index64 = as_index(index, op, accumulate ? kIntOrLongIndex : kLongIndex);
  const Tensor i = saved_index(reshape(index64, {index.numel()}), x, source, accumulate);
  DimVector expected = with_dims(x).sizes();
  expected[d] = i.numel();
  const Tensor s = with_dims(source);
  const bool dims_fit = source.dim() == x.dim() || (!accumulate && (source.dim() == 0 || x.dim() == 0));
  STRATA_CHECK(dims_fit && s.sizes() == IntArrayRef(expected), "{}: source has shape {}, expected {}", op,
               source.sizes(), IntArrayRef(expected).slice(x.dim() == 0 ? 1 : 0));
  STRATA_CHECK(source.dtype() == x.dtype(), "{}: source is {}, the tensor is {}", op, name(source.dtype()),
               name(x.dtype()));
  return {i, s, {d, false, accumulate}};
}

Tensor put_slices(const Tensor& x, const SlicesArgs& a) {
  if (x.dim() > 0) return call1(index_put_op, {&x, &a.source, &a.index}, a.params);
  const Tensor x1 = with_dims(x);
  return as_result(squeeze(call1(index_put_op, {&x1, &a.source, &a.index}, a.params), 0));
}

/// alpha * source in source's dtype, which alpha is converted to.
Tensor times(const Tensor& source, const Scalar& alpha) {
  if (alpha == Scalar(1)) return source;
  if (source.dtype() == kBool) return alpha == Scalar(0) ? zeros_like(source) : source;
  alpha.check_fits("index_add", source.dtype());
  return source.mul(is_integral(source.dtype()) ? Scalar(alpha.toLong()) : alpha);
}

SlicesArgs index_add_args(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source,
                          const Scalar& alpha) {
  return slices_args(x, dim, index, times(source, alpha), true, "index_add");
}

SlicesArgs index_fill_args(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  STRATA_CHECK(!value.is_complex() || is_complex(x.dtype()),
               "index_fill: a complex value cannot stand in a tensor of {}", name(x.dtype()));
  value.check_fits("index_fill", x.dtype());
  DimVector sizes = with_dims(x).sizes();
  sizes[wrap_dim(dim, x.dim(), "index_fill")] = index.numel();
  STRATA_CHECK_INDEX(index.dtype() == kLong, "index_fill: Expected dtype int64 for index, got {}", name(index.dtype()));
  STRATA_CHECK(index.dim() <= 1, "index_fill: Index has to be a vector/scalar, got shape {}", index.sizes());
  SlicesArgs args = slices_args(x, dim, index, constant(value, x.dtype(), x.device(), sizes), false, "index_fill");
  args.params.wrap = true;
  return args;
}

void put_slices_inplace(Tensor& x, const SlicesArgs& a) {
  if (x.dim() == 0) {
    Tensor x1 = with_dims(x);
    return put_slices_inplace(x1, a);
  }
  call_inplace(index_put_op, x, {&x, &a.source, &a.index}, a.params);
}

/// Mask and tensor broadcast against each other.
struct Masked {
  Tensor x, mask;
};
Masked broadcast_mask(const Tensor& x, const Tensor& mask, const char* op) {
  STRATA_CHECK(mask.dtype() == kBool, "{}: the mask must be bool, got {}", op, name(mask.dtype()));
  const DimVector sizes = broadcast_shapes(x.sizes(), mask.sizes(), op);
  const auto wide = [&](const Tensor& t) { return t.sizes() == IntArrayRef(sizes) ? t : expand(t, sizes); };
  return {wide(x), wide(mask)};
}

/// A number with an imaginary part has no place among real ones; a bool says whether it is zero.
void check_stores(const Tensor& x, DType value, bool is_real) {
  STRATA_CHECK(
      is_real || is_complex(x.dtype()) || x.dtype() == kBool,
      "masked_fill: a {} value cannot stand in a tensor of {}; fill with its real(), or give the tensor a complex "
      "dtype with to()",
      name(value), name(x.dtype()));
}
void check_stores(const Tensor& x, const Scalar& value) {
  check_stores(x, value.type(), value.toComplexDouble().imag() == 0);
  value.check_fits("masked_fill", x.dtype());
}

/// A complex value as a tensor of real numbers, or one of bools, takes it. Under a transform it has no one value to
/// ask.
Tensor stored_value(const Tensor& value, const Tensor& x) {
  if (!is_complex(value.dtype()) || is_complex(x.dtype()) || x.dtype() == kBool) return value;
  const bool is_real = !value.keys().has(Key::Transform) && value.item().toComplexDouble().imag() == 0;
  check_stores(x, value.dtype(), is_real);
  return real(value);
}

/// A 0-dim value of another dtype has to fit as a number has to, where it can be read at no cost.
void check_value_fits(const char* op, const Tensor& value, DType dtype) {
  if (value.dtype() != dtype && value.is_cpu() && !value.keys().has(Key::Transform)) value.item().check_fits(op, dtype);
}

/// The 0-dim value of masked_fill, in x's dtype and expanded.
Tensor masked_value(const Tensor& value, const Tensor& x, IntArrayRef sizes) {
  STRATA_CHECK(value.dim() == 0, "masked_fill: the value must be 0-dim, got shape {}", value.sizes());
  const Tensor stored = stored_value(value, x);
  check_value_fits("masked_fill", stored, x.dtype());
  return expand(as_dtype(stored, x.dtype()), sizes);
}

/// A mask of x for what `shown_once` shows of it.
Tensor anywhere(Tensor mask, const Tensor& x) {
  for (int64_t d = 0; d < x.dim(); ++d)
    if (detail::is_repeated(x, d)) mask = any(mask, d, true);
  return mask;
}

Tensor flat_places(const Tensor& mask) { return reshape(nonzero(flatten(mask)), {-1}); }

}  // namespace

Tensor gather(const Tensor& x, int64_t dim, const Tensor& index) {
  const int64_t d = wrap_dim(dim, x.dim(), "gather");
  const Tensor x1 = with_dims(x), i = with_dims(as_index_if_read(index, "gather", kIntOrLongIndex));
  // An empty index may have any shape, as in PyTorch.
  if (i.numel() == 0 && !fits(i, x1, d)) return take(x, constant(0, kLong, x.device(), i.sizes()));
  check_fits(i, x1, d, "gather", "the tensor");
  const Tensor y = call1(gather_op, {&x1, &i}, GatherParams{d});
  return index.dim() == 0 ? as_result(squeeze(y, 0)) : y;
}

Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  return scattered(x, scatter_args(x, dim, index, source, false));
}
Tensor scatter(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  return scatter(x, dim, index, filled_like(index, x, value));
}
Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  const Called called;
  return scattered(x, scatter_args(x, dim, index, source, true));
}

Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index) {
  const Called called;
  const int64_t d = wrap_dim(dim, x.dim(), "index_select");
  STRATA_CHECK_INDEX(index.dim() <= 1, "index_select: Index is supposed to be a vector, got shape {}", index.sizes());
  const Tensor i = reshape(as_index(index, "index_select", kIntOrLongIndex), {index.numel()});
  if (x.dim() > 0) return call1(index_op, {&x, &i}, IndexParams{d, false});
  const Tensor x1 = unsqueeze(x, 0);
  return as_result(reshape(call1(index_op, {&x1, &i}, IndexParams{0, false}), {}));
}

Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  const Called called;
  return put_slices(x, index_add_args(x, dim, index, source, alpha));
}

Tensor index_copy(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
  const Called called;
  return put_slices(x, slices_args(x, dim, index, source, false, "index_copy"));
}
namespace {
/// Where index_fill writes; a place that the index names twice counts once for the value's gradient.
Tensor filled_places(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value) {
  STRATA_CHECK(value.dim() == 0, "index_fill: expected a 0-dim value, got shape {}", value.sizes());
  check_value_fits("index_fill", value, x.dtype());
  return index_fill(constant(0, kBool, x.device(), x.sizes()), dim, index, true);
}
}  // namespace

Tensor index_fill(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& value) {
  const Called called("index_fill.int_Tensor");
  return masked_fill(x, filled_places(x, dim, index, value), value.to(x.dtype()));
}
Tensor index_fill(const Tensor& x, int64_t dim, const Tensor& index, const Scalar& value) {
  const Called called;
  return put_slices(x, index_fill_args(x, dim, index, value));
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, const Scalar& value) {
  const Called called;
  check_stores(x, value);
  const Masked m = broadcast_mask(x, mask, "masked_fill");
  const Tensor filled = constant(value, x.dtype(), x.device(), m.x.sizes());
  return call1(where_op, {&m.mask, &filled, &m.x}).contiguous();
}
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  const Called called("masked_fill.Tensor");
  const Masked m = broadcast_mask(x, mask, "masked_fill");
  const Tensor filled = masked_value(value, x, m.x.sizes());
  return call1(where_op, {&m.mask, &filled, &m.x}).contiguous();
}

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  const Called called;
  const Masked m = broadcast_mask(x, mask, "masked_select");
  const Tensor flat = flatten(m.x), places = flat_places(m.mask);
  return call1(index_op, {&flat, &places}, IndexParams{0, false});
}

Tensor masked_scatter(const Tensor& x, const Tensor& mask, const Tensor& source) {
  const Called called;
  const Masked m = broadcast_mask(x, mask, "masked_scatter");
  STRATA_CHECK(source.dtype() == x.dtype(), "masked_scatter: source is {}, the tensor is {}", name(source.dtype()),
               name(x.dtype()));
  const Tensor flat = flatten(m.x), places = flat_places(m.mask), values = flatten(source);
  STRATA_CHECK(values.numel() >= places.numel(), "masked_scatter: {} places to fill, but source has {} elements",
               places.numel(), values.numel());
  const Tensor used = narrow(values, 0, 0, places.numel());
  return as_result(reshape(call1(index_put_op, {&flat, &used, &places}, IndexPutParams{0, false, false}), m.x.sizes()));
}

Tensor nonzero(const Tensor& x) {
  if (is_complex(x.dtype())) return nonzero(ne(x, 0));
  return call1(nonzero_op, {&x});
}
Tensor argwhere(const Tensor& x) { return nonzero(x); }

Tensor take(const Tensor& x, const Tensor& index) {
  const Called called;
  const Tensor flat = flatten(x), i = as_index(index, "take", kLongIndex);
  if (i.dim() > 0) return call1(index_op, {&flat, &i}, IndexParams{0, true});
  // By a number alone transforms take the op for x[i], which is a view.
  const Tensor one = unsqueeze(i, 0);
  return as_result(squeeze(call1(index_op, {&flat, &one}, IndexParams{0, true}), 0));
}

Tensor take_along_dim(const Tensor& x, const Tensor& index, std::optional<int64_t> dim) {
  if (!dim) return gather(flatten(x), 0, flatten(index));
  const int64_t d = wrap_dim(*dim, x.dim(), "take_along_dim");
  STRATA_CHECK(x.dim() > 0 && x.dim() == index.dim(), "take_along_dim: index has {} dims, the tensor has {}",
               index.dim(), x.dim());
  DimVector x_sizes = x.sizes(), i_sizes = index.sizes();
  x_sizes[d] = i_sizes[d] = 1;
  DimVector sizes = broadcast_shapes(x_sizes, i_sizes, "take_along_dim");
  sizes[d] = x.sizes()[d];
  const Tensor wide = expand(x, sizes);
  sizes[d] = index.sizes()[d];
  // As in PyTorch, any index counts round the dim.
  const int64_t n = x.sizes()[d];
  const Tensor i = as_index(index, "take_along_dim", kLongIndex);
  return gather(wide, d, expand(n > 0 ? remainder(i, n) : i, sizes));
}

Tensor Tensor::gather(int64_t dim, const Tensor& index) const { return strata::gather(*this, dim, index); }
Tensor Tensor::gather(int64_t dim, const Tensor& index, bool) const { return gather(dim, index); }
Tensor Tensor::scatter(int64_t dim, const Tensor& index, const Tensor& source) const {
  return strata::scatter(*this, dim, index, source);
}
Tensor Tensor::scatter(int64_t dim, const Tensor& index, const Scalar& value) const {
  return strata::scatter(*this, dim, index, value);
}
Tensor& Tensor::scatter_(int64_t dim, const Tensor& index, const Tensor& source) const {
  return detail::in_place("scatter_", [&]() -> Tensor& {
    scatter_inplace(self(), scatter_args(self(), dim, index, source, false));
    return self();
  });
}
Tensor& Tensor::scatter_(int64_t dim, const Tensor& index, const Scalar& value) const {
  return detail::in_place("scatter_",
                          [&]() -> Tensor& { return scatter_(dim, index, filled_like(index, self(), value)); });
}
Tensor Tensor::scatter_add(int64_t dim, const Tensor& index, const Tensor& source) const {
  return strata::scatter_add(*this, dim, index, source);
}
Tensor& Tensor::scatter_add_(int64_t dim, const Tensor& index, const Tensor& source) const {
  return detail::in_place("scatter_add_", [&]() -> Tensor& {
    scatter_inplace(self(), scatter_args(self(), dim, index, source, true));
    return self();
  });
}
Tensor Tensor::index_select(int64_t dim, const Tensor& index) const { return strata::index_select(*this, dim, index); }
Tensor Tensor::index_add(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) const {
  return strata::index_add(*this, dim, index, source, alpha);
}
Tensor& Tensor::index_add_(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) const {
  return detail::in_place("index_add_", [&]() -> Tensor& {
    put_slices_inplace(self(), index_add_args(self(), dim, index, source, alpha));
    return self();
  });
}
Tensor Tensor::masked_fill(const Tensor& mask, const Scalar& value) const {
  return strata::masked_fill(*this, mask, value);
}
Tensor Tensor::masked_fill(const Tensor& mask, const Tensor& value) const {
  return strata::masked_fill(*this, mask, value);
}
Tensor& Tensor::masked_fill_(const Tensor& mask, const Scalar& value) const {
  const Called called;
  return detail::in_place("masked_fill_", [&]() -> Tensor& {
    check_stores(self(), value);
    return masked_fill_(mask, constant(value, dtype(), device(), {}));
  });
}
Tensor& Tensor::masked_fill_(const Tensor& mask, const Tensor& value) const {
  const Called called("masked_fill_.Tensor");
  return detail::in_place("masked_fill_", [&]() -> Tensor& {
    const Masked m = broadcast_mask(self(), mask, "masked_fill_");
    STRATA_CHECK(m.x.sizes() == sizes(), "masked_fill_: a mask of shape {} would change the shape {}", mask.sizes(),
                 sizes());
    if (detail::has_repeated(self())) {
      detail::shown_once(self()).masked_fill_(anywhere(m.mask, self()), value);
      return self();
    }
    const Tensor filled = masked_value(value, self(), sizes());
    call_inplace(where_op, self(), {&m.mask, &filled, this});
    return self();
  });
}
Tensor Tensor::masked_scatter(const Tensor& mask, const Tensor& source) const {
  return strata::masked_scatter(*this, mask, source);
}
Tensor& Tensor::masked_scatter_(const Tensor& mask, const Tensor& source) const {
  return detail::in_place("masked_scatter_", [&]() -> Tensor& {
    STRATA_CHECK(IntArrayRef(broadcast_shapes(sizes(), mask.sizes(), "masked_scatter_")) == sizes(),
                 "masked_scatter_: a mask of shape {} would change the shape {}", mask.sizes(), sizes());
    return copy_(strata::masked_scatter(self(), mask, source));
  });
}
Tensor Tensor::index_copy(int64_t dim, const Tensor& index, const Tensor& source) const {
  return strata::index_copy(*this, dim, index, source);
}
Tensor& Tensor::index_copy_(int64_t dim, const Tensor& index, const Tensor& source) const {
  return detail::in_place("index_copy_", [&]() -> Tensor& {
    put_slices_inplace(self(), slices_args(self(), dim, index, source, false, "index_copy_"));
    return self();
  });
}
Tensor Tensor::index_fill(int64_t dim, const Tensor& index, const Tensor& value) const {
  return strata::index_fill(*this, dim, index, value);
}
Tensor& Tensor::index_fill_(int64_t dim, const Tensor& index, const Tensor& value) const {
  const Called called("index_fill_.int_Tensor");
  return detail::in_place("index_fill_", [&]() -> Tensor& {
    return masked_fill_(filled_places(self(), dim, index, value), value.to(dtype()));
  });
}
Tensor Tensor::index_fill(int64_t dim, const Tensor& index, const Scalar& value) const {
  return strata::index_fill(*this, dim, index, value);
}
Tensor& Tensor::index_fill_(int64_t dim, const Tensor& index, const Scalar& value) const {
  const Called called;
  return detail::in_place("index_fill_", [&]() -> Tensor& {
    const SlicesArgs args = index_fill_args(self(), dim, index, value);
    if (detail::has_repeated(self()))
      return masked_fill_(strata::index_fill(constant(0, kBool, device(), sizes()), dim, index, true), value);
    put_slices_inplace(self(), args);
    return self();
  });
}
Tensor Tensor::argwhere() const { return strata::argwhere(*this); }
Tensor Tensor::take(const Tensor& index) const { return strata::take(*this, index); }
Tensor Tensor::masked_select(const Tensor& mask) const { return strata::masked_select(*this, mask); }
Tensor Tensor::nonzero() const { return strata::nonzero(*this); }
Tensor Tensor::take_along_dim(const Tensor& index, std::optional<int64_t> dim) const {
  return strata::take_along_dim(*this, index, dim);
}

}  // namespace strata
