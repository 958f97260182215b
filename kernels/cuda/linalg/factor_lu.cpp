// The CUDA kernel of LU factors, by cuSOLVER and cuBLAS.
#include "dispatcher/kernel.h"
#include "kernels/cuda/linalg/factor_batch.h"
#include "kernels/cuda/linalg/factor_library.h"
#include "kernels/cuda/linalg/factor_pivots.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// Square matrices from here on are factored one after the other, as in PyTorch
/// (ATen/native/cuda/linalg/BatchLinearAlgebra.cpp, lu_factor).
constexpr int64_t kLargeMatrix = 512;

/// All matrices by one call of cuBLAS, which is best for many small ones.
template <class T>
void lu_batch(const Tensor& a, const Tensor& pivots, const Tensor& info) {
  const Batch b = batch_of(a);
  const Addresses matrices(lu_factor_op.name(), a);
  const int n = library_int(lu_factor_op.name(), b.rows);
  Blas blas(lu_factor_op.name(), a);
  for_pieces(b.count, [&](int64_t first, int some) {
    blas.call("getrfBatched", by_type<T>(cublasSgetrfBatched, cublasDgetrfBatched), n, matrices.as<T>() + first, n,
              pivots.data_ptr<int>() + first * n, info.data_ptr<int>() + first, some);
  });
}

/// One matrix after the other by cuSOLVER, which is best for big ones.
template <class T>
void lu_each(const Tensor& a, const Tensor& pivots, const Tensor& info) {
  const Batch b = batch_of(a);
  const int64_t k = std::min(b.rows, b.cols);
  const Tensor wide_pivots = empty_batch(a, {k}, kLong);
  Solver solver(lu_factor_op.name(), a);
  size_t on_device = 0, on_host = 0;
  solver.call64("Xgetrf_bufferSize", cusolverDnXgetrf_bufferSize, b.rows, b.cols, kDataType<T>, a.bytes(), b.rows,
                kDataType<T>, &on_device, &on_host);
  const Buffers work(on_device, on_host, a.device());
  for (int64_t i = 0; i < b.count; ++i) {
    solver.call64("Xgetrf", cusolverDnXgetrf, b.rows, b.cols, kDataType<T>, matrix_at<T>(a, i, b.elements()), b.rows,
                  wide_pivots.data_ptr<int64_t>() + i * k, kDataType<T>, work.device.bytes(), work.device_bytes,
                  work.host.get(), work.host_bytes, info.data_ptr<int>() + i);
  }
  narrow_pivots(lu_factor_op.name(), pivots, wide_pivots);
}

void factor_lu(const Tensor& a, const Tensor& pivots, const Tensor& info) {
  const Batch b = batch_of(a);
  const bool at_once = b.count > 1 && b.rows == b.cols && b.rows < kLargeMatrix;
  visit_real(lu_factor_op.name(), a.dtype(),
             [&]<class T>() { at_once ? lu_batch<T>(a, pivots, info) : lu_each<T>(a, pivots, info); });
}

void lu_factor_cuda(Tensors& out, Args in, const NoParams&) {
  if (in[0].numel() == 0) return fill_strided(out[2], 0);
  const Batch b = batch_of(in[0]);
  const Tensor a = empty_columns(in[0], b.rows, b.cols);
  copy_strided(a, in[0]);
  write_row_major(out[1], [&](const Tensor& pivots) {
    write_row_major(out[2], [&](const Tensor& info) { factor_lu(a, pivots, info); });
  });
  copy_strided(out[0], a);
}

STRATA_KERNEL(lu_factor_op, CUDA, lu_factor_cuda);

}  // namespace
}  // namespace strata::cuda::linalg
