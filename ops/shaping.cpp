// Joining, padding, flipping and strided scattering: the primitives with their rules.
#include "ops/shaping.h"

#include <algorithm>

#include "core/called.h"
#include "ops/creation.h"
#include "ops/rules.h"
#include "ops/shaping_def.h"
#include "ops/view.h"

namespace strata {
namespace {

DimVector negated(IntArrayRef v) {
  DimVector out = v;
  for (int64_t& i : out) i = -i;
  return out;
}

Tensor pad_by(const Tensor& x, const PadParams& p) { return call1(pad_op, {&x}, p); }

/// A batch dimension in front of the base and of the elements.
StridedParams batched_geometry(const StridedParams& p, int64_t batch) {
  StridedParams b = p;
  b.base_sizes.insert(0, batch);
  b.sizes.insert(0, batch);
  b.strides.insert(0, numel_of(p.base_sizes));
  return b;
}

Tensors batch_strided(const Batch& c, const StridedParams& p) {
  return rules::call_on_batched(c, Params::of(batched_geometry(p, c.size)));
}

}  // namespace

STRATA_OP(cat_op) = op<CatParams>("cat(Tensor[] tensors, int dim, int[] lengths) -> Tensor")
                        .infer([](Args in, const CatParams& p) {
                          DimVector sizes = in[0].sizes();
                          sizes[p.dim] = 0;
                          for (int64_t n : p.lengths) sizes[p.dim] = checked_add(sizes[p.dim], n, "cat");
                          return meta(sizes, in[0].dtype(), in[0].device());
                        })
                        .vjp([](const Vjp& c, const CatParams& p) {
                          Tensors grads = Tensors::undefined(c.arity());
                          int64_t start = 0;
                          for (size_t i = 0; i < c.arity(); start += p.lengths[i++])
                            if (c.needs(i)) grads[i] = narrow(c.grad(), p.dim, start, p.lengths[i]);
                          return grads;
                        })
                        .jvp(linear_all)
                        .batch(shift_dims<&CatParams::dim>)
                        .dtypes(kStoredTypes)
                        .autocast(AutocastPolicy::kWidest);

STRATA_OP(split_copy_op) = op<CatParams>("split_copy(Tensor x, int dim, int[] lengths) -> Tensor[]")
                               .infer([](Args in, const CatParams& p) {
                                 std::vector<Meta> parts;
                                 for (int64_t n : p.lengths) {
                                   parts.push_back(meta_like(in[0]));
                                   parts.back().sizes[p.dim] = n;
                                 }
                                 return Metas(std::move(parts));
                               })
                               .vjp([](const Vjp& c, const CatParams& p) -> Tensors {
                                 std::vector<Tensor> parts;
                                 for (size_t i = 0; i < p.lengths.size(); ++i) {
                                   DimVector sizes = c.in(0).sizes();
                                   sizes[p.dim] = p.lengths[i];
                                   parts.push_back(c.grad(i).defined()
                                                       ? c.grad(i)
                                                       : constant(0, c.in(0).dtype(), c.in(0).device(), sizes));
                                 }
                                 return call1(cat_op, ArgList(parts), p);
                               })
                               .saves(saves_shape(0))
                               .jvp(linear_rule)
                               .batch(shift_dims<&CatParams::dim>)
                               .dtypes(kStoredTypes);

STRATA_OP(pad_op) = op<PadParams>("pad(Tensor x, int[] low, int[] high, Scalar value) -> Tensor")
                        .infer([](Args in, const PadParams& p) {
                          DimVector sizes = in[0].sizes();
                          for (size_t d = 0; d < sizes.size(); ++d) sizes[d] += p.low[d] + p.high[d];
                          return meta(sizes, in[0].dtype(), in[0].device());
                        })
                        .vjp([](const Vjp& c, const PadParams& p) -> Tensors {
                          return pad_by(c.grad(), {negated(p.low), negated(p.high), 0});
                        })
                        .jvp([](const Jvp& c, const PadParams& p) -> Tensors {
                          return pad_by(c.tangent(), {p.low, p.high, 0});
                        })
                        .batch([](const Batch& c, const PadParams& p) -> Tensors {
                          PadParams b = p;
                          b.low.insert(0, 0);
                          b.high.insert(0, 0);
                          return pad_by(c.in(0), b);
                        })
                        .dtypes(kStoredTypes);

STRATA_OP(flip_op) = op<FlipParams>("flip(Tensor x, int[] dims) -> Tensor")
                         .infer([](Args in) { return meta_like(in[0]); })
                         .vjp([](const Vjp& c, const FlipParams& p) -> Tensors { return flip(c.grad(), p.dims); })
                         .jvp(linear_rule)
                         .batch(shift_dims<&FlipParams::dims>)
                         .flag(kKeepsOrder)
                         .dtypes(kStoredTypes);

STRATA_OP(roll_op) = op<RollParams>("roll(Tensor x, int[] shifts, int[] dims) -> Tensor")
                         .infer([](Args in) { return meta_like(in[0]); })
                         .vjp([](const Vjp& c, const RollParams& p) -> Tensors {
                           return roll(c.grad(), negated(p.shifts), p.dims);
                         })
                         .jvp(linear_rule)
                         .batch(shift_dims<&RollParams::dims>)
                         .dtypes(kStoredTypes);

STRATA_OP(tril_op) = op<TriangleParams>("tril(Tensor x, int diagonal) -> Tensor")
                         .infer([](Args in) { return meta_like(in[0]); })
                         .vjp([](const Vjp& c, const TriangleParams& p) -> Tensors {
                           return tril(c.grad(), p.diagonal);
                         })
                         .jvp(linear_rule)
                         .batch(pointwise_batch)
                         .flag(kUpdatesInput0)
                         .dtypes(kStoredTypes);

STRATA_OP(triu_op) = op<TriangleParams>("triu(Tensor x, int diagonal) -> Tensor")
                         .infer([](Args in) { return meta_like(in[0]); })
                         .vjp([](const Vjp& c, const TriangleParams& p) -> Tensors {
                           return triu(c.grad(), p.diagonal);
                         })
                         .jvp(linear_rule)
                         .batch(pointwise_batch)
                         .flag(kUpdatesInput0)
                         .dtypes(kStoredTypes);

STRATA_OP(as_strided_copy_op) =
    op<StridedParams>(
        "as_strided_copy(Tensor base, int[] base_sizes, int[] sizes, int[] strides, int offset) -> Tensor")
        .infer([](Args in, const StridedParams& p) { return meta(p.sizes, in[0].dtype(), in[0].device()); })
        .vjp([](const Vjp& c, const StridedParams& p) -> Tensors {
          return call1(as_strided_backward_op, {&c.grad()}, p);
        })
        .jvp(linear_rule)
        .batch([](const Batch& c, const StridedParams& p) { return batch_strided(c, p); })
        .dtypes(kStoredTypes);

STRATA_OP(as_strided_backward_op) =
    op<StridedParams>(
        "as_strided_backward(Tensor grad, int[] base_sizes, int[] sizes, int[] strides, int offset) -> Tensor")
        .infer([](Args in, const StridedParams& p) { return meta(p.base_sizes, in[0].dtype(), in[0].device()); })
        .vjp([](const Vjp& c, const StridedParams& p) -> Tensors { return call1(as_strided_copy_op, {&c.grad()}, p); })
        .jvp(linear_rule)
        .batch([](const Batch& c, const StridedParams& p) { return batch_strided(c, p); })
        .dtypes(kStoredTypes);

STRATA_OP(as_strided_scatter_op) = op<StridedParams>(
                                       "as_strided_scatter(Tensor base, Tensor source, int[] base_sizes, int[] sizes, "
                                       "int[] strides, int offset) -> Tensor")
                                       .infer([](Args in) { return meta_like(in[0]); })
                                       .vjp([](const Vjp& c, const StridedParams& p) {
                                         Tensors grads = Tensors::undefined(2);
                                         const Tensor& g = c.grad();
                                         const Tensor zeros = constant(0, g.dtype(), g.device(), p.sizes);
                                         if (c.needs(0)) grads[0] = call1(as_strided_scatter_op, {&g, &zeros}, p);
                                         if (c.needs(1)) grads[1] = call1(as_strided_copy_op, {&g}, p);
                                         return grads;
                                       })
                                       .jvp(linear_all)
                                       .batch([](const Batch& c, const StridedParams& p) {
                                         return batch_strided(c, p);
                                       })
                                       .dtypes(kStoredTypes);

void check_geometry(const StridedParams& p, const char* name) {
  STRATA_CHECK(p.sizes.size() == p.strides.size(), "{}: {} sizes and {} strides", name, p.sizes.size(),
               p.strides.size());
  for (size_t d = 0; d < p.sizes.size(); ++d)
    STRATA_CHECK(p.sizes[d] >= 0 && p.strides[d] >= 0, "{}: negative size or stride in sizes {}, strides {}", name,
                 IntArrayRef(p.sizes), IntArrayRef(p.strides));
  if (numel_of(p.sizes) == 0) return;
  int64_t room = p.offset < 0 ? -1 : numel_of(p.base_sizes) - 1 - p.offset;  // behind the last element seen so far
  for (size_t d = 0; d < p.sizes.size() && room >= 0; ++d) {
    if (p.sizes[d] == 1 || p.strides[d] == 0) continue;
    room = p.sizes[d] - 1 > room / p.strides[d] ? -1 : room - (p.sizes[d] - 1) * p.strides[d];
  }
  STRATA_CHECK(room >= 0, "{}: sizes {}, strides {}, offset {} reach outside of a base of shape {}", name,
               IntArrayRef(p.sizes), IntArrayRef(p.strides), p.offset, IntArrayRef(p.base_sizes));
}

namespace {

/// Size, step and start of a view of a row-major base, built up dim by dim.
struct Geometry {
  DimVector sizes, strides;
  int64_t offset = 0;
  explicit Geometry(IntArrayRef base) : sizes(base), strides(contiguous_strides(base)) {}
  void slice(int64_t dim, int64_t start, int64_t end, int64_t step) {
    offset += start * strides[dim];
    sizes[dim] = end > start ? (end - start - 1) / step + 1 : 0;
    if (sizes[dim] > 1) strides[dim] *= step;
  }
  void select(int64_t dim, int64_t index) {
    offset += index * strides[dim];
    sizes.erase(dim);
    strides.erase(dim);
  }
  void unfold(int64_t dim, int64_t size, int64_t step) {
    sizes[dim] = (sizes[dim] - size) / step + 1;
    sizes.push_back(size);
    strides.push_back(strides[dim]);
    if (sizes[dim] > 1) strides[dim] *= step;
  }
  void diagonal(int64_t shift, int64_t dim1, int64_t dim2) {
    const int64_t length =
        shift >= 0 ? std::min(sizes[dim1], sizes[dim2] - shift) : std::min(sizes[dim1] + shift, sizes[dim2]);
    const int64_t stride = strides[dim1] + strides[dim2];
    if (length > 0) offset += shift >= 0 ? shift * strides[dim2] : -shift * strides[dim1];
    for (int64_t d : {std::max(dim1, dim2), std::min(dim1, dim2)}) {
      sizes.erase(d);
      strides.erase(d);
    }
    sizes.push_back(std::max<int64_t>(0, length));
    strides.push_back(stride);
  }
  StridedParams over(IntArrayRef base) const { return {base, sizes, strides, offset}; }
};

Tensor put_back(const Tensor& grad, IntArrayRef base, const Geometry& g) {
  return call1(as_strided_backward_op, {&grad}, g.over(base));
}

/// Puts `source` over the part of `base` that `g` shows; shapes must agree.
Tensor put_over(const Tensor& base, const Tensor& source, const Geometry& g, const char* name) {
  STRATA_CHECK(source.sizes() == IntArrayRef(g.sizes), "{}: source has shape {}, the view of the base has {}", name,
               source.sizes(), IntArrayRef(g.sizes));
  const Tensor same = source.dtype() == base.dtype() ? source : source.to(base.dtype());
  return call1(as_strided_scatter_op, {&base, &same}, g.over(base.sizes()));
}

/// Python's clamping of a slice bound.
int64_t clamp_bound(std::optional<int64_t> bound, int64_t otherwise, int64_t n) {
  if (!bound) return otherwise;
  return std::clamp<int64_t>(*bound < 0 ? *bound + n : *bound, 0, n);
}

int64_t wrap_index(int64_t index, int64_t n, int64_t dim, const char* name) {
  STRATA_CHECK_INDEX(index >= -n && index < n, "{}: index {} is out of bounds for dimension {} with size {}", name,
                     index, dim, n);
  return index < 0 ? index + n : index;
}

/// put_back for callers of all kinds: a gradient of another shape than the view would be read beyond its end.
Tensor put_back_viewed(const char* name, const Tensor& grad, IntArrayRef base, const Geometry& g) {
  STRATA_CHECK(grad.sizes() == IntArrayRef(g.sizes), "{}: the gradient has shape {}, the view of {} has {}", name,
               grad.sizes(), base, IntArrayRef(g.sizes));
  return put_back(grad, base, g);
}

}  // namespace

Tensor slice_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t start, int64_t end,
                      int64_t step) {
  const int64_t d = wrap_dim(dim, static_cast<int64_t>(input_sizes.size()), "slice_backward"), n = input_sizes[d];
  STRATA_CHECK(step > 0, "slice_backward: step must be positive, got {}", step);
  Geometry g(input_sizes);
  g.slice(d, clamp_bound(start, 0, n), clamp_bound(end, n, n), step);
  return put_back_viewed("slice_backward", grad, input_sizes, g);
}

