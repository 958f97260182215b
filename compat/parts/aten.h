// Functions that ATen has under its own names and arguments; Strata has what they compute in nn::functional and in the
// tensors' methods. Errors are theirs.
#pragma once
#include <strata/strata.h>

#include "check.h"

namespace strata {

/// The methods in place, as functions of a copy.
inline Tensor fill(const Tensor& self, const Scalar& value) { return self.clone().fill_(value); }
inline Tensor fill(const Tensor& self, const Tensor& value) { return self.clone().fill_(value); }
inline Tensor zero(const Tensor& self) { return self.clone().zero_(); }
inline Tensor copy(const Tensor& self, const Tensor& src, bool non_blocking = false) {
  return self.clone().copy_(src, non_blocking);
}
inline Tensor uniform(const Tensor& self, double from = 0, double to = 1) { return self.clone().uniform_(from, to); }
inline Tensor normal_functional(const Tensor& self, double mean = 0, double std = 1) {
  return self.clone().normal_(mean, std);
}
inline Tensor cauchy(const Tensor& self, double median = 0, double sigma = 1) {
  return self.clone().cauchy_(median, sigma);
}
inline Tensor exponential(const Tensor& self, double lambd = 1) { return self.clone().exponential_(lambd); }
inline Tensor geometric(const Tensor& self, double p) { return self.clone().geometric_(p); }
inline Tensor log_normal(const Tensor& self, double mean = 1, double std = 2) {
  return self.clone().log_normal_(mean, std);
}
inline Tensor resize(const Tensor& self, IntArrayRef size) { return self.clone().resize_(size); }
inline Tensor resize_as(const Tensor& self, const Tensor& other) { return self.clone().resize_as_(other); }
inline Tensor embedding_renorm(const Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  Tensor copy = self.clone();
  return embedding_renorm_(copy, indices, max_norm, norm_type);
}
inline Tensor set(const Tensor& self, const Tensor& source) { return self.detach().set_(source); }

/// The functions that drop elements, in place.
inline Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(feature_dropout(self, p, train)), self;
}
inline Tensor& alpha_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(alpha_dropout(self, p, train)), self;
}
inline Tensor& feature_alpha_dropout_(Tensor& self, double p, bool train) {
  return self.copy_(feature_alpha_dropout(self, p, train)), self;
}

inline bool is_same_size(const Tensor& self, const Tensor& other) { return self.sizes() == other.sizes(); }

/// Padding of the last one, two or three dims, `(left, right, top, bottom, front, back)`.
inline Tensor reflection_pad1d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor reflection_pad2d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor reflection_pad3d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "reflect"); }
inline Tensor replication_pad1d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }
inline Tensor replication_pad2d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }
inline Tensor replication_pad3d(const Tensor& self, IntArrayRef padding) { return pad(self, padding, "replicate"); }

inline Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  return nn::functional::pixel_shuffle(self, upscale_factor);
}
inline Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  return nn::functional::pixel_unshuffle(self, downscale_factor);
}

using nn::utils::rnn::pad_sequence;

inline Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p = 1, const Scalar& margin = 1,
                                const std::optional<Tensor>& weight = {}, int64_t reduction = Reduction::Mean) {
  nn::functional::MultiMarginLossFuncOptions options;
  options.p(p.to<int64_t>())
      .margin(margin.to<double>())
      .reduction(reduction == Reduction::None  ? kNone
                 : reduction == Reduction::Sum ? kSum
                                               : kMean);
  if (weight) options.weight(*weight);
  return nn::functional::multi_margin_loss(self, target, options);
}

/// Slopes below zero from [lower, upper) where `training`, else their mean.
inline Tensor rrelu(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3,
                    bool training = false) {
  return nn::functional::rrelu(self, lower.to<double>(), upper.to<double>(), training);
}
inline Tensor& rrelu_(Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 1.0 / 3, bool training = false) {
  return self.copy_(rrelu(self, lower, upper, training)), self;
}

