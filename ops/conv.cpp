// Convolution: three bilinear ops that are each other's derivatives, and the public functions over them.
#include "ops/conv.h"

#include <algorithm>
#include <array>

#include "core/autocast.h"
#include "core/called.h"
#include "ops/as_result.h"
#include "ops/complex.h"
#include "ops/conv_def.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {
namespace {

// Note [One trilinear form]: convolution, its input gradient and its weight gradient are the three ways to leave one of
// x, w, y out of  sum over (n, g, c, o, positions) of  x[n, g, c] * w[g, o, c] * y[n, g, o].  So with the same params
// the derivative of each is one of the others, and a batch dimension can join the index (n, g, c or o) that the tensors
// carrying it share: the images if x and y carry it, the groups if all three do.
enum Role { kX, kW, kY };
enum Slot { kImages, kGroups, kInputChannels, kOutputChannels };

Tensor contract(Role out, const Tensor& a, const Tensor& b, const ConvParams& p, const Tensor& bias = {}) {
  if (out == kY) return call1(convolution_op, {&a, &b, &bias}, p);
  return call1(out == kX ? convolution_backward_input_op : convolution_backward_weight_op, {&a, &b}, p);
}

Slot shared_slot(Role a, Role b) {
  if (a != kW && b != kW) return kImages;
  return a == kY || b == kY ? kOutputChannels : kInputChannels;
}

/// Where the slot stands among the indices of a role: x is (n, g, c), w is (g, o, c), y is (n, g, o).
int64_t position(Role role, Slot slot) {
  constexpr int64_t at[3][4] = {{0, 1, 2, -1}, {-1, 0, 2, 1}, {0, 1, -1, 2}};
  return at[role][slot];
}

DimVector joined(DimVector front, IntArrayRef back) {
  for (const int64_t n : back) front.push_back(n);
  return front;
}

/// The sizes of an operand with its groups as a dim of their own.
DimVector split_groups(Role role, IntArrayRef s, int64_t groups) {
  if (role == kW) return joined({groups, s[0] / groups, s[1]}, s.slice(2));
  return joined({s[0], groups, s[1] / groups}, s.slice(2));
}
DimVector join_groups(Role role, IntArrayRef s) {
  if (role == kW) return joined({s[0] * s[1], s[2]}, s.slice(3));
  return joined({s[0], s[1] * s[2]}, s.slice(3));
}

/// `(N, C)` and the spatial sizes, of which tensors of four dims have no depth. Images of one operand whose channels
/// lie last, or of those of the weight, give such ones, but volumes of float64 row-major ones, as in PyTorch.
Meta sized(Args in, int64_t n, int64_t c, IntArrayRef volume, bool are_images = true) {
  const Tensor& first = in[0];
  const DimVector sizes = joined({n, c}, volume.slice(first.dim() == 4 ? 1 : 0));
  const bool is_double_volume = first.dim() == 5 && first.dtype() == kDouble;
  if (!are_images || is_double_volume) return meta(sizes, first.dtype(), first.device());
  return meta_in_order(has_channels_last(in[1]) ? in[1] : first, sizes);
}

/// A bias `(O,)`, or a batch `(B, O)` of it, as it is added to outputs of so many dims.
Tensor along_channels(const Tensor& bias, int64_t dims) {
  DimVector sizes = bias.dim() == 1 ? DimVector{1, bias.size(0)} : DimVector{bias.size(0), 1, bias.size(1)};
  for (int64_t d = 2; d < dims; ++d) sizes.push_back(1);
  return reshape(bias, sizes);
}

/// `(B, ...)` with its batch dimension merged into the slot.
Tensor fold(const Tensor& t, Role role, Slot slot, int64_t groups) {
  DimVector sizes = split_groups(role, t.sizes().slice(1), groups);
  const int64_t at = position(role, slot), batch = t.size(0);
  DimVector split = sizes;
  split.insert(0, batch);
  sizes[at] *= batch;
  return reshape(movedim(reshape(t, split), 0, at), join_groups(role, sizes));
}

/// The inverse: takes the batch dimension of size `batch` out of the slot; `groups` are those without the batch.
Tensor unfold(const Tensor& t, Role role, Slot slot, int64_t groups, int64_t batch) {
  DimVector sizes = split_groups(role, t.sizes(), slot == kGroups ? groups * batch : groups);
  const int64_t at = position(role, slot);
  sizes[at] /= batch;
  DimVector split = sizes, result = join_groups(role, sizes);
  split.insert(at, batch);
  result.insert(0, batch);
  return reshape(movedim(reshape(t, split), at, 0), result);
}

/// Batch rule of all three: inputs 0 and 1 have roles `a` and `b`, and at least one of them is batched.
Tensor contract_batched(const Batch& c, ConvParams p, Role a, Role b, Role out, const Tensor& bias = {}) {
  if (c.size == 0) {
    Tensor first = c.batched(0) ? c.in(0).sum({0}) : c.in(0), second = c.batched(1) ? c.in(1).sum({0}) : c.in(1);
    DimVector sizes = contract(out, first, second, p).sizes();
    sizes.insert(0, 0);
    return first.new_empty(sizes);
  }
  const bool both = c.batched(0) && c.batched(1);
  const Slot slot = both ? kGroups : shared_slot(c.batched(0) ? a : b, out);
  const int64_t groups = p.groups;
  if (both) p.groups *= c.size;
  const Tensor first = c.batched(0) ? fold(c.in(0), a, slot, groups) : c.in(0);
  const Tensor second = c.batched(1) ? fold(c.in(1), b, slot, groups) : c.in(1);
  return unfold(contract(out, first, second, p, bias), out, slot, groups, c.size);
}

Tensors convolution_batch(const Batch& c, const ConvParams& p) {
  const Tensor& bias = c.in(2);
  const bool only_x = c.batched(0) && !c.batched(1) && !c.batched(2);
  if (only_x) return contract_batched(c, p, kX, kW, kY, bias);
  const bool none = !c.batched(0) && !c.batched(1);
  const Tensor y = none ? contract(kY, c.in(0), c.in(1), p) : contract_batched(c, p, kX, kW, kY);
  if (!bias.defined()) return y;
  return y.add(along_channels(bias, c.in(0).dim() - (c.batched(0) ? 1 : 0)));
}

Tensors convolution_vjp(const Vjp& c, const ConvParams& p) {
  Tensors grads = Tensors::undefined(3);
  if (c.needs(0)) grads[0] = contract(kX, c.grad(), c.in(1), p);
  if (c.needs(1)) grads[1] = contract(kW, c.grad(), c.in(0), p);
  if (c.arity() > 2 && c.needs(2))
    grads[2] = c.grad().dim() == 4 ? c.grad().sum({0, 2, 3}) : c.grad().sum({0, 2, 3, 4});
  return grads;
}

Tensors convolution_jvp(const Jvp& c, const ConvParams& p) {
  Tensor sum;
  if (c.tangent(0).defined()) sum = contract(kY, c.tangent(0), c.in(1), p);
  if (c.tangent(1).defined()) sum = rules::add_defined(sum, contract(kY, c.in(0), c.tangent(1), p));
  if (!c.tangent(2).defined()) return sum;
  return rules::add_defined(sum, expand(along_channels(c.tangent(2), c.out().dim()), c.out().sizes()));
}

/// vjp of one of the two gradient ops: inputs 0 and 1 have roles y and `b`, the output role `out`.
Tensors gradient_vjp(const Vjp& c, const ConvParams& p, Role out) {
  Tensors grads = Tensors::undefined(2);
  const bool is_input = out == kX;
  if (c.needs(0)) grads[0] = is_input ? contract(kY, c.grad(), c.in(1), p) : contract(kY, c.in(1), c.grad(), p);
  if (c.needs(1)) grads[1] = contract(is_input ? kW : kX, c.in(0), c.grad(), p);
  return grads;
}

}  // namespace