Tensor select_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t index) {
  const int64_t d = wrap_dim(dim, static_cast<int64_t>(input_sizes.size()), "select_backward");
  Geometry g(input_sizes);
  g.select(d, wrap_index(index, input_sizes[d], d, "select_backward"));
  return put_back_viewed("select_backward", grad, input_sizes, g);
}

Tensor unfold_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size, int64_t step) {
  if (input_sizes.empty()) return reshape(grad, input_sizes);  // a 0-dim tensor unfolds as if it had one dim
  Geometry g(input_sizes);
  g.unfold(dim, size, step);
  return put_back(grad, input_sizes, g);
}

Tensor as_strided_copy(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  const StridedParams p{base.sizes(), sizes, strides, storage_offset};
  check_geometry(p, "as_strided_copy");
  return call1(as_strided_copy_op, {&base}, p);
}

Tensor as_strided_backward(const Tensor& grad, IntArrayRef base_sizes, IntArrayRef strides, int64_t storage_offset) {
  const StridedParams p{base_sizes, grad.sizes(), strides, storage_offset};
  check_geometry(p, "as_strided_backward");
  return call1(as_strided_backward_op, {&grad}, p);
}

Tensor as_strided_scatter(const Tensor& base, const Tensor& source, IntArrayRef sizes, IntArrayRef strides,
                          std::optional<int64_t> storage_offset) {
  const Called called;
  Geometry g(base.sizes());
  g.sizes = sizes;
  g.strides = strides;
  g.offset = storage_offset.value_or(0);
  check_geometry(g.over(base.sizes()), "as_strided_scatter");
  return put_over(base, source, g, "as_strided_scatter");
}

