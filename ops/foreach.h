// Functions of lists of tensors that run as few kernels, whatever the length of the list: for gradients. Nothing is
// recorded for derivatives. The tensors are floating point or complex ones; dtypes and devices may be mixed.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// The p-norm of all elements together: 0-dim on the first tensor's device, float64 if a tensor is, else float32. The
/// bits do not depend on the number of threads.
Tensor total_norm(ArrayRef<Tensor> tensors, double p = 2);

/// Each tensor times `factor`, which has one element; where that is 1, the memory is not touched.
void foreach_mul_(ArrayRef<Tensor> tensors, const Tensor& factor);
/// Each tensor times max_norm / (norm + 1e-6) where that is below 1: `norm` has one element, the norm of all together.
void foreach_clip_norm_(ArrayRef<Tensor> tensors, const Tensor& norm, double max_norm);
/// Each element below `min` becomes `min`, each above `max` becomes `max`; NaN stays. Complex numbers have no order and
/// are refused.
void foreach_clamp_(ArrayRef<Tensor> tensors, double min, double max);
void foreach_zero_(ArrayRef<Tensor> tensors);

}  // namespace strata
