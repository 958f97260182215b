// Short-time Fourier transforms as composites; the steps are those of PyTorch's (stft and istft in
// aten/src/ATen/native/SpectralOps.cpp).
#include "ops/stft.h"

#include <cmath>
#include <numbers>

#include "ops/as_result.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/fft_def.h"
#include "ops/random_def.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata {
namespace {

/// The frames' sizes and the window over a whole frame.
struct Frames {
  const char* op;
  int64_t n_fft, hop, win;
  Tensor window;

  Frames(const char* op, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
         const std::optional<Tensor>& given)
      : op(op), n_fft(n_fft), hop(hop_length.value_or(n_fft / 4)), win(win_length.value_or(n_fft)) {
    STRATA_CHECK(n_fft > 0, "{}: n_fft must be positive, not {}", op, n_fft);
    STRATA_CHECK(hop > 0, "{}: hop_length must be positive, not {}", op, hop);
    STRATA_CHECK(win > 0 && win <= n_fft, "{}: win_length must be in [1, n_fft = {}], not {}", op, n_fft, win);
    if (!given || !given->defined()) return;
    const bool fits = given->dim() == 1 && given->size(0) == win;
    STRATA_CHECK(fits, "{}: the window must have shape ({},), not {}", op, win, given->sizes());
    window = *given;
  }
  /// Ones where none was given, with zeros around up to a frame.
  Tensor full_window(const Tensor& like) const {
    const TensorOptions options = TensorOptions(to_real_dtype(like.dtype())).device(like.device());
    const Tensor w = window.defined() ? window : ones({win}, options);
    const int64_t left = (n_fft - win) / 2;
    return win == n_fft ? w : constant_pad_nd(w, {left, n_fft - win - left});
  }
  double scale(bool normalized, bool inverse) const {
    const double n = static_cast<double>(n_fft);
    return normalized ? 1 / std::sqrt(n) : inverse ? 1 / n : 1;
  }
};

/// `(B, L)` with half a frame more on both sides.
Tensor padded(const Tensor& x, int64_t n_fft, std::string_view mode) {
  return squeeze(pad(unsqueeze(x, 0), {n_fft / 2, n_fft / 2}, mode), 0);
}

}  // namespace

Tensor stft(const Tensor& x, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool center, std::string_view pad_mode, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex) {
  const Frames frames("stft", n_fft, hop_length, win_length, window);
  const bool is_real = !is_complex(x) && !(frames.window.defined() && is_complex(frames.window));
  STRATA_CHECK(!is_real || return_complex, "stft: return_complex must be given for real signals");
  if (!frames.window.defined())
    warn_once(
        "stft: a window was not provided; a rectangular one is applied, which is known to cause spectral leakage. Give "
        "hann_window(n_fft), or ones(n_fft) to have it in silence");
  if (is_real && !*return_complex)
    warn_once("stft: return_complex = false is deprecated; call view_as_real on the complex output instead");
  STRATA_CHECK(category(x.dtype()) >= 2, "stft: the signal must be floating point or complex, not {}", name(x.dtype()));
  STRATA_CHECK(x.dim() == 1 || x.dim() == 2, "stft: the signal must have shape (L,) or (B, L), not {}", x.sizes());
  Tensor signal = x.dim() == 1 ? unsqueeze(x, 0) : x;
  if (center) signal = padded(signal, n_fft, pad_mode);
  const int64_t length = signal.size(1);
  STRATA_CHECK(n_fft <= length, "stft: n_fft {} is more than the {} samples", n_fft, length);
  signal = unfold(signal, 1, n_fft, frames.hop);
  if (frames.window.defined() || frames.win < n_fft) signal = signal * frames.full_window(x);
  const bool half = onesided.value_or(is_real);
  STRATA_CHECK(is_real || !half, "stft: onesided needs a real signal and a real window");
  const double scale = frames.scale(normalized, false);
  const DimVector last{signal.dim() - 1};
  Tensor y = is_real ? fft_r2c(signal, {last, scale, true, half}) : fft_c2c(signal, {last, scale, true});
  y = transpose(y, 1, 2);
  if (x.dim() == 1) y = squeeze(y, 0);
  return as_result(return_complex.value_or(true) ? y : view_as_real(y));
}

Tensor stft(const Tensor& x, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            OptionalTensorRef window, bool normalized, std::optional<bool> onesided,
            std::optional<bool> return_complex) {
  return stft(x, n_fft, hop_length, win_length, window, false, "constant", normalized, onesided, return_complex);
}

namespace {

/// The frames of spectra `(B, frames, frequencies)`.
Tensor signals_of(Tensor spectra, const Frames& frames, double scale, bool onesided, bool return_complex) {
  const DimVector last{2};
  if (return_complex) {
    STRATA_CHECK(!onesided, "istft: return_complex needs all frequencies, which onesided spectra lack");
    return fft_c2c(spectra, {last, scale, false});
  }
  const bool is_real = !frames.window.defined() || !is_complex(frames.window);
  STRATA_CHECK(is_real, "istft: a complex window needs return_complex = true");
  if (!onesided) spectra = narrow(spectra, 2, 0, frames.n_fft / 2 + 1);
  return fft_c2r(spectra, {last, scale, false, frames.n_fft});
}

void check_spectra(const Tensor& x, const Frames& frames, bool onesided) {
  STRATA_CHECK(is_complex(x), "istft: the spectra must be complex, not {}", name(x.dtype()));
  const bool fits = (x.dim() == 2 || x.dim() == 3) && x.numel() > 0;
  STRATA_CHECK(fits, "istft: the spectra must have shape (frequencies, frames) or (B, frequencies, frames), not {}",
               x.sizes());
  const int64_t expected = onesided ? frames.n_fft / 2 + 1 : frames.n_fft;
  STRATA_CHECK(x.size(-2) == expected, "istft: {} frequencies where n_fft {} has {}", x.size(-2), frames.n_fft,
               expected);
  STRATA_CHECK(frames.hop <= frames.win, "istft: hop_length {} is more than win_length {}", frames.hop, frames.win);
}

}  // namespace

