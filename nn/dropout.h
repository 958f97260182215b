// Dropout functions and modules.
#pragma once
#include "module.h"

namespace strata::nn {

// `inplace` writes the result into the input and returns that. As in libtorch, the modules for SELU networks leave
// their input as it is; the functions do not.

struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  STRATA_ARG(double, p);
  STRATA_ARG(bool, inplace) = false;
};
using Dropout2dOptions = DropoutOptions;
using Dropout3dOptions = DropoutOptions;
using AlphaDropoutOptions = DropoutOptions;
using FeatureAlphaDropoutOptions = DropoutOptions;

namespace functional {

struct DropoutFuncOptions {
  STRATA_ARG(double, p) = 0.5;
  STRATA_ARG(bool, training) = true;
  STRATA_ARG(bool, inplace) = false;
};
using Dropout2dFuncOptions = DropoutFuncOptions;
using Dropout3dFuncOptions = DropoutFuncOptions;

struct AlphaDropoutFuncOptions {
  STRATA_ARG(double, p) = 0.5;
  STRATA_ARG(bool, training) = false;
  STRATA_ARG(bool, inplace) = false;
};
using FeatureAlphaDropoutFuncOptions = AlphaDropoutFuncOptions;

/// Zeros each element with probability p and scales the others by 1 / (1 - p), in training.
Tensor dropout(Tensor input, const DropoutFuncOptions& options = {});
/// The same for whole channels of `(N, C, H, W)`, or for the first dim of anything else, as of `(C, H, W)`; dropout3d
/// has one dim more. As in libtorch, where PyTorch takes three dims for `(N, C, L)`.
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options = {});
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options = {});
/// Keeps mean 0 and variance 1 of what SELU makes (Klambauer et al., 2017).
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options = {});
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options = {});

}  // namespace functional

/// What all dropout modules share.
template <class Derived>
class DropoutImplBase : public ModuleWithOptions<Derived, DropoutOptions> {
 public:
  explicit DropoutImplBase(const DropoutOptions& options_ = {}) : ModuleWithOptions<Derived, DropoutOptions>(options_) {
    const double p = options_.p();
    STRATA_CHECK(p >= 0 && p <= 1, "Dropout: dropout probability has to be between 0 and 1, but got {}", p);
  }
};

/// Sets single elements to zero with probability p while training and scales the others by 1 / (1 - p).
class DropoutImpl : public DropoutImplBase<DropoutImpl> {
 public:
  using DropoutImplBase::DropoutImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Dropout);

/// Zeros channels of `(N, C, H, W)`.
class Dropout2dImpl : public DropoutImplBase<Dropout2dImpl> {
 public:
  using DropoutImplBase::DropoutImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Dropout2d);

/// Zeros channels of `(N, C, D, H, W)`.
class Dropout3dImpl : public DropoutImplBase<Dropout3dImpl> {
 public:
  using DropoutImplBase::DropoutImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(Dropout3d);

/// Dropout for SELU networks.
class AlphaDropoutImpl : public DropoutImplBase<AlphaDropoutImpl> {
 public:
  using DropoutImplBase::DropoutImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(AlphaDropout);

/// The same for whole channels.
class FeatureAlphaDropoutImpl : public DropoutImplBase<FeatureAlphaDropoutImpl> {
 public:
  using DropoutImplBase::DropoutImplBase;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
};
STRATA_MODULE(FeatureAlphaDropout);

}  // namespace strata::nn
