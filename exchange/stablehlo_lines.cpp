// Sorting, Fourier transforms and triangular systems in StableHLO.
#include "exchange/stablehlo_writer.h"

namespace strata::stablehlo {
namespace {

/// (values, places) of sorted lines; NaN is greater than any number.
Operands sorted(const Call& c, const Operand& x, int64_t dim, bool descending) {
  const Operand a = c.w.argument(x.dtype, {}), b = c.w.argument(x.dtype, {}), i = c.w.argument(kLong, {}),
                j = c.w.argument(kLong, {});
  const std::string comparator = c.w.region({a, b, i, j}, [&] {
    const Operand &less = descending ? b : a, &greater = descending ? a : b;
    const Operand is_number = c.w.compared("EQ", less, less), is_nan = c.w.compared("NE", greater, greater);
    const Operand only_one = c.w.op("stablehlo.and", {is_number, is_nan}, kBool, {});
    return Operands{c.w.op("stablehlo.or", {c.w.compared("LT", less, greater), only_one}, kBool, {})};
  });
  return c.w.op("stablehlo.sort", {x, c.w.iota(kLong, x.sizes, dim)}, {comparator},
                {{"", x.dtype, x.sizes}, {"", kLong, x.sizes}},
                "dimension = " + std::to_string(dim) + " : i64, is_stable = true");
}

Operand scaled(const Call& c, const Operand& x, double by) {
  if (by == 1) return x;
  return c.w.op("stablehlo.multiply", {x, c.w.number(by, x.dtype, x.sizes)}, x.dtype, x.sizes);
}

/// A transform along one dim, which gets `size` values: StableHLO's are along the last.
Operand along(const Call& c, const char* type, const Operand& x, int64_t dim, int64_t length, DType dtype,
              int64_t size) {
  DimVector turn = counted(x.dim());
  std::swap(turn[static_cast<size_t>(dim)], turn.back());
  const Operand turned = c.w.transposed(x, turn);
  DimVector sizes = turned.sizes;
  sizes.back() = size;
  const Operand y =
      c.w.op("stablehlo.fft", {turned}, dtype, sizes,
             std::string("fft_type = #stablehlo<fft_type ") + type + ">, " + array("fft_length", {length}));
  return c.w.transposed(y, turn);
}

/// Transforms of complex numbers along dims, without a factor.
Operand spectrum(const Call& c, Operand x, IntArrayRef dims, bool forward) {
  double factor = 1;  // StableHLO's inverse divides by the length
  for (const int64_t d : dims) {
    const int64_t n = x.sizes[static_cast<size_t>(d)];
    x = along(c, forward ? "FFT" : "IFFT", x, d, n, x.dtype, n);
    if (!forward) factor *= static_cast<double>(n);
  }
  return scaled(c, x, factor);
}

/// All dims but the last one named.
std::vector<int64_t> others(const std::vector<int64_t>& dims) { return {dims.begin(), dims.end() - 1}; }

}  // namespace

Operands sort(const Call& c) {
  const Operands found = sorted(c, with_dim(c, c.in[0]), c.integer("dim"), c.flag("descending"));
  return {c.w.reshaped(found[0], c.sizes()), c.w.reshaped(found[1], c.sizes())};
}

Operands topk(const Call& c) {
  const Operand x = with_dim(c, c.in[0]);
  const int64_t dim = c.integer("dim");
  DimVector sizes = x.sizes;
  sizes[static_cast<size_t>(dim)] = c.integer("k");
  Operands first;
  for (const Operand& all : sorted(c, x, dim, c.flag("largest")))
    first.push_back(c.w.reshaped(beginning(c, all, sizes), c.sizes()));
  return first;
}

Operands fft_c2c(const Call& c) {
  return {scaled(c, spectrum(c, c.in[0], c.integers("dims"), c.flag("forward")), c.fields["scale"].toDouble())};
}

/// Backwards, the transform of real numbers is the conjugate of that forwards.
Operands fft_r2c(const Call& c) {
  const std::vector<int64_t> dims = c.integers("dims");
  const Operand& x = c.in[0];
  const bool forward = c.flag("forward");
  Operand y;
  if (c.flag("onesided")) {
    const int64_t n = x.sizes[static_cast<size_t>(dims.back())];
    y = spectrum(c, along(c, "RFFT", x, dims.back(), n, c.dtype(), n / 2 + 1), others(dims), true);
    if (!forward) y = conjugated(c, y);
  } else {
    y = spectrum(c, c.w.converted(x, c.dtype()), dims, forward);
  }
  return {scaled(c, y, c.fields["scale"].toDouble())};
}

/// Forwards, the transform to real numbers is that backwards of the conjugate.
Operands fft_c2r(const Call& c) {
  const std::vector<int64_t> dims = c.integers("dims");
  const int64_t n = c.integer("last_dim_size");
  const Operand x = c.flag("forward") ? conjugated(c, c.in[0]) : c.in[0];
  const Operand y = along(c, "IRFFT", spectrum(c, x, others(dims), false), dims.back(), n, c.dtype(), n);
  return {scaled(c, y, c.fields["scale"].toDouble() * static_cast<double>(n))};
}

Operands triangular_solve(const Call& c) {
  const Operand& b = c.in[1];
  DimVector sizes = b.sizes;
  sizes[sizes.size() - 2] = sizes.back() = c.in[0].sizes.back();
  const auto word = [](bool v) { return v ? "true" : "false"; };
  return {c.w.op("stablehlo.triangular_solve", {c.w.broadcast(c.in[0], sizes), b}, c.dtype(), c.sizes(),
                 std::string("left_side = ") + word(c.flag("left")) + ", lower = " + word(!c.flag("upper")) +
                     ", unit_diagonal = " + word(c.flag("unitriangular")) +
                     ", transpose_a = #stablehlo<transpose NO_TRANSPOSE>")};
}

}  // namespace strata::stablehlo
