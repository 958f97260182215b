// torch::fft_rfft and its kin: the functions of torch::fft under the names that ATen gives them.
#pragma once
#include <strata/strata.h>

namespace strata {

inline Tensor fft_fft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                      fft::Norm norm = std::nullopt) {
  return fft::fft(x, n, dim, norm);
}
inline Tensor fft_ifft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                       fft::Norm norm = std::nullopt) {
  return fft::ifft(x, n, dim, norm);
}
inline Tensor fft_rfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                       fft::Norm norm = std::nullopt) {
  return fft::rfft(x, n, dim, norm);
}
inline Tensor fft_irfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                        fft::Norm norm = std::nullopt) {
  return fft::irfft(x, n, dim, norm);
}
inline Tensor fft_hfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                       fft::Norm norm = std::nullopt) {
  return fft::hfft(x, n, dim, norm);
}
inline Tensor fft_ihfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                        fft::Norm norm = std::nullopt) {
  return fft::ihfft(x, n, dim, norm);
}
inline Tensor fft_fftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                       fft::Norm norm = std::nullopt) {
  return fft::fftn(x, s, dim, norm);
}
inline Tensor fft_ifftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                        fft::Norm norm = std::nullopt) {
  return fft::ifftn(x, s, dim, norm);
}
inline Tensor fft_rfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                        fft::Norm norm = std::nullopt) {
  return fft::rfftn(x, s, dim, norm);
}
inline Tensor fft_irfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                         fft::Norm norm = std::nullopt) {
  return fft::irfftn(x, s, dim, norm);
}
inline Tensor fft_hfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                        fft::Norm norm = std::nullopt) {
  return fft::hfftn(x, s, dim, norm);
}
inline Tensor fft_ihfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {},
                         fft::Norm norm = std::nullopt) {
  return fft::ihfftn(x, s, dim, norm);
}
inline Tensor fft_fft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                       fft::Norm norm = std::nullopt) {
  return fft::fft2(x, s, dim, norm);
}
inline Tensor fft_ifft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                        fft::Norm norm = std::nullopt) {
  return fft::ifft2(x, s, dim, norm);
}
inline Tensor fft_rfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                        fft::Norm norm = std::nullopt) {
  return fft::rfft2(x, s, dim, norm);
}
inline Tensor fft_irfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                         fft::Norm norm = std::nullopt) {
  return fft::irfft2(x, s, dim, norm);
}
inline Tensor fft_hfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                        fft::Norm norm = std::nullopt) {
  return fft::hfft2(x, s, dim, norm);
}
inline Tensor fft_ihfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1},
                         fft::Norm norm = std::nullopt) {
  return fft::ihfft2(x, s, dim, norm);
}
inline Tensor fft_fftfreq(int64_t n, double d, const TensorOptions& options = {}) {
  return fft::fftfreq(n, d, options);
}
inline Tensor fft_fftfreq(int64_t n, const TensorOptions& options = {}) { return fft::fftfreq(n, options); }
inline Tensor fft_rfftfreq(int64_t n, double d, const TensorOptions& options = {}) {
  return fft::rfftfreq(n, d, options);
}
inline Tensor fft_rfftfreq(int64_t n, const TensorOptions& options = {}) { return fft::rfftfreq(n, options); }
inline Tensor fft_fftshift(const Tensor& x, OptionalIntArrayRef dim = {}) { return fft::fftshift(x, dim); }
inline Tensor fft_ifftshift(const Tensor& x, OptionalIntArrayRef dim = {}) { return fft::ifftshift(x, dim); }

}  // namespace strata
