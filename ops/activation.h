// Activation functions, element by element on floating point tensors.
#pragma once
#include <string_view>

#include "../core/tensor.h"

namespace strata {

/// x Phi(x), with `approximate` "tanh" through tanh (Hendrycks and Gimpel 2016).
Tensor gelu(const Tensor& x, std::string_view approximate = "none");
/// x sigmoid(x).
Tensor silu(const Tensor& x);
/// x where positive, else slope * x.
Tensor leaky_relu(const Tensor& x, const Scalar& negative_slope = 0.01);
/// scale * x where positive, else scale * alpha * (exp(input_scale * x) - 1).
Tensor elu(const Tensor& x, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
/// elu with the constants of Klambauer et al. 2017.
Tensor selu(const Tensor& x);
/// x where positive, else alpha * (exp(x / alpha) - 1).
Tensor celu(const Tensor& x, const Scalar& alpha = 1);
/// log(1 + exp(beta x)) / beta; x itself where beta x > threshold.
Tensor softplus(const Tensor& x, const Scalar& beta = 1, const Scalar& threshold = 20);
/// x held within [min_val, max_val]; the gradient is 0 at the bounds.
Tensor hardtanh(const Tensor& x, const Scalar& min_val = -1, const Scalar& max_val = 1);
Tensor relu6(const Tensor& x);
/// relu6(x + 3) / 6.
Tensor hardsigmoid(const Tensor& x);
/// x hardsigmoid(x).
Tensor hardswish(const Tensor& x);
/// x tanh(softplus(x)).
Tensor mish(const Tensor& x);
/// x / (1 + |x|).
Tensor softsign(const Tensor& x);
/// log(sigmoid(x)) without overflow.
Tensor log_sigmoid(const Tensor& x);
/// x - tanh(x).
Tensor tanhshrink(const Tensor& x);
/// x moved towards 0 by lambda, 0 within lambda of 0.
Tensor softshrink(const Tensor& x, const Scalar& lambda = 0.5);
/// x, and 0 within lambda of 0.
Tensor hardshrink(const Tensor& x, const Scalar& lambda = 0.5);
/// x where above `threshold`, else `value`.
Tensor threshold(const Tensor& x, const Scalar& threshold, const Scalar& value);
/// x where positive, else weight * x; one weight, or one per channel: x `(N, C, ...)`, weight `(C,)`.
Tensor prelu(const Tensor& x, const Tensor& weight);
/// a sigmoid(b) of the two halves of `dim`.
Tensor glu(const Tensor& x, int64_t dim = -1);

}  // namespace strata
