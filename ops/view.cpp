// View ops: geometry in, geometry out, each with its adjoint.
#include "ops/view.h"

#include <algorithm>
#include <string>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/view_def.h"
#include "ops/view_strides.h"

namespace strata {

bool view_strides(const Tensor& x, IntArrayRef sizes, DimVector& strides) {
  strides.resize(sizes.size());
  // Runs of old dims that lie regularly in memory are matched with runs of new dims, from the back.
  int64_t to = static_cast<int64_t>(sizes.size()) - 1, run = 1, covered = 1, base = x.dim() ? x.strides().back() : 1;
  for (int64_t from = x.dim() - 1; from >= 0; --from) {
    run *= x.sizes()[from];
    const bool ends = from == 0 || (x.sizes()[from - 1] != 1 && x.strides()[from - 1] != run * base);
    if (!ends) continue;
    for (; to >= 0 && (covered < run || sizes[to] == 1); --to) {
      strides[to] = covered * base;
      covered *= sizes[to];
    }
    if (covered != run) return false;
    if (from > 0) base = x.strides()[from - 1], run = covered = 1;
  }
  return to == -1;
}

namespace {

[[gnu::noinline]] void view_strided(const Tensor& x, IntArrayRef sizes, ViewGeometry& g) {
  STRATA_CHECK(view_strides(x, sizes, g.strides),
               "view: shape {} does not fit the strides {} of {} without a copy; use reshape", sizes, x.strides(),
               x.sizes());
}

/// Do `sizes` hold as many elements as x? Not if one of them is -1.
bool holds_all(const Tensor& x, IntArrayRef sizes) {
  int64_t elements = 1;
  bool unusual = false;
  for (int64_t size : sizes) unusual |= (size < 0) | __builtin_mul_overflow(elements, size, &elements);
  return !unusual && elements == x.numel();
}

/// `[2, 3]`, as libtorch's errors show sizes.
std::string bracketed(IntArrayRef sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

/// Replaces a -1 and checks the number of elements.
[[gnu::noinline]] DimVector fill_sizes(const Tensor& x, IntArrayRef sizes, const char* op) {
  DimVector out(sizes);
  int64_t hole = -1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    STRATA_CHECK(sizes[i] >= 0 || (sizes[i] == -1 && hole < 0), "{}: shape {} is not valid (at most one -1)", op,
                 sizes);
    if (sizes[i] != -1) continue;
    hole = static_cast<int64_t>(i);
    out[i] = 1;
  }
  const int64_t known = numel_of(out);
  if (hole >= 0) [[unlikely]] {
    STRATA_CHECK(known > 0 && x.numel() % known == 0,
                 "{}: {} does not hold {}: shape '{}' is invalid for input of size {}", op, sizes, x.sizes(),
                 bracketed(sizes), x.numel());
    out[hole] = x.numel() / known;
  } else {
    STRATA_CHECK(known == x.numel(), "{}: {} does not hold {}: shape '{}' is invalid for input of size {}", op, sizes,
                 x.sizes(), bracketed(sizes), x.numel());
  }
  return out;
}

/// The same, at once for most calls, which have no -1.
DimVector complete_sizes(const Tensor& x, IntArrayRef sizes, const char* op) {
  return holds_all(x, sizes) ? DimVector(sizes) : fill_sizes(x, sizes, op);
}

DimVector with_batch(IntArrayRef sizes, int64_t batch) {
  DimVector out(sizes);
  out.insert(0, batch);
  return out;
}

DimVector inverse_permutation(const DimVector& dims) {
  DimVector inverse(dims.size(), 0);
  for (size_t i = 0; i < dims.size(); ++i) inverse[dims[i]] = static_cast<int64_t>(i);
  return inverse;
}

/// A stride times a step. Where that does not fit, the dim has one element at most and never steps.
int64_t stepped(int64_t stride, int64_t step) {
  int64_t product = 0;
  return __builtin_mul_overflow(stride, step, &product) ? stride : product;
}

bool is_among(const DimVector& dims, int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

void same_geometry(const Tensor& x, ViewGeometry& g) {
  g.sizes = x.sizes();
  g.strides = x.strides();
}

void expand_geometry(const Tensor& x, const DimVector& sizes, ViewGeometry& g) {
  g.sizes = sizes;
  g.strides.resize(sizes.size());
  const size_t lead = sizes.size() - x.dim();
  for (size_t i = lead; i < sizes.size(); ++i)
    if (x.sizes()[i - lead] == sizes[i]) g.strides[i] = x.strides()[i - lead];
}

/// The view rule of ops that show all of x.
constexpr auto whole = [](const Tensor& x, const NoParams&, ViewGeometry& g) { same_geometry(x, g); };

void drop_dim(const Tensor& x, int64_t dim, ViewGeometry& g) {
  const size_t n = x.sizes().size() - 1;
  const int64_t *const sizes = x.sizes().data(), *const strides = x.strides().data();
  g.sizes.resize_uninitialized(n);
  g.strides.resize_uninitialized(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t from = i + (i >= static_cast<size_t>(dim));
    g.sizes[i] = sizes[from];
    g.strides[i] = strides[from];
  }
}

/// `dims` are sorted.
void drop_dims(const Tensor& x, IntArrayRef dims, ViewGeometry& g) {
  same_geometry(x, g);
  for (size_t i = dims.size(); i-- > 0;) {
    g.sizes.erase(dims[i]);
    g.strides.erase(dims[i]);
  }
}

void insert_dims(const Tensor& x, const DimVector& dims, ViewGeometry& g) {
  same_geometry(x, g);
  for (int64_t d : dims) {
    const int64_t stride = d < static_cast<int64_t>(g.sizes.size()) ? stepped(g.strides[d], g.sizes[d]) : 1;
    g.sizes.insert(d, 1);
    g.strides.insert(d, stride);
  }
}

void diagonal_geometry(const Tensor& x, const DiagonalParams& p, ViewGeometry& g) {
  const int64_t rows = x.sizes()[p.dim1], cols = x.sizes()[p.dim2], s1 = x.strides()[p.dim1], s2 = x.strides()[p.dim2];
  const int64_t length =
      std::max<int64_t>(p.offset >= 0 ? std::min(rows, cols - p.offset) : std::min(rows + p.offset, cols), 0);
  drop_dims(x, {std::min(p.dim1, p.dim2), std::max(p.dim1, p.dim2)}, g);
  g.sizes.push_back(length);
  g.strides.push_back(checked_add(s1, s2, "diagonal"));
  if (length > 0) g.offset = p.offset >= 0 ? p.offset * s2 : -p.offset * s1;
}

}  // namespace

STRATA_OP(view_op) = op<ViewParams>("view(Tensor x, int[] sizes) -> Tensor")
                         .dtypes(kStoredTypes)
                         .replay([](const Replay& c, const ViewParams& p) {
                           return reshape(c.in(0), p.sizes);
                         })  // strides may be others now
                         .view([](const Tensor& x, const ViewParams& p, ViewGeometry& g) {
                           g.sizes.assign(p.sizes);
                           if (!x.is_contiguous()) return view_strided(x, p.sizes, g);
                           set_contiguous_strides(p.sizes, g.strides);
                           g.is_whole = true;
                         })
                         .vjp([](const Vjp& c, const ViewParams&) { return reshape(c.grad(), c.in(0).sizes()); })
                         .saves(saves_shape(0))
                         .jvp([](const Jvp& c, const ViewParams& p) { return reshape(c.tangent(), p.sizes); })
                         .batch([](const Batch& c, const ViewParams& p) {
                           return reshape(c.in(0), with_batch(p.sizes, c.size));
                         });

STRATA_OP(expand_op) = op<ViewParams>("expand(Tensor x, int[] sizes) -> Tensor")
                           .flag(kRepeats)
                           .dtypes(kStoredTypes)
                           .view([](const Tensor& x, const ViewParams& p, ViewGeometry& g) {
                             expand_geometry(x, p.sizes, g);
                           })
                           .vjp([](const Vjp& c, const ViewParams&) { return c.grad().sum_to_size(c.in(0).sizes()); })
                           .saves(saves_shape(0))
                           .jvp(linear_rule)
                           .batch([](const Batch& c, const ViewParams& p) {
                             // New dims go between the batch dim and x's own.
                             DimVector aligned = c.in(0).sizes();
                             while (aligned.size() < p.sizes.size() + 1) aligned.insert(1, 1);
                             return expand(reshape(c.in(0), aligned), with_batch(p.sizes, c.size));
                           });

STRATA_OP(permute_op) = op<PermuteParams>("permute(Tensor x, int[] dims) -> Tensor")
                            .dtypes(kStoredTypes)
                            .view([](const Tensor& x, const PermuteParams& p, ViewGeometry& g) {
                              g.sizes.resize(p.dims.size());
                              g.strides.resize(p.dims.size());
                              for (size_t i = 0; i < p.dims.size(); ++i) {
                                g.sizes[i] = x.sizes()[p.dims[i]];
                                g.strides[i] = x.strides()[p.dims[i]];
                              }
                            })
                            .vjp([](const Vjp& c, const PermuteParams& p) {
                              return permute(c.grad(), inverse_permutation(p.dims));
                            })
                            .jvp(linear_rule)
                            .batch([](const Batch& c, const PermuteParams& p) {
                              DimVector dims = p.dims;
                              rules::shift(dims);
                              dims.insert(0, 0);
                              return permute(c.in(0), dims);
                            });

STRATA_OP(squeeze_op) =
    op<SqueezeParams>("squeeze(Tensor x, int[] dims) -> Tensor")
        .dtypes(kStoredTypes)
        .view([](const Tensor& x, const SqueezeParams& p, ViewGeometry& g) { drop_dims(x, p.dims, g); })
        .vjp([](const Vjp& c, const SqueezeParams& p) { return call_view(unsqueeze_op, c.grad(), p); })
        .jvp(linear_rule)
        .batch(shift_dims<&SqueezeParams::dims>);

STRATA_OP(unsqueeze_op) =
    op<SqueezeParams>("unsqueeze(Tensor x, int[] dims) -> Tensor")
        .dtypes(kStoredTypes)
        .view([](const Tensor& x, const SqueezeParams& p, ViewGeometry& g) { insert_dims(x, p.dims, g); })
        .vjp([](const Vjp& c, const SqueezeParams& p) { return call_view(squeeze_op, c.grad(), p); })
        .jvp(linear_rule)
        .batch(shift_dims<&SqueezeParams::dims>);

STRATA_OP(select_op) = op<SelectParams>("select(Tensor x, int dim, int index) -> Tensor")
                           .dtypes(kStoredTypes)
                           .view([](const Tensor& x, const SelectParams& p, ViewGeometry& g) {
                             drop_dim(x, p.dim, g);
                             g.offset = checked_mul(p.index, x.strides()[p.dim], "select");
                           })
                           .vjp([](const Vjp& c, const SelectParams& p) {
                             return select_backward(c.grad(), c.in(0).sizes(), p.dim, p.index);
                           })
                           .saves(saves_shape(0))
                           .jvp(linear_rule)
                           .batch(shift_dims<&SelectParams::dim>);

STRATA_OP(slice_op) = op<SliceParams>("slice(Tensor x, int dim, int start, int length, int step) -> Tensor")
                          .dtypes(kStoredTypes)
                          .view([](const Tensor& x, const SliceParams& p, ViewGeometry& g) {
                            same_geometry(x, g);
                            if (p.length > 0) g.offset = checked_mul(p.start, g.strides[p.dim], "slice");
                            g.sizes[p.dim] = p.length;
                            g.strides[p.dim] = stepped(g.strides[p.dim], p.step);
                          })
                          .vjp([](const Vjp& c, const SliceParams& p) {
                            const int64_t end = p.length > 0 ? p.start + (p.length - 1) * p.step + 1 : p.start;
                            return slice_backward(c.grad(), c.in(0).sizes(), p.dim, p.start, end, p.step);
                          })
                          .saves(saves_shape(0))
                          .jvp(linear_rule)
                          .batch(shift_dims<&SliceParams::dim>);

STRATA_OP(diagonal_op) = op<DiagonalParams>("diagonal(Tensor x, int offset, int dim1, int dim2) -> Tensor")
                             .dtypes(kStoredTypes)
                             .view([](const Tensor& x, const DiagonalParams& p, ViewGeometry& g) {
                               diagonal_geometry(x, p, g);
                             })
                             .vjp([](const Vjp& c, const DiagonalParams& p) {
                               return diagonal_backward(c.grad(), c.in(0).sizes(), p.offset, p.dim1, p.dim2);
                             })
                             .saves(saves_shape(0))
                             .jvp(linear_rule)
                             .batch(shift_dims<&DiagonalParams::dim1, &DiagonalParams::dim2>);

STRATA_OP(unfold_op) = op<UnfoldParams>("unfold(Tensor x, int dim, int size, int step) -> Tensor")
                           .dtypes(kStoredTypes)
                           .view([](const Tensor& x, const UnfoldParams& p, ViewGeometry& g) {
                             same_geometry(x, g);
                             const int64_t stride = g.strides[p.dim];
                             g.sizes[p.dim] = (g.sizes[p.dim] - p.size) / p.step + 1;
                             g.strides[p.dim] = stepped(stride, p.step);
                             g.sizes.push_back(p.size);
                             g.strides.push_back(stride);
                           })
                           .vjp([](const Vjp& c, const UnfoldParams& p) {
                             return unfold_backward(c.grad(), c.in(0).sizes(), p.dim, p.size, p.step);
                           })
                           .saves(saves_shape(0))
                           .jvp(linear_rule)
                           .batch(shift_dims<&UnfoldParams::dim>);

STRATA_OP(alias_op) = op("alias(Tensor x) -> Tensor")
                          .dtypes(kStoredTypes)
                          .view(whole)
                          .vjp([](const Vjp& c) { return c.grad(); })
                          .jvp([](const Jvp& c) { return c.tangent(); })
                          .batch([](const Batch& c) { return alias(c.in(0)); });

STRATA_OP(detach_op) = op("detach(Tensor x) -> Tensor")
                           .flag(kNotDifferentiable | kDetaches)
                           .dtypes(kStoredTypes)
                           .view(whole)
                           .batch([](const Batch& c) { return detach(c.in(0)); });

STRATA_OP(stop_gradient_op) = op("stop_gradient(Tensor x) -> Tensor")
                                  .flag(kNotDifferentiable)
                                  .dtypes(kStoredTypes)
                                  .view(whole)
                                  .batch([](const Batch& c) { return stop_gradient(c.in(0)); });

Tensor alias(const Tensor& x) { return call_view(alias_op, x); }
Tensor detach(const Tensor& x) { return call_view(detach_op, x); }
Tensor stop_gradient(const Tensor& x) { return call_view(stop_gradient_op, x); }

Tensor view(const Tensor& x, IntArrayRef sizes) {
  return call_view(view_op, x, ViewParams{complete_sizes(x, sizes, "view")});
}

Tensor reshape(const Tensor& x, IntArrayRef sizes) {
  ViewParams p{complete_sizes(x, sizes, "reshape")};
  DimVector strides;
  if (x.is_contiguous() || view_strides(x, p.sizes, strides)) return call_view(view_op, x, p);
  const Tensor copy = x.contiguous();
  return as_result(call_view(view_op, copy, p));
}

Tensor expand(const Tensor& x, IntArrayRef sizes) {
  const int64_t lead = static_cast<int64_t>(sizes.size()) - x.dim();
  STRATA_CHECK(lead >= 0, "expand: {} has more dims than the shape {} asked for", x.sizes(), sizes);
  ViewParams p{sizes};
  bool same = lead == 0;
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i) {
    const int64_t own = i >= lead ? x.sizes()[i - lead] : 1;
    if (sizes[i] == -1 && i >= lead) p.sizes[i] = own;
    STRATA_CHECK(
        p.sizes[i] >= 0 && (own == p.sizes[i] || own == 1),
        "expand: {} does not expand to {}: the expanded size of the tensor ({}) must match the existing size ({}) at "
        "non-singleton dimension {}",
        x.sizes(), sizes, sizes[i], own, i);
    same &= own == p.sizes[i];
  }
  return same ? alias(x) : call_view(expand_op, x, p);
}
Tensor broadcast_to(const Tensor& x, IntArrayRef sizes) { return expand(x, sizes); }

std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  DimVector sizes;
  for (const Tensor& t : tensors) sizes = broadcast_shapes(sizes, t.sizes(), "broadcast_tensors");
  std::vector<Tensor> out;
  for (const Tensor& t : tensors) out.push_back(t.sizes() == sizes ? t : expand(t, sizes));
  return out;
}

