// RMSNorm and the response norms: functions and modules.
#include "nn/response_norm.h"

#include <ostream>

#include "nn/detail.h"
#include "nn/init.h"
#include "ops/creation.h"
#include "ops/norm.h"
#include "ops/pool.h"
#include "ops/shaping.h"
#include "ops/ternary.h"

namespace strata::nn {

Tensor functional::rms_norm(const Tensor& input, const RMSNormFuncOptions& o) {
  return strata::rms_norm(input, o.normalized_shape(), o.weight(), o.eps());
}

Tensor functional::local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& o) {
  return strata::local_response_norm(input, o.size(), o.alpha(), o.beta(), o.k());
}

RMSNormImpl::RMSNormImpl(const RMSNormOptions& options_) : options(options_) { RMSNormImpl::reset(); }

void RMSNormImpl::reset() {
  const bool affine = options.elementwise_affine();
  weight = register_parameter("weight", affine ? strata::empty(options.normalized_shape()) : Tensor(), affine);
  reset_parameters();
}

void RMSNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
}

void RMSNormImpl::pretty_print(std::ostream& stream) const {
  print_module(
      stream, "RMSNorm",
      {{"", options.normalized_shape()}, {"eps", options.eps()}, {"elementwise_affine", options.elementwise_affine()}});
}

Tensor RMSNormImpl::forward(const Tensor& input) {
  return strata::rms_norm(input, options.normalized_shape(), weight, options.eps());
}

void LocalResponseNormImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "LocalResponseNorm",
               {{"", options.size()}, {"alpha", options.alpha()}, {"beta", options.beta()}, {"k", options.k()}});
}

Tensor LocalResponseNormImpl::forward(const Tensor& input) { return functional::local_response_norm(input, options); }

void CrossMapLRN2dImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "CrossMapLRN2d",
               {{"", options.size()}, {"alpha", options.alpha()}, {"beta", options.beta()}, {"k", options.k()}});
}

Tensor CrossMapLRN2dImpl::forward(const Tensor& input) {
  STRATA_CHECK(input.dim() == 4, "CrossMapLRN2d: expected (N, C, H, W), got {}", input.sizes());
  STRATA_CHECK(options.size() >= 1, "CrossMapLRN2d: size must be at least 1, got {}", options.size());
  if (input.numel() == 0) return input;
  const int64_t near = (options.size() - 1) / 2, n = input.size(0), c = input.size(1);
  const Tensor squares = input.square();
  const Tensor rows = squares.reshape({n, 1, c, input.size(2) * input.size(3)});
  const Tensor padded = constant_pad_nd(rows, {0, 0, near, near});
  const Tensor sums = avg_pool2d(padded, {2 * near + 1, 1}, 1, 0, false, true, 1).reshape(input.sizes());
  const Tensor later = arange(0, c, 1, input.options().dtype(kLong)).gt(near).view({c, 1, 1});
  const Tensor all = where(later, sums.add(squares.narrow(1, 0, 1)), sums);
  const double alpha = options.alpha() / static_cast<double>(options.size());
  return input.mul(all.mul(alpha).add(options.k()).pow(-options.beta()));
}

}  // namespace strata::nn
