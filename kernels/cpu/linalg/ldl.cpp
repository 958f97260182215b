// CPU kernels of the factors L D L^T and of solving with them, by LAPACK.
#include "ops/ldl_def.h"

#include "dispatcher/kernel.h"
#include "kernels/cpu/linalg/factor.h"

namespace strata::cpu::linalg {
namespace {

template <class T>
blasint ldl_columns(T* columns, blasint n, blasint* pivots, bool hermitian) {
  const auto routine = hermitian ? Lapack<T>::hetrf : Lapack<T>::sytrf;
  const blasint query = -1;
  blasint info = 0;
  T wanted{};
  routine("L", &n, columns, &n, pivots, &wanted, &query, &info, 1);
  const blasint length = work_size(wanted);
  Scratch<T> scratch;
  routine("L", &n, columns, &n, pivots, scratch.make(1, length).data, &length, &info, 1);
  return accepted(info);
}

template <class T>
void ldl_factor(Tensors& out, const Tensor& a, bool hermitian) {
  const Stack<T> from(a, 2), to(out[0], 2);
  const Stack<int32_t> swaps(out[1], 1), codes(out[2], 0);
  const int64_t n = from.size(0);
  const double work = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / 3;
  for_matrices(from.count(), work, [&](int64_t begin, int64_t end) {
    Scratch<T> scratch;
    Scratch<blasint> pivot_scratch;
    const Matrix<T> columns = scratch.make(n, n);  // row j is column j of the matrix, as LAPACK reads it
    blasint* const pivots = pivot_scratch.make(1, n).data;
    for (int64_t i = begin; i < end; ++i) {
      copy_elements(columns, transposed(from.matrix(i)), n, n);
      *codes.at(i) = n == 0 ? 0 : ldl_columns(columns.data, to_blas(n), pivots, hermitian);
      for (int64_t j = 0; j < n; ++j) {
        std::fill_n(columns.data + j * columns.row, j, T(0));
        swaps.at(i)[j * swaps.stride(0)] = pivots[j];
      }
      copy_elements(transposed(to.matrix(i)), columns, n, n);
    }
  });
}

/// LAPACK takes any number for a row, and a negative one for the first of two.
void check_pivots(const blasint* pivots, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    STRATA_CHECK_INDEX(pivots[i] != 0 && std::abs(pivots[i]) <= n,
                       "linalg.ldl_solve: pivot {} at {} is out of range for {} rows", pivots[i], i, n);
    if (pivots[i] > 0) continue;
    STRATA_CHECK_INDEX(i + 1 < n && pivots[i + 1] < 0 && pivots[i + 1] >= -n,
                       "linalg.ldl_solve: pivot {} at {} is of a block of two, but no other follows", pivots[i], i);
    ++i;
  }
}

template <class T>
void ldl_solve(const Tensor& x, Args in, bool hermitian) {
  const auto routine = hermitian ? Lapack<T>::hetrs : Lapack<T>::sytrs;
  const Stack<T> factors(in[0], 2), right(in[2], 2), to(x, 2);
  const Stack<int32_t> swaps(in[1], 1);
  const int64_t n = right.size(0), k = right.size(1);
  if (n == 0 || k == 0) return;
  const double work = 2 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(k);
  for_matrices(right.count(), work, [&](int64_t begin, int64_t end) {
    Scratch<T> factor_scratch, right_scratch;
    Scratch<blasint> pivot_scratch;
    const Matrix<T> ld = factor_scratch.make(n, n), columns = right_scratch.make(k, n);
    blasint* const pivots = pivot_scratch.make(1, n).data;
    const blasint side = to_blas(n), count = to_blas(k);
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t j = 0; j < n; ++j) pivots[j] = swaps.at(i)[j * swaps.stride(0)];
      check_pivots(pivots, n);
      copy_elements(ld, transposed(factors.matrix(i)), n, n);
      copy_elements(columns, transposed(right.matrix(i)), k, n);
      blasint info = 0;
      routine("L", &side, &count, ld.data, &side, pivots, columns.data, &side, &info, 1);
      accepted(info);
      copy_elements(transposed(to.matrix(i)), columns, k, n);
    }
  });
}

void ldl_factor_cpu(Tensors& out, Args in, const LdlParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { ldl_factor<T>(out, in[0], p.hermitian); });
}
void ldl_solve_cpu(Tensors& out, Args in, const LdlParams& p) {
  visit_factored(in[0].dtype(), [&]<class T>() { ldl_solve<T>(out[0], in, p.hermitian); });
}

STRATA_KERNEL(ldl_factor_op, CPU, ldl_factor_cpu);
STRATA_KERNEL(ldl_solve_op, CPU, ldl_solve_cpu);

}  // namespace
}  // namespace strata::cpu::linalg
