// Kernels of chains on the emulated device.
#include "kernels/cuda/fused/kernel.h"
#include "test/cuda_emulator/host_kernels.h"

namespace strata::cuda::fused {

const std::string& missing_compiler() {
  static const std::string nothing;
  return nothing;
}

void* load_kernel(const Source& source, DeviceIndex) { return emulator::add_kernel(source.name, source.text); }

void start_kernel(void* kernel, std::string_view op, unsigned blocks, cudaStream_t stream, const ChainData& data) {
  if (emulator::is_collecting()) return;
  const auto function =
      reinterpret_cast<void (*)(ChainData)>(emulator::function_of(static_cast<emulator::HostKernel*>(kernel)));
  const Shape shape{blocks};
  emulator::run(op, shape.blocks, shape.threads, 0, stream, [=] { function(data); });
  check_launch(op);
}

}  // namespace strata::cuda::fused
