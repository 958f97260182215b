// CUDA kernels that read elements at indexed places.
#include "kernels/cuda/indexing/indexing.cuh"
#include "ops/indexing_def.h"

namespace strata::cuda::indexing {
namespace {

void gather_cuda(Tensors& out, Args in, const GatherParams& p) {
  if (out[0].numel() == 0) return;
  move_bits<ReadX>(
      gather_op.name(),
      move_along(in[0], in[1], out[0], p.dim, "gather: index {} is out of bounds for dimension {} with size {}"),
      stream_of(out[0]));
}

void index_cuda(Tensors& out, Args in, const IndexParams& p) {
  if (out[0].numel() == 0) return;
  move_bits<ReadX>(
      index_op.name(),
      move_at(in[0], in, 1, out[0], p.first, p.wrap, "index: index {} is out of bounds for dimension {} with size {}"),
      stream_of(out[0]));
}

void embedding_cuda(Tensors& out, Args in, const EmbeddingParams&) {
  if (out[0].numel() == 0) return;
  move_bits<ReadX>(
      embedding_op.name(),
      move_at(in[0], in, 1, out[0], 0, false, "embedding: index {} is out of bounds for dimension {} with size {}"),
      stream_of(out[0]));
}

STRATA_KERNEL(gather_op, CUDA, gather_cuda);
STRATA_KERNEL(index_op, CUDA, index_cuda);
STRATA_KERNEL(embedding_op, CUDA, embedding_cuda);

}  // namespace
}  // namespace strata::cuda::indexing
