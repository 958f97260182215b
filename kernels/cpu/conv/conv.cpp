// The convolution ops' kernels: shapes and layouts in order, then conv_onednn.cpp (float) or conv_direct.cpp (double).
#include "kernels/cpu/conv/conv.h"

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "ops/conv_def.h"

namespace strata::cpu::conv {
namespace {

ConvShape shape(const ConvParams& p, int64_t n, int64_t ic, int64_t oc) {
  return {n,    p.groups, ic,   oc,   p.id, p.ih, p.iw, p.od, p.oh, p.ow, p.kd,
          p.kh, p.kw,     p.sd, p.sh, p.sw, p.pd, p.ph, p.pw, p.dd, p.dh, p.dw};
}

template <class F>
void visit_float_or_double(const Tensor& t, F&& f) {
  if (t.dtype() == kFloat) return f.template operator()<float>();
  STRATA_CHECK(t.dtype() == kDouble, "convolution: no kernel for {}", name(t.dtype()));
  f.template operator()<double>();
}

void convolution_cpu(Tensors& out, Args in, const ConvParams& p) {
  const Tensor &x = in[0], &w = in[1], &bias = in[2];
  const ConvShape s = shape(p, x.size(0), x.size(1), w.size(0));
  visit_float_or_double(x, [&]<class T>() {
    conv_forward(s, x.data_ptr<T>(), w.data_ptr<T>(), bias.defined() ? bias.data_ptr<T>() : nullptr,
                 out[0].data_ptr<T>());
  });
}

void convolution_backward_input_cpu(Tensors& out, Args in, const ConvParams& p) {
  const Tensor &gy = in[0], &w = in[1];
  const ConvShape s = shape(p, gy.size(0), w.size(1) * p.groups, gy.size(1));
  visit_float_or_double(
      gy, [&]<class T>() { conv_backward_input(s, gy.data_ptr<T>(), w.data_ptr<T>(), out[0].data_ptr<T>()); });
}

void convolution_backward_weight_cpu(Tensors& out, Args in, const ConvParams& p) {
  const Tensor &gy = in[0], &x = in[1];
  const ConvShape s = shape(p, gy.size(0), x.size(1), gy.size(1));
  visit_float_or_double(
      gy, [&]<class T>() { conv_backward_weight(s, gy.data_ptr<T>(), x.data_ptr<T>(), out[0].data_ptr<T>()); });
}

/// A kernel for 16-bit operands too, which are convolved in float.
template <void (*Kernel)(Tensors&, Args, const ConvParams&)>
void widened(Tensors& out, Args in, const ConvParams& p) {
  const DType type = out[0].dtype();
  if (type != kHalf && type != kBFloat16) return RowMajor<Kernel>::run(out, in, p);
  const CastParams to_float{kFloat}, back{type};
  Tensors inputs = Tensors::undefined(in.size()), wide(empty_cpu(out[0].sizes(), kFloat));
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i].defined()) inputs[i] = call_backend(cast_op, {&in[i]}, Params::of(to_float))[0];
  RowMajor<Kernel>::run(wide, ArgList(inputs), p);
  cast_op.kernels[static_cast<int>(Key::CPU)](out, {&wide[0]}, &back);
}

STRATA_KERNEL(convolution_op, CPU, widened<convolution_cpu>);
STRATA_KERNEL(convolution_backward_input_op, CPU, widened<convolution_backward_input_cpu>);
STRATA_KERNEL(convolution_backward_weight_op, CPU, widened<convolution_backward_weight_cpu>);

}  // namespace
}  // namespace strata::cpu::conv
