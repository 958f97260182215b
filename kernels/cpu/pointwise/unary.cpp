// CPU kernels of the ops of one operand.
#include "dispatcher/kernel.h"
#include "kernels/arithmetic_math.h"
#include "kernels/arithmetic_special.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/plain_loop.h"
#include "kernels/cpu/pointwise/vec_binary.h"
#include "kernels/cpu/pointwise/vec_unary.h"
#include "ops/unary_def.h"

namespace strata::cpu::pointwise {
namespace {

using namespace arithmetic;

/// No integer loops: the public functions convert first.
struct FloatOnly {};

/// No complex loops: the op refuses them.
struct RealOnly {};

template <class Integer, class OfComplex>
DTypeLoops with_plain(FloatLoops f) {
  DTypeLoops t(f);
  if constexpr (!std::is_same_v<Integer, FloatOnly>) add_integer_loops<Integer, 1>(t);
  if constexpr (requires { Integer::kBool; }) add_bool_loop<Integer, 1>(t);
  if constexpr (!std::is_same_v<OfComplex, RealOnly>) add_complex_loops<OfComplex, 1>(t);
  return t;
}

template <const Op& op, VecUnary f, class Integer = FloatOnly, class OfComplex = RealOnly>
void unary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = with_plain<Integer, OfComplex>(vec_unary(f));
  elementwise<1>(op, out[0], in, loops);
}
/// A function of floating point and complex numbers.
template <const Op& op, VecUnary f, class OfComplex>
void analytic(Tensors& out, Args in, const NoParams& p) {
  unary<op, f, FloatOnly, OfComplex>(out, in, p);
}

template <const Op& op, class F>
void plain_unary(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops(plain_float_loops<F, 1>());
  elementwise<1>(op, out[0], in, loops);
}

void bitwise_not(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t;
    add_integer_loops<BitwiseNot, 1>(t);
    add_bool_loop<BitwiseNot, 1>(t);
    return t;
  }();
  elementwise<1>(bitwise_not_op, out[0], in, loops);
}

template <class T>
void polygamma_loop(const LoopArgs& a) {
  const T* x = static_cast<const T*>(a.in[0]);
  for (int64_t i = 0; i < a.n; ++i)
    static_cast<T*>(a.out)[i] = Polygamma::run(x[i * a.step[0]], static_cast<int>(*a.params));
}
void polygamma_cpu(Tensors& out, Args in, const PolygammaParams& p) {
  static const DTypeLoops loops(FloatLoops{&polygamma_loop<float>, &polygamma_loop<double>});
  const double order = static_cast<double>(p.n);
  elementwise<1>(polygamma_op, out[0], in, loops, &order);
}

template <const Op& op, VecBinary f, class OfComplex = RealOnly>
void unary_backward(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t(vec_binary(f));
    if constexpr (!std::is_same_v<OfComplex, RealOnly>) add_complex_loops<OfComplex, 2>(t);
    return t;
  }();
  elementwise<2>(op, out[0], in, loops);
}

