// The CUDA kernel of QR factors, by cuSOLVER and cuBLAS.
#include "dispatcher/kernel.h"
#include "kernels/cuda/linalg/factor_batch.h"
#include "kernels/cuda/linalg/factor_library.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// What is factored: m x n matrices in memory of m x `stored`, column-major.
struct QrProblem {
  std::string_view op;
  int64_t m, n, stored, count;
  Tensor memory, tau;
  int64_t k() const { return std::min(m, n); }
};

/// All matrices by one call of cuBLAS, which is best for many small ones.
template <class T>
void reflect_batch(const QrProblem& p) {
  const Addresses matrices(p.op, p.memory), scales(p.op, p.tau);
  const int m = library_int(p.op, p.m), n = library_int(p.op, p.n);
  int wrong_argument = 0;
  Blas blas(p.op, p.memory);
  for_pieces(p.count, [&](int64_t first, int some) {
    blas.call("geqrfBatched", by_type<T>(cublasSgeqrfBatched, cublasDgeqrfBatched), m, n, matrices.as<T>() + first, m,
              scales.as<T>() + first, &wrong_argument, some);
  });
}

/// One matrix after the other by cuSOLVER, which is best for big ones.
template <class T>
void reflect_each(const QrProblem& p) {
  const Tensor info = empty_batch(p.memory, {}, kInt);  // for wrong arguments
  const auto tau = [&](int64_t i) { return matrix_at<T>(p.tau, i, p.k()); };
  const auto matrix = [&](int64_t i) { return matrix_at<T>(p.memory, i, p.m * p.stored); };
  Solver solver(p.op, p.memory);
  size_t on_device = 0, on_host = 0;
  solver.call64("Xgeqrf_bufferSize", cusolverDnXgeqrf_bufferSize, p.m, p.n, kDataType<T>, matrix(0), p.m, kDataType<T>,
                tau(0), kDataType<T>, &on_device, &on_host);
  const Buffers work(on_device, on_host, p.memory.device());
  for (int64_t i = 0; i < p.count; ++i) {
    solver.call64("Xgeqrf", cusolverDnXgeqrf, p.m, p.n, kDataType<T>, matrix(i), p.m, kDataType<T>, tau(i),
                  kDataType<T>, work.device.bytes(), work.device_bytes, work.host.get(), work.host_bytes,
                  info.data_ptr<int>() + i);
  }
}

/// Householder reflections below the diagonal and R on and above it; which way, as PyTorch chooses
/// (ATen/native/cuda/linalg/BatchLinearAlgebra.cpp, geqrf_kernel).
template <class T>
void reflect(const QrProblem& p) {
  const bool at_once = p.m <= 256 && p.count >= std::max<int64_t>(2, p.m / 16);
  at_once ? reflect_batch<T>(p) : reflect_each<T>(p);
}

/// The first `cols` columns of Q in place of the reflections.
template <class T>
void form_q(const QrProblem& p, int64_t cols) {
  const Tensor info = empty_batch(p.memory, {}, kInt);  // for wrong arguments
  const int m = library_int(p.op, p.m), n = library_int(p.op, cols), k = library_int(p.op, p.k());
  T* const tau = p.tau.data_ptr<T>();
  T* const memory = p.memory.data_ptr<T>();
  Solver solver(p.op, p.memory);
  int size = 0;
  solver.call("orgqr_bufferSize", by_type<T>(cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize), m, n, k, memory,
              m, tau, &size);
  const Workspace<T> work(size, p.memory.device());
  for (int64_t i = 0; i < p.count; ++i) {
    solver.call("orgqr", by_type<T>(cusolverDnSorgqr, cusolverDnDorgqr), m, n, k, memory + i * p.m * p.stored, m,
                tau + i * p.k(), work.data(), work.size, info.data_ptr<int>() + i);
  }
}

void qr_cuda(Tensors& out, Args in, const QrParams&) {
  const Tensor &q = out[0], &r = out[1];
  if (in[0].numel() == 0) return fill_unit(q);  // Q is square or empty, R is empty
  const Batch a = batch_of(in[0]), wanted = batch_of(q);
  QrProblem p{qr_op.name(), a.rows, a.cols, std::max(a.cols, wanted.cols), a.count, {}, {}};
  p.memory = empty_columns(in[0], p.m, p.stored);
  p.tau = empty_batch(in[0], {1, p.k()}, in[0].dtype());
  copy_strided(corner(p.memory, p.m, p.n), in[0]);
  visit_real(p.op, q.dtype(), [&]<class T>() {
    reflect<T>(p);
    write_row_major(r, [&](const Tensor& to) {
      copy_strided(to, corner(p.memory, batch_of(to).rows, p.n));
      keep_triangle(p.op, to, MatrixPart::kUpper);
    });
    form_q<T>(p, wanted.cols);
  });
  copy_strided(q, corner(p.memory, p.m, wanted.cols));
}

STRATA_KERNEL(qr_op, CUDA, qr_cuda);

}  // namespace
}  // namespace strata::cuda::linalg
