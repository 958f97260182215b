// libtorch's functions that run a module on several devices of one process.
#pragma once
#include <strata/strata.h>

#include "check.h"

namespace strata::nn::parallel {

/// Copies of the module, one on each device.
template <class M>
std::vector<std::shared_ptr<M>> replicate(const std::shared_ptr<M>& module, const std::vector<Device>& devices) {
  std::vector<std::shared_ptr<M>> copies;
  for (Device device : devices) copies.push_back(std::dynamic_pointer_cast<M>(module->clone(device)));
  return copies;
}
template <class M>
std::vector<ModuleHolder<M>> replicate(const ModuleHolder<M>& module, const std::vector<Device>& devices) {
  const auto copies = replicate(module.ptr(), devices);
  return {copies.begin(), copies.end()};
}

/// Runs modules[i] on inputs[i], each result on its device (`devices[i]` where given).
template <class M>
std::vector<Tensor> parallel_apply(std::vector<M>& modules, const std::vector<Tensor>& inputs,
                                   const std::optional<std::vector<Device>>& devices = std::nullopt) {
  TORCH_CHECK(modules.size() == inputs.size(), "Must have as many inputs as modules");
  TORCH_CHECK(!devices || devices->size() == modules.size(), "Must have the same number of devices as modules");
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < modules.size(); ++i) {
    const Tensor output = modules[i]->forward(inputs[i]);
    outputs.push_back(devices ? output.to((*devices)[i]) : output);
  }
  return outputs;
}

/// Pieces of `input` along `dim`, one on each device; gradients flow back.
inline std::vector<Tensor> scatter(const Tensor& input, const std::vector<Device>& devices, int64_t dim = 0) {
  std::vector<Tensor> pieces = input.chunk(static_cast<int64_t>(devices.size()), dim);
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i] = pieces[i].to(devices[i]);
  return pieces;
}
/// The pieces joined on one device.
inline Tensor gather(const std::vector<Tensor>& pieces, Device device, int64_t dim = 0) {
  std::vector<Tensor> there;
  for (const Tensor& piece : pieces) there.push_back(piece.to(device));
  return cat(there, dim);
}

/// Runs the module on pieces of the input along `dim`, one a device, and joins the results on `output_device`. Without
/// devices these are all CUDA devices, and the input's own where there is none.
template <class M>
Tensor data_parallel(M module, Tensor input, std::optional<std::vector<Device>> devices = std::nullopt,
                     std::optional<Device> output_device = std::nullopt, int64_t dim = 0) {
  if (!devices) {
    devices.emplace();
    for (int i = 0; i < static_cast<int>(cuda::device_count()); ++i)
      devices->emplace_back(kCUDA, static_cast<DeviceIndex>(i));
    if (devices->empty()) devices->push_back(input.device());
  }
  const Device output = output_device.value_or(devices->front());
  if (devices->size() == 1) {
    module->to(devices->front());
    return module->forward(input.to(devices->front())).to(output);
  }
  const std::vector<Tensor> inputs = scatter(input, *devices, dim);
  auto copies = replicate(
      module, std::vector<Device>(devices->begin(), devices->begin() + static_cast<std::ptrdiff_t>(inputs.size())));
  return gather(parallel_apply(copies, inputs), output, dim);
}

}  // namespace strata::nn::parallel
