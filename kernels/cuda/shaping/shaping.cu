// CUDA kernels that flip and cut, and those of geometries over a row-major base.
#include "core/deterministic.h"
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/indexing/indexing_sorted.h"
#include "kernels/may_overlap.h"
#include "kernels/shaping_places.h"
#include "kernels/visit_item.h"
#include "ops/shaping_def.h"

namespace strata::cuda::shaping {
namespace {

void flip_cuda(Tensors& out, Args in, const FlipParams& p) {
  const Tensor& x = in[0];
  if (x.numel() == 0) return;
  const Reversed r = reversed(x, p.dims);
  copy_strided(memory_of(out[0]), {memory_of(x, r.first).data, r.strides}, x.sizes(), item_size(x.dtype()),
               stream_of(x));
}

void roll_cuda(Tensors& out, Args in, const RollParams& p) {
  for_rolled_blocks(out[0], in[0], p, [&](IntArrayRef sizes, int64_t from, int64_t to) {
    copy_strided(memory_of(out[0], to), memory_of(in[0], from), sizes, item_size(in[0].dtype()), stream_of(in[0]));
  });
}

/// Copies elements with column - row in [low, high], zeroes the others. What the walk calls a third tensor's offset is
/// column - row.
template <class U>
__global__ void __launch_bounds__(kThreads)
    band_kernel(U* to, const U* from, Strided<3> walk, int64_t first, int64_t low, int64_t high) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<3> at = walk.at(i);
  const int64_t diagonal = first + at[2];
  to[at[0]] = diagonal >= low && diagonal <= high ? from[at[1]] : U{};
}

void keep_band(const Op& op, const Tensor& y, const Tensor& x, int64_t low, int64_t high) {
  DimVector diagonal(x.dim(), 0);
  diagonal[x.dim() - 2] = -1;
  diagonal[x.dim() - 1] = 1;
  const Geometry<3> g = collapse<3>(x.sizes(), {y.strides(), x.strides(), diagonal});
  visit_wide_item(item_size(x.dtype()), [&]<class U>() {
    for_each_piece(g, [&](const Strided<3>& piece, const int64_t(&first)[3]) {
      start(op.name(), band_kernel<U>, {blocks_for(piece.numel)}, stream_of(y),
            reinterpret_cast<U*>(y.bytes()) + first[0], reinterpret_cast<const U*>(x.bytes()) + first[1], piece,
            first[2], low, high);
    });
  });
}

void tril_cuda(Tensors& out, Args in, const TriangleParams& p) {
  keep_band(tril_op, out[0], in[0], INT64_MIN, p.diagonal);
}
void triu_cuda(Tensors& out, Args in, const TriangleParams& p) {
  keep_band(triu_op, out[0], in[0], p.diagonal, INT64_MAX);
}

void diagonal_backward_cuda(Tensors& out, Args in, const LaidDiagonalParams& p) {
  write_row_major(out[0], [&](const Tensor& base) {
    fill_strided(base, 0);
    if (in[0].numel() == 0) return;
    const LaidDiagonal d = laid_diagonal(p);
    copy_strided({memory_of(base, d.first).data, d.strides}, memory_of(in[0]), in[0].sizes(), item_size(base.dtype()),
                 stream_of(base));
  });
}

void block_diag_cuda(Tensors& out, Args in, const NoParams&) {
  const Tensor& y = out[0];
  fill_strided(y, 0);
  int64_t first = 0;
  for (const Tensor* t : in) {
    if (t->numel() > 0)
      copy_strided(memory_of(y, first), memory_of(*t), t->sizes(), item_size(y.dtype()), stream_of(y));
    first += t->size(-2) * y.stride(-2) + t->size(-1) * y.stride(-1);
  }
}

// --- geometries over a contiguous base ------------------------------------------------------------------------------

void as_strided_copy_cuda(Tensors& out, Args in, const StridedParams& p) {
  if (out[0].numel() == 0) return;
  const Tensor base = row_major(in[0]);
  copy_strided(memory_of(out[0]), {memory_of(base, p.offset).data, p.strides}, p.sizes, item_size(base.dtype()),
               stream_of(base));
}

__global__ void __launch_bounds__(kThreads) places_kernel(int64_t* places, Strided<2> walk, int64_t first) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<2> at = walk.at(i);
  places[at[0]] = first + at[1];
}

/// Writes of row-major `values` to the elements of the geometry in row-major `base`, in an order that is the same in
/// every run.
indexing::SortedWrites ordered_writes(const Op& op, const Tensor& base, const Tensor& values, const StridedParams& p) {
  const Tensor places = empty_on_device({1, values.numel()}, kLong, base.device());
  const DimVector rows = contiguous_strides(p.sizes);
  for_each_piece(collapse<2>(p.sizes, {rows, p.strides}), [&](const Strided<2>& piece, const int64_t(&first)[2]) {
    start(op.name(), places_kernel, {blocks_for(piece.numel)}, stream_of(base), places.data_ptr<int64_t>() + first[0],
          piece, first[1]);
  });
  return {op.name(), base, values, places, base.numel(), {}, 1, p.offset};
}

void as_strided_backward_cuda(Tensors& out, Args in, const StridedParams& p) {
  const Tensor& grad = in[0];
  write_row_major(out[0], [&](const Tensor& base) {
    fill_strided(base, 0);
    if (grad.numel() == 0) return;
    if (may_overlap(p.sizes, p.strides))
      return indexing::add_sorted(ordered_writes(as_strided_backward_op, base, row_major(grad), p));
    copy_strided({memory_of(base, p.offset).data, p.strides}, memory_of(grad), p.sizes, item_size(grad.dtype()),
                 stream_of(base));
  });
}

void as_strided_scatter_cuda(Tensors& out, Args in, const StridedParams& p) {
  const Tensor& source = in[1];
  write_row_major(out[0], [&](const Tensor& y) {
    copy_strided(y, in[0]);
    if (source.numel() == 0) return;
    if (are_deterministic_algorithms_enabled() && may_overlap(p.sizes, p.strides))
      return put_sorted(ordered_writes(as_strided_scatter_op, y, row_major(source), p));
    copy_strided({memory_of(y, p.offset).data, p.strides}, memory_of(source), p.sizes, item_size(y.dtype()),
                 stream_of(y));
  });
}

STRATA_KERNEL(flip_op, CUDA, flip_cuda);
STRATA_KERNEL(roll_op, CUDA, roll_cuda);
STRATA_KERNEL(tril_op, CUDA, tril_cuda);
STRATA_KERNEL(triu_op, CUDA, triu_cuda);
STRATA_KERNEL(diagonal_backward_op, CUDA, diagonal_backward_cuda);
STRATA_KERNEL(block_diag_op, CUDA, block_diag_cuda);
STRATA_KERNEL(as_strided_copy_op, CUDA, as_strided_copy_cuda);
STRATA_KERNEL(as_strided_backward_op, CUDA, as_strided_backward_cuda);
STRATA_KERNEL(as_strided_scatter_op, CUDA, as_strided_scatter_cuda);

}  // namespace
}  // namespace strata::cuda::shaping
