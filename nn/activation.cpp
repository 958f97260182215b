// Activation functions and their modules.
#include "nn/activation.h"

#include <ostream>

#include "core/called.h"
#include "nn/detail.h"
#include "nn/in_place.h"
#include "ops/activation.h"
#include "ops/creation.h"
#include "ops/softmax.h"
#include "ops/unary.h"

namespace strata::nn {

namespace {
void print_activation(std::ostream& stream, const char* type, std::vector<PrintedOption> list, bool inplace) {
  if (inplace) list.emplace_back("inplace", true);
  print_module(stream, type, list);
}
}  // namespace

namespace functional {

Tensor elu(Tensor input, const ELUFuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(),
                        [&](const Tensor& x) { return strata::elu(x, options.alpha()); });
}
Tensor selu(Tensor input, const SELUFuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(), [](const Tensor& x) { return strata::selu(x); });
}
Tensor celu(Tensor input, const CELUFuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(),
                        [&](const Tensor& x) { return strata::celu(x, options.alpha()); });
}
Tensor glu(Tensor input, const GLUFuncOptions& options) { return strata::glu(input, options.dim()); }
Tensor gelu(Tensor input, const GELUFuncOptions& options) { return strata::gelu(input, options.approximate()); }
Tensor hardshrink(Tensor input, const HardshrinkFuncOptions& options) {
  return strata::hardshrink(input, options.lambda());
}
Tensor softshrink(Tensor input, const SoftshrinkFuncOptions& options) {
  return strata::softshrink(input, options.lambda());
}
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(),
                        [&](const Tensor& x) { return strata::hardtanh(x, options.min_val(), options.max_val()); });
}
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(),
                        [&](const Tensor& x) { return strata::leaky_relu(x, options.negative_slope()); });
}
Tensor relu(Tensor input, const ReLUFuncOptions& options) { return options.inplace() ? input.relu_() : input.relu(); }
Tensor relu6(Tensor input, const ReLU6FuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(), [](const Tensor& x) { return strata::relu6(x); });
}
Tensor softplus(Tensor input, const SoftplusFuncOptions& options) {
  return strata::softplus(input, options.beta(), options.threshold());
}
Tensor threshold(Tensor input, const ThresholdFuncOptions& options) {
  return maybe_in_place(std::move(input), options.inplace(),
                        [&](const Tensor& x) { return strata::threshold(x, options.threshold(), options.value()); });
}
Tensor prelu(const Tensor& input, const Tensor& weight) { return strata::prelu(input, weight); }
Tensor silu(const Tensor& input) { return strata::silu(input); }
Tensor mish(const Tensor& input) { return strata::mish(input); }
Tensor sigmoid(const Tensor& input) { return input.sigmoid(); }
Tensor logsigmoid(const Tensor& input) {
  const Called called;
  return strata::log_sigmoid(input);
}
Tensor tanh(const Tensor& input) { return input.tanh(); }
Tensor tanhshrink(const Tensor& input) { return strata::tanhshrink(input); }
Tensor softsign(const Tensor& input) { return strata::softsign(input); }
Tensor hardsigmoid(const Tensor& input) { return strata::hardsigmoid(input); }
Tensor hardswish(const Tensor& input) { return strata::hardswish(input); }

namespace {
Tensor rrelu_of(const Tensor& input, const RReLUFuncOptions& options) {
  if (!options.training()) return strata::leaky_relu(input, (options.lower() + options.upper()) / 2);
  const Tensor slope = strata::empty_like(input).uniform_(options.lower(), options.upper());
  return input.clamp_min(0).add(input.clamp_max(0).mul(slope));
}
}  // namespace

Tensor rrelu(Tensor input, const RReLUFuncOptions& options) {
  const Called called;
  return maybe_in_place(std::move(input), options.inplace(), [&](const Tensor& x) { return rrelu_of(x, options); });
}

Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) {
  return strata::softmax(input, options.dim(), options.dtype());
}
Tensor softmin(const Tensor& input, const SoftminFuncOptions& options) {
  return strata::softmin(input, options.dim(), options.dtype());
}
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return strata::log_softmax(input, options.dim(), options.dtype());
}

Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options) {
  const Called called;
  const Tensor noise = strata::empty_like(logits.detach()).exponential_().log().neg();
  const Tensor soft = strata::softmax(logits.add(noise).div(options.tau()), options.dim());
  if (!options.hard()) return soft;
  const Tensor values = soft.detach();
  const Tensor index = values.argmax(options.dim(), /*keepdim=*/true);
  const Tensor one_hot = strata::zeros_like(values).scatter(options.dim(), index, 1.0);
  return one_hot.sub(values).add(soft);  // the value of one_hot with the gradient of soft
}

}  // namespace functional

void ELUImpl::pretty_print(std::ostream& stream) const {
  print_activation(stream, "ELU", {{"alpha", options.alpha()}}, options.inplace());
}
Tensor ELUImpl::forward(Tensor input) { return functional::elu(std::move(input), options); }

void SELUImpl::pretty_print(std::ostream& stream) const { print_activation(stream, "SELU", {}, options.inplace()); }
Tensor SELUImpl::forward(Tensor input) { return functional::selu(std::move(input), options); }

void CELUImpl::pretty_print(std::ostream& stream) const {
  print_activation(stream, "CELU", {{"alpha", options.alpha()}}, options.inplace());
}
Tensor CELUImpl::forward(Tensor input) { return functional::celu(std::move(input), options); }

void GLUImpl::pretty_print(std::ostream& stream) const { print_module(stream, "GLU", {{"dim", options.dim()}}); }
Tensor GLUImpl::forward(Tensor input) { return functional::glu(std::move(input), options); }

