// Datasets over tensors that are in memory.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "../core/tensor.h"
#include "dataset.h"

namespace strata::data::datasets {

/// The rows `indices` of `source` as a new tensor `(indices, …)`.
Tensor take_rows(const Tensor& source, ArrayRef<size_t> indices);

/// The rows of one tensor, without targets.
struct TensorDataset : Dataset<TensorDataset, TensorExample> {
  explicit TensorDataset(Tensor tensor);
  /// Stacks tensors of equal shape.
  explicit TensorDataset(const std::vector<Tensor>& tensors);
  TensorExample get(size_t index) override;
  std::optional<size_t> size() const override;
  /// The batch as one example: Note [Stacked batches].
  TensorExample stacked(ArrayRef<size_t> indices) { return take_rows(tensor, indices); }

  Tensor tensor;
};

/// The rows of `data` with those of `targets`.
struct TensorPairDataset : Dataset<TensorPairDataset> {
  /// Throws unless both have the same number of rows.
  TensorPairDataset(Tensor data, Tensor targets);
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override;
  Example<> stacked(ArrayRef<size_t> indices) { return {take_rows(data, indices), take_rows(targets, indices)}; }

  Tensor data, targets;
};

}  // namespace strata::data::datasets
