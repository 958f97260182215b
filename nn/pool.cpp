// Pooling functions and modules.
#include "nn/pool.h"

#include <ostream>

#include "nn/detail.h"
#include "ops/pool.h"

namespace strata::nn {

namespace {

template <class Options>
void print_max(std::ostream& stream, const char* type, const Options& o) {
  print_module(stream, type,
               {{"kernel_size", o.kernel_size()},
                {"stride", o.stride()},
                {"padding", o.padding()},
                {"dilation", o.dilation()},
                {"ceil_mode", o.ceil_mode()}});
}

template <class Options>
void print_avg(std::ostream& stream, const char* type, const Options& o) {
  print_module(stream, type, {{"kernel_size", o.kernel_size()}, {"stride", o.stride()}, {"padding", o.padding()}});
}

void print_adaptive(std::ostream& stream, const char* type, const ExpandingArray<1>& size) {
  print_module(stream, type, {{"output_size", size}});
}

void print_adaptive(std::ostream& stream, const char* type, const ExpandingArrayWithOptionalElem<2>& size) {
  const auto text = [](const std::optional<int64_t>& v) { return v ? std::to_string(*v) : std::string("None"); };
  print_module(stream, type, {{"output_size", "[" + text(size[0]) + ", " + text(size[1]) + "]"}});
}

/// The sizes asked for, the input's own where there is none.
DimVector output_size_of(const Tensor& input, const ExpandingArrayWithOptionalElem<2>& size) {
  STRATA_CHECK(input.dim() >= 2, "adaptive pool: expected (N, C, H, W) or (C, H, W), got {}", input.sizes());
  return {size[0].value_or(input.size(-2)), size[1].value_or(input.size(-1))};
}

}  // namespace

namespace functional {

Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& o) {
  return strata::max_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& o) {
  return strata::max_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& o) {
  return strata::max_pool1d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& o) {
  return strata::max_pool2d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& o) {
  STRATA_CHECK(!o.divisor_override(), "avg_pool1d: there is no divisor_override in one dim");
  return strata::avg_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
}
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& o) {
  return strata::avg_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(),
                            o.divisor_override());
}
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& o) {
  return strata::adaptive_avg_pool1d(input, o.output_size());
}
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& o) {
  return strata::adaptive_avg_pool2d(input, output_size_of(input, o.output_size()));
}
Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& o) {
  return std::get<0>(adaptive_max_pool1d_with_indices(input, o));
}
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& o) {
  return std::get<0>(adaptive_max_pool2d_with_indices(input, o));
}
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& o) {
  return strata::adaptive_max_pool1d(input, o.output_size());
}
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& o) {
  return strata::adaptive_max_pool2d(input, output_size_of(input, o.output_size()));
}

}  // namespace functional

void MaxPool1dImpl::pretty_print(std::ostream& stream) const { print_max(stream, "MaxPool1d", options); }
Tensor MaxPool1dImpl::forward(const Tensor& input) { return functional::max_pool1d(input, options); }
std::tuple<Tensor, Tensor> MaxPool1dImpl::forward_with_indices(const Tensor& input) {
  return functional::max_pool1d_with_indices(input, options);
}

void MaxPool2dImpl::pretty_print(std::ostream& stream) const { print_max(stream, "MaxPool2d", options); }
Tensor MaxPool2dImpl::forward(const Tensor& input) { return functional::max_pool2d(input, options); }
std::tuple<Tensor, Tensor> MaxPool2dImpl::forward_with_indices(const Tensor& input) {
  return functional::max_pool2d_with_indices(input, options);
}

void AvgPool1dImpl::pretty_print(std::ostream& stream) const { print_avg(stream, "AvgPool1d", options); }
Tensor AvgPool1dImpl::forward(const Tensor& input) { return functional::avg_pool1d(input, options); }

void AvgPool2dImpl::pretty_print(std::ostream& stream) const { print_avg(stream, "AvgPool2d", options); }
Tensor AvgPool2dImpl::forward(const Tensor& input) { return functional::avg_pool2d(input, options); }

void AdaptiveAvgPool1dImpl::pretty_print(std::ostream& stream) const {
  print_adaptive(stream, "AdaptiveAvgPool1d", options.output_size());
}
Tensor AdaptiveAvgPool1dImpl::forward(const Tensor& input) { return functional::adaptive_avg_pool1d(input, options); }

void AdaptiveAvgPool2dImpl::pretty_print(std::ostream& stream) const {
  print_adaptive(stream, "AdaptiveAvgPool2d", options.output_size());
}
Tensor AdaptiveAvgPool2dImpl::forward(const Tensor& input) { return functional::adaptive_avg_pool2d(input, options); }

void AdaptiveMaxPool1dImpl::pretty_print(std::ostream& stream) const {
  print_adaptive(stream, "AdaptiveMaxPool1d", options.output_size());
}
Tensor AdaptiveMaxPool1dImpl::forward(const Tensor& input) { return functional::adaptive_max_pool1d(input, options); }
std::tuple<Tensor, Tensor> AdaptiveMaxPool1dImpl::forward_with_indices(const Tensor& input) {
  return functional::adaptive_max_pool1d_with_indices(input, options);
}

void AdaptiveMaxPool2dImpl::pretty_print(std::ostream& stream) const {
  print_adaptive(stream, "AdaptiveMaxPool2d", options.output_size());
}
Tensor AdaptiveMaxPool2dImpl::forward(const Tensor& input) { return functional::adaptive_max_pool2d(input, options); }
std::tuple<Tensor, Tensor> AdaptiveMaxPool2dImpl::forward_with_indices(const Tensor& input) {
  return functional::adaptive_max_pool2d_with_indices(input, options);
}

}  // namespace strata::nn
