// Pooling ops over the last two dims with their rules, and the public functions that turn options into windows.
#include "ops/pool.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/called.h"
#include "core/grad_mode.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/pool_def.h"
#include "ops/pooling.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {

void check_pooled_dims(Pooling f, const Tensor& x) {
  STRATA_CHECK(x.dim() == f.dims + 1 || x.dim() == f.dims + 2, "{}: expected {} or {} dims, got an input of shape {}",
               f.name, f.dims + 1, f.dims + 2, x.sizes());
}

DimVector per_pooled_dim(Pooling f, IntArrayRef values, const char* what, int64_t least) {
  const size_t dims = static_cast<size_t>(f.dims);
  STRATA_CHECK(values.size() == 1 || values.size() == dims, "{}: {} takes 1 or {} numbers, got {}", f.name, what, dims,
               values);
  DimVector all;
  for (size_t d = 0; d < dims; ++d) all.push_back(values[values.size() == 1 ? 0 : d]);
  for (const int64_t v : all) {
    STRATA_CHECK(v >= least, "{}: {} must be at least {}, got {}", f.name, what, least, values);
    STRATA_CHECK(v <= std::numeric_limits<int32_t>::max(), "{}: {} must be below 2^31, got {}", f.name, what, values);
  }
  return all;
}

namespace {

/// `t` with its last two sizes replaced.
Meta with_plane(const Tensor& t, int64_t h, int64_t w) {
  DimVector sizes = t.sizes();
  sizes[sizes.size() - 2] = h;
  sizes[sizes.size() - 1] = w;
  return meta_in_order(t, sizes);
}

}  // namespace

// All dims but the last two only tell planes apart, so a batch dimension in front is one more of them.

STRATA_OP(max_pool_op) =
    op<PoolParams>(
        "max_pool(Tensor x, "
        "int[] input, int[] output, bool adaptive, int[] kernel, int[] stride, int[] padding, int[] dilation) "
        "-> (Tensor, Tensor indices)")
        .infer([](Args in, const PoolParams& p) {
          Meta indices = with_plane(in[0], p.oh, p.ow);
          indices.dtype = kLong;
          return Metas(with_plane(in[0], p.oh, p.ow), std::move(indices));
        })
        .vjp([](const Vjp& c, const PoolParams& p) -> Tensors {
          if (!c.grad().defined()) return Tensors::undefined(1);
          return call(max_pool_scatter_op, {&c.grad(), &c.out(1)}, p);
        })
        .saves(saves_out(1))
        .jvp([](const Jvp& c, const PoolParams& p) {
          return Tensors(call1(max_pool_gather_op, {&c.tangent(), &c.out(1)}, p), Tensor());
        })
        .batch(pointwise_batch)
        .dtypes(kFloatingTypes);

STRATA_OP(max_pool_values_op) = op<PoolParams>(
                                    "max_pool_values(Tensor x, "
                                    "int[] input, int[] output, bool adaptive, int[] kernel, int[] stride, int[] "
                                    "padding, int[] dilation) -> Tensor")
                                    .infer([](Args in, const PoolParams& p) { return with_plane(in[0], p.oh, p.ow); })
                                    .vjp([](const Vjp& c, const PoolParams& p) -> Tensors {
                                      const Tensor places = call(max_pool_op, {&c.in(0)}, p)[1];
                                      return call(max_pool_scatter_op, {&c.grad(), &places}, p);
                                    })
                                    .saves(saves_in(0))
                                    .jvp([](const Jvp& c, const PoolParams& p) -> Tensors {
                                      const Tensor places = call(max_pool_op, {&c.in(0)}, p)[1];
                                      return call1(max_pool_gather_op, {&c.tangent(), &places}, p);
                                    })
                                    .batch(pointwise_batch)
                                    .dtypes(kFloatingTypes);

