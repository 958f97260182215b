// cuBLAS on the host, by OpenBLAS, and strict about what it is given.
#include <cublas_v2.h>

#include "kernels/cpu/linalg/lapack.h"
#include "test/cuda_emulator/library.h"
#include "test/cuda_emulator/run.h"

struct cublasContext : strata::test::LibraryHandle {
  void* workspace = nullptr;
  size_t bytes = 0;
};

namespace {

using strata::cpu::linalg::Lapack;
using strata::test::check_addresses;
using strata::test::is_matrix;

/// Gives the handle's stream `work` if all is well.
template <class F>
cublasStatus_t run(cublasHandle_t handle, bool is_valid, F work) {
  if (!handle || !handle->is_ready() || !handle->workspace) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!is_valid) return CUBLAS_STATUS_INVALID_VALUE;
  strata::test::give(handle->use(), [workspace = handle->workspace, bytes = handle->bytes, work] {
    strata::test::scribble(workspace, bytes);
    work();
  });
  return CUBLAS_STATUS_SUCCESS;
}

CBLAS_TRANSPOSE transposition(cublasOperation_t t) { return t == CUBLAS_OP_T ? CblasTrans : CblasNoTrans; }

/// The triangles of a function and what they are applied to.
struct Triangles {
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t trans;
  cublasDiagType_t diag;
  int m, n;
  int order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }

  template <class T>
  void solve(T alpha, const T* a, int lda, T* b, int ldb) const {
    Lapack<T>::trsm(CblasColMajor, side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight,
                    fill == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower, transposition(trans),
                    diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit, m, n, alpha, a, lda, b, ldb);
  }
};

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, const Triangles& t, const T* alpha, const T* a, int lda, T* b, int ldb) {
  const bool is_valid = is_matrix(a, t.order(), t.order(), lda) && is_matrix(b, t.m, t.n, ldb);
  return run(handle, is_valid, [=, alpha = *alpha] { t.solve(alpha, a, lda, b, ldb); });
}

template <class T>
cublasStatus_t trsm_batched(cublasHandle_t handle, const Triangles& t, const T* alpha, const T* const a[], int lda,
                            T* const b[], int ldb, int count) {
  const bool is_valid = is_matrix(a, t.order(), t.order(), lda) && is_matrix(b, t.m, t.n, ldb) && count >= 1;
  return run(handle, is_valid, [=, alpha = *alpha] {
    check_addresses(b, count);
    for (int i = 0; i < count; ++i) t.solve(alpha, a[i], lda, b[i], ldb);
  });
}

template <class T>
cublasStatus_t getrf_batched(cublasHandle_t handle, int n, T* const a[], int lda, int* pivots, int* info, int count) {
  const bool is_valid = is_matrix(a, n, n, lda) && pivots && info && count >= 1;
  return run(handle, is_valid, [=] {
    check_addresses(a, count);
    for (int i = 0; i < count; ++i) Lapack<T>::getrf(&n, &n, a[i], &lda, pivots + int64_t{i} * n, info + i);
  });
}

/// Swaps the rows of b as getrf did, or back.
template <class T>
void swap_rows(T* b, int ldb, int n, int nrhs, const int* pivots, bool back) {
  for (int step = 0; step < n; ++step) {
    const int i = back ? n - 1 - step : step, j = pivots[i] - 1;
    STRATA_CHECK(j >= 0 && j < n, "stand-in: getrsBatched is given pivot {}", j + 1);
    for (int64_t c = 0; c < nrhs; ++c) std::swap(b[i + c * ldb], b[j + c * ldb]);
  }
}

template <class T>
cublasStatus_t getrs_batched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const a[],
                             int lda, const int* pivots, T* const b[], int ldb, int* info, int count) {
  const bool is_valid = is_matrix(a, n, n, lda) && is_matrix(b, n, nrhs, ldb) && pivots && count >= 1;
  *info = 0;
  return run(handle, is_valid, [=] {
    check_addresses(b, count);
    const bool plain = trans == CUBLAS_OP_N;
    const Triangles l{CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, trans, CUBLAS_DIAG_UNIT, n, nrhs},
        u{CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, trans, CUBLAS_DIAG_NON_UNIT, n, nrhs};
    for (int i = 0; i < count; ++i) {
      const int* const swaps = pivots + int64_t{i} * n;
      if (plain) swap_rows(b[i], ldb, n, nrhs, swaps, false);
      (plain ? l : u).solve(T(1), a[i], lda, b[i], ldb);
      (plain ? u : l).solve(T(1), a[i], lda, b[i], ldb);
      if (!plain) swap_rows(b[i], ldb, n, nrhs, swaps, true);
    }
  });
}

