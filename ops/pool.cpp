// Pooling ops over the last two dims with their rules, and the public functions that turn options into windows.
#include "ops/pool.h"

#include <array>
#include <limits>

#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/pool_def.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// `t` with its last two sizes replaced.
Meta with_plane(const Tensor& t, int64_t h, int64_t w) {
  DimVector sizes = t.sizes();
  sizes[sizes.size() - 2] = h;
  sizes[sizes.size() - 1] = w;
  return meta(sizes, t.dtype(), t.device());
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

using Pair = std::array<int64_t, 2>;

/// A public function's name and number of pooled dims.
struct Pooling {
  const char* name;
  int64_t dims;
};

/// One number per dim, at least `least`; a one-dimensional pool has `unused` in front.
Pair per_dim(Pooling f, IntArrayRef values, const char* what, int64_t least, int64_t unused) {
  const size_t dims = static_cast<size_t>(f.dims);
  STRATA_CHECK(values.size() == 1 || values.size() == dims, "{}: {} takes 1 or {} numbers, got {}", f.name, what, dims,
               values);
  for (int64_t v : values) {
    STRATA_CHECK(v >= least, "{}: {} must be at least {}, got {}", f.name, what, least, values);
    STRATA_CHECK(v <= std::numeric_limits<int32_t>::max(), "{}: {} must be below 2^31, got {}", f.name, what, values);
  }
  return {f.dims == 1 ? unused : values[0], values.back()};
}

void check_dtype(Pooling f, const Tensor& x) {
  STRATA_CHECK(x.is_floating_point() || is_integral(x.dtype()),
               "{}: expected floating point numbers or integers, got {}", f.name, name(x.dtype()));
}
void check_shape(Pooling f, const Tensor& x) {
  STRATA_CHECK(x.dim() == f.dims + 1 || x.dim() == f.dims + 2, "{}: expected {} or {} dims, got an input of shape {}",
               f.name, f.dims + 1, f.dims + 2, x.sizes());
  for (int64_t d = x.dim() - f.dims; d < x.dim(); ++d)
    STRATA_CHECK(x.size(d) > 0, "{}: the input {} has nothing to pool", f.name, x.sizes());
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

PoolParams windows(Pooling f, const Tensor& x, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                   IntArrayRef dilation, bool ceil_mode) {
  check_shape(f, x);
  const Pair k = per_dim(f, kernel, "kernel_size", 1, 1);
  const Pair s = stride.empty() ? k : per_dim(f, stride, "stride", 1, 1);
  const Pair p = per_dim(f, padding, "padding", 0, 0), d = per_dim(f, dilation, "dilation", 1, 1);
  const int64_t ih = f.dims == 1 ? 1 : x.size(-2), iw = x.size(-1);
  const int64_t oh = count(f, x, ih, k[0], s[0], p[0], d[0], ceil_mode);
  const int64_t ow = count(f, x, iw, k[1], s[1], p[1], d[1], ceil_mode);
  return {ih, iw, oh, ow, false, k[0], k[1], s[0], s[1], p[0], p[1], d[0], d[1]};
}

PoolParams adaptive_windows(Pooling f, const Tensor& x, IntArrayRef output_size) {
  check_shape(f, x);
  const Pair out = per_dim(f, output_size, "output_size", 1, 1);
  const int64_t ih = f.dims == 1 ? 1 : x.size(-2);
  return {ih, x.size(-1), out[0], out[1], true, 0, 0, 0, 0, 0, 0, 0, 0};
}

/// Integers as float64, which holds them exactly up to 2^53.
Tensor as_doubles(Pooling f, const Tensor& x) {
  if (x.dtype() == kLong && x.numel() > 0 && !x.keys().has(Key::Transform)) {
    constexpr int64_t kExact = int64_t{1} << 53;
    STRATA_CHECK(min(x).item<int64_t>() >= -kExact && max(x).item<int64_t>() <= kExact,
                 "{}: integers beyond 2^53 are not implemented", f.name);
  }
  return x.to(kDouble);
}

std::tuple<Tensor, Tensor> max_pool(Pooling f, const Tensor& input, const PoolParams& p) {
  check_dtype(f, input);
  if (!input.is_floating_point()) {
    const auto [values, indices] = max_pool(f, as_doubles(f, input), p);
    return {values.to(input.dtype()), indices};
  }
  const Tensor x = f.dims == 1 ? unsqueeze(input, -2) : input;
  const Tensors r = call(max_pool_op, {&x}, p);
  if (f.dims == 1) return {as_result(squeeze(r[0], -2)), as_result(squeeze(r[1], -2))};
  return {r[0], r[1]};
}

Tensor avg_pool(Pooling f, const Tensor& input, const AvgPoolParams& p);

/// The quotients of the windows' sums and counts, without their fractions.
Tensor avg_pool_of_integers(Pooling f, const Tensor& input, const AvgPoolParams& p) {
  STRATA_CHECK(!p.adaptive, "{}: not implemented for {}", f.name, name(input.dtype()));
  AvgPoolParams sums = p;
  sums.divisor = 1;
  const Tensor total = avg_pool(f, as_doubles(f, input), sums);
  if (p.divisor) return div(total.to(kLong), p.divisor, "trunc").to(input.dtype());
  const Tensor one = ones_like(input, TensorOptions(kDouble));
  const Tensor count = round(avg_pool(f, one, sums) / avg_pool(f, one, p));
  return div(total.to(kLong), count.to(kLong), "trunc").to(input.dtype());
}

Tensor avg_pool(Pooling f, const Tensor& input, const AvgPoolParams& p) {
  check_dtype(f, input);
  if (!input.is_floating_point()) return avg_pool_of_integers(f, input, p);
  if (f.dims == 2) return call1(avg_pool_op, {&input}, p);
  const Tensor x = unsqueeze(input, -2);
  return as_result(squeeze(call1(avg_pool_op, {&x}, p), -2));
}

/// One window per plane is a mean, whose kernels are made for long rows and take complex numbers.
Tensor adaptive_avg_pool(Pooling f, const Tensor& input, const PoolParams& p) {
  if (p.oh > 1 || p.ow > 1) return avg_pool(f, input, {p, true, 0});
  return f.dims == 1 ? input.mean({-1}, true) : input.mean({-2, -1}, true);
}

}  // namespace

std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  constexpr Pooling f{"max_pool1d", 1};
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode));
}

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride,
                                                   IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  constexpr Pooling f{"max_pool2d", 2};
  return max_pool(f, input, windows(f, input, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor max_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(max_pool1d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor avg_pool1d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad) {
  constexpr Pooling f{"avg_pool1d", 1};
  return avg_pool(f, input, {windows(f, input, kernel_size, stride, padding, 1, ceil_mode), count_include_pad, 0});
}

Tensor avg_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  constexpr Pooling f{"avg_pool2d", 2};
  const int64_t divisor = divisor_override.value_or(1);
  STRATA_CHECK(divisor != 0, "avg_pool2d: divisor_override must not be 0");
  return avg_pool(f, input,
                  {windows(f, input, kernel_size, stride, padding, 1, ceil_mode), count_include_pad,
                   divisor_override ? divisor : 0});
}

Tensor adaptive_avg_pool1d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f{"adaptive_avg_pool1d", 1};
  return adaptive_avg_pool(f, input, adaptive_windows(f, input, output_size));
}

Tensor adaptive_avg_pool2d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f{"adaptive_avg_pool2d", 2};
  return adaptive_avg_pool(f, input, adaptive_windows(f, input, output_size));
}

std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f{"adaptive_max_pool1d", 1};
  return max_pool(f, input, adaptive_windows(f, input, output_size));
}

std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& input, IntArrayRef output_size) {
  constexpr Pooling f{"adaptive_max_pool2d", 2};
  return max_pool(f, input, adaptive_windows(f, input, output_size));
}

}  // namespace strata
