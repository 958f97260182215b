// Dropout functions and modules.
#include "nn/dropout.h"

#include <cmath>
#include <ostream>

#include "nn/detail.h"
#include "ops/creation.h"
#include "ops/random.h"

namespace strata::nn {

namespace {

/// True with probability 1 - p: per element, or per channel of `(N, C, ...)`.
Tensor kept(const Tensor& input, double p, bool channels) {
  DimVector sizes = input.sizes();
  if (channels) {
    STRATA_CHECK(input.dim() >= 2, "dropout: expected (N, C, ...), got {}", input.sizes());
    for (size_t d = 2; d < sizes.size(); ++d) sizes[d] = 1;
  }
  return strata::empty(sizes, TensorOptions(input.dtype()).device(input.device())).bernoulli_(1 - p);
}

void check_probability(double p) {
  STRATA_CHECK(p >= 0 && p <= 1, "dropout: the probability must be between 0 and 1, got {}", p);
}

Tensor channel_dropout(const Tensor& input, double p, bool training) {
  check_probability(p);
  if (!training || p == 0 || input.numel() == 0) return input;
  if (p == 1) return input.mul(0);
  return input.mul(kept(input, p, true).div_(1 - p));
}

/// Dropped values become SELU's lower limit; then an affine map restores mean and variance.
Tensor alpha_dropped(const Tensor& input, double p, bool training, bool channels) {
  check_probability(p);
  if (!training || p == 0 || input.numel() == 0) return input;
  if (p == 1) return input.mul(0);
  constexpr double kLimit = -1.7580993408473766;  // -scale * alpha of SELU
  const double a = 1 / std::sqrt((1 - p) * (1 + p * kLimit * kLimit)), b = -a * kLimit * p;
  const Tensor mask = kept(input, p, channels);
  return input.mul(mask).mul(a).add(mask.mul(-1).add(1).mul(kLimit * a).add(b));
}

}  // namespace

namespace functional {

Tensor dropout(Tensor input, const DropoutFuncOptions& options) {
  return strata::dropout(input, options.p(), options.training());
}
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options) {
  return channel_dropout(input, options.p(), options.training());
}
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options) {
  return channel_dropout(input, options.p(), options.training());
}
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options) {
  return alpha_dropped(input, options.p(), options.training(), false);
}
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options) {
  return alpha_dropped(input, options.p(), options.training(), true);
}

}  // namespace functional

void DropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor DropoutImpl::forward(Tensor input) { return strata::dropout(input, options.p(), is_training()); }

void Dropout2dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout2d", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor Dropout2dImpl::forward(Tensor input) { return channel_dropout(input, options.p(), is_training()); }

void Dropout3dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout3d", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor Dropout3dImpl::forward(Tensor input) { return channel_dropout(input, options.p(), is_training()); }

void AlphaDropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "AlphaDropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor AlphaDropoutImpl::forward(Tensor input) { return alpha_dropped(input, options.p(), is_training(), false); }

void FeatureAlphaDropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "FeatureAlphaDropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor FeatureAlphaDropoutImpl::forward(Tensor input) { return alpha_dropped(input, options.p(), is_training(), true); }

}  // namespace strata::nn
