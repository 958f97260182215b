// Helpers over lists of parameters: clipping gradients, flattening.
#pragma once
#include <vector>

#include "../core/tensor.h"

namespace strata::nn::utils {

/// Scales all gradients so that their norm together is at most max_norm; returns the norm as it was. Parameters without
/// a gradient do not count. `norm_type` may be infinity.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
/// Clamps every gradient to +-clip_value.
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);
void clip_grad_value_(const Tensor& parameter, double clip_value);

/// All parameters one after the other, as one vector.
Tensor parameters_to_vector(const std::vector<Tensor>& parameters);
/// Copies the parts of such a vector back into the parameters.
void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters);

}  // namespace strata::nn::utils
