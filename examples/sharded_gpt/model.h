// A GPT over characters whose attention and perceptrons the ranks of a group divide.
#pragma once
#include <strata/strata.h>

namespace gpt {

using strata::ProcessGroup;
using strata::Tensor;
namespace nn = strata::nn;

struct Shape {
  int64_t vocabulary = 0, block = 0, layers = 0, heads = 0, width = 0;
};

/// Attention of each character to those before it, and a perceptron; heads and hidden features are divided.
struct BlockImpl : nn::Module {
  BlockImpl(const Shape& shape, const ProcessGroup& ranks);
  Tensor forward(const Tensor& x);

  int64_t own_heads;
  nn::LayerNorm norm1 = nullptr, norm2 = nullptr;
  nn::parallel::ColumnParallelLinear qkv = nullptr, up = nullptr;
  nn::parallel::RowParallelLinear out = nullptr, down = nullptr;

 private:
  Tensor attend(const Tensor& x);
};
STRATA_MODULE(Block);

/// Numbers of characters `(B, T)` to scores of the next ones `(B, T, vocabulary)`.
struct ModelImpl : nn::Module {
  ModelImpl(const Shape& shape, const ProcessGroup& ranks);
  Tensor forward(const Tensor& characters);

  nn::Embedding token = nullptr, place = nullptr;
  nn::ModuleList blocks = nullptr;
  nn::LayerNorm norm = nullptr;
  nn::Linear head = nullptr;
};
STRATA_MODULE(Model);

}  // namespace gpt
