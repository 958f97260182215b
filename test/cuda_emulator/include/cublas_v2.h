// The part of cuBLAS that the kernels call, with the values of NVIDIA's header; cublas.cpp computes it on the host.
#pragma once
#include <cublasLt.h>

enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
using cublasHandle_t = struct cublasContext*;

const char* cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);

cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,
                           cublasDiagType_t diag, int m, int n, const float* alpha, const float* a, int lda, float* b,
                           int ldb);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,
                           cublasDiagType_t diag, int m, int n, const double* alpha, const double* a, int lda,
                           double* b, int ldb);
cublasStatus_t cublasStrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const float* alpha,
                                  const float* const a[], int lda, float* const b[], int ldb, int count);
cublasStatus_t cublasDtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const double* alpha,
                                  const double* const a[], int lda, double* const b[], int ldb, int count);
cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float* const a[], int lda, int* pivots, int* info,
                                   int count);
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double* const a[], int lda, int* pivots, int* info,
                                   int count);
cublasStatus_t cublasSgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                   const float* const a[], int lda, const int* pivots, float* const b[], int ldb,
                                   int* info, int count);
cublasStatus_t cublasDgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                   const double* const a[], int lda, const int* pivots, double* const b[], int ldb,
                                   int* info, int count);
cublasStatus_t cublasSgeqrfBatched(cublasHandle_t handle, int m, int n, float* const a[], int lda, float* const tau[],
                                   int* info, int count);
cublasStatus_t cublasDgeqrfBatched(cublasHandle_t handle, int m, int n, double* const a[], int lda, double* const tau[],
                                   int* info, int count);

namespace strata::emulator {
/// Makes cuBLAS and cuSOLVER refuse all calls.
void refuse_library_calls(bool refuse);
}  // namespace strata::emulator
