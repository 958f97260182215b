// The normalisation ops, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// x is viewed as `(A, C, S)`; each of the C slices over dims 0 and 2 gets mean 0 and variance 1. Weight and bias run
/// along `affine_dim`: 1 `(C,)` as in batch norm, 2 `(S,)` as in layer norm. Where `channels` is not 0, A is 1, C
/// counts the samples' `groups` one after the other, and each of a sample's channels has an element of weight and bias
/// for its run of `S * groups / channels` values.
struct NormalizeParams {
  int64_t affine_dim;
  double eps;
  int64_t groups = 0, channels = 0;
};

/// `normalize(Tensor x, Tensor? weight, Tensor? bias)` gives `(x - mean) / sqrt(var + eps) * weight + bias`, the means
/// `(C,)` and the biased variances `(C,)`.
extern Op normalize_op;
/// `normalize_backward(Tensor g, Tensor x, Tensor mean, Tensor rstd, Tensor? weight)` gives the gradients of x, weight
/// and bias.
extern Op normalize_backward_op;

}  // namespace strata
