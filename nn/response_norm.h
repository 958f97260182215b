// Norms without means: RMSNorm, and those by the responses of neighbouring channels.
#pragma once
#include "module.h"

namespace strata::nn {

/// `eps` is the dtype's epsilon unless it is given.
struct RMSNormOptions {
  RMSNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  STRATA_ARG(std::vector<int64_t>, normalized_shape);
  STRATA_ARG(std::optional<double>, eps) = std::nullopt;
  STRATA_ARG(bool, elementwise_affine) = true;
};

struct LocalResponseNormOptions {
  LocalResponseNormOptions(int64_t size) : size_(size) {}
  STRATA_ARG(int64_t, size);
  STRATA_ARG(double, alpha) = 1e-4;
  STRATA_ARG(double, beta) = 0.75;
  STRATA_ARG(double, k) = 1;
};

struct CrossMapLRN2dOptions {
  CrossMapLRN2dOptions(int64_t size) : size_(size) {}
  STRATA_ARG(int64_t, size);
  STRATA_ARG(double, alpha) = 1e-4;
  STRATA_ARG(double, beta) = 0.75;
  STRATA_ARG(int64_t, k) = 1;
};

namespace functional {

struct RMSNormFuncOptions {
  RMSNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  STRATA_ARG(std::vector<int64_t>, normalized_shape);
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(std::optional<double>, eps) = std::nullopt;
};
using LocalResponseNormFuncOptions = LocalResponseNormOptions;

/// Over the last dims, which have the normalized shape, divided by their root mean square.
Tensor rms_norm(const Tensor& input, const RMSNormFuncOptions& options);
/// `(N, C, ...)` by the mean square of `size` neighbouring channels.
Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options);

}  // namespace functional

/// rms_norm with a weight of its own (Zhang and Sennrich 2019).
class RMSNormImpl : public Cloneable<RMSNormImpl> {
 public:
  RMSNormImpl(std::vector<int64_t> normalized_shape) : RMSNormImpl(RMSNormOptions(std::move(normalized_shape))) {}
  explicit RMSNormImpl(const RMSNormOptions& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  RMSNormOptions options;
  Tensor weight;  ///< of the normalized shape, or undefined
};
STRATA_MODULE(RMSNorm);

/// local_response_norm as a module (Krizhevsky et al. 2012).
class LocalResponseNormImpl : public ModuleWithOptions<LocalResponseNormImpl, LocalResponseNormOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  LocalResponseNormImpl(int64_t size) : ModuleWithOptions(LocalResponseNormOptions(size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(LocalResponseNorm);

/// Divides each value of `(N, C, H, W)` by `(k + alpha / size * sum of the squares of the channels less than size / 2
/// away)^beta`. As in libtorch, the first channel's square counts for all the channels farther from it too. The
/// gradient is that of this function, of which libtorch's is an approximation.
class CrossMapLRN2dImpl : public ModuleWithOptions<CrossMapLRN2dImpl, CrossMapLRN2dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  CrossMapLRN2dImpl(int64_t size) : ModuleWithOptions(CrossMapLRN2dOptions(size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(CrossMapLRN2d);

}  // namespace strata::nn
