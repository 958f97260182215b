// CPU kernels of the ops that make, split and measure complex numbers.
#include "dispatcher/kernel.h"
#include "kernels/cpu/plain_loop.h"
#include "ops/complex_def.h"

namespace strata::cpu {
namespace {

using namespace arithmetic;

/// Loops from T and U = T of one width each to R and its wider form.
template <class F, int kInputs, class R, class T, class R2, class T2>
DTypeLoops two_widths() {
  DTypeLoops t;
  if constexpr (kInputs == 1) {
    t[dtype_of<T>] = &plain_loop1<F, R, T>;
    t[dtype_of<T2>] = &plain_loop1<F, R2, T2>;
  } else {
    t[dtype_of<T>] = &plain_loop2<F, R, T>;
    t[dtype_of<T2>] = &plain_loop2<F, R2, T2>;
  }
  return t;
}

using C64 = Complex<float>;
using C128 = Complex<double>;

void conj_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = two_widths<Conj, 1, C64, C64, C128, C128>();
  elementwise<1>(conj_op, out[0], in, loops);
}
void complex_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = two_widths<Join, 2, C64, float, C128, double>();
  elementwise<2>(complex_op, out[0], in, loops);
}
void complex_abs_cpu(Tensors& out, Args in, const NoParams&) {
  static const DTypeLoops loops = two_widths<Length, 1, float, C64, double, C128>();
  elementwise<1>(complex_abs_op, out[0], in, loops);
}

STRATA_KERNEL(conj_op, CPU, conj_cpu);
STRATA_KERNEL(complex_op, CPU, complex_cpu);
STRATA_KERNEL(complex_abs_op, CPU, complex_abs_cpu);

}  // namespace
}  // namespace strata::cpu
