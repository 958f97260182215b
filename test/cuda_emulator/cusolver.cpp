// cuSOLVER's 64-bit interface on the host, by OpenBLAS's LAPACK, and strict about what it is given.
#include "test/cuda_emulator/cusolver.h"

struct cusolverDnParams {};

namespace {

using namespace strata::test;
using strata::cpu::linalg::Lapack;

/// The one set of default settings.
cusolverDnParams defaults;

/// What functions ask for; all of it is written.
constexpr size_t kHostBytes = 48;
size_t device_bytes(int64_t m, int64_t n) { return static_cast<size_t>(256 + 8 * (m + n)); }

/// The arguments that all functions of this interface have.
struct Call {
  cusolverDnHandle_t handle;
  cusolverDnParams_t params;
  cudaDataType type, compute;
  int64_t m, n;
  const void* a;
  int64_t lda;
  bool is_valid() const {
    const bool real = type == CUDA_R_32F || type == CUDA_R_64F;
    return params == &defaults && real && compute == type && is_matrix(a, m, n, lda);
  }
};

cusolverStatus_t answer(const Call& c, bool is_valid, size_t* on_device, size_t* on_host) {
  if (!is_open(c.handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_valid || !c.is_valid()) return CUSOLVER_STATUS_INVALID_VALUE;
  *on_device = device_bytes(c.m, c.n), *on_host = kHostBytes;
  return CUSOLVER_STATUS_SUCCESS;
}

/// The memory to work in, the device's and the host's.
struct Work {
  void* device;
  size_t device_size;
  void* host;
  size_t host_size;
  bool fits(const Call& c) const {
    return device && device_size >= device_bytes(c.m, c.n) && host && host_size >= kHostBytes;
  }
};

/// work.operator()<T>() with the type of the elements, on the handle's stream.
template <class F>
cusolverStatus_t run64(const Call& c, const Work& memory, bool is_valid, F work) {
  if (!memory.fits(c)) return CUSOLVER_STATUS_INVALID_VALUE;
  scribble(memory.host, memory.host_size);
  return run(c.handle, is_valid && c.is_valid(), [=] {
    scribble(memory.device, memory.device_size);
    c.type == CUDA_R_64F ? work.template operator()<double>() : work.template operator()<float>();
  });
}

int to_int(int64_t n) { return static_cast<int>(n); }

}  // namespace

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  *handle = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  *params = &defaults;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  handle->set_stream(stream);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t,
                                             int64_t n, cudaDataType type_a, const void* a, int64_t lda,
                                             cudaDataType type, size_t* on_device, size_t* on_host) {
  return answer({handle, params, type_a, type, n, n, a, lda}, true, on_device, on_host);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t fill,
                                  int64_t n, cudaDataType type_a, void* a, int64_t lda, cudaDataType type,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info) {
  const Work work{device_work, device_bytes, host_work, host_bytes};
  return run64({handle, params, type_a, type, n, n, a, lda}, work, info,
               [=]<class T>() { *info = potrf(fill, to_int(n), static_cast<T*>(a), to_int(lda)); });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type,
                                             size_t* on_device, size_t* on_host) {
  return answer({handle, params, type_a, type, m, n, a, lda}, true, on_device, on_host);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, int64_t* pivots, cudaDataType type,
                                  void* device_work, size_t device_bytes, void* host_work, size_t host_bytes,
                                  int* info) {
  const Work work{device_work, device_bytes, host_work, host_bytes};
  return run64({handle, params, type_a, type, m, n, a, lda}, work, info && pivots, [=]<class T>() {
    const int rows = to_int(m), cols = to_int(n), ld = to_int(lda);
    std::vector<int> swaps(static_cast<size_t>(std::min(m, n)));
    Lapack<T>::getrf(&rows, &cols, static_cast<T*>(a), &ld, swaps.data(), info);
    std::copy(swaps.begin(), swaps.end(), pivots);
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_tau,
                                             const void* tau, cudaDataType type, size_t* on_device, size_t* on_host) {
  return answer({handle, params, type_a, type, m, n, a, lda}, tau && type_tau == type, on_device, on_host);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, cudaDataType type_tau, void* tau,
                                  cudaDataType type, void* device_work, size_t device_bytes, void* host_work,
                                  size_t host_bytes, int* info) {
  const Work work{device_work, device_bytes, host_work, host_bytes};
  const bool is_valid = tau && type_tau == type && info;
  return run64({handle, params, type_a, type, m, n, a, lda}, work, is_valid, [=]<class T>() {
    const int rows = to_int(m), cols = to_int(n), ld = to_int(lda), size = 64 * cols;
    std::vector<T> memory(static_cast<size_t>(size));
    Lapack<T>::geqrf(&rows, &cols, static_cast<T*>(a), &ld, static_cast<T*>(tau), memory.data(), &size, info);
  });
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t n, cudaDataType type_a, const void* a,
                                             int64_t lda, cudaDataType type_w, const void* w, cudaDataType type,
                                             size_t* on_device, size_t* on_host) {
  return answer({handle, params, type_a, type, n, n, a, lda}, w && type_w == type, on_device, on_host);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode,
                                  cublasFillMode_t fill, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_w, void* w, cudaDataType type, void* device_work,
                                  size_t device_bytes, void* host_work, size_t host_bytes, int* info) {
  const Work work{device_work, device_bytes, host_work, host_bytes};
  return run64({handle, params, type_a, type, n, n, a, lda}, work, w && type_w == type && info, [=]<class T>() {
    *info = eigen(mode, fill, to_int(n), static_cast<T*>(a), to_int(lda), static_cast<T*>(w));
  });
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char,
                                             signed char, int64_t m, int64_t n, cudaDataType type_a, const void* a,
                                             int64_t lda, cudaDataType, const void*, cudaDataType, const void*,
                                             int64_t ldu, cudaDataType, const void*, int64_t ldvt, cudaDataType type,
                                             size_t* on_device, size_t* on_host) {
  return answer({handle, params, type_a, type, m, n, a, lda}, m >= n && ldu >= m && ldvt >= n, on_device, on_host);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char job_u,
                                  signed char job_vt, int64_t m, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_s, void* s, cudaDataType type_u, void* u, int64_t ldu,
                                  cudaDataType type_vt, void* vt, int64_t ldvt, cudaDataType type, void* device_work,
                                  size_t device_bytes, void* host_work, size_t host_bytes, int* info) {
  const Work work{device_work, device_bytes, host_work, host_bytes};
  const bool types = type_s == type && type_u == type && type_vt == type, vectors = job_u != 'N';
  const bool is_valid = types && m >= n && s && info && job_u == job_vt &&
                        (!vectors || (is_matrix(u, m, n, ldu) && is_matrix(vt, n, n, ldvt)));
  return run64({handle, params, type_a, type, m, n, a, lda}, work, is_valid, [=]<class T>() {
    const Decomposition<T> x{to_int(m), to_int(n), static_cast<T*>(a), to_int(lda), static_cast<T*>(s)};
    *info = x.run(static_cast<char>(job_u), static_cast<T*>(u), to_int(ldu), static_cast<T*>(vt), to_int(ldvt));
  });
}
