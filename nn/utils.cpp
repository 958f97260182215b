// Clipping gradients and flattening parameters.
#include "nn/utils.h"

#include <cmath>

#include "core/grad_mode.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"

namespace strata::nn::utils {

namespace {

std::vector<Tensor> gradients(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> out;
  for (const Tensor& p : parameters)
    if (p.grad().defined()) out.push_back(p.grad().detach());
  return out;
}

/// The norm of the norms is the norm of everything.
Tensor total_norm(const std::vector<Tensor>& grads, double norm_type) {
  std::vector<Tensor> norms;
  for (const Tensor& g : grads) norms.push_back(strata::norm(g, norm_type));
  return norms.size() == 1 ? norms[0] : strata::norm(strata::stack(norms), norm_type);
}

}  // namespace

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite) {
  const NoGradGuard no_grad;
  std::vector<Tensor> grads = gradients(parameters);
  if (grads.empty()) return 0;
  const double total = total_norm(grads, norm_type).item<double>();
  STRATA_CHECK(!error_if_nonfinite || std::isfinite(total), "clip_grad_norm_: the norm of the gradients is {}", total);
  const double factor = max_norm / (total + 1e-6);
  if (factor >= 1) return total;
  for (Tensor& g : grads) g.mul_(factor);
  return total;
}

double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type, bool error_if_nonfinite) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  const NoGradGuard no_grad;
  for (Tensor& g : gradients(parameters)) g.clamp_(-clip_value, clip_value);
}

void clip_grad_value_(const Tensor& parameter, double clip_value) {
  clip_grad_value_(std::vector<Tensor>{parameter}, clip_value);
}

Tensor parameters_to_vector(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> parts;
  for (const Tensor& p : parameters) parts.push_back(p.reshape({-1}));
  return strata::cat(parts);
}

void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters) {
  int64_t wanted = 0;
  for (const Tensor& p : parameters) wanted += p.numel();
  STRATA_CHECK(vec.dim() == 1 && vec.numel() == wanted,
               "vector_to_parameters: the vector has shape {}, the parameters have {} elements", vec.sizes(), wanted);
  const NoGradGuard no_grad;
  int64_t at = 0;
  for (const Tensor& p : parameters) {
    p.detach().copy_(vec.narrow(0, at, p.numel()).reshape(p.sizes()));
    at += p.numel();
  }
}

}  // namespace strata::nn::utils