Tensor permute(const Tensor& x, IntArrayRef dims) {
  STRATA_CHECK(static_cast<int64_t>(dims.size()) == x.dim(), "permute: {} dims given for a tensor with {}", dims.size(),
               x.dim());
  PermuteParams p{dims};
  uint64_t seen = 0;
  for (int64_t& d : p.dims) {
    d = wrap_dim(d, x.dim(), "permute");
    STRATA_CHECK(!(seen >> d & 1), "permute: dim {} appears twice in {}", d, dims);
    seen |= uint64_t{1} << d;
  }
  return call_view(permute_op, x, p);
}

Tensor transpose(const Tensor& x, int64_t a, int64_t b) {
  const Called called;
  a = wrap_dim(a, x.dim(), "transpose");
  b = wrap_dim(b, x.dim(), "transpose");
  if (a == b) return alias(x);
  PermuteParams p;
  p.dims.resize(x.dim());
  for (int64_t d = 0; d < x.dim(); ++d) p.dims[d] = d;
  std::swap(p.dims[a], p.dims[b]);
  return call_view(permute_op, x, p);
}
Tensor swapaxes(const Tensor& x, int64_t a, int64_t b) {
  const Called called;
  return transpose(x, a, b);
}

Tensor t(const Tensor& x) {
  const Called called;
  STRATA_CHECK(x.dim() <= 2, "t: expected a tensor with at most 2 dims, got shape {}; use transpose or mT", x.sizes());
  return x.dim() < 2 ? alias(x) : transpose(x, 0, 1);
}

