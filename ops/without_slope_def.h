// The op behind results that have no slope.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"
#include "without_slope.h"

namespace strata {

struct WithoutSlopeParams {
  NoSlope why = NoSlope::kBernoulli;
};

/// (y, x) -> y, of any two shapes: y was computed of x, which this says why there is no slope by.
extern Op without_slope_op;

}  // namespace strata
