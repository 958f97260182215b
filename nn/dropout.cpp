// Dropout functions and modules.
#include "nn/dropout.h"

#include <ostream>

#include "nn/detail.h"
#include "ops/random.h"

namespace strata::nn {

namespace functional {

Tensor dropout(Tensor input, const DropoutFuncOptions& options) {
  return strata::dropout(input, options.p(), options.training());
}
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options) {
  return strata::feature_dropout(input, options.p(), options.training());
}
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options) {
  return strata::feature_dropout(input, options.p(), options.training());
}
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options) {
  return strata::alpha_dropout(input, options.p(), options.training());
}
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options) {
  return strata::feature_alpha_dropout(input, options.p(), options.training());
}

}  // namespace functional

void DropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor DropoutImpl::forward(Tensor input) { return strata::dropout(input, options.p(), is_training()); }

void Dropout2dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout2d", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor Dropout2dImpl::forward(Tensor input) { return strata::feature_dropout(input, options.p(), is_training()); }

void Dropout3dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout3d", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor Dropout3dImpl::forward(Tensor input) { return strata::feature_dropout(input, options.p(), is_training()); }

void AlphaDropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "AlphaDropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor AlphaDropoutImpl::forward(Tensor input) { return strata::alpha_dropout(input, options.p(), is_training()); }

void FeatureAlphaDropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "FeatureAlphaDropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor FeatureAlphaDropoutImpl::forward(Tensor input) {
  return strata::feature_alpha_dropout(input, options.p(), is_training());
}

}  // namespace strata::nn
