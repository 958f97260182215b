// CUDA kernels of eigenvalues and eigenvectors of symmetric matrices, by cuSOLVER.
#include "dispatcher/kernel.h"
#include "kernels/cuda/linalg/factor_batch.h"
#include "kernels/cuda/linalg/factor_library.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// Matrices whose memory receives the eigenvectors, in rows.
struct EighProblem {
  std::string_view op;
  cusolverEigMode_t mode;
  cublasFillMode_t fill;
  int64_t n, count;
  Tensor matrices, values, info;
  Device device() const { return matrices.device(); }
};

/// Jacobi's method with the library's tolerance, which is the machine's, and its number of sweeps. It sorts.
using EighJacobi = Settings<syevjInfo_t, cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo>;

/// Small ones all at once.
template <class T>
void eigh_jacobi_batch(Solver& solver, const EighProblem& p) {
  const EighJacobi settings(solver);
  const int n = library_int(p.op, p.n);
  for_pieces(p.count, [&](int64_t first, int some) {
    T* const matrices = matrix_at<T>(p.matrices, first, p.n * p.n);
    T* const values = matrix_at<T>(p.values, first, p.n);
    int size = 0;
    solver.call("syevjBatched_bufferSize",
                by_type<T>(cusolverDnSsyevjBatched_bufferSize, cusolverDnDsyevjBatched_bufferSize), p.mode, p.fill, n,
                matrices, n, values, &size, settings, some);
    const Workspace<T> work(size, p.device());
    solver.call("syevjBatched", by_type<T>(cusolverDnSsyevjBatched, cusolverDnDsyevjBatched), p.mode, p.fill, n,
                matrices, n, values, work.data(), work.size, p.info.data_ptr<int>() + first, settings, some);
  });
}

template <class T>
void eigh_jacobi_each(Solver& solver, const EighProblem& p) {
  const EighJacobi settings(solver);
  const int n = library_int(p.op, p.n);
  int size = 0;
  solver.call("syevj_bufferSize", by_type<T>(cusolverDnSsyevj_bufferSize, cusolverDnDsyevj_bufferSize), p.mode, p.fill,
              n, p.matrices.data_ptr<T>(), n, p.values.data_ptr<T>(), &size, settings);
  const Workspace<T> work(size, p.device());
  for (int64_t i = 0; i < p.count; ++i) {
    solver.call("syevj", by_type<T>(cusolverDnSsyevj, cusolverDnDsyevj), p.mode, p.fill, n,
                matrix_at<T>(p.matrices, i, p.n * p.n), n, matrix_at<T>(p.values, i, p.n), work.data(), work.size,
                p.info.data_ptr<int>() + i, settings);
  }
}

/// One matrix after the other by divide and conquer (cusolverDnXsyevd).
template <class T>
void divide_each(Solver& solver, const EighProblem& p) {
  size_t on_device = 0, on_host = 0;
  solver.call64("Xsyevd_bufferSize", cusolverDnXsyevd_bufferSize, p.mode, p.fill, p.n, kDataType<T>, p.matrices.bytes(),
                p.n, kDataType<T>, p.values.bytes(), kDataType<T>, &on_device, &on_host);
  const Buffers work(on_device, on_host, p.device());
  for (int64_t i = 0; i < p.count; ++i) {
    solver.call64("Xsyevd", cusolverDnXsyevd, p.mode, p.fill, p.n, kDataType<T>, matrix_at<T>(p.matrices, i, p.n * p.n),
                  p.n, kDataType<T>, matrix_at<T>(p.values, i, p.n), kDataType<T>, work.device.bytes(),
                  work.device_bytes, work.host.get(), work.host_bytes, p.info.data_ptr<int>() + i);
  }
}

/// Which way, as PyTorch chooses (ATen/native/cuda/linalg/BatchLinearAlgebraLib.cpp, linalg_eigh_cusolver).
template <class T>
void solve(const EighProblem& p) {
  Solver solver(p.op, p.matrices);
  if (p.count > 1 && p.n <= 32) return eigh_jacobi_batch<T>(solver, p);
  const bool jacobi = std::is_same_v<T, float> && p.n >= 32 && p.n <= 512;
  jacobi ? eigh_jacobi_each<T>(solver, p) : divide_each<T>(solver, p);
}

/// `vectors` may be undefined. Symmetric memory has no order: its lower triangle is the library's upper one.
void eigen(std::string_view op, const Tensor& a, bool upper, const Tensor& values, const Tensor& vectors) {
  if (a.numel() == 0) return;
  const Batch b = batch_of(a);
  const Tensor memory = empty_batch(a, {b.rows, b.rows}, a.dtype());
  copy_strided(memory, a);
  const Tensor bad = take_out_bad(op, memory, upper ? MatrixPart::kUpper : MatrixPart::kLower);
  const Tensor info = empty_batch(a, {}, kInt);
  write_row_major(values, [&](const Tensor& to) {
    const EighProblem p{op,
                        vectors.defined() ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR,
                        upper ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                        b.rows,
                        b.count,
                        memory,
                        to,
                        info};
    visit_real(op, a.dtype(), [&]<class T>() { solve<T>(p); });
    spoil(op, to, bad, info);
  });
  if (!vectors.defined()) return;
  spoil(op, memory, bad, info);
  copy_strided(vectors, transposed(memory));
}

void eigh_cuda(Tensors& out, Args in, const EighParams& p) { eigen(eigh_op.name(), in[0], p.upper, out[0], out[1]); }
void eigvalsh_cuda(Tensors& out, Args in, const EighParams& p) {
  eigen(eigvalsh_op.name(), in[0], p.upper, out[0], Tensor());
}

STRATA_KERNEL(eigh_op, CUDA, eigh_cuda);
STRATA_KERNEL(eigvalsh_op, CUDA, eigvalsh_cuda);

}  // namespace
}  // namespace strata::cuda::linalg
