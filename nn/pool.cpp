// Pooling functions and modules.
#include "nn/pool.h"

#include <ostream>

#include "core/called.h"
#include "nn/detail.h"
#include "ops/pool.h"

namespace strata::nn {

namespace {

template <size_t D>
std::string text_of(const ExpandingArrayWithOptionalElem<D>& sizes) {
  std::string text = "[";
  for (size_t i = 0; i < D; ++i) text += (i ? ", " : "") + (sizes[i] ? std::to_string(*sizes[i]) : "None");
  return text + "]";
}
std::string text_of(const ExpandingArray<1>& size) { return std::to_string(size[0]); }

/// The sizes asked for, the input's own where there is none.
template <size_t D>
DimVector output_size_of(const char* name, const Tensor& input, const ExpandingArrayWithOptionalElem<D>& size) {
  const int64_t dims = static_cast<int64_t>(D);
  STRATA_CHECK(input.dim() >= dims, "{}: expected {} or {} dims, got an input of shape {}", name, dims + 1, dims + 2,
               input.sizes());
  DimVector sizes;
  for (int64_t d = 0; d < dims; ++d) sizes.push_back(size[static_cast<size_t>(d)].value_or(input.size(d - dims)));
  return sizes;
}

}  // namespace

namespace functional {

Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& o) {
  return strata::max_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& o) {
  const Called called;
  return strata::max_pool1d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& o) {
  return strata::max_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& o) {
  const Called called;
  return strata::max_pool2d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor max_pool3d(const Tensor& input, const MaxPool3dFuncOptions& o) {
  return strata::max_pool3d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const MaxPool3dFuncOptions& o) {
  const Called called;
  return strata::max_pool3d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& o) {
  STRATA_CHECK(!o.divisor_override(), "avg_pool1d: there is no divisor_override in one dim");
  return strata::avg_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
}
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& o) {
  return strata::avg_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(),
                            o.divisor_override());
}
Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& o) {
  return strata::avg_pool3d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(),
                            o.divisor_override());
}
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& o) {
  return strata::adaptive_avg_pool1d(input, o.output_size());
}
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& o) {
  const Called called;
  return strata::adaptive_max_pool1d(input, o.output_size());
}
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& o) {
  return strata::adaptive_avg_pool2d(input, output_size_of("adaptive_avg_pool2d", input, o.output_size()));
}
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& o) {
  const Called called;
  return strata::adaptive_max_pool2d(input, output_size_of("adaptive_max_pool2d", input, o.output_size()));
}
Tensor adaptive_avg_pool3d(const Tensor& input, const AdaptiveAvgPool3dFuncOptions& o) {
  return strata::adaptive_avg_pool3d(input, output_size_of("adaptive_avg_pool3d", input, o.output_size()));
}
std::tuple<Tensor, Tensor> adaptive_max_pool3d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool3dFuncOptions& o) {
  const Called called;
  return strata::adaptive_max_pool3d(input, output_size_of("adaptive_max_pool3d", input, o.output_size()));
}
Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& o) {
  const Called called;
  return std::get<0>(adaptive_max_pool1d_with_indices(input, o));
}
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& o) {
  const Called called;
  return std::get<0>(adaptive_max_pool2d_with_indices(input, o));
}
Tensor adaptive_max_pool3d(const Tensor& input, const AdaptiveMaxPool3dFuncOptions& o) {
  const Called called;
  return std::get<0>(adaptive_max_pool3d_with_indices(input, o));
}

}  // namespace functional

template <size_t D, class Derived>
void MaxPoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  print_module(stream, type_of_dims("MaxPool", D),
               {{"kernel_size", o.kernel_size()},
                {"stride", o.stride()},
                {"padding", o.padding()},
                {"dilation", o.dilation()},
                {"ceil_mode", o.ceil_mode()}});
}

template <size_t D, class Derived>
Tensor MaxPoolImplBase<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return functional::max_pool1d(input, this->options);
  if constexpr (D == 2) return functional::max_pool2d(input, this->options);
  if constexpr (D == 3) return functional::max_pool3d(input, this->options);
}

template <size_t D, class Derived>
std::tuple<Tensor, Tensor> MaxPoolImplBase<D, Derived>::forward_with_indices(const Tensor& input) {
  if constexpr (D == 1) return functional::max_pool1d_with_indices(input, this->options);
  if constexpr (D == 2) return functional::max_pool2d_with_indices(input, this->options);
  if constexpr (D == 3) return functional::max_pool3d_with_indices(input, this->options);
}

template <size_t D, class Derived>
void AvgPoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  print_module(stream, type_of_dims("AvgPool", D),
               {{"kernel_size", o.kernel_size()}, {"stride", o.stride()}, {"padding", o.padding()}});
}

template <size_t D, class Derived>
Tensor AvgPoolImplBase<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return functional::avg_pool1d(input, this->options);
  if constexpr (D == 2) return functional::avg_pool2d(input, this->options);
  if constexpr (D == 3) return functional::avg_pool3d(input, this->options);
}

template <size_t D, class Derived>
void AdaptiveAvgPoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  print_module(stream, type_of_dims("AdaptiveAvgPool", D), {{"output_size", text_of(o.output_size())}});
}

template <size_t D, class Derived>
Tensor AdaptiveAvgPoolImplBase<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return functional::adaptive_avg_pool1d(input, this->options);
  if constexpr (D == 2) return functional::adaptive_avg_pool2d(input, this->options);
  if constexpr (D == 3) return functional::adaptive_avg_pool3d(input, this->options);
}

template <size_t D, class Derived>
void AdaptiveMaxPoolImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  print_module(stream, type_of_dims("AdaptiveMaxPool", D), {{"output_size", text_of(o.output_size())}});
}

template <size_t D, class Derived>
Tensor AdaptiveMaxPoolImplBase<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return functional::adaptive_max_pool1d(input, this->options);
  if constexpr (D == 2) return functional::adaptive_max_pool2d(input, this->options);
  if constexpr (D == 3) return functional::adaptive_max_pool3d(input, this->options);
}

template <size_t D, class Derived>
std::tuple<Tensor, Tensor> AdaptiveMaxPoolImplBase<D, Derived>::forward_with_indices(const Tensor& input) {
  if constexpr (D == 1) return functional::adaptive_max_pool1d_with_indices(input, this->options);
  if constexpr (D == 2) return functional::adaptive_max_pool2d_with_indices(input, this->options);
  if constexpr (D == 3) return functional::adaptive_max_pool3d_with_indices(input, this->options);
}

template class MaxPoolImplBase<1, MaxPool1dImpl>;
template class MaxPoolImplBase<2, MaxPool2dImpl>;
template class MaxPoolImplBase<3, MaxPool3dImpl>;
template class AvgPoolImplBase<1, AvgPool1dImpl>;
template class AvgPoolImplBase<2, AvgPool2dImpl>;
template class AvgPoolImplBase<3, AvgPool3dImpl>;
template class AdaptiveAvgPoolImplBase<1, AdaptiveAvgPool1dImpl>;
template class AdaptiveAvgPoolImplBase<2, AdaptiveAvgPool2dImpl>;
template class AdaptiveAvgPoolImplBase<3, AdaptiveAvgPool3dImpl>;
template class AdaptiveMaxPoolImplBase<1, AdaptiveMaxPool1dImpl>;
template class AdaptiveMaxPoolImplBase<2, AdaptiveMaxPool2dImpl>;
template class AdaptiveMaxPoolImplBase<3, AdaptiveMaxPool3dImpl>;

}  // namespace strata::nn
