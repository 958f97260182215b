// Grid sampling as a weighted sum of gathered elements, whose weights are made of the grid: all of it differentiates.
#include "ops/grid_sample.h"

#include <vector>

#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// One dim of the input and how the grid's numbers are places in it.
struct GridDim {
  int64_t size;
  GridPadding padding;
  bool align_corners;

  double last() const { return static_cast<double>(size - 1); }

  /// From [-1, 1] to elements.
  Tensor place(const Tensor& c) const {
    if (align_corners) return c.add(1).mul(last() / 2);
    return c.add(1).mul(static_cast<double>(size)).sub(1).div(2);
  }

  /// Brought into the input by the padding's rule; NaN becomes 0 where it brings anything.
  Tensor inside(const Tensor& p) const {
    if (padding == GridPadding::Zeros) return p;
    return clip(padding == GridPadding::Reflection ? reflect(p) : p);
  }

  /// Elements that exist.
  Tensor exists(const Tensor& p) const { return logical_and(p.ge(0), p.le(last())); }

 private:
  /// The gradient at the ends is zero, as that beyond.
  Tensor clip(const Tensor& p) const {
    const Tensor free = logical_and(p.gt(0), p.lt(last()));
    return where(free, p, where(p.ge(last()), Scalar(last()), Scalar(0.0)).to(p.dtype()));
  }

  Tensor reflect(const Tensor& p) const {
    const double low = align_corners ? 0 : -0.5, span = align_corners ? last() : static_cast<double>(size);
    if (span == 0) return zeros_like(p);
    const Tensor shifted = p.sub(low), distance = where(shifted.lt(0), shifted.neg(), shifted);
    const Tensor rest = distance.fmod(span);
    const Tensor is_even = floor(distance.div(span)).fmod(2).eq(0);
    return where(is_even, rest, rest.neg().add(span)).add(low);
  }
};

/// Elements of one dim that count for each place: which, how much, and whether there are any.
struct Tap {
  Tensor element, weight, exists;
};

/// The weights of the four elements around a place, `t` behind the second. Keys' cubic convolution with -0.75.
std::vector<Tensor> cubic_weights(const Tensor& t) {
  constexpr double a = -0.75;
  const auto near = [&](const Tensor& x) { return x.mul(a + 2).sub(a + 3).mul(x).mul(x).add(1); };
  const auto far = [&](const Tensor& x) { return x.mul(a).sub(5 * a).mul(x).add(8 * a).mul(x).sub(4 * a); };
  const Tensor back = t.neg().add(1);
  return {far(t.add(1)), near(t), near(back), far(back.add(1))};
}

std::vector<Tap> taps_of(const GridDim& d, const Tensor& coordinate, GridInterpolation mode) {
  const Tensor place = d.place(coordinate);
  if (mode == GridInterpolation::Bicubic) {
    const Tensor first = floor(place.detach());
    const std::vector<Tensor> weights = cubic_weights(place.sub(first));
    std::vector<Tap> taps;
    for (int64_t i = 0; i < 4; ++i) {
      const Tensor e = d.inside(first.add(i - 1));
      taps.push_back({e, weights[static_cast<size_t>(i)], d.exists(e)});
    }
    return taps;
  }
  const Tensor p = d.inside(place);
  if (mode == GridInterpolation::Nearest) {
    const Tensor nearest = round(p), element = nearest.detach();
    // One, and a function of the grid whose gradient is zero.
    return {{element, nearest.sub(element).add(1), d.exists(element)}};
  }
  const Tensor low = floor(p.detach()), high = low.add(1);
  return {{low, high.sub(p), d.exists(low)}, {high, p.sub(low), d.exists(high)}};
}

/// The taps of several dims together: elements by their place in the row-major image.
std::vector<Tap> product(const std::vector<Tap>& outer, const std::vector<Tap>& inner, int64_t inner_size) {
  std::vector<Tap> taps;
  for (const Tap& a : outer)
    for (const Tap& b : inner)
      taps.push_back(
          {a.element.mul(inner_size).add(b.element), a.weight.mul(b.weight), logical_and(a.exists, b.exists)});
  return taps;
}

/// Places that do not exist count as the first element with weight zero.
Tap indices(const Tap& t) {
  const Tensor element = where(t.exists, t.element, Scalar(-1)).to(kLong);
  return {clamp_min(element, 0), where(t.exists, t.weight, Scalar(0.0)), t.exists};
}

Tensor sampled(const Tensor& input, const Tensor& grid, GridInterpolation mode, GridPadding padding,
               bool align_corners) {
  const int64_t dims = input.dim() - 2, n = input.size(0), c = input.size(1);
  std::vector<Tap> taps;
  for (int64_t d = 0; d < dims; ++d) {
    const GridDim dim{input.size(d + 2), padding, align_corners};
    std::vector<Tap> own = taps_of(dim, flatten(grid.select(-1, dims - 1 - d), 1, -1), mode);
    // Places as int64: those in float would not be exact in large images.
    for (Tap& t : own) t.element = indices(t).element;
    taps = d == 0 ? std::move(own) : product(taps, own, dim.size);
  }
  const Tensor x = flatten(input, 2, -1);
  Tensor y;
  for (const Tap& tap : taps) {
    const Tap t = indices(tap);
    const Tensor at = t.element.unsqueeze(1).expand({n, c, t.element.size(1)});
    const Tensor part = gather(x, 2, at).mul(t.weight.unsqueeze(1));
    y = y.defined() ? y.add(part) : part;
  }
  DimVector sizes{n, c};
  for (int64_t d = 1; d + 1 < grid.dim(); ++d) sizes.push_back(grid.size(d));
  return as_result(y.view(sizes));
}

