// Batch normalisation by the statistics of all ranks' batches together.
#pragma once
#include "norm.h"

namespace strata::nn {

namespace functional {

/// Each channel of `(N, C, ...)` by the mean and variance over the batches of all ranks of the group, which may differ
/// in size; updates the running statistics `(C,)`, where they are given, to the same on all ranks. Gradients are those
/// of the sum of all ranks' losses.
Tensor sync_batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                       const Tensor& weight = {}, const Tensor& bias = {}, double momentum = 0.1, double eps = 1e-5,
                       const distributed::Group& group = {});

}  // namespace functional

/// A batch normalisation of any number of dims that in training counts the batches of all ranks as one.
class SyncBatchNormImpl : public NormImplBase<SyncBatchNormImpl, BatchNormOptions> {
 public:
  /// Of the ranks of `group`; the default group where none is given.
  explicit SyncBatchNormImpl(const BatchNormOptions& options_, distributed::Group group = {});
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  /// Makes the BatchNorm1d to 3d of a whole model synchronise, in place: programs keep their members, parameters and
  /// names. PyTorch makes other modules of them.
  static void convert_sync_batchnorm(Module& module, const distributed::Group& group = {});
  template <class T>
  static ModuleHolder<T> convert_sync_batchnorm(ModuleHolder<T> module, const distributed::Group& group = {}) {
    convert_sync_batchnorm(*module, group);
    return module;
  }
};
STRATA_MODULE(SyncBatchNorm);

extern template class NormImplBase<SyncBatchNormImpl, BatchNormOptions>;

}  // namespace strata::nn
