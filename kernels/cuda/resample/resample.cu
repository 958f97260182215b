// The CUDA kernel of resampling: one thread per element of the result looks up what that takes.
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/dense.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/resample_taps.h"
#include "kernels/visit_floating.h"
#include "kernels/visit_item.h"

namespace strata::cuda::resample {
namespace {

template <class T>
using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// x (outer, a, b, c, inner) and y of the same dims; those that are not resampled go from one position to one.
struct ResampleShape {
  ResampleTaps taps[3];
  int64_t from[3], to[3], inner;
  bool transposed;

  ResampleShape(const ResampleParams& p, int64_t inner) : inner(inner), transposed(p.transposed) {
    for (int64_t k = 0; k < 3; ++k) {
      const int64_t d = k - (3 - p.count);  // the first ones are not used, so that threads lie along the last
      taps[k] = {d < 0 ? ResampledDim{1, 1} : p.dims[static_cast<size_t>(d)], d < 0 ? Resampling::Nearest : p.mode};
      from[k] = d < 0 ? 1 : p.from(d);
      to[k] = d < 0 ? 1 : p.to(d);
    }
  }
  /// f(index in x, weight) for what the element of y at (outer, a, b, c, i) takes.
  template <class F>
  __device__ void for_elements(int64_t outer, int64_t a, int64_t b, int64_t c, int64_t i, F f) const {
    for_taps(taps[0], transposed, a, [&](int64_t ja, double wa) {
      for_taps(taps[1], transposed, b, [&](int64_t jb, double wb) {
        const int64_t row = ((outer * from[0] + ja) * from[1] + jb) * from[2];
        for_taps(taps[2], transposed, c, [&](int64_t jc, double wc) { f((row + jc) * inner + i, wa * wb * wc); });
      });
    });
  }
};

template <class T>
struct SumElement {
  template <class Visit>
  __device__ static T run(const T* x, Visit visit) {
    Sum<T> sum = 0;
    visit([&](int64_t at, double w) { sum += static_cast<Sum<T>>(w) * static_cast<Sum<T>>(x[at]); });
    return static_cast<T>(sum);
  }
};
template <class U>
struct MoveElement {
  template <class Visit>
  __device__ static U run(const U* x, Visit visit) {
    U value{};
    visit([&](int64_t at, double) { value = x[at]; });
    return value;
  }
};

/// `lanes` threads along the innermost resampled dim and what is inside of it.
template <class T, class Element>
__global__ void __launch_bounds__(kThreads)
    resample_kernel(T* y, const T* x, ResampleShape s, int64_t rows, int lanes) {
  const int64_t row = int64_t{blockIdx.x} * (kThreads / lanes) + threadIdx.x / lanes;
  if (row >= rows) return;
  const int64_t b = row % s.to[1], a = row / s.to[1] % s.to[0], outer = row / s.to[1] / s.to[0];
  const int64_t width = s.to[2] * s.inner;
  for (int64_t k = static_cast<int64_t>(threadIdx.x) & (lanes - 1); k < width; k += lanes) {
    const int64_t c = k / s.inner, i = k % s.inner;
    y[row * width + k] = Element::run(x, [&](auto f) { s.for_elements(outer, a, b, c, i, f); });
  }
}

template <class T, class Element>
void launch(const Tensor& y, const Tensor& x, const ResampleParams& p, int64_t numbers) {
  const ResampleShape s(p, numel_of(x.sizes().slice(p.first + p.count)) * numbers);
  const int64_t width = s.to[2] * s.inner, rows = y.numel() * numbers / width;
  int lanes = 1;
  while (lanes < kThreads && lanes < width) lanes *= 2;
  const int64_t rows_per_block = kThreads / lanes;
  start(resample_op.name(), resample_kernel<T, Element>,
        {static_cast<unsigned>((rows + rows_per_block - 1) / rows_per_block)}, stream_of(y),
        reinterpret_cast<T*>(y.bytes()), reinterpret_cast<const T*>(x.bytes()), s, rows, lanes);
}

void resample_cuda(Tensors& out, Args in, const ResampleParams& p) {
  const Tensor &x = in[0], &y = out[0];
  if (y.numel() == 0) return;
  if (p.moves())
    return visit_wide_item(item_size(x.dtype()), [&]<class U>() { launch<U, MoveElement<U>>(y, x, p, 1); });
  visit_floating(resample_op.name(), to_real_dtype(x.dtype()),
                 [&]<class T>() { launch<T, SumElement<T>>(y, x, p, is_complex(x.dtype()) ? 2 : 1); });
}

STRATA_KERNEL(resample_op, CUDA, RowMajor<resample_cuda>::run);

}  // namespace
}  // namespace strata::cuda::resample
