// Matrix products on strided device memory: what the ops of linalg call, and whatever else lowers to a product.
#pragma once
#include <cublasLt.h>

#include <optional>
#include <string_view>

#include "core/device.h"
#include "core/dtype.h"
#include "core/scalar.h"

namespace strata::cuda::matmul {

/// Element (i, j) of matrix number p is at p * batch + i * row + j * col, counted in elements; a batch of 0 shares one
/// matrix.
struct Matrix {
  char* data = nullptr;
  int64_t row = 0, col = 0, batch = 0;
};

/// `batches` products out(m, n) = epilogue(alpha * a(m, k) b(k, n) + beta * init(m, n)). Where init has no data, beta
/// is taken for 0 and out is not read; init may be out. An epilogue of cuBLASLt reads or writes a row `bias` (n) (for
/// BGRADB (m), a's sums over k) and a matrix `aux` whose rows are `aux_row` apart: the values before GELU, or a bit for
/// each that RELU let through.
struct Gemm {
  std::string_view op;  ///< that errors name
  DType dtype = kFloat;
  DeviceIndex device = 0;
  int64_t m = 0, n = 0, k = 0, batches = 1;
  Matrix a, b, init, out;
  Scalar alpha = 1, beta = 1;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  void* aux = nullptr;
  int64_t aux_row = 0;
};

/// How the libraries take a matrix: its rows one after the other or, transposed, its columns; `ld` elements apart.
struct Layout {
  bool transposed = false;
  int64_t ld = 1;
};
/// Nothing where neither rows nor columns have their elements side by side.
std::optional<Layout> layout_of(const Matrix& x, int64_t rows, int64_t cols);

/// Runs p on the current stream of its device, which is the runtime's current one; any dtype but bool. The same bits in
/// every run: an algorithm is chosen by shapes, layouts and alignments alone, and none of them adds in changing order.
void gemm(const Gemm& p);
/// By cuBLASLt; false, with nothing done, where it does not take the dtype, a layout or the epilogue. k is not 0.
bool gemm_by_library(const Gemm& p);
/// By a kernel of our own that takes any strides and all dtypes but bool; without epilogue.
void gemm_plain(const Gemm& p);

}  // namespace strata::cuda::matmul