Tensor movedim(const Tensor& x, IntArrayRef source, IntArrayRef destination) {
  STRATA_CHECK(source.size() == destination.size(), "movedim: {} source dims, {} destination dims", source.size(),
               destination.size());
  DimVector order(static_cast<size_t>(x.dim()), -1), moved;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t from = wrap_dim(source[i], x.dim(), "movedim"), to = wrap_dim(destination[i], x.dim(), "movedim");
    STRATA_CHECK(order[to] == -1 && !is_among(moved, from), "movedim: a dim appears twice in {} or {}", source,
                 destination);
    order[to] = from;
    moved.push_back(from);
  }
  int64_t next = 0;
  for (int64_t& d : order) {
    if (d != -1) continue;
    while (is_among(moved, next)) ++next;
    d = next++;
  }
  return permute(x, order);
}
Tensor movedim(const Tensor& x, int64_t source, int64_t destination) {
  return movedim(x, IntArrayRef(source), IntArrayRef(destination));
}

Tensor squeeze(const Tensor& x, IntArrayRef dims) {
  const Called called("squeeze.dims");
  SqueezeParams p;
  if (!dims.empty())  // which names no dim here, not all of them
    for (int64_t d : wrap_dims(dims, x.dim(), "squeeze"))
      if (x.sizes()[d] == 1) p.dims.push_back(d);
  return p.dims.empty() ? alias(x) : call_view(squeeze_op, x, p);
}
Tensor squeeze(const Tensor& x) {
  const DimVector dims = wrap_dims({}, x.dim(), "squeeze");
  const Called called;
  return squeeze(x, dims);
}
Tensor squeeze(const Tensor& x, int64_t dim) {
  const Called called("squeeze.dim");
  return squeeze(x, IntArrayRef{dim});
}

