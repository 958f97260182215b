// The builders of ops and the dispatcher's names in strata, for our own sources; programs include <strata/custom_op.h>.
#pragma once
#include "../dispatcher/names.h"
#include "op_builder.h"

namespace strata {

namespace rules = dispatch::rules;

using dispatch::kIntegerTypes;
using dispatch::kNumberTypes;
using dispatch::kRealNumberTypes;
using dispatch::kSingleAndDouble;

using dispatch::Bilinear;
using dispatch::bilinear_rule;
using dispatch::Builder;
using dispatch::Linear;
using dispatch::linear_all;
using dispatch::linear_rule;
using dispatch::LinearAll;
using dispatch::minus_one;
using dispatch::MinusOne;
using dispatch::One;
using dispatch::one;
using dispatch::op;
using dispatch::pointwise;
using dispatch::pointwise_batch;
using dispatch::pointwise_constant;
using dispatch::PointwiseBatch;
using dispatch::shift_dims;
using dispatch::ShiftDims;
using dispatch::Zero;
using dispatch::zero;

}  // namespace strata