template <class T>
cublasStatus_t geqrf_batched(cublasHandle_t handle, int m, int n, T* const a[], int lda, T* const tau[], int* info,
                             int count) {
  const bool is_valid = is_matrix(a, m, n, lda) && tau && count >= 1;
  *info = 0;
  return run(handle, is_valid, [=] {
    check_addresses(a, count);
    check_addresses(tau, count);
    const int size = 64 * n;
    std::vector<T> work(static_cast<size_t>(size));
    int code = 0;
    for (int i = 0; i < count; ++i) Lapack<T>::geqrf(&m, &n, a[i], &lda, tau[i], work.data(), &size, &code);
  });
}

}  // namespace

int64_t strata::test::calls = 0;
bool strata::test::refused = false;
int64_t strata::emulator::library_calls() { return test::calls; }
void strata::emulator::refuse_library_calls(bool refuse) { test::refused = refuse; }

const char* cublasGetStatusName(cublasStatus_t status) { return cublasLtGetStatusName(status); }
cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
/// Takes away the memory to work in, as the library's does.
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->set_stream(stream);
  handle->workspace = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes) {
  // The library takes more; all of it is written here with each call.
  handle->workspace = workspace, handle->bytes = std::min<size_t>(bytes, 4096);
  return reinterpret_cast<uintptr_t>(workspace) % 64 == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,
                           cublasDiagType_t diag, int m, int n, const float* alpha, const float* a, int lda, float* b,
                           int ldb) {
  return trsm(handle, {side, fill, trans, diag, m, n}, alpha, a, lda, b, ldb);
}
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t trans,
                           cublasDiagType_t diag, int m, int n, const double* alpha, const double* a, int lda,
                           double* b, int ldb) {
  return trsm(handle, {side, fill, trans, diag, m, n}, alpha, a, lda, b, ldb);
}
cublasStatus_t cublasStrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const float* alpha,
                                  const float* const a[], int lda, float* const b[], int ldb, int count) {
  return trsm_batched(handle, {side, fill, trans, diag, m, n}, alpha, a, lda, b, ldb, count);
}
cublasStatus_t cublasDtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                  cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const double* alpha,
                                  const double* const a[], int lda, double* const b[], int ldb, int count) {
  return trsm_batched(handle, {side, fill, trans, diag, m, n}, alpha, a, lda, b, ldb, count);
}
cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float* const a[], int lda, int* pivots, int* info,
                                   int count) {
  return getrf_batched(handle, n, a, lda, pivots, info, count);
}
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double* const a[], int lda, int* pivots, int* info,
                                   int count) {
  return getrf_batched(handle, n, a, lda, pivots, info, count);
}
cublasStatus_t cublasSgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                   const float* const a[], int lda, const int* pivots, float* const b[], int ldb,
                                   int* info, int count) {
  return getrs_batched(handle, trans, n, nrhs, a, lda, pivots, b, ldb, info, count);
}
cublasStatus_t cublasDgetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                                   const double* const a[], int lda, const int* pivots, double* const b[], int ldb,
                                   int* info, int count) {
  return getrs_batched(handle, trans, n, nrhs, a, lda, pivots, b, ldb, info, count);
}
cublasStatus_t cublasSgeqrfBatched(cublasHandle_t handle, int m, int n, float* const a[], int lda, float* const tau[],
                                   int* info, int count) {
  return geqrf_batched(handle, m, n, a, lda, tau, info, count);
}
cublasStatus_t cublasDgeqrfBatched(cublasHandle_t handle, int m, int n, double* const a[], int lda, double* const tau[],
                                   int* info, int count) {
  return geqrf_batched(handle, m, n, a, lda, tau, info, count);
}
