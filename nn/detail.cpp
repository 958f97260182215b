// Prints modules' options and the names of choices; the usual start of weights.
#include "nn/detail.h"

#include <cmath>
#include <ostream>
#include <sstream>

#include "nn/init.h"

namespace strata {

namespace {
/// As a choice prints, and as the constant is called.
struct ChoiceNames {
  const char *printed, *constant;
};
constexpr ChoiceNames kChoiceNames[] = {
    {"none", "kNone"},
    {"mean", "kMean"},
    {"sum", "kSum"},
    {"batchmean", "kBatchMean"},
    {"zeros", "kZeros"},
    {"constant", "kConstant"},
    {"reflect", "kReflect"},
    {"replicate", "kReplicate"},
    {"circular", "kCircular"},
    {"border", "kBorder"},
    {"reflection", "kReflection"},
    {"valid", "kValid"},
    {"same", "kSame"},
    {"fan_in", "kFanIn"},
    {"fan_out", "kFanOut"},
    {"linear", "kLinear"},
    {"conv1d", "kConv1D"},
    {"conv2d", "kConv2D"},
    {"conv3d", "kConv3D"},
    {"conv_transpose1d", "kConvTranspose1D"},
    {"conv_transpose2d", "kConvTranspose2D"},
    {"conv_transpose3d", "kConvTranspose3D"},
    {"sigmoid", "kSigmoid"},
    {"tanh", "kTanh"},
    {"relu", "kReLU"},
    {"leaky_relu", "kLeakyReLU"},
    {"gelu", "kGELU"},
    {"selu", "kSELU"},
    {"nearest", "kNearest"},
    {"nearest-exact", "kNearestExact"},
    {"bilinear", "kBilinear"},
    {"bicubic", "kBicubic"},
    {"trilinear", "kTrilinear"},
    {"area", "kArea"},
    {"max", "kMax"},
    {"silu", "kSiLU"},
    {"mish", "kMish"},
    {"rnn_tanh", "kRNN_TANH"},
    {"rnn_relu", "kRNN_RELU"},
    {"lstm", "kLSTM"},
    {"gru", "kGRU"},
};
}  // namespace

const char* name(Choice choice) { return kChoiceNames[static_cast<size_t>(choice)].printed; }
const char* enumtype::get_enum_name(Choice choice) { return kChoiceNames[static_cast<size_t>(choice)].constant; }

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
