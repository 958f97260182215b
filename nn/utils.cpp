// Clipping gradients and flattening parameters.
#include "nn/utils.h"

#include <cmath>

#include "core/grad_mode.h"
#include "ops/foreach.h"
#include "ops/shaping.h"

namespace strata::nn::utils {

std::vector<Tensor> gradients(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> out;
  out.reserve(parameters.size());
  for (const Tensor& p : parameters)
    if (const Tensor& g = p.grad(); g.defined()) out.push_back(g.requires_grad() ? g.detach() : g);
  return out;
}

namespace {

Tensor total_norm_of(const char* name, const std::vector<Tensor>& tensors, double norm_type, bool error_if_nonfinite) {
  const Tensor total = strata::total_norm(tensors, norm_type);
  if (error_if_nonfinite) {
    const double value = total.item<double>();
    STRATA_CHECK(std::isfinite(value), "{}: the norm of the gradients is {}", name, value);
  }
  return total;
}

}  // namespace

Tensor get_total_norm(const std::vector<Tensor>& tensors, double norm_type, bool error_if_nonfinite) {
  return total_norm_of("get_total_norm", tensors, norm_type, error_if_nonfinite);
}

void clip_grads_with_norm_(const std::vector<Tensor>& parameters, double max_norm, const Tensor& total_norm) {
  foreach_clip_norm_(gradients(parameters), total_norm, max_norm);
}

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite) {
  const std::vector<Tensor> grads = gradients(parameters);
  if (grads.empty()) return 0;
  const Tensor total = total_norm_of("clip_grad_norm_", grads, norm_type, error_if_nonfinite);
  STRATA_CHECK(!total.keys().has(Key::Transform),
               "clip_grad_norm_: it returns a number, which is not known inside of compile or a transform: use "
               "clip_grads_with_norm_(parameters, max_norm, get_total_norm(gradients(parameters))) instead");
  foreach_clip_norm_(grads, total, max_norm);
  return total.item<double>();
}

double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type, bool error_if_nonfinite) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  foreach_clamp_(gradients(parameters), -clip_value, clip_value);
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
