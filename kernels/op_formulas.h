// Which formula computes which element-wise op, for which element types: all that the kernels of both backends are made
// from.
#pragma once
#include <array>

#include "kernels/arithmetic.h"
#include "kernels/arithmetic_special.h"
#include "kernels/special_gamma.h"
#include "ops/activation_def.h"
#include "ops/binary_def.h"
#include "ops/complex_def.h"
#include "ops/digits_def.h"
#include "ops/loss_def.h"
#include "ops/special_def.h"
#include "ops/ternary_def.h"
#include "ops/unary_def.h"

namespace strata::arithmetic {

/// Element types that a formula is made into kernels for.
enum Types : unsigned {
  kFloats = 1,
  kIntegers = 2,
  kBools = 4,
  kComplex = 8,
  kUnsigned = 16,  ///< uint16 and uint64, where the signed types do not give their bits
  kNumeric = kFloats | kIntegers,
  kBits = kIntegers | kBools,
  kReals = kNumeric | kBools,
  kFields = kFloats | kComplex,  ///< what has a division
  kNumbers = kNumeric | kComplex,
  kEverything = kReals | kComplex
};

// What a formula's numbers are, in their order, for the params of an op.
inline std::array<double, 0> numbers_of(const NoParams&) { return {}; }
inline std::array<double, 0> numbers_of(const GeluParams&) { return {}; }
inline std::array<double, 1> numbers_of(const LeakyReluParams& p) { return {p.slope}; }
inline std::array<double, 3> numbers_of(const EluParams& p) { return {p.alpha * p.scale, p.scale, p.input_scale}; }
inline std::array<double, 2> numbers_of(const SoftplusParams& p) { return {p.beta, p.threshold}; }
inline std::array<double, 3> numbers_of(const HardtanhParams& p) { return {p.min, p.max, p.nan_slope}; }
inline std::array<double, 2> numbers_of(const ThresholdParams& p) { return {p.threshold, p.value}; }
inline std::array<double, 3> numbers_of(const NanToNumParams& p) { return {p.nan, p.posinf, p.neginf}; }
inline std::array<double, 3> numbers_of(const LogitParams& p) { return {p.low(), p.high(), p.outside()}; }
inline std::array<double, 2> numbers_of(const ShrinkParams& p) { return {p.limit, p.step}; }
inline std::array<double, 2> numbers_of(const RoundToParams& p) { return {p.up, p.down}; }
inline std::array<double, 1> numbers_of(const NumberParams& p) { return {p.number}; }
inline std::array<double, 1> numbers_of(const LerpParams& p) { return {p.weight}; }
inline std::array<double, 1> numbers_of(const PolygammaParams& p) { return {static_cast<double>(p.n)}; }
inline std::array<double, 0> numbers_of(const BesselParams&) { return {}; }
inline std::array<double, 0> numbers_of(const PolynomialParams&) { return {}; }
inline std::array<double, 1> numbers_of(const AddcParams& p) { return {p.value}; }
inline std::array<double, 3> numbers_of(const SmoothL1Params& p) { return {p.beta, 0.5 / p.beta, 0.5 * p.beta}; }

/// Which of an op's formulas its params ask for.
constexpr int which_of(const auto&) { return 0; }
inline int which_of(const GeluParams& p) { return p.tanh; }
inline int which_of(const PolygammaParams& p) { return p.n > 1; }
inline int which_of(const BesselParams& p) { return static_cast<int>(p.kind); }
inline int which_of(const PolynomialParams& p) { return static_cast<int>(p.kind); }

/// An op, the operands its formulas take, the types they are for, its params, and its formulas: several where the
/// params say which.
template <Op& kOp, int inputs, unsigned types, class P, class... F>
struct OpFormulas {
  using Params = P;
  static constexpr Op& op = kOp;
  static constexpr int kInputs = inputs;
  static constexpr unsigned kTypes = types;
  static constexpr int kCount = sizeof...(F);
  static constexpr int kNumberCount = std::tuple_size_v<decltype(numbers_of(std::declval<P>()))>;
};
template <Op& op, class F, unsigned types, class P = NoParams>
using Unary = OpFormulas<op, 1, types, P, F>;
template <Op& op, class F, unsigned types, class P = NoParams>
using Binary = OpFormulas<op, 2, types, P, F>;
template <Op& op, class F, unsigned types, class P = NoParams>
using Ternary = OpFormulas<op, 3, types, P, F>;

template <class... R>
struct List {};

#include "kernels/op_formulas-inl.h"

// Those that have no loops over vectors.
using OfNumbers = List<Unary<bitwise_not_op, BitwiseNot, kBits>,     //
                       Unary<conj_op, Conj, kComplex>,               //
                       Binary<bitwise_and_op, BitwiseAnd, kBits>,    //
                       Binary<bitwise_or_op, BitwiseOr, kBits>,      //
                       Binary<bitwise_xor_op, BitwiseXor, kBits>,    //
                       Binary<shift_left_op, ShiftLeft, kIntegers>,  //
                       Binary<shift_right_op, ShiftRight, kIntegers>>;

}  // namespace strata::arithmetic
