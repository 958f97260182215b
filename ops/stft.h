// Short-time Fourier transforms and the windows for them, by libtorch's names.
#pragma once
#include <optional>
#include <string_view>

#include "../core/tensor.h"

namespace strata {

/// Spectra of frames of `n_fft` samples, `hop_length` (n_fft / 4) apart, each times `window`: `(L)` or `(B, L)` to
/// `(B, frequencies, frames)`, of real signals the n_fft / 2 + 1 lower frequencies unless `onesided` is false. A window
/// of `win_length` < n_fft values is centred. With `center` the signal is padded so that frame t is about sample
/// t * hop_length. `return_complex` must be given for real signals; false gives a last dim of real and imaginary parts.
Tensor stft(const Tensor& x, int64_t n_fft, std::optional<int64_t> hop_length = std::nullopt,
            std::optional<int64_t> win_length = std::nullopt, OptionalTensorRef window = {}, bool center = true,
            std::string_view pad_mode = "reflect", bool normalized = false, std::optional<bool> onesided = std::nullopt,
            std::optional<bool> return_complex = std::nullopt);
/// The same without padding.
Tensor stft(const Tensor& x, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool normalized, std::optional<bool> onesided = std::nullopt,
            std::optional<bool> return_complex = std::nullopt);
/// The signal of such spectra by least squares: overlapping frames are added and divided by the sum of the windows'
/// squares, which must not vanish anywhere. `length` cuts or pads the result.
Tensor istft(const Tensor& x, int64_t n_fft, std::optional<int64_t> hop_length = std::nullopt,
             std::optional<int64_t> win_length = std::nullopt, OptionalTensorRef window = {}, bool center = true,
             bool normalized = false, std::optional<bool> onesided = std::nullopt,
             std::optional<int64_t> length = std::nullopt, bool return_complex = false);

/// 0.5 - 0.5 cos(2πk / n) for n values; without `periodic` over n - 1, which makes the window symmetric.
Tensor hann_window(int64_t n, bool periodic, const TensorOptions& options = {});
Tensor hann_window(int64_t n, const TensorOptions& options = {});
/// 0.54 - 0.46 cos(2πk / n).
Tensor hamming_window(int64_t n, bool periodic, const TensorOptions& options = {});
Tensor hamming_window(int64_t n, const TensorOptions& options = {});
/// alpha - beta cos(2πk / n).
Tensor hamming_window(int64_t n, bool periodic, double alpha, const TensorOptions& options = {});
Tensor hamming_window(int64_t n, bool periodic, double alpha, double beta, const TensorOptions& options = {});
/// 0.42 - 0.5 cos(2πk / n) + 0.08 cos(4πk / n).
Tensor blackman_window(int64_t n, bool periodic, const TensorOptions& options = {});
Tensor blackman_window(int64_t n, const TensorOptions& options = {});
/// 1 - |2k / n - 1|: a triangle.
Tensor bartlett_window(int64_t n, bool periodic, const TensorOptions& options = {});
Tensor bartlett_window(int64_t n, const TensorOptions& options = {});
/// I0(beta sqrt(1 - (2k / n - 1)²)) / I0(beta), with the modified Bessel function of order 0 (Kaiser and Schafer,
/// 1980).
Tensor kaiser_window(int64_t n, bool periodic, double beta, const TensorOptions& options = {});
Tensor kaiser_window(int64_t n, bool periodic, const TensorOptions& options = {});
Tensor kaiser_window(int64_t n, const TensorOptions& options = {});

}  // namespace strata
