// What the normalisation kernels share: the raw arrays of a call, and which kernels take which shapes.
#pragma once
#include "core/tensor.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::norm {

/// x `(A, C, S)`, whose slices over dims 0 and 2 are normalised.
struct Slices {
  int64_t a, c, s;
  explicit Slices(const Tensor& x) : a(x.size(0)), c(x.size(1)), s(x.size(2)) {}
  __device__ int64_t at(int64_t i, int64_t slice) const { return (i * c + slice) * s; }
};

/// Statistics, weight and bias are kept in the type that is computed in. `w` and `b` may be null; with `per_element`
/// they run along S, else along C.
template <class T>
struct Normalize {
  using C = arithmetic::Compute<T>;
  const T* x;
  const C *w, *b;
  T* y;
  C *mean, *var;
  C eps;
  bool per_element;
};
template <class T>
struct Gradients {
  using C = arithmetic::Compute<T>;
  const T *g, *x;
  const C *mean, *rstd, *w;
  T* gx;
  C *gw, *gb;
  bool per_element;
};

/// Two sums that are taken together.
template <class C>
struct Pair {
  C first, second;
};
struct AddPairs {
  template <class C>
  __device__ Pair<C> operator()(const Pair<C>& a, const Pair<C>& b) const {
    return {a.first + b.first, a.second + b.second};
  }
};

/// Do rows, and vectors along them, consist of whole packs?
template <class T>
bool is_wide(int64_t length, std::initializer_list<const void*> data) {
  constexpr int64_t kWidth = 16 / sizeof(T);
  for (const void* p : data)
    if (!is_aligned(p, 16)) return false;
  return length % kWidth == 0;
}

/// Most elements of a slice (A = 1) that the forward and the backward kernel hold in registers.
template <class T>
inline constexpr int kMostOfRow = sizeof(T) == 8 ? 16 : 32;
template <class T>
inline constexpr int kMostOfGradientRow = sizeof(T) == 8 ? 2 : 8;

// Of rows (A = 1) in registers; false where they are too long.
template <class T>
bool normalize_rows(const Tensor& x, const Normalize<T>& t);
template <class T>
bool normalize_rows_backward(const Tensor& x, const Gradients<T>& t);
// Slices of any shape, read from memory more than once.
template <class T>
void normalize_slices(const Tensor& x, const Normalize<T>& t);
template <class T>
void normalize_slices_backward(const Tensor& x, const Gradients<T>& t);

/// The sum of each column of a matrix (parts, 2 s), in the order of its rows; the first s go to gw, the others to gb.
template <class C>
void sum_parts(const Tensor& parts, C* gw, C* gb);
/// Parts that such sums over rows are cut into at most; a multiple of an H100's multiprocessors.
inline constexpr int64_t kMostParts = 264;

inline constexpr const char* kNormalize = "normalize";
inline constexpr const char* kNormalizeBackward = "normalize_backward";

}  // namespace strata::cuda::norm
