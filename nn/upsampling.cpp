// Interpolation: each output position is a weighted sum of one, two or four input positions in each dim.
#include "nn/upsampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "core/called.h"
#include "core/warning.h"
#include "nn/detail.h"
#include "ops/as_result.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/pool.h"
#include "ops/resample.h"
#include "ops/view.h"

namespace strata::nn {

namespace {

Resampling resampling(Choice mode) {
  if (mode == kNearest || mode == kNearestExact) return Resampling::Nearest;
  return mode == kBicubic ? Resampling::Cubic : Resampling::Linear;
}

/// The dims of an input that a mode is for; 0 for those that take any.
int64_t dims_of(Choice mode) {
  if (mode == kLinear) return 3;
  if (mode == kTrilinear) return 5;
  return mode == kBilinear || mode == kBicubic ? 4 : 0;
}

/// Whether the mode takes elements as they are or their mean, so that it has no corners to align.
bool is_without_corners(Choice mode) { return mode == kNearest || mode == kNearestExact || mode == kArea; }

/// Throws unless the mode is for this number of spatial dims.
void check_mode(const Tensor& input, const InterpolateOptions& o) {
  const int64_t spatial = input.dim() - 2;
  const Choice mode = o.mode();
  const bool any = is_without_corners(mode);
  STRATA_CHECK(
      spatial >= 1 && spatial <= 3,
      "interpolate: Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | "
      "linear | bilinear | bicubic | trilinear (got {})",
      input.dim(), constant_name(mode));
  STRATA_CHECK(!any || !o.align_corners(),
               "interpolate: align_corners option can only be set with the interpolating modes: linear | bilinear | "
               "bicubic | trilinear, this is {}",
               name(mode));
  STRATA_CHECK(any || input.dim() == dims_of(mode), "interpolate: Got {}D input, but {} mode needs {}D input",
               input.dim(), name(mode), dims_of(mode));
  STRATA_CHECK(o.size() || o.scale_factor(), "interpolate: either size or scale_factor should be defined");
  STRATA_CHECK(!o.size() || !o.scale_factor(), "interpolate: only one of size or scale_factor should be defined");
  const size_t given = o.size() ? o.size()->size() : o.scale_factor()->size();
  STRATA_CHECK(given == static_cast<size_t>(spatial) || !o.size(),
               "interpolate: It is expected output_size equals to {}, but got size {}", spatial, given);
  STRATA_CHECK(given == static_cast<size_t>(spatial),
               "interpolate: scale_factor shape must match input shape. Input is {}D, scale_factor size is [{}]",
               spatial, fmt::format("{}", fmt::join(*o.scale_factor(), ", ")));
}

/// Says what is taken where the options leave open what was another thing in earlier versions of PyTorch.
void warn_of_defaults(const InterpolateOptions& o) {
  if (!o.align_corners() && !is_without_corners(o.mode()))
    warn("interpolate: align_corners is false unless it is given; it was true once");
  const auto is_broken = [](double factor) { return std::floor(factor) != factor; };
  if (o.scale_factor() && !o.recompute_scale_factor() && std::ranges::any_of(*o.scale_factor(), is_broken))
    warn("interpolate: scale factors are taken as they are; recompute_scale_factor(true) takes them from the sizes");
}

/// How spatial dim i is resampled. Elements are cells, of which the middles meet, or with align_corners and in mode
/// nearest points, of which the first ones do.
ResampledDim dim_of(const Tensor& input, const InterpolateOptions& o, size_t i) {
  ResampledDim d{input.size(static_cast<int64_t>(i) + 2), 0};
  const double in = static_cast<double>(d.in);
  if (o.size()) {
    d.out = (*o.size())[i];
    d.scale = in / static_cast<double>(d.out);
  } else {
    const double factor = (*o.scale_factor())[i];
    d.out = static_cast<int64_t>(std::floor(in * factor));
    d.scale = o.recompute_scale_factor().value_or(false) ? in / static_cast<double>(d.out) : 1 / factor;
  }
  if (o.align_corners().value_or(false))
    d.scale = d.out > 1 ? (in - 1) / static_cast<double>(d.out - 1) : 0;
  else if (o.mode() != kNearest)
    d.shift = 0.5, d.back = o.mode() == kNearestExact ? 0 : 0.5;
  return d;
}

Tensor area(const Tensor& input, const DimVector& sizes) {
  if (sizes.size() == 1) return adaptive_avg_pool1d(input, sizes);
  return sizes.size() == 2 ? adaptive_avg_pool2d(input, sizes) : adaptive_avg_pool3d(input, sizes);
}

/// The weight of an element at `distance` of a place: a tent, or Keys' cubic convolution (1981, with -0.5).
double filter(Choice mode, double distance) {
  const double x = std::abs(distance);
  if (mode == kBilinear) return x < 1 ? 1 - x : 0;
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? -0.5 * (((x - 5) * x + 8) * x - 4) : 0;
}

/// The matrix `(out, in)` of a dim: filters as wide as the step between places, where that is above one, cut at the
/// ends and brought to a sum of one.
Tensor smoothing(const ResampledDim& d, Choice mode, const TensorOptions& options) {
  const double step = std::max(d.scale, 1.0), reach = (mode == kBilinear ? 1 : 2) * step;
  std::vector<double> all(static_cast<size_t>(checked_mul(d.out, d.in, "interpolate")));
  for (int64_t o = 0; o < d.out; ++o) {
    double* const row = all.data() + o * d.in;
    const double middle = d.scale * (static_cast<double>(o) + 0.5);
    const int64_t begin = std::max<int64_t>(static_cast<int64_t>(middle - reach + 0.5), 0);
    const int64_t end = std::min(static_cast<int64_t>(middle + reach + 0.5), d.in);
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) sum += row[i] = filter(mode, (static_cast<double>(i) - middle + 0.5) / step);
    for (int64_t i = begin; i < end && sum != 0; ++i) row[i] /= sum;
  }
  return tensor(all, TensorOptions(kDouble)).view({d.out, d.in}).to(options.device(), options.dtype());
}

Tensor antialiased(const Tensor& input, const std::vector<ResampledDim>& dims, Choice mode) {
  STRATA_CHECK(mode == kBilinear || mode == kBicubic, "interpolate: antialias does not go with mode {}", name(mode));
  STRATA_CHECK_AS(NotImplementedError, input.is_floating_point(), "interpolate: antialias is not implemented for {}",
                  name(input.dtype()));
  const bool widens = input.dtype() == kHalf || input.dtype() == kBFloat16;
  const Tensor x = widens ? input.to(kFloat) : input;
  const Tensor wide = matmul(x, smoothing(dims[1], mode, x.options()).t());
  const Tensor y = matmul(smoothing(dims[0], mode, x.options()), wide);
  return widens ? y.to(input.dtype()) : y;
}

}  // namespace

