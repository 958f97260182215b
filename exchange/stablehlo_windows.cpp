// Running sums and pools in StableHLO: reductions of windows that move over the operand.
#include <algorithm>
#include <limits>

#include "exchange/stablehlo_writer.h"
#include "ops/cast.h"
#include "ops/creation.h"

namespace strata::stablehlo {
namespace {

/// Windows over all dims of an operand, which is spread out by `base` and padded first.
struct Windows {
  explicit Windows(const Operand& x)
      : size(x.sizes.size(), 1), stride(size), base(size), dilation(size), low(x.sizes.size(), 0), high(low) {}

  DimVector size, stride, base, dilation, low, high;

  std::string attributes() const {
    return array("window_dimensions", size) + ", " + array("window_strides", stride) + ", " +
           array("base_dilations", base) + ", " + array("window_dilations", dilation) + ", " +
           padding_of_windows(low, high);
  }
};

Operand joined_windows(const Call& c, const char* name, const Operand& x, const Scalar& neutral, const Windows& w,
                       IntArrayRef sizes) {
  return c.w.op("stablehlo.reduce_window", {x, c.w.number(neutral, x.dtype)}, {c.w.joining(name, x.dtype)},
                {{"", x.dtype, DimVector(sizes)}}, w.attributes())[0];
}

// Scans. Those of sums are windows of the whole line, of which so much lies before it that it ends at the element.

bool is_trivial_scan(const Operand& x, int64_t dim) { return x.dim() == 0 || x.sizes[static_cast<size_t>(dim)] == 0; }

Windows scan_windows(const Call& c, const Operand& x) {
  Windows w(x);
  const auto d = static_cast<size_t>(c.integer("dim"));
  w.size[d] = x.sizes[d];
  (c.flag("reverse") ? w.high : w.low)[d] = x.sizes[d] - 1;
  return w;
}

Operands running(const Call& c, const char* name, const Scalar& neutral) {
  const Operand x = c.w.converted(c.in[0], summed_in(c.dtype()));
  if (is_trivial_scan(x, c.integer("dim"))) return {c.w.converted(x, c.dtype())};
  return {c.w.converted(joined_windows(c, name, x, neutral, scan_windows(c, x), c.sizes()), c.dtype())};
}

/// x moved along a dim, away from where a scan begins, with `fill` in its place.
Operand moved(const Call& c, const Operand& x, const Scalar& fill, int64_t by) {
  DimVector low(x.sizes.size(), 0), high = low;
  const auto d = static_cast<size_t>(c.integer("dim"));
  low[d] = c.flag("reverse") ? -by : by, high[d] = -low[d];
  return padded(c, x, fill, low, high, x.sizes);
}

/// Steps that look twice as far each: long windows of pairs are more than XLA can take.
Operands running_extreme(const Call& c, bool greatest) {
  const Operand& x = c.in[0];
  const int64_t dim = c.integer("dim");
  if (is_trivial_scan(x, dim)) return {x, c.w.number(0, kLong, x.sizes)};
  const bool last = !c.flag("reverse");  // the one that a scan meets last
  Operands best{x, c.w.iota(kLong, x.sizes, dim)};
  const int64_t nowhere = last ? -1 : std::numeric_limits<int64_t>::max();
  for (int64_t by = 1; by < x.sizes[static_cast<size_t>(dim)]; by *= 2)
    best = better_of(c, best, {moved(c, best[0], extreme(x.dtype, !greatest), by), moved(c, best[1], nowhere, by)},
                     {greatest, last, last});
  return best;
}

// Pools, whose windows lie in the last two dims.

struct Pool {
  explicit Pool(const Call& c)
      : in(c.integers("input")),
        out(c.integers("output")),
        kernel(c.integers("kernel")),
        stride(c.integers("stride")),
        padding(c.integers("padding")),
        dilation(c.integers("dilation")) {
    if (!c.flag("adaptive")) return;
    for (size_t d = 0; d < 2; ++d) {
      STRATA_CHECK(out[d] > 0 && in[d] % out[d] == 0,
                   "to_stablehlo: an adaptive pool of {} to {} values has windows of different lengths", in[d], out[d]);
      kernel[d] = stride[d] = in[d] / out[d];
      padding[d] = 0, dilation[d] = 1;
    }
  }

  std::vector<int64_t> in, out, kernel, stride, padding, dilation;

