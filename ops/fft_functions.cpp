// The public Fourier transforms: checks, sizes and normalisation in front of the primitives.
#include <cmath>

#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/fft.h"
#include "ops/fft_def.h"
#include "ops/promote.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::fft {
namespace {

/// A transform of one line or of several dims, by name: what its messages begin with and which way it goes.
struct Transform {
  const char* name;
  bool forward;
};

/// Dims in the order given, and the size of the signal along each.
struct Plan {
  DimVector dims, sizes;
};

Tensor real_operand(const Tensor& x, const Transform& t) {
  STRATA_CHECK_AS(TypeError, !is_complex(x.dtype()), "{}: the input must be real, not {}", t.name, name(x.dtype()));
  const bool narrow_float = x.dtype() == kHalf || x.dtype() == kBFloat16;
  STRATA_CHECK(!narrow_float, "{}: {} is not supported; convert to float32", t.name, name(x.dtype()));
  return x.to(float_type(x.dtype()));
}

Tensor complex_operand(const Tensor& x, const Transform& t) {
  if (is_complex(x.dtype())) return x;
  const Tensor wide = real_operand(x, t);
  return wide.to(to_complex_dtype(wide.dtype()));
}

/// `x` cut or padded with zeros to these sizes.
Tensor resized(Tensor x, IntArrayRef dims, IntArrayRef sizes) {
  DimVector padding(static_cast<size_t>(2 * x.dim()), 0);
  bool pads = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t missing = sizes[i] - x.size(dims[i]);
    if (missing < 0) x = narrow(x, dims[i], 0, sizes[i]);
    if (missing <= 0) continue;
    padding[padding.size() - 1 - 2 * static_cast<size_t>(dims[i])] = missing;
    pads = true;
  }
  return pads ? constant_pad_nd(x, padding) : x;
}

double scale_of(const Plan& plan, Norm norm, const Transform& t) {
  const std::string_view mode = norm.value_or("backward");
  const bool known = mode == "backward" || mode == "ortho" || mode == "forward";
  STRATA_CHECK(known, "{}: norm \"{}\" is not one of \"backward\", \"ortho\" and \"forward\"", t.name, mode);
  double n = 1;
  for (int64_t size : plan.sizes) n *= static_cast<double>(size);
  if (mode == "ortho") return 1 / std::sqrt(n);
  return (mode == "forward") == t.forward ? 1 / n : 1;
}

int64_t wrap(const Tensor& x, int64_t dim, const Transform& t) {
  STRATA_CHECK(x.dim() > 0, "{}: the input must have at least one dim", t.name);
  return wrap_dim(dim, x.dim(), t.name);
}

void check_sizes(const Plan& plan, const Transform& t) {
  for (size_t i = 0; i < plan.dims.size(); ++i)
    STRATA_CHECK(plan.sizes[i] >= 1, "{}: {} values along dim {}, at least 1 is needed", t.name, plan.sizes[i],
                 plan.dims[i]);
}

/// The dims that a transform of several goes over.
DimVector dims_of(const Tensor& x, const OptionalIntArrayRef& s, const OptionalIntArrayRef& dim, const Transform& t) {
  DimVector dims;
  if (dim) {
    STRATA_CHECK(!s || s->size() == dim->size(), "{}: {} sizes for {} dims", t.name, s->size(), dim->size());
    wrap_dims(*dim, x.dim(), t.name);  // none twice
    for (int64_t d : *dim) dims.push_back(wrap(x, d, t));
    return dims;
  }
  const int64_t count = s ? static_cast<int64_t>(s->size()) : x.dim();
  STRATA_CHECK(count <= x.dim(), "{}: {} sizes for an input of {} dims", t.name, count, x.dim());
  for (int64_t d = x.dim() - count; d < x.dim(); ++d) dims.push_back(d);
  return dims;
}

/// The length of the real signal whose spectrum's first half is of this size.
int64_t length_of_half(int64_t size, const Transform& t) { return checked_mul(2, size - 1, t.name); }

/// With `halved`, the input has the first half of the signal's spectrum along the last dim.
Plan plan_of(const Tensor& x, const OptionalIntArrayRef& s, const OptionalIntArrayRef& dim, const Transform& t,
             bool halved = false) {
  Plan plan{dims_of(x, s, dim, t), {}};
  for (size_t i = 0; i < plan.dims.size(); ++i) {
    const int64_t there = x.size(plan.dims[i]);
    const int64_t own = halved && i + 1 == plan.dims.size() ? length_of_half(there, t) : there;
    plan.sizes.push_back(s && (*s)[i] != -1 ? (*s)[i] : own);
  }
  check_sizes(plan, t);
  return plan;
}