STRATA_OP(max_pool_scatter_op) = op<PoolParams>(
                                     "max_pool_scatter(Tensor g, Tensor indices, "
                                     "int[] input, int[] output, bool adaptive, int[] kernel, int[] stride, int[] "
                                     "padding, int[] dilation) -> Tensor")
                                     .infer([](Args in, const PoolParams& p) { return with_plane(in[0], p.ih, p.iw); })
                                     .vjp([](const Vjp& c, const PoolParams& p) {
                                       return Tensors(call1(max_pool_gather_op, {&c.grad(), &c.in(1)}, p), Tensor());
                                     })
                                     .saves(saves_in(1))
                                     .jvp(linear_rule)
                                     .batch(pointwise_batch)
                                     .dtypes(kFloatingTypes)
                                     .dtypes_for(1, DTypes(kLong));

STRATA_OP(max_pool_gather_op) = op<PoolParams>(
                                    "max_pool_gather(Tensor x, Tensor indices, "
                                    "int[] input, int[] output, bool adaptive, int[] kernel, int[] stride, int[] "
                                    "padding, int[] dilation) -> Tensor")
                                    .infer([](Args in, const PoolParams& p) { return with_plane(in[0], p.oh, p.ow); })
                                    .vjp([](const Vjp& c, const PoolParams& p) {
                                      return Tensors(call1(max_pool_scatter_op, {&c.grad(), &c.in(1)}, p), Tensor());
                                    })
                                    .saves(saves_in(1))
                                    .jvp(linear_rule)
                                    .batch(pointwise_batch)
                                    .dtypes(kFloatingTypes)
                                    .dtypes_for(1, DTypes(kLong));

STRATA_OP(avg_pool_op) =
    op<AvgPoolParams>(
        "avg_pool(Tensor x, "
        "int[] input, int[] output, bool adaptive, int[] kernel, int[] stride, int[] padding, int[] dilation, "
        "bool count_include_pad, int divisor) -> Tensor")
        .infer([](Args in, const AvgPoolParams& p) { return with_plane(in[0], p.oh, p.ow); })
        .vjp([](const Vjp& c, const AvgPoolParams& p) { return call(avg_pool_backward_op, {&c.grad()}, p); })
        .jvp(linear_rule)
        .batch(pointwise_batch)
        .dtypes(kFloatingTypes);

STRATA_OP(avg_pool_backward_op) =
    op<AvgPoolParams>(
        "avg_pool_backward(Tensor g, "
        "int[] input, int[] output, bool adaptive, int[] kernel, int[] stride, int[] padding, int[] dilation, "
        "bool count_include_pad, int divisor) -> Tensor")
        .infer([](Args in, const AvgPoolParams& p) { return with_plane(in[0], p.ih, p.iw); })
        .vjp([](const Vjp& c, const AvgPoolParams& p) { return call(avg_pool_op, {&c.grad()}, p); })
        .jvp(linear_rule)
        .batch(pointwise_batch)
        .dtypes(kFloatingTypes);

