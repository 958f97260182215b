// Pooling functions and modules over one, two and three spatial dims: maxima and means. Others are in unpool.h.
#pragma once
#include <tuple>
#include <type_traits>

#include "expanding_array.h"
#include "module.h"

namespace strata::nn {

template <size_t D>
struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride);
  STRATA_ARG(ExpandingArray<D>, padding) = 0;
  STRATA_ARG(ExpandingArray<D>, dilation) = 1;
  STRATA_ARG(bool, ceil_mode) = false;
};
using MaxPool1dOptions = MaxPoolOptions<1>;
using MaxPool2dOptions = MaxPoolOptions<2>;
using MaxPool3dOptions = MaxPoolOptions<3>;

template <size_t D>
struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride);
  STRATA_ARG(ExpandingArray<D>, padding) = 0;
  STRATA_ARG(bool, ceil_mode) = false;
  STRATA_ARG(bool, count_include_pad) = true;
  STRATA_ARG(std::optional<int64_t>, divisor_override) = std::nullopt;
};
using AvgPool1dOptions = AvgPoolOptions<1>;
using AvgPool2dOptions = AvgPoolOptions<2>;
using AvgPool3dOptions = AvgPoolOptions<3>;

/// A size that is left out stays as it is in the input.
template <class OutputSize>
struct AdaptivePoolOptions {
  AdaptivePoolOptions(OutputSize output_size) : output_size_(output_size) {}
  STRATA_ARG(OutputSize, output_size);
};
template <class OutputSize>
using AdaptiveAvgPoolOptions = AdaptivePoolOptions<OutputSize>;
template <class OutputSize>
using AdaptiveMaxPoolOptions = AdaptivePoolOptions<OutputSize>;

/// The output size of an adaptive pool over D dims.
template <size_t D>
using AdaptiveSize = std::conditional_t<D == 1, ExpandingArray<1>, ExpandingArrayWithOptionalElem<D>>;

using AdaptiveAvgPool1dOptions = AdaptivePoolOptions<AdaptiveSize<1>>;
using AdaptiveAvgPool2dOptions = AdaptivePoolOptions<AdaptiveSize<2>>;
using AdaptiveAvgPool3dOptions = AdaptivePoolOptions<AdaptiveSize<3>>;
using AdaptiveMaxPool1dOptions = AdaptivePoolOptions<AdaptiveSize<1>>;
using AdaptiveMaxPool2dOptions = AdaptivePoolOptions<AdaptiveSize<2>>;
using AdaptiveMaxPool3dOptions = AdaptivePoolOptions<AdaptiveSize<3>>;

namespace functional {

using MaxPool1dFuncOptions = MaxPool1dOptions;
using MaxPool2dFuncOptions = MaxPool2dOptions;
using MaxPool3dFuncOptions = MaxPool3dOptions;
using AvgPool1dFuncOptions = AvgPool1dOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using AvgPool3dFuncOptions = AvgPool3dOptions;
using AdaptiveAvgPool1dFuncOptions = AdaptiveAvgPool1dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
using AdaptiveAvgPool3dFuncOptions = AdaptiveAvgPool3dOptions;
using AdaptiveMaxPool1dFuncOptions = AdaptiveMaxPool1dOptions;
using AdaptiveMaxPool2dFuncOptions = AdaptiveMaxPool2dOptions;
using AdaptiveMaxPool3dFuncOptions = AdaptiveMaxPool3dOptions;

/// Over `(N, C, L)`, `(N, C, H, W)` in the 2d functions, `(N, C, D, H, W)` in the 3d ones; the batch dim may be
/// missing.
Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& options);
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options);
Tensor max_pool3d(const Tensor& input, const MaxPool3dFuncOptions& options);
Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& options);
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options);
Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& options);
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& options);
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& options);
Tensor adaptive_avg_pool3d(const Tensor& input, const AdaptiveAvgPool3dFuncOptions& options);
Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& options);
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& options);
Tensor adaptive_max_pool3d(const Tensor& input, const AdaptiveMaxPool3dFuncOptions& options);
/// Also the int64 positions of the maxima in their lines, planes or volumes.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const MaxPool3dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool3d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool3dFuncOptions& options);

}  // namespace functional

