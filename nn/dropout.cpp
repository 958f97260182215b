// Dropout functions and modules.
#include "nn/dropout.h"

#include <ostream>

#include "core/called.h"
#include "nn/detail.h"
#include "nn/in_place.h"
#include "ops/random.h"

namespace strata::nn {

namespace functional {

namespace {

using DropoutFn = Tensor (*)(const Tensor& input, double p, bool training);

/// Not in training, or with p = 0, all of them return what they are given.
template <class Options>
Tensor dropped(DropoutFn f, Tensor input, const Options& options) {
  const bool changes = options.training() && options.p() > 0;
  return maybe_in_place(std::move(input), options.inplace() && changes,
                        [&](const Tensor& x) { return f(x, options.p(), options.training()); });
}

/// Whole channels of a batch of `batched_dim` dims, or of one example alone, whose first dim they are.
Tensor dropped_channels(Tensor input, int64_t batched_dim, const DropoutFuncOptions& options) {
  if (input.dim() == batched_dim) return dropped(&strata::feature_dropout, std::move(input), options);
  const auto of_one = [](const Tensor& x, double p, bool training) {
    return strata::feature_dropout(x.unsqueeze(0), p, training).squeeze(0);
  };
  return dropped(of_one, std::move(input), options);
}

}  // namespace

Tensor dropout(Tensor input, const DropoutFuncOptions& options) {
  const Called called;
  return dropped(&strata::dropout, std::move(input), options);
}
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options) {
  const Called called;
  return dropped_channels(std::move(input), 4, options);
}
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options) {
  const Called called;
  return dropped_channels(std::move(input), 5, options);
}
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options) {
  const Called called;
  return dropped(&strata::alpha_dropout, std::move(input), options);
}
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options) {
  const Called called;
  return dropped(&strata::feature_alpha_dropout, std::move(input), options);
}

}  // namespace functional

namespace {
functional::DropoutFuncOptions in_mode(const DropoutOptions& options, bool training) {
  return functional::DropoutFuncOptions().p(options.p()).training(training).inplace(options.inplace());
}
}  // namespace

void DropoutImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor DropoutImpl::forward(Tensor input) {
  return functional::dropout(std::move(input), in_mode(options, is_training()));
}

void Dropout2dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout2d", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor Dropout2dImpl::forward(Tensor input) {
  return functional::dropout2d(std::move(input), in_mode(options, is_training()));
}

void Dropout3dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Dropout3d", {{"p", options.p()}, {"inplace", options.inplace()}});
}
Tensor Dropout3dImpl::forward(Tensor input) {
  return functional::dropout3d(std::move(input), in_mode(options, is_training()));
}

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
