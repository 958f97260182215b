// The Fourier transforms' primitives and their rules. Their division into complex to complex, real to complex and
// complex to real, and their derivatives, are PyTorch's (aten/src/ATen/native/SpectralOps.cpp; fft_r2c_backward and
// fft_c2r_backward in torch/csrc/autograd/FunctionsManual.cpp).
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/fft_def.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {
namespace {

Meta with_size(const Tensor& x, int64_t dim, int64_t n, DType dtype) {
  DimVector sizes = x.sizes();
  sizes[static_cast<size_t>(dim)] = n;
  return meta(sizes, dtype, x.device());
}

/// `spectrum` with those values times `factor` along `dim` that stand for two of the n values of the full one: all but
/// the first, and the last where n is even.
Tensor scale_doubles(const Tensor& spectrum, int64_t dim, int64_t n, double factor) {
  const int64_t size = spectrum.size(dim), doubles = n - size;
  if (doubles == 0) return spectrum;
  const auto some = [&](double value, int64_t count) {
    return constant(value, to_real_dtype(spectrum.dtype()), spectrum.device(), {count});
  };
  DimVector sizes(static_cast<size_t>(spectrum.dim()), 1);
  sizes[static_cast<size_t>(dim)] = size;
  return spectrum * view(cat({some(1, 1), some(factor, doubles), some(1, size - 1 - doubles)}, 0), sizes);
}

}  // namespace

// The matrix of the transform is symmetric, so its adjoint is its conjugate: the transform the other way round.
STRATA_OP(fft_c2c_op) = op<FftC2CParams>("fft_c2c(Tensor x, int[] dims, float scale, bool forward) -> Tensor")
                            .infer([](Args in) { return meta_like(in[0]); })
                            .vjp([](const Vjp& c, const FftC2CParams& p) -> Tensors {
                              return fft_c2c(c.grad(), {p.dims, p.scale, !p.forward});
                            })
                            .jvp(linear_rule)
                            .batch(shift_dims<&FftC2CParams::dims>)
                            .dtypes(kComplexTypes);

// The real part of the transform back, of a spectrum whose missing values have no gradient. That is a transform to real
// values, which counts twice what stands for two values.
STRATA_OP(fft_r2c_op) =
    op<FftR2CParams>("fft_r2c(Tensor x, int[] dims, float scale, bool forward, bool onesided) -> Tensor")
        .infer([](Args in, const FftR2CParams& p) {
          const int64_t last = p.dims.back(), n = in[0].size(last);
          return with_size(in[0], last, p.onesided ? n / 2 + 1 : n, to_complex_dtype(in[0].dtype()));
        })
        .vjp([](const Vjp& c, const FftR2CParams& p) -> Tensors {
          if (!p.onesided) return real(fft_c2c(c.grad(), {p.dims, p.scale, !p.forward}));
          const int64_t last = p.dims.back(), n = c.in(0).size(last);
          return fft_c2r(scale_doubles(c.grad(), last, n, 0.5), {p.dims, p.scale, !p.forward, n});
        })
        .saves(saves_shape(0))
        .jvp(linear_rule)
        .batch(shift_dims<&FftR2CParams::dims>)
        .dtypes(kSingleAndDouble);

STRATA_OP(fft_c2r_op) =
    op<FftC2RParams>("fft_c2r(Tensor x, int[] dims, float scale, bool forward, int last_dim_size) -> Tensor")
        .infer([](Args in, const FftC2RParams& p) {
          return with_size(in[0], p.dims.back(), p.last_dim_size, to_real_dtype(in[0].dtype()));
        })
        .vjp([](const Vjp& c, const FftC2RParams& p) -> Tensors {
          const Tensor spectrum = fft_r2c(c.grad(), {p.dims, p.scale, !p.forward, true});
          return scale_doubles(spectrum, p.dims.back(), p.last_dim_size, 2);
        })
        .jvp(linear_rule)
        .batch(shift_dims<&FftC2RParams::dims>)
        .dtypes(kComplexTypes);

Tensor fft_c2c(const Tensor& x, const FftC2CParams& p) { return call1(fft_c2c_op, {&x}, p); }
Tensor fft_r2c(const Tensor& x, const FftR2CParams& p) { return call1(fft_r2c_op, {&x}, p); }
Tensor fft_c2r(const Tensor& x, const FftC2RParams& p) { return call1(fft_c2r_op, {&x}, p); }

}  // namespace strata
