// The product that needs no library: integers, empty sums, and layouts that cuBLASLt has no algorithm for.
#include "kernels/arithmetic.h"
#include "kernels/cuda/matmul/matmul.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::matmul {
namespace {

constexpr int kTile = 16;
static_assert(kTile * kTile == kThreads);

/// What products of T are added up in: integers wrap around.
template <class T, bool = std::is_integral_v<T>>
struct SumOf {
  using type = arithmetic::Wrapping<T>;
};
template <class T>
struct SumOf<T, false> {
  using type = arithmetic::Compute<T>;
};
template <class T>
using Sum = typename SumOf<T>::type;

/// Element (i, j) is data[i * row + j * col].
template <class T>
struct View {
  T* data;
  int64_t row, col, batch;
  __device__ T& at(int64_t i, int64_t j) const { return data[blockIdx.y * batch + i * row + j * col]; }
};
template <class T>
View<T> view(const Matrix& x) {
  return {reinterpret_cast<T*>(x.data), x.row, x.col, x.batch};
}

template <class T>
struct Plain {
  int64_t m, n, k, tiles_across;
  View<const T> a, b, init;
  View<T> out;
  Sum<T> alpha, beta;
};

/// Memory for a T: what is shared between threads must not have a constructor.
template <class T>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T)];
  __device__ T& value() { return *reinterpret_cast<T*>(bytes); }
};

/// The element if it is inside of the matrix, else 0.
template <class T>
__device__ Sum<T> load(const View<const T>& x, int64_t i, int64_t rows, int64_t j, int64_t cols) {
  return i < rows && j < cols ? static_cast<Sum<T>>(x.at(i, j)) : Sum<T>(0);
}

/// A block makes one tile of out, a thread one element of it.
template <class T>
__global__ void __launch_bounds__(kThreads) plain_kernel(Plain<T> p) {
  __shared__ Room<Sum<T>> a[kTile][kTile + 1];
  __shared__ Room<Sum<T>> b[kTile][kTile + 1];
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile;
  const int64_t i = blockIdx.x / p.tiles_across * kTile + y, j = blockIdx.x % p.tiles_across * kTile + x;
  Sum<T> sum = 0;
  for (int64_t first = 0; first < p.k; first += kTile) {
    a[y][x].value() = load(p.a, i, p.m, first + x, p.k);
    b[y][x].value() = load(p.b, first + y, p.k, j, p.n);
    __syncthreads();
    for (int q = 0; q < kTile; ++q) sum += a[y][q].value() * b[q][x].value();
    __syncthreads();
  }
  if (i >= p.m || j >= p.n) return;
  sum *= p.alpha;
  if (p.init.data) sum += p.beta * static_cast<Sum<T>>(p.init.at(i, j));
  p.out.at(i, j) = static_cast<T>(sum);
}

template <class T>
void launch_plain(const Gemm& p) {
  using Number = std::conditional_t<std::is_integral_v<T>, T, Sum<T>>;
  const int64_t down = (p.m + kTile - 1) / kTile, across = (p.n + kTile - 1) / kTile;
  const Plain<T> plain{p.m,
                       p.n,
                       p.k,
                       across,
                       view<const T>(p.a),
                       view<const T>(p.b),
                       view<const T>(p.init),
                       view<T>(p.out),
                       static_cast<Sum<T>>(p.alpha.to<Number>()),
                       static_cast<Sum<T>>(p.beta.to<Number>())};
  const dim3 blocks(static_cast<unsigned>(down * across), static_cast<unsigned>(p.batches));
  start(p.op, plain_kernel<T>, {blocks}, stream_of(p.device), plain);
}

}  // namespace

void gemm_plain(const Gemm& p) {
  visit_any_dtype(p.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) launch_plain<T>(p);
  });
}

}  // namespace strata::cuda::matmul
