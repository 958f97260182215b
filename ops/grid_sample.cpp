// Grid sampling: the ops, and their derivatives as weighted sums of gathered elements, whose weights are made of the
// grid.
#include "ops/grid_sample.h"

#include <sstream>
#include <string>
#include <vector>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/grid_sample_def.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/print.h"
#include "ops/reduce.h"
#include "ops/rules.h"
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

  /// How much `place` moves with the grid.
  double step() const { return (align_corners ? last() : static_cast<double>(size)) / 2; }

  /// How much `inside` moves with the place: 1, -1 where it is reflected, 0 where it is held at an end.
  Tensor slope(const Tensor& p) const {
    if (padding == GridPadding::Zeros) return ones_like(p);
    if (padding == GridPadding::Border) return is_free(p).to(p.dtype());
    const double span = align_corners ? last() : static_cast<double>(size), low = align_corners ? 0 : -0.5;
    if (span == 0) return zeros_like(p);
    const Tensor shifted = p.sub(low);
    const Tensor sign = where(logical_xor(shifted.lt(0), is_turned(shifted.abs(), span)), Scalar(-1.0), Scalar(1.0));
    return where(is_free(reflect(p)), sign, Scalar(0.0)).to(p.dtype());
  }

  /// Elements that exist.
  Tensor exists(const Tensor& p) const { return logical_and(p.ge(0), p.le(last())); }

 private:
  Tensor is_free(const Tensor& p) const { return logical_and(p.gt(0), p.lt(last())); }
  /// Does the place at this distance from the low end run back?
  static Tensor is_turned(const Tensor& distance, double span) { return floor(distance.div(span)).fmod(2).ne(0); }

  /// The gradient at the ends is zero, as that beyond.
  Tensor clip(const Tensor& p) const {
    return where(is_free(p), p, where(p.ge(last()), Scalar(last()), Scalar(0.0)).to(p.dtype()));
  }

  Tensor reflect(const Tensor& p) const {
    const double low = align_corners ? 0 : -0.5, span = align_corners ? last() : static_cast<double>(size);
    if (span == 0) return zeros_like(p);
    const Tensor shifted = p.sub(low), distance = where(shifted.lt(0), shifted.neg(), shifted);
    const Tensor rest = distance.fmod(span);
    return where(is_turned(distance, span), rest.neg().add(span), rest).add(low);
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

/// Their derivatives by `t`.
std::vector<Tensor> cubic_slopes(const Tensor& t) {
  constexpr double a = -0.75;
  const auto near = [&](const Tensor& x) { return x.mul(3 * (a + 2)).sub(2 * (a + 3)).mul(x); };
  const auto far = [&](const Tensor& x) { return x.mul(3 * a).sub(10 * a).mul(x).add(8 * a); };
  const Tensor back = t.neg().add(1);
  return {far(t.add(1)), near(t), near(back).neg(), far(back.add(1)).neg()};
}

/// With `derived` the weights are their derivatives by the coordinate.
std::vector<Tap> taps_of(const GridDim& d, const Tensor& coordinate, GridInterpolation mode, bool derived) {
  const Tensor place = d.place(coordinate);
  if (mode == GridInterpolation::Bicubic) {
    const Tensor first = floor(place.detach());
    const Tensor behind = place.sub(first);
    const std::vector<Tensor> weights = derived ? cubic_slopes(behind) : cubic_weights(behind);
    std::vector<Tap> taps;
    for (int64_t i = 0; i < 4; ++i) {
      const Tensor e = d.inside(first.add(i - 1));
      taps.push_back({e, weights[static_cast<size_t>(i)], d.exists(e)});
      if (derived) taps.back().weight = taps.back().weight.mul(d.step());
    }
    return taps;
  }
  const Tensor p = d.inside(place);
  if (mode == GridInterpolation::Nearest) {
    const Tensor element = round(p.detach());
    return {{element, derived ? zeros_like(element) : ones_like(element), d.exists(element)}};
  }
  const Tensor low = floor(p.detach()), high = low.add(1);
  if (derived) {
    const Tensor slope = d.slope(place.detach()).mul(d.step());
    return {{low, slope.neg(), d.exists(low)}, {high, slope, d.exists(high)}};
  }
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

constexpr int64_t kNone = -1;

/// The taps of all dims at the points of the grid as one, (N, points); the weights of dim `derived` are derivatives.
std::vector<Tap> taps_of_grid(const Tensor& grid, const GridParams& p, int64_t derived) {
  const int64_t dims = grid.dim() - 2;
  std::vector<Tap> taps;
  for (int64_t d = 0; d < dims; ++d) {
    const GridDim dim{p.image[static_cast<size_t>(d)], p.padding, p.align_corners};
    std::vector<Tap> own = taps_of(dim, flatten(grid.select(-1, dims - 1 - d), 1, -1), p.mode, d == derived);
    // Places as int64: those in float would not be exact in large images.
    for (Tap& t : own) t.element = indices(t).element;
    taps = d == 0 ? std::move(own) : product(taps, own, dim.size);
  }
  for (Tap& t : taps) t = indices(t);
  return taps;
}

DimVector joined(const Tensor& t, IntArrayRef sizes) {
  DimVector all{t.size(0), t.size(1)};
  for (int64_t n : sizes) all.push_back(n);
  return all;
}

Tensor gathered(const Tensor& input, const Tensor& grid, const GridParams& p, int64_t derived) {
  const Tensor x = flatten(input, 2, -1);
  const int64_t n = x.size(0), c = x.size(1);
  Tensor y;
  for (const Tap& t : taps_of_grid(grid, p, derived)) {
    const Tensor at = t.element.unsqueeze(1).expand({n, c, t.element.size(1)});
    const Tensor part = gather(x, 2, at).mul(t.weight.unsqueeze(1));
    y = y.defined() ? y.add(part) : part;
  }
  return as_result(y.view(joined(input, grid.sizes().slice(1, grid.sizes().size() - 2))));
}

Tensor scattered(const Tensor& grad, const Tensor& grid, const GridParams& p, int64_t derived) {
  const Tensor g = flatten(grad, 2, -1);
  const int64_t n = g.size(0), c = g.size(1);
  Tensor x = zeros({n, c, numel_of(p.image)}, grad.options());
  for (const Tap& t : taps_of_grid(grid, p, derived))
    x = scatter_add(x, 2, t.element.unsqueeze(1).expand({n, c, t.element.size(1)}), g.mul(t.weight.unsqueeze(1)));
  return as_result(x.view(joined(grad, p.image)));
}

Tensor sample(const Tensor& input, const Tensor& grid, const GridParams& p) {
  return call1(grid_sample_op, {&input, &grid}, p);
}
Tensor sample_backward(const Tensor& grad, const Tensor& grid, const GridParams& p) {
  return call1(grid_sample_backward_op, {&grad, &grid}, p);
}

/// The derivative by the grid of the sum of `grad` times the samples of `input`.
Tensor grid_gradient(const Tensor& grad, const Tensor& input, const Tensor& grid, const GridParams& p) {
  if (p.mode == GridInterpolation::Nearest) return zeros_like(grid);
  std::vector<Tensor> columns;  // x first
  for (int64_t d = grid.dim() - 3; d >= 0; --d) columns.push_back(grad.mul(gathered(input, grid, p, d)).sum(1));
  return stack(columns, -1);
}

/// f(d) times how the coordinate of dim d moves, summed over the dims.
template <class F>
Tensor along_grid(const Tensor& tangent, F f) {
  const int64_t dims = tangent.dim() - 2;
  Tensor sum;
  for (int64_t d = 0; d < dims; ++d) sum = rules::add_defined(sum, f(d, tangent.select(-1, dims - 1 - d).unsqueeze(1)));
  return sum;
}

Tensors batch_sampling(const Batch& c, const GridParams& p) {
  const Tensor first = flatten(rules::batched(c, 0), 0, 1), grid = flatten(rules::batched(c, 1), 0, 1);
  const int64_t images = c.in(0).size(c.batched(0) ? 1 : 0);
  return unflatten(call1(c.op, {&first, &grid}, p), 0, {c.size, images});
}

}  // namespace

STRATA_OP(grid_sample_op) =
    op<GridParams>(
        "grid_sample(Tensor input, Tensor grid, int mode, int padding, bool align_corners, int[] image) -> Tensor")
        .infer([](Args in) {
          const DimVector sizes = joined(in[0], in[1].sizes().slice(1, in[1].sizes().size() - 2));
          return meta(sizes, in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const GridParams& p) {
          Tensors grads = Tensors::undefined(2);
          if (c.needs(0)) grads[0] = sample_backward(c.grad(), c.in(1), p);
          if (c.needs(1)) grads[1] = grid_gradient(c.grad(), c.in(0), c.in(1), p);
          return grads;
        })
        .saves_for(0, saves_in(1))
        .saves_for(1, saves_in(0, 1))
        .jvp([](const Jvp& c, const GridParams& p) -> Tensors {
          Tensor along;
          if (c.tangent().defined()) along = sample(c.tangent(), c.in(1), p);
          if (!c.tangent(1).defined()) return along;
          return rules::add_defined(along, along_grid(c.tangent(1), [&](int64_t d, const Tensor& t) {
                                      return gathered(c.in(0), c.in(1), p, d).mul(t);
                                    }));
        })
        .batch([](const Batch& c, const GridParams& p) { return batch_sampling(c, p); })
        .dtypes(kSingleAndDouble)
        .dtypes_for(1, kSingleAndDouble);

STRATA_OP(grid_sample_backward_op) =
    op<GridParams>(
        "grid_sample_backward(Tensor grad, Tensor grid, int mode, int padding, bool align_corners, int[] image) -> "
        "Tensor")
        .infer([](Args in, const GridParams& p) { return meta(joined(in[0], p.image), in[0].dtype(), in[0].device()); })
        .vjp([](const Vjp& c, const GridParams& p) {
          Tensors grads = Tensors::undefined(2);
          if (c.needs(0)) grads[0] = sample(c.grad(), c.in(1), p);
          if (c.needs(1)) grads[1] = grid_gradient(c.in(0), c.grad(), c.in(1), p);
          return grads;
        })
        .saves_for(0, saves_in(1))
        .saves_for(1, saves_in(0, 1))
        .jvp([](const Jvp& c, const GridParams& p) -> Tensors {
          Tensor along;
          if (c.tangent().defined()) along = sample_backward(c.tangent(), c.in(1), p);
          if (!c.tangent(1).defined()) return along;
          return rules::add_defined(along, along_grid(c.tangent(1), [&](int64_t d, const Tensor& t) {
                                      return scattered(c.in(0).mul(t), c.in(1), p, d);
                                    }));
        })
        .batch([](const Batch& c, const GridParams& p) { return batch_sampling(c, p); })
        .dtypes(kSingleAndDouble)
        .dtypes_for(1, kSingleAndDouble);

Tensor composed_grid_sample(const Tensor& input, const Tensor& grid, const GridParams& p) {
  return gathered(input, grid, p, kNone);
}
Tensor composed_grid_sample_backward(const Tensor& grad, const Tensor& grid, const GridParams& p) {
  return scattered(grad, grid, p, kNone);
}

namespace {

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
  const GridParams p{mode, padding, align_corners, input.sizes().slice(2)};
  if (input.dtype() != kHalf && input.dtype() != kBFloat16) return sample(input, grid, p);
  return sample(input.to(kFloat), grid.to(kFloat), p).to(input.dtype());
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

namespace {
/// "[1, 2]", as PyTorch writes a size in these messages.
std::string in_brackets(IntArrayRef sizes) {
  std::ostringstream text;
  text << sizes;
  return text.str();
}
}  // namespace

Tensor affine_grid_generator(const Tensor& theta, IntArrayRef size, bool align_corners) {
  const Called called;
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  STRATA_CHECK(dims == 2 || dims == 3,
               "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {}",
               in_brackets(size));
  STRATA_CHECK(theta.is_floating_point(), "affine_grid: Expected theta to have floating point type, but got {}",
               name(theta.dtype()));
  const auto check_theta = [&](bool fits) {
    STRATA_CHECK(fits, "affine_grid: Expected a batch of {}D affine matrices of shape Nx{}x{} for size {}. Got {}.",
                 dims, dims, dims + 1, in_brackets(size), in_brackets(theta.sizes()));
  };
  check_theta(theta.dim() == 3 && theta.size(1) == dims && theta.size(2) == dims + 1);
  for (int64_t n : size)
    STRATA_CHECK(n > 0, "affine_grid: Expected non-zero, positive output size. Got {}", in_brackets(size));
  check_theta(theta.size(0) == size[0]);
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