using enum VecUnary;
STRATA_KERNEL(neg_op, CPU, (unary<neg_op, kNeg, Neg, Neg>));
STRATA_KERNEL(abs_op, CPU, (unary<abs_op, kAbs, Abs>));
STRATA_KERNEL(sign_op, CPU, (unary<sign_op, kSign, Sign>));
STRATA_KERNEL(square_op, CPU, (unary<square_op, kSquare, Square, Square>));
STRATA_KERNEL(relu_op, CPU, (unary<relu_op, kRelu, Relu>));
STRATA_KERNEL(floor_op, CPU, (unary<floor_op, kFloor, Floor>));
STRATA_KERNEL(ceil_op, CPU, (unary<ceil_op, kCeil, Ceil>));
STRATA_KERNEL(round_op, CPU, (unary<round_op, kRound, Round>));
STRATA_KERNEL(trunc_op, CPU, (unary<trunc_op, kTrunc, Trunc>));
STRATA_KERNEL(frac_op, CPU, (unary<frac_op, kFrac>));
STRATA_KERNEL(isnan_op, CPU, (unary<isnan_op, kIsNan, IsNan, IsNan>));
STRATA_KERNEL(isinf_op, CPU, (unary<isinf_op, kIsInf, IsInf, IsInf>));
STRATA_KERNEL(isfinite_op, CPU, (unary<isfinite_op, kIsFinite, IsFinite, IsFinite>));
STRATA_KERNEL(logical_not_op, CPU, (unary<logical_not_op, kLogicalNot, LogicalNot, LogicalNot>));
STRATA_KERNEL(bitwise_not_op, CPU, bitwise_not);
STRATA_KERNEL(sqrt_op, CPU, (analytic<sqrt_op, kSqrt, Sqrt>));
STRATA_KERNEL(rsqrt_op, CPU, (analytic<rsqrt_op, kRsqrt, Rsqrt>));
STRATA_KERNEL(reciprocal_op, CPU, (analytic<reciprocal_op, kReciprocal, Reciprocal>));
STRATA_KERNEL(exp_op, CPU, (analytic<exp_op, kExp, Exp>));
STRATA_KERNEL(exp2_op, CPU, (analytic<exp2_op, kExp2, Exp2>));
STRATA_KERNEL(expm1_op, CPU, (analytic<expm1_op, kExpm1, Expm1>));
STRATA_KERNEL(log_op, CPU, (analytic<log_op, kLog, Log>));
STRATA_KERNEL(log2_op, CPU, (analytic<log2_op, kLog2, Log2>));
STRATA_KERNEL(log10_op, CPU, (analytic<log10_op, kLog10, Log10>));
STRATA_KERNEL(log1p_op, CPU, (analytic<log1p_op, kLog1p, Log1p>));
STRATA_KERNEL(sin_op, CPU, (analytic<sin_op, kSin, Sin>));
STRATA_KERNEL(cos_op, CPU, (analytic<cos_op, kCos, Cos>));
STRATA_KERNEL(tan_op, CPU, (analytic<tan_op, kTan, Tan>));
STRATA_KERNEL(asin_op, CPU, (analytic<asin_op, kAsin, Asin>));
STRATA_KERNEL(acos_op, CPU, (analytic<acos_op, kAcos, Acos>));
STRATA_KERNEL(atan_op, CPU, (analytic<atan_op, kAtan, Atan>));
STRATA_KERNEL(sinh_op, CPU, (analytic<sinh_op, kSinh, Sinh>));
STRATA_KERNEL(cosh_op, CPU, (analytic<cosh_op, kCosh, Cosh>));
STRATA_KERNEL(tanh_op, CPU, (analytic<tanh_op, kTanh, Tanh>));
STRATA_KERNEL(asinh_op, CPU, (analytic<asinh_op, kAsinh, Asinh>));
STRATA_KERNEL(acosh_op, CPU, (analytic<acosh_op, kAcosh, Acosh>));
STRATA_KERNEL(atanh_op, CPU, (analytic<atanh_op, kAtanh, Atanh>));
STRATA_KERNEL(sigmoid_op, CPU, (analytic<sigmoid_op, kSigmoid, Sigmoid>));
STRATA_KERNEL(erf_op, CPU, (unary<erf_op, kErf>));
STRATA_KERNEL(erfc_op, CPU, (plain_unary<erfc_op, Erfc>));
STRATA_KERNEL(erfinv_op, CPU, (plain_unary<erfinv_op, Erfinv>));
STRATA_KERNEL(lgamma_op, CPU, (plain_unary<lgamma_op, Lgamma>));
STRATA_KERNEL(digamma_op, CPU, (plain_unary<digamma_op, Digamma>));
STRATA_KERNEL(polygamma_op, CPU, polygamma_cpu);
STRATA_KERNEL(relu_backward_op, CPU, (unary_backward<relu_backward_op, VecBinary::kReluBackward>));
STRATA_KERNEL(tanh_backward_op, CPU, (unary_backward<tanh_backward_op, VecBinary::kTanhBackward, TanhBackward>));
STRATA_KERNEL(sigmoid_backward_op, CPU,
              (unary_backward<sigmoid_backward_op, VecBinary::kSigmoidBackward, SigmoidBackward>));

}  // namespace
}  // namespace strata::cpu::pointwise
