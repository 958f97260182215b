// The convolution ops' kernels: shapes and layouts in order, then conv_onednn.cpp (float) or conv_own.cpp (double).
#include "kernels/cpu/conv/conv.h"

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/conv/conv_own.h"
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

// Products of 16-bit numbers are added up in float. Where the processor multiplies bfloat16 numbers themselves, columns
// of them are laid out; else only what needs no columns is convolved without a copy in float.

template <class T>
void convolution_16(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[0].size(1), in[1].size(0));
  const T *const x = in[0].data_ptr<T>(), *const w = in[1].data_ptr<T>(),
                 *const bias = in[2].defined() ? in[2].data_ptr<T>() : nullptr;
  if (is_pointwise(s)) return pointwise_forward(s, x, w, bias, out[0].data_ptr<T>());
  if constexpr (std::is_same_v<T, BFloat16>) columns_forward(s, x, w, bias, out[0].data_ptr<T>());
}
template <class T>
void backward_input_16(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1), in[0].size(1));
  const T *const gy = in[0].data_ptr<T>(), *const w = in[1].data_ptr<T>();
  if (is_pointwise(s)) return pointwise_backward_input(s, gy, w, out[0].data_ptr<T>());
  if constexpr (std::is_same_v<T, BFloat16>) columns_backward_input(s, gy, w, out[0].data_ptr<T>());
}

void backward_weight_bfloat16(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1), in[0].size(1));
  columns_backward_weight(s, in[0].data_ptr<BFloat16>(), in[1].data_ptr<BFloat16>(), out[0].data_ptr<BFloat16>(),
                          *matmul::vec_bfloat16());
}

bool multiplies_bfloat16(const ConvShape& s) {
  constexpr int64_t kFewestChannels = 16;
  return matmul::vec_bfloat16() && s.groups == 1 && s.ic >= kFewestChannels && s.oc >= kFewestChannels;
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

void convolution(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[0].size(1), in[1].size(0));
  const DType type = s.flops() > 0 ? out[0].dtype() : kFloat;
  if (type == kHalf && pointwise_pays(s)) return RowMajor<convolution_16<Half>>::run(out, in, p);
  if (type == kBFloat16 && (pointwise_pays(s) || multiplies_bfloat16(s)))
    return RowMajor<convolution_16<BFloat16>>::run(out, in, p);
  convolved<convolution_cpu, convolve_channels_last>(out, in, p);
}
void backward_input(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1) * p.groups, in[0].size(1));
  const DType type = s.flops() > 0 ? out[0].dtype() : kFloat;
  if (type == kHalf && pointwise_pays(s)) return RowMajor<backward_input_16<Half>>::run(out, in, p);
  if (type == kBFloat16 && (pointwise_pays(s) || (multiplies_bfloat16(s) && has_columns_backward_input(s))))
    return RowMajor<backward_input_16<BFloat16>>::run(out, in, p);
  convolved<convolution_backward_input_cpu, input_gradient_channels_last>(out, in, p);
}
void backward_weight(Tensors& out, Args in, const ConvParams& p) {
  const ConvShape s = shape(p, in[0].size(0), in[1].size(1), in[0].size(1));
  if (out[0].dtype() == kBFloat16 && s.flops() > 0 && multiplies_bfloat16(s))
    return RowMajor<backward_weight_bfloat16>::run(out, in, p);
  convolved<convolution_backward_weight_cpu, weight_gradient_channels_last>(out, in, p);
}

STRATA_KERNEL(convolution_op, CPU, convolution);
STRATA_KERNEL(convolution_backward_input_op, CPU, backward_input);
STRATA_KERNEL(convolution_backward_weight_op, CPU, backward_weight);

}  // namespace
}  // namespace strata::cpu::conv
