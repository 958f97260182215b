// Vector loops of the unary functions over float and double, chosen once for the machine they run on.
#pragma once
#include "kernels/cpu/common/loop.h"

namespace strata::cpu::pointwise {

/// Unary functions that have vector loops. Those from kIsNan on give bool.
enum class VecUnary : uint8_t {
  kNeg,
  kAbs,
  kSign,
  kSqrt,
  kRsqrt,
  kReciprocal,
  kSquare,
  kCube,
  kFloor,
  kCeil,
  kRound,
  kTrunc,
  kFrac,
  kRelu,
  kExp,
  kExp2,
  kExpm1,
  kLog,
  kLog2,
  kLog10,
  kLog1p,
  kSigmoid,
  kTanh,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,
  kSilu,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kErf,
  kGelu,
  kGeluTanh,
  kIsNan,
  kIsInf,
  kIsFinite,
  kLogicalNot,
  kCount
};

/// The loops of `f`. Accuracy and special values: Note [Vector mathematics].
const FloatLoops& vec_unary(VecUnary f);

}  // namespace strata::cpu::pointwise