STRATA_OP(convolution_op) =
    op<ConvParams>(
        "convolution(Tensor x, Tensor w, Tensor? bias, "
        "int groups, int[] input, int[] output, int[] kernel, int[] stride, int[] padding, int[] dilation) -> Tensor")
        .infer([](Args in, const ConvParams& p) {
          return sized(in, in[0].size(0), in[1].size(0), {p.od, p.oh, p.ow});
        })
        .vjp([](const Vjp& c, const ConvParams& p) { return convolution_vjp(c, p); })
        .saves_for(0, saves_in(1))
        .saves_for(1, saves_in(0))
        .jvp([](const Jvp& c, const ConvParams& p) { return convolution_jvp(c, p); })
        .batch([](const Batch& c, const ConvParams& p) { return convolution_batch(c, p); })
        .autocast(AutocastPolicy::kLower)
        .dtypes(kFloatingTypes);

STRATA_OP(convolution_backward_input_op) =
    op<ConvParams>(
        "convolution_backward_input(Tensor y, Tensor w, "
        "int groups, int[] input, int[] output, int[] kernel, int[] stride, int[] padding, int[] dilation) -> Tensor")
        .infer([](Args in, const ConvParams& p) {
          return sized(in, in[0].size(0), in[1].size(1) * p.groups, {p.id, p.ih, p.iw});
        })
        .vjp([](const Vjp& c, const ConvParams& p) { return gradient_vjp(c, p, kX); })
        .saves_for(0, saves_in(1))
        .saves_for(1, saves_in(0))
        .jvp(bilinear_rule)
        .batch([](const Batch& c, const ConvParams& p) -> Tensors { return contract_batched(c, p, kY, kW, kX); })
        .autocast(AutocastPolicy::kLower)
        .dtypes(kFloatingTypes);

