// CPU kernels of the ops of two operands.
#include <cstring>
#include <optional>

#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/arithmetic_math.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/plain_loop.h"
#include "kernels/cpu/pointwise/vec_binary.h"
#include "kernels/cpu/pointwise/vec_unary.h"
#include "ops/binary_def.h"

namespace strata::cpu::pointwise {
namespace {

using namespace arithmetic;

template <class Integer, bool kWithBool>
void add_plain(DTypeLoops& t) {
  add_integer_loops<Integer, 2>(t);
  if constexpr (kWithBool) add_bool_loop<Integer, 2>(t);
}

/// Vector loops for floats, plain ones for integers and, where `kWithBool`, for bool.
template <const Op& op, VecBinary f, class Integer, bool kWithBool = true>
void binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(vec_binary(f));
    add_plain<Integer, kWithBool>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// The same with plain loops for complex numbers.
template <const Op& op, VecBinary f, class Plain, bool kWithBool = true>
void number_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(vec_binary(f));
    add_plain<Plain, kWithBool>(t);
    add_complex_loops<Plain, 2>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// Vector loops for floats, plain ones for complex numbers, and by `Integer` for integers unless it is void.
template <const Op& op, VecBinary f, class OfComplex, class Integer = void>
void analytic_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(vec_binary(f));
    if constexpr (!std::is_void_v<Integer>) add_plain<Integer, false>(t);
    add_complex_loops<OfComplex, 2>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// Vector loops for floats only.
template <const Op& op, VecBinary f>
void float_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops(vec_binary(f));
  elementwise<2>(op, out[0], in, loops);
}

/// Plain loops for floats and integers.
template <const Op& op, class F>
void plain_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(plain_float_loops<F, 2>());
    add_plain<F, false>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// Plain loops for integers and, where `kWithBool`, bool.
template <const Op& op, class F, bool kWithBool>
void integer_binary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t;
    add_plain<F, kWithBool>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

/// The unary function that x^e is for a few exponents, as in PyTorch.
std::optional<VecUnary> power_shortcut(double e) {
  if (e == 2) return VecUnary::kSquare;
  if (e == 3) return VecUnary::kCube;
  if (e == 0.5) return VecUnary::kSqrt;
  if (e == -0.5) return VecUnary::kRsqrt;
  if (e == -1) return VecUnary::kReciprocal;
  return std::nullopt;
}

template <class T>
void integer_power_loop(const LoopArgs& a) {
  const T* x = static_cast<const T*>(a.in[0]);
  int64_t exponent = 0;
  std::memcpy(&exponent, a.params, sizeof(exponent));
  for (int64_t i = 0; i < a.n; ++i) static_cast<T*>(a.out)[i] = PowInteger::run(x[i * a.step[0]], exponent);
}

/// The exponent of an integer power travels as its bits.
void integer_power(const Tensor& out, Args in, int64_t exponent) {
  const Loop loop = visit_dtype(in[0].dtype(), []<class T>() -> Loop {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return &integer_power_loop<T>;
    else
      return nullptr;
  });
  if (!loop) fail_no_loop(pow_scalar_op, in[0].dtype());
  double bits = 0;
  std::memcpy(&bits, &exponent, sizeof(bits));
  elementwise<1>(out, in, loop, &bits);
}

template <class T>
void complex_power_loop(const LoopArgs& a) {
  const Complex<T>* x = static_cast<const Complex<T>*>(a.in[0]);
  const Complex<T> exponent(static_cast<T>(a.params[0]), static_cast<T>(a.params[1]));
  for (int64_t i = 0; i < a.n; ++i) static_cast<Complex<T>*>(a.out)[i] = Pow::run(x[i * a.step[0]], exponent);
}

void complex_power(const Tensor& out, Args in, Complex<double> e) {
  DTypeLoops loops;
  loops[kComplexFloat] = &complex_power_loop<float>;
  loops[kComplexDouble] = &complex_power_loop<double>;
  if (e == 2) add_complex_loops<Square, 1>(loops);
  if (e == 0.5) add_complex_loops<Sqrt, 1>(loops);
  if (e == -1) add_complex_loops<Reciprocal, 1>(loops);
  const double parts[] = {e.real(), e.imag()};
  elementwise<1>(pow_scalar_op, out, in, loops, parts);
}

void pow_scalar(Tensors& out, Args in, const PowParams& p) {
  if (is_complex(in[0].dtype())) return complex_power(out[0], in, p.exponent.toComplexDouble());
  if (!is_floating_point(in[0].dtype())) return integer_power(out[0], in, p.exponent.toLong());
  const double e = p.exponent.toDouble();
  const auto shortcut = power_shortcut(e);
  elementwise<1>(pow_scalar_op, out[0], in, DTypeLoops(shortcut ? vec_unary(*shortcut) : vec_param(VecParam::kPow)),
                 &e);
}

using enum VecBinary;
STRATA_KERNEL(add_op, CPU, (number_binary<add_op, kAdd, Add>));
STRATA_KERNEL(sub_op, CPU, (number_binary<sub_op, kSub, Sub, false>));
STRATA_KERNEL(mul_op, CPU, (number_binary<mul_op, kMul, Mul>));
STRATA_KERNEL(div_op, CPU, (analytic_binary<div_op, kDiv, Div>));
STRATA_KERNEL(pow_op, CPU, (analytic_binary<pow_op, kPow, Pow, PowInteger>));
STRATA_KERNEL(pow_scalar_op, CPU, pow_scalar);
STRATA_KERNEL(fmod_op, CPU, (plain_binary<fmod_op, Fmod>));
STRATA_KERNEL(remainder_op, CPU, (plain_binary<remainder_op, Remainder>));
STRATA_KERNEL(floor_divide_op, CPU, (plain_binary<floor_divide_op, FloorDivide>));
STRATA_KERNEL(div_trunc_op, CPU, (plain_binary<div_trunc_op, DivTrunc>));
STRATA_KERNEL(maximum_op, CPU, (binary<maximum_op, kMaximum, Maximum>));
STRATA_KERNEL(minimum_op, CPU, (binary<minimum_op, kMinimum, Minimum>));
STRATA_KERNEL(atan2_op, CPU, (float_binary<atan2_op, kAtan2>));
STRATA_KERNEL(eq_op, CPU, (number_binary<eq_op, kEq, Eq>));
STRATA_KERNEL(ne_op, CPU, (number_binary<ne_op, kNe, Ne>));
STRATA_KERNEL(lt_op, CPU, (binary<lt_op, kLt, Lt>));
STRATA_KERNEL(le_op, CPU, (binary<le_op, kLe, Le>));
STRATA_KERNEL(gt_op, CPU, (binary<gt_op, kGt, Gt>));
STRATA_KERNEL(ge_op, CPU, (binary<ge_op, kGe, Ge>));
STRATA_KERNEL(logical_and_op, CPU, (number_binary<logical_and_op, kLogicalAnd, LogicalAnd>));
STRATA_KERNEL(logical_or_op, CPU, (number_binary<logical_or_op, kLogicalOr, LogicalOr>));
STRATA_KERNEL(logical_xor_op, CPU, (number_binary<logical_xor_op, kLogicalXor, LogicalXor>));
STRATA_KERNEL(bitwise_and_op, CPU, (integer_binary<bitwise_and_op, BitwiseAnd, true>));
STRATA_KERNEL(bitwise_or_op, CPU, (integer_binary<bitwise_or_op, BitwiseOr, true>));
STRATA_KERNEL(bitwise_xor_op, CPU, (integer_binary<bitwise_xor_op, BitwiseXor, true>));
STRATA_KERNEL(shift_left_op, CPU, (integer_binary<shift_left_op, ShiftLeft, false>));
STRATA_KERNEL(shift_right_op, CPU, (integer_binary<shift_right_op, ShiftRight, false>));

}  // namespace
}  // namespace strata::cpu::pointwise
