// Linear, Bilinear, Identity, Flatten, Unflatten.
#include "nn/linear.h"

#include <ostream>

#include "nn/detail.h"
#include "nn/in_module.h"
#include "ops/creation.h"
#include "ops/linalg.h"

namespace strata::nn {

Tensor functional::linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return strata::linear(input, weight, bias);
}

Tensor functional::linear_relu(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return strata::linear_relu(input, weight, bias);
}

Tensor functional::linear_gelu(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return strata::linear_gelu(input, weight, bias);
}

Tensor functional::bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias) {
  return strata::bilinear(input1, input2, weight, bias);
}

void IdentityImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "Identity()"; }

LinearImpl::LinearImpl(const LinearOptions& options_) : options(options_) { LinearImpl::reset(); }

void LinearImpl::reset() {
  weight = register_parameter("weight", empty({options.out_features(), options.in_features()}));
  bias = register_parameter("bias", options.bias() ? empty({options.out_features()}) : Tensor(), options.bias());
  reset_parameters();
}

void LinearImpl::reset_parameters() { init_uniform(weight, bias, options.in_features()); }

void LinearImpl::pretty_print(std::ostream& stream) const {
  print_module(
      stream, "Linear",
      {{"in_features", options.in_features()}, {"out_features", options.out_features()}, {"bias", options.bias()}});
}

Tensor LinearImpl::forward(const Tensor& input) {
  return in_module(*this, [&] { return strata::linear(input, weight, bias); });
}

BilinearImpl::BilinearImpl(const BilinearOptions& options_) : options(options_) { BilinearImpl::reset(); }

void BilinearImpl::reset() {
  weight =
      register_parameter("weight", empty({options.out_features(), options.in1_features(), options.in2_features()}));
  bias = register_parameter("bias", options.bias() ? empty({options.out_features()}) : Tensor(), options.bias());
  reset_parameters();
}

void BilinearImpl::reset_parameters() { init_uniform(weight, bias, options.in1_features()); }

void BilinearImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Bilinear",
               {{"in1_features", options.in1_features()},
                {"in2_features", options.in2_features()},
                {"out_features", options.out_features()},
                {"bias", options.bias()}});
}

Tensor BilinearImpl::forward(const Tensor& input1, const Tensor& input2) {
  return in_module(*this, [&] { return functional::bilinear(input1, input2, weight, bias); });
}

void FlattenImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Flatten", {{"start_dim", options.start_dim()}, {"end_dim", options.end_dim()}});
}

Tensor FlattenImpl::forward(const Tensor& input) { return input.flatten(options.start_dim(), options.end_dim()); }

void UnflattenImpl::pretty_print(std::ostream& stream) const {
  PrintedOption sizes("unflattened_size", options.sizes());
  if (libtorch_names()) sizes.value.front() = '{', sizes.value.back() = '}';
  print_module(stream, "Unflatten", {{"dim", options.dim()}, sizes});
}

Tensor UnflattenImpl::forward(const Tensor& input) { return input.unflatten(options.dim(), options.sizes()); }

}  // namespace strata::nn
