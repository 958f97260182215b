// Leaves that have their values in another dtype for a while.
#include "distributed/mixed_precision.h"

#include "core/grad_mode.h"
#include "ops/binary.h"

namespace strata::distributed {

void cast_buffers_(const std::vector<Tensor>& buffers, DType dtype) {
  const NoGradGuard no_grad;
  for (const Tensor& b : buffers)
    if (b.is_floating_point() && b.dtype() != dtype) b.set_data(b.detach().to(dtype));
}

LowPrecision::LowPrecision(const std::vector<Tensor>& leaves, DType dtype) : dtype_(dtype) {
  for (const Tensor& t : leaves) leaves_.push_back({t, Tensor(), Tensor()});
}

void LowPrecision::enter() {
  if (is_entered_) return;
  const NoGradGuard no_grad;
  for (Leaf& leaf : leaves_) {
    leaf.kept = leaf.tensor.detach();
    leaf.gradient = std::exchange(leaf.tensor.mutable_grad(), Tensor());
    if (leaf.tensor.is_floating_point()) leaf.tensor.set_data(leaf.kept.to(dtype_));
  }
  is_entered_ = true;
}

Tensor LowPrecision::take_gradient(size_t i) {
  const NoGradGuard no_grad;
  Leaf& leaf = leaves_[i];
  const Tensor got = std::exchange(leaf.tensor.mutable_grad(), Tensor());
  if (!is_entered_ || !got.defined()) return is_entered_ ? std::exchange(leaf.gradient, Tensor()) : got;
  const Tensor cast = got.to(leaf.kept.dtype());
  return leaf.gradient.defined() ? std::exchange(leaf.gradient, Tensor()) + cast : cast;
}

void LowPrecision::leave() {
  if (!is_entered_) return;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const Tensor gradient = take_gradient(i);
    leaves_[i].tensor.set_data(leaves_[i].kept);
    leaves_[i].tensor.mutable_grad() = gradient;
    leaves_[i].kept = Tensor();
  }
  is_entered_ = false;
}

}  // namespace strata::distributed
