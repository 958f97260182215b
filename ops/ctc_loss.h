// Connectionist temporal classification (Graves et al., 2006).
#pragma once
#include "loss.h"

namespace strata {

/// Minus the log-probability that a sequence of classes with blanks in between reads as the target, repeated classes
/// without a blank between them counting once. `log_probs` (T, N, C) or (T, C) comes from log_softmax; `targets` are
/// int32 or int64, (N, S) or all targets one after the other; lengths are (N), the inputs' at most T. The mean divides
/// each sample's loss by its target's length first. With `zero_infinity`, targets too long for their inputs cost 0.
/// As in PyTorch the gradient is that of log_probs which log_softmax has made: exp(log_probs) minus how often each
/// class is visited. Throws Error for lengths that do not fit and IndexError for classes outside [0, C).
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank = 0, int64_t reduction = Reduction::Mean, bool zero_infinity = false);
/// The same with lengths as int32 or int64 tensors, which are read on the host.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank = 0, int64_t reduction = Reduction::Mean,
                bool zero_infinity = false);

}  // namespace strata
