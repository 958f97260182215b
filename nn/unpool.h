// Pooling functions and modules that are used less: unpooling, power averages and fractional max pools.
#pragma once
#include <tuple>

#include "expanding_array.h"
#include "module.h"

namespace strata::nn {

template <size_t D>
struct MaxUnpoolOptions {
  MaxUnpoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride);
  STRATA_ARG(ExpandingArray<D>, padding) = 0;
};
using MaxUnpool1dOptions = MaxUnpoolOptions<1>;
using MaxUnpool2dOptions = MaxUnpoolOptions<2>;
using MaxUnpool3dOptions = MaxUnpoolOptions<3>;

template <size_t D>
struct LPPoolOptions {
  LPPoolOptions(double norm_type, ExpandingArray<D> kernel_size)
      : norm_type_(norm_type), kernel_size_(kernel_size), stride_(kernel_size) {}
  STRATA_ARG(double, norm_type);
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride);
  STRATA_ARG(bool, ceil_mode) = false;
};
using LPPool1dOptions = LPPoolOptions<1>;
using LPPool2dOptions = LPPoolOptions<2>;
using LPPool3dOptions = LPPoolOptions<3>;

/// One of `output_size` and `output_ratio` (of the input's sizes, in (0, 1)) is given. `_random_samples` are drawn
/// unless they are given.
template <size_t D>
struct FractionalMaxPoolOptions {
  FractionalMaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size) {}
  using ExpandingArrayDouble = ExpandingArray<D, double>;
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(std::optional<ExpandingArray<D>>, output_size) = std::nullopt;
  STRATA_ARG(std::optional<ExpandingArrayDouble>, output_ratio) = std::nullopt;
  STRATA_ARG(Tensor, _random_samples);
};
using FractionalMaxPool2dOptions = FractionalMaxPoolOptions<2>;
using FractionalMaxPool3dOptions = FractionalMaxPoolOptions<3>;

namespace functional {

template <size_t D>
struct MaxUnpoolFuncOptions {
  MaxUnpoolFuncOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  STRATA_ARG(ExpandingArray<D>, kernel_size);
  STRATA_ARG(ExpandingArray<D>, stride);
  STRATA_ARG(ExpandingArray<D>, padding) = 0;
  STRATA_ARG(std::optional<std::vector<int64_t>>, output_size) = std::nullopt;
};
using MaxUnpool1dFuncOptions = MaxUnpoolFuncOptions<1>;
using MaxUnpool2dFuncOptions = MaxUnpoolFuncOptions<2>;
using MaxUnpool3dFuncOptions = MaxUnpoolFuncOptions<3>;

using LPPool1dFuncOptions = LPPool1dOptions;
using LPPool2dFuncOptions = LPPool2dOptions;
using LPPool3dFuncOptions = LPPool3dOptions;
using FractionalMaxPool2dFuncOptions = FractionalMaxPool2dOptions;
using FractionalMaxPool3dFuncOptions = FractionalMaxPool3dOptions;

/// Zeros that hold each value at its index, as the pool of these options found it. `output_size`, with or without batch
/// and channels, chooses among the sizes that the pool brings to the input's; it may be a stride less or more than
/// `(size - 1) * stride - 2 * padding + kernel_size`.
Tensor max_unpool1d(const Tensor& input, const Tensor& indices, const MaxUnpool1dFuncOptions& options);
Tensor max_unpool2d(const Tensor& input, const Tensor& indices, const MaxUnpool2dFuncOptions& options);
Tensor max_unpool3d(const Tensor& input, const Tensor& indices, const MaxUnpool3dFuncOptions& options);
/// `(sum of x^p over a window)^(1/p)`.
Tensor lp_pool1d(const Tensor& input, const LPPool1dFuncOptions& options);
Tensor lp_pool2d(const Tensor& input, const LPPool2dFuncOptions& options);
Tensor lp_pool3d(const Tensor& input, const LPPool3dFuncOptions& options);
/// Maxima over windows at pseudo-random places (Graham 2014), and their int64 positions.
Tensor fractional_max_pool2d(const Tensor& input, const FractionalMaxPool2dFuncOptions& options);
Tensor fractional_max_pool3d(const Tensor& input, const FractionalMaxPool3dFuncOptions& options);
std::tuple<Tensor, Tensor> fractional_max_pool2d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> fractional_max_pool3d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool3dFuncOptions& options);

}  // namespace functional

