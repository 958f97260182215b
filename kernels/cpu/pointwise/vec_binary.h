// Vector loops of functions of two and three operands over float and double.
#pragma once
#include "kernels/cpu/common/loop.h"

namespace strata::cpu::pointwise {

/// Functions that have vector loops. Those from kEq on give bool; those from kClamp on have three operands or numbers
/// as params.
enum class VecBinary : uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMaximum,
  kMinimum,
  kReluBackward,
  kTanhBackward,
  kSigmoidBackward,
  kGeluBackward,
  kGeluTanhBackward,
  kSiluBackward,
  kPow,
  kAtan2,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,
  kCount
};
enum class VecTernary : uint8_t { kClamp, kLerp, kAddcmul, kAddcdiv, kCount };
/// Unary functions with numbers: the params of LoopArgs.
enum class VecParam : uint8_t { kPow, kHardtanh, kLeakyRelu, kElu, kSoftplus, kThreshold, kCount };

const FloatLoops& vec_binary(VecBinary f);
const FloatLoops& vec_ternary(VecTernary f);
const FloatLoops& vec_param(VecParam f);

}  // namespace strata::cpu::pointwise
