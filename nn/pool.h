// Pooling functions and modules over one and two spatial dims.
#pragma once
#include <tuple>

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

/// A size that is left out stays as it is in the input.
template <class OutputSize>
struct AdaptivePoolOptions {
  AdaptivePoolOptions(OutputSize output_size) : output_size_(output_size) {}
  STRATA_ARG(OutputSize, output_size);
};
using AdaptiveAvgPool1dOptions = AdaptivePoolOptions<ExpandingArray<1>>;
using AdaptiveAvgPool2dOptions = AdaptivePoolOptions<ExpandingArrayWithOptionalElem<2>>;
using AdaptiveMaxPool1dOptions = AdaptivePoolOptions<ExpandingArray<1>>;
using AdaptiveMaxPool2dOptions = AdaptivePoolOptions<ExpandingArrayWithOptionalElem<2>>;

namespace functional {

using MaxPool1dFuncOptions = MaxPool1dOptions;
using MaxPool2dFuncOptions = MaxPool2dOptions;
using AvgPool1dFuncOptions = AvgPool1dOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using AdaptiveAvgPool1dFuncOptions = AdaptiveAvgPool1dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
using AdaptiveMaxPool1dFuncOptions = AdaptiveMaxPool1dOptions;
using AdaptiveMaxPool2dFuncOptions = AdaptiveMaxPool2dOptions;

/// Over `(N, C, L)`, or `(N, C, H, W)` in the 2d functions; the batch dim may be missing.
Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& options);
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options);
/// Also the int64 positions of the maxima in their planes.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& options);
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& options);
Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& options);
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options);
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& options);
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& options);
Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& options);
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& options);
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& options);

}  // namespace functional

/// Maxima over windows of `(N, C, L)`.
class MaxPool1dImpl : public ModuleWithOptions<MaxPool1dImpl, MaxPool1dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  MaxPool1dImpl(ExpandingArray<1> kernel_size) : ModuleWithOptions(MaxPool1dOptions(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
STRATA_MODULE(MaxPool1d);

/// Maxima over windows of `(N, C, H, W)`.
class MaxPool2dImpl : public ModuleWithOptions<MaxPool2dImpl, MaxPool2dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  MaxPool2dImpl(ExpandingArray<2> kernel_size) : ModuleWithOptions(MaxPool2dOptions(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
STRATA_MODULE(MaxPool2d);

/// Means over windows of `(N, C, L)`.
class AvgPool1dImpl : public ModuleWithOptions<AvgPool1dImpl, AvgPool1dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  AvgPool1dImpl(ExpandingArray<1> kernel_size) : ModuleWithOptions(AvgPool1dOptions(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(AvgPool1d);

/// Means over windows of `(N, C, H, W)`.
class AvgPool2dImpl : public ModuleWithOptions<AvgPool2dImpl, AvgPool2dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  AvgPool2dImpl(ExpandingArray<2> kernel_size) : ModuleWithOptions(AvgPool2dOptions(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(AvgPool2d);

/// Means over as many windows as the output is to have.
class AdaptiveAvgPool1dImpl : public ModuleWithOptions<AdaptiveAvgPool1dImpl, AdaptiveAvgPool1dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  AdaptiveAvgPool1dImpl(ExpandingArray<1> output_size) : ModuleWithOptions(AdaptiveAvgPool1dOptions(output_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(AdaptiveAvgPool1d);

/// The same over `(N, C, H, W)`.
class AdaptiveAvgPool2dImpl : public ModuleWithOptions<AdaptiveAvgPool2dImpl, AdaptiveAvgPool2dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  AdaptiveAvgPool2dImpl(ExpandingArrayWithOptionalElem<2> output_size)
      : ModuleWithOptions(AdaptiveAvgPool2dOptions(output_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(AdaptiveAvgPool2d);

/// Maxima over as many windows as the output is to have.
class AdaptiveMaxPool1dImpl : public ModuleWithOptions<AdaptiveMaxPool1dImpl, AdaptiveMaxPool1dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  AdaptiveMaxPool1dImpl(ExpandingArray<1> output_size) : ModuleWithOptions(AdaptiveMaxPool1dOptions(output_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
STRATA_MODULE(AdaptiveMaxPool1d);

/// The same over `(N, C, H, W)`.
class AdaptiveMaxPool2dImpl : public ModuleWithOptions<AdaptiveMaxPool2dImpl, AdaptiveMaxPool2dOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  AdaptiveMaxPool2dImpl(ExpandingArrayWithOptionalElem<2> output_size)
      : ModuleWithOptions(AdaptiveMaxPool2dOptions(output_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};
STRATA_MODULE(AdaptiveMaxPool2d);

}  // namespace strata::nn
