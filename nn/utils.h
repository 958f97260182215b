// Helpers over lists of parameters: clipping gradients, flattening; modules without starting values.
#pragma once
#include <utility>
#include <vector>

#include "../core/tensor.h"
#include "init.h"

namespace strata::nn::utils {

/// Scales all gradients so that their norm together is at most max_norm; returns the norm as it was. Parameters without
/// a gradient do not count. `norm_type` may be infinity.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
/// The norm of all tensors together, 0-dim, on the first one's device: nobody waits for it unless `error_if_nonfinite`.
Tensor get_total_norm(const std::vector<Tensor>& tensors, double norm_type = 2.0, bool error_if_nonfinite = false);
/// Scales all gradients by max_norm / total_norm where that is below 1, without waiting for a device: with
/// `get_total_norm(gradients(parameters))` it clips inside of a captured graph.
void clip_grads_with_norm_(const std::vector<Tensor>& parameters, double max_norm, const Tensor& total_norm);
/// The gradients of those parameters that have one.
std::vector<Tensor> gradients(const std::vector<Tensor>& parameters);
/// Clamps every gradient to +-clip_value.
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);
void clip_grad_value_(const Tensor& parameter, double clip_value);

/// A module whose weights hold whatever their memory held, for those that are loaded anyway: nothing is drawn at
/// random. Constants, as of norms and running statistics, are there.
///
///     nn::Linear linear = nn::utils::skip_init<nn::Linear>(4096, 4096);
template <class Holder, class... Args>
Holder skip_init(Args&&... args) {
  const init::detail::WithoutDraws guard;
  return Holder(std::forward<Args>(args)...);
}

/// All parameters one after the other, as one vector.
Tensor parameters_to_vector(const std::vector<Tensor>& parameters);
/// Copies the parts of such a vector back into the parameters.
void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters);

}  // namespace strata::nn::utils
