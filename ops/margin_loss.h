// Losses of samples that belong to several classes.
#pragma once
#include "loss.h"

namespace strata {

/// The mean over classes of max(0, 1 - (x[j] - x[i])), summed over the sample's classes j and all others i, for x `(N,
/// C)` or `(C)`. `target` has x's shape, int64: the classes of a sample, the first negative one ends them. Others
/// outside [0, C) throw IndexError.
Tensor multilabel_margin_loss(const Tensor& x, const Tensor& target, int64_t reduction = Reduction::Mean);

}  // namespace strata
