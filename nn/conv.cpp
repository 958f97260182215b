// Convolution modules and functions.
#include "nn/conv.h"

#include <ostream>

#include "nn/detail.h"
#include "nn/in_module.h"
#include "ops/conv.h"
#include "ops/creation.h"
#include "ops/shaping.h"

namespace strata::nn {

namespace {

/// With the stride, dilation and groups of a module's or a function's options.
template <size_t D, class Options>
Tensor conv(const Tensor& input, const Tensor& weight, const Tensor& bias, const Options& o,
            const ConvPadding<D>& padding) {
  const auto call = [&](const auto& pad) {
    if constexpr (D == 1)
      return strata::conv1d(input, weight, bias, o.stride(), pad, o.dilation(), o.groups());
    else if constexpr (D == 2)
      return strata::conv2d(input, weight, bias, o.stride(), pad, o.dilation(), o.groups());
    else
      return strata::conv3d(input, weight, bias, o.stride(), pad, o.dilation(), o.groups());
  };
  return padding.is_same() ? call("same") : call(IntArrayRef(padding.sizes()));
}

template <size_t D, class Options>
Tensor conv_transpose(const Tensor& input, const Tensor& weight, const Tensor& bias, const Options& o,
                      IntArrayRef output_padding) {
  constexpr auto* call = D == 1   ? &strata::conv_transpose1d
                         : D == 2 ? &strata::conv_transpose2d
                                  : &strata::conv_transpose3d;
  return call(input, weight, bias, o.stride(), o.padding(), output_padding, o.groups(), o.dilation());
}

/// (before, after) from the last dim backwards, as `pad` takes it.
template <size_t D>
DimVector explicit_padding(const ConvOptions<D>& options) {
  DimVector out;
  for (size_t i = D; i-- > 0;) {
    const int64_t total = options.padding().is_same() ? options.dilation()[i] * (options.kernel_size()[i] - 1)
                                                      : 2 * options.padding().sizes()[i];
    out.push_back(total / 2);
    out.push_back(total - total / 2);
  }
  return out;
}

/// Elements of a weight that one output sees.
int64_t fan_in(const Tensor& weight) { return weight.size(0) == 0 ? 0 : weight.numel() / weight.size(0); }

template <size_t D, class Options>
void check_channels(const Options& options, const std::string& type) {
  STRATA_CHECK(options.groups() > 0 && options.in_channels() % options.groups() == 0 &&
                   options.out_channels() % options.groups() == 0,
               "{}: {} groups do not divide {} and {} channels", type, options.groups(), options.in_channels(),
               options.out_channels());
}

template <size_t D>
bool is_all(const ExpandingArray<D>& values, int64_t wanted) {
  return std::all_of(values.begin(), values.end(), [=](int64_t v) { return v == wanted; });
}

/// The options that both kinds print alike, leaving out what has its usual value.
template <size_t D, class Options>
std::vector<PrintedOption> printed(const Options& options, const ExpandingArray<D>& padding) {
  std::vector<PrintedOption> out = {{"", options.in_channels()},
                                    {"", options.out_channels()},
                                    {"kernel_size", options.kernel_size()},
                                    {"stride", options.stride()}};
  if (!is_all(padding, 0)) out.emplace_back("padding", padding);
  if (!is_all(options.dilation(), 1)) out.emplace_back("dilation", options.dilation());
  if (options.groups() != 1) out.emplace_back("groups", options.groups());
  if (!options.bias()) out.emplace_back("bias", false);
  if (options.padding_mode() != kZeros) out.emplace_back("padding_mode", options.padding_mode());
  return out;
}

/// How much longer than the smallest possible output each dim is to be.
template <size_t D>
DimVector output_padding_for(const Tensor& input, IntArrayRef output_size, const ConvTransposeOptions<D>& options) {
  if (output_size.size() == D + 2) output_size = output_size.slice(2);
  STRATA_CHECK(output_size.size() == D && input.dim() >= static_cast<int64_t>(D),
               "{}: output_size takes {} sizes, got {}", type_of_dims("ConvTranspose", D), D, output_size.size());
  DimVector out;
  for (size_t i = 0; i < D; ++i) {
    const int64_t smallest = (input.size(static_cast<int64_t>(i) - static_cast<int64_t>(D)) - 1) * options.stride()[i] -
                             2 * options.padding()[i] + options.dilation()[i] * (options.kernel_size()[i] - 1) + 1;
    const int64_t largest = smallest + options.stride()[i] - 1;
    STRATA_CHECK(output_size[i] >= smallest && output_size[i] <= largest,
                 "{}: output size {} in dim {} is not between {} and {}", type_of_dims("ConvTranspose", D),
                 output_size[i], i, smallest, largest);
    out.push_back(output_size[i] - smallest);
  }
  return out;
}

template <size_t D>
Tensor make_weight(int64_t first, int64_t second, const ExpandingArray<D>& kernel_size) {
  DimVector sizes = {first, second};
  for (const int64_t k : kernel_size) sizes.push_back(k);
  return empty(sizes);
}

}  // namespace

namespace functional {

Tensor conv1d(const Tensor& input, const Tensor& weight, const Conv1dFuncOptions& options) {
  return conv<1>(input, weight, options.bias(), options, options.padding());
}
Tensor conv2d(const Tensor& input, const Tensor& weight, const Conv2dFuncOptions& options) {
  return conv<2>(input, weight, options.bias(), options, options.padding());
}
Tensor conv3d(const Tensor& input, const Tensor& weight, const Conv3dFuncOptions& options) {
  return conv<3>(input, weight, options.bias(), options, options.padding());
}
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const ConvTranspose1dFuncOptions& options) {
  return conv_transpose<1>(input, weight, options.bias(), options, options.output_padding());
}
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const ConvTranspose2dFuncOptions& options) {
  return conv_transpose<2>(input, weight, options.bias(), options, options.output_padding());
}
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const ConvTranspose3dFuncOptions& options) {
  return conv_transpose<3>(input, weight, options.bias(), options, options.output_padding());
}

}  // namespace functional

