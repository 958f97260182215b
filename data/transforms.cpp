// Stacking of examples, and the column of per-channel values that Normalize broadcasts.
#include "data/transforms.h"

#include "ops/creation.h"
#include "ops/shaping.h"

namespace strata::data::transforms {

Example<> Stack<Example<>>::apply_batch(std::vector<Example<>> examples) {
  std::vector<Tensor> data, targets;
  data.reserve(examples.size());
  targets.reserve(examples.size());
  for (Example<>& example : examples) {
    data.push_back(std::move(example.data));
    targets.push_back(std::move(example.target));
  }
  return {stack(data), stack(targets)};
}

TensorExample Stack<TensorExample>::apply_batch(std::vector<TensorExample> examples) {
  std::vector<Tensor> data;
  data.reserve(examples.size());
  for (TensorExample& example : examples) data.push_back(std::move(example.data));
  return stack(data);
}

namespace detail {

Tensor per_channel(ArrayRef<double> values) { return tensor(values, kFloat32).unsqueeze(1).unsqueeze(2); }

}  // namespace detail
}  // namespace strata::data::transforms
