// Normalisation functions and modules.
#pragma once
#include "../ops/collective.h"
#include "module.h"

namespace strata::nn {

struct BatchNormOptions {
  BatchNormOptions(int64_t num_features) : num_features_(num_features) {}
  STRATA_ARG(int64_t, num_features);
  STRATA_ARG(double, eps) = 1e-5;
  STRATA_ARG(std::optional<double>, momentum) = 0.1;
  STRATA_ARG(bool, affine) = true;
  STRATA_ARG(bool, track_running_stats) = true;
};
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;
using BatchNorm3dOptions = BatchNormOptions;

struct InstanceNormOptions {
  InstanceNormOptions(int64_t num_features) : num_features_(num_features) {}
  STRATA_ARG(int64_t, num_features);
  STRATA_ARG(double, eps) = 1e-5;
  STRATA_ARG(double, momentum) = 0.1;
  STRATA_ARG(bool, affine) = false;
  STRATA_ARG(bool, track_running_stats) = false;
};
using InstanceNorm1dOptions = InstanceNormOptions;
using InstanceNorm2dOptions = InstanceNormOptions;
using InstanceNorm3dOptions = InstanceNormOptions;

struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  STRATA_ARG(std::vector<int64_t>, normalized_shape);
  STRATA_ARG(double, eps) = 1e-5;
  STRATA_ARG(bool, elementwise_affine) = true;
};

struct GroupNormOptions {
  GroupNormOptions(int64_t num_groups, int64_t num_channels) : num_groups_(num_groups), num_channels_(num_channels) {}
  STRATA_ARG(int64_t, num_groups);
  STRATA_ARG(int64_t, num_channels);
  STRATA_ARG(double, eps) = 1e-5;
  STRATA_ARG(bool, affine) = true;
};

namespace functional {

struct BatchNormFuncOptions {
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(Tensor, bias);
  STRATA_ARG(bool, training) = false;
  STRATA_ARG(double, momentum) = 0.1;
  STRATA_ARG(double, eps) = 1e-5;
};

struct InstanceNormFuncOptions {
  STRATA_ARG(Tensor, running_mean);
  STRATA_ARG(Tensor, running_var);
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(Tensor, bias);
  STRATA_ARG(bool, use_input_stats) = true;
  STRATA_ARG(double, momentum) = 0.1;
  STRATA_ARG(double, eps) = 1e-5;
};

struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  STRATA_ARG(std::vector<int64_t>, normalized_shape);
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(Tensor, bias);
  STRATA_ARG(double, eps) = 1e-5;
};

struct GroupNormFuncOptions {
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  STRATA_ARG(int64_t, num_groups);
  STRATA_ARG(Tensor, weight);
  STRATA_ARG(Tensor, bias);
  STRATA_ARG(double, eps) = 1e-5;
};

struct NormalizeFuncOptions {
  STRATA_ARG(double, p) = 2.0;
  STRATA_ARG(int64_t, dim) = 1;
  STRATA_ARG(double, eps) = 1e-12;
  /// Written to and returned, where one is given; it takes part in no gradient.
  STRATA_ARG(std::optional<Tensor>, out) = std::nullopt;
};

/// Each channel of `(N, C, ...)` by the batch's statistics in training, else by the running ones `(C,)`.
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& options = {});
Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options = {});
/// Over the last dims, which have the normalized shape.
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options);
Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options);
/// `input / max(|input|_p, eps)` along dim.
Tensor normalize(const Tensor& input, const NormalizeFuncOptions& options = {});

}  // namespace functional

/// What batch and instance norms share: weight and bias if affine, running statistics if tracked.
template <class Derived, class Options>
class NormImplBase : public Cloneable<Derived> {
 public:
  explicit NormImplBase(const Options& options_);
  void reset() override;
  void reset_parameters();
  /// Sets the statistics back to mean 0 and variance 1.
  void reset_running_stats();

  Options options;
  Tensor weight;               ///< `(num_features,)` or undefined
  Tensor bias;                 ///< `(num_features,)` or undefined
  Tensor running_mean;         ///< `(num_features,)` or undefined
  Tensor running_var;          ///< `(num_features,)` or undefined
  Tensor num_batches_tracked;  ///< `()` int64 or undefined
  /// Ranks whose batches count as one in training; batch norms alone read it, see SyncBatchNorm.
  std::optional<distributed::Group> sync_group;
};