Tensor unsqueeze(const Tensor& x, int64_t dim) {
  return call_view(unsqueeze_op, x, SqueezeParams{{wrap_dim(dim, x.dim() + 1, "unsqueeze")}});
}

Tensor flatten(const Tensor& x, int64_t start_dim, int64_t end_dim) {
  const int64_t first = wrap_dim(start_dim, x.dim(), "flatten"), last = wrap_dim(end_dim, x.dim(), "flatten");
  STRATA_CHECK(first <= last, "flatten: start_dim {} comes after end_dim {}", start_dim, end_dim);
  if (x.dim() == 0) return reshape(x, {1});
  if (first == last) return x;
  const IntArrayRef own = x.sizes();
  DimVector sizes(own.slice(0, first));
  sizes.push_back(numel_of(own.slice(first, last - first + 1)));
  for (int64_t size : own.slice(last + 1)) sizes.push_back(size);
  return reshape(x, sizes);
}

Tensor unflatten(const Tensor& x, int64_t dim, IntArrayRef sizes) {
  STRATA_CHECK_INDEX(x.dim() > 0, "unflatten: a 0-dim tensor has no dim to split");
  STRATA_CHECK(!sizes.empty(), "unflatten: sizes must not be empty");
  dim = wrap_dim(dim, x.dim(), "unflatten");
  const int64_t n = x.sizes()[dim];
  DimVector parts = sizes;
  const auto hole = std::find(parts.begin(), parts.end(), -1);
  if (hole != parts.end()) *hole = 1;
  const int64_t known = numel_of(parts);
  if (hole != parts.end() && known > 0) *hole = n / known;
  const bool is_open = hole != parts.end() && known == 0;  // any size would do
  STRATA_CHECK(numel_of(parts) == n && !is_open, "unflatten: sizes {} do not multiply to dim {} of size {}", sizes, dim,
               n);
  DimVector out = x.sizes();
  out.erase(dim);
  for (size_t i = 0; i < parts.size(); ++i) out.insert(dim + i, parts[i]);
  return view(x, out);
}
Tensor ravel(const Tensor& x) {
  return x.is_contiguous() ? reshape(x, {-1}) : as_result(reshape(x.contiguous(), {-1}));
}