void check_sampler(const char* name, const Tensor& input, const Tensor& grid, int64_t dims) {
  STRATA_CHECK(input.dim() == dims + 2 && grid.dim() == dims + 2,
               "{}: expected an input and a grid of {} dims, got {} and {}", name, dims + 2, input.sizes(),
               grid.sizes());
  STRATA_CHECK(input.is_floating_point() && input.dtype() == grid.dtype(),
               "{}: expected input and grid of one floating point type, got {} and {}", name,
               strata::name(input.dtype()), strata::name(grid.dtype()));
  STRATA_CHECK(grid.size(0) == input.size(0), "{}: expected grid and input to have same batch size, got {} and {}",
               name, grid.sizes(), input.sizes());
  STRATA_CHECK(grid.size(-1) == dims, "{}: expected grid to have size {} in last dimension, got {}", name, dims,
               grid.sizes());
  for (int64_t d = 2; d < input.dim(); ++d)
    STRATA_CHECK(input.size(d) > 0, "{}: the input {} has nothing to sample", name, input.sizes());
}

Tensor sampler(const char* name, int64_t dims, const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
               int64_t padding_mode, bool align_corners) {
  check_sampler(name, input, grid, dims);
  STRATA_CHECK(interpolation_mode >= 0 && interpolation_mode <= 2 && padding_mode >= 0 && padding_mode <= 2,
               "{}: there is no interpolation mode {} or padding mode {}", name, interpolation_mode, padding_mode);
  const auto mode = static_cast<GridInterpolation>(interpolation_mode);
  const auto padding = static_cast<GridPadding>(padding_mode);
  STRATA_CHECK(dims == 2 || mode != GridInterpolation::Bicubic, "{}: bicubic interpolation only supports 4-dim input",
               name);
  if (input.dtype() != kHalf && input.dtype() != kBFloat16) return sampled(input, grid, mode, padding, align_corners);
  return sampled(input.to(kFloat), grid.to(kFloat), mode, padding, align_corners).to(input.dtype());
}

/// The places of `n` elements between -1 and 1.
Tensor places(int64_t n, bool align_corners, const TensorOptions& options) {
  if (n <= 1) return zeros({n}, options);
  const Tensor all = linspace(-1, 1, n, options);
  return align_corners ? all : all.mul(static_cast<double>(n - 1)).div(static_cast<double>(n));
}

}  // namespace

Tensor grid_sampler_2d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners) {
  return sampler("grid_sampler_2d", 2, input, grid, interpolation_mode, padding_mode, align_corners);
}

Tensor grid_sampler_3d(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool align_corners) {
  return sampler("grid_sampler_3d", 3, input, grid, interpolation_mode, padding_mode, align_corners);
}

Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners) {
  STRATA_CHECK(input.dim() == 4 || input.dim() == 5, "grid_sampler: expected an input of 4 or 5 dims, got {}",
               input.sizes());
  return sampler("grid_sampler", input.dim() - 2, input, grid, interpolation_mode, padding_mode, align_corners);
}

Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners) {
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  STRATA_CHECK(dims == 2 || dims == 3, "affine_grid: expected a size of 4 or 5 numbers, got {}", size);
  STRATA_CHECK(theta.is_floating_point(), "affine_grid: expected theta to have floating point type, got {}",
               name(theta.dtype()));
  const DimVector wanted{size[0], dims, dims + 1};
  STRATA_CHECK(theta.sizes() == wanted,
               "affine_grid: expected a batch of affine matrices of shape {} for size {}, got {}", wanted, size,
               theta.sizes());
  for (int64_t n : size) STRATA_CHECK(n > 0, "affine_grid: expected non-zero, positive output size, got {}", size);
  const IntArrayRef image = size.slice(2);
  std::vector<Tensor> columns;  // x, y, z, 1
  for (int64_t d = dims - 1; d >= 0; --d) {
    DimVector shape(static_cast<size_t>(dims), 1);
    shape[d] = image[static_cast<size_t>(d)];
    columns.push_back(places(shape[d], align_corners, theta.options()).view(shape).expand(image));
  }
  columns.push_back(ones(image, theta.options()));
  const Tensor base = stack(columns, -1).view({1, numel_of(image), dims + 1});
  DimVector sizes{size[0]};
  for (int64_t n : image) sizes.push_back(n);
  sizes.push_back(dims);
  return as_result(matmul(base, theta.transpose(1, 2)).view(sizes));
}

}  // namespace strata