/// The convolution of `(T, B, C)` with a weight `(width, C, C')`.
inline Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad = 0) {
  return conv1d(self.permute({1, 2, 0}), weight.permute({2, 1, 0}), bias, 1, pad).permute({2, 0, 1});
}

namespace detail {

/// Interpolation to `output_size`, which must be what `scales` give where they are given.
inline Tensor upsample(const Tensor& self, OptionalIntArrayRef output_size, std::optional<bool> align_corners,
                       std::vector<double> scales, Choice mode, const char* name) {
  nn::functional::InterpolateFuncOptions options;
  options.mode(mode).align_corners(align_corners);
  if (!scales.empty())
    options.scale_factor(std::move(scales));
  else if (output_size)
    options.size(output_size->vec());
  const Tensor out = nn::functional::interpolate(self, options);
  TORCH_CHECK(!output_size || out.sizes().slice(2) == *output_size, name, ": the scales give ", out.sizes().slice(2),
              ", but the output size is ", *output_size);
  return out;
}

inline std::vector<double> scales_of(const std::optional<ArrayRef<double>>& scales) {
  return scales ? scales->vec() : std::vector<double>();
}
/// All of the scales, or none where one is missing.
template <class... D>
std::vector<double> scales_of(std::optional<double> first, D... others) {
  return first && (... && others) ? std::vector<double>{*first, *others...} : std::vector<double>();
}

}  // namespace detail

/// Interpolation of `(N, C, L)`, `(N, C, H, W)` or `(N, C, D, H, W)` by size or by scales.
inline Tensor upsample_nearest1d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest1d");
}
inline Tensor upsample_nearest1d(const Tensor& self, IntArrayRef size, std::optional<double> scales = {}) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest1d");
}
inline Tensor upsample_nearest2d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest2d");
}
inline Tensor upsample_nearest2d(const Tensor& self, IntArrayRef size, std::optional<double> scales_h = {},
                                 std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, {}, detail::scales_of(scales_h, scales_w), kNearest, "upsample_nearest2d");
}
inline Tensor upsample_nearest3d(const Tensor& self, OptionalIntArrayRef size, std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, {}, detail::scales_of(scales), kNearest, "upsample_nearest3d");
}
inline Tensor upsample_nearest3d(const Tensor& self, IntArrayRef size, std::optional<double> scales_d = {},
                                 std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, {}, detail::scales_of(scales_d, scales_h, scales_w), kNearest,
                          "upsample_nearest3d");
}
inline Tensor upsample_linear1d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kLinear, "upsample_linear1d");
}
inline Tensor upsample_linear1d(const Tensor& self, IntArrayRef size, bool align_corners,
                                std::optional<double> scales = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kLinear, "upsample_linear1d");
}
inline Tensor upsample_bilinear2d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                  std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kBilinear, "upsample_bilinear2d");
}
inline Tensor upsample_bilinear2d(const Tensor& self, IntArrayRef size, bool align_corners,
                                  std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_h, scales_w), kBilinear,
                          "upsample_bilinear2d");
}
inline Tensor upsample_bicubic2d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                 std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kBicubic, "upsample_bicubic2d");
}
inline Tensor upsample_bicubic2d(const Tensor& self, IntArrayRef size, bool align_corners,
                                 std::optional<double> scales_h = {}, std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_h, scales_w), kBicubic,
                          "upsample_bicubic2d");
}
inline Tensor upsample_trilinear3d(const Tensor& self, OptionalIntArrayRef size, bool align_corners,
                                   std::optional<ArrayRef<double>> scales) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales), kTrilinear, "upsample_trilinear3d");
}
inline Tensor upsample_trilinear3d(const Tensor& self, IntArrayRef size, bool align_corners,
                                   std::optional<double> scales_d = {}, std::optional<double> scales_h = {},
                                   std::optional<double> scales_w = {}) {
  return detail::upsample(self, size, align_corners, detail::scales_of(scales_d, scales_h, scales_w), kTrilinear,
                          "upsample_trilinear3d");
}

}  // namespace strata