Tensor select(const Tensor& x, int64_t dim, int64_t index) {
  STRATA_CHECK_INDEX(x.dim() > 0, "select: it cannot be applied to a 0-dim tensor");
  dim = wrap_dim(dim, x.dim(), "select");
  const int64_t n = x.sizes()[dim];
  STRATA_CHECK_INDEX(index >= -n && index < n, "select: index {} out of range for tensor of size {} at dimension {}",
                     index, bracketed(x.sizes()), dim);
  return call_view(select_op, x, SelectParams{dim, index < 0 ? index + n : index});
}

Tensor slice(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  STRATA_CHECK_INDEX(x.dim() > 0, "slice: cannot slice a 0-dim tensor");
  STRATA_CHECK(step >= 1, "slice: step must be positive, got {}", step);
  dim = wrap_dim(dim, x.dim(), "slice");
  const int64_t n = x.sizes()[dim];
  const auto clamp = [n](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + n : i, 0, n); };
  const int64_t from = clamp(start.value_or(0)), to = std::max(clamp(end.value_or(n)), from);
  if (from == 0 && to == n && step == 1) return alias(x);
  return call_view(slice_op, x, SliceParams{dim, from, (to - from) / step + ((to - from) % step != 0), step});
}

Tensor narrow(const Tensor& x, int64_t dim, int64_t start, int64_t length) {
  STRATA_CHECK(x.dim() > 0, "narrow: cannot narrow a 0-dim tensor");
  dim = wrap_dim(dim, x.dim(), "narrow");
  const int64_t n = x.sizes()[dim], from = start < 0 ? start + n : start;
  STRATA_CHECK_INDEX(from >= 0 && from <= n, "narrow: start {} lies outside dim {} of size {}", start, dim, n);
  STRATA_CHECK(length >= 0 && length <= n - from, "narrow: start {} and length {} do not fit dim {} of size {}", start,
               length, dim, n);
  return call_view(slice_op, x, SliceParams{dim, from, length, 1});
}

