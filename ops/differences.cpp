// Differences and integrals of samples, made of slices and sums.
#include "ops/differences.h"

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/promote.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Elements [begin, n - end) along `dim`.
Tensor without_ends(const Tensor& x, int64_t dim, int64_t begin, int64_t end) {
  return slice(x, dim, begin, std::max(begin, x.sizes()[dim] - end));
}
Tensor later(const Tensor& x, int64_t dim) { return without_ends(x, dim, 1, 0); }
Tensor earlier(const Tensor& x, int64_t dim) { return without_ends(x, dim, 0, 1); }

DimVector all_dims(const Tensor& x) {
  DimVector dims;
  for (int64_t d = 0; d < x.dim(); ++d) dims.push_back(d);
  return dims;
}

/// The dims that a gradient is taken along, checked.
DimVector gradient_dims(const Tensor& x, IntArrayRef given, int64_t edge_order) {
  STRATA_CHECK(edge_order == 1 || edge_order == 2, "gradient: only supports edge_order=1 and edge_order=2, got {}",
               edge_order);
  STRATA_CHECK_AS(NotImplementedError, x.dtype() != kByte && x.dtype() != kBool, "gradient: not implemented for {}",
                  name(x.dtype()));
  wrap_dims(given, x.dim(), "gradient");  // refuses a dim that is given twice
  DimVector dims;
  for (const int64_t d : given) dims.push_back(wrap_dim(d, x.dim(), "gradient"));
  for (const int64_t d : dims)
    STRATA_CHECK(x.sizes()[d] >= edge_order + 1,
                 "gradient: expected each dimension size to be at least edge_order+1, got shape {}", x.sizes());
  return dims;
}

/// Three neighbours' weighted sum, their places counted from the end where negative.
struct Weights {
  Tensor a, b, c;
};

/// `a`, `b` and `c` are elements or slices; the weights of a parabola through them at the first, second and third.
Weights parabola(const Tensor& dx1, const Tensor& dx2, int at) {
  const Tensor both = add(dx1, dx2), first = mul(dx1, both), second = mul(dx1, dx2), third = mul(dx2, both);
  if (at == 0) return {div(add(mul(dx1, 2), dx2).neg(), first), div(both, second), div(dx1.neg(), third)};
  if (at == 1) return {div(dx2.neg(), first), div(sub(dx2, dx1), second), div(dx1, third)};
  return {div(dx2, first), div(both.neg(), second), div(add(mul(dx2, 2), dx1), third)};
}
Tensor weighted(const Weights& w, const Tensor& a, const Tensor& b, const Tensor& c) {
  return add(add(mul(w.a, a), mul(w.b, b)), mul(w.c, c));
}

/// The derivative along `d` at coordinates that stand along that dim.
Tensor gradient_along(const Tensor& x, int64_t d, const Tensor& coordinates, int64_t edge_order) {
  const int64_t n = x.sizes()[d];
  DimVector shape(static_cast<size_t>(x.dim()), 1);
  shape[d] = n;
  const Tensor at = view(coordinates, shape), step = sub(later(at, d), earlier(at, d));
  const auto one = [&](const Tensor& t, int64_t i) { return narrow(t, d, i < 0 ? t.sizes()[d] + i : i, 1); };
  Tensor first, inner, last;
  if (n > 2)
    inner = weighted(parabola(without_ends(step, d, 0, 1), without_ends(step, d, 1, 0), 1), without_ends(x, d, 0, 2),
                     without_ends(x, d, 1, 1), without_ends(x, d, 2, 0));
  if (edge_order == 1) {
    first = div(sub(one(x, 1), one(x, 0)), one(step, 0));
    last = div(sub(one(x, -1), one(x, -2)), one(step, -1));
  } else {
    first = weighted(parabola(one(step, 0), one(step, 1), 0), one(x, 0), one(x, 1), one(x, 2));
    last = weighted(parabola(one(step, -2), one(step, -1), 2), one(x, -3), one(x, -2), one(x, -1));
  }
  return n > 2 ? cat({first, inner, last}, d) : cat({first, last}, d);
}

