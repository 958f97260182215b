// CUDA kernels that solve with triangles and with LU factors, by cuBLAS.
#include "dispatcher/kernel.h"
#include "kernels/cuda/linalg/factor_batch.h"
#include "kernels/cuda/linalg/factor_library.h"
#include "kernels/cuda/linalg/factor_pivots.h"
#include "kernels/cuda/matmul/matmul.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// A triangular matrix where it lies. cuBLAS knows columns only: right hand sides and results are row-major, so it sees
/// their transposes, and it is asked to solve with the transpose of A from the other side.
struct Triangle {
  Triangle(const Tensor& a, bool upper, bool unit) : matrices(a), diag(unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT) {
    const IntArrayRef strides = a.strides();
    const int64_t n = a.sizes().back();
    auto layout = matmul::layout_of({nullptr, strides[strides.size() - 2], strides.back()}, n, n);
    if (!layout) matrices = row_major(a), layout = matmul::Layout{false, n};
    in_columns = layout->transposed, ld = layout->ld;
    fill = upper == in_columns ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  }
  /// How memory becomes the transpose of A, or A.
  cublasOperation_t operation(bool adjoint) const { return in_columns == adjoint ? CUBLAS_OP_N : CUBLAS_OP_T; }
  /// The place of matrix i of the batch.
  template <class T>
  const T* at(int64_t i) const {
    int64_t offset = 0;
    for (auto d = static_cast<size_t>(matrices.dim()) - 2; d-- > 0; i /= matrices.sizes()[d])
      offset += i % matrices.sizes()[d] * matrices.strides()[d];
    return matrices.data_ptr<T>() + offset;
  }

  Tensor matrices;
  cublasDiagType_t diag;
  bool in_columns;
  int64_t ld;
  cublasFillMode_t fill;
};

/// Few large matrices are solved with one after the other, as in PyTorch
/// (ATen/native/cuda/linalg/BatchLinearAlgebra.cpp, triangular_solve_kernel).
bool one_by_one(const Batch& triangles) {
  return triangles.count == 1 || (triangles.count <= 8 && triangles.rows >= 64);
}

/// Puts the solution of A X = x (left) or X A = x into x, which is row-major; of A's transpose if adjoint.
template <class T>
void solve_in_place(std::string_view op, const Tensor& x, const Triangle& a, bool left, bool adjoint) {
  const Batch b = batch_of(x);
  const cublasSideMode_t side = left ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
  const int m = library_int(op, b.cols), n = library_int(op, b.rows), ld = library_int(op, a.ld);
  const T one = 1;
  if (one_by_one(batch_of(a.matrices))) {
    Blas blas(op, x);
    for (int64_t i = 0; i < b.count; ++i) {
      blas.call("trsm", by_type<T>(cublasStrsm, cublasDtrsm), side, a.fill, a.operation(adjoint), a.diag, m, n, &one,
                a.at<T>(i), ld, matrix_at<T>(x, i, b.elements()), m);
    }
    return;
  }
  const Addresses triangles(op, a.matrices), solutions(op, x);
  Blas blas(op, x);
  for_pieces(b.count, [&](int64_t first, int some) {
    blas.call("trsmBatched", by_type<T>(cublasStrsmBatched, cublasDtrsmBatched), side, a.fill, a.operation(adjoint),
              a.diag, m, n, &one, triangles.as<T>() + first, ld, solutions.as<T>() + first, m, some);
  });
}

void triangular_solve_cuda(Tensors& out, Args in, const TriangularParams& p) {
  if (out[0].numel() == 0) return;
  const std::string_view op = triangular_solve_op.name();
  const Triangle a(in[0], p.upper, p.unitriangular);
  write_row_major(out[0], [&](const Tensor& x) {
    copy_strided(x, in[1]);
    visit_real(op, x.dtype(), [&]<class T>() { solve_in_place<T>(op, x, a, p.left, false); });
  });
}

/// Is one function of cuBLAS faster for `k` right hand sides than two triangles? After PyTorch's measurements
/// (ATen/native/cuda/linalg/BatchLinearAlgebra.cpp, lu_solve_kernel).
bool takes_factors_at_once(int64_t n, int64_t k) {
  if (n == k) return n <= 16;
  return n <= 8 || (n <= 64 && k <= 8) || (n <= 128 && k <= 2);
}

struct Factored {
  Tensor lu, pivots;
  bool left, adjoint;
  /// As the transpose of X is what is solved for from the right, it is A's transpose that is solved with there.
  bool transposes() const { return adjoint == left; }
};

template <class T>
void solve_at_once(const Tensor& out, const Tensor& right_hand_sides, const Factored& a) {
  const std::string_view op = solve_op.name();
  const Batch b = batch_of(a.lu);
  const int n = library_int(op, b.rows), k = library_int(op, out.numel() / (b.count * b.rows));
  const Tensor lu = empty_columns(a.lu, n, n), pivots = checked_pivots(op, a.pivots, n);
  const Tensor x = a.left ? empty_columns(out, n, k) : empty_batch(out, {k, n}, out.dtype());
  copy_strided(lu, a.lu);
  copy_strided(x, right_hand_sides);
  const Addresses factors(op, lu), solutions(op, x);
  {
    Blas blas(op, x);
    int wrong_argument = 0;
    for_pieces(b.count, [&](int64_t first, int some) {
      blas.call("getrsBatched", by_type<T>(cublasSgetrsBatched, cublasDgetrsBatched),
                a.transposes() ? CUBLAS_OP_T : CUBLAS_OP_N, n, k, factors.as<T>() + first, n,
                pivots.data_ptr<int>() + first * n, solutions.as<T>() + first, n, &wrong_argument, some);
    });
  }
  copy_strided(out, x);
}

template <class T>
void solve_by_triangles(const Tensor& out, const Tensor& right_hand_sides, const Factored& a) {
  const std::string_view op = solve_op.name();
  const Triangle lower(a.lu, false, true), upper(a.lu, true, false);
  const Tensor permutation = permutation_of(op, a.pivots, batch_of(a.lu).rows);
  const auto solve = [&](const Tensor& x, const Triangle& first, const Triangle& second) {
    solve_in_place<T>(op, x, first, a.left, a.adjoint);
    solve_in_place<T>(op, x, second, a.left, a.adjoint);
  };
  write_row_major(out, [&](const Tensor& x) {
    if (!a.transposes()) {
      permute(op, x, row_major(right_hand_sides), permutation, a.left, false);
      return solve(x, lower, upper);
    }
    const Tensor y = empty_on_device(x.sizes(), x.dtype(), x.device());
    copy_strided(y, right_hand_sides);
    solve(y, upper, lower);
    permute(op, x, y, permutation, a.left, true);
  });
}

void solve_cuda(Tensors& out, Args in, const SolveParams& p) {
  if (out[0].numel() == 0) return;
  const Factored a{in[2], in[3], p.left, p.adjoint};
  const Batch x = batch_of(out[0]);
  const bool at_once = p.left ? takes_factors_at_once(x.rows, x.cols) : takes_factors_at_once(x.cols, x.rows);
  visit_real(solve_op.name(), out[0].dtype(), [&]<class T>() {
    at_once ? solve_at_once<T>(out[0], in[1], a) : solve_by_triangles<T>(out[0], in[1], a);
  });
}

STRATA_KERNEL(triangular_solve_op, CUDA, triangular_solve_cuda);
STRATA_KERNEL(solve_op, CUDA, solve_cuda);

}  // namespace
}  // namespace strata::cuda::linalg