Tensor narrow(const Tensor& x, int64_t dim, const Tensor& start, int64_t length) {
  STRATA_CHECK(start.dim() == 0 && is_integral(start.dtype()),
               "narrow: start must be a number or a 0-dim integer tensor, got {} of shape {}", name(start.dtype()),
               start.sizes());
  return narrow(x, dim, start.item<int64_t>(), length);
}

Tensor diagonal(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2) {
  dim1 = wrap_dim(dim1, x.dim(), "diagonal");
  dim2 = wrap_dim(dim2, x.dim(), "diagonal");
  STRATA_CHECK(dim1 != dim2 && x.dim() >= 2, "diagonal: needs two different dims, got {} and {} of shape {}", dim1,
               dim2, x.sizes());
  return call_view(diagonal_op, x, DiagonalParams{offset, dim1, dim2});
}

Tensor unfold(const Tensor& x, int64_t dim, int64_t size, int64_t step) {
  dim = wrap_dim(dim, x.dim(), "unfold");
  const int64_t n = x.dim() == 0 ? 1 : x.sizes()[dim];
  STRATA_CHECK(size >= 0 && size <= n && step >= 1, "unfold: window {} and step {} do not fit dim {} of size {}", size,
               step, dim, n);
  if (x.dim() == 0) return narrow(unsqueeze(x, 0), 0, 0, size);  // the one window itself
  return call_view(unfold_op, x, UnfoldParams{dim, size, step});
}

