// CUDA kernels of singular values and vectors, by cuSOLVER, and of the pseudo-inverse that they give.
#include "dispatcher/kernel.h"
#include "kernels/cuda/linalg/factor_batch.h"
#include "kernels/cuda/linalg/factor_library.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// Sizes up to here the batched function takes.
constexpr int64_t kMostBatched = 32;
/// Sizes up to here go by Jacobi's method, which is faster there; larger ones by QR, as in JAX
/// (jax/_src/lax/linalg.py). PyTorch waits for the result and takes QR only where Jacobi's did not converge.
constexpr int64_t kMostJacobi = 1024;
/// PyTorch's number; the library's own is 100.
constexpr int kMostSweeps = 400;

/// A = P diag(values) Q^T of matrices with at least as many rows as columns, all in columns.
struct SvdProblem {
  std::string_view op;
  bool vectors, full;
  int64_t rows, cols, count;
  Tensor matrices, values, p, q, info;

  cusolverEigMode_t mode() const { return vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR; }
  int64_t p_cols() const { return batch_of(p).cols; }
  Device device() const { return matrices.device(); }
};

struct SvdJacobi : Settings<gesvdjInfo_t, cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo> {
  explicit SvdJacobi(Solver& solver) : Settings(solver) {
    solver.check(cusolverDnXgesvdjSetMaxSweeps(*this, kMostSweeps), "gesvdjSetMaxSweeps");
  }
};

/// Small ones all at once; this function makes P square.
template <class T>
void svd_jacobi_batch(Solver& solver, const SvdProblem& x) {
  const SvdJacobi settings(solver);
  const int m = library_int(x.op, x.rows), n = library_int(x.op, x.cols);
  for_pieces(x.count, [&](int64_t first, int some) {
    T* const a = matrix_at<T>(x.matrices, first, x.rows * x.cols);
    T* const s = matrix_at<T>(x.values, first, x.cols);
    T* const p = matrix_at<T>(x.p, first, x.rows * x.rows);
    T* const q = matrix_at<T>(x.q, first, x.cols * x.cols);
    int size = 0;
    solver.call("gesvdjBatched_bufferSize",
                by_type<T>(cusolverDnSgesvdjBatched_bufferSize, cusolverDnDgesvdjBatched_bufferSize), x.mode(), m, n, a,
                m, s, p, m, q, n, &size, settings, some);
    const Workspace<T> work(size, x.device());
    solver.call("gesvdjBatched", by_type<T>(cusolverDnSgesvdjBatched, cusolverDnDgesvdjBatched), x.mode(), m, n, a, m,
                s, p, m, q, n, work.data(), work.size, x.info.data_ptr<int>() + first, settings, some);
  });
}

template <class T>
void svd_jacobi_each(Solver& solver, const SvdProblem& x) {
  const SvdJacobi settings(solver);
  const int m = library_int(x.op, x.rows), n = library_int(x.op, x.cols), thin = x.full ? 0 : 1;
  int size = 0;
  solver.call("gesvdj_bufferSize", by_type<T>(cusolverDnSgesvdj_bufferSize, cusolverDnDgesvdj_bufferSize), x.mode(),
              thin, m, n, x.matrices.data_ptr<T>(), m, x.values.data_ptr<T>(), x.p.data_ptr<T>(), m, x.q.data_ptr<T>(),
              n, &size, settings);
  const Workspace<T> work(size, x.device());
  for (int64_t i = 0; i < x.count; ++i) {
    solver.call("gesvdj", by_type<T>(cusolverDnSgesvdj, cusolverDnDgesvdj), x.mode(), thin, m, n,
                matrix_at<T>(x.matrices, i, x.rows * x.cols), m, matrix_at<T>(x.values, i, x.cols),
                matrix_at<T>(x.p, i, x.rows * x.p_cols()), m, matrix_at<T>(x.q, i, x.cols * x.cols), n, work.data(),
                work.size, x.info.data_ptr<int>() + i, settings);
  }
}

