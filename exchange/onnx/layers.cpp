// ONNX's convolutions and norms.
#include <numeric>

#include "exchange/onnx/windows.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/conv.h"
#include "ops/creation.h"
#include "ops/norm.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

Ints spatial_sizes(const Tensor& weight) { return {weight.sizes().begin() + 2, weight.sizes().end()}; }

}  // namespace

Tensor convolve(const Arguments& a, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Windows w(a, x.sizes(), a.ints("kernel_shape", spatial_sizes(weight)));
  const Tensor padded = w.is_symmetric() ? x : constant_pad_nd(x, w.padding(x.sizes(), false));
  return convolution(padded, weight, bias, w.strides, w.is_symmetric() ? w.before : Ints(w.dims(), 0), w.dilations,
                     false, Ints(w.dims(), 0), a.integer("group", 1));
}

namespace {

/// Pads of transposed convolutions cut the result; `output_shape` and auto_pad say what is cut.
struct Cut {
  Ints before, after, more;
};

Cut cut_of(A a, IntArrayRef input, const Ints& kernel, const Ints& strides, const Ints& dilations) {
  const size_t n = kernel.size();
  const Ints pads = a.ints("pads", Ints(2 * n, 0));
  Cut cut{Ints(n, 0), Ints(n, 0), a.ints("output_padding", Ints(n, 0))};
  const std::string automatic = a.text("auto_pad", "NOTSET");
  const std::optional<Ints> shape = a.maybe_ints("output_shape");
  const bool same = automatic.starts_with("SAME");
  for (size_t d = 0; d < n; ++d) {
    cut.before[d] = automatic == "VALID" ? 0 : pads[d], cut.after[d] = automatic == "VALID" ? 0 : pads[d + n];
    if (!shape && !same) continue;
    const int64_t wanted = shape ? (*shape)[shape->size() - n + d] : input[d + 2] * strides[d];
    const int64_t total = strides[d] * (input[d + 2] - 1) + cut.more[d] + (kernel[d] - 1) * dilations[d] + 1 - wanted;
    cut.before[d] = total < 0 ? 0 : automatic == "SAME_UPPER" ? total / 2 : total - total / 2;  // more goes to the end
    cut.after[d] = total - cut.before[d];
  }
  return cut;
}

Tensor transposed_conv(A a) {
  const Tensor &x = a[0], &weight = a[1];
  const Ints kernel = a.ints("kernel_shape", spatial_sizes(weight));
  const size_t n = kernel.size();
  const Ints strides = a.ints("strides", Ints(n, 1)), dilations = a.ints("dilations", Ints(n, 1));
  const Cut cut = cut_of(a, x.sizes(), kernel, strides, dilations);
  Tensor out = convolution(x, weight, a.maybe_tensor(2), strides, Ints(n, 0), dilations, true, Ints(n, 0),
                           a.integer("group", 1));
  Ints pads;  // negative ones cut
  for (size_t d = n; d-- > 0;) pads.push_back(-cut.before[d]), pads.push_back(cut.more[d] - cut.after[d]);
  return std::all_of(pads.begin(), pads.end(), [](int64_t p) { return p == 0; }) ? out : constant_pad_nd(out, pads);
}

Ints last_sizes(const Tensor& x, int64_t axis) { return {x.sizes().begin() + axis, x.sizes().end()}; }

Ints from_axis(const Tensor& x, int64_t axis) {
  Ints dims(static_cast<size_t>(x.dim() - axis));
  std::iota(dims.begin(), dims.end(), axis);
  return dims;
}

std::tuple<Tensor, Tensor, Tensor> layer_normed(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", -1), x.dim());
  const double eps = a.number("epsilon", 1e-5);
  a.ignore("stash_type");  // sums are in float32 in any case
  const Ints sizes = last_sizes(x, axis);
  const Tensor weight = a[1], bias = a.tensor_or_none(2);
  // Scale and bias may be of other shapes, which broadcast.
  const auto fits = [&](const Tensor& t) { return !t.defined() || t.sizes() == IntArrayRef(sizes); };
  Tensor y = fits(weight) && fits(bias) ? layer_norm(x, sizes, weight, bias, eps)
                                        : mul(layer_norm(x, sizes, {}, {}, eps), weight);
  if (!(fits(weight) && fits(bias)) && bias.defined()) y = add(y, bias);
  if (!a.wants(1) && !a.wants(2)) return {y, Tensor(), Tensor()};
  const auto [variance, mean] = var_mean(cast(x, kFloat), OptionalIntArrayRef(from_axis(x, axis)), Scalar(0), true);
  return {y, mean, rsqrt(add(variance, eps))};
}

Tensor rms_normed(A a) {
  const Tensor& x = a[0];
  const int64_t axis = wrapped(a.integer("axis", -1), x.dim());
  a.ignore("stash_type");
  const Tensor wide = x.dtype() == kDouble ? x : cast(x, kFloat);
  const Tensor square_mean = mean(mul(wide, wide), OptionalIntArrayRef(from_axis(x, axis)), true);
  return mul(cast(mul(wide, rsqrt(add(square_mean, a.number("epsilon", 1e-5)))), x.dtype()), a[1]);
}

/// In training, the running statistics are results: momentum * old + (1 - momentum) * of the batch.
std::tuple<Tensor, Tensor, Tensor> batch_normed(A a) {
  const Tensor& x = a[0];
  const double eps = a.number("epsilon", 1e-5), momentum = a.number("momentum", 0.9);
  const bool trains = a.flag("training_mode");
  a.ignore("spatial");
  if (!trains) return {batch_norm(x, a[1], a[2], a[3], a[4], false, 0, eps), Tensor(), Tensor()};
  Ints dims(static_cast<size_t>(x.dim()) - 1);
  std::iota(dims.begin(), dims.end(), 1);
  dims[0] = 0;
  const auto [variance, mean] = var_mean(x, OptionalIntArrayRef(dims), Scalar(0));
  const Tensor y = batch_norm(x, a[1], a[2], {}, {}, true, 0, eps);
  return {y, add(mul(a[3], momentum), mul(mean, 1 - momentum)), add(mul(a[4], momentum), mul(variance, 1 - momentum))};
}

/// Scale and bias are of each channel, before opset 21 of each group.
Tensor group_normed(A a) {
  const Tensor& x = a[0];
  const int64_t groups = a.integer("num_groups"), channels = x.size(1);
  a.ignore("stash_type");
  const auto of_channels = [&](const Tensor& t) {
    return t.numel() == channels ? t : repeat_interleave(t, channels / groups, 0);
  };
  return group_norm(x, groups, of_channels(a[1]), of_channels(a[2]), a.number("epsilon", 1e-5));
}

Tensor instance_normed(A a) { return instance_norm(a[0], a[1], a[2], {}, {}, true, 0, a.number("epsilon", 1e-5)); }

/// The size of the window counts the channel itself, `size / 2` of them behind it where it is even.
Tensor response_normed(A a) {
  const Tensor& x = a[0];
  const int64_t size = a.integer("size"), before = (size - 1) / 2, after = size / 2;
  Ints pads(2 * static_cast<size_t>(x.dim() - 1), 0);
  pads[pads.size() - 2] = before, pads[pads.size() - 1] = after;
  const Tensor squares = sum(unfold(constant_pad_nd(mul(x, x), pads), 1, size, 1), OptionalIntArrayRef(-1));
  const double alpha = a.number("alpha", 1e-4), beta = a.number("beta", 0.75), bias = a.number("bias", 1);
  return div(x, pow(add(mul(squares, alpha / static_cast<double>(size)), bias), beta));
}

Tensor mean_variance_normed(A a) {
  const Ints axes = a.ints("axes", {0, 2, 3});
  const auto [deviation, mean] = std_mean(a[0], OptionalIntArrayRef(axes), Scalar(0), true);
  return div(sub(a[0], mean), add(deviation, 1e-9));
}

constexpr OpEntry kLayersOps[] = {
    {"Conv", [](A a) { return convolve(a, a[0], a[1], a.tensor_or_none(2)); }},
    {"ConvTranspose", [](A a) { return transposed_conv(a); }},
    {"BatchNormalization", [](A a) { return batch_normed(a); }},
    {"LayerNormalization", [](A a) { return layer_normed(a); }},
    {"RMSNormalization", [](A a) { return rms_normed(a); }},
    {"GroupNormalization", [](A a) { return group_normed(a); }},
    {"InstanceNormalization", [](A a) { return instance_normed(a); }},
    {"LRN", [](A a) { return response_normed(a); }},
    {"MeanVarianceNormalization", [](A a) { return mean_variance_normed(a); }},
};

}  // namespace

std::span<const OpEntry> layer_ops() { return kLayersOps; }

}  // namespace strata::onnx
