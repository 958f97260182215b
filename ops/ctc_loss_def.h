// Params and ops of the CTC loss.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct CtcParams {
  int64_t blank = 0;
  bool zero_infinity = false;  ///< samples that cannot be aligned have the slope 0 rather than NaN
};
/// (log_probs (T, N, C), targets (N, S), input_lengths (N), target_lengths (N)) -> (loss of each sample (N), log_alpha
/// (N, T, 2 S + 1)): the log-probability of all alignments that are in state s at step t. CtcParams.
extern Op ctc_loss_op;
/// (log_probs, log_alpha, targets, input_lengths, target_lengths) -> what each sample's loss changes with log_probs.
extern Op ctc_loss_slope_op;

}  // namespace strata
