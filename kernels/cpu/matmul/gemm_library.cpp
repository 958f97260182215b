// Products of one tile by oneDNN (float) and OpenBLAS (the others).
#include "kernels/cpu/matmul/gemm_library.h"

#include <cblas.h>
#include <dnnl.h>

#include <climits>
#include <optional>

#include "core/error.h"
#include "kernels/cpu/common/one_thread.h"
#include "kernels/cpu/common/onednn_end.h"
#include "kernels/cpu/matmul/gemm_copy.h"
#include "kernels/cpu/matmul/scratch.h"

namespace strata::cpu::matmul {
namespace {

// A row-major (or, transposed, column-major) operand as BLAS takes it.
struct Layout {
  bool transposed;
  int64_t ld;
};

template <class T>
std::optional<Layout> blas_layout(Matrix<T> x, int64_t rows, int64_t cols) {
  if ((x.col == 1 || cols == 1) && (rows == 1 || (x.row >= cols && x.row <= INT_MAX)))
    return Layout{false, rows == 1 ? cols : x.row};
  if ((x.row == 1 || rows == 1) && (cols == 1 || (x.col >= rows && x.col <= INT_MAX)))
    return Layout{true, cols == 1 ? rows : x.col};
  return std::nullopt;
}

// By OpenBLAS.
template <class T>
void blas_call(const Gemm<T>& p, Layout a, Layout b, T beta) {
  constexpr bool kIsFloat = std::is_same_v<T, float>;
  const auto by_vector = [] {
    if constexpr (kIsFloat)
      return &cblas_sgemv;
    else
      return &cblas_dgemv;
  }();
  const auto by_matrix = [] {
    if constexpr (kIsFloat)
      return &cblas_sgemm;
    else
      return &cblas_dgemm;
  }();
  const auto trans = [](bool t) { return t ? CblasTrans : CblasNoTrans; };
  const auto i32 = [](int64_t v) { return static_cast<blasint>(v); };
  if (p.n == 1 && p.k > 1) {
    const int64_t rows = a.transposed ? p.k : p.m, cols = a.transposed ? p.m : p.k;
    return by_vector(CblasRowMajor, trans(a.transposed), i32(rows), i32(cols), p.alpha, p.a.data, i32(a.ld), p.b.data,
                     b.transposed ? 1 : i32(b.ld), beta, p.out.data, i32(p.m == 1 ? 1 : p.out.row));
  }
  if (p.m == 1 && p.k > 1) {
    const int64_t rows = b.transposed ? p.n : p.k, cols = b.transposed ? p.k : p.n;
    return by_vector(CblasRowMajor, trans(!b.transposed), i32(rows), i32(cols), p.alpha, p.b.data, i32(b.ld), p.a.data,
                     a.transposed ? i32(a.ld) : 1, beta, p.out.data, 1);
  }
  by_matrix(CblasRowMajor, trans(a.transposed), trans(b.transposed), i32(p.m), i32(p.n), i32(p.k), p.alpha, p.a.data,
            i32(a.ld), p.b.data, i32(b.ld), beta, p.out.data, i32(p.m == 1 ? p.n : p.out.row));
}

void library_call(const Gemm<float>& p, Layout a, Layout b, float beta) {
  if (onednn_is_gone()) return blas_call(p, a, b, beta);
  const dnnl_status_t status = dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', p.m, p.n, p.k, p.alpha,
                                          p.a.data, a.ld, p.b.data, b.ld, beta, p.out.data, p.m == 1 ? p.n : p.out.row);
  STRATA_CHECK(status == dnnl_success, "matrix product: oneDNN failed with status {}", static_cast<int>(status));
  // Here, since oneDNN makes all of its kernels in the first call.
  [[maybe_unused]] static const bool watched = watch_for_the_end_of_onednn();
}

void library_call(const Gemm<double>& p, Layout a, Layout b, double beta) { blas_call(p, a, b, beta); }

template <class T>
void library_call(const Gemm<Complex<T>>& p, Layout a, Layout b, Complex<T> beta) {
  const auto trans = [](bool t) { return t ? CblasTrans : CblasNoTrans; };
  const auto i32 = [](int64_t v) { return static_cast<blasint>(v); };
  const auto multiply = std::is_same_v<T, float> ? &cblas_cgemm : &cblas_zgemm;
  multiply(CblasRowMajor, trans(a.transposed), trans(b.transposed), i32(p.m), i32(p.n), i32(p.k), &p.alpha, p.a.data,
           i32(a.ld), p.b.data, i32(b.ld), &beta, p.out.data, i32(p.m == 1 ? p.n : p.out.row));
}

}  // namespace

template <class T>
void library_product(Gemm<T> p) {
  Scratch<T> packed_a, packed_b;
  std::optional<Layout> a = blas_layout(p.a, p.m, p.k), b = blas_layout(p.b, p.k, p.n);
  if (!a) {
    const Matrix<T> copy = packed_a.make(p.m, p.k);
    copy_matrix(copy, p.a, p.m, p.k);
    p.a = {copy.data, copy.row, 1};
    a = Layout{false, p.k};
  }
  if (!b) {
    const Matrix<T> copy = packed_b.make(p.k, p.n);
    copy_matrix(copy, p.b, p.k, p.n);
    p.b = {copy.data, copy.row, 1};
    b = Layout{false, p.n};
  }
  if (p.init.data && p.init.data != p.out.data) copy_matrix(p.out, p.init, p.m, p.n);
  const OneThread one;
  library_call(p, *a, *b, p.init.data ? p.beta : T(0));
}

template void library_product(Gemm<float>);
template void library_product(Gemm<double>);
template void library_product(Gemm<Complex<float>>);
template void library_product(Gemm<Complex<double>>);

}  // namespace strata::cpu::matmul