/// The same where neighbours are `h` apart.
Tensor gradient_along(const Tensor& x, int64_t d, const Scalar& h, int64_t edge_order) {
  const int64_t n = x.sizes()[d];
  const auto one = [&](int64_t i) { return narrow(x, d, i < 0 ? n + i : i, 1); };
  Tensor first, last;
  if (edge_order == 1) {
    first = sub(one(1), one(0));
    last = sub(one(-1), one(-2));
  } else {
    first = add(add(mul(one(0), -1.5), mul(one(1), 2)), mul(one(2), -0.5));
    last = add(add(mul(one(-3), 0.5), mul(one(-2), -2)), mul(one(-1), 1.5));
  }
  std::vector<Tensor> parts{div(first, h), div(last, h)};
  if (n > 2) parts.insert(parts.begin() + 1, div(div(sub(without_ends(x, d, 2, 0), without_ends(x, d, 0, 2)), 2), h));
  return cat(parts, d);
}

template <class Spacing>
std::vector<Tensor> gradients(const Tensor& x, ArrayRef<Spacing> spacing, IntArrayRef given, int64_t edge_order) {
  const DimVector dims = gradient_dims(x, given, edge_order);
  STRATA_CHECK(spacing.size() == dims.size(), "gradient: expected spacing for {} dims, got {}", dims.size(),
               spacing.size());
  std::vector<Tensor> out;
  for (size_t i = 0; i < dims.size(); ++i) {
    if constexpr (std::is_same_v<Spacing, Tensor>)
      STRATA_CHECK(spacing[i].dim() == 1 && spacing[i].numel() == x.sizes()[dims[i]],
                   "gradient: expected {} coordinates along dim {}, got shape {}", x.sizes()[dims[i]], dims[i],
                   spacing[i].sizes());
    out.push_back(gradient_along(x, dims[i], spacing[i], edge_order));
  }
  return out;
}

std::vector<Tensor> gradients(const Tensor& x, const Scalar& spacing, IntArrayRef dims, int64_t edge_order) {
  const std::vector<Scalar> each(dims.size(), spacing);
  return gradients(x, ArrayRef<Scalar>(each), dims, edge_order);
}

/// Coordinates of samples, whose differences broadcast against those of y.
Tensor steps_of(const char* op, const Tensor& y, const Tensor& x, int64_t dim) {
  STRATA_CHECK(y.dtype() != kBool && x.dtype() != kBool,
               "{}: received a bool input for `x` or `y`, but bool is not "
               "supported",
               op);
  if (x.dim() == 1) {
    STRATA_CHECK(x.numel() == y.sizes()[dim], "{}: there must be one `x` value for each sample point, got {} for {}",
                 op, x.numel(), y.sizes()[dim]);
    DimVector shape(static_cast<size_t>(y.dim()), 1);
    shape[dim] = x.numel();
    return diff(view(x, shape), 1, dim);
  }
  DimVector shape = x.sizes();
  while (static_cast<int64_t>(shape.size()) < y.dim()) shape.insert(0, 1);
  return diff(reshape(x, shape), 1, dim);
}

Tensor pair_sums(const Tensor& y, int64_t dim) { return add(earlier(y, dim), later(y, dim)); }

/// The dim of the samples, checked.
int64_t sample_dim(const char* op, const Tensor& y, int64_t dim) {
  STRATA_CHECK_INDEX(y.dim() > 0, "{}: dimension specified as {} but tensor has no dimensions", op, dim);
  STRATA_CHECK(y.dtype() != kBool, "{}: received a bool input for `y`, but bool is not supported", op);
  return wrap_dim(dim, y.dim(), op);
}

/// The integral of no samples.
Tensor nothing(const Tensor& y, int64_t dim) {
  DimVector sizes = y.sizes();
  sizes.erase(dim);
  return zeros(sizes, y.options());
}

}  // namespace

