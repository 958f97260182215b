// Functions that put elements into other places, made of views, flips and copies.
#include "ops/arranging.h"

#include <cmath>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/overwrite.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata {

Tensor rot90(const Tensor& x, int64_t k, IntArrayRef dims) {
  const Called called;
  STRATA_CHECK(dims.size() == 2, "rot90: expected total rotation dims == 2, but got dims = {}", dims.size());
  STRATA_CHECK(x.dim() >= 2, "rot90: expected total dims >= 2, but got total dims = {}", x.dim());
  const int64_t a = wrap_dim(dims[0], x.dim(), "rot90"), b = wrap_dim(dims[1], x.dim(), "rot90");
  STRATA_CHECK(a != b, "rot90: expected rotation dims to be different, but got dim0 = {} and dim1 = {}", dims[0],
               dims[1]);
  switch ((k % 4 + 4) % 4) {
    case 1:
      return as_result(transpose(flip(x, b), a, b));
    case 2:
      return flip(x, {a, b});
    case 3:
      return as_result(transpose(flip(x, a), a, b));
    default:
      return x.clone(MemoryFormat::Contiguous);
  }
}
Tensor moveaxis(const Tensor& x, IntArrayRef source, IntArrayRef destination) {
  return movedim(x, source, destination);
}
Tensor moveaxis(const Tensor& x, int64_t source, int64_t destination) { return movedim(x, source, destination); }
Tensor swapdims(const Tensor& x, int64_t a, int64_t b) {
  const Called called;
  return transpose(x, a, b);
}
Tensor diagflat(const Tensor& x, int64_t offset) { return diag(reshape(x, {-1}), offset); }

Tensor channel_shuffle(const Tensor& x, int64_t groups) {
  const Called called;
  STRATA_CHECK(x.dim() > 2, "channel_shuffle: expects input with > 2 dims, but got input with sizes {}", x.sizes());
  STRATA_CHECK(groups > 0, "channel_shuffle: number of groups to divide channels in must be positive, got {}", groups);
  const int64_t channels = x.size(1);
  STRATA_CHECK(channels % groups == 0, "channel_shuffle: number of channels must be divisible by groups, got {} and {}",
               channels, groups);
  DimVector sizes = x.sizes();
  sizes[1] = channels / groups;
  sizes.insert(1, groups);
  return as_result(reshape(transpose(reshape(x, sizes), 1, 2).clone(MemoryFormat::Contiguous), x.sizes()));
}
Tensor native_channel_shuffle(const Tensor& x, int64_t groups) {
  const Called called;
  return channel_shuffle(x, groups);
}

Tensor msort(const Tensor& x) { return std::get<0>(sort(x, 0)); }

Tensor renorm(const Tensor& x, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  const Called called;
  STRATA_CHECK(p.toDouble() > 0, "renorm: non-positive-norm not supported, got p = {}", p.toDouble());
  STRATA_CHECK(x.dim() > 1, "renorm: input needs at least 2 dimensions, got {} dimensions", x.dim());
  STRATA_CHECK(maxnorm.toDouble() >= 0, "renorm: expected maxnorm to be >= 0 but got {}", maxnorm.toDouble());
  // Rounded to 16 bits, the norm of a line just longer than maxnorm is maxnorm.
  if (x.dtype() == kHalf || x.dtype() == kBFloat16) return renorm(x.to(kFloat), p, dim, maxnorm).to(x.dtype());
  const int64_t d = wrap_dim(dim, x.dim(), "renorm");
  DimVector others;
  for (int64_t k = 0; k < x.dim(); ++k)
    if (k != d) others.push_back(k);
  // Norms of both kinds add up the elements in one order.
  const Tensor lines = x.is_non_overlapping_and_dense() ? x : x.clone();
  const Tensor size = norm(lines, p, others, true), above = gt(size, maxnorm);
  // A slope goes through norms of ones where a line stays as it is, so that no NaN of such a line makes NaN of a
  // slope of 0.
  const Tensor divisor = keys_of({&x}).is_plain_cpu() ? size : norm(where(above, x, 1), p, others, true);
  return mul(x, where(above, div(maxnorm, add(divisor, 1e-7)), 1)).contiguous();
}

Tensor dist(const Tensor& a, const Tensor& b, const Scalar& p) {
  const Called called;
  return norm(sub(a, b), p);
}

Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim) {
  if (dim == -1) return norm(v, pow);
  const int64_t d = wrap_dim(dim, v.dim(), "norm_except_dim");
  DimVector sizes(static_cast<size_t>(v.dim()), 1);
  sizes[d] = v.sizes()[d];
  return as_result(reshape(norm(reshape(movedim(v, d, 0), {v.sizes()[d], -1}), pow, 1), sizes));
}

Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options) {
  const double from = start.toDouble(), to = end.toDouble(), by = step.toDouble();
  STRATA_CHECK(by != 0, "range: step must be nonzero");
  STRATA_CHECK(std::isfinite(by), "range: step must be finite but got {}", by);
  STRATA_CHECK(std::isfinite(from) && std::isfinite(to), "range: unsupported range: {} -> {}", from, to);
  STRATA_CHECK((by > 0 && to >= from) || (by < 0 && to <= from),
               "range: upper bound and lower bound inconsistent with step sign, got {} to {} by {}", from, to, by);
  const double steps = std::floor((to - from) / by);
  STRATA_CHECK(steps < 9.0e18, "range: bounds {} and {} with step {} give too many values", from, to, by);
  const int64_t n = static_cast<int64_t>(steps) + 1;
  const DType dtype = options.has_dtype() ? options.dtype() : get_default_dtype();
  const Tensor places = arange(n, options.dtype(is_integral(dtype) ? kLong : kDouble).requires_grad(false));
  const Tensor values = add(mul(places, step), start).to(dtype);
  return options.requires_grad() ? values.requires_grad_() : values;
}
Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return range(start, end, 1, options);
}

