// The CUDA kernel that pads and cuts: each element of the result is written once.
#include <cstring>

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/shaping_places.h"
#include "kernels/visit_item.h"
#include "ops/shaping_def.h"

namespace strata::cuda::shaping {
namespace {

/// One dimension of the result: `size` positions, of which those in [low, low + kept) are the source's from its first
/// on. Strides in elements; low may be negative.
struct PadDim {
  int64_t size, low, kept, to, from;
};

/// The result's dimensions from the innermost outwards.
struct PadShape {
  int rank = 0;
  PadDim dims[kMaxDims];

  int64_t rows() const {
    int64_t n = 1;
    for (int d = 1; d < rank; ++d) n *= dims[d].size;
    return n;
  }
};

/// Is `inner` whole rows of both tensors, so that `outer` goes on where it ends?
bool continues(const PadDim& inner, const PadDim& outer) {
  const bool is_whole = inner.low == 0 && inner.kept == inner.size;
  return is_whole && outer.to == inner.size * inner.to && outer.from == inner.size * inner.from;
}

PadShape shape_of(const Tensor& y, const Tensor& x, const PadParams& p) {
  PadShape s;
  for (int64_t d = y.dim(); d-- > 0;) {
    const PadDim dim{y.sizes()[d], p.low[d], x.sizes()[d], y.strides()[d], x.strides()[d]};
    PadDim* const inner = s.rank > 0 ? &s.dims[s.rank - 1] : nullptr;
    if (inner && continues(*inner, dim)) {
      const int64_t n = inner->size;
      *inner = {n * dim.size, n * dim.low, n * dim.kept, inner->to, inner->from};
    } else {
      s.dims[s.rank++] = dim;
    }
  }
  if (s.rank == 0) s.dims[s.rank++] = {1, 0, 1, 1, 1};
  return s;
}

/// Counts in elements as wide as an access may be, where rows, steps and addresses allow it; returns their bytes.
size_t widen_rows(PadShape& s, size_t item, const void* to, const void* from) {
  PadDim& row = s.dims[0];
  const auto fits = [&](int64_t factor) {
    const size_t bytes = item * static_cast<size_t>(factor);
    if (row.to != 1 || row.from != 1 || !is_aligned(to, bytes) || !is_aligned(from, bytes)) return false;
    if (row.size % factor != 0 || row.low % factor != 0 || row.kept % factor != 0) return false;
    for (int d = 1; d < s.rank; ++d)
      if (s.dims[d].to % factor != 0 || s.dims[d].from % factor != 0) return false;
    return true;
  };
  int64_t factor = 16 / static_cast<int64_t>(item);
  while (factor > 1 && !fits(factor)) factor /= 2;
  row.size /= factor, row.low /= factor, row.kept /= factor;
  for (int d = 1; d < s.rank && factor > 1; ++d) s.dims[d].to /= factor, s.dims[d].from /= factor;
  return item * static_cast<size_t>(factor);
}

/// What a launch knows of the dimensions outside of rows.
struct PadRows {
  int rank;  ///< with the rows
  uint32_t count;
  Divider sizes[kMaxRank];
  PadDim dims[kMaxRank];
};

/// `lanes` threads along each row.
template <class U>
__global__ void __launch_bounds__(kThreads) pad_kernel(U* to, const U* from, U value, PadRows rows, int lanes) {
  const int64_t index = int64_t{blockIdx.x} * (kThreads / lanes) + threadIdx.x / lanes;
  if (index >= rows.count) return;
  bool is_kept = true;
  auto rest = static_cast<uint32_t>(index);
  STRATA_UNROLL
  for (int d = 1; d < kMaxRank; ++d) {
    if (d >= rows.rank) break;
    const uint32_t quotient = rows.sizes[d].quotient(rest);
    const int64_t i = rest - quotient * rows.sizes[d].divisor, at = i - rows.dims[d].low;
    to += i * rows.dims[d].to;
    from += at * rows.dims[d].from;
    is_kept &= at >= 0 && at < rows.dims[d].kept;
    rest = quotient;
  }
  const PadDim& row = rows.dims[0];
  for (int64_t i = static_cast<int64_t>(threadIdx.x) & (lanes - 1); i < row.size; i += lanes) {
    const int64_t at = i - row.low;
    to[i * row.to] = is_kept && at >= 0 && at < row.kept ? from[at * row.from] : value;
  }
}

template <class U>
void launch_rows(const PadShape& s, U* to, const U* from, U value, cudaStream_t stream) {
  // More rows than a launch counts: halves of the outermost dimension.
  PadShape part = s;
  if (s.rows() > INT32_MAX) {
    PadDim& outer = part.dims[s.rank - 1];
    const int64_t first = outer.size / 2;
    outer.size = first;
    launch_rows(part, to, from, value, stream);
    outer.size = s.dims[s.rank - 1].size - first, outer.low -= first;
    return launch_rows(part, to + first * outer.to, from, value, stream);
  }
  PadRows rows{s.rank, static_cast<uint32_t>(s.rows()), {}, {}};
  for (int d = 0; d < s.rank; ++d) {
    rows.dims[d] = s.dims[d];
    if (d > 0) rows.sizes[d] = Divider(static_cast<uint32_t>(s.dims[d].size));
  }
  int lanes = 1;
  while (lanes < kThreads && lanes < s.dims[0].size) lanes *= 2;
  const int64_t per_block = kThreads / lanes;
  const auto blocks = static_cast<unsigned>((rows.count + per_block - 1) / per_block);
  start(pad_op.name(), pad_kernel<U>, {blocks}, stream, to, from, value, rows, lanes);
}

/// Rows that lie across the source's memory are copied through tiles instead, over what is filled before.
void fill_and_copy(const Tensor& y, const Tensor& x, const PadParams& p) {
  fill_strided(y, p.value);
  const KeptWindow w = kept_window(y, x, p);
  copy_strided(memory_of(y, w.to), memory_of(x, w.from), w.sizes, item_size(y.dtype()), stream_of(y));
}

void pad_cuda(Tensors& out, Args in, const PadParams& p) {
  const Tensor &x = in[0], &y = out[0];
  if (y.numel() == 0) return;
  PadShape s = shape_of(y, x, p);
  const bool is_across = s.dims[0].kept > 1 && s.dims[0].from != 1 && s.dims[0].from != 0;
  if (is_across || s.rank > kMaxRank) return fill_and_copy(y, x, p);
  const size_t item = item_size(y.dtype()), bytes = widen_rows(s, item, y.bytes(), x.bytes());
  char repeated[16];
  visit_stored_dtype(y.dtype(), [&]<class T>() {
    const T element = p.value.wrapped_to<T>();
    for (size_t i = 0; i < bytes; i += item) std::memcpy(repeated + i, &element, item);
  });
  visit_wide_item(bytes, [&]<class U>() {
    U value;
    std::memcpy(&value, repeated, sizeof(U));
    launch_rows(s, reinterpret_cast<U*>(y.bytes()), reinterpret_cast<const U*>(x.bytes()), value, stream_of(y));
  });
}

STRATA_KERNEL(pad_op, CUDA, pad_cuda);

}  // namespace
}  // namespace strata::cuda::shaping
