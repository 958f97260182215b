// CPU kernels of the ops that make, split and measure complex numbers.
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/plain_loop.h"
#include "ops/complex_def.h"

namespace strata::cpu::pointwise {
namespace {

using arithmetic::Conj, arithmetic::Join, arithmetic::Length;

void conj_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t;
    add_complex_loops<Conj, 1>(t);
    return t;
  }();
  elementwise<1>(conj_op, out[0], in, loops);
}

void complex_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops(
      FloatLoops{&plain_loop2<Join, Complex<float>, float>, &plain_loop2<Join, Complex<double>, double>});
  if (is_half16(in[0].dtype())) fail_no_loop(complex_op, in[0].dtype());
  elementwise<2>(complex_op, out[0], in, loops);
}

void complex_abs_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = [] {
    DTypeLoops t;
    t[kComplexFloat] = &plain_loop1<Length, float, Complex<float>>;
    t[kComplexDouble] = &plain_loop1<Length, double, Complex<double>>;
    return t;
  }();
  elementwise<1>(complex_abs_op, out[0], in, loops);
}

STRATA_KERNEL(conj_op, CPU, conj_cpu);
STRATA_KERNEL(complex_op, CPU, complex_cpu);
STRATA_KERNEL(complex_abs_op, CPU, complex_abs_cpu);

}  // namespace
}  // namespace strata::cpu::pointwise
