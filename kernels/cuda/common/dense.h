// For kernels that know row-major tensors only: stand-ins for strided inputs and outputs.
#pragma once
#include "dispatcher/names.h"
#include "kernels/cuda/common/copy.h"

namespace strata::cuda {

/// `RowMajor<kernel>::run` is a kernel for tensors of any strides: it calls `kernel` on row-major ones, copying those
/// that are not. Undefined inputs stay undefined.
template <auto Kernel>
struct RowMajor;
template <class P, void (*Kernel)(Tensors&, Args, const P&)>
struct RowMajor<Kernel> {
  static void run(Tensors& out, Args in, const P& p) {
    Tensors inputs = Tensors::undefined(in.size()), outputs = out;
    for (size_t i = 0; i < in.size(); ++i)
      if (in[i].defined()) inputs[i] = row_major(in[i]);
    for (Tensor& t : outputs)
      if (!t.is_contiguous()) t = empty_on_device(t.sizes(), t.dtype(), t.device());
    Kernel(outputs, ArgList(inputs), p);
    for (size_t i = 0; i < out.size(); ++i)
      if (!out[i].is_contiguous()) copy_strided(out[i], outputs[i]);
  }
};

template <class T>
const T* data_or_null(const Tensor& t) {
  return t.defined() ? t.data_ptr<T>() : nullptr;
}

}  // namespace strata::cuda
