// Activation functions and their modules.
#pragma once
#include "module.h"

namespace strata::nn {

// `inplace` writes the result into the input and returns that.

struct ELUOptions {
  STRATA_ARG(double, alpha) = 1.0;
  STRATA_ARG(bool, inplace) = false;
};

struct SELUOptions {
  SELUOptions(bool inplace = false) : inplace_(inplace) {}
  STRATA_ARG(bool, inplace);
};

struct CELUOptions {
  STRATA_ARG(double, alpha) = 1.0;
  STRATA_ARG(bool, inplace) = false;
};

struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  STRATA_ARG(int64_t, dim);
};

struct GELUOptions {
  STRATA_ARG(std::string, approximate) = "none";
};

struct HardshrinkOptions {
  HardshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  STRATA_ARG(double, lambda);
};

struct SoftshrinkOptions {
  SoftshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  STRATA_ARG(double, lambda);
};

struct HardtanhOptions {
  STRATA_ARG(double, min_val) = -1.0;
  STRATA_ARG(double, max_val) = 1.0;
  STRATA_ARG(bool, inplace) = false;
};

struct LeakyReLUOptions {
  STRATA_ARG(double, negative_slope) = 1e-2;
  STRATA_ARG(bool, inplace) = false;
};

struct ReLUOptions {
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}
  STRATA_ARG(bool, inplace);
};

struct ReLU6Options {
  ReLU6Options(bool inplace = false) : inplace_(inplace) {}
  STRATA_ARG(bool, inplace);
};

struct RReLUOptions {
  STRATA_ARG(double, lower) = 1.0 / 8.0;
  STRATA_ARG(double, upper) = 1.0 / 3.0;
  STRATA_ARG(bool, inplace) = false;
};

struct SoftplusOptions {
  STRATA_ARG(double, beta) = 1.0;
  STRATA_ARG(double, threshold) = 20.0;
};

struct ThresholdOptions {
  ThresholdOptions(double threshold, double value) : threshold_(threshold), value_(value) {}
  STRATA_ARG(double, threshold);
  STRATA_ARG(double, value);
  STRATA_ARG(bool, inplace) = false;
};

struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim) : dim_(dim) {}
  STRATA_ARG(int64_t, dim);
};

struct SoftminOptions {
  SoftminOptions(int64_t dim) : dim_(dim) {}
  STRATA_ARG(int64_t, dim);
};

struct LogSoftmaxOptions {
  LogSoftmaxOptions(int64_t dim) : dim_(dim) {}
  STRATA_ARG(int64_t, dim);
};

struct PReLUOptions {
  STRATA_ARG(int64_t, num_parameters) = 1;
  STRATA_ARG(double, init) = 0.25;
};

namespace functional {

using ELUFuncOptions = ELUOptions;
using SELUFuncOptions = SELUOptions;
using CELUFuncOptions = CELUOptions;
using GLUFuncOptions = GLUOptions;
using GELUFuncOptions = GELUOptions;
using HardshrinkFuncOptions = HardshrinkOptions;
using SoftshrinkFuncOptions = SoftshrinkOptions;
using HardtanhFuncOptions = HardtanhOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using ReLUFuncOptions = ReLUOptions;
using ReLU6FuncOptions = ReLU6Options;
using SoftplusFuncOptions = SoftplusOptions;
using ThresholdFuncOptions = ThresholdOptions;

struct RReLUFuncOptions {
  STRATA_ARG(double, lower) = 1.0 / 8.0;
  STRATA_ARG(double, upper) = 1.0 / 3.0;
  STRATA_ARG(bool, training) = false;
  STRATA_ARG(bool, inplace) = false;
};

struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  STRATA_ARG(int64_t, dim);
  STRATA_ARG(std::optional<DType>, dtype) = std::nullopt;
};
using SoftminFuncOptions = SoftmaxFuncOptions;
using LogSoftmaxFuncOptions = SoftmaxFuncOptions;

struct GumbelSoftmaxFuncOptions {
  STRATA_ARG(double, tau) = 1.0;
  STRATA_ARG(bool, hard) = false;
  STRATA_ARG(int, dim) = -1;
};

Tensor elu(Tensor input, const ELUFuncOptions& options = {});
Tensor selu(Tensor input, const SELUFuncOptions& options = {});
Tensor celu(Tensor input, const CELUFuncOptions& options = {});
Tensor glu(Tensor input, const GLUFuncOptions& options = {});
Tensor gelu(Tensor input, const GELUFuncOptions& options = {});
Tensor hardshrink(Tensor input, const HardshrinkFuncOptions& options = {});
Tensor softshrink(Tensor input, const SoftshrinkFuncOptions& options = {});
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options = {});
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options = {});
Tensor relu(Tensor input, const ReLUFuncOptions& options = {});
Tensor relu6(Tensor input, const ReLU6FuncOptions& options = {});
Tensor softplus(Tensor input, const SoftplusFuncOptions& options = {});
Tensor threshold(Tensor input, const ThresholdFuncOptions& options);
Tensor rrelu(Tensor input, const RReLUFuncOptions& options = {});
/// The slope below zero is learned: one for all channels (dim 1) or one each.
Tensor prelu(const Tensor& input, const Tensor& weight);
Tensor silu(const Tensor& input);
Tensor mish(const Tensor& input);
Tensor sigmoid(const Tensor& input);
Tensor logsigmoid(const Tensor& input);
Tensor tanh(const Tensor& input);
Tensor tanhshrink(const Tensor& input);
Tensor softsign(const Tensor& input);
Tensor hardsigmoid(const Tensor& input);
Tensor hardswish(const Tensor& input);
Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options);
Tensor softmin(const Tensor& input, const SoftminFuncOptions& options);
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options);
/// A differentiable draw from the categories along dim (Jang et al., 2017); `hard` gives one-hot values.
Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options = {});

}  // namespace functional