Tensor diff(const Tensor& x, int64_t n, int64_t dim, OptionalTensorRef prepend, OptionalTensorRef append) {
  STRATA_CHECK(x.dim() > 0, "diff: expects input to be at least one-dimensional");
  STRATA_CHECK(n >= 0, "diff: order must be non-negative but got {}", n);
  if (n == 0) return x.clone();  // and nothing is joined, as in PyTorch
  const int64_t d = wrap_dim(dim, x.dim(), "diff");
  Tensor y = x;
  if (prepend.has_value() || append.has_value()) {
    std::vector<Tensor> parts{x};
    if (prepend) parts.insert(parts.begin(), *prepend);
    if (append) parts.push_back(*append);
    for (const Tensor& t : parts)
      STRATA_CHECK(t.dim() == x.dim(),
                   "diff: expects prepend or append to be the same dimension as input, got {} and {}", t.sizes(),
                   x.sizes());
    y = cat(parts, d);
  }
  for (int64_t i = 0, times = std::min(n, y.sizes()[d]); i < times || i == 0; ++i)
    y = y.dtype() == kBool ? logical_xor(later(y, d), earlier(y, d)) : sub(later(y, d), earlier(y, d));
  return y;
}

std::vector<Tensor> gradient(const Tensor& x, const std::optional<Scalar>& spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  return gradients(x, spacing.value_or(1), dim ? DimVector{*dim} : all_dims(x), edge_order);
}
std::vector<Tensor> gradient(const Tensor& x, const Scalar& spacing, IntArrayRef dims, int64_t edge_order) {
  return gradients(x, spacing, dims, edge_order);
}
std::vector<Tensor> gradient(const Tensor& x, IntArrayRef dims, int64_t edge_order) {
  return gradients(x, Scalar(1), dims, edge_order);
}
std::vector<Tensor> gradient(const Tensor& x, ArrayRef<Scalar> spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  return gradients(x, spacing, dim ? DimVector{*dim} : all_dims(x), edge_order);
}
std::vector<Tensor> gradient(const Tensor& x, ArrayRef<Scalar> spacing, IntArrayRef dims, int64_t edge_order) {
  return gradients(x, spacing, dims, edge_order);
}
std::vector<Tensor> gradient(const Tensor& x, TensorList coordinates, std::optional<int64_t> dim, int64_t edge_order) {
  return gradients(x, coordinates, dim ? DimVector{*dim} : all_dims(x), edge_order);
}
std::vector<Tensor> gradient(const Tensor& x, TensorList coordinates, IntArrayRef dims, int64_t edge_order) {
  return gradients(x, coordinates, dims, edge_order);
}

Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim) {
  const int64_t d = sample_dim("trapezoid", y, dim);
  if (y.sizes()[d] == 0) return nothing(y, d);
  const Tensor steps = steps_of("trapezoid", y, x, d);
  return div(mul(pair_sums(y, d), steps).sum({d}), 2);
}
Tensor trapezoid(const Tensor& y, const Scalar& dx, int64_t dim) {
  const int64_t d = sample_dim("trapezoid", y, dim);
  if (y.sizes()[d] == 0) return nothing(y, d);
  const Tensor ends = mul(add(select(y, d, 0), select(y, d, -1)), 0.5);
  return mul(sub(sum(y, d), ends), dx);
}
Tensor trapz(const Tensor& y, const Tensor& x, int64_t dim) { return trapezoid(y, x, dim); }
Tensor trapz(const Tensor& y, double dx, int64_t dim) { return trapezoid(y, Scalar(dx), dim); }

Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim) {
  const int64_t d = sample_dim("cumulative_trapezoid", y, dim);
  const Tensor steps = steps_of("cumulative_trapezoid", y, x, d);
  return div(cumsum(mul(pair_sums(y, d), steps), d), 2);
}
Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx, int64_t dim) {
  const int64_t d = sample_dim("cumulative_trapezoid", y, dim);
  const Scalar half = dx.is_complex() ? Scalar(dx.toComplexDouble() / 2.0) : Scalar(dx.toDouble() / 2);
  return mul(cumsum(pair_sums(y, d), d), half);
}

Tensor Tensor::diff(int64_t n, int64_t dim, OptionalTensorRef prepend, OptionalTensorRef append) const {
  return strata::diff(*this, n, dim, prepend, append);
}

}  // namespace strata
