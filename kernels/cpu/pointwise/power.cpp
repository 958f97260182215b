// CPU kernels of powers of tensors and of numbers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pointwise/power.cpp"
#include <hwy/foreach_target.h>

#include <cstring>

#include "kernels/cpu/common/op_loops.h"
#include "kernels/cpu/common/vec_formulas-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::pointwise::HWY_NAMESPACE {
using namespace cpu::HWY_NAMESPACE::formulas;

static const FloatLoops* loops() { return vector_loops(Powers()); }
/// To the power of a number, and to that of 3.
static FloatLoops to_number() { return float_loops<Pow, 1, 1>(); }
static FloatLoops to_three() { return float_loops<Cube, 1, 0>(); }

}  // namespace strata::cpu::pointwise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::pointwise {
namespace {
HWY_EXPORT(loops);
HWY_EXPORT(to_number);
HWY_EXPORT(to_three);

const VectorOps registered(arithmetic::Powers(), HWY_DYNAMIC_DISPATCH(loops)());

/// The exponent of an integer power travels as its bits.
template <class T>
void integer_power_loop(const LoopArgs& a) {
  const T* x = static_cast<const T*>(a.in[0]);
  int64_t exponent = 0;
  std::memcpy(&exponent, a.params, sizeof(exponent));
  for (int64_t i = 0; i < a.n; ++i) static_cast<T*>(a.out)[i] = arithmetic::integer_power(x[i * a.step[0]], exponent);
}
OpLoop integer_power(DType dtype, int64_t exponent) {
  const Loop loop = visit_dtype(dtype, []<class T>() -> Loop {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return &integer_power_loop<T>;
    else
      return nullptr;
  });
  OpLoop power{loop, {}};
  std::memcpy(power.numbers.data(), &exponent, sizeof(exponent));
  return power;
}

template <class T>
void complex_power_loop(const LoopArgs& a) {
  const Complex<T>* x = static_cast<const Complex<T>*>(a.in[0]);
  const Complex<T> exponent(static_cast<T>(a.params[0]), static_cast<T>(a.params[1]));
  for (int64_t i = 0; i < a.n; ++i)
    static_cast<Complex<T>*>(a.out)[i] = arithmetic::Pow::run(x[i * a.step[0]], exponent);
}

OpLoop float_power(DType dtype, double exponent) {
  static const DTypeLoops loops(HWY_DYNAMIC_DISPATCH(to_number)());
  return {loops[dtype], {exponent}};
}

DTypeLoops loops_of(const Op& op) {
  DTypeLoops loops;
  for (int t = 0; t < kNumDTypes; ++t) loops[static_cast<DType>(t)] = dispatch::loop_of(op, static_cast<DType>(t)).loop;
  return loops;
}

/// The loop of the simpler function that x^e is for a few exponents, as in PyTorch.
Loop shortcut(DType dtype, Complex<double> e) {
  static const DTypeLoops square = loops_of(square_op), root = loops_of(sqrt_op), inverse = loops_of(reciprocal_op),
                          inverse_root = loops_of(rsqrt_op), cube(HWY_DYNAMIC_DISPATCH(to_three)());
  if (e == 2) return square[dtype];
  if (e == 0.5) return root[dtype];
  if (e == -1) return inverse[dtype];
  if (is_complex(dtype)) return nullptr;
  return e == 3 ? cube[dtype] : e == -0.5 ? inverse_root[dtype] : nullptr;
}

OpLoop power(DType dtype, const PowParams& p) {
  if (is_integral(dtype, true)) return integer_power(dtype, p.exponent.toLong());
  const Complex<double> e = p.exponent.toComplexDouble();
  if (const Loop simpler = shortcut(dtype, e)) return {simpler, {}};
  if (is_floating_point(dtype)) return float_power(dtype, e.real());
  return {dtype == kComplexFloat ? &complex_power_loop<float> : &complex_power_loop<double>, {e.real(), e.imag()}};
}

void pow_scalar(Tensors& out, Args in, const PowParams& p) {
  const OpLoop l = power(in[0].dtype(), p);
  if (!l.loop) fail_no_loop(pow_scalar_op, in[0].dtype());
  elementwise<1>(out[0], in, l.loop, l.numbers.data());
}

STRATA_KERNEL(pow_scalar_op, CPU, pow_scalar);
const LoopRegistrar pow_scalar_loops(pow_scalar_op, [](DType dtype, const void* params) {
  return power(dtype, *static_cast<const PowParams*>(params));
});

}  // namespace
}  // namespace strata::cpu::pointwise
#endif