Tensor empty_permuted(IntArrayRef sizes, IntArrayRef physical_layout, const TensorOptions& options) {
  const int64_t dims = static_cast<int64_t>(sizes.size());
  STRATA_CHECK(
      physical_layout.size() == sizes.size(),
      "empty_permuted: number of dimensions in size does not match the length of physical_layout, got {} and {}", sizes,
      physical_layout);
  DimVector strides(sizes.size(), -1);
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    const int64_t d = physical_layout[i];
    STRATA_CHECK(d >= 0 && d < dims && strides[static_cast<size_t>(d)] < 0,
                 "empty_permuted: physical_layout {} is no order of {} dims", physical_layout, dims);
    strides[static_cast<size_t>(d)] = stride;
    stride *= std::max<int64_t>(1, sizes[static_cast<size_t>(d)]);
  }
  return empty_strided(sizes, strides, options);
}

Tensor alias_copy(const Tensor& x) { return x.clone(MemoryFormat::Contiguous); }
Tensor detach_copy(const Tensor& x) { return detach(x).clone(MemoryFormat::Contiguous); }
Tensor diagonal_copy(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  return diagonal(x, offset, dim1, dim2).clone(MemoryFormat::Contiguous);
}
Tensor expand_copy(const Tensor& x, IntArrayRef sizes, bool) {
  return expand(x, sizes).clone(MemoryFormat::Contiguous);
}
Tensor narrow_copy(const Tensor& x, int64_t dim, int64_t start, int64_t length) {
  const Called called;
  return narrow(x, dim, start, length).clone(MemoryFormat::Contiguous);
}
Tensor permute_copy(const Tensor& x, IntArrayRef dims) { return permute(x, dims).clone(MemoryFormat::Contiguous); }
Tensor select_copy(const Tensor& x, int64_t dim, int64_t index) {
  return select(x, dim, index).clone(MemoryFormat::Contiguous);
}
Tensor slice_copy(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end,
                  int64_t step) {
  return slice(x, dim, start, end, step).clone(MemoryFormat::Contiguous);
}
Tensor squeeze_copy(const Tensor& x) { return squeeze(x).clone(MemoryFormat::Contiguous); }
Tensor squeeze_copy(const Tensor& x, int64_t dim) { return squeeze(x, dim).clone(MemoryFormat::Contiguous); }
Tensor squeeze_copy(const Tensor& x, IntArrayRef dims) { return squeeze(x, dims).clone(MemoryFormat::Contiguous); }
Tensor t_copy(const Tensor& x) {
  const Called called;
  return t(x).clone(MemoryFormat::Contiguous);
}
Tensor transpose_copy(const Tensor& x, int64_t a, int64_t b) {
  const Called called;
  return transpose(x, a, b).clone(MemoryFormat::Contiguous);
}
Tensor unfold_copy(const Tensor& x, int64_t dim, int64_t size, int64_t step) {
  return unfold(x, dim, size, step).clone(MemoryFormat::Contiguous);
}
Tensor unsqueeze_copy(const Tensor& x, int64_t dim) { return unsqueeze(x, dim).clone(MemoryFormat::Contiguous); }
Tensor view_copy(const Tensor& x, IntArrayRef sizes) { return as_result(view(alias_copy(x), sizes)); }
Tensor view_as_complex_copy(const Tensor& x) { return view_as_complex(x).clone(MemoryFormat::Contiguous); }
Tensor view_as_real_copy(const Tensor& x) { return view_as_real(x).clone(MemoryFormat::Contiguous); }

Tensor Tensor::rot90(int64_t k, IntArrayRef dims) const { return strata::rot90(*this, k, dims); }
Tensor Tensor::diagflat(int64_t offset) const { return strata::diagflat(*this, offset); }
Tensor Tensor::msort() const { return strata::msort(*this); }
Tensor Tensor::renorm(const Scalar& p, int64_t dim, const Scalar& maxnorm) const {
  return strata::renorm(*this, p, dim, maxnorm);
}
Tensor& Tensor::renorm_(const Scalar& p, int64_t dim, const Scalar& maxnorm) const {
  return detail::overwrite(self(), "renorm_", [&] { return strata::renorm(detail::before(*this), p, dim, maxnorm); });
}
Tensor Tensor::dist(const Tensor& other, const Scalar& p) const { return strata::dist(*this, other, p); }
Tensor Tensor::narrow_copy(int64_t dim, int64_t start, int64_t length) const {
  return strata::narrow_copy(*this, dim, start, length);
}

}  // namespace strata
