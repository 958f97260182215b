// Embedding and one_hot.
#include "ops/embedding.h"

#include <algorithm>

#include "core/called.h"
#include "core/error.h"
#include "ops/creation.h"
#include "ops/embedding_rules.h"
#include "ops/in_place.h"
#include "ops/index_dtypes.h"
#include "ops/indexing.h"
#include "ops/indexing_def.h"
#include "ops/rules.h"
#include "ops/view.h"

namespace strata {
namespace {

Tensor looked_up(const Tensor& table, const Tensor& index) {
  return call1(index_op, {&table, &index}, IndexParams{0, false});
}

Tensor added_up(const Tensor& rows, const Tensor& index, const Tensor& like) {
  const Tensor zeros = dispatch::rules::zero_like(like);
  return call1(index_put_op, {&zeros, &rows, &index}, IndexPutParams{0, false, true});
}

/// Rows of a derivative: zero at the padding, divided by how often they are looked up if so asked.
Tensor derivative_rows(const Tensor& rows, const Tensor& index, const Tensor& weight, const EmbeddingParams& p) {
  Tensor out = rows;
  if (p.padding_idx >= 0) out = masked_fill(out, unsqueeze(index.remainder(p.period).eq(p.padding_idx), -1), 0);
  if (!p.scale_grad_by_freq) return out;
  const Tensor ones = constant(1, rows.dtype(), rows.device(), index.sizes());
  const Tensor counts = added_up(ones, index, constant(0, rows.dtype(), rows.device(), weight.sizes().slice(0, 1)));
  return out.div(unsqueeze(looked_up(counts, index), -1));
}

Tensors batch_embedding(const Batch& c, const EmbeddingParams& p) {
  if (!c.batched(0)) return call(c.op, {&c.in(0), &c.in(1)}, p);
  // One table with the rows of all; `period` still finds the padding rows.
  const Tensor& weight = c.in(0);
  const int64_t rows = weight.sizes()[1];
  const Tensor index = rules::batched(c, 1), table = reshape(weight, {c.size * rows, weight.sizes()[2]});
  const Tensor shifted = index_into_all(index, rows);
  return call(c.op, {&table, &shifted}, p);
}

}  // namespace

Tensor example_numbers(int64_t size, const Tensor& like) {
  DimVector shape(like.dim(), 1);
  shape[0] = size;
  return reshape(arange(size, TensorOptions(kLong).device(like.device())), shape);
}

Tensor index_into_all(const Tensor& index, int64_t rows) {
  const int64_t size = index.sizes()[0];
  const Tensor numbers = example_numbers(size, index), each = expand(numbers, index.sizes());
  // Reads nothing of interest, but throws for an index that would reach into the next table.
  const Tensor columns = constant(0, kBool, index.device(), {size, rows});
  call(index_op, {&columns, &each, &index}, IndexParams{0, false});
  return index.add(numbers.mul(Scalar(rows)));
}

STRATA_OP(embedding_op) =
    op<EmbeddingParams>(
        "embedding(Tensor weight, Tensor index, int padding_idx, int period, bool scale_grad_by_freq) -> Tensor")
        .infer([](Args in) {
          DimVector sizes = in[1].sizes();
          sizes.push_back(in[0].sizes()[1]);
          return meta(sizes, in[0].dtype(), in[0].device());
        })
        .vjp([](const Vjp& c, const EmbeddingParams& p) {
          return Tensors(added_up(derivative_rows(c.grad(), c.in(1), c.in(0), p), c.in(1), c.in(0)), {});
        })
        .saves(saves_shape(0) | saves_in(1))
        .jvp([](const Jvp& c, const EmbeddingParams& p) {
          return derivative_rows(looked_up(c.tangent(), c.in(1)), c.in(1), c.in(0), p);
        })
        .batch([](const Batch& c, const EmbeddingParams& p) { return batch_embedding(c, p); })
        .dtypes(kStoredTypes)
        .dtypes_for(1, DTypes(kLong));

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq,
                 bool sparse) {
  const Called called;
  if (sparse) warn_once("embedding: gradients are dense, also where sparse ones are asked for");
  STRATA_CHECK(weight.dim() == 2, "embedding: weight must have shape (V, D), got {}", weight.sizes());
  const Tensor index = as_index(indices, "embedding", kIntOrLongIndex, "indices");
  const int64_t rows = weight.sizes()[0];
  STRATA_CHECK(padding_idx < rows, "embedding: padding_idx {} is out of range for {} rows", padding_idx, rows);
  try {
    if (padding_idx < 0 && !scale_grad_by_freq) return looked_up(weight, index);
    return call1(embedding_op, {&weight, &index}, EmbeddingParams{padding_idx, rows, scale_grad_by_freq});
  } catch (const IndexError&) {
    detail::rethrow_as("embedding: index out of range in self");
  }
}

Tensor one_hot(const Tensor& x, int64_t num_classes) {
  const Called called;
  STRATA_CHECK(x.dtype() == kLong, "one_hot: needs int64 values, got {}", name(x.dtype()));
  STRATA_CHECK(num_classes > 0 || (num_classes == -1 && x.numel() > 0), "one_hot: num_classes must be positive, got {}",
               num_classes);
  const int64_t classes = num_classes == -1 ? std::min(x.max().item<int64_t>(), INT64_MAX - 1) + 1 : num_classes;
  DimVector sizes = x.sizes();
  sizes.push_back(classes);
  return scatter(constant(0, kLong, x.device(), sizes), -1, unsqueeze(x, -1), 1);
}

}  // namespace strata