namespace {

/// A number for each of depth, height and width.
using PerDim = std::array<int64_t, 3>;

// Note [Sequences in pools]: sequences are images of one row, row-major, so that a permuted one is not taken for an
// image whose channels lie last.
//
// Note [Pools of three dims]: a window of three dims is one of the plane times one of the depth, and so are maxima,
// sums and numbers of elements. So each plane is pooled by itself, then the depth as the rows of planes `(D, OH * OW)`.

/// The windows of planes, and of three dims those of the depth.
struct Windows {
  PoolParams plane;
  PoolParams depth = {};
};

/// One number per dim, at least `least`; a pool of fewer dims than three has `unused` in front.
PerDim per_dim(Pooling f, IntArrayRef values, const char* what, int64_t least, int64_t unused) {
  const DimVector given = per_pooled_dim(f, values, what, least);
  PerDim all;
  const size_t missing = all.size() - given.size();
  for (size_t d = 0; d < all.size(); ++d) all[d] = d < missing ? unused : given[d - missing];
  return all;
}

void check_dtype(Pooling f, const Tensor& x) {
  STRATA_CHECK(x.is_floating_point() || is_integral(x.dtype()),
               "{}: expected floating point numbers or integers, got {}", f.name, name(x.dtype()));
}
void check_shape(Pooling f, const Tensor& x) {
  check_pooled_dims(f, x);
  for (int64_t d = x.dim() - f.dims; d < x.dim(); ++d)
    STRATA_CHECK(x.size(d) > 0, "{}: the input {} has nothing to pool", f.name, x.sizes());
}

/// The sizes that are pooled, with 1 for dims that a pool of fewer dims has not.
PerDim sizes_of(Pooling f, const Tensor& x) {
  return {f.dims < 3 ? 1 : x.size(-3), f.dims < 2 ? 1 : x.size(-2), x.size(-1)};
}

/// Number of windows in one dimension.
int64_t count(Pooling f, const Tensor& x, int64_t in, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation,
              bool ceil_mode) {
  const int64_t window = dilation * (kernel - 1) + 1, room = in + 2 * pad - window;
  STRATA_CHECK(2 * pad <= window, "{}: padding {} is more than half of the window {}", f.name, pad, window);
  int64_t n = room < 0 && !ceil_mode ? 0 : (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
  // The last window must start inside the input or its front padding.
  if (ceil_mode && (n - 1) * stride >= in + pad) --n;
  STRATA_CHECK(n >= 1 && room > -stride, "{}: a window of {} with padding {} does not fit in the input {}", f.name,
               window, pad, x.sizes());
  return n;
}

Windows windows(Pooling f, const Tensor& x, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                IntArrayRef dilation, bool ceil_mode) {
  check_shape(f, x);
  const PerDim k = per_dim(f, kernel, "kernel_size", 1, 1);
  const PerDim s = stride.empty() ? k : per_dim(f, stride, "stride", 1, 1);
  const PerDim p = per_dim(f, padding, "padding", 0, 0), d = per_dim(f, dilation, "dilation", 1, 1);
  const PerDim in = sizes_of(f, x);
  PerDim out;
  for (size_t i = 0; i < out.size(); ++i) out[i] = count(f, x, in[i], k[i], s[i], p[i], d[i], ceil_mode);
  const int64_t plane = out[1] * out[2];
  return {{in[1], in[2], out[1], out[2], false, k[1], k[2], s[1], s[2], p[1], p[2], d[1], d[2]},
          {in[0], plane, out[0], plane, false, k[0], 1, s[0], 1, p[0], 0, d[0], 1}};
}

Windows adaptive_windows(Pooling f, const Tensor& x, IntArrayRef output_size) {
  check_shape(f, x);
  const PerDim out = per_dim(f, output_size, "output_size", 0, 1), in = sizes_of(f, x);
  const int64_t plane = out[1] * out[2];
  return {{in[1], in[2], out[1], out[2], true, 0, 0, 0, 0, 0, 0, 0, 0},
          {in[0], plane, out[0], plane, true, 0, 0, 0, 0, 0, 0, 0, 0}};
}

/// `(..., D, OH, OW)` as planes `(..., D, OH * OW)`, and back.
Tensor planes_as_rows(const Tensor& x) { return flatten(x, -2, -1); }
Tensor as_planes(const Tensor& x, const PoolParams& p) { return unflatten(x, -1, {p.oh, p.ow}); }

/// Integers as float64, which holds them exactly up to 2^53.
Tensor as_doubles(Pooling f, const Tensor& x) {
  if (x.dtype() == kLong && x.numel() > 0 && !x.keys().has(Key::Transform)) {
    constexpr int64_t kExact = int64_t{1} << 53;
    STRATA_CHECK(min(x).item<int64_t>() >= -kExact && max(x).item<int64_t>() <= kExact,
                 "{}: integers beyond 2^53 are not implemented", f.name);
  }
  return x.to(kDouble);
}

/// The positions of maxima in their volumes, from those in their planes and in the rows of `(D, OH * OW)`.
Tensor positions_in_volume(const Windows& w, const Tensor& in_plane, const Tensor& in_depth) {
  const Tensor found = in_depth.clamp_min(0);
  const Tensor plane = gather(flatten(in_plane, -3, -1), -1, flatten(found, -2, -1)).view(found.sizes());
  const Tensor at = div(found, w.depth.iw, "trunc").mul(w.plane.ih * w.plane.iw).add(plane);
  return where(logical_or(in_depth.lt(0), plane.lt(0)), Scalar(-1), at);
}

struct Maxima {
  Tensor values, indices;  ///< indices are undefined unless they were asked for
  operator std::tuple<Tensor, Tensor>() const { return {values, indices}; }
};

/// Derivatives ask where the maxima stand.
bool is_recorded(const Tensor& x) {
  return x.keys().has(Key::Transform) || (x.requires_grad() && GradMode::is_enabled());
}

Maxima max_pool_of_volumes(const Tensor& x, const Windows& w, bool with_indices) {
  if (!with_indices && !is_recorded(x)) {
    const Tensor rows = planes_as_rows(call1(max_pool_values_op, {&x}, w.plane));
    return {as_result(as_planes(call1(max_pool_values_op, {&rows}, w.depth), w.plane)), {}};
  }
  const Tensors planes = call(max_pool_op, {&x}, w.plane);
  const Tensor rows = planes_as_rows(planes[0]);
  const Tensors r = call(max_pool_op, {&rows}, w.depth);
  const Tensor values = as_result(as_planes(r[0], w.plane));
  if (!with_indices) return {values, {}};
  return {values, as_result(as_planes(positions_in_volume(w, planes[1], r[1]), w.plane))};
}

Maxima max_pool(Pooling f, const Tensor& input, const Windows& w, bool with_indices = true) {
  check_dtype(f, input);
  if (!input.is_floating_point()) {
    const auto [values, indices] = max_pool(f, as_doubles(f, input), w, with_indices);
    return {values.to(input.dtype()), indices};
  }
  if (f.dims == 3) return max_pool_of_volumes(input, w, with_indices);
  const Tensor x = f.dims == 1 ? unsqueeze(input.contiguous(), -2) : input;  // Note [Sequences in pools]
  if (!with_indices && !is_recorded(x)) {
    const Tensor y = call1(max_pool_values_op, {&x}, w.plane);
    return {f.dims == 1 ? as_result(squeeze(y, -2)) : y, {}};
  }
  const Tensors r = call(max_pool_op, {&x}, w.plane);
  if (f.dims == 1) return {as_result(squeeze(r[0], -2)), as_result(squeeze(r[1], -2))};
  return {r[0], r[1]};
}

/// How sums become means.
struct Average {
  bool count_include_pad = true;
  int64_t divisor = 0;  ///< 0: the number of elements in the window
};

Tensor avg_pool(Pooling f, const Tensor& input, const Windows& w, const Average& average);

/// The quotients of the windows' sums and counts, without their fractions.
Tensor avg_pool_of_integers(Pooling f, const Tensor& input, const Windows& w, const Average& average) {
  STRATA_CHECK_AS(NotImplementedError, !w.plane.adaptive, "{}: not implemented for {}", f.name, name(input.dtype()));
  const Average sums{average.count_include_pad, 1};
  const Tensor total = avg_pool(f, as_doubles(f, input), w, sums);
  if (average.divisor) return div(total.to(kLong), average.divisor, "trunc").to(input.dtype());
  const Tensor one = ones_like(input, TensorOptions(kDouble));
  const Tensor count = round(avg_pool(f, one, w, sums) / avg_pool(f, one, w, average));
  return div(total.to(kLong), count.to(kLong), "trunc").to(input.dtype());
}

Tensor avg_pool(Pooling f, const Tensor& input, const Windows& w, const Average& average) {
  check_dtype(f, input);
  if (!input.is_floating_point()) return avg_pool_of_integers(f, input, w, average);
  const AvgPoolParams p{w.plane, average.count_include_pad, average.divisor};
  if (f.dims == 2) return call1(avg_pool_op, {&input}, p);
  if (f.dims == 1) {
    const Tensor x = unsqueeze(input.contiguous(), -2);  // Note [Sequences in pools]
    return as_result(squeeze(call1(avg_pool_op, {&x}, p), -2));
  }
  const AvgPoolParams plane{w.plane, average.count_include_pad, average.divisor ? 1 : 0};
  const AvgPoolParams depth{w.depth, average.count_include_pad, average.divisor};
  const Tensor rows = planes_as_rows(call1(avg_pool_op, {&input}, plane));
  return as_result(as_planes(call1(avg_pool_op, {&rows}, depth), w.plane));
}

/// One window per plane is a mean, whose kernels are made for long rows and take complex numbers.
Tensor adaptive_avg_pool(Pooling f, const Tensor& input, const Windows& w) {
  if (w.plane.oh != 1 || w.plane.ow != 1 || w.depth.oh != 1) return avg_pool(f, input, w, {});
  DimVector dims;
  for (int64_t d = -f.dims; d < 0; ++d) dims.push_back(d);
  return input.mean(dims, true);
}

int64_t divisor_of(Pooling f, std::optional<int64_t> divisor_override) {
  STRATA_CHECK(divisor_override.value_or(1) != 0, "{}: divisor_override must not be 0", f.name);
  return divisor_override.value_or(0);
}

constexpr Pooling kMaxPool[] = {{"max_pool1d", 1}, {"max_pool2d", 2}, {"max_pool3d", 3}};
constexpr Pooling kAvgPool[] = {{"avg_pool1d", 1}, {"avg_pool2d", 2}, {"avg_pool3d", 3}};
constexpr Pooling kAdaptiveAvgPool[] = {
    {"adaptive_avg_pool1d", 1}, {"adaptive_avg_pool2d", 2}, {"adaptive_avg_pool3d", 3}};
constexpr Pooling kAdaptiveMaxPool[] = {
    {"adaptive_max_pool1d", 1}, {"adaptive_max_pool2d", 2}, {"adaptive_max_pool3d", 3}};

}  // namespace

std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  constexpr Pooling f = kMaxPool[0];
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode));
}

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  constexpr Pooling f = kMaxPool[1];
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode));
}