Tensor istft(const Tensor& x, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
             OptionalTensorRef window, bool center, bool normalized, std::optional<bool> onesided,
             std::optional<int64_t> length, bool return_complex) {
  const Frames frames("istft", n_fft, hop_length, win_length, window);
  const bool half = onesided.value_or(x.dim() < 2 || x.size(-2) != n_fft);
  check_spectra(x, frames, half);
  const Tensor spectra = transpose(x.dim() == 2 ? unsqueeze(x, 0) : x, 1, 2);
  const int64_t count = spectra.size(1);
  const int64_t whole = checked_add(n_fft, checked_mul(frames.hop, count - 1, "istft"), "istft");
  const Tensor w = frames.full_window(x);
  const auto added = [&](const Tensor& t) { return unfold_backward(t, {t.size(0), whole}, 1, n_fft, frames.hop); };
  const Tensor signals = signals_of(spectra, frames, frames.scale(normalized, true), half, return_complex);

  const int64_t start = center ? n_fft / 2 : 0;
  const int64_t end = length ? checked_add(start, *length, "istft") : center ? whole - n_fft / 2 : whole;
  STRATA_CHECK(end >= start, "istft: length {}", end - start);
  const Tensor envelope = slice(added(expand(w * w, {1, count, n_fft})), 1, start, end);
  const bool is_known = envelope.numel() > 0 && is_readable(envelope);
  STRATA_CHECK(!is_known || amin(abs(envelope.detach()), {}).item<double>() > 1e-11,
               "istft: the windows leave samples uncovered: their squares add up to 0 there");
  Tensor y = slice(added(signals * w), 1, start, end) / envelope;
  if (end > whole) y = constant_pad_nd(y, {0, end - whole});
  return as_result(x.dim() == 2 ? squeeze(y, 0) : y);
}

namespace {

/// `value(k / n)` for each of n places, or k / (n - 1) where it is not periodic; one value alone is 1.
template <class F>
Tensor window(int64_t n, bool periodic, const TensorOptions& options, const char* op, F value) {
  STRATA_CHECK(n >= 0, "{}: {} values", op, n);
  checked_mul(n, int64_t{sizeof(double)}, op);  // their bytes
  STRATA_CHECK(is_floating_point(options.dtype()), "{}: the dtype must be a floating point one, not {}", op,
               name(options.dtype()));
  const auto length = static_cast<double>(std::max<int64_t>(1, periodic ? n : n - 1));
  std::vector<double> values(static_cast<size_t>(n), 1);
  for (size_t k = 0; n > 1 && k < values.size(); ++k) values[k] = value(static_cast<double>(k) / length);
  return tensor(values, options);
}

/// Σ coefficients[i] cos(2πik / n), computed in double.
Tensor cosines(int64_t n, bool periodic, std::initializer_list<double> coefficients, const TensorOptions& options,
               const char* op) {
  return window(n, periodic, options, op, [&](double place) {
    double i = 0, sum = 0;
    for (const double c : coefficients) sum += c * std::cos(2 * std::numbers::pi * place * i++);
    return sum;
  });
}

}  // namespace

Tensor hann_window(int64_t n, bool periodic, const TensorOptions& options) {
  return cosines(n, periodic, {0.5, -0.5}, options, "hann_window");
}
Tensor hann_window(int64_t n, const TensorOptions& options) { return hann_window(n, true, options); }
Tensor hamming_window(int64_t n, bool periodic, const TensorOptions& options) {
  return cosines(n, periodic, {0.54, -0.46}, options, "hamming_window");
}
Tensor hamming_window(int64_t n, const TensorOptions& options) { return hamming_window(n, true, options); }
Tensor blackman_window(int64_t n, bool periodic, const TensorOptions& options) {
  return cosines(n, periodic, {0.42, -0.5, 0.08}, options, "blackman_window");
}
Tensor blackman_window(int64_t n, const TensorOptions& options) { return blackman_window(n, true, options); }
Tensor hamming_window(int64_t n, bool periodic, double alpha, double beta, const TensorOptions& options) {
  return cosines(n, periodic, {alpha, -beta}, options, "hamming_window");
}
Tensor hamming_window(int64_t n, bool periodic, double alpha, const TensorOptions& options) {
  return hamming_window(n, periodic, alpha, 0.46, options);
}
Tensor bartlett_window(int64_t n, bool periodic, const TensorOptions& options) {
  return window(n, periodic, options, "bartlett_window", [](double place) { return 1 - std::abs(2 * place - 1); });
}
Tensor bartlett_window(int64_t n, const TensorOptions& options) { return bartlett_window(n, true, options); }
Tensor kaiser_window(int64_t n, bool periodic, double beta, const TensorOptions& options) {
  return window(n, periodic, options, "kaiser_window", [beta](double place) {
    const double from_middle = 2 * place - 1, inside = std::max(0.0, 1 - from_middle * from_middle);
    return std::cyl_bessel_i(0.0, std::abs(beta) * std::sqrt(inside)) / std::cyl_bessel_i(0.0, std::abs(beta));
  });
}
Tensor kaiser_window(int64_t n, bool periodic, const TensorOptions& options) {
  return kaiser_window(n, periodic, 12.0, options);
}
Tensor kaiser_window(int64_t n, const TensorOptions& options) { return kaiser_window(n, true, options); }

}  // namespace strata