/// max(0, x) + min(0, alpha (e^x - 1)).
class ELUImpl : public ModuleWithOptions<ELUImpl, ELUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(ELU);

/// The self-normalising ELU (Klambauer et al., 2017).
class SELUImpl : public ModuleWithOptions<SELUImpl, SELUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(SELU);

/// max(0, x) + min(0, alpha (e^(x / alpha) - 1)).
class CELUImpl : public ModuleWithOptions<CELUImpl, CELUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(CELU);

/// The first half along dim times the sigmoid of the second.
class GLUImpl : public ModuleWithOptions<GLUImpl, GLUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(GLU);

/// x times the normal distribution function; approximate is "none" or "tanh".
class GELUImpl : public ModuleWithOptions<GELUImpl, GELUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(GELU);

/// x where |x| > lambda, else 0.
class HardshrinkImpl : public ModuleWithOptions<HardshrinkImpl, HardshrinkOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Hardshrink);

/// x moved towards 0 by lambda.
class SoftshrinkImpl : public ModuleWithOptions<SoftshrinkImpl, SoftshrinkOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Softshrink);

/// x clamped to [min_val, max_val].
class HardtanhImpl : public ModuleWithOptions<HardtanhImpl, HardtanhOptions> {
 public:
  /// Throws unless min_val < max_val.
  explicit HardtanhImpl(const HardtanhOptions& options_ = {}) : ModuleWithOptions(options_) { HardtanhImpl::reset(); }
  HardtanhImpl(double min_val, double max_val) : HardtanhImpl(HardtanhOptions().min_val(min_val).max_val(max_val)) {}
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Hardtanh);

/// x, or negative_slope x below zero.
class LeakyReLUImpl : public ModuleWithOptions<LeakyReLUImpl, LeakyReLUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(LeakyReLU);

/// max(0, x).
class ReLUImpl : public ModuleWithOptions<ReLUImpl, ReLUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(ReLU);

/// min(max(0, x), 6).
class ReLU6Impl : public ModuleWithOptions<ReLU6Impl, ReLU6Options> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(ReLU6);

/// LeakyReLU with a slope drawn from [lower, upper] in training and their mean otherwise.
class RReLUImpl : public ModuleWithOptions<RReLUImpl, RReLUOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(RReLU);

/// log(1 + e^(beta x)) / beta, x itself where beta x > threshold.
class SoftplusImpl : public ModuleWithOptions<SoftplusImpl, SoftplusOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Softplus);

/// x where x > threshold, else value.
class ThresholdImpl : public ModuleWithOptions<ThresholdImpl, ThresholdOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  ThresholdImpl(double threshold, double value) : ModuleWithOptions(ThresholdOptions(threshold, value)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Threshold);

/// Softmax along dim.
class SoftmaxImpl : public ModuleWithOptions<SoftmaxImpl, SoftmaxOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Softmax);

/// Softmax of -x along dim.
class SoftminImpl : public ModuleWithOptions<SoftminImpl, SoftminOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Softmin);

/// The logarithm of softmax along dim.
class LogSoftmaxImpl : public ModuleWithOptions<LogSoftmaxImpl, LogSoftmaxOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(LogSoftmax);

/// Softmax over the channels of `(N, C, H, W)` or `(C, H, W)`.
class Softmax2dImpl : public Cloneable<Softmax2dImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Softmax2d);

/// x sigmoid(x).
class SiLUImpl : public Cloneable<SiLUImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(SiLU);

/// x tanh(softplus(x)).
class MishImpl : public Cloneable<MishImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Mish);

/// 1 / (1 + e^-x).
class SigmoidImpl : public Cloneable<SigmoidImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Sigmoid);

/// log(sigmoid(x)).
class LogSigmoidImpl : public Cloneable<LogSigmoidImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(LogSigmoid);

/// Hyperbolic tangent.
class TanhImpl : public Cloneable<TanhImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Tanh);

/// x - tanh(x).
class TanhshrinkImpl : public Cloneable<TanhshrinkImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Tanhshrink);

/// x / (1 + |x|).
class SoftsignImpl : public Cloneable<SoftsignImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Softsign);

/// min(max(0, x + 3), 6) / 6.
class HardsigmoidImpl : public Cloneable<HardsigmoidImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Hardsigmoid);

/// x hardsigmoid(x).
class HardswishImpl : public Cloneable<HardswishImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Hardswish);

/// LeakyReLU with a learned slope.
class PReLUImpl : public Cloneable<PReLUImpl> {
 public:
  explicit PReLUImpl(const PReLUOptions& options_ = {});
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  PReLUOptions options;
  Tensor weight;  ///< `(num_parameters,)`
};
STRATA_MODULE(PReLU);

}  // namespace strata::nn
