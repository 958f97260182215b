// Two column-parallel and two row-parallel products in each block, so four all_reduces of activations in a step.
#include "sharded_gpt/model.h"

namespace gpt {
namespace {

using namespace strata;
using nn::parallel::ColumnParallelLinear;
using nn::parallel::ColumnParallelLinearOptions;
using nn::parallel::RowParallelLinear;
using nn::parallel::RowParallelLinearOptions;

ColumnParallelLinear column(int64_t in, int64_t out, const ProcessGroup& ranks) {
  return ColumnParallelLinear(ColumnParallelLinearOptions(in, out).gather_output(false).group(ranks));
}
RowParallelLinear row(int64_t in, int64_t out, const ProcessGroup& ranks) {
  return RowParallelLinear(RowParallelLinearOptions(in, out).input_is_parallel(true).group(ranks));
}

}  // namespace

BlockImpl::BlockImpl(const Shape& shape, const ProcessGroup& ranks) : own_heads(shape.heads / ranks->size()) {
  STRATA_CHECK(shape.heads % ranks->size() == 0, "{} ranks cannot share {} heads equally", ranks->size(), shape.heads);
  STRATA_CHECK(shape.width % shape.heads == 0, "a width of {} for {} heads", shape.width, shape.heads);
  const int64_t width = shape.width;
  norm1 = register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})));
  qkv = register_module("qkv", column(width, 3 * width, ranks));
  out = register_module("out", row(width, width, ranks));
  norm2 = register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width})));
  up = register_module("up", column(width, 4 * width, ranks));
  down = register_module("down", row(4 * width, width, ranks));
}

/// Features of `qkv` are in the order (head, query or key or value, feature), so that each rank has whole heads.
Tensor BlockImpl::attend(const Tensor& x) {
  const int64_t batch = x.size(0), length = x.size(1);
  const Tensor heads = qkv(x).reshape({batch, length, own_heads, 3, -1}).permute({3, 0, 2, 1, 4});
  const Tensor mixed = scaled_dot_product_attention(heads[0], heads[1], heads[2], {}, 0.0, true);
  return out(mixed.transpose(1, 2).reshape({batch, length, -1}));
}

Tensor BlockImpl::forward(const Tensor& x) {
  const Tensor attended = x + attend(norm1(x));
  return attended + down(gelu(up(norm2(attended)), "tanh"));
}

ModelImpl::ModelImpl(const Shape& shape, const ProcessGroup& ranks) {
  token = register_module("token", nn::Embedding(shape.vocabulary, shape.width));
  place = register_module("place", nn::Embedding(shape.block, shape.width));
  blocks = register_module("blocks", nn::ModuleList());
  for (int64_t i = 0; i < shape.layers; ++i) blocks->push_back(Block(shape, ranks));
  norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({shape.width})));
  head = register_module("head", nn::Linear(shape.width, shape.vocabulary));
  const NoGradGuard no_grad;
  for (nn::Embedding* table : {&token, &place}) (*table)->weight.mul_(0.02);
}

Tensor ModelImpl::forward(const Tensor& characters) {
  Tensor x = token(characters) + place(arange(characters.size(1), kLong));
  for (const auto& block : *blocks) x = block->as<BlockImpl>()->forward(x);
  return head(norm(x));
}

}  // namespace gpt