  Windows windows(const Operand& x) const {
    Windows w(x);
    for (size_t i = 0; i < 2; ++i) {
      const size_t d = x.sizes.size() - 2 + i;
      w.size[d] = kernel[i], w.stride[d] = stride[i], w.dilation[d] = dilation[i], w.low[d] = padding[i];
      // The last window may reach beyond the padding.
      const int64_t read = (out[i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1;
      w.high[d] = std::max<int64_t>(0, read - in[i] - padding[i]);
    }
    return w;
  }

  /// How many elements the mean of each window counts, (oh, ow).
  Tensor counts(const Call& c) const {
    if (const int64_t divisor = c.integer("divisor")) return full({out[0], out[1]}, divisor, kDouble);
    const int64_t around = c.flag("count_include_pad") ? 1 : 0;
    const auto along = [&](size_t d, int64_t i) {
      const int64_t first = i * stride[d] - padding[d], pad = around * padding[d];
      return std::min(first + kernel[d], in[d] + pad) - std::max(first, -pad);
    };
    const Tensor n = empty({out[0], out[1]}, kDouble);
    for (int64_t i = 0; i < out[0]; ++i)
      for (int64_t j = 0; j < out[1]; ++j)
        n.data_ptr<double>()[i * out[1] + j] = static_cast<double>(along(0, i) * along(1, j));
    return n;
  }
};

/// x over the number of elements of its window.
Operand averaged(const Call& c, const Pool& pool, const Operand& x) {
  const Operand n = c.w.broadcast(c.w.constant(pool.counts(c).to(x.dtype)), x.sizes);
  return c.w.op("stablehlo.divide", {x, n}, x.dtype, x.sizes);
}

/// (..., h, w) as (planes, h * w).
Operand as_planes(const Call& c, const Operand& x) {
  int64_t planes = 1;
  for (size_t d = 0; d + 2 < x.sizes.size(); ++d) planes *= x.sizes[d];
  return c.w.reshaped(x, {planes, x.sizes[x.sizes.size() - 2] * x.sizes[x.sizes.size() - 1]});
}

}  // namespace

Operands running_sum(const Call& c) { return running(c, "stablehlo.add", 0); }
Operands running_product(const Call& c) { return running(c, "stablehlo.multiply", 1); }
Operands running_maximum(const Call& c) { return running_extreme(c, true); }
Operands running_minimum(const Call& c) { return running_extreme(c, false); }

/// NaN is found where it is last, as the kernel finds it, and a number where it is first.
Operands max_pool(const Call& c) {
  const Operand& x = c.in[0];
  const Pool pool(c);
  const Operand plane = c.w.reshaped(c.w.iota(kLong, {pool.in[0] * pool.in[1]}, 0), pool.in);
  const DimVector sizes(c.sizes());
  return c.w.op("stablehlo.reduce_window",
                {x, c.w.broadcast(plane, x.sizes), c.w.number(extreme(x.dtype, false), x.dtype),
                 c.w.number(std::numeric_limits<int64_t>::max(), kLong)},
                {better_pair(c, x.dtype, {true, false, true})}, {{"", x.dtype, sizes}, {"", kLong, sizes}},
                pool.windows(x).attributes());
}

Operands max_pool_values(const Call& c) {
  const Operand& x = c.in[0];
  const Scalar least = extreme(x.dtype, false);
  return {joined_windows(c, "stablehlo.maximum", x, least, Pool(c).windows(x), c.sizes())};
}

Operands max_pool_scatter(const Call& c) {
  const Operand g = as_planes(c, c.in[0]), index = as_planes(c, c.in[1]);
  const std::vector<int64_t> in = c.integers("input");
  const Operand none = c.w.number(0, c.dtype(), {g.sizes[0], in[0] * in[1]});
  const Operand sums = scattered(c, none, index, g, 1, c.w.joining("stablehlo.add", c.dtype()));
  return {c.w.reshaped(sums, c.sizes())};
}

Operands max_pool_gather(const Call& c) {
  return {c.w.reshaped(gathered(c, as_planes(c, c.in[0]), as_planes(c, c.in[1]), 1), c.sizes())};
}

Operands avg_pool(const Call& c) {
  const Pool pool(c);
  const Operand x = c.w.converted(c.in[0], summed_in(c.dtype()));
  const Operand sums = joined_windows(c, "stablehlo.add", x, 0, pool.windows(x), c.sizes());
  return {c.w.converted(averaged(c, pool, sums), c.dtype())};
}

/// Each element gets a share of every window that it is in: a window, backwards, over gradients that stand as far apart
/// as the windows do.
Operands avg_pool_backward(const Call& c) {
  const Pool pool(c);
  const Operand g = averaged(c, pool, c.w.converted(c.in[0], summed_in(c.dtype())));
  Windows w(g);
  for (size_t i = 0; i < 2; ++i) {
    const size_t d = g.sizes.size() - 2 + i;
    w.size[d] = pool.kernel[i], w.base[d] = pool.stride[i], w.low[d] = pool.kernel[i] - 1 - pool.padding[i];
    w.high[d] = pool.in[i] + pool.padding[i] - 1 - (pool.out[i] - 1) * pool.stride[i];
  }
  return {c.w.converted(joined_windows(c, "stablehlo.add", g, 0, w, c.sizes()), c.dtype())};
}

}  // namespace strata::stablehlo
