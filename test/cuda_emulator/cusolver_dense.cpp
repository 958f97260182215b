// cuSOLVER's 32-bit interface on the host, by OpenBLAS's LAPACK, and strict about what it is given.
#include <limits>
#include <set>

#include "test/cuda_emulator/cusolver.h"

struct syevjInfo {};
struct gesvdjInfo {};

namespace {

using namespace strata::test;
using strata::cpu::linalg::Lapack;

/// Settings that have been made and not been destroyed.
std::set<const void*> settings_there;

template <class Info>
cusolverStatus_t create(Info** info) {
  settings_there.insert(*info = new Info);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class Info>
cusolverStatus_t destroy(Info* info) {
  if (settings_there.erase(info) == 0) return CUSOLVER_STATUS_INVALID_VALUE;
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}

/// Elements of memory that functions ask for; all of it is written.
int work_of(int m, int n, int count = 1) { return 16 + (m + n) * count; }

cusolverStatus_t answer(cusolverDnHandle_t handle, bool is_valid, int wanted, int* size) {
  if (!is_open(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_valid) return CUSOLVER_STATUS_INVALID_VALUE;
  *size = wanted;
  return CUSOLVER_STATUS_SUCCESS;
}

template <class T>
cusolverStatus_t potrf_batched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T* a[], int lda, int* info,
                               int count) {
  return run(handle, is_matrix(a, n, n, lda) && info && count >= 1, [=] {
    check_addresses(a, count);
    const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
    for (int i = 0; i < count; ++i) {
      info[i] = potrf(fill, n, a[i], lda);
      // The library works in the other triangle.
      for (int64_t j = 0; j < n; ++j) scribble(a[i] + (upper ? j + 1 : 0) + j * lda, upper ? n - j - 1 : j, 1, lda);
    }
  });
}

bool reflects(int m, int n, int k) { return m >= n && n >= k && k >= 1; }

template <class T>
cusolverStatus_t orgqr_size(cusolverDnHandle_t handle, int m, int n, int k, const T* a, int lda, const T* tau,
                            int* size) {
  return answer(handle, is_matrix(a, m, n, lda) && tau && reflects(m, n, k), work_of(m, n), size);
}
template <class T>
cusolverStatus_t orgqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda, const T* tau, T* work, int size,
                       int* info) {
  const bool is_valid = is_matrix(a, m, n, lda) && tau && reflects(m, n, k) && work && size >= work_of(m, n) && info;
  return run(handle, is_valid, [=] {
    scribble(work, size, 1, size);
    const int lapack_size = 64 * n;
    std::vector<T> memory(static_cast<size_t>(lapack_size));
    Lapack<T>::ungqr(&m, &n, &k, a, &lda, tau, memory.data(), &lapack_size, info);
  });
}

/// The arguments of Jacobi's method for eigenvalues.
template <class T>
struct Eigen {
  cusolverEigMode_t mode;
  cublasFillMode_t fill;
  int n;
  T* a;
  int lda;
  T* w;
  const syevjInfo* settings;
  int count = 1;

  bool is_valid() const { return is_matrix(a, n, n, lda) && w && settings_there.count(settings) > 0 && count >= 1; }
  cusolverStatus_t size(cusolverDnHandle_t handle, int* size) const {
    return answer(handle, is_valid(), work_of(n, n, count), size);
  }
  cusolverStatus_t solve(cusolverDnHandle_t handle, std::remove_const_t<T>* work, int size, int* info) const {
    return run(handle, is_valid() && work && size >= work_of(n, n, count) && info, [=, *this] {
      scribble(work, size, 1, size);
      for (int64_t i = 0; i < count; ++i) info[i] = eigen(mode, fill, n, a + i * lda * n, lda, w + i * n);
    });
  }
};

/// The arguments of Jacobi's method for singular values.
template <class T>
struct Singular {
  cusolverEigMode_t mode;
  bool thin;
  int m, n;
  T* a;
  int lda;
  T* s;
  T* u;
  int ldu;
  T* v;
  int ldv;
  const gesvdjInfo* settings;
  int count = 1;

