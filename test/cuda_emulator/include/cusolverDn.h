// The part of cuSOLVER that the kernels call, with the values of NVIDIA's header; cusolver.cpp computes it on the host.
#pragma once
#include <cublas_v2.h>

enum cusolverStatus_t {
  CUSOLVER_STATUS_SUCCESS = 0,
  CUSOLVER_STATUS_NOT_INITIALIZED = 1,
  CUSOLVER_STATUS_INVALID_VALUE = 3,
  CUSOLVER_STATUS_NOT_SUPPORTED = 9
};
enum cusolverEigMode_t { CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1 };
using cusolverDnHandle_t = struct cusolverDnContext*;
using cusolverDnParams_t = struct cusolverDnParams*;
using syevjInfo_t = struct syevjInfo*;
using gesvdjInfo_t = struct gesvdjInfo*;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);

// The 64-bit interface.
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t fill, int64_t n, cudaDataType type_a, const void* a,
                                             int64_t lda, cudaDataType type, size_t* on_device, size_t* on_host);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t fill,
                                  int64_t n, cudaDataType type_a, void* a, int64_t lda, cudaDataType type,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type,
                                             size_t* on_device, size_t* on_host);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, int64_t* pivots, cudaDataType type,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_tau,
                                             const void* tau, cudaDataType type, size_t* on_device, size_t* on_host);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, cudaDataType type_tau, void* tau,
                                  cudaDataType type, void* device_work, size_t device_bytes, void* host_work,
                                  size_t host_bytes, int* info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t mode, cublasFillMode_t fill, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_w,
                                             const void* w, cudaDataType type, size_t* on_device, size_t* on_host);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode,
                                  cublasFillMode_t fill, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_w, void* w, cudaDataType type, void* device_work,
                                  size_t device_bytes, void* host_work, size_t host_bytes, int* info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                                             signed char job_vt, int64_t m, int64_t n, cudaDataType type_a,
                                             const void* a, int64_t lda, cudaDataType type_s, const void* s,
                                             cudaDataType type_u, const void* u, int64_t ldu, cudaDataType type_vt,
                                             const void* vt, int64_t ldvt, cudaDataType type, size_t* on_device,
                                             size_t* on_host);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                                  signed char job_vt, int64_t m, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_s, void* s, cudaDataType type_u, void* u, int64_t ldu,
                                  cudaDataType type_vt, void* vt, int64_t ldvt, cudaDataType type, void* device_work,
                                  size_t device_bytes, void* host_work, size_t host_bytes, int* info);

// The 32-bit interface, for float and double.
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, float* a[], int lda,
                                         int* info, int count);
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, double* a[], int lda,
                                         int* info, int count);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const float* a, int lda,
                                             const float* tau, int* size);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const double* a, int lda,
                                             const double* tau, int* size);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float* a, int lda, const float* tau,
                                  float* work, int size, int* info);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double* a, int lda, const double* tau,
                                  double* work, int size, int* info);
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                             int n, const float* a, int lda, const float* w, int* size,
                                             syevjInfo_t settings);
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                             int n, const double* a, int lda, const double* w, int* size,
                                             syevjInfo_t settings);
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n,
                                  float* a, int lda, float* w, float* work, int size, int* info, syevjInfo_t settings);
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n,
                                  double* a, int lda, double* w, double* work, int size, int* info,
                                  syevjInfo_t settings);
cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const float* a, int lda,
                                                    const float* w, int* size, syevjInfo_t settings, int count);
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const double* a, int lda,
                                                    const double* w, int* size, syevjInfo_t settings, int count);
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                         int n, float* a, int lda, float* w, float* work, int size, int* info,
                                         syevjInfo_t settings, int count);
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                         int n, double* a, int lda, double* w, double* work, int size, int* info,
                                         syevjInfo_t settings, int count);
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n,
                                              const float* a, int lda, const float* s, const float* u, int ldu,
                                              const float* v, int ldv, int* size, gesvdjInfo_t settings);
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n,
                                              const double* a, int lda, const double* s, const double* u, int ldu,
                                              const double* v, int ldv, int* size, gesvdjInfo_t settings);
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n, float* a,
                                   int lda, float* s, float* u, int ldu, float* v, int ldv, float* work, int size,
                                   int* info, gesvdjInfo_t settings);
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n, double* a,
                                   int lda, double* s, double* u, int ldu, double* v, int ldv, double* work, int size,
                                   int* info, gesvdjInfo_t settings);
cusolverStatus_t cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                                     const float* a, int lda, const float* s, const float* u, int ldu,
                                                     const float* v, int ldv, int* size, gesvdjInfo_t settings,
                                                     int count);
cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                                     const double* a, int lda, const double* s, const double* u,
                                                     int ldu, const double* v, int ldv, int* size,
                                                     gesvdjInfo_t settings, int count);
cusolverStatus_t cusolverDnSgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, float* a,
                                          int lda, float* s, float* u, int ldu, float* v, int ldv, float* work,
                                          int size, int* info, gesvdjInfo_t settings, int count);
cusolverStatus_t cusolverDnDgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, double* a,
                                          int lda, double* s, double* u, int ldu, double* v, int ldv, double* work,
                                          int size, int* info, gesvdjInfo_t settings, int count);
