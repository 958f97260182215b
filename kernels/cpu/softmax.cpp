// Kernels of softmax and log-softmax, forward and backward.
#include "dispatcher/kernel.h"
#include "kernels/cpu/line_map.h"
#include "kernels/cpu/vec_reduce.h"
#include "ops/softmax_def.h"

namespace strata::cpu {
namespace {

/// Runs the row function that `kRow` names: a member of VecReduce with one or two input rows.
template <class C, auto kRow>
void map_softmax(Tensors& out, Args in, int64_t dim) {
  const auto row = vec_reduce<C>().*kRow;
  if constexpr (std::is_invocable_v<decltype(row), const C*, C*, int64_t>) {
    map_lines<C>(out[0], std::array{&in[0]}, dim, [row](const auto& x, C* y, int64_t n) { row(x[0], y, n); });
  } else {
    map_lines<C>(out[0], std::array{&in[0], &in[1]}, dim,
                 [row](const auto& x, C* y, int64_t n) { row(x[0], x[1], y, n); });
  }
}

template <auto kRowFloat, auto kRowDouble>
void softmax_family(Tensors& out, Args in, const DimParams& p) {
  if (in[0].dtype() == kDouble) return map_softmax<double, kRowDouble>(out, in, p.dim);
  map_softmax<float, kRowFloat>(out, in, p.dim);
}

using F = VecReduce<float>;
using D = VecReduce<double>;
STRATA_KERNEL(softmax_op, CPU, (softmax_family<&F::softmax, &D::softmax>));
STRATA_KERNEL(log_softmax_op, CPU, (softmax_family<&F::log_softmax, &D::log_softmax>));
STRATA_KERNEL(softmax_backward_op, CPU, (softmax_family<&F::softmax_backward, &D::softmax_backward>));
STRATA_KERNEL(log_softmax_backward_op, CPU, (softmax_family<&F::log_softmax_backward, &D::log_softmax_backward>));

}  // namespace
}  // namespace strata::cpu
