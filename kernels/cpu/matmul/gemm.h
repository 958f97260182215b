// Matrix products on raw strided memory: the engine under mm, bmm, linear and everything that lowers to a product.
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/complex.h"
#include "core/half.h"
#include "kernels/cpu/common/loop.h"

namespace strata::cpu::matmul {

/// A strided matrix view: element (i, j) is data[i * row + j * col].
template <class T>
struct Matrix {
  T* data = nullptr;
  int64_t row = 0, col = 0;
};
/// The same from element (i, j) on; nothing stays nothing.
template <class T>
Matrix<T> moved(Matrix<T> x, int64_t i, int64_t j) {
  if (x.data) x.data += i * x.row + j * x.col;
  return x;
}

/// The type products of T are accumulated and scaled in.
template <class T>
using GemmScalar = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

/// One product out(m, n) = alpha * a(m, k) b(k, n) + beta * init(m, n); a null init means beta is 0, and then `out` is
/// never read. `init` may be `out` itself (accumulate) or any other matrix, for example a bias row with strides (0, 1).
template <class T>
struct Gemm {
  int64_t m = 0, n = 0, k = 0;
  Matrix<const T> a, b, init;
  Matrix<T> out;
  GemmScalar<T> alpha = 1, beta = 1;
  /// A function of one input over GemmScalar<T> that runs on each tile of out while that is in the caches.
  Loop activation = nullptr;
  /// Where its results go; without data they replace the sums in out, before those are rounded to 16 bits.
  Matrix<T> activated = {};
};

/// One batch dimension: how many products, and how far each operand moves between them (in elements, 0 to share it).
struct GemmBatch {
  int64_t size, a, b, init, out, activated = 0;
};

/// Computes `first` for every point of the batch space `dims` (none: one product). Any strides are taken without a copy
/// of the whole operand; the result is the same bits for any number of threads, as tiles and library calls depend on
/// the shapes only. T is any element type but bool; integers wrap, 16-bit floats are computed in float.
template <class T>
void gemm(const Gemm<T>& first, std::span<const GemmBatch> dims = {});

}  // namespace strata::cpu::matmul
