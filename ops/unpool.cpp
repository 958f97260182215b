// Max unpooling and fractional max pooling, made of gather and scatter.
#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/pool.h"
#include "ops/pooling.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor max_unpool(Pooling f, const Tensor& input, const Tensor& indices, IntArrayRef output_size) {
  check_pooled_dims(f, input);
  STRATA_CHECK(indices.dtype() == kLong, "{}: expected indices of int64, got {}", f.name, name(indices.dtype()));
  STRATA_CHECK(indices.sizes() == input.sizes(), "{}: expected indices of shape {} as the input, got {}", f.name,
               input.sizes(), indices.sizes());
  STRATA_CHECK(static_cast<int64_t>(output_size.size()) == f.dims, "{}: output_size takes {} numbers, got {}", f.name,
               f.dims, output_size);
  DimVector sizes(input.sizes().slice(0, static_cast<size_t>(input.dim() - f.dims)));
  for (int64_t n : output_size) STRATA_CHECK(n >= 1, "{}: output_size must be at least 1, got {}", f.name, output_size);
  DimVector lines = sizes;
  lines.push_back(numel_of(output_size));
  for (int64_t n : output_size) sizes.push_back(n);
  const Tensor nothing = constant(0, input.dtype(), input.device(), lines);
  return as_result(scatter(nothing, -1, flatten(indices, -f.dims, -1), flatten(input, -f.dims, -1)).view(sizes));
}

/// Where the `out` windows of `kernel` elements begin in a dim of `in`, for each sample `(N, C)`: `(N, C, out)`.
Tensor window_starts(const Tensor& sample, int64_t in, int64_t out, int64_t kernel) {
  DimVector last = sample.sizes();
  last.push_back(1);
  const Tensor end = full(last, in - kernel, sample.options().dtype(kLong));
  if (out == 1) return end;
  const Tensor u = sample.unsqueeze(-1), steps = arange(0, out - 1, 1, sample.options());
  // As one number of the samples' type, in which libtorch computes too: the places are cut to integers.
  const Tensor alpha = full({}, in - kernel, sample.options()).div(full({}, out - 1, sample.options()));
  return cat({u.add(steps).mul(alpha).to(kLong).sub(u.mul(alpha).to(kLong)), end}, -1);
}

/// The places of the largest elements, of those that stand `taps` behind `first` (N, C, windows) in planes (N, C, P); a
/// later NaN is larger than all.
Tensor places_of_maxima(const Tensor& planes, const Tensor& first, const std::vector<int64_t>& taps) {
  Tensor places, best;
  for (const int64_t tap : taps) {
    const Tensor at = tap == 0 ? first : first.add(tap), value = gather(planes, -1, at);
    if (!best.defined()) {
      places = at, best = value;
      continue;
    }
    const Tensor wins = logical_or(value.gt(best), value.ne(value));
    places = where(wins, at, places);
    best = where(wins, value, best);
  }
  return places;
}

std::tuple<Tensor, Tensor> fractional_max_pool(Pooling f, const Tensor& input, IntArrayRef kernel_size,
                                               IntArrayRef output_size, const Tensor& random_samples) {
  check_pooled_dims(f, input);
  STRATA_CHECK(input.is_floating_point(), "{}: expected floating point numbers, got {}", f.name, name(input.dtype()));
  const DimVector kernel = per_pooled_dim(f, kernel_size, "kernel_size", 1),
                  out = per_pooled_dim(f, output_size, "output_size", 1);
  const Tensor x = input.dim() == f.dims + 1 ? input.unsqueeze(0) : input;
  // As in PyTorch, which lets a picture without a batch pass.
  STRATA_CHECK(x.size(1) > 0 || input.dim() == f.dims + 1,
               "{}: expected input to have non-zero size for non-batch dimensions, got {}", f.name, input.sizes());
  const DimVector samples{x.size(0), x.size(1), f.dims};
  STRATA_CHECK(random_samples.sizes() == samples && random_samples.dtype() == input.dtype(),
               "{}: expected random samples {} of {}, got {} of {}", f.name, samples, name(input.dtype()),
               random_samples.sizes(), name(random_samples.dtype()));
  // Where windows start, by batch, channel and the D dims of windows, and how far behind it their elements stand.
  Tensor at = zeros({}, input.options().dtype(kLong));
  std::vector<int64_t> taps{0};
  for (int64_t d = 0; d < f.dims; ++d) {
    const size_t i = static_cast<size_t>(d);
    const int64_t in = x.size(d + 2);
    STRATA_CHECK(kernel[i] <= in && out[i] <= in - kernel[i] + 1, "{}: {} windows of {} do not fit in the input {}",
                 f.name, out[i], kernel[i], input.sizes());
    const Tensor sample = random_samples.detach().select(-1, f.dims == 2 ? 1 - d : d);
    DimVector shape{x.size(0), x.size(1)};
    for (int64_t j = 0; j < f.dims; ++j) shape.push_back(j == d ? out[i] : 1);
    at = at.mul(in).add(window_starts(sample, in, out[i], kernel[i]).view(shape));
    std::vector<int64_t> all;
    for (int64_t tap : taps)
      for (int64_t k = 0; k < kernel[i]; ++k) all.push_back(tap * in + k);
    taps = std::move(all);
  }
  const Tensor planes = flatten(x, -f.dims, -1), first = flatten(at, -f.dims, -1);
  const Tensor found = places_of_maxima(stop_gradient(planes), first, taps);
  const Tensor values = gather(planes, -1, found).view(at.sizes()), indices = found.view(at.sizes());
  if (input.dim() == x.dim()) return {as_result(values), as_result(indices)};
  return {as_result(values.squeeze(0)), as_result(indices.squeeze(0))};
}

}  // namespace

Tensor max_unpool1d(const Tensor& input, const Tensor& indices, IntArrayRef output_size) {
  const Called called;
  return max_unpool({"max_unpool1d", 1}, input, indices, output_size);
}

Tensor max_unpool2d(const Tensor& input, const Tensor& indices, IntArrayRef output_size) {
  const Called called;
  return max_unpool({"max_unpool2d", 2}, input, indices, output_size);
}

Tensor max_unpool3d(const Tensor& input, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                    IntArrayRef padding) {
  const Called called;
  constexpr Pooling f{"max_unpool3d", 3};
  per_pooled_dim(f, stride, "stride", 1);
  per_pooled_dim(f, padding, "padding", 0);
  return max_unpool(f, input, indices, output_size);
}

std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples) {
  return fractional_max_pool({"fractional_max_pool2d", 2}, input, kernel_size, output_size, random_samples);
}

std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& input, IntArrayRef kernel_size, IntArrayRef output_size,
                                                 const Tensor& random_samples) {
  return fractional_max_pool({"fractional_max_pool3d", 3}, input, kernel_size, output_size, random_samples);
}

}  // namespace strata
