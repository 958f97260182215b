// Names of nodes: the op's in camel case, and libtorch's where they differ.
#include "autograd/node_names.h"

#include <algorithm>
#include <cctype>

#include "core/naming.h"

namespace strata::autograd {
namespace {

std::string camel_case(std::string_view op) {
  std::string camel;
  bool upper = true;
  for (char c : op) {
    if (c == '_') {
      upper = true;
      continue;
    }
    camel += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = false;
  }
  return camel;
}

/// libtorch names a node after the function and counts its overloads, each of which has a gradient of its own. A number
/// that comes first is an overload for few functions; the others make a tensor of it.
struct LibtorchName {
  std::string_view op, of_tensors, of_first_number = of_tensors, of_second_number = of_tensors;
};
constexpr LibtorchName kLibtorchNames[] = {
    {"add", "AddBackward0", "AddBackward1", "AddBackward1"},
    {"sub", "SubBackward0", "SubBackward0", "SubBackward1"},
    {"mul", "MulBackward0", "MulBackward1", "MulBackward1"},
    {"div", "DivBackward0", "DivBackward0", "DivBackward1"},
    {"fmod", "FmodBackward1", "FmodBackward1", "FmodBackward0"},
    {"remainder", "RemainderBackward1", "RemainderBackward1", "RemainderBackward0"},
    {"pow", "PowBackward1", "PowBackward2", "PowBackward1"},
    {"pow_scalar", "PowBackward0"},
    {"square", "PowBackward0"},
    {"log1p", "Log1PBackward0"},
    {"lerp", "LerpBackward1"},
    {"lerp_scalar", "LerpBackward0"},
    {"max_dim", "MaxBackward0"},
    {"min_dim", "MinBackward0"},
    {"cast", "ToCopyBackward0"},
    {"det", "LinalgDetBackward0"},
    {"split_glu", "GluBackward0"},
    {"copy", "CloneBackward0"},
    {"complex_abs", "AbsBackward0"},
    {"masked_scale", "MulBackward0"},
    {"prelu", "PreluKernelBackward0"},
    {"pad", "ConstantPadNdBackward0"},
    {"convolution_backward_input", "ConvolutionBackward0"},
    {"max_pool", "MaxPool2DWithIndicesBackward0"},
    {"avg_pool", "AvgPool2DBackward0"},
    {"grid_sample", "GridSampler2DBackward0"},
    {"fft_r2c", "FftR2CBackward0"},
    {"fft_c2r", "FftC2RBackward0"},
    {"fft_c2c", "FftC2CBackward0"},
    {"entr", "SpecialEntrBackward0"},
    {"erfcx", "SpecialErfcxBackward0"},
    {"ndtr", "MulBackward1"},
    {"ndtri", "SpecialNdtriBackward0"},
    {"log_ndtr", "SpecialLogNdtrBackward0"},
    {"xlog1py", "SpecialXlog1PyBackward0"},
    {"cholesky_ex", "LinalgCholeskyExBackward0"},
    {"cross", "LinalgCrossBackward0"},
    {"eig", "LinalgEigBackward0"},
    {"eigh", "LinalgEighBackward0"},
    {"inverse", "LinalgInvExBackward0"},
    {"lstsq", "LinalgLstsqBackward0"},
    {"lu_factor_ex", "LinalgLuFactorExBackward0"},
    {"pinv", "LinalgPinvBackward0"},
    {"qr", "LinalgQrBackward0"},
    {"slogdet", "LinalgSlogdetBackward0"},
    {"solve", "LinalgSolveExBackward0"},
    {"svd", "LinalgSvdBackward0"},
};

std::string_view libtorch_name(std::string_view op, NumberAt number) {
  const auto* const end = std::end(kLibtorchNames);
  const auto* const found = std::find_if(std::begin(kLibtorchNames), end, [&](const auto& n) { return n.op == op; });
  if (found == end) return {};
  if (number == NumberAt::kNone) return found->of_tensors;
  return number == NumberAt::kFirst ? found->of_first_number : found->of_second_number;
}

}  // namespace

std::string name_of_node(std::string_view op, NumberAt number) {
  const std::string_view name = libtorch_names() ? libtorch_name(op, number) : std::string_view();
  if (!name.empty()) return std::string(name);
  return camel_case(op) + "Backward0";
}

}  // namespace strata::autograd