STRATA_OP(convolution_backward_weight_op) =
    op<ConvParams>(
        "convolution_backward_weight(Tensor y, Tensor x, "
        "int groups, int[] input, int[] output, int[] kernel, int[] stride, int[] padding, int[] dilation) -> Tensor")
        .infer([](Args in, const ConvParams& p) {
          return sized(in, in[0].size(1), in[1].size(1) / p.groups, {p.kd, p.kh, p.kw}, false);
        })
        .vjp([](const Vjp& c, const ConvParams& p) { return gradient_vjp(c, p, kW); })
        .saves_for(0, saves_in(1))
        .saves_for(1, saves_in(0))
        .jvp(bilinear_rule)
        .batch([](const Batch& c, const ConvParams& p) -> Tensors { return contract_batched(c, p, kY, kX, kW); })
        .dtypes(kFloatingTypes);

namespace {

/// A number for each of depth, height and width.
using PerDim = std::array<int64_t, 3>;

/// What a public function was asked for; problems of fewer dims get a height and depth of 1.
struct Request {
  const char* name;
  int64_t dims;
  bool transposed;
  int64_t groups;
  PerDim stride, padding, dilation, output_padding;
  bool same = false;
};

PerDim per_dim(const Request& r, IntArrayRef values, const char* what, int64_t least, int64_t unused) {
  const size_t dims = static_cast<size_t>(r.dims);
  STRATA_CHECK(values.size() == 1 || values.size() == dims, "{}: {} takes 1 or {} numbers, got {}", r.name, what, dims,
               values);
  for (int64_t v : values) STRATA_CHECK(v >= least, "{}: {} must be at least {}, got {}", r.name, what, least, values);
  PerDim all{unused, unused, unused};
  for (size_t d = 0; d < dims; ++d) all[all.size() - dims + d] = values[values.size() == 1 ? 0 : d];
  return all;
}

Request request(const char* name, int64_t dims, bool transposed, IntArrayRef stride, IntArrayRef padding,
                IntArrayRef dilation, IntArrayRef output_padding, int64_t groups) {
  Request r{name, dims, transposed, groups, {}, {}, {}, {}};
  r.stride = per_dim(r, stride, "stride", 1, 1);
  r.padding = per_dim(r, padding, "padding", 0, 0);
  r.dilation = per_dim(r, dilation, "dilation", 1, 1);
  r.output_padding = per_dim(r, output_padding, "output_padding", 0, 0);
  STRATA_CHECK(groups >= 1, "{}: groups must be at least 1, got {}", name, groups);
  return r;
}

/// The dtype that the op gets to see: autocast brings all but float64 to one.
DType dtype_in_call(const Tensor& t) {
  const auto wanted = autocast::active_dtype(t.device().type());
  return wanted && t.is_floating_point() && t.dtype() != kDouble ? *wanted : t.dtype();
}

void check_dtypes(const Request& r, const Tensor& x, const Tensor& w, const Tensor& bias) {
  STRATA_CHECK(x.dtype() != kBool, "{}: expected an input of floating point numbers or integers, got {}", r.name,
               name(x.dtype()));
  const DType type = dtype_in_call(x);
  STRATA_CHECK(dtype_in_call(w) == type, "{}: the input is {}, the weight {}", r.name, name(x.dtype()),
               name(w.dtype()));
  STRATA_CHECK(!bias.defined() || dtype_in_call(bias) == type, "{}: the input is {}, the bias {}", r.name,
               name(x.dtype()), bias.defined() ? name(bias.dtype()) : "");
}

void check_channels(const Request& r, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const int64_t full = r.dims + 2;
  STRATA_CHECK(w.dim() == full, "{}: expected a weight of {} dims, got {}", r.name, full, w.sizes());
  STRATA_CHECK(x.dim() == full || x.dim() == full - 1,
               "{}: expected an input of {} dims (or {} without a batch), got {}", r.name, full, full - 1, x.sizes());
  const int64_t channels = x.size(-r.dims - 1), expected = r.transposed ? w.size(0) : w.size(1) * r.groups;
  STRATA_CHECK(w.size(0) > 0 && (!r.transposed || w.size(1) > 0), "{}: weight {} gives no output channels", r.name,
               w.sizes());
  STRATA_CHECK(w.size(0) % r.groups == 0, "{}: {} groups do not divide the first size of weight {}", r.name, r.groups,
               w.sizes());
  STRATA_CHECK(channels == expected,
               "{}: weight {} with {} {} expects the input {} to have {} channels, but got {} channels instead", r.name,
               w.sizes(), r.groups, r.groups == 1 ? "group" : "groups", x.sizes(), expected, channels);
  const int64_t out = r.transposed ? w.size(1) * r.groups : w.size(0);
  STRATA_CHECK(!bias.defined() || (bias.dim() == 1 && bias.size(0) == out),
               "{}: expected a bias of shape ({},), got {}", r.name, out,
               bias.defined() ? bias.sizes() : IntArrayRef());
}

/// A dim's place in `PerDim`.
enum Dim { kDepth, kHeight, kWidth };

/// The output size of one dimension, and its padding when that is "same".
int64_t output_size(Request& r, const Tensor& x, Dim d, int64_t in, int64_t kernel) {
  const int64_t reach = checked_mul(r.dilation[d], kernel - 1, r.name);
  int64_t size = 0;
  STRATA_CHECK(kernel >= 1, "{}: the kernel has no elements", r.name);
  if (r.transposed) {
    STRATA_CHECK(r.output_padding[d] < std::max(r.stride[d], r.dilation[d]),
                 "{}: output_padding {} must be smaller than stride {} or dilation {}", r.name, r.output_padding[d],
                 r.stride[d], r.dilation[d]);
    const int64_t steps = checked_add(checked_mul(in - 1, r.stride[d], r.name), reach, r.name);
    const int64_t cut = checked_mul(2, r.padding[d], r.name);
    size = checked_add(checked_sub(steps, cut, r.name), checked_add(r.output_padding[d], 1, r.name), r.name);
  } else if (r.same) {
    if (reach % 2)
      warn_once(
          "conv: padding 'same' with even kernel lengths and odd dilation may require a zero-padded copy of the input");
    r.padding[d] = reach / 2;
    size = in;
  } else {
    const int64_t padded = checked_add(in, checked_mul(2, r.padding[d], r.name), r.name), room = padded - reach - 1;
    size = room < 0 ? 0 : room / r.stride[d] + 1;
  }
  STRATA_CHECK(size >= 1, "{}: a kernel of {} with dilation {} and padding {} leaves no output for input {}", r.name,
               kernel, r.dilation[d], r.padding[d], x.sizes());
  return size;
}

/// Calls `f` with each place in a volume of these sizes.
template <class F>
void for_each_place(const PerDim& sizes, F f) {
  PerDim at;
  for (at[0] = 0; at[0] < sizes[0]; ++at[0])
    for (at[1] = 0; at[1] < sizes[1]; ++at[1])
      for (at[2] = 0; at[2] < sizes[2]; ++at[2]) f(at);
}

/// The elements of a volume that element `tap` of the kernel meets, `count` of them.
Tensor under_tap(Tensor volume, const Request& r, const PerDim& tap, const PerDim& count) {
  for (size_t d = 0; d < tap.size(); ++d) {
    const int64_t first = tap[d] * r.dilation[d], span = r.stride[d] * (count[d] - 1) + 1;
    volume = slice(volume, static_cast<int64_t>(d) + 2, first, first + span, r.stride[d]);
  }
  return volume;
}

/// Convolution of integers `(N, C, D, H, W)`, one matrix product for each element of the kernel: exact, or wrapped as
/// integers are.
Tensor convolve_integers(const Request& r, const Tensor& x, const Tensor& w, const ConvParams& p) {
  const int64_t n = x.size(0), g = p.groups, out = r.transposed ? w.size(1) : w.size(0) / g;
  const PerDim in{p.id, p.ih, p.iw}, outer{p.od, p.oh, p.ow}, kernel{p.kd, p.kh, p.kw};
  // The volume that the kernel moves over, with its padding: the input's, or the output's where transposed.
  DimVector sizes{n, g * out}, edges;
  for (size_t d = 0; d < in.size(); ++d) {
    const int64_t reach = (outer[d] - 1) * r.stride[d] + (kernel[d] - 1) * r.dilation[d] + 1;
    sizes.push_back(std::max(in[d] + r.padding[d], reach));
    edges.insert(0, sizes[d + 2] - in[d] - r.padding[d]);
    edges.insert(0, r.padding[d]);
  }
  const DimVector of_output = joined({n, g * out}, outer);
  const Tensor volume = r.transposed ? zeros(sizes, x.options()) : constant_pad_nd(x, edges);
  const Tensor y = r.transposed ? volume : zeros(of_output, x.options());
  for_each_place(kernel, [&](const PerDim& at) {
    const Tensor from = r.transposed ? x : under_tap(volume, r, at, outer);
    const Tensor element = select(select(select(w, 4, at[kWidth]), 3, at[kHeight]), 2, at[kDepth]);
    const Tensor tap = reshape(element, {g, w.size(0) / g, w.size(1)});
    const Tensor part = matmul(r.transposed ? transpose(tap, 1, 2) : tap, reshape(from, {n, g, -1, numel_of(outer)}));
    Tensor to = r.transposed ? under_tap(y, r, at, outer) : y;
    to.add_(reshape(part, of_output));
  });
  if (!r.transposed) return y;
  Tensor inner = y;
  for (size_t d = 0; d < in.size(); ++d) inner = narrow(inner, static_cast<int64_t>(d) + 2, r.padding[d], in[d]);
  return inner.contiguous();
}

/// The geometry of x `(N, C, H, W)` or `(N, C, D, H, W)` and w, by what was asked for.
ConvParams geometry(Request& r, const Tensor& x, const Tensor& w) {
  PerDim in{1, 1, 1}, kernel{1, 1, 1}, other{1, 1, 1};
  for (int64_t d = x.dim() == 4 ? kHeight : kDepth; d <= kWidth; ++d) {
    const size_t i = static_cast<size_t>(d);
    in[i] = x.size(d - 3), kernel[i] = w.size(d - 3);
    other[i] = output_size(r, x, static_cast<Dim>(d), in[i], kernel[i]);
  }
  const PerDim &large = r.transposed ? other : in, &small = r.transposed ? in : other;
  ConvParams p{};
  p.groups = r.groups;
  p.id = large[kDepth], p.ih = large[kHeight], p.iw = large[kWidth];
  p.od = small[kDepth], p.oh = small[kHeight], p.ow = small[kWidth];
  p.kd = kernel[kDepth], p.kh = kernel[kHeight], p.kw = kernel[kWidth];
  p.sd = r.stride[kDepth], p.sh = r.stride[kHeight], p.sw = r.stride[kWidth];
  p.pd = r.padding[kDepth], p.ph = r.padding[kHeight], p.pw = r.padding[kWidth];
  p.dd = r.dilation[kDepth], p.dh = r.dilation[kHeight], p.dw = r.dilation[kWidth];
  return p;
}

/// x `(N, C, H, W)` and w of 4 dims, or both of 5.
Tensor convolve(Request r, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const ConvParams p = geometry(r, x, w);
  if (x.is_floating_point() && !r.transposed) return contract(kY, x, w, p, bias);
  Tensor y;
  if (x.is_floating_point())
    y = contract(kX, x, w, p);
  else if (x.dim() == 5)
    y = convolve_integers(r, x, w, p);
  else
    y = squeeze(convolve_integers(r, unsqueeze(x, 2), unsqueeze(w, 2), p), 2);
  return bias.defined() ? y.add(along_channels(bias, y.dim())) : y;
}

Tensor run_real(const Request& r, const Tensor& input, const Tensor& weight, const Tensor& bias) {
  const bool batched = input.dim() == r.dims + 2;
  Tensor x = batched ? input : unsqueeze(input, 0);
  if (r.dims == 1)  // row-major, so that a permuted sequence is not taken for an image with its channels last
    x = squeeze(convolve(r, unsqueeze(x.contiguous(), 2), unsqueeze(weight, 2), bias), 2);
  else
    x = convolve(r, x, weight, bias);
  return as_result(batched ? x : squeeze(x, 0));
}

/// Complex numbers by four convolutions of real ones.
Tensor run_complex(const Request& r, const Tensor& x, const Tensor& w, const Tensor& bias) {
  const Tensor x_re = real(x), x_im = imag(x), w_re = real(w), w_im = imag(w);
  const Tensor b_re = bias.defined() ? real(bias) : bias, b_im = bias.defined() ? imag(bias) : bias;
  return complex(run_real(r, x_re, w_re, b_re).sub(run_real(r, x_im, w_im, {})),
                 run_real(r, x_re, w_im, b_im).add(run_real(r, x_im, w_re, {})));
}

Tensor run(const Request& r, const Tensor& input, const Tensor& weight, const Tensor& bias) {
  check_dtypes(r, input, weight, bias);
  check_channels(r, input, weight, bias);
  return is_complex(input) ? run_complex(r, input, weight, bias) : run_real(r, input, weight, bias);
}

}  // namespace

Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  const Called called;
  return run(request("conv1d", 1, false, stride, padding, dilation, 0, groups), input, weight, bias);
}
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  return run(request("conv2d", 2, false, stride, padding, dilation, 0, groups), input, weight, bias);
}
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
              IntArrayRef padding, IntArrayRef dilation, int64_t groups) {
  return run(request("conv3d", 3, false, stride, padding, dilation, 0, groups), input, weight, bias);
}

