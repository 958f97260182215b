// What the two parts of the stand-in for cuSOLVER share: handles, and the factorizations of one matrix by LAPACK.
#pragma once
#include <cusolverDn.h>

#include "kernels/cpu/linalg/lapack.h"
#include "test/cuda_emulator/library.h"

struct cusolverDnContext : strata::test::LibraryHandle {};

namespace strata::test {

inline bool is_open(cusolverDnHandle_t handle) { return handle && handle->is_ready(); }

/// Gives the handle's stream `work` if all is well.
template <class F>
cusolverStatus_t run(cusolverDnHandle_t handle, bool is_valid, F work) {
  if (!is_open(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_valid) return CUSOLVER_STATUS_INVALID_VALUE;
  give(handle->use(), work);
  return CUSOLVER_STATUS_SUCCESS;
}

inline const char* letter(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? "U" : "L"; }

/// Leaves the other triangle alone.
template <class T>
int potrf(cublasFillMode_t fill, int n, T* a, int lda) {
  int info = 0;
  cpu::linalg::Lapack<T>::potrf(letter(fill), &n, a, &lda, &info, 1);
  return info;
}

/// Eigenvalues to w; eigenvectors, or nothing of use, to a. The other triangle may hold anything.
template <class T>
int eigen(cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a, int lda, T* w) {
  const int size = 1 + 6 * n + 2 * n * n, isize = 3 + 5 * n;
  std::vector<T> work(static_cast<size_t>(size));
  std::vector<int> iwork(static_cast<size_t>(isize));
  const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR, upper = fill == CUBLAS_FILL_MODE_UPPER;
  for (int64_t j = 0; j < n; ++j)
    check_finite(a + (upper ? 0 : j) + j * lda, upper ? j + 1 : n - j, 1, lda, "an eigenvalue problem");
  int info = 0;
  cpu::linalg::Lapack<T>::heevd(vectors ? "V" : "N", letter(fill), &n, a, &lda, w, work.data(), &size, iwork.data(),
                                &isize, &info, 1, 1);
  if (!vectors) scribble(a, n, n, lda);
  return info;
}

/// Singular values of an m x n matrix, whose memory holds nothing of use afterwards.
template <class T>
struct Decomposition {
  int m, n;
  T* a;
  int lda;
  T* s;

  /// job 'N', 'S' or 'A', as LAPACK calls them.
  int run(char job, T* u, int ldu, T* vt, int ldvt) const {
    check_finite(a, m, n, lda, "a singular value problem");
    const int k = std::min(m, n), most = std::max(m, n), size = 8 * k * k + 8 * k + 64 * most;
    std::vector<T> work(static_cast<size_t>(size));
    std::vector<int> iwork(static_cast<size_t>(8 * k));
    int info = 0;
    cpu::linalg::Lapack<T>::gesdd(&job, &m, &n, a, &lda, s, u, &ldu, vt, &ldvt, work.data(), &size, iwork.data(), &info,
                                  1);
    scribble(a, m, n, lda);
    return info;
  }
  /// With V in place of its transpose; memory for both has to be there even where no vectors are wanted.
  int run_jacobi(bool vectors, bool thin, T* u, int ldu, T* v, int ldv) const {
    const int k = std::min(m, n), u_cols = thin ? k : m, v_cols = thin ? k : n;
    scribble(u, m, u_cols, ldu);
    scribble(v, n, v_cols, ldv);
    if (!vectors) return run('N', u, ldu, v, ldv);
    std::vector<T> vt(static_cast<size_t>(v_cols) * static_cast<size_t>(n));
    const int info = run(thin ? 'S' : 'A', u, ldu, vt.data(), v_cols);
    for (int64_t i = 0; i < v_cols; ++i)
      for (int64_t j = 0; j < n; ++j) v[j + i * ldv] = vt[static_cast<size_t>(i + j * v_cols)];
    return info;
  }
};

}  // namespace strata::test
