// Functions that run on the GPU and, compiled by any compiler, on the host: so they are tested without a GPU.
#pragma once

#ifdef __CUDACC__
#define STRATA_HD __host__ __device__ __forceinline__
#define STRATA_UNROLL _Pragma("unroll")
#else
#define STRATA_HD inline
#define STRATA_UNROLL
#endif