Tensor select_scatter(const Tensor& base, const Tensor& source, int64_t dim, int64_t index) {
  const Called called;
  const int64_t d = wrap_dim(dim, base.dim(), "select_scatter");
  STRATA_CHECK(base.dim() > 0, "select_scatter: a 0-dim tensor has nothing to select");
  Geometry g(base.sizes());
  g.select(d, wrap_index(index, base.sizes()[d], d, "select_scatter"));
  return put_over(base, source, g, "select_scatter");
}

Tensor slice_scatter(const Tensor& base, const Tensor& source, int64_t dim, std::optional<int64_t> start,
                     std::optional<int64_t> end, int64_t step) {
  const Called called;
  const int64_t d = wrap_dim(dim, base.dim(), "slice_scatter");
  STRATA_CHECK(base.dim() > 0, "slice_scatter: a 0-dim tensor has nothing to slice");
  STRATA_CHECK(step > 0, "slice_scatter: step must be positive, got {}", step);
  const int64_t n = base.sizes()[d], from = clamp_bound(start, 0, n);
  Geometry g(base.sizes());
  g.slice(d, from, std::max(from, clamp_bound(end, n, n)), step);
  return put_over(base, source, g, "slice_scatter");
}

Tensor diagonal_scatter(const Tensor& base, const Tensor& source, int64_t offset, int64_t dim1, int64_t dim2) {
  const Called called;
  const int64_t a = wrap_dim(dim1, base.dim(), "diagonal_scatter"), b = wrap_dim(dim2, base.dim(), "diagonal_scatter");
  STRATA_CHECK(a != b, "diagonal_scatter: dim1 and dim2 are both {}", a);
  Geometry g(base.sizes());
  g.diagonal(offset, a, b);
  return put_over(base, source, g, "diagonal_scatter");
}

}  // namespace strata