template <size_t D, class Derived>
ConvNdImpl<D, Derived>::ConvNdImpl(const ConvOptions<D>& options_) : options(options_) {
  ConvNdImpl::reset();
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset() {
  check_channels<D>(options, type_of_dims("Conv", D));
  STRATA_CHECK(!options.padding().is_same() || is_all(options.stride(), 1),
               "{}: padding='same' is not supported for strided convolutions: padding kSame needs stride 1",
               type_of_dims("Conv", D));
  weight = this->register_parameter(
      "weight",
      make_weight<D>(options.out_channels(), options.in_channels() / options.groups(), options.kernel_size()));
  bias = this->register_parameter("bias", options.bias() ? empty({options.out_channels()}) : Tensor(), options.bias());
  reset_parameters();
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset_parameters() {
  init_uniform(weight, bias, fan_in(weight));
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = printed<D>(options, options.padding().sizes());
  if (options.padding().is_same()) list.emplace_back("padding", std::string(libtorch_names() ? "'same'" : "same"));
  print_module(stream, type_of_dims("Conv", D), list);
}

template <size_t D, class Derived>
Tensor ConvNdImpl<D, Derived>::forward(const Tensor& input) {
  return in_module(*this, [&] {
    if (options.padding_mode() == kZeros) return conv<D>(input, weight, bias, options, options.padding());
    const Tensor padded = strata::pad(input, explicit_padding(options), name(options.padding_mode()));
    return conv<D>(padded, weight, bias, options, 0);
  });
}

template <size_t D, class Derived>
ConvTransposeNdImpl<D, Derived>::ConvTransposeNdImpl(const ConvTransposeOptions<D>& options_) : options(options_) {
  ConvTransposeNdImpl::reset();
}

template <size_t D, class Derived>
void ConvTransposeNdImpl<D, Derived>::reset() {
  check_channels<D>(options, type_of_dims("ConvTranspose", D));
  weight = this->register_parameter(
      "weight",
      make_weight<D>(options.in_channels(), options.out_channels() / options.groups(), options.kernel_size()));
  bias = this->register_parameter("bias", options.bias() ? empty({options.out_channels()}) : Tensor(), options.bias());
  reset_parameters();
}

template <size_t D, class Derived>
void ConvTransposeNdImpl<D, Derived>::reset_parameters() {
  init_uniform(weight, bias, fan_in(weight));
}

template <size_t D, class Derived>
void ConvTransposeNdImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  std::vector<PrintedOption> list = printed<D>(options, options.padding());
  const bool before_bias = libtorch_names() && !list.empty() && std::string_view(list.back().name) == "bias";
  if (!is_all(options.output_padding(), 0))
    list.insert(list.end() - (before_bias ? 1 : 0), {"output_padding", options.output_padding()});
  print_module(stream, type_of_dims("ConvTranspose", D), list);
}

template <size_t D, class Derived>
Tensor ConvTransposeNdImpl<D, Derived>::forward(const Tensor& input, const std::optional<IntArrayRef>& output_size) {
  return in_module(*this, [&] {
    STRATA_CHECK(options.padding_mode() == kZeros, "Only `zeros` padding mode is supported for {}",
                 type_of_dims("ConvTranspose", D));
    const DimVector output_padding = output_size ? output_padding_for(input, *output_size, options)
                                                 : DimVector(IntArrayRef(options.output_padding()));
    return conv_transpose<D>(input, weight, bias, options, output_padding);
  });
}

template class ConvNdImpl<1, Conv1dImpl>;
template class ConvNdImpl<2, Conv2dImpl>;
template class ConvNdImpl<3, Conv3dImpl>;
template class ConvTransposeNdImpl<1, ConvTranspose1dImpl>;
template class ConvTransposeNdImpl<2, ConvTranspose2dImpl>;
template class ConvTransposeNdImpl<3, ConvTranspose3dImpl>;

}  // namespace strata::nn