Tensor functional::interpolate(const Tensor& input, const InterpolateFuncOptions& options) {
  const Called called;
  check_mode(input, options);
  warn_of_defaults(options);
  DimVector sizes;
  std::vector<ResampledDim> dims;
  for (size_t i = 0; i < static_cast<size_t>(input.dim() - 2); ++i) {
    const ResampledDim& dim = dims.emplace_back(dim_of(input, options, i));
    // Areas are an adaptive pool, which looks at the sizes itself and makes nothing of something.
    STRATA_CHECK(options.mode() == kArea || (dim.in > 0 && dim.out > 0), "interpolate: cannot go from size {} to {}",
                 dim.in, dim.out);
    sizes.push_back(dim.out);
  }
  if (options.antialias()) return antialiased(input, dims, options.mode());
  if (options.mode() == kArea) return area(input, sizes);
  return resample(input, 2, dims, resampling(options.mode()));
}

Tensor functional::pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options) {
  const Called called;
  const int64_t r = options.upscale_factor();
  const int64_t square = checked_mul(r, r, "pixel_shuffle");
  STRATA_CHECK(r > 0 && input.dim() >= 3 && input.size(-3) % square == 0,
               "pixel_shuffle: factor {} does not divide the channels of {}", r, input.sizes());
  const int64_t c = input.size(-3) / square, h = input.size(-2), w = input.size(-1);
  DimVector sizes(input.sizes().slice(0, input.sizes().size() - 3));
  const Tensor x = input.reshape({numel_of(sizes), c, r, r, h, w}).permute({0, 1, 4, 2, 5, 3});
  for (const int64_t size : {c, checked_mul(h, r, "pixel_shuffle"), checked_mul(w, r, "pixel_shuffle")})
    sizes.push_back(size);
  return as_result(x.clone(MemoryFormat::Contiguous).reshape(sizes));  // a copy with factor 1 too
}

Tensor functional::pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& options) {
  const Called called;
  const int64_t r = options.downscale_factor();
  STRATA_CHECK(r > 0 && input.dim() >= 3 && input.size(-2) % r == 0 && input.size(-1) % r == 0,
               "pixel_unshuffle: factor {} does not divide the size of {}", r, input.sizes());
  const int64_t c = input.size(-3), h = input.size(-2) / r, w = input.size(-1) / r;
  DimVector sizes(input.sizes().slice(0, input.sizes().size() - 3));
  const Tensor x = input.reshape({numel_of(sizes), c, h, r, w, r}).permute({0, 1, 3, 5, 2, 4});
  const int64_t square = checked_mul(r, r, "pixel_unshuffle");
  for (const int64_t size : {checked_mul(c, square, "pixel_unshuffle"), h, w}) sizes.push_back(size);
  return as_result(x.clone(MemoryFormat::Contiguous).reshape(sizes));  // a copy with factor 1 too
}

Tensor functional::channel_shuffle(const Tensor& input, const ChannelShuffleFuncOptions& options) {
  const Called called;
  const int64_t groups = options.groups();
  STRATA_CHECK(input.dim() >= 3, "channel_shuffle: expected (N, C, ...) of more than 2 dims, got {}", input.sizes());
  STRATA_CHECK(groups > 0 && input.size(1) % groups == 0, "channel_shuffle: {} groups do not divide the channels of {}",
               groups, input.sizes());
  const Tensor split = unflatten(input, 1, {groups, input.size(1) / groups});
  return as_result(flatten(split.transpose(1, 2).clone(MemoryFormat::Contiguous), 1, 2));  // a copy with one group too
}

namespace {

/// The first factor, which is that of all dims where there is one; under libtorch's names the list.
PrintedOption printed_factors(const std::vector<double>& factors) {
  PrintedOption option("scale_factor", factors.empty() ? 0.0 : factors[0]);
  if (!libtorch_names()) return option;
  for (size_t i = 1; i < factors.size(); ++i) option.value += ", " + PrintedOption("", factors[i]).value;
  option.value = "[" + option.value + "]";
  return option;
}

}  // namespace

void UpsampleImpl::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list;
  if (options.size()) list.emplace_back("size", *options.size());
  if (options.scale_factor()) list.push_back(printed_factors(*options.scale_factor()));
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

void ChannelShuffleImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "ChannelShuffle", {{"groups", options.groups()}});
}
Tensor ChannelShuffleImpl::forward(const Tensor& input) { return functional::channel_shuffle(input, options); }

}  // namespace strata::nn
