// CUDA kernels of division with rounding, powers and angles.
#include "kernels/arithmetic_math.h"
#include "kernels/cuda/common/elementwise.cuh"
#include "ops/binary_def.h"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

/// x^y of floats and of integers.
struct AnyPow {
  template <class T>
  STRATA_HD static T run(T x, T y) {
    if constexpr (kIsInteger<T>)
      return PowInteger::run(x, y);
    else
      return Pow::run(x, y);
  }
};

/// To a power of its own integer type, however wide.
struct PowBy {
  int64_t exponent;
  template <class T>
  STRATA_HD T operator()(T x) const {
    return PowInteger::run(x, exponent);
  }
};

void integer_power(const Tensor& out, Args in, int64_t exponent) {
  visit_dtype(in[0].dtype(), [&]<class T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      launch<T, T>(pow_scalar_op, out, in, PowBy{exponent});
  });
}

/// To a complex power.
template <class T>
struct ComplexPowBy {
  T exponent;
  STRATA_HD T operator()(T x) const { return Pow::run(x, exponent); }
};

/// A few exponents are exact by themselves.
void pow_scalar_cuda(Tensors& out, Args in, const PowParams& p) {
  const DType dtype = in[0].dtype();
  if (is_integral(dtype, true)) return integer_power(out[0], in, p.exponent.toLong());
  if (p.exponent == Scalar(2)) return run<Square, 1, kFields>(pow_scalar_op, out[0], in);
  if (p.exponent == Scalar(0.5)) return run<Sqrt, 1, kFields>(pow_scalar_op, out[0], in);
  if (p.exponent == Scalar(-1)) return run<Reciprocal, 1, kFields>(pow_scalar_op, out[0], in);
  if (is_complex(dtype)) {
    return visit_complex(
        dtype, [&]<class T>() { launch<T, T>(pow_scalar_op, out[0], in, ComplexPowBy<T>{p.exponent.to<T>()}); });
  }
  const double e = p.exponent.toDouble();
  if (e == 3) return run<Cube, 1, kFloats>(pow_scalar_op, out[0], in);
  if (e == -0.5) return run<Rsqrt, 1, kFloats>(pow_scalar_op, out[0], in);
  run<Pow, 1, kFloats, 1>(pow_scalar_op, out[0], in, &e);
}

STRATA_KERNEL(fmod_op, CUDA, (elementwise<fmod_op, Fmod, 2, kNumeric>));
STRATA_KERNEL(remainder_op, CUDA, (elementwise<remainder_op, Remainder, 2, kNumeric>));
STRATA_KERNEL(floor_divide_op, CUDA, (elementwise<floor_divide_op, FloorDivide, 2, kNumeric>));
STRATA_KERNEL(div_trunc_op, CUDA, (elementwise<div_trunc_op, DivTrunc, 2, kNumeric>));
STRATA_KERNEL(pow_op, CUDA, (elementwise<pow_op, AnyPow, 2, kNumbers>));
STRATA_KERNEL(pow_scalar_op, CUDA, pow_scalar_cuda);
STRATA_KERNEL(atan2_op, CUDA, (elementwise<atan2_op, Atan2, 2, kFloats>));

}  // namespace
}  // namespace strata::cuda::pointwise
