// Discrete Fourier transforms: libtorch's torch::fft.
#pragma once
#include <optional>
#include <string_view>

#include "../core/optional_array_ref.h"
#include "../core/tensor.h"

namespace strata {

/// Everywhere: integers become the default dtype; float16 and bfloat16 are an error. Where a size `n` or `s` is given,
/// the input is cut or padded with zeros to it. `norm` says where the factor 1 / n goes: "backward" (the inverse only,
/// the default), "forward", or "ortho" (its root on both).
namespace fft {

using Norm = std::optional<std::string_view>;

/// y[k] = Σ x[j] exp(-2πi jk / n) along `dim`; of real or complex input, always complex.
Tensor fft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1, Norm norm = std::nullopt);
/// The inverse of fft.
Tensor ifft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1, Norm norm = std::nullopt);
/// The first n / 2 + 1 values of the fft of real input; the others are their conjugates.
Tensor rfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1, Norm norm = std::nullopt);
/// The inverse of rfft; `n` is the size of the real result, 2 * (size - 1) unless given.
Tensor irfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1, Norm norm = std::nullopt);
/// The real spectrum of a signal whose second half is the conjugate of its first, which alone is given.
Tensor hfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1, Norm norm = std::nullopt);
/// The inverse of hfft.
Tensor ihfft(const Tensor& x, std::optional<int64_t> n = std::nullopt, int64_t dim = -1, Norm norm = std::nullopt);

/// Along each of `dim`: by default all dims, or the last ones where `s` is given. For those of real signals the last
/// one is the half one.
Tensor fftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {}, Norm norm = std::nullopt);
Tensor ifftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {}, Norm norm = std::nullopt);
Tensor rfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {}, Norm norm = std::nullopt);
Tensor irfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {}, Norm norm = std::nullopt);
Tensor hfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {}, Norm norm = std::nullopt);
Tensor ihfftn(const Tensor& x, OptionalIntArrayRef s = {}, OptionalIntArrayRef dim = {}, Norm norm = std::nullopt);

/// The same along the last two dims, or two others.
Tensor fft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, Norm norm = std::nullopt);
Tensor ifft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, Norm norm = std::nullopt);
Tensor rfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, Norm norm = std::nullopt);
Tensor irfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, Norm norm = std::nullopt);
Tensor hfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, Norm norm = std::nullopt);
Tensor ihfft2(const Tensor& x, OptionalIntArrayRef s = {}, IntArrayRef dim = {-2, -1}, Norm norm = std::nullopt);

/// The frequencies that the n values of fft stand for, samples being `d` apart: 0, 1, …, -2, -1 over n * d.
Tensor fftfreq(int64_t n, double d, const TensorOptions& options = {});
Tensor fftfreq(int64_t n, const TensorOptions& options = {});
/// The same for the n / 2 + 1 values of rfft.
Tensor rfftfreq(int64_t n, double d, const TensorOptions& options = {});
Tensor rfftfreq(int64_t n, const TensorOptions& options = {});
/// Moves frequency 0 from the front to the middle along `dim`, all dims by default.
Tensor fftshift(const Tensor& x, OptionalIntArrayRef dim = {});
/// Undoes fftshift: moves the zero frequency back to the front.
Tensor ifftshift(const Tensor& x, OptionalIntArrayRef dim = {});

}  // namespace fft
}  // namespace strata
