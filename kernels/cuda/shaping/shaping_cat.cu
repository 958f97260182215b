// The CUDA kernel that joins tensors: many in one launch.
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/visit_item.h"
#include "ops/shaping_def.h"

namespace strata::cuda::shaping {
namespace {

constexpr int kMostParts = 64;
/// Elements of one launch, for a launch that fills several rows.
constexpr int64_t kMostElements = int64_t{1} << 30;

/// Row-major matrices that stand beside each other in the rows of `out`.
struct CatInputs {
  int count = 0;
  const char* data[kMostParts];
  uint32_t begin[kMostParts + 1] = {0};  ///< columns of the result, counted from the first part
};

/// A thread per element of the result: finds its part, then its place there.
template <class U>
__global__ void __launch_bounds__(kThreads)
    cat_kernel(U* out, int64_t pitch, CatInputs parts, Divider columns, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const uint32_t row = columns.quotient(static_cast<uint32_t>(i));
  const uint32_t column = static_cast<uint32_t>(i) - row * columns.divisor;
  int low = 0, high = parts.count;  // the part is in [low, high)
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (parts.begin[middle] <= column)
      low = middle;
    else
      high = middle;
  }
  const uint32_t width = parts.begin[low + 1] - parts.begin[low];
  const U* const from = reinterpret_cast<const U*>(parts.data[low]);
  out[row * pitch + column] = from[int64_t{row} * width + (column - parts.begin[low])];
}

/// The parts of one launch, sizes in elements.
struct Launch {
  CatInputs parts;
  char* out;  ///< where the first part begins
  int64_t rows, pitch;
  size_t item;
  int64_t columns() const { return parts.begin[parts.count]; }
  bool takes(int64_t width) const { return parts.count < kMostParts && (columns() + width) * rows <= kMostElements; }
  void add(const Tensor& x, int64_t width) {
    parts.data[parts.count++] = x.bytes();
    parts.begin[parts.count] = parts.begin[parts.count - 1] + static_cast<uint32_t>(width);
  }
};

/// Counts in elements of up to 16 bytes where all parts allow it.
void widen_parts(Launch& l) {
  const auto fits = [&](int64_t factor) {
    const size_t bytes = l.item * static_cast<size_t>(factor);
    if (l.pitch % factor != 0 || !is_aligned(l.out, bytes)) return false;
    for (int k = 0; k < l.parts.count; ++k)
      if (l.parts.begin[k + 1] % factor != 0 || !is_aligned(l.parts.data[k], bytes)) return false;
    return true;
  };
  int64_t factor = 16 / static_cast<int64_t>(l.item);
  while (factor > 1 && !fits(factor)) factor /= 2;
  l.pitch /= factor;
  l.item *= static_cast<size_t>(factor);
  for (int k = 0; k <= l.parts.count; ++k) l.parts.begin[k] /= static_cast<uint32_t>(factor);
}

void run(Launch l, cudaStream_t stream) {
  const int64_t n = l.rows * l.columns();
  if (n == 0) return;
  widen_parts(l);
  visit_wide_item(l.item, [&]<class U>() {
    const int64_t wide = l.rows * l.columns();
    start(cat_op.name(), cat_kernel<U>, {blocks_for(wide)}, stream, reinterpret_cast<U*>(l.out), l.pitch, l.parts,
          Divider(static_cast<uint32_t>(l.columns())), wide);
  });
}

void cat_cuda(Tensors& out, Args in, const CatParams& p) {
  const Tensor& y = out[0];
  const size_t item = item_size(y.dtype());
  const size_t dim = static_cast<size_t>(p.dim);
  int64_t rows = 1, inner = 1, column = 0;
  for (int64_t n : y.sizes().slice(0, dim)) rows *= n;
  for (int64_t n : y.sizes().slice(dim + 1)) inner *= n;
  const auto launch_at = [&](int64_t at) {
    return Launch{{}, memory_of(y, at * y.strides()[dim]).data, rows, inner * y.sizes()[dim], item};
  };
  Launch launch = launch_at(0);
  for (size_t i = 0; i < in.size(); column += p.lengths[i++]) {
    const int64_t width = p.lengths[i] * inner;
    const bool joins = y.is_contiguous() && in[i].is_contiguous() && width * rows <= kMostElements;
    if (!joins || !launch.takes(width)) {
      run(launch, stream_of(y));
      launch = launch_at(column);
    }
    if (joins) {
      launch.add(in[i], width);
      continue;
    }
    copy_strided(memory_of(y, column * y.strides()[dim]), memory_of(in[i]), in[i].sizes(), item, stream_of(y));
    launch = launch_at(column + p.lengths[i]);
  }
  run(launch, stream_of(y));
}

void split_copy_cuda(Tensors& out, Args in, const CatParams& p) {
  int64_t start = 0;
  for (size_t i = 0; i < out.size(); start += p.lengths[i++])
    copy_strided(memory_of(out[i]), memory_of(in[0], start * in[0].strides()[static_cast<size_t>(p.dim)]),
                 out[i].sizes(), item_size(in[0].dtype()), stream_of(in[0]));
}

STRATA_KERNEL(cat_op, CUDA, cat_cuda);
STRATA_KERNEL(split_copy_op, CUDA, split_copy_cuda);

}  // namespace
}  // namespace strata::cuda::shaping
