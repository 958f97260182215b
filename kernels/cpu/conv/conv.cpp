// The convolution ops' kernels: shapes and layouts in order, then conv_onednn.cpp (float) or conv_own.cpp (double).
#include "kernels/cpu/conv/conv.h"

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/conv/conv_pointwise.h"
#include "ops/conv_def.h"

namespace strata::cpu::conv {
namespace {

ConvShape shape(const ConvParams& p, int64_t n, int64_t ic, int64_t oc, bool channels_last = false) {
  return {n,    p.groups, ic,   oc,   p.id, p.ih, p.iw, p.od, p.oh, p.ow, p.kd,         p.kh,
          p.kw, p.sd,     p.sh, p.sw, p.pd, p.ph, p.pw, p.dd, p.dh, p.dw, channels_last};
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

bool is_last(const Tensor& t) {
  return t.dtype() == kFloat && !t.is_contiguous() && is_channels_last(t.sizes(), t.strides());
}
Tensor row_major(const Tensor& t) {
  return t.is_contiguous() ? t : call_backend(copy_op, {&t}, Params::of(NoParams()))[0];
}

// Images whose channels lie last stay so where oneDNN takes them. False, with nothing done, where it does not.

bool convolve_channels_last(Tensors& out, Args in, const ConvParams& p) {
  if (!is_last(in[0]) || !is_last(out[0])) return false;
  const ConvShape s = shape(p, in[0].size(0), in[0].size(1), in[1].size(0), true);
  if (!is_for_onednn(s)) return false;
  const Tensor w = row_major(in[1]), bias = in[2].defined() ? row_major(in[2]) : Tensor();
  conv_forward(s, in[0].data_ptr<float>(), w.data_ptr<float>(), bias.defined() ? bias.data_ptr<float>() : nullptr,
               out[0].data_ptr<float>());
  return true;
}

bool input_gradient_channels_last(Tensors& out, Args in, const ConvParams& p) {
  if (!is_last(in[0]) || !is_last(out[0])) return false;
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1) * p.groups, in[0].size(1), true);
  if (!is_for_onednn(s)) return false;
  const Tensor w = row_major(in[1]);
  conv_backward_input(s, in[0].data_ptr<float>(), w.data_ptr<float>(), out[0].data_ptr<float>());
  return true;
}

bool weight_gradient_channels_last(Tensors& out, Args in, const ConvParams& p) {
  if (!is_last(in[0]) || !is_last(in[1]) || !out[0].is_contiguous()) return false;
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1), in[0].size(1), true);
  if (!is_for_onednn(s)) return false;
  conv_backward_weight(s, in[0].data_ptr<float>(), in[1].data_ptr<float>(), out[0].data_ptr<float>());
  return true;
}

/// Convolutions of single points by products of 16-bit numbers, which are added up in float.
template <class T>
void pointwise_cpu(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[0].size(1), in[1].size(0));
  pointwise_forward(s, in[0].data_ptr<T>(), in[1].data_ptr<T>(), in[2].defined() ? in[2].data_ptr<T>() : nullptr,
                    out[0].data_ptr<T>());
}
template <class T>
void pointwise_input_cpu(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1), in[0].size(1));
  pointwise_backward_input(s, in[0].data_ptr<T>(), in[1].data_ptr<T>(), out[0].data_ptr<T>());
}

/// A kernel for operands of any strides, and of 16 bits too, which are convolved in float.
template <void (*Kernel)(Tensors&, Args, const ConvParams&), bool (*ChannelsLast)(Tensors&, Args, const ConvParams&)>
void convolved(Tensors& out, Args in, const ConvParams& p) {
  const DType type = out[0].dtype();
  if (type != kHalf && type != kBFloat16) {
    if (!ChannelsLast(out, in, p)) RowMajor<Kernel>::run(out, in, p);
    return;
  }
  const CastParams to_float{kFloat}, back{type};
  Tensors inputs = Tensors::undefined(in.size()), wide(empty_cpu(out[0].sizes(), kFloat));
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i].defined()) inputs[i] = call_backend(cast_op, {&in[i]}, Params::of(to_float))[0];
  RowMajor<Kernel>::run(wide, ArgList(inputs), p);
  cast_op.kernels[static_cast<int>(Key::CPU)](out, {&wide[0]}, &back);
}

bool is_pointwise_16(const Tensor& t, const ConvParams& p) {
  return (t.dtype() == kHalf || t.dtype() == kBFloat16) && t.numel() > 0 && is_pointwise(shape(p, 1, 1, 1));
}

void convolution(Tensors& out, Args in, const ConvParams& p) {
  if (is_pointwise_16(out[0], p))
    return out[0].dtype() == kHalf ? RowMajor<pointwise_cpu<Half>>::run(out, in, p)
                                   : RowMajor<pointwise_cpu<BFloat16>>::run(out, in, p);
  convolved<convolution_cpu, convolve_channels_last>(out, in, p);
}
void backward_input(Tensors& out, Args in, const ConvParams& p) {
  if (is_pointwise_16(out[0], p))
    return out[0].dtype() == kHalf ? RowMajor<pointwise_input_cpu<Half>>::run(out, in, p)
                                   : RowMajor<pointwise_input_cpu<BFloat16>>::run(out, in, p);
  convolved<convolution_backward_input_cpu, input_gradient_channels_last>(out, in, p);
}
void backward_weight(Tensors& out, Args in, const ConvParams& p) {
  convolved<convolution_backward_weight_cpu, weight_gradient_channels_last>(out, in, p);
}

STRATA_KERNEL(convolution_op, CPU, convolution);
STRATA_KERNEL(convolution_backward_input_op, CPU, backward_input);
STRATA_KERNEL(convolution_backward_weight_op, CPU, backward_weight);

}  // namespace
}  // namespace strata::cpu::conv