Tensor Tensor::view(IntArrayRef sizes) const { return strata::view(*this, sizes); }
Tensor Tensor::reshape(IntArrayRef sizes) const { return strata::reshape(*this, sizes); }
Tensor Tensor::view_as(const Tensor& other) const { return strata::view(*this, other.sizes()); }
Tensor Tensor::reshape_as(const Tensor& other) const { return strata::reshape(*this, other.sizes()); }
Tensor Tensor::expand(IntArrayRef sizes, bool) const { return strata::expand(*this, sizes); }
Tensor Tensor::expand_as(const Tensor& other) const { return strata::expand(*this, other.sizes()); }
Tensor Tensor::permute(IntArrayRef dims) const { return strata::permute(*this, dims); }
Tensor Tensor::transpose(int64_t a, int64_t b) const { return strata::transpose(*this, a, b); }
Tensor Tensor::t() const { return strata::t(*this); }
Tensor Tensor::mT() const { return strata::transpose(*this, -2, -1); }
Tensor Tensor::movedim(int64_t source, int64_t destination) const {
  return strata::movedim(*this, source, destination);
}
Tensor Tensor::movedim(IntArrayRef source, IntArrayRef destination) const {
  return strata::movedim(*this, source, destination);
}
Tensor Tensor::squeeze() const { return strata::squeeze(*this); }
Tensor Tensor::squeeze(int64_t dim) const { return strata::squeeze(*this, dim); }
Tensor Tensor::unsqueeze(int64_t dim) const { return strata::unsqueeze(*this, dim); }
Tensor Tensor::flatten(int64_t start_dim, int64_t end_dim) const { return strata::flatten(*this, start_dim, end_dim); }
Tensor Tensor::unflatten(int64_t dim, IntArrayRef sizes) const { return strata::unflatten(*this, dim, sizes); }
Tensor Tensor::ravel() const { return strata::ravel(*this); }
Tensor Tensor::select(int64_t dim, int64_t index) const { return strata::select(*this, dim, index); }
Tensor Tensor::slice(int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) const {
  return strata::slice(*this, dim, start, end, step);
}
Tensor Tensor::narrow(int64_t dim, int64_t start, int64_t length) const {
  return strata::narrow(*this, dim, start, length);
}
Tensor Tensor::diagonal(int64_t offset, int64_t dim1, int64_t dim2) const {
  return strata::diagonal(*this, offset, dim1, dim2);
}
Tensor Tensor::unfold(int64_t dim, int64_t size, int64_t step) const { return strata::unfold(*this, dim, size, step); }
std::vector<Tensor> Tensor::chunk(int64_t chunks, int64_t dim) const { return strata::chunk(*this, chunks, dim); }
std::vector<Tensor> Tensor::split(int64_t size, int64_t dim) const { return strata::split(*this, size, dim); }
std::vector<Tensor> Tensor::split(IntArrayRef sizes, int64_t dim) const { return strata::split(*this, sizes, dim); }
std::vector<Tensor> Tensor::unbind(int64_t dim) const { return strata::unbind(*this, dim); }
Tensor Tensor::operator[](int64_t index) const { return strata::select(*this, 0, index); }

}  // namespace strata