/// Normalises each channel over the batch; D is the number of dims after the channels'.
template <size_t D, class Derived>
class BatchNormImplBase : public NormImplBase<Derived, BatchNormOptions> {
 public:
  using NormImplBase<Derived, BatchNormOptions>::NormImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

/// `(N, C)` or `(N, C, L)`.
class BatchNorm1dImpl : public BatchNormImplBase<1, BatchNorm1dImpl> {
 public:
  using BatchNormImplBase::BatchNormImplBase;
};
STRATA_MODULE(BatchNorm1d);

/// `(N, C, H, W)`.
class BatchNorm2dImpl : public BatchNormImplBase<2, BatchNorm2dImpl> {
 public:
  using BatchNormImplBase::BatchNormImplBase;
};
STRATA_MODULE(BatchNorm2d);

/// `(N, C, D, H, W)`.
class BatchNorm3dImpl : public BatchNormImplBase<3, BatchNorm3dImpl> {
 public:
  using BatchNormImplBase::BatchNormImplBase;
};
STRATA_MODULE(BatchNorm3d);

/// Normalises each channel of each sample; the batch dim may be missing.
template <size_t D, class Derived>
class InstanceNormImplBase : public NormImplBase<Derived, InstanceNormOptions> {
 public:
  using NormImplBase<Derived, InstanceNormOptions>::NormImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

/// `(N, C, L)`.
class InstanceNorm1dImpl : public InstanceNormImplBase<1, InstanceNorm1dImpl> {
 public:
  using InstanceNormImplBase::InstanceNormImplBase;
};
STRATA_MODULE(InstanceNorm1d);

/// `(N, C, H, W)`.
class InstanceNorm2dImpl : public InstanceNormImplBase<2, InstanceNorm2dImpl> {
 public:
  using InstanceNormImplBase::InstanceNormImplBase;
};
STRATA_MODULE(InstanceNorm2d);

/// `(N, C, D, H, W)`.
class InstanceNorm3dImpl : public InstanceNormImplBase<3, InstanceNorm3dImpl> {
 public:
  using InstanceNormImplBase::InstanceNormImplBase;
};
STRATA_MODULE(InstanceNorm3d);

/// Normalises over the last dims.
class LayerNormImpl : public Cloneable<LayerNormImpl> {
 public:
  LayerNormImpl(std::vector<int64_t> normalized_shape) : LayerNormImpl(LayerNormOptions(std::move(normalized_shape))) {}
  explicit LayerNormImpl(const LayerNormOptions& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  LayerNormOptions options;
  Tensor weight;  ///< normalized_shape, or undefined
  Tensor bias;    ///< normalized_shape, or undefined
};
STRATA_MODULE(LayerNorm);

/// Normalises each group of channels of each sample of `(N, C, ...)`.
class GroupNormImpl : public Cloneable<GroupNormImpl> {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels) : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  GroupNormOptions options;
  Tensor weight;  ///< `(num_channels,)` or undefined
  Tensor bias;    ///< `(num_channels,)` or undefined
};
STRATA_MODULE(GroupNorm);

extern template class NormImplBase<BatchNorm1dImpl, BatchNormOptions>;
extern template class NormImplBase<BatchNorm2dImpl, BatchNormOptions>;
extern template class NormImplBase<BatchNorm3dImpl, BatchNormOptions>;
extern template class NormImplBase<InstanceNorm1dImpl, InstanceNormOptions>;
extern template class NormImplBase<InstanceNorm2dImpl, InstanceNormOptions>;
extern template class NormImplBase<InstanceNorm3dImpl, InstanceNormOptions>;
extern template class BatchNormImplBase<1, BatchNorm1dImpl>;
extern template class BatchNormImplBase<2, BatchNorm2dImpl>;
extern template class BatchNormImplBase<3, BatchNorm3dImpl>;
extern template class InstanceNormImplBase<1, InstanceNorm1dImpl>;
extern template class InstanceNormImplBase<2, InstanceNorm2dImpl>;
extern template class InstanceNormImplBase<3, InstanceNorm3dImpl>;

}  // namespace strata::nn
