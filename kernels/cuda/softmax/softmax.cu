// CUDA kernels of softmax and log-softmax: rows in registers, other dims by threads side by side.
#include <limits>

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/softmax/softmax.cuh"
#include "ops/softmax_def.h"

namespace strata::cuda::softmax {
namespace {

/// y = v * factor + shift makes the result of v, which is exp(x - max) or, for the logarithm, x - max. Where the
/// maximum is infinite or an element NaN, the sum is NaN and so are all results.
template <class C>
struct Finish {
  C factor, shift;
  __device__ Finish(C sum, bool log) : factor(log ? C(1) : C(1) / sum), shift(log ? -std::log(sum) : C(0)) {}
  __device__ C operator()(C v) const { return std::fma(v, factor, shift); }
};

template <class T, int kWidth, int kPacks>
__global__ void __launch_bounds__(kMostThreads, 1)
    softmax_row_kernel(T* y, const T* x, Strided<2> starts, int packs, bool log) {
  using Row = RowPart<T, kWidth, kPacks>;
  using C = typename Row::C;
  const uint32_t row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= starts.numel) return;
  const Offsets<2> at = starts.at(row);
  constexpr C kLowest = -std::numeric_limits<C>::infinity();
  Row part;
  part.load(x + at[1], packs, kLowest);
  C max = kLowest, sum = 0;
  STRATA_UNROLL
  for (C v : part.values) max = Max()(max, v);
  max = row_reduce(max, kLowest, Max());
  part.map([&](C v) {
    const C e = std::exp(v - max);
    sum += e;
    return log ? v - max : e;
  });
  part.map(Finish<C>(row_reduce(sum, C(0), Sum()), log));
  part.store(y + at[0], packs);
}

/// The maximum m of some elements and the sum of exp(x - m) over them.
template <class C>
struct MaxSum {
  C max = -std::numeric_limits<C>::infinity(), sum = 0;

  /// What exp is taken relative to, so that elements of -inf count for nothing.
  __device__ C origin() const { return max == -std::numeric_limits<C>::infinity() ? C(0) : max; }
  __device__ MaxSum relative_to(C new_max) const {
    MaxSum r;
    r.max = new_max;
    r.sum = max == new_max ? sum : sum * std::exp(max - r.origin());
    return r;
  }
  template <int n>
  __device__ void add(const C (&x)[n]) {
    C highest = max;
    STRATA_UNROLL
    for (C v : x) highest = Max()(highest, v);
    *this = relative_to(highest);
    const C from = origin();
    STRATA_UNROLL
    for (C v : x) sum += std::exp(v - from);
  }
  /// The sum for the results: NaN where the maximum is infinite.
  __device__ C checked_sum() const { return sum + (max - max); }
};
struct Join {
  template <class C>
  __device__ MaxSum<C> operator()(const MaxSum<C>& a, const MaxSum<C>& b) const {
    const C max = Max()(a.max, b.max);
    MaxSum<C> r = a.relative_to(max);
    r.sum += b.relative_to(max).sum;
    return r;
  }
};

/// Rows that registers have no room for: a pass for maximum and sum, and one for the results.
template <class T, int kWidth>
__global__ void __launch_bounds__(kMostThreads, 1)
    softmax_long_row_kernel(T* y, const T* x, Strided<2> starts, int64_t packs, bool log) {
  using C = arithmetic::Compute<T>;
  using P = Pack<T, kWidth>;
  const Offsets<2> at = starts.at(blockIdx.x);
  const auto* from = reinterpret_cast<const P*>(x + at[1]);
  MaxSum<C> total;
  for (int64_t i = threadIdx.x; i < packs; i += kMostThreads) total.add(widened<C>(from[i]).values);
  total = row_reduce(total, MaxSum<C>(), Join());
  const C max = total.max;
  const Finish<C> finish(total.checked_sum(), log);
  for (int64_t i = threadIdx.x; i < packs; i += kMostThreads)
    reinterpret_cast<P*>(y + at[0])[i] =
        mapped<T>([&](C v) { return finish(log ? v - max : std::exp(v - max)); }, widened<C>(from[i]));
}

/// Lines of any strides: neighbouring threads take neighbouring lines, kParts of them one line.
template <class T, int kParts>
__global__ void __launch_bounds__(kThreads)
    softmax_line_kernel(T* y, const T* x, Strided<2> starts, Steps<2> line, bool log) {
  using C = arithmetic::Compute<T>;
  const LineThread<kParts> me;
  const bool active = me.line < starts.numel;
  const Offsets<2> at = starts.at(active ? me.line : 0);
  MaxSum<C> total;
  for (int64_t i = me.part; active && i < line.length; i += kParts) {
    const C v[1] = {static_cast<C>(x[at[1] + i * line.steps[1]])};
    total.add(v);
  }
  total = me.reduce(total, Join());
  const C max = total.max;
  const Finish<C> finish(total.checked_sum(), log);
  for (int64_t i = me.part; active && i < line.length; i += kParts) {
    const C v = static_cast<C>(x[at[1] + i * line.steps[1]]) - max;
    y[at[0] + i * line.steps[0]] = static_cast<T>(finish(log ? v : std::exp(v)));
  }
}

template <class T>
void run_softmax(const Op& op, const Tensor& out, const Tensor& x, const Lines<2>& lines, bool log) {
  const cudaStream_t stream = stream_of(out);
  T* const y = out.data_ptr<T>();
  const T* const from = x.data_ptr<T>();
  for_each_piece(lines.starts, [&](const Strided<2>& starts, const int64_t(&first)[2]) {
    T* const to = y + first[0];
    const T* const in = from + first[1];
    if (!suits_rows(lines))
      return visit_parts(lines, [&]<int kParts>() {
        start(op.name(), softmax_line_kernel<T, kParts>, line_shape<kParts>(starts.numel), stream, to, in, starts,
              steps_of(lines), log);
      });
    visit_rows<T, kMostValues<T>, kMostValues<T> / 2>(
        lines.length, is_wide<T>(lines, {y, from}), [&]<int kWidth, int kPacks>(int64_t packs, dim3 threads) {
          if constexpr (kPacks == 0)
            start(op.name(), softmax_long_row_kernel<T, kWidth>, {starts.numel, threads}, stream, to, in, starts, packs,
                  log);
          else
            start(op.name(), softmax_row_kernel<T, kWidth, kPacks>, row_shape(starts.numel, threads), stream, to, in,
                  starts, static_cast<int>(packs), log);
        });
  });
}

void forward(const Op& op, const Tensor& out, const Tensor& in, int64_t dim, bool log) {
  if (out.numel() == 0) return;
  const Tensor x = in_rows_as(out, in, dim);
  const Lines<2> lines = lines_along<2>({&out, &x}, dim);
  visit_floating(op.name(), out.dtype(), [&]<class T>() { run_softmax<T>(op, out, x, lines, log); });
}

void softmax_cuda(Tensors& out, Args in, const DimParams& p) { forward(softmax_op, out[0], in[0], p.dim, false); }
void log_softmax_cuda(Tensors& out, Args in, const DimParams& p) {
  forward(log_softmax_op, out[0], in[0], p.dim, true);
}

STRATA_KERNEL(softmax_op, CUDA, softmax_cuda);
STRATA_KERNEL(log_softmax_op, CUDA, log_softmax_cuda);

}  // namespace
}  // namespace strata::cuda::softmax
