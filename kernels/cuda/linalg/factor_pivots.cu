// CUDA kernels of the row swaps of LU factorizations: permutations, and determinants, whose sign they decide.
#include "kernels/cuda/linalg/factor_pivots.h"

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/linalg/factor_each.cuh"
#include "kernels/cuda/runtime/index_error.h"
#include "ops/factor_def.h"

namespace strata::cuda::linalg {
namespace {

/// Rows of a permutation that is made in shared memory; longer ones are made in global memory, many times slower.
constexpr int64_t kMostShared = 8192;

/// One block per matrix: one of its threads swaps, since each swap needs those before it.
__global__ void __launch_bounds__(kThreads)
    permutation_kernel(int64_t* out, int32_t* scratch, const int32_t* pivots, int64_t count, int64_t k, int64_t rows) {
  __shared__ int32_t next[kThreads];
  for (int64_t matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
    int32_t* const perm = scratch ? scratch + matrix * rows : dynamic_shared<int32_t>();
    for (int64_t i = threadIdx.x; i < rows; i += kThreads) perm[i] = static_cast<int32_t>(i);
    for (int64_t first = 0; first < k; first += kThreads) {
      const int64_t some = k - first < kThreads ? k - first : kThreads;
      if (static_cast<int64_t>(threadIdx.x) < some) next[threadIdx.x] = pivots[matrix * k + first + threadIdx.x] - 1;
      __syncthreads();
      for (int64_t i = 0; threadIdx.x == 0 && i < some; ++i) {
        const int32_t moved = perm[first + i];
        perm[first + i] = perm[next[i]];
        perm[next[i]] = moved;
      }
      __syncthreads();
    }
    for (int64_t i = threadIdx.x; i < rows; i += kThreads) out[matrix * rows + i] = perm[i];
    __syncthreads();  // the next matrix begins anew
  }
}

template <class T>
struct Permute {
  T* to;
  const T* from;
  const int64_t* permutation;
  int64_t rows, cols;
  bool by_rows, inverse;
  __device__ void operator()(int64_t i) const {
    const int64_t line = i / cols, matrix = line / rows, row = line % rows, col = i % cols;
    const int64_t other = permutation[matrix * (by_rows ? rows : cols) + (by_rows ? row : col)];
    const int64_t there = by_rows ? (matrix * rows + other) * cols + col : line * cols + other;
    if (inverse)
      to[there] = from[i];
    else
      to[i] = from[there];
  }
};

struct CheckPivot {
  int32_t* pivots;
  int64_t k, rows;
  IndexErrors errors;
  __device__ void operator()(int64_t i) const {
    const int64_t row = i % k;
    if (pivots[i] >= 1 && pivots[i] <= rows) return;
    errors.add(pivots[i], row, rows);
    pivots[i] = static_cast<int32_t>(row + 1);
  }
};

struct Narrow {
  int32_t* to;
  const int64_t* from;
  __device__ void operator()(int64_t i) const { to[i] = static_cast<int32_t>(from[i]); }
};

/// One warp per matrix.
constexpr unsigned kDetThreads = kWarp;

/// Calls f(matrix, u_ii, do the swaps say minus?) for this thread's elements of a diagonal.
template <class T, class F>
__device__ void for_diagonal(const T* lu, const int32_t* pivots, int64_t matrix, int64_t n, F f) {
  for (int64_t i = threadIdx.x; i < n; i += kDetThreads)
    f(static_cast<double>(lu[(matrix * n + i) * n + i]), pivots[matrix * n + i] != i + 1);
}

template <class T>
__global__ void __launch_bounds__(kDetThreads)
    det_kernel(T* out, const T* lu, const int32_t* pivots, int64_t count, int64_t n) {
  for (int64_t matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
    double product = 1;
    for_diagonal(lu, pivots, matrix, n, [&](double u, bool swapped) { product *= swapped ? -u : u; });
    product = warp_reduce(product, [](double a, double b) { return a * b; });
    if (threadIdx.x == 0) out[matrix] = static_cast<T>(product);
  }
}

template <class T>
__global__ void __launch_bounds__(kDetThreads)
    slogdet_kernel(T* sign_out, T* log_out, const T* lu, const int32_t* pivots, int64_t count, int64_t n) {
  for (int64_t matrix = blockIdx.x; matrix < count; matrix += gridDim.x) {
    double sign = 1, log_sum = 0;
    for_diagonal(lu, pivots, matrix, n, [&](double u, bool swapped) {
      const double side = u > 0 ? 1 : u < 0 ? -1 : u;  // 0 and NaN stay
      sign *= swapped ? -side : side;
      log_sum += std::log(std::fabs(u));
    });
    sign = warp_reduce(sign, [](double a, double b) { return a * b; });
    log_sum = warp_reduce(log_sum, [](double a, double b) { return a + b; });
    if (threadIdx.x == 0) sign_out[matrix] = static_cast<T>(sign), log_out[matrix] = static_cast<T>(log_sum);
  }
}

unsigned blocks_of(int64_t count) { return static_cast<unsigned>(std::min<int64_t>(count, int64_t{1} << 30)); }

void permutation_cuda(Tensors& out, Args in, const PermutationParams& p) {
  const int64_t k = in[0].sizes().back();
  STRATA_CHECK(k <= p.rows, "lu_pivots_to_permutation: {} pivots for {} rows", k, p.rows);
  copy_strided(out[0], permutation_of(lu_permutation_op.name(), in[0], p.rows));
}

/// LU and pivots of the op's inputs, row-major.
struct Factors {
  explicit Factors(Args in) : lu(row_major(in[1])), pivots(row_major(in[2])), batch(linalg::batch_of(lu)) {}
  Tensor lu, pivots;
  Batch batch;
};

void det_cuda(Tensors& out, Args in, const NoParams&) {
  if (out[0].numel() == 0) return;
  const Factors x(in);
  write_row_major(out[0], [&](const Tensor& to) {
    visit_real(det_op.name(), to.dtype(), [&]<class T>() {
      start(det_op.name(), det_kernel<T>, {blocks_of(x.batch.count), kDetThreads}, stream_of(to), to.data_ptr<T>(),
            x.lu.data_ptr<T>(), x.pivots.data_ptr<int32_t>(), x.batch.count, x.batch.rows);
    });
  });
}

void slogdet_cuda(Tensors& out, Args in, const NoParams&) {
  if (out[0].numel() == 0) return;
  const Factors x(in);
  write_row_major(out[0], [&](const Tensor& sign) {
    write_row_major(out[1], [&](const Tensor& log) {
      visit_real(slogdet_op.name(), sign.dtype(), [&]<class T>() {
        start(slogdet_op.name(), slogdet_kernel<T>, {blocks_of(x.batch.count), kDetThreads}, stream_of(sign),
              sign.data_ptr<T>(), log.data_ptr<T>(), x.lu.data_ptr<T>(), x.pivots.data_ptr<int32_t>(), x.batch.count,
              x.batch.rows);
      });
    });
  });
}

STRATA_KERNEL(lu_permutation_op, CUDA, permutation_cuda);
STRATA_KERNEL(det_op, CUDA, det_cuda);
STRATA_KERNEL(slogdet_op, CUDA, slogdet_cuda);

}  // namespace

Tensor checked_pivots(std::string_view op, const Tensor& pivots, int64_t rows) {
  const Tensor checked = empty_on_device(pivots.sizes(), kInt, pivots.device());
  copy_strided(checked, pivots);
  const IndexErrors errors = index_errors(pivots, "linalg: pivot {} at {} is out of range for {} rows");
  for_each_index(op, checked, checked.numel(),
                 CheckPivot{checked.data_ptr<int32_t>(), pivots.sizes().back(), rows, errors});
  return checked;
}

Tensor permutation_of(std::string_view op, const Tensor& pivots, int64_t rows) {
  const Tensor swaps = checked_pivots(op, pivots, rows);
  DimVector sizes = pivots.sizes();
  const int64_t k = sizes.back();
  sizes.back() = rows;
  const Tensor out = empty_on_device(sizes, kLong, pivots.device());
  if (out.numel() == 0) return out;
  const bool shared = rows <= kMostShared;
  const Tensor scratch = shared ? Tensor() : empty_on_device(sizes, kInt, pivots.device());
  const size_t bytes = shared ? static_cast<size_t>(rows) * sizeof(int32_t) : 0;
  const int64_t count = out.numel() / rows;
  start(op, permutation_kernel, {blocks_of(count), kThreads, bytes}, stream_of(out), out.data_ptr<int64_t>(),
        shared ? nullptr : scratch.data_ptr<int32_t>(), swaps.data_ptr<int32_t>(), count, k, rows);
  return out;
}

void permute(std::string_view op, const Tensor& to, const Tensor& from, const Tensor& permutation, bool rows,
             bool inverse) {
  const Batch b = batch_of(to);
  visit_real(op, to.dtype(), [&]<class T>() {
    for_each_index(op, to, to.numel(),
                   Permute<T>{to.data_ptr<T>(), from.data_ptr<T>(), permutation.data_ptr<int64_t>(), b.rows, b.cols,
                              rows, inverse});
  });
}

void narrow_pivots(std::string_view op, const Tensor& to, const Tensor& from) {
  for_each_index(op, to, to.numel(), Narrow{to.data_ptr<int32_t>(), from.data_ptr<int64_t>()});
}

}  // namespace strata::cuda::linalg
