// The ops that read and write elements at places that other tensors name.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// Inputs (x, index): element i of the output is x's with i's coordinates, the one along `dim` replaced by index[i].
struct GatherParams {
  int64_t dim;
};
/// Inputs (x, index, source): x with source's elements written, or added, at gather's places, in row-major order.
struct ScatterParams {
  int64_t dim;
  bool accumulate;
};
/// Inputs (x, index_1, ..., index_k), the int64 indices of equal shape I: dims first to first + k - 1 of x become I.
/// `wrap` allows indices that count from the end.
struct IndexParams {
  int64_t first;
  bool wrap;
};
/// Inputs (x, values, index_1, ..., index_k): x with values (of the shape that index_op gives) written or added, in
/// row-major order.
struct IndexPutParams {
  int64_t first;
  bool wrap, accumulate;
};
/// Inputs (weight, index): rows of weight. Rows with index % period == padding_idx get no gradient.
struct EmbeddingParams {
  int64_t padding_idx, period;
  bool scale_grad_by_freq;
};

extern Op gather_op, scatter_op, index_op, index_put_op, embedding_op, nonzero_op;

}  // namespace strata
