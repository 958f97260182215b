// The kernels of glu and its gradient for any backend: those of the element-wise ops, on halves of the memory.
#pragma once
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "ops/activation_def.h"
#include "ops/glu_def.h"
#include "ops/view_def.h"

namespace strata::halves {

inline Tensor half_of(const Tensor& x, int64_t dim, int64_t which) {
  const int64_t n = x.sizes()[dim] / 2;
  const SliceParams part{dim, which * n, n, 1};
  return dispatch::make_view(slice_op, x, dispatch::Params::of(part));
}

template <Key backend>
void run(const Op& op, const Tensor& out, Args in) {
  static constexpr dispatch::NoParams kNone;
  Tensors outs(out);
  op.kernels[static_cast<int>(backend)](outs, in, &kNone);
}

template <Key backend>
void glu(Tensors& out, Args in, const GluParams& p) {
  const Tensor x = half_of(in[0], p.dim, 0), gate = half_of(in[0], p.dim, 1);
  run<backend>(glu_op, out[0], {&x, &gate});
}

template <Key backend>
void glu_backward(Tensors& out, Args in, const GluParams& p) {
  const Tensor x = half_of(in[1], p.dim, 0), gate = half_of(in[1], p.dim, 1);
  run<backend>(glu_op, half_of(out[0], p.dim, 0), {&in[0], &gate});
  run<backend>(glu_gate_op, half_of(out[0], p.dim, 1), {&in[0], &x, &gate});
}

}  // namespace strata::halves