Plan plan_of(const Tensor& x, std::optional<int64_t> n, int64_t dim, const Transform& t, bool halved = false) {
  const int64_t d = wrap(x, dim, t);
  Plan plan{{d}, {n ? *n : halved ? length_of_half(x.size(d), t) : x.size(d)}};
  check_sizes(plan, t);
  return plan;
}

void check_some_dim(const Plan& plan, const Transform& t) {
  STRATA_CHECK(!plan.dims.empty(), "{}: needs at least one dim to transform", t.name);
}

Tensor complex_to_complex(const Tensor& x, const Plan& plan, Norm norm, const Transform& t) {
  const double scale = scale_of(plan, norm, t);
  const Tensor input = resized(complex_operand(x, t), plan.dims, plan.sizes);
  return plan.dims.empty() ? input : fft_c2c(input, {plan.dims, scale, t.forward});
}

Tensor real_to_complex(const Tensor& x, const Plan& plan, Norm norm, const Transform& t, bool onesided = true) {
  check_some_dim(plan, t);
  const double scale = scale_of(plan, norm, t);
  return fft_r2c(resized(real_operand(x, t), plan.dims, plan.sizes), {plan.dims, scale, t.forward, onesided});
}

Tensor complex_to_real(const Tensor& x, const Plan& plan, Norm norm, const Transform& t) {
  check_some_dim(plan, t);
  const double scale = scale_of(plan, norm, t);
  DimVector sizes = plan.sizes;
  sizes.back() = sizes.back() / 2 + 1;
  const Tensor input = resized(complex_operand(x, t), plan.dims, sizes);
  return fft_c2r(input, {plan.dims, scale, t.forward, plan.sizes.back()});
}

/// Half of what a real line's transform has is known from the other half.
Tensor one_line(const Tensor& x, std::optional<int64_t> n, int64_t dim, Norm norm, const Transform& t) {
  const Plan plan = plan_of(x, n, dim, t);
  return is_complex(x.dtype()) ? complex_to_complex(x, plan, norm, t) : real_to_complex(x, plan, norm, t, false);
}

using Size = std::optional<int64_t>;
using Sizes = OptionalIntArrayRef;

Tensor c2c(const Tensor& x, const Sizes& s, const Sizes& dim, Norm norm, const Transform& t) {
  return complex_to_complex(x, plan_of(x, s, dim, t), norm, t);
}
Tensor r2c(const Tensor& x, const Sizes& s, const Sizes& dim, Norm norm, const Transform& t) {
  return real_to_complex(x, plan_of(x, s, dim, t), norm, t);
}
Tensor c2r(const Tensor& x, const Sizes& s, const Sizes& dim, Norm norm, const Transform& t) {
  return complex_to_real(x, plan_of(x, s, dim, t, true), norm, t);
}

constexpr bool kForward = true, kInverse = false;

}  // namespace

Tensor fft(const Tensor& x, Size n, int64_t dim, Norm norm) { return one_line(x, n, dim, norm, {"fft", kForward}); }
Tensor ifft(const Tensor& x, Size n, int64_t dim, Norm norm) { return one_line(x, n, dim, norm, {"ifft", kInverse}); }
Tensor rfft(const Tensor& x, Size n, int64_t dim, Norm norm) {
  const Transform t{"rfft", kForward};
  return real_to_complex(x, plan_of(x, n, dim, t), norm, t);
}
Tensor irfft(const Tensor& x, Size n, int64_t dim, Norm norm) {
  const Transform t{"irfft", kInverse};
  return complex_to_real(x, plan_of(x, n, dim, t, true), norm, t);
}
Tensor hfft(const Tensor& x, Size n, int64_t dim, Norm norm) {
  const Transform t{"hfft", kForward};
  return complex_to_real(x, plan_of(x, n, dim, t, true), norm, t);
}
Tensor ihfft(const Tensor& x, Size n, int64_t dim, Norm norm) {
  const Transform t{"ihfft", kInverse};
  return real_to_complex(x, plan_of(x, n, dim, t), norm, t);
}

