// The part of cuFFT that the kernels call, with the values of NVIDIA's header; cufft.cpp computes it on the host.
#pragma once
#include <cuda_runtime_api.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

enum cufftResult {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_NO_WORKSPACE = 13
};
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
using cufftHandle = int;

cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int on);
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType inputtype, long long* onembed, long long ostride,
                                long long odist, cudaDataType outputtype, long long batch, size_t* workspace,
                                cudaDataType executiontype);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftSetWorkArea(cufftHandle plan, void* workspace);
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);

namespace strata::emulator {
/// Plans made and transforms executed so far.
struct FftCounts {
  int64_t plans = 0, transforms = 0;
};
FftCounts fft_counts();
}  // namespace strata::emulator