/// By QR, which puts Q's transpose into its memory.
template <class T>
void qr_each(Solver& solver, const SvdProblem& x) {
  const signed char job = !x.vectors ? 'N' : x.full ? 'A' : 'S';
  constexpr cudaDataType type = kDataType<T>;
  const int64_t m = x.rows, n = x.cols;
  size_t on_device = 0, on_host = 0;
  solver.call64("Xgesvd_bufferSize", cusolverDnXgesvd_bufferSize, job, job, m, n, type, x.matrices.bytes(), m, type,
                x.values.bytes(), type, x.p.bytes(), m, type, x.q.bytes(), n, type, &on_device, &on_host);
  const Buffers work(on_device, on_host, x.device());
  for (int64_t i = 0; i < x.count; ++i) {
    solver.call64("Xgesvd", cusolverDnXgesvd, job, job, m, n, type, matrix_at<T>(x.matrices, i, m * n), m, type,
                  matrix_at<T>(x.values, i, n), type, matrix_at<T>(x.p, i, m * x.p_cols()), m, type,
                  matrix_at<T>(x.q, i, n * n), n, type, work.device.bytes(), work.device_bytes, work.host.get(),
                  work.host_bytes, x.info.data_ptr<int>() + i);
  }
}

bool goes_at_once(const SvdProblem& x) { return x.count > 1 && x.rows <= kMostBatched; }

template <class T>
void decompose(const SvdProblem& x) {
  Solver solver(x.op, x.matrices);
  if (goes_at_once(x)) return svd_jacobi_batch<T>(solver, x);
  x.rows <= kMostJacobi ? svd_jacobi_each<T>(solver, x) : qr_each<T>(solver, x);
}

/// The library wants memory for the vectors also where it makes none.
SvdProblem problem_of(std::string_view op, const Tensor& tall, const Tensor& values, bool vectors, bool full) {
  const Batch b = batch_of(tall);
  SvdProblem x{op, vectors, full, b.rows, b.cols, b.count, empty_columns(tall, b.rows, b.cols), values, {}, {}, {}};
  copy_strided(x.matrices, tall);
  x.p = empty_columns(tall, b.rows, full || goes_at_once(x) ? b.rows : b.cols);
  x.q = empty_columns(tall, b.cols, b.cols);
  x.info = empty_batch(tall, {}, kInt);
  return x;
}

/// U and Vh are undefined where only the values are wanted.
void decompose(std::string_view op, const Tensor& a, const Tensor& values, const Tensor& u, const Tensor& vh,
               bool full) {
  const Batch b = batch_of(a);
  const bool wide = b.rows < b.cols;  // then A^T = P diag(values) Q^T: U is Q and Vh is P^T
  write_row_major(values, [&](const Tensor& to) {
    const SvdProblem x = problem_of(op, wide ? transposed(a) : a, to, u.defined(), full);
    const Tensor bad = take_out_bad(op, transposed(x.matrices));
    visit_real(op, a.dtype(), [&]<class T>() { decompose<T>(x); });
    spoil(op, to, bad, x.info);
    if (!u.defined()) return;
    spoil(op, transposed(x.p), bad, x.info);
    spoil(op, transposed(x.q), bad, x.info);
    const bool is_transposed = !goes_at_once(x) && x.rows > kMostJacobi;
    const Tensor p = corner(x.p, x.rows, full ? x.rows : x.cols), q = is_transposed ? transposed(x.q) : x.q;
    copy_strided(u, wide ? q : p);
    copy_strided(vh, transposed(wide ? p : q));
  });
}

void svd_cuda(Tensors& out, Args in, const SvdParams& p) {
  if (in[0].numel() > 0) return decompose(svd_op.name(), in[0], out[1], out[0], out[2], p.full_matrices);
  fill_unit(out[0]);  // what has no singular values has unit vectors for singular vectors
  fill_unit(out[2]);
}
void svdvals_cuda(Tensors& out, Args in, const NoParams&) {
  if (in[0].numel() > 0) decompose(svdvals_op.name(), in[0], out[0], Tensor(), Tensor(), false);
}
void copy_made_cuda(Tensors& out, Args in, const NoParams&) { copy_strided(out[0], in[1]); }

STRATA_KERNEL(svd_op, CUDA, svd_cuda);
STRATA_KERNEL(svdvals_op, CUDA, svdvals_cuda);
STRATA_KERNEL(inverse_op, CUDA, copy_made_cuda);
STRATA_KERNEL(pinv_op, CUDA, copy_made_cuda);
STRATA_KERNEL(matrix_sqrth_op, CUDA, copy_made_cuda);

}  // namespace
}  // namespace strata::cuda::linalg
