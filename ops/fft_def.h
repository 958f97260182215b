// Params and ops of the Fourier transforms.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Over `dims`, times `scale`; exponents are negative with `forward`.
struct FftC2CParams {
  DimVector dims;
  double scale = 1;
  bool forward = true;
};
/// Of real inputs; with `onesided` the result has the first n / 2 + 1 values along the last of `dims`.
struct FftR2CParams {
  DimVector dims;
  double scale = 1;
  bool forward = true, onesided = true;
};
/// Of spectra whose second half along the last of `dims` is the conjugate of the first and is not there. The result is
/// real and has `last_dim_size` values along it. Imaginary parts where the symmetry leaves none are not looked at.
struct FftC2RParams {
  DimVector dims;
  double scale = 1;
  bool forward = false;
  int64_t last_dim_size = 1;
};

extern Op fft_c2c_op, fft_r2c_op, fft_c2r_op;

Tensor fft_c2c(const Tensor& x, const FftC2CParams& p);
Tensor fft_r2c(const Tensor& x, const FftR2CParams& p);
Tensor fft_c2r(const Tensor& x, const FftC2RParams& p);

}  // namespace strata
