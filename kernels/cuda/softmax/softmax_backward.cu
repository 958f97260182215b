// CUDA kernels of the gradients of softmax and log-softmax.
#include "dispatcher/kernel.h"
#include "kernels/cuda/softmax/softmax.cuh"
#include "ops/softmax_def.h"

namespace strata::cuda::softmax {
namespace {

/// What is summed over a row: g y, or g for the logarithm; and dx of the sum: y (g - sum), or g - exp(y) sum.
struct Gradient {
  bool log;
  template <class C>
  __device__ C term(C g, C y) const {
    return log ? g : g * y;
  }
  template <class C>
  __device__ C result(C g, C y, C sum) const {
    return log ? g - std::exp(y) * sum : y * (g - sum);
  }
};

template <class T, int kWidth, int kPacks>
__global__ void __launch_bounds__(kMostThreads, 1)
    gradient_row_kernel(T* dx, const T* g, const T* y, Strided<3> starts, int packs, Gradient f) {
  using Row = RowPart<T, kWidth, kPacks>;
  using C = typename Row::C;
  const uint32_t row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= starts.numel) return;
  const Offsets<3> at = starts.at(row);
  Row grad, value;
  grad.load(g + at[1], packs, C(0));
  value.load(y + at[2], packs, C(0));
  C sum = 0;
  STRATA_UNROLL
  for (int i = 0; i < Row::kValues; ++i) sum += f.term(grad.values[i], value.values[i]);
  sum = row_reduce(sum, C(0), Sum());
  STRATA_UNROLL
  for (int i = 0; i < Row::kValues; ++i) grad.values[i] = f.result(grad.values[i], value.values[i], sum);
  grad.store(dx + at[0], packs);
}

/// Rows that registers have no room for: the second pass finds most of a row in the cache.
template <class T, int kWidth>
__global__ void __launch_bounds__(kMostThreads, 1)
    gradient_long_row_kernel(T* dx, const T* g, const T* y, Strided<3> starts, int64_t packs, Gradient f) {
  using C = arithmetic::Compute<T>;
  using P = Pack<T, kWidth>;
  const Offsets<3> at = starts.at(blockIdx.x);
  const auto* grads = reinterpret_cast<const P*>(g + at[1]);
  const auto* values = reinterpret_cast<const P*>(y + at[2]);
  C sum = 0;
  for (int64_t i = threadIdx.x; i < packs; i += kMostThreads) {
    const P u = grads[i], v = values[i];
    C of_pack = 0;
    STRATA_UNROLL
    for (int j = 0; j < kWidth; ++j) of_pack += f.term(static_cast<C>(u[j]), static_cast<C>(v[j]));
    sum += of_pack;
  }
  sum = row_reduce(sum, C(0), Sum());
  for (int64_t i = threadIdx.x; i < packs; i += kMostThreads)
    reinterpret_cast<P*>(dx + at[0])[i] =
        mapped<T>([&](C u, C v) { return f.result(u, v, sum); }, widened<C>(grads[i]), widened<C>(values[i]));
}

template <class T, int kParts>
__global__ void __launch_bounds__(kThreads)
    gradient_line_kernel(T* dx, const T* g, const T* y, Strided<3> starts, Steps<3> line, Gradient f) {
  using C = arithmetic::Compute<T>;
  const LineThread<kParts> me;
  const bool active = me.line < starts.numel;
  const Offsets<3> at = starts.at(active ? me.line : 0);
  const auto grad = [&](int64_t i) { return static_cast<C>(g[at[1] + i * line.steps[1]]); };
  const auto value = [&](int64_t i) { return static_cast<C>(y[at[2] + i * line.steps[2]]); };
  C sum = 0;
  for (int64_t i = me.part; active && i < line.length; i += kParts) sum += f.term(grad(i), value(i));
  sum = me.reduce(sum, Sum());
  for (int64_t i = me.part; active && i < line.length; i += kParts)
    dx[at[0] + i * line.steps[0]] = static_cast<T>(f.result(grad(i), value(i), sum));
}

template <class T>
void run_gradient(const Op& op, const Tensor& out, const Tensor& g, const Tensor& y, const Lines<3>& lines,
                  Gradient f) {
  const cudaStream_t stream = stream_of(out);
  const bool wide = is_wide<T>(lines, {out.bytes(), g.bytes(), y.bytes()});
  for_each_piece(lines.starts, [&](const Strided<3>& starts, const int64_t(&first)[3]) {
    T* const to = out.data_ptr<T>() + first[0];
    const T *const grads = g.data_ptr<T>() + first[1], *const values = y.data_ptr<T>() + first[2];
    if (!suits_rows(lines))
      return visit_parts(lines, [&]<int kParts>() {
        start(op.name(), gradient_line_kernel<T, kParts>, line_shape<kParts>(starts.numel), stream, to, grads, values,
              starts, steps_of(lines), f);
      });
    visit_rows<T, kMostValues<T> / 2, kMostValues<T> / 4>(
        lines.length, wide, [&]<int kWidth, int kPacks>(int64_t packs, dim3 threads) {
          if constexpr (kPacks == 0)
            start(op.name(), gradient_long_row_kernel<T, kWidth>, {starts.numel, threads}, stream, to, grads, values,
                  starts, packs, f);
          else
            start(op.name(), gradient_row_kernel<T, kWidth, kPacks>, row_shape(starts.numel, threads), stream, to,
                  grads, values, starts, static_cast<int>(packs), f);
        });
  });
}

void backward(const Op& op, const Tensor& out, Args in, int64_t dim, bool log) {
  if (out.numel() == 0) return;
  const Tensor g = in_rows_as(out, in[0], dim), y = in_rows_as(out, in[1], dim);
  const Lines<3> lines = lines_along<3>({&out, &g, &y}, dim);
  visit_floating(op.name(), out.dtype(), [&]<class T>() { run_gradient<T>(op, out, g, y, lines, Gradient{log}); });
}

void softmax_backward_cuda(Tensors& out, Args in, const DimParams& p) {
  backward(softmax_backward_op, out[0], in, p.dim, false);
}
void log_softmax_backward_cuda(Tensors& out, Args in, const DimParams& p) {
  backward(log_softmax_backward_op, out[0], in, p.dim, true);
}

STRATA_KERNEL(softmax_backward_op, CUDA, softmax_backward_cuda);
STRATA_KERNEL(log_softmax_backward_op, CUDA, log_softmax_backward_cuda);

}  // namespace
}  // namespace strata::cuda::softmax
