// For kernels that know row-major tensors only: stand-ins for strided inputs and outputs.
#pragma once
#include "dispatcher/call.h"
#include "dispatcher/names.h"
#include "ops/cast_def.h"

namespace strata::cpu {

/// `RowMajor<kernel>::run` is a kernel for tensors of any strides: it calls `kernel` on row-major ones, copying those
/// that are not. Undefined inputs stay undefined.
template <auto Kernel>
struct RowMajor;
template <class P, void (*Kernel)(Tensors&, Args, const P&)>
struct RowMajor<Kernel> {
  static void run(Tensors& out, Args in, const P& p) {
    if (all_contiguous(out) && all_contiguous(in)) return Kernel(out, in, p);
    Tensors inputs = Tensors::undefined(in.size()), outputs = out;
    for (size_t i = 0; i < in.size(); ++i) inputs[i] = is_fine(in[i]) ? in[i] : copy(in[i]);
    for (Tensor& t : outputs)
      if (!is_fine(t)) t = empty_cpu(t.sizes(), t.dtype());
    Kernel(outputs, ArgList(inputs), p);
    for (size_t i = 0; i < out.size(); ++i)
      if (!is_fine(out[i])) copy_into(out[i], outputs[i]);
  }

 private:
  static bool is_fine(const Tensor& t) { return !t.defined() || t.is_contiguous(); }
  static bool all_contiguous(const Tensors& list) {
    for (const Tensor& t : list)
      if (!is_fine(t)) return false;
    return true;
  }
  static bool all_contiguous(Args list) {
    for (const Tensor* t : list)
      if (!is_fine(*t)) return false;
    return true;
  }
  static Tensor copy(const Tensor& t) { return std::move(call_backend(copy_op, {&t}, Params::of(NoParams()))[0]); }
  static void copy_into(const Tensor& to, const Tensor& from) {
    Tensors out(to);
    const NoParams none;
    copy_op.kernels[static_cast<int>(Key::CPU)](out, {&from}, &none);
  }
};

}  // namespace strata::cpu