/// Maxima over windows.
template <size_t D, class Derived>
class MaxPoolImplBase : public ModuleWithOptions<Derived, MaxPoolOptions<D>> {
 public:
  using ModuleWithOptions<Derived, MaxPoolOptions<D>>::ModuleWithOptions;
  MaxPoolImplBase(ExpandingArray<D> kernel_size)
      : ModuleWithOptions<Derived, MaxPoolOptions<D>>(MaxPoolOptions<D>(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also the int64 positions of the maxima.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};

/// Means over windows.
template <size_t D, class Derived>
class AvgPoolImplBase : public ModuleWithOptions<Derived, AvgPoolOptions<D>> {
 public:
  using ModuleWithOptions<Derived, AvgPoolOptions<D>>::ModuleWithOptions;
  AvgPoolImplBase(ExpandingArray<D> kernel_size)
      : ModuleWithOptions<Derived, AvgPoolOptions<D>>(AvgPoolOptions<D>(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

/// Means over as many windows as the output is to have.
template <size_t D, class Derived>
class AdaptiveAvgPoolImplBase : public ModuleWithOptions<Derived, AdaptiveAvgPoolOptions<AdaptiveSize<D>>> {
 public:
  using ModuleWithOptions<Derived, AdaptiveAvgPoolOptions<AdaptiveSize<D>>>::ModuleWithOptions;
  AdaptiveAvgPoolImplBase(AdaptiveSize<D> output_size)
      : ModuleWithOptions<Derived, AdaptiveAvgPoolOptions<AdaptiveSize<D>>>(
            AdaptiveAvgPoolOptions<AdaptiveSize<D>>(output_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

/// Maxima over as many windows as the output is to have.
template <size_t D, class Derived>
class AdaptiveMaxPoolImplBase : public ModuleWithOptions<Derived, AdaptiveMaxPoolOptions<AdaptiveSize<D>>> {
 public:
  using ModuleWithOptions<Derived, AdaptiveMaxPoolOptions<AdaptiveSize<D>>>::ModuleWithOptions;
  AdaptiveMaxPoolImplBase(AdaptiveSize<D> output_size)
      : ModuleWithOptions<Derived, AdaptiveMaxPoolOptions<AdaptiveSize<D>>>(
            AdaptiveMaxPoolOptions<AdaptiveSize<D>>(output_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also the int64 positions of the maxima.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};

/// Over `(N, C, L)`.
class MaxPool1dImpl : public MaxPoolImplBase<1, MaxPool1dImpl> {
 public:
  using MaxPoolImplBase::MaxPoolImplBase;
};
extern template class MaxPoolImplBase<1, MaxPool1dImpl>;
STRATA_MODULE(MaxPool1d);

/// Over `(N, C, H, W)`.
class MaxPool2dImpl : public MaxPoolImplBase<2, MaxPool2dImpl> {
 public:
  using MaxPoolImplBase::MaxPoolImplBase;
};
extern template class MaxPoolImplBase<2, MaxPool2dImpl>;
STRATA_MODULE(MaxPool2d);

/// Over `(N, C, D, H, W)`.
class MaxPool3dImpl : public MaxPoolImplBase<3, MaxPool3dImpl> {
 public:
  using MaxPoolImplBase::MaxPoolImplBase;
};
extern template class MaxPoolImplBase<3, MaxPool3dImpl>;
STRATA_MODULE(MaxPool3d);

/// Over `(N, C, L)`.
class AvgPool1dImpl : public AvgPoolImplBase<1, AvgPool1dImpl> {
 public:
  using AvgPoolImplBase::AvgPoolImplBase;
};
extern template class AvgPoolImplBase<1, AvgPool1dImpl>;
STRATA_MODULE(AvgPool1d);

/// Over `(N, C, H, W)`.
class AvgPool2dImpl : public AvgPoolImplBase<2, AvgPool2dImpl> {
 public:
  using AvgPoolImplBase::AvgPoolImplBase;
};
extern template class AvgPoolImplBase<2, AvgPool2dImpl>;
STRATA_MODULE(AvgPool2d);

/// Over `(N, C, D, H, W)`.
class AvgPool3dImpl : public AvgPoolImplBase<3, AvgPool3dImpl> {
 public:
  using AvgPoolImplBase::AvgPoolImplBase;
};
extern template class AvgPoolImplBase<3, AvgPool3dImpl>;
STRATA_MODULE(AvgPool3d);

/// Over `(N, C, L)`.
class AdaptiveAvgPool1dImpl : public AdaptiveAvgPoolImplBase<1, AdaptiveAvgPool1dImpl> {
 public:
  using AdaptiveAvgPoolImplBase::AdaptiveAvgPoolImplBase;
};
extern template class AdaptiveAvgPoolImplBase<1, AdaptiveAvgPool1dImpl>;
STRATA_MODULE(AdaptiveAvgPool1d);

/// Over `(N, C, H, W)`.
class AdaptiveAvgPool2dImpl : public AdaptiveAvgPoolImplBase<2, AdaptiveAvgPool2dImpl> {
 public:
  using AdaptiveAvgPoolImplBase::AdaptiveAvgPoolImplBase;
};
extern template class AdaptiveAvgPoolImplBase<2, AdaptiveAvgPool2dImpl>;
STRATA_MODULE(AdaptiveAvgPool2d);

/// Over `(N, C, D, H, W)`.
class AdaptiveAvgPool3dImpl : public AdaptiveAvgPoolImplBase<3, AdaptiveAvgPool3dImpl> {
 public:
  using AdaptiveAvgPoolImplBase::AdaptiveAvgPoolImplBase;
};
extern template class AdaptiveAvgPoolImplBase<3, AdaptiveAvgPool3dImpl>;
STRATA_MODULE(AdaptiveAvgPool3d);

/// Over `(N, C, L)`.
class AdaptiveMaxPool1dImpl : public AdaptiveMaxPoolImplBase<1, AdaptiveMaxPool1dImpl> {
 public:
  using AdaptiveMaxPoolImplBase::AdaptiveMaxPoolImplBase;
};
extern template class AdaptiveMaxPoolImplBase<1, AdaptiveMaxPool1dImpl>;
STRATA_MODULE(AdaptiveMaxPool1d);

/// Over `(N, C, H, W)`.
class AdaptiveMaxPool2dImpl : public AdaptiveMaxPoolImplBase<2, AdaptiveMaxPool2dImpl> {
 public:
  using AdaptiveMaxPoolImplBase::AdaptiveMaxPoolImplBase;
};
extern template class AdaptiveMaxPoolImplBase<2, AdaptiveMaxPool2dImpl>;
STRATA_MODULE(AdaptiveMaxPool2d);

/// Over `(N, C, D, H, W)`.
class AdaptiveMaxPool3dImpl : public AdaptiveMaxPoolImplBase<3, AdaptiveMaxPool3dImpl> {
 public:
  using AdaptiveMaxPoolImplBase::AdaptiveMaxPoolImplBase;
};
extern template class AdaptiveMaxPoolImplBase<3, AdaptiveMaxPool3dImpl>;
STRATA_MODULE(AdaptiveMaxPool3d);

}  // namespace strata::nn
