// Prints modules' options and the names of choices; the usual start of weights.
#include "nn/detail.h"

#include <cctype>
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
                                           "max"};
  return kNames[static_cast<size_t>(choice)];
}

namespace nn {

PrintedOption::PrintedOption(const char* name, double v) : name(name) {
  std::ostringstream text;
  text << v;
  value = text.str();
}

PrintedOption::PrintedOption(const char* name, Choice v) : name(name), value(strata::name(v)) {
  if (!libtorch_names()) return;
  if (v == kBatchMean) value = "batch_mean";
  if (v == kReLU) value = "reLU";
  std::string text = "k";
  bool starts = true;  // a word, which begins with a capital letter
  for (const char c : value) {
    if (c != '_' && c != '-') text += starts ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    starts = c == '_' || c == '-';
  }
  value = text;
}

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
