// Prints modules' options and the names of choices; the usual start of weights.
#include "nn/detail.h"

#include <cmath>
#include <ostream>
#include <sstream>

#include "nn/init.h"

namespace strata {

const char* name(Choice choice) {
  static constexpr const char* kNames[] = {"none",
                                           "mean",
                                           "sum",
                                           "batchmean",
                                           "zeros",
                                           "constant",
                                           "reflect",
                                           "replicate",
                                           "circular",
                                           "border",
                                           "reflection",
                                           "valid",
                                           "same",
                                           "fan_in",
                                           "fan_out",
                                           "linear",
                                           "conv1d",
                                           "conv2d",
                                           "conv3d",
                                           "conv_transpose1d",
                                           "conv_transpose2d",
                                           "conv_transpose3d",
                                           "sigmoid",
                                           "tanh",
                                           "relu",
                                           "leaky_relu",
                                           "gelu",
                                           "selu",
                                           "nearest",
                                           "nearest-exact",
                                           "bilinear",
                                           "bicubic",
                                           "trilinear",
                                           "area",
                                           "max",
                                           "silu",
                                           "mish",
                                           "rnn_tanh",
                                           "rnn_relu",
                                           "lstm",
                                           "gru"};
  return kNames[static_cast<size_t>(choice)];
}

const char* enumtype::get_enum_name(Choice choice) {
  static constexpr const char* kNames[] = {"kNone",
                                           "kMean",
                                           "kSum",
                                           "kBatchMean",
                                           "kZeros",
                                           "kConstant",
                                           "kReflect",
                                           "kReplicate",
                                           "kCircular",
                                           "kBorder",
                                           "kReflection",
                                           "kValid",
                                           "kSame",
                                           "kFanIn",
                                           "kFanOut",
                                           "kLinear",
                                           "kConv1D",
                                           "kConv2D",
                                           "kConv3D",
                                           "kConvTranspose1D",
                                           "kConvTranspose2D",
                                           "kConvTranspose3D",
                                           "kSigmoid",
                                           "kTanh",
                                           "kReLU",
                                           "kLeakyReLU",
                                           "kGELU",
                                           "kSELU",
                                           "kNearest",
                                           "kNearestExact",
                                           "kBilinear",
                                           "kBicubic",
                                           "kTrilinear",
                                           "kArea",
                                           "kMax",
                                           "kSiLU",
                                           "kMish",
                                           "kRNN_TANH",
                                           "kRNN_RELU",
                                           "kLSTM",
                                           "kGRU"};
  return kNames[static_cast<size_t>(choice)];
}

namespace nn {

PrintedOption::PrintedOption(const char* name, double v) : name(name) {
  std::ostringstream text;
  text << v;
  value = text.str();
}

PrintedOption::PrintedOption(const char* name, Choice v)
    : name(name), value(libtorch_names() ? enumtype::get_enum_name(v) : strata::name(v)) {}

PrintedOption::PrintedOption(const char* name, IntArrayRef v) : name(name), value("[") {
  for (size_t i = 0; i < v.size(); ++i) value += (i ? ", " : "") + std::to_string(v[i]);
  value += "]";
}

std::string type_of_dims(const char* type, size_t dims) { return type + std::to_string(dims) + "d"; }

void print_module(std::ostream& stream, const std::string& type, const std::vector<PrintedOption>& options) {
  stream << module_prefix() << type << '(';
  const char* separator = "";
  for (const PrintedOption& option : options) {
    if (option.is_flag && libtorch_names()) stream << std::boolalpha;
    stream << separator << option.name << (*option.name ? "=" : "") << option.value;
    separator = ", ";
  }
  stream << ')';
}

void init_uniform(Tensor& weight, Tensor& bias, int64_t fan_in) {
  const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

}  // namespace nn
}  // namespace strata
