// Functions that run on the GPU and, compiled by any compiler, on the host: so they are tested without a GPU.
#pragma once

#ifdef __CUDACC__
#define STRATA_HD __host__ __device__ __forceinline__
#else
#define STRATA_HD inline
#endif

// Only the pass for the device: host compilers warn of pragmas they do not know.
#ifdef __CUDA_ARCH__
#define STRATA_UNROLL _Pragma("unroll")
#else
#define STRATA_UNROLL
#endif
