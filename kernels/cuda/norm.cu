// CUDA kernels of the normalisation ops: chooses between rows in registers and slices of any size.
#include "kernels/cuda/norm.cuh"

#include "dispatcher/kernel.h"
#include "kernels/cuda/dense.h"
#include "kernels/visit_floating.h"
#include "ops/norm_def.h"

namespace strata::cuda {
namespace {

void normalize_cuda(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor& x = in[0];
  visit_floating(kNormalize, x.dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const Normalize<T> t{x.data_ptr<T>(),      data_or_null<C>(in[1]), data_or_null<C>(in[2]), out[0].data_ptr<T>(),
                         out[1].data_ptr<C>(), out[2].data_ptr<C>(),   static_cast<C>(p.eps),  p.affine_dim == 2};
    if (!normalize_rows(x, t)) normalize_slices(x, t);
  });
}

void normalize_backward_cuda(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor& x = in[1];
  visit_floating(kNormalizeBackward, x.dtype(), [&]<class T>() {
    using C = arithmetic::Compute<T>;
    const Gradients<T> t{in[0].data_ptr<T>(),  x.data_ptr<T>(),        in[2].data_ptr<C>(),
                         in[3].data_ptr<C>(),  data_or_null<C>(in[4]), out[0].data_ptr<T>(),
                         out[1].data_ptr<C>(), out[2].data_ptr<C>(),   p.affine_dim == 2};
    if (!normalize_rows_backward(x, t)) normalize_slices_backward(x, t);
  });
}

STRATA_KERNEL(normalize_op, CUDA, RowMajor<normalize_cuda>::run);
STRATA_KERNEL(normalize_backward_op, CUDA, RowMajor<normalize_backward_cuda>::run);

}  // namespace
}  // namespace strata::cuda
