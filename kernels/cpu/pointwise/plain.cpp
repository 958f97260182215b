// CPU kernels of the ops that have no loops over vectors.
#include "kernels/cpu/common/op_loops.h"
#include "ops/complex_def.h"

namespace strata::cpu::pointwise {
namespace {

using arithmetic::Join, arithmetic::Length;

const PlainOps plain_ops{arithmetic::OfNumbers()};

void complex_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops(
      FloatLoops{&plain_loop<Join, Complex<float>, float, 2>, &plain_loop<Join, Complex<double>, double, 2>});
  if (is_half16(in[0].dtype())) fail_no_loop(complex_op, in[0].dtype());
  elementwise<2>(complex_op, out[0], in, loops);
}

void complex_abs_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t;
    t[kComplexFloat] = &plain_loop<Length, float, Complex<float>, 1>;
    t[kComplexDouble] = &plain_loop<Length, double, Complex<double>, 1>;
    return t;
  }();
  elementwise<1>(complex_abs_op, out[0], in, loops);
}

STRATA_KERNEL(complex_op, CPU, complex_cpu);
STRATA_KERNEL(complex_abs_op, CPU, complex_abs_cpu);

}  // namespace
}  // namespace strata::cpu::pointwise
