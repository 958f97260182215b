// Each loss is weighed as if all small batches were like the first; gradients are rescaled where they were not.
#include "train/accumulate.h"

#include "core/error.h"
#include "core/grad_mode.h"
#include "ops/binary.h"

namespace strata::train {

GradientAccumulator::GradientAccumulator(std::vector<Tensor> parameters, int64_t count)
    : parameters_(std::move(parameters)), count_(count) {
  STRATA_CHECK(count >= 1, "GradientAccumulator: {} small batches in a big one, expected 1 or more", count);
}

bool GradientAccumulator::backward(const Tensor& loss, double weight) {
  STRATA_CHECK(weight > 0, "GradientAccumulator: a small batch of weight {}, expected more than 0", weight);
  if (done_ == 0) {
    first_ = weight;
    sum_ = 0;
  }
  const double factor = weight / (first_ * static_cast<double>(count_));
  (factor == 1 ? loss : loss * factor).backward();
  ++done_;
  sum_ += weight;
  return done_ == count_ && finish();
}

bool GradientAccumulator::finish() {
  if (done_ == 0) return false;
  const double expected = first_ * static_cast<double>(count_);
  if (sum_ != expected) {
    const NoGradGuard no_grad;
    for (const Tensor& parameter : parameters_) {
      if (parameter.grad().defined()) parameter.grad().mul_(expected / sum_);
    }
  }
  done_ = 0;
  return true;
}

}  // namespace strata::train