void GELUImpl::pretty_print(std::ostream& stream) const {
  if (libtorch_names()) return print_module(stream, "GELU");
  print_module(stream, "GELU", {{"approximate", options.approximate()}});
}
Tensor GELUImpl::forward(Tensor input) { return functional::gelu(std::move(input), options); }

void HardshrinkImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Hardshrink", {{libtorch_names() ? "" : "lambda", options.lambda()}});
}
Tensor HardshrinkImpl::forward(Tensor input) { return functional::hardshrink(std::move(input), options); }

void SoftshrinkImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Softshrink", {{libtorch_names() ? "" : "lambda", options.lambda()}});
}
Tensor SoftshrinkImpl::forward(Tensor input) { return functional::softshrink(std::move(input), options); }

void HardtanhImpl::pretty_print(std::ostream& stream) const {
  print_activation(stream, "Hardtanh", {{"min_val", options.min_val()}, {"max_val", options.max_val()}},
                   options.inplace());
}
void HardtanhImpl::reset() {
  STRATA_CHECK(options.min_val() < options.max_val(), "Hardtanh: max_val must be greater than min_val, got {} and {}",
               options.max_val(), options.min_val());
}
Tensor HardtanhImpl::forward(Tensor input) { return functional::hardtanh(std::move(input), options); }

void LeakyReLUImpl::pretty_print(std::ostream& stream) const {
  print_activation(stream, "LeakyReLU", {{"negative_slope", options.negative_slope()}}, options.inplace());
}
Tensor LeakyReLUImpl::forward(Tensor input) { return functional::leaky_relu(std::move(input), options); }

void ReLUImpl::pretty_print(std::ostream& stream) const { print_activation(stream, "ReLU", {}, options.inplace()); }
Tensor ReLUImpl::forward(Tensor input) { return functional::relu(std::move(input), options); }

void ReLU6Impl::pretty_print(std::ostream& stream) const { print_activation(stream, "ReLU6", {}, options.inplace()); }
Tensor ReLU6Impl::forward(Tensor input) { return functional::relu6(std::move(input), options); }

void RReLUImpl::pretty_print(std::ostream& stream) const {
  print_activation(stream, "RReLU", {{"lower", options.lower()}, {"upper", options.upper()}}, options.inplace());
}
Tensor RReLUImpl::forward(Tensor input) {
  return functional::rrelu(std::move(input), functional::RReLUFuncOptions()
                                                 .lower(options.lower())
                                                 .upper(options.upper())
                                                 .training(is_training())
                                                 .inplace(options.inplace()));
}

void SoftplusImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Softplus", {{"beta", options.beta()}, {"threshold", options.threshold()}});
}
Tensor SoftplusImpl::forward(Tensor input) { return functional::softplus(std::move(input), options); }

void ThresholdImpl::pretty_print(std::ostream& stream) const {
  print_activation(stream, "Threshold", {{"threshold", options.threshold()}, {"value", options.value()}},
                   options.inplace());
}
Tensor ThresholdImpl::forward(Tensor input) { return functional::threshold(std::move(input), options); }

void SoftmaxImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Softmax", {{"dim", options.dim()}});
}
Tensor SoftmaxImpl::forward(const Tensor& input) { return strata::softmax(input, options.dim()); }

void SoftminImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Softmin", {{"dim", options.dim()}});
}
Tensor SoftminImpl::forward(const Tensor& input) { return strata::softmin(input, options.dim()); }

void LogSoftmaxImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "LogSoftmax", {{"dim", options.dim()}});
}
Tensor LogSoftmaxImpl::forward(const Tensor& input) { return strata::log_softmax(input, options.dim()); }

void Softmax2dImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Softmax2d"); }
Tensor Softmax2dImpl::forward(const Tensor& input) {
  STRATA_CHECK(input.dim() == 3 || input.dim() == 4, "Softmax2d: expected 3 or 4 dims, got {}", input.dim());
  return strata::softmax(input, -3);
}

void SiLUImpl::pretty_print(std::ostream& stream) const { print_module(stream, "SiLU"); }
Tensor SiLUImpl::forward(const Tensor& input) { return functional::silu(input); }

void MishImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Mish"); }
Tensor MishImpl::forward(const Tensor& input) { return functional::mish(input); }

void SigmoidImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Sigmoid"); }
Tensor SigmoidImpl::forward(const Tensor& input) { return functional::sigmoid(input); }

void LogSigmoidImpl::pretty_print(std::ostream& stream) const { print_module(stream, "LogSigmoid"); }
Tensor LogSigmoidImpl::forward(const Tensor& input) { return functional::logsigmoid(input); }

void TanhImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Tanh"); }
Tensor TanhImpl::forward(const Tensor& input) { return functional::tanh(input); }

void TanhshrinkImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Tanhshrink"); }
Tensor TanhshrinkImpl::forward(const Tensor& input) { return functional::tanhshrink(input); }

void SoftsignImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Softsign"); }
Tensor SoftsignImpl::forward(const Tensor& input) { return functional::softsign(input); }

void HardsigmoidImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Hardsigmoid"); }
Tensor HardsigmoidImpl::forward(const Tensor& input) { return functional::hardsigmoid(input); }

void HardswishImpl::pretty_print(std::ostream& stream) const { print_module(stream, "Hardswish"); }
Tensor HardswishImpl::forward(const Tensor& input) { return functional::hardswish(input); }

PReLUImpl::PReLUImpl(const PReLUOptions& options_) : options(options_) { PReLUImpl::reset(); }
void PReLUImpl::reset() { weight = register_parameter("weight", full({options.num_parameters()}, options.init())); }
void PReLUImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "PReLU", {{"num_parameters", options.num_parameters()}});
}
Tensor PReLUImpl::forward(const Tensor& input) { return strata::prelu(input, weight); }

}  // namespace strata::nn
