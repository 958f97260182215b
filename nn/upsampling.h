// Changing the size of images and sequences: interpolate, Upsample, PixelShuffle, PixelUnshuffle, ChannelShuffle.
#pragma once
#include "enums.h"
#include "module.h"

namespace strata::nn {

/// One of `size` and `scale_factor` is given. Modes: kNearest, kNearestExact, kLinear `(N, C, L)`, kBilinear `(N, C, H,
/// W)`, kTrilinear `(N, C, D, H, W)`, kBicubic, kArea.
struct InterpolateOptions {
  using mode_t = OneOf<Choice::Nearest, Choice::Linear, Choice::Bilinear, Choice::Bicubic, Choice::Trilinear,
                       Choice::Area, Choice::NearestExact>;
  STRATA_ARG(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  STRATA_ARG(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  STRATA_ARG(mode_t, mode) = kNearest;
  STRATA_ARG(std::optional<bool>, align_corners) = std::nullopt;
  STRATA_ARG(std::optional<bool>, recompute_scale_factor) = std::nullopt;
  /// Averages over as many elements as an image shrinks by, in modes kBilinear and kBicubic.
  STRATA_ARG(bool, antialias) = false;
};
using UpsampleOptions = InterpolateOptions;

struct PixelShuffleOptions {
  PixelShuffleOptions(int64_t upscale_factor) : upscale_factor_(upscale_factor) {}
  STRATA_ARG(int64_t, upscale_factor);
};

struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor) : downscale_factor_(downscale_factor) {}
  STRATA_ARG(int64_t, downscale_factor);
};

struct ChannelShuffleOptions {
  ChannelShuffleOptions(int64_t groups) : groups_(groups) {}
  STRATA_ARG(int64_t, groups);
};

namespace functional {

using InterpolateFuncOptions = InterpolateOptions;
using PixelShuffleFuncOptions = PixelShuffleOptions;
using PixelUnshuffleFuncOptions = PixelUnshuffleOptions;
using ChannelShuffleFuncOptions = ChannelShuffleOptions;

/// Resamples all dims after the channels'.
Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options = {});
/// `(..., C * r^2, H, W)` to `(..., C, H * r, W * r)` (Shi et al., 2016).
Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options);
/// The inverse of pixel_shuffle: `(N, C, H r, W r)` to `(N, C r^2, H, W)`.
Tensor pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& options);
/// Deals the channels of `(N, C, ...)` out from `groups` groups in turn (Zhang et al., 2018).
Tensor channel_shuffle(const Tensor& input, const ChannelShuffleFuncOptions& options);

}  // namespace functional

/// interpolate as a module.
class UpsampleImpl : public ModuleWithOptions<UpsampleImpl, UpsampleOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Upsample);

/// pixel_shuffle as a module.
class PixelShuffleImpl : public ModuleWithOptions<PixelShuffleImpl, PixelShuffleOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(PixelShuffle);

/// pixel_unshuffle as a module.
class PixelUnshuffleImpl : public ModuleWithOptions<PixelUnshuffleImpl, PixelUnshuffleOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(PixelUnshuffle);

/// channel_shuffle as a module.
class ChannelShuffleImpl : public ModuleWithOptions<ChannelShuffleImpl, ChannelShuffleOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(ChannelShuffle);

}  // namespace strata::nn
