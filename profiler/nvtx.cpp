// NVTX ranges through the library of CUDA kernels, which brings NVTX along.
#include "profiler/nvtx.h"

#include "core/device.h"

namespace strata::nvtx {
namespace {

Functions in_use;

/// Asking for a device loads the library, once.
const Functions& functions() {
  if (!in_use.push) cuda::is_available();
  return in_use;
}

}  // namespace

Functions set_functions(const Functions& functions) {
  const Functions before = in_use;
  in_use = functions;
  return before;
}

int range_push(const std::string& name) {
  const auto push = functions().push;
  return push ? push(name.c_str()) : -1;
}
int range_pop() {
  const auto pop = functions().pop;
  return pop ? pop() : -1;
}
void mark(const std::string& name) {
  if (const auto point = functions().mark) point(name.c_str());
}

}  // namespace strata::nvtx
