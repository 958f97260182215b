// Resampling, one dim at a time, made of index_select: gradients and batching come with it.
#include "ops/interpolate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/view.h"

namespace strata {
namespace {

using Scale = std::optional<double>;

void check(const char* op, const Tensor& x, IntArrayRef output_size, int64_t dims) {
  STRATA_CHECK(x.dim() == dims + 2, "{}: expected an input of {} dims, got {}", op, dims + 2, x.sizes());
  STRATA_CHECK(static_cast<int64_t>(output_size.size()) == dims, "{}: output_size takes {} numbers, got {}", op, dims,
               output_size);
  for (int64_t d = 0; d < dims; ++d)
    STRATA_CHECK(x.size(d + 2) > 0 && output_size[static_cast<size_t>(d)] > 0, "{}: cannot resample the input {} to {}",
                 op, x.sizes(), output_size);
}

Tensor take(const Tensor& x, int64_t dim, const std::vector<int64_t>& positions) {
  return index_select(x, dim, tensor(positions, TensorOptions(kLong).device(x.device())));
}

Tensor nearest(const Tensor& x, int64_t dim, int64_t out, Scale factor) {
  const int64_t in = x.size(dim);
  if (in == out && !factor) return x;
  // In float, as the original of this definition (PyTorch) rounds.
  const float scale = factor ? static_cast<float>(1 / *factor) : static_cast<float>(in) / static_cast<float>(out);
  std::vector<int64_t> from(static_cast<size_t>(out));
  for (int64_t o = 0; o < out; ++o)
    from[static_cast<size_t>(o)] = std::min(in - 1, static_cast<int64_t>(std::floor(static_cast<float>(o) * scale)));
  return take(x, dim, from);
}

/// The position in the input that output `o` shows.
double source(int64_t o, int64_t in, int64_t out, bool align_corners, Scale factor) {
  const double at = static_cast<double>(o);
  if (align_corners) return out == 1 ? 0 : at * static_cast<double>(in - 1) / static_cast<double>(out - 1);
  const double scale = factor ? 1 / *factor : static_cast<double>(in) / static_cast<double>(out);
  return std::max(0.0, (at + 0.5) * scale - 0.5);
}

Tensor linear(const Tensor& x, int64_t dim, int64_t out, bool align_corners, Scale factor) {
  const int64_t in = x.size(dim);
  const size_t n = static_cast<size_t>(out);
  std::vector<int64_t> lower(n), upper(n);
  std::vector<double> weight(n);
  for (size_t o = 0; o < n; ++o) {
    const double at = source(static_cast<int64_t>(o), in, out, align_corners, factor);
    lower[o] = std::min(in - 1, static_cast<int64_t>(at));
    upper[o] = std::min(in - 1, lower[o] + 1);
    weight[o] = std::min(1.0, at - static_cast<double>(lower[o]));
  }
  DimVector along(static_cast<size_t>(x.dim()), 1);
  along[static_cast<size_t>(dim)] = out;
  const Tensor w = reshape(tensor(weight, TensorOptions(x.dtype()).device(x.device())), along);
  return take(x, dim, lower).mul(w.neg().add(1)).add(take(x, dim, upper).mul(w));
}

}  // namespace

Tensor upsample_nearest1d(const Tensor& input, IntArrayRef output_size, Scale scales) {
  check("upsample_nearest1d", input, output_size, 1);
  return nearest(input, 2, output_size[0], scales);
}

Tensor upsample_nearest2d(const Tensor& input, IntArrayRef output_size, Scale scales_h, Scale scales_w) {
  check("upsample_nearest2d", input, output_size, 2);
  return nearest(nearest(input, 2, output_size[0], scales_h), 3, output_size[1], scales_w);
}

Tensor upsample_linear1d(const Tensor& input, IntArrayRef output_size, bool align_corners, Scale scales) {
  check("upsample_linear1d", input, output_size, 1);
  STRATA_CHECK(input.is_floating_point(), "upsample_linear1d: expected a floating point input, got {}",
               name(input.dtype()));
  return linear(input, 2, output_size[0], align_corners, scales);
}

Tensor upsample_bilinear2d(const Tensor& input, IntArrayRef output_size, bool align_corners, Scale scales_h,
                           Scale scales_w) {
  check("upsample_bilinear2d", input, output_size, 2);
  STRATA_CHECK(input.is_floating_point(), "upsample_bilinear2d: expected a floating point input, got {}",
               name(input.dtype()));
  const Tensor rows = linear(input, 2, output_size[0], align_corners, scales_h);
  return linear(rows, 3, output_size[1], align_corners, scales_w);
}

}  // namespace strata