/// The way back from a max pool with the same options.
template <size_t D, class Derived>
class MaxUnpoolImplBase : public ModuleWithOptions<Derived, MaxUnpoolOptions<D>> {
 public:
  using ModuleWithOptions<Derived, MaxUnpoolOptions<D>>::ModuleWithOptions;
  MaxUnpoolImplBase(ExpandingArray<D> kernel_size)
      : ModuleWithOptions<Derived, MaxUnpoolOptions<D>>(MaxUnpoolOptions<D>(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input, const Tensor& indices,
                 const std::optional<std::vector<int64_t>>& output_size = std::nullopt);
};

/// Power averages over windows.
template <size_t D, class Derived>
class LPPoolImplBase : public ModuleWithOptions<Derived, LPPoolOptions<D>> {
 public:
  using ModuleWithOptions<Derived, LPPoolOptions<D>>::ModuleWithOptions;
  LPPoolImplBase(double norm_type, ExpandingArray<D> kernel_size)
      : ModuleWithOptions<Derived, LPPoolOptions<D>>(LPPoolOptions<D>(norm_type, kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

/// Maxima over windows at pseudo-random places. Throws unless just one of output_size and output_ratio is given.
template <size_t D, class Derived>
class FractionalMaxPoolImplBase : public ModuleWithOptions<Derived, FractionalMaxPoolOptions<D>> {
 public:
  explicit FractionalMaxPoolImplBase(const FractionalMaxPoolOptions<D>& options_);
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};

/// Over `(N, C, L)`.
class MaxUnpool1dImpl : public MaxUnpoolImplBase<1, MaxUnpool1dImpl> {
 public:
  using MaxUnpoolImplBase::MaxUnpoolImplBase;
};
extern template class MaxUnpoolImplBase<1, MaxUnpool1dImpl>;
STRATA_MODULE(MaxUnpool1d);

/// Over `(N, C, H, W)`.
class MaxUnpool2dImpl : public MaxUnpoolImplBase<2, MaxUnpool2dImpl> {
 public:
  using MaxUnpoolImplBase::MaxUnpoolImplBase;
};
extern template class MaxUnpoolImplBase<2, MaxUnpool2dImpl>;
STRATA_MODULE(MaxUnpool2d);

/// Over `(N, C, D, H, W)`.
class MaxUnpool3dImpl : public MaxUnpoolImplBase<3, MaxUnpool3dImpl> {
 public:
  using MaxUnpoolImplBase::MaxUnpoolImplBase;
};
extern template class MaxUnpoolImplBase<3, MaxUnpool3dImpl>;
STRATA_MODULE(MaxUnpool3d);

/// Over `(N, C, L)`.
class LPPool1dImpl : public LPPoolImplBase<1, LPPool1dImpl> {
 public:
  using LPPoolImplBase::LPPoolImplBase;
};
extern template class LPPoolImplBase<1, LPPool1dImpl>;
STRATA_MODULE(LPPool1d);

/// Over `(N, C, H, W)`.
class LPPool2dImpl : public LPPoolImplBase<2, LPPool2dImpl> {
 public:
  using LPPoolImplBase::LPPoolImplBase;
};
extern template class LPPoolImplBase<2, LPPool2dImpl>;
STRATA_MODULE(LPPool2d);

/// Over `(N, C, D, H, W)`.
class LPPool3dImpl : public LPPoolImplBase<3, LPPool3dImpl> {
 public:
  using LPPoolImplBase::LPPoolImplBase;
};
extern template class LPPoolImplBase<3, LPPool3dImpl>;
STRATA_MODULE(LPPool3d);

/// Over `(N, C, H, W)`.
class FractionalMaxPool2dImpl : public FractionalMaxPoolImplBase<2, FractionalMaxPool2dImpl> {
 public:
  using FractionalMaxPoolImplBase::FractionalMaxPoolImplBase;
};
extern template class FractionalMaxPoolImplBase<2, FractionalMaxPool2dImpl>;
STRATA_MODULE(FractionalMaxPool2d);

/// Over `(N, C, D, H, W)`.
class FractionalMaxPool3dImpl : public FractionalMaxPoolImplBase<3, FractionalMaxPool3dImpl> {
 public:
  using FractionalMaxPoolImplBase::FractionalMaxPoolImplBase;
};
extern template class FractionalMaxPoolImplBase<3, FractionalMaxPool3dImpl>;
STRATA_MODULE(FractionalMaxPool3d);

}  // namespace strata::nn
