// Mixed precision: inside of a guard products are computed in 16 bits and what needs the range or the digits in
// float32.
#pragma once
#include "../core/autocast.h"

namespace strata {

/// Inside of its scope the ops on one kind of device choose their precision (PyTorch's torch.autocast): products are
/// computed in `dtype`; sums, norms, powers, exponentials, softmax and losses in float32; all others in what they are
/// given. Tensors stay as they are: operands are cast as an op needs them, and gradients arrive in the type of what
/// they are of. float64 is left alone, and so are in-place ops and backward.
class AutocastGuard {
 public:
  /// In the type that is set for the device.
  explicit AutocastGuard(DeviceType device);
  AutocastGuard(DeviceType device, DType dtype, bool enabled = true);
  ~AutocastGuard();
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  const autocast::Settings previous_;
};

namespace autocast {
/// Forgets what weights were cast to; the outermost guard does so at its end.
void clear_cache();
}  // namespace autocast

}  // namespace strata
