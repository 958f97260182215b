// Kernels of generated sources on a GPU: from the disk or from NVRTC, and started through the driver.
#include "kernels/cuda/fused/kernel.h"

#include <cuda.h>
#include <dlfcn.h>

#include <memory>

#include "core/cuda_graph.h"
#include "core/error.h"
#include "kernels/cuda/fused/cache.h"
#include "kernels/cuda/fused/headers.h"
#include "kernels/cuda/fused/nvrtc.h"

namespace strata::cuda::fused {
namespace {

/// The driver's functions, which the CUDA runtime has loaded already.
struct Driver {
  decltype(&cuModuleLoadData) load = nullptr;
  decltype(&cuModuleGetFunction) function = nullptr;
  decltype(&cuLaunchKernel) launch = nullptr;
  decltype(&cuGetErrorString) error = nullptr;

  Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    STRATA_CHECK(library, "chain: no NVIDIA driver: {}", dlerror());
    const auto find = [&](auto& f, const char* name) {
      f = reinterpret_cast<std::decay_t<decltype(f)>>(dlsym(library, name));
      STRATA_CHECK(f, "chain: the NVIDIA driver has no {}", name);
    };
    find(load, "cuModuleLoadData");
    find(function, "cuModuleGetFunction");
    find(launch, "cuLaunchKernel");
    find(error, "cuGetErrorString");
  }
};
const Driver& driver() {
  static const Driver once;
  return once;
}

void check(CUresult status, std::string_view what) {
  if (status == CUDA_SUCCESS) [[likely]]
    return;
  const char* text = "an error without a name";
  driver().error(status, &text);
  STRATA_THROW("{}: {}", what, text);
}

std::string architecture_of(DeviceIndex device) {
  int major = 0, minor = 0;
  cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "chain");
  cuda::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "chain");
  return "sm_" + std::to_string(major * 10 + minor);
}

/// All that the machine code depends on.
std::string hash_of(const std::string& source, const std::string& architecture) {
  std::string all = architecture + "\n" + nvrtc_version() + "\n" + source;
  for (const Header& h : headers()) all += std::string(h.name) + "\n" + h.text;
  return KernelCache::hash(all);
}

CUfunction function_of(const std::string& code, const Source& source) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(driver().load(&module, code.data()), source.name);
  check(driver().function(&function, module, source.name.c_str()), source.name);
  return function;
}

}  // namespace

const std::string& missing_compiler() { return nvrtc_problem(); }

void* load_kernel(const Source& source, DeviceIndex device) {
  STRATA_CHECK(!is_current_stream_capturing(),
               "{}: its kernel is loaded in the first run, which cannot be captured into a graph", source.name);
  const std::string architecture = architecture_of(device), hash = hash_of(source.text, architecture);
  const KernelCache cache(KernelCache::default_folder());
  if (const std::optional<std::string> code = cache.find(hash)) return function_of(*code, source);
  const std::string code = compile_source(source.text, architecture);
  cache.keep(hash, code);
  return function_of(code, source);
}

void start_kernel(void* kernel, std::string_view op, unsigned blocks, cudaStream_t stream, const ChainData& data) {
  void* arguments[] = {const_cast<ChainData*>(&data)};
  const Shape shape{blocks};
  check(driver().launch(static_cast<CUfunction>(kernel), blocks, 1, 1, shape.threads.x, 1, 1, 0, stream, arguments,
                        nullptr),
        op);
  check_launch(op);
}

}  // namespace strata::cuda::fused
