// Errors of the CUDA runtime as Strata's.
#pragma once
#include <cuda_runtime_api.h>

#include "core/error.h"

namespace strata::cuda {

/// Throws when a call of the CUDA runtime failed; `what` says what was tried.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) [[likely]]
    return;
  cudaGetLastError();  // or the next call would report it again
  STRATA_THROW("{}: {}", what, cudaGetErrorString(status));
}

}  // namespace strata::cuda
