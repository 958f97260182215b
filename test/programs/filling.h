// Values that depend on no random generator, for modules and for inputs.
#pragma once
#include <torch/torch.h>

namespace programs {

/// Gives a module's parameters the sines of 0, 1, 2, …, scaled.
template <class M>
M filled(M module, double scale = 0.3) {
  torch::NoGradGuard guard;
  for (auto& p : module->parameters()) p.copy_(torch::sin(torch::arange(p.numel(), p.options())).view_as(p) * scale);
  return module;
}
/// The same with halves of the sines.
template <class M>
M half_filled(M module) {
  return filled(module, 0.5);
}
/// Cosines of multiples of 0.7 in a shape.
inline torch::Tensor waves(at::IntArrayRef shape, double step = 0.7) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::cos(torch::arange(count, torch::kFloat32) * step).view(shape);
}
/// Sines of multiples of `step`, from 0.1 on, in float64.
inline torch::Tensor fine_waves(at::IntArrayRef shape, double step = 0.7) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::sin(torch::arange(count, torch::kFloat64) * step + 0.1).view(shape);
}

}  // namespace programs
