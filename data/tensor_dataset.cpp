// Rows of tensors, one by one as views or many as one copy.
#include "data/tensor_dataset.h"

#include <algorithm>

#include "ops/creation.h"
#include "ops/shaping.h"

namespace strata::data::datasets {
namespace {

void check_index(size_t index, int64_t size) {
  STRATA_CHECK_INDEX(index < static_cast<size_t>(size), "dataset: index {} is out of range, there are {} examples",
                     index, size);
}

}  // namespace

Tensor take_rows(const Tensor& source, ArrayRef<size_t> indices) {
  const Tensor rows = empty({static_cast<int64_t>(indices.size())}, kInt64);
  auto* out = rows.data_ptr<int64_t>();
  for (const size_t i : indices) {
    check_index(i, source.size(0));
    *out++ = static_cast<int64_t>(i);
  }
  return source.index_select(0, rows.to(source.device()));
}

TensorDataset::TensorDataset(Tensor rows) : tensor(std::move(rows)) {
  STRATA_CHECK(tensor.dim() > 0, "TensorDataset: a tensor without dimensions has no rows");
}

TensorDataset::TensorDataset(const std::vector<Tensor>& tensors) : TensorDataset(stack(tensors)) {}

TensorExample TensorDataset::get(size_t index) {
  check_index(index, tensor.size(0));
  return tensor.select(0, static_cast<int64_t>(index));
}

std::optional<size_t> TensorDataset::size() const { return static_cast<size_t>(tensor.size(0)); }

TensorPairDataset::TensorPairDataset(Tensor rows, Tensor row_targets)
    : data(std::move(rows)), targets(std::move(row_targets)) {
  STRATA_CHECK(data.dim() > 0 && targets.dim() > 0 && data.size(0) == targets.size(0),
               "TensorPairDataset: data of shape {} and targets of shape {} do not have the same number of rows",
               data.sizes(), targets.sizes());
}

Example<> TensorPairDataset::get(size_t index) {
  check_index(index, data.size(0));
  return {data.select(0, static_cast<int64_t>(index)), targets.select(0, static_cast<int64_t>(index))};
}

std::optional<size_t> TensorPairDataset::size() const { return static_cast<size_t>(data.size(0)); }

}  // namespace strata::data::datasets
