// Modules and functions for affine maps and for reshaping inputs: Linear, Bilinear, Identity, Flatten, Unflatten.
#pragma once
#include "module.h"

namespace strata::nn {

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features) : in_features_(in_features), out_features_(out_features) {}
  STRATA_ARG(int64_t, in_features);
  STRATA_ARG(int64_t, out_features);
  STRATA_ARG(bool, bias) = true;
};

struct BilinearOptions {
  BilinearOptions(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : in1_features_(in1_features), in2_features_(in2_features), out_features_(out_features) {}
  STRATA_ARG(int64_t, in1_features);
  STRATA_ARG(int64_t, in2_features);
  STRATA_ARG(int64_t, out_features);
  STRATA_ARG(bool, bias) = true;
};

struct FlattenOptions {
  STRATA_ARG(int64_t, start_dim) = 1;
  STRATA_ARG(int64_t, end_dim) = -1;
};

struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  STRATA_ARG(int64_t, dim);
  STRATA_ARG(std::vector<int64_t>, sizes);
};

namespace functional {
/// `input @ weight.T + bias` for input `(..., in)`, weight `(out, in)` and bias `(out,)` or undefined.
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// `relu(linear(input, weight, bias))` in one op, which saves a pass over memory; weight `(out, in)`.
Tensor linear_relu(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// `gelu(linear(input, weight, bias), "tanh")` in the same way.
Tensor linear_gelu(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
/// `y_o = x1^T weight_o x2 + bias_o` for x1 `(..., in1)`, x2 `(..., in2)`, weight `(out, in1, in2)`.
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {});
}  // namespace functional

/// A module that returns its input as it is, whatever it was constructed with.
class IdentityImpl : public Cloneable<IdentityImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input) { return input; }
};
STRATA_MODULE(Identity);

/// `(..., in_features)` to `(..., out_features)`; weight and bias start uniform in +-1/sqrt(in_features).
class LinearImpl : public Cloneable<LinearImpl> {
 public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);

  LinearOptions options;
  Tensor weight;  ///< `(out_features, in_features)`
  Tensor bias;    ///< `(out_features,)` or undefined
};
STRATA_MODULE(Linear);

/// `(..., in1)` and `(..., in2)` to `(..., out)`.
class BilinearImpl : public Cloneable<BilinearImpl> {
 public:
  BilinearImpl(int64_t in1, int64_t in2, int64_t out) : BilinearImpl(BilinearOptions(in1, in2, out)) {}
  explicit BilinearImpl(const BilinearOptions& options_);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input1, const Tensor& input2);

  BilinearOptions options;
  Tensor weight;  ///< `(out, in1, in2)`
  Tensor bias;    ///< `(out,)` or undefined
};
STRATA_MODULE(Bilinear);

/// Joins the dims from start_dim to end_dim.
class FlattenImpl : public ModuleWithOptions<FlattenImpl, FlattenOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Flatten);

/// Splits one dim into several.
class UnflattenImpl : public ModuleWithOptions<UnflattenImpl, UnflattenOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes) : ModuleWithOptions(UnflattenOptions(dim, std::move(sizes))) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Unflatten);

}  // namespace strata::nn
