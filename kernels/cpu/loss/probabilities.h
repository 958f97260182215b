// What binary cross entropy asks of its first input.
#pragma once
#include "dispatcher/names.h"

namespace strata::cpu::loss {

/// Throws unless all values of in[0] are in [0, 1]; a NaN is not.
void check_probabilities(Args in);

}  // namespace strata::cpu::loss
