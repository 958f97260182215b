// CUDA kernels of powers of tensors and of numbers.
#include "kernels/cuda/common/elementwise.cuh"

namespace strata::cuda::pointwise {
namespace {

using namespace arithmetic;

const FormulaOps power_ops{Powers()};

/// To a power of its own integer type, however wide.
struct PowBy {
  int64_t exponent;
  template <class T>
  STRATA_HD T operator()(T x) const {
    return arithmetic::integer_power(x, exponent);
  }
};

void integer_power(const Tensor& out, Args in, int64_t exponent) {
  visit_dtype(in[0].dtype(), [&]<class T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      launch<T, T>(pow_scalar_op, out, in, PowBy{exponent});
  });
}

/// A power whose exponent is a complex number, the same for all elements.
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

STRATA_KERNEL(pow_scalar_op, CUDA, pow_scalar_cuda);

}  // namespace
}  // namespace strata::cuda::pointwise
