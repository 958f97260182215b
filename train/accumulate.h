// Large batches in parts that fit into memory.
#pragma once

#include <cstdint>
#include <vector>

#include "../core/tensor.h"

namespace strata::train {

/// Adds up gradients of several small batches, so that they are those of the mean loss over all of their examples
/// together: of the one big batch, to rounding. It knows parameters only, and leaves clipping, scaling and steps to the
/// loop. (Layers that mix examples, such as batch norms, still see small batches.)
///
///     train::GradientAccumulator accumulate(net->parameters(), 4);
///     for (auto& batch : *loader) {
///       const Tensor loss = nn::functional::cross_entropy(net->forward(batch.data), batch.target);
///       if (!accumulate.backward(loss, batch.target.size(0))) continue;
///       optimizer.step();
///       optimizer.zero_grad();
///     }
class GradientAccumulator {
 public:
  /// Gradients of `count` small batches are those of a big one. Throws unless it is positive.
  GradientAccumulator(std::vector<Tensor> parameters, int64_t count);

  /// Runs backward on the mean loss of a small batch of `weight` examples (all equal unless given). True when gradients
  /// are complete: step and zero them then. They have to be zero or undefined before the first small batch.
  bool backward(const Tensor& loss, double weight = 1);
  /// At the end of an epoch: true when small batches are left over, whose gradients are complete now as well.
  bool finish();
  /// Will the next `backward` complete the gradients? Other ranks need not be told of the others.
  bool completes_next() const { return done_ + 1 == count_; }
  /// How many small batches are added up and not complete. Save a run where there are none: gradients are not saved.
  int64_t pending() const { return done_; }

 private:
  std::vector<Tensor> parameters_;
  int64_t count_, done_ = 0;
  double first_ = 0, sum_ = 0;  // of the weights
};

}  // namespace strata::train
