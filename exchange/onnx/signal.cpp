// ONNX's transforms of signals, and windows for them.
#include <cmath>
#include <numbers>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/fft.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

/// The last axis has the real part, and maybe an imaginary one. Transforms are in double precision, so that zeros among
/// the frequencies are small.
Tensor as_complex(const Tensor& x) {
  const Tensor wide = cast(x, kDouble), pairs = x.size(-1) == 1 ? cat({wide, zeros_like(wide)}, -1) : wide;
  return view_as_complex(contiguous(pairs));
}

Tensor as_pairs(const Tensor& transformed, const Tensor& signal) {
  return cast(view_as_real(transformed), signal.dtype());
}

Tensor transformed(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.opset() >= 20 ? (a.has(2) ? a.int_in(2) : -2) : a.integer("axis", 1), x.dim());
  const std::optional<int64_t> length = a.has(1) ? std::optional(a.int_in(1)) : std::nullopt;
  const bool onesided = a.flag("onesided"), inverse = a.flag("inverse");
  STRATA_CHECK(!(onesided && inverse), "load_onnx: DFT with inverse and onesided");
  const Tensor signal = as_complex(x), out = inverse ? fft::ifft(signal, length, axis) : fft::fft(signal, length, axis);
  return as_pairs(onesided ? narrow(out, axis, 0, out.size(axis) / 2 + 1) : out, x);
}

/// Frames of a signal (B, length, 1 or 2), each times the window and transformed.
Tensor short_time_transformed(A a) {
  const Tensor& x = a[0];
  const int64_t step = a.int_in(1);
  const Tensor window = a.tensor_or_none(2);
  const int64_t length = a.has(3) ? a.int_in(3) : window.defined() ? window.numel() : x.size(1);
  const bool onesided = a.flag("onesided", true);
  Tensor frames = unfold(as_complex(x), 1, length, step);
  if (window.defined()) frames = mul(frames, window);
  const Tensor out = fft::fft(frames, std::nullopt, -1);
  return as_pairs(onesided ? narrow(out, -1, 0, length / 2 + 1) : out, x);
}

/// a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N).
Tensor cosine_window(A a, double a0, double a1, double a2) {
  const int64_t size = a.int_in(0);
  const DType dtype = a.dtype("output_datatype").value_or(kFloat);
  const auto period = static_cast<double>(a.flag("periodic", true) ? size : size - 1);
  const Tensor angle = mul(arange(size, kDouble), 2 * std::numbers::pi / period);
  return cast(add(add(mul(cos(angle), -a1), a0), mul(cos(mul(angle, 2)), a2)), dtype);
}

/// Triangles over frequencies, as wide as steps of the mel scale.
Tensor mel_weights(A a) {
  const int64_t bins = a.int_in(0), length = a.int_in(1), rate = a.int_in(2);
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double low = mel(a.number_in(3).toDouble()), high = mel(a.number_in(4).toDouble());
  const double step = (high - low) / static_cast<double>(bins + 2);
  Ints edges;
  for (int64_t i = 0; i < bins + 2; ++i) {
    const double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + low) / 2595) - 1);
    edges.push_back(
        static_cast<int64_t>(std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate))));
  }
  const int64_t rows = length / 2 + 1;
  STRATA_CHECK(edges.back() < rows && edges.front() >= 0,
               "load_onnx: MelWeightMatrix up to more than half of the rate");
  std::vector<double> weights(static_cast<size_t>(rows * bins), 0.0);
  const auto at = [&](int64_t row, int64_t bin) -> double& { return weights[static_cast<size_t>(row * bins + bin)]; };
  for (int64_t i = 0; i < bins; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t left = edges[k], middle = edges[k + 1], right = edges[k + 2];
    if (left == middle) at(middle, i) = 1;
    for (int64_t j = left; left < middle && j <= middle; ++j)
      at(j, i) = static_cast<double>(j - left) / static_cast<double>(middle - left);
    for (int64_t j = middle; j < right; ++j)
      at(j, i) = static_cast<double>(right - j) / static_cast<double>(right - middle);
  }
  return cast(strata::tensor(weights, kDouble).reshape({rows, bins}), a.dtype("output_datatype").value_or(kFloat));
}

constexpr OpEntry kSignalOps[] = {
    {"DFT", [](A a) { return transformed(a); }},
    {"STFT", [](A a) { return short_time_transformed(a); }},
    {"HannWindow", [](A a) { return cosine_window(a, 0.5, 0.5, 0); }},
    {"HammingWindow", [](A a) { return cosine_window(a, 25.0 / 46, 21.0 / 46, 0); }},
    {"BlackmanWindow", [](A a) { return cosine_window(a, 0.42, 0.5, 0.08); }},
    {"MelWeightMatrix", [](A a) { return mel_weights(a); }},
};

}  // namespace

std::span<const OpEntry> signal_ops() { return kSignalOps; }

}  // namespace strata::onnx