Tensor detail::conv_named(int64_t dims, const Tensor& input, const Tensor& weight, OptionalTensorRef bias,
                          IntArrayRef stride, std::string_view padding, IntArrayRef dilation, int64_t groups) {
  constexpr const char* names[] = {"conv1d", "conv2d", "conv3d"};
  Request r = request(names[dims - 1], dims, false, stride, 0, dilation, 0, groups);
  STRATA_CHECK(padding == "same" || padding == "valid",
               "{}: padding must be \"same\", \"valid\" or numbers, got \"{}\"", r.name, padding);
  r.same = padding == "same";
  STRATA_CHECK(!r.same || (r.stride == PerDim{1, 1, 1}), "{}: padding \"same\" needs stride 1, got {}", r.name, stride);
  return run(r, input, weight, bias);
}

Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef output_padding, int64_t groups, IntArrayRef dilation) {
  return run(request("conv_transpose1d", 1, true, stride, padding, dilation, output_padding, groups), input, weight,
             bias);
}
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef output_padding, int64_t groups, IntArrayRef dilation) {
  return run(request("conv_transpose2d", 2, true, stride, padding, dilation, output_padding, groups), input, weight,
             bias);
}
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                        IntArrayRef padding, IntArrayRef output_padding, int64_t groups, IntArrayRef dilation) {
  return run(request("conv_transpose3d", 3, true, stride, padding, dilation, output_padding, groups), input, weight,
             bias);
}

Tensor convolution(const Tensor& input, const Tensor& weight, OptionalTensorRef bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   int64_t groups) {
  const int64_t dims = weight.dim() - 2;
  STRATA_CHECK(dims >= 1 && dims <= 3, "convolution: expected a weight of 3, 4 or 5 dims, got {}", weight.sizes());
  return run(request("convolution", dims, transposed, stride, padding, dilation, output_padding, groups), input, weight,
             bias);
}

}  // namespace strata