  bool is_valid() const {
    return is_matrix(a, m, n, lda) && s && is_matrix(u, m, m, ldu) && is_matrix(v, n, n, ldv) &&
           settings_there.count(settings) > 0 && count >= 1;
  }
  cusolverStatus_t size(cusolverDnHandle_t handle, int* size) const {
    return answer(handle, is_valid(), work_of(m, n, count), size);
  }
  cusolverStatus_t solve(cusolverDnHandle_t handle, std::remove_const_t<T>* work, int size, int* info) const {
    return run(handle, is_valid() && work && size >= work_of(m, n, count) && info, [=, *this] {
      scribble(work, size, 1, size);
      const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
      const int k = std::min(m, n);
      for (int64_t i = 0; i < count; ++i) {
        const Decomposition<T> one{m, n, a + i * lda * n, lda, s + i * k};
        info[i] = one.run_jacobi(vectors, thin, u + i * ldu * m, ldu, v + i * ldv * n, ldv);
      }
    });
  }
  /// What the library does for batches.
  bool is_small() const { return m <= 32 && n <= 32; }
};

}  // namespace

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info) { return create(info); }
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info) { return destroy(info); }
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) { return create(info); }
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) { return destroy(info); }
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps) {
  return settings_there.count(info) > 0 && sweeps > 0 ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, float* a[], int lda,
                                         int* info, int count) {
  return potrf_batched(handle, fill, n, a, lda, info, count);
}
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, double* a[], int lda,
                                         int* info, int count) {
  return potrf_batched(handle, fill, n, a, lda, info, count);
}
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const float* a, int lda,
                                             const float* tau, int* size) {
  return orgqr_size(handle, m, n, k, a, lda, tau, size);
}
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const double* a, int lda,
                                             const double* tau, int* size) {
  return orgqr_size(handle, m, n, k, a, lda, tau, size);
}
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float* a, int lda, const float* tau,
                                  float* work, int size, int* info) {
  return orgqr(handle, m, n, k, a, lda, tau, work, size, info);
}
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double* a, int lda, const double* tau,
                                  double* work, int size, int* info) {
  return orgqr(handle, m, n, k, a, lda, tau, work, size, info);
}
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                             int n, const float* a, int lda, const float* w, int* size,
                                             syevjInfo_t settings) {
  return Eigen<const float>{mode, fill, n, a, lda, w, settings}.size(handle, size);
}
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n,
                                  float* a, int lda, float* w, float* work, int size, int* info, syevjInfo_t settings) {
  return Eigen<float>{mode, fill, n, a, lda, w, settings}.solve(handle, work, size, info);
}
cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const float* a, int lda,
                                                    const float* w, int* size, syevjInfo_t settings, int count) {
  return Eigen<const float>{mode, fill, n, a, lda, w, settings, count}.size(handle, size);
}
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                         int n, float* a, int lda, float* w, float* work, int size, int* info,
                                         syevjInfo_t settings, int count) {
  return Eigen<float>{mode, fill, n, a, lda, w, settings, count}.solve(handle, work, size, info);
}
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n,
                                              const float* a, int lda, const float* s, const float* u, int ldu,
                                              const float* v, int ldv, int* size, gesvdjInfo_t settings) {
  return Singular<const float>{mode, thin != 0, m, n, a, lda, s, u, ldu, v, ldv, settings}.size(handle, size);
}
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n, float* a,
                                   int lda, float* s, float* u, int ldu, float* v, int ldv, float* work, int size,
                                   int* info, gesvdjInfo_t settings) {
  return Singular<float>{mode, thin != 0, m, n, a, lda, s, u, ldu, v, ldv, settings}.solve(handle, work, size, info);
}
cusolverStatus_t cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                                     const float* a, int lda, const float* s, const float* u, int ldu,
                                                     const float* v, int ldv, int* size, gesvdjInfo_t settings,
                                                     int count) {
  return Singular<const float>{mode, false, m, n, a, lda, s, u, ldu, v, ldv, settings, count}.size(handle, size);
}
cusolverStatus_t cusolverDnSgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, float* a,
                                          int lda, float* s, float* u, int ldu, float* v, int ldv, float* work,
                                          int size, int* info, gesvdjInfo_t settings, int count) {
  const Singular<float> x{mode, false, m, n, a, lda, s, u, ldu, v, ldv, settings, count};
  return x.is_small() ? x.solve(handle, work, size, info) : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                             int n, const double* a, int lda, const double* w, int* size,
                                             syevjInfo_t settings) {
  return Eigen<const double>{mode, fill, n, a, lda, w, settings}.size(handle, size);
}
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill, int n,
                                  double* a, int lda, double* w, double* work, int size, int* info,
                                  syevjInfo_t settings) {
  return Eigen<double>{mode, fill, n, a, lda, w, settings}.solve(handle, work, size, info);
}
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const double* a, int lda,
                                                    const double* w, int* size, syevjInfo_t settings, int count) {
  return Eigen<const double>{mode, fill, n, a, lda, w, settings, count}.size(handle, size);
}
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                         int n, double* a, int lda, double* w, double* work, int size, int* info,
                                         syevjInfo_t settings, int count) {
  return Eigen<double>{mode, fill, n, a, lda, w, settings, count}.solve(handle, work, size, info);
}
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n,
                                              const double* a, int lda, const double* s, const double* u, int ldu,
                                              const double* v, int ldv, int* size, gesvdjInfo_t settings) {
  return Singular<const double>{mode, thin != 0, m, n, a, lda, s, u, ldu, v, ldv, settings}.size(handle, size);
}
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int thin, int m, int n, double* a,
                                   int lda, double* s, double* u, int ldu, double* v, int ldv, double* work, int size,
                                   int* info, gesvdjInfo_t settings) {
  return Singular<double>{mode, thin != 0, m, n, a, lda, s, u, ldu, v, ldv, settings}.solve(handle, work, size, info);
}
cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                                     const double* a, int lda, const double* s, const double* u,
                                                     int ldu, const double* v, int ldv, int* size,
                                                     gesvdjInfo_t settings, int count) {
  return Singular<const double>{mode, false, m, n, a, lda, s, u, ldu, v, ldv, settings, count}.size(handle, size);
}
cusolverStatus_t cusolverDnDgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n, double* a,
                                          int lda, double* s, double* u, int ldu, double* v, int ldv, double* work,
                                          int size, int* info, gesvdjInfo_t settings, int count) {
  const Singular<double> x{mode, false, m, n, a, lda, s, u, ldu, v, ldv, settings, count};
  return x.is_small() ? x.solve(handle, work, size, info) : CUSOLVER_STATUS_INVALID_VALUE;
}