Tensor fftn(const Tensor& x, Sizes s, Sizes dim, Norm norm) { return c2c(x, s, dim, norm, {"fftn", kForward}); }
Tensor ifftn(const Tensor& x, Sizes s, Sizes dim, Norm norm) { return c2c(x, s, dim, norm, {"ifftn", kInverse}); }
Tensor rfftn(const Tensor& x, Sizes s, Sizes dim, Norm norm) { return r2c(x, s, dim, norm, {"rfftn", kForward}); }
Tensor irfftn(const Tensor& x, Sizes s, Sizes dim, Norm norm) { return c2r(x, s, dim, norm, {"irfftn", kInverse}); }
Tensor hfftn(const Tensor& x, Sizes s, Sizes dim, Norm norm) { return c2r(x, s, dim, norm, {"hfftn", kForward}); }
Tensor ihfftn(const Tensor& x, Sizes s, Sizes dim, Norm norm) { return r2c(x, s, dim, norm, {"ihfftn", kInverse}); }

Tensor fft2(const Tensor& x, Sizes s, IntArrayRef dim, Norm norm) { return c2c(x, s, dim, norm, {"fft2", kForward}); }
Tensor ifft2(const Tensor& x, Sizes s, IntArrayRef dim, Norm norm) { return c2c(x, s, dim, norm, {"ifft2", kInverse}); }
Tensor rfft2(const Tensor& x, Sizes s, IntArrayRef dim, Norm norm) { return r2c(x, s, dim, norm, {"rfft2", kForward}); }
Tensor irfft2(const Tensor& x, Sizes s, IntArrayRef dim, Norm norm) {
  return c2r(x, s, dim, norm, {"irfft2", kInverse});
}
Tensor hfft2(const Tensor& x, Sizes s, IntArrayRef dim, Norm norm) { return c2r(x, s, dim, norm, {"hfft2", kForward}); }
Tensor ihfft2(const Tensor& x, Sizes s, IntArrayRef dim, Norm norm) {
  return r2c(x, s, dim, norm, {"ihfft2", kInverse});
}

namespace {

Tensor frequencies(int64_t begin, int64_t end, int64_t n, double d, const TensorOptions& options, const char* name) {
  const DType dtype = options.dtype();
  const bool fits = is_floating_point(dtype) || is_complex(dtype);
  STRATA_CHECK(fits, "{}: the dtype must be a floating point or complex one, not {}", name, strata::name(dtype));
  STRATA_CHECK(n >= 0, "{}: {} values", name, n);
  const Tensor whole = arange(begin, end, TensorOptions(kLong).device(options.device()));
  return whole.to(dtype) * (1.0 / (static_cast<double>(n) * d));
}

Tensor shifted(const Tensor& x, const Sizes& dim, int64_t extra, const char* name) {
  DimVector dims, shifts;
  if (dim) {
    for (int64_t d : *dim) dims.push_back(wrap_dim(d, x.dim(), name));
  } else {
    for (int64_t d = 0; d < x.dim(); ++d) dims.push_back(d);
  }
  if (dims.empty() || x.dim() == 0) return x.clone();
  for (int64_t d : dims) shifts.push_back((x.size(d) + extra) / 2);
  return roll(x, shifts, dims);
}

}  // namespace

Tensor fftfreq(int64_t n, double d, const TensorOptions& options) {
  const Tensor rising = frequencies(0, n - n / 2, n, d, options, "fftfreq");
  const Tensor falling = frequencies(-(n / 2), 0, n, d, options, "fftfreq");
  return cat({rising, falling}, 0).requires_grad_(options.requires_grad());
}
Tensor fftfreq(int64_t n, const TensorOptions& options) { return fftfreq(n, 1.0, options); }
Tensor rfftfreq(int64_t n, double d, const TensorOptions& options) {
  return frequencies(0, n / 2 + 1, n, d, options, "rfftfreq").requires_grad_(options.requires_grad());
}
Tensor rfftfreq(int64_t n, const TensorOptions& options) { return rfftfreq(n, 1.0, options); }

Tensor fftshift(const Tensor& x, Sizes dim) { return shifted(x, dim, 0, "fftshift"); }
Tensor ifftshift(const Tensor& x, Sizes dim) { return shifted(x, dim, 1, "ifftshift"); }

}  // namespace strata::fft
