// Interpolation, one dim at a time: each output position is a weighted sum of one, two or four input positions.
#include "nn/upsampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <vector>

#include "nn/detail.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/pool.h"
#include "ops/ternary.h"

namespace strata::nn {

namespace {

/// How positions of one dim map: `scale` input positions per output position.
struct Axis {
  int64_t dim, in, out;
  double scale;
  bool align_corners;

  /// Where output position i lies in the input.
  double source(int64_t i) const {
    const double at = static_cast<double>(i);
    return align_corners ? (out > 1 ? at * static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0)
                         : (at + 0.5) * scale - 0.5;
  }
};

/// The values of `index(i)` for all output positions, picked along the axis.
template <class F>
Tensor pick(const Tensor& x, const Axis& axis, F index) {
  Tensor indices = empty({axis.out}, kLong);
  for (int64_t i = 0; i < axis.out; ++i) indices.data_ptr<int64_t>()[i] = std::clamp<int64_t>(index(i), 0, axis.in - 1);
  return index_select(x, axis.dim, indices.to(x.device()));
}

/// The values of `weight(i)` for all output positions, shaped to multiply along the axis.
template <class F>
Tensor weights(const Tensor& x, const Axis& axis, F weight) {
  Tensor values = empty({axis.out}, kDouble);
  for (int64_t i = 0; i < axis.out; ++i) values.data_ptr<double>()[i] = weight(i);
  DimVector sizes(static_cast<size_t>(x.dim()), 1);
  sizes[static_cast<size_t>(axis.dim)] = axis.out;
  return values.to(x.device(), x.dtype()).reshape(sizes);
}

Tensor nearest(const Tensor& x, const Axis& axis, bool exact) {
  return pick(x, axis, [&](int64_t i) {
    return static_cast<int64_t>(std::floor((static_cast<double>(i) + (exact ? 0.5 : 0.0)) * axis.scale));
  });
}

Tensor linear(const Tensor& x, const Axis& axis) {
  const auto from = [&](int64_t i) { return std::max(axis.source(i), 0.0); };
  const auto low = [&](int64_t i) { return static_cast<int64_t>(from(i)); };
  const Tensor share = weights(x, axis, [&](int64_t i) { return from(i) - static_cast<double>(low(i)); });
  const Tensor a = pick(x, axis, low), b = pick(x, axis, [&](int64_t i) { return low(i) + 1; });
  return lerp(a, b, share);
}

/// Keys' cubic convolution (1981) with the parameter -0.75; `tap` is -1 to 2.
double cubic_weight(double fraction, int tap) {
  constexpr double a = -0.75;
  const double d = std::abs(fraction - tap);
  return d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

Tensor cubic(const Tensor& x, const Axis& axis) {
  Tensor sum;
  for (int tap = -1; tap <= 2; ++tap) {
    const auto low = [&](int64_t i) { return std::floor(axis.source(i)); };
    const Tensor part = pick(x, axis, [&](int64_t i) {
                          return static_cast<int64_t>(low(i)) + tap;
                        }).mul(weights(x, axis, [&](int64_t i) { return cubic_weight(axis.source(i) - low(i), tap); }));
    sum = sum.defined() ? sum.add(part) : part;
  }
  return sum;
}

Tensor along(const Tensor& x, const Axis& axis, Choice mode) {
  if (mode == kNearest || mode == kNearestExact) return nearest(x, axis, mode == kNearestExact);
  return mode == kBicubic ? cubic(x, axis) : linear(x, axis);
}

/// Throws unless the mode is for this number of spatial dims.
void check_mode(const Tensor& input, const InterpolateOptions& o) {
  const int64_t spatial = input.dim() - 2;
  const Choice mode = o.mode();
  const bool any = mode == kNearest || mode == kNearestExact || mode == kArea;
  const bool fits = any || (mode == kLinear && spatial == 1) ||
                    ((mode == kBilinear || mode == kBicubic) && spatial == 2) || (mode == kTrilinear && spatial == 3);
  STRATA_CHECK(spatial >= 1 && spatial <= 3 && fits, "interpolate: mode {} does not go with input {}", name(mode),
               input.sizes());
  STRATA_CHECK(o.size().has_value() != o.scale_factor().has_value(), "interpolate: give either size or scale_factor");
  const size_t given = o.size() ? o.size()->size() : o.scale_factor()->size();
  STRATA_CHECK(given == static_cast<size_t>(spatial), "interpolate: {} sizes or factors for {} dims", given, spatial);
  STRATA_CHECK(!any || !o.align_corners(), "interpolate: align_corners does not go with mode {}", name(mode));
}

Axis axis_of(const Tensor& input, const InterpolateOptions& o, size_t i) {
  const int64_t dim = static_cast<int64_t>(i) + 2, in = input.size(dim);
  if (o.size())
    return {dim, in, (*o.size())[i], static_cast<double>(in) / static_cast<double>((*o.size())[i]),
            o.align_corners().value_or(false)};
  const double factor = (*o.scale_factor())[i];
  const int64_t out = static_cast<int64_t>(std::floor(static_cast<double>(in) * factor));
  const bool recompute = o.recompute_scale_factor().value_or(false);
  return {dim, in, out, recompute ? static_cast<double>(in) / static_cast<double>(out) : 1 / factor,
          o.align_corners().value_or(false)};
}

Tensor area(const Tensor& input, const DimVector& sizes) {
  STRATA_CHECK(sizes.size() <= 2, "interpolate: mode area is for one or two dims, got {}", sizes.size());
  return sizes.size() == 1 ? adaptive_avg_pool1d(input, sizes) : adaptive_avg_pool2d(input, sizes);
}

}  // namespace

Tensor functional::interpolate(const Tensor& input, const InterpolateFuncOptions& options) {
  check_mode(input, options);
  DimVector sizes;
  std::vector<Axis> axes;
  for (size_t i = 0; i < static_cast<size_t>(input.dim() - 2); ++i) {
    const Axis& axis = axes.emplace_back(axis_of(input, options, i));
    STRATA_CHECK(axis.in > 0 && axis.out > 0, "interpolate: cannot go from size {} to {}", axis.in, axis.out);
    sizes.push_back(axis.out);
  }
  if (options.mode() == kArea) return area(input, sizes);
  // The last dim first, while there is the least of everything: along it single elements move, along others whole rows.
  Tensor x = input;
  for (size_t i = axes.size(); i-- > 0;) x = along(x, axes[i], options.mode());
  return x;
}

Tensor functional::pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options) {
  const int64_t r = options.upscale_factor();
  const int64_t square = checked_mul(r, r, "pixel_shuffle");
  STRATA_CHECK(r > 0 && input.dim() >= 3 && input.size(-3) % square == 0,
               "pixel_shuffle: factor {} does not divide the channels of {}", r, input.sizes());
  const int64_t c = input.size(-3) / square, h = input.size(-2), w = input.size(-1);
  DimVector sizes(input.sizes().slice(0, input.sizes().size() - 3));
  const Tensor x = input.reshape({numel_of(sizes), c, r, r, h, w}).permute({0, 1, 4, 2, 5, 3});
  for (const int64_t size : {c, checked_mul(h, r, "pixel_shuffle"), checked_mul(w, r, "pixel_shuffle")})
    sizes.push_back(size);
  return x.clone().reshape(sizes);  // a copy with factor 1 too
}

Tensor functional::pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& options) {
  const int64_t r = options.downscale_factor();
  STRATA_CHECK(r > 0 && input.dim() >= 3 && input.size(-2) % r == 0 && input.size(-1) % r == 0,
               "pixel_unshuffle: factor {} does not divide the size of {}", r, input.sizes());
  const int64_t c = input.size(-3), h = input.size(-2) / r, w = input.size(-1) / r;
  DimVector sizes(input.sizes().slice(0, input.sizes().size() - 3));
  const Tensor x = input.reshape({numel_of(sizes), c, h, r, w, r}).permute({0, 1, 3, 5, 2, 4});
  const int64_t square = checked_mul(r, r, "pixel_unshuffle");
  for (const int64_t size : {checked_mul(c, square, "pixel_unshuffle"), h, w}) sizes.push_back(size);
  return x.clone().reshape(sizes);  // a copy with factor 1 too
}

void UpsampleImpl::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list;
  if (options.size()) list.emplace_back("size", *options.size());
  if (options.scale_factor())
    list.emplace_back("scale_factor", (*options.scale_factor()).empty() ? 0.0 : (*options.scale_factor())[0]);
  list.emplace_back("mode", options.mode());
  print_module(stream, "Upsample", list);
}
Tensor UpsampleImpl::forward(const Tensor& input) { return functional::interpolate(input, options); }

void PixelShuffleImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "PixelShuffle", {{"upscale_factor", options.upscale_factor()}});
}
Tensor PixelShuffleImpl::forward(const Tensor& input) { return functional::pixel_shuffle(input, options); }

void PixelUnshuffleImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "PixelUnshuffle", {{"downscale_factor", options.downscale_factor()}});
}
Tensor PixelUnshuffleImpl::forward(const Tensor& input) { return functional::pixel_unshuffle(input, options); }

}  // namespace strata::nn