std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  constexpr Pooling f = kMaxPool[2];
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor max_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  const Called called;
  constexpr Pooling f = kMaxPool[0];
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode), false).values;
}

Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  constexpr Pooling f = kMaxPool[1];
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode), false).values;
}

Tensor max_pool3d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  const Called called;
  constexpr Pooling f = kMaxPool[2];
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode), false).values;
}

Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad) {
  const Called called;
  constexpr Pooling f = kAvgPool[0];
  return avg_pool(f, input, windows(f, input, kernel_size, stride, padding, 1, ceil_mode), {count_include_pad, 0});
}

Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  constexpr Pooling f = kAvgPool[1];
  wrap_dim(-3, input.dim(), f.name);
  const int64_t divisor = divisor_of(f, divisor_override);
  return avg_pool(f, input, windows(f, input, kernel_size, stride, padding, 1, ceil_mode),
                  {count_include_pad, divisor});
}

Tensor avg_pool3d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  const Called called;
  constexpr Pooling f = kAvgPool[2];
  for (size_t i = 0; i < 3 && input.dim() >= 3 && !kernel_size.empty(); ++i) {
    const int64_t kernel = kernel_size[kernel_size.size() == 3 ? i : 0], size = input.size(static_cast<int64_t>(i) - 3);
    STRATA_CHECK(kernel <= size,
                 "avg_pool3d: input image smaller than kernel size: {} values along dim {} for windows of {}", size,
                 static_cast<int64_t>(i) - 3, kernel);
  }
  const int64_t divisor = divisor_of(f, divisor_override);
  return avg_pool(f, input, windows(f, input, kernel_size, stride, padding, 1, ceil_mode),
                  {count_include_pad, divisor});
}

Tensor adaptive_avg_pool1d(const Tensor& input, IntArrayRef output_size) {
  const Called called;
  constexpr Pooling f = kAdaptiveAvgPool[0];
  return adaptive_avg_pool(f, input, adaptive_windows(f, input, output_size));
}

Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size) {
  const Called called;
  constexpr Pooling f = kAdaptiveAvgPool[1];
  return adaptive_avg_pool(f, input, adaptive_windows(f, input, output_size));
}

Tensor adaptive_avg_pool3d(const Tensor& input, IntArrayRef output_size) {
  const Called called;
  constexpr Pooling f = kAdaptiveAvgPool[2];
  return adaptive_avg_pool(f, input, adaptive_windows(f, input, output_size));
}

std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f = kAdaptiveMaxPool[0];
  return max_pool(f, input, adaptive_windows(f, input, output_size));
}

std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f = kAdaptiveMaxPool[1];
  return max_pool(f, input, adaptive_windows(f, input, output_size));
}

std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f = kAdaptiveMaxPool[2];
  return max_pool(f, input, adaptive_windows(f, input, output_size));
}

}  // namespace strata
