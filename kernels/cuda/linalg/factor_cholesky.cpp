// The CUDA kernel of Cholesky factors, by cuSOLVER.
#include "dispatcher/kernel.h"
#include "kernels/cuda/linalg/factor_batch.h"
#include "kernels/cuda/linalg/factor_library.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// One function call for a batch, as PyTorch does (ATen/native/cuda/linalg/BatchLinearAlgebraLib.cpp,
/// cholesky_helper_cusolver), which is free to write into the other triangle.
template <class T>
void cholesky_batch(Solver& solver, const Tensor& a, const Tensor& info, cublasFillMode_t fill) {
  const Batch b = batch_of(a);
  const Addresses matrices(cholesky_op.name(), a);
  const int n = library_int(cholesky_op.name(), b.rows);
  for_pieces(b.count, [&](int64_t first, int some) {
    solver.call("potrfBatched", by_type<T>(cusolverDnSpotrfBatched, cusolverDnDpotrfBatched), fill, n,
                matrices.as<T>() + first, n, info.data_ptr<int>() + first, some);
  });
}

template <class T>
void cholesky_one(Solver& solver, const Tensor& a, const Tensor& info, cublasFillMode_t fill) {
  const int64_t n = batch_of(a).rows;
  size_t on_device = 0, on_host = 0;
  solver.call64("Xpotrf_bufferSize", cusolverDnXpotrf_bufferSize, fill, n, kDataType<T>, a.bytes(), n, kDataType<T>,
                &on_device, &on_host);
  const Buffers work(on_device, on_host, a.device());
  solver.call64("Xpotrf", cusolverDnXpotrf, fill, n, kDataType<T>, a.bytes(), n, kDataType<T>, work.device.bytes(),
                work.device_bytes, work.host.get(), work.host_bytes, info.data_ptr<int>());
}

/// The columns that cuSOLVER sees are the rows, so its upper triangle is the lower one, and nothing is transposed.
void factor_cholesky(const Tensor& a, const Tensor& info, bool upper) {
  const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  Solver solver(cholesky_op.name(), a);
  visit_real(cholesky_op.name(), a.dtype(), [&]<class T>() {
    batch_of(a).count > 1 ? cholesky_batch<T>(solver, a, info, fill) : cholesky_one<T>(solver, a, info, fill);
  });
}

void cholesky_cuda(Tensors& out, Args in, const CholeskyParams& p) {
  if (in[0].numel() == 0) return fill_strided(out[1], 0);
  write_row_major(out[0], [&](const Tensor& l) {
    copy_strided(l, in[0]);
    write_row_major(out[1], [&](const Tensor& info) { factor_cholesky(l, info, p.upper); });
    keep_triangle(cholesky_op.name(), l, p.upper ? MatrixPart::kUpper : MatrixPart::kLower);
  });
}

STRATA_KERNEL(cholesky_op, CUDA, cholesky_cuda);

}  // namespace
}  // namespace strata::cuda::linalg
