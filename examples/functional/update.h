// A step of an optimizer with gradients that come as a nest.
#pragma once
#include <strata/strata.h>

#include <vector>

namespace strata::examples {

/// One step of an optimizer of `tree::leaves(params)` with a nest of gradients; changes the tensors of `params`.
template <class Nest>
void update(optim::Optimizer& optimizer, const Nest& gradients) {
  const std::vector<Tensor> list = tree::leaves(gradients);
  for (size_t i = 0; i < list.size(); ++i) optimizer.parameters()[i].mutable_grad() = list[i];
  optimizer.step();
}

}  // namespace strata::examples
