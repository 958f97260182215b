// ATen's layers for exported programs: convolutions, pools, norms, attention, embeddings, recurrent nets, resampling.
#include "exchange/pt2_ops.h"
#include "nn/rnn_functions.h"
#include "nn/upsampling.h"
#include "ops/arranging.h"
#include "ops/attention.h"
#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/embedding.h"
#include "ops/embedding_bag.h"
#include "ops/grid_sample.h"
#include "ops/norm.h"
#include "ops/pool.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::pt2 {
namespace {

using A = const Arguments&;

/// A convolution with padding as numbers or as a name.
template <class F>
Tensor conv(A a, F f) {
  return f(a.tensor("input"), a.tensor("weight"), a.maybe_tensor("bias"), a.ints("stride", {1}), a.ints("padding", {0}),
           a.ints("dilation", {1}), a.integer("groups", 1));
}

template <class F>
Tensor conv_named(A a, F f) {
  return f(a.tensor("input"), a.tensor("weight"), a.maybe_tensor("bias"), a.ints("stride", {1}),
           a.text("padding", "valid"), a.ints("dilation", {1}), a.integer("groups", 1));
}

template <class F>
Tensor conv_transpose(A a, F f) {
  return f(a.tensor("input"), a.tensor("weight"), a.maybe_tensor("bias"), a.ints("stride", {1}), a.ints("padding", {0}),
           a.ints("output_padding", {0}), a.integer("groups", 1), a.ints("dilation", {1}));
}

template <class F>
auto max_pool(A a, F f) {
  return f(a.self(), a.ints("kernel_size"), a.ints("stride", {}), a.ints("padding", {0}), a.ints("dilation", {1}),
           a.flag("ceil_mode"));
}

template <class F>
Tensor avg_pool(A a, F f) {
  return f(a.self(), a.ints("kernel_size"), a.ints("stride", {}), a.ints("padding", {0}), a.flag("ceil_mode"),
           a.flag("count_include_pad", true), a.maybe_integer("divisor_override"));
}

/// All dims but the channels'.
DimVector statistics_dims(const Tensor& x) {
  DimVector dims;
  for (int64_t d = 0; d < x.dim(); ++d)
    if (d != 1) dims.push_back(d);
  return dims;
}

Tensor normed(A a, OptionalTensorRef mean, OptionalTensorRef var, bool training) {
  return batch_norm(a.tensor("input"), a.maybe_tensor("weight"), a.maybe_tensor("bias"), mean, var, training,
                    a.number("momentum", 0.1), a.number("eps", 1e-5));
}

/// Statistics of the batch that a training step makes: what the norm divides by, and the running ones after it.
struct Statistics {
  Tensor mean, rstd, running_mean, running_var;
};

Statistics statistics(A a) {
  const Tensor& x = a.tensor("input");
  const DimVector dims = statistics_dims(x);
  const auto [var, mean] = var_mean(x.detach(), dims, Scalar(0));
  const double momentum = a.number("momentum", 0.1);
  const auto count = static_cast<double>(x.numel() / x.size(1));
  const Tensor unbiased = mul(var, count / (count - 1));
  const auto moved = [&](const char* name, const Tensor& now) {
    const Tensor before = a.tensor_or_none(name);
    return before.defined() ? add(mul(before, 1 - momentum), now, momentum) : Tensor();
  };
  return {mean, rsqrt(add(var, a.number("eps", 1e-5))), moved("running_mean", mean), moved("running_var", unbiased)};
}

/// Nothing is written: the running statistics are results.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> functional_batch_norm(A a) {
  const OptionalTensorRef mean = a.maybe_tensor("running_mean"), var = a.maybe_tensor("running_var");
  if (!a.flag("training")) return {normed(a, mean, var, false), Tensor(), Tensor(), *mean, *var};
  const Statistics s = statistics(a);
  return {normed(a, {}, {}, true), s.mean, s.rstd, s.running_mean, s.running_var};
}

/// The mean and the reciprocal deviation that the norms give beside their result, where anybody reads them.
std::tuple<Tensor, Tensor, Tensor> with_moments(A a, const Tensor& out, const Tensor& grouped, IntArrayRef dims) {
  if (!a.wants(1) && !a.wants(2)) return {out, Tensor(), Tensor()};
  const auto [var, mean] = var_mean(grouped, dims, Scalar(0), true);
  return {out, mean, rsqrt(add(var, a.number("eps", 1e-5)))};
}

std::tuple<Tensor, Tensor, Tensor> native_layer_norm(A a) {
  const Tensor& x = a.tensor("input");
  const std::vector<int64_t> shape = a.ints("normalized_shape");
  DimVector dims;
  for (size_t i = 0; i < shape.size(); ++i) dims.push_back(-1 - static_cast<int64_t>(i));
  const Tensor out = layer_norm(x, shape, a.maybe_tensor("weight"), a.maybe_tensor("bias"), a.number("eps", 1e-5));
  return with_moments(a, out, x, dims);
}

Tensor native_group_norm(A a) {
  const Tensor& x = a.tensor("input");
  a.integer("N"), a.integer("C"), a.integer("HxW");
  return group_norm(x, a.integer("group"), a.maybe_tensor("weight"), a.maybe_tensor("bias"), a.number("eps", 1e-5));
}

Tensor attention(A a, std::string_view mask) {
  return scaled_dot_product_attention(a.tensor("query"), a.tensor("key"), a.tensor("value"), a.tensor_or_none(mask),
                                      a.number("dropout_p", 0), a.flag("is_causal"), a.maybe_number("scale"),
                                      a.flag("enable_gqa"));
}

/// The fused kernels' results beside the first are for their own derivatives.
Values attention_alone(A a, std::string_view mask) {
  a.flag("compute_log_sumexp"), a.flag("return_debug_mask");
  Values out(9);
  out[0] = attention(a, mask);
  return out;
}

auto bag(A a, std::optional<int64_t> padding) {
  return embedding_bag(a.tensor("weight"), a.tensor("indices"), a.tensor("offsets"), a.flag("scale_grad_by_freq"),
                       a.integer("mode", 0), a.flag("sparse"), a.maybe_tensor("per_sample_weights"),
                       a.flag("include_last_offset"), padding);
}

Tensor weight_normed(A a) {
  const Tensor& v = a.tensor("v");
  return mul(v, div(a.tensor("g"), norm_except_dim(v, 2, a.integer("dim", 0))));
}

/// gru and the plain recurrent nets.
template <class F>
auto recurrent(A a, F f) {
  return f(a.tensor("input"), a.tensor("hx"), a.tensors("params"), a.flag("has_biases"), a.integer("num_layers"),
           a.number("dropout", 0), a.flag("train"), a.flag("bidirectional"), a.flag("batch_first"));
}

template <class F>
auto cell(A a, F f) {
  return f(a.tensor("input"), a.tensor("hx"), a.tensor("w_ih"), a.tensor("w_hh"), a.tensor_or_none("b_ih"),
           a.tensor_or_none("b_hh"));
}

/// Interpolation by scales where all are given, else by size.
Tensor resampled(A a, const Tensor& x, Choice mode) {
  nn::functional::InterpolateFuncOptions options;
  options.mode(mode);
  std::vector<double> scales = a.numbers("scale_factors");
  for (const char* name : {"scales", "scales_d", "scales_h", "scales_w"})
    if (const std::optional<double> scale = a.maybe_number(name)) scales.push_back(*scale);
  const std::optional<DimVector> size = a.maybe_ints("output_size");
  if (a.has("align_corners")) options.align_corners(a.flag("align_corners"));
  if (scales.size() == static_cast<size_t>(x.dim() - 2))
    options.scale_factor(scales).recompute_scale_factor(false);
  else if (size)
    options.size(std::vector<int64_t>(size->begin(), size->end()));
  return nn::functional::interpolate(x, options);
}

Tensor sampled(A a) {
  return grid_sampler(a.tensor("input"), a.tensor("grid"), a.integer("interpolation_mode"), a.integer("padding_mode"),
                      a.flag("align_corners"));
}

constexpr OpEntry kLayersOps[] = {
    {"conv1d", "default", [](A a) { return conv(a, [](auto... x) { return conv1d(x...); }); }},
    {"conv2d", "default", [](A a) { return conv(a, [](auto... x) { return conv2d(x...); }); }},
    {"conv3d", "default", [](A a) { return conv(a, [](auto... x) { return conv3d(x...); }); }},
    {"conv1d", "padding", [](A a) { return conv_named(a, [](auto... x) { return conv1d(x...); }); }},
    {"conv2d", "padding", [](A a) { return conv_named(a, [](auto... x) { return conv2d(x...); }); }},
    {"conv3d", "padding", [](A a) { return conv_named(a, [](auto... x) { return conv3d(x...); }); }},
    {"conv_transpose1d", "default",
     [](A a) { return conv_transpose(a, [](auto... x) { return conv_transpose1d(x...); }); }},
    {"conv_transpose2d", "input",
     [](A a) { return conv_transpose(a, [](auto... x) { return conv_transpose2d(x...); }); }},
    {"conv_transpose3d", "input",
     [](A a) { return conv_transpose(a, [](auto... x) { return conv_transpose3d(x...); }); }},
    {"convolution", "default",
     [](A a) {
       return convolution(a.tensor("input"), a.tensor("weight"), a.maybe_tensor("bias"), a.ints("stride"),
                          a.ints("padding"), a.ints("dilation"), a.flag("transposed"), a.ints("output_padding"),
                          a.integer("groups"));
     }},

    {"max_pool1d", "default", [](A a) { return max_pool(a, [](auto... x) { return max_pool1d(x...); }); }},
    {"max_pool2d", "default", [](A a) { return max_pool(a, [](auto... x) { return max_pool2d(x...); }); }},
    {"max_pool3d", "default", [](A a) { return max_pool(a, [](auto... x) { return max_pool3d(x...); }); }},
    {"max_pool1d_with_indices", "default",
     [](A a) { return max_pool(a, [](auto... x) { return max_pool1d_with_indices(x...); }); }},
    {"max_pool2d_with_indices", "default",
     [](A a) { return max_pool(a, [](auto... x) { return max_pool2d_with_indices(x...); }); }},
    {"max_pool3d_with_indices", "default",
     [](A a) { return max_pool(a, [](auto... x) { return max_pool3d_with_indices(x...); }); }},
    {"avg_pool1d", "default",
     [](A a) {
       return avg_pool1d(a.self(), a.ints("kernel_size"), a.ints("stride", {}), a.ints("padding", {0}),
                         a.flag("ceil_mode"), a.flag("count_include_pad", true));
     }},
    {"avg_pool2d", "default", [](A a) { return avg_pool(a, [](auto... x) { return avg_pool2d(x...); }); }},
    {"avg_pool3d", "default", [](A a) { return avg_pool(a, [](auto... x) { return avg_pool3d(x...); }); }},
    {"adaptive_avg_pool1d", "default", [](A a) { return adaptive_avg_pool1d(a.self(), a.ints("output_size")); }},
    {"adaptive_avg_pool2d", "default", [](A a) { return adaptive_avg_pool2d(a.self(), a.ints("output_size")); }},
    {"adaptive_avg_pool3d", "default", [](A a) { return adaptive_avg_pool3d(a.self(), a.ints("output_size")); }},
    {"_adaptive_avg_pool2d", "default", [](A a) { return adaptive_avg_pool2d(a.self(), a.ints("output_size")); }},
    {"_adaptive_avg_pool3d", "default", [](A a) { return adaptive_avg_pool3d(a.self(), a.ints("output_size")); }},
    {"adaptive_max_pool1d", "default", [](A a) { return adaptive_max_pool1d(a.self(), a.ints("output_size")); }},
    {"adaptive_max_pool2d", "default", [](A a) { return adaptive_max_pool2d(a.self(), a.ints("output_size")); }},
    {"adaptive_max_pool3d", "default", [](A a) { return adaptive_max_pool3d(a.self(), a.ints("output_size")); }},

    {"batch_norm", "default",
     [](A a) { return normed(a, a.maybe_tensor("running_mean"), a.maybe_tensor("running_var"), a.flag("training")); }},
    {"_native_batch_norm_legit_functional", "default", [](A a) { return functional_batch_norm(a); }},
    {"_native_batch_norm_legit", "default",
     [](A a) {
       const bool training = a.flag("training");
       const Statistics s = training && (a.wants(1) || a.wants(2)) ? statistics(a) : Statistics();
       const Tensor out = normed(a, a.maybe_tensor("running_mean"), a.maybe_tensor("running_var"), training);
       return std::tuple(out, s.mean, s.rstd);
     }},
    {"_native_batch_norm_legit", "no_stats",
     [](A a) {
       a.flag("training");
       const Statistics s = a.wants(1) || a.wants(2) ? statistics(a) : Statistics();
       return std::tuple(normed(a, {}, {}, true), s.mean, s.rstd);
     }},
    {"_native_batch_norm_legit_no_training", "default",
     [](A a) {
       return std::tuple(normed(a, a.maybe_tensor("running_mean"), a.maybe_tensor("running_var"), false), Tensor(),
                         Tensor());
     }},
    {"instance_norm", "default",
     [](A a) {
       return instance_norm(a.tensor("input"), a.maybe_tensor("weight"), a.maybe_tensor("bias"),
                            a.maybe_tensor("running_mean"), a.maybe_tensor("running_var"), a.flag("use_input_stats"),
                            a.number("momentum", 0.1), a.number("eps", 1e-5));
     }},
    {"layer_norm", "default",
     [](A a) {
       return layer_norm(a.tensor("input"), a.ints("normalized_shape"), a.maybe_tensor("weight"),
                         a.maybe_tensor("bias"), a.number("eps", 1e-5));
     }},
    {"native_layer_norm", "default", [](A a) { return native_layer_norm(a); }},
    {"group_norm", "default",
     [](A a) {
       return group_norm(a.tensor("input"), a.integer("num_groups"), a.maybe_tensor("weight"), a.maybe_tensor("bias"),
                         a.number("eps", 1e-5));
     }},
    {"native_group_norm", "default", [](A a) { return std::tuple(native_group_norm(a), Tensor(), Tensor()); }},
    {"rms_norm", "default",
     [](A a) {
       return rms_norm(a.tensor("input"), a.ints("normalized_shape"), a.maybe_tensor("weight"), a.maybe_number("eps"));
     }},

    {"_fused_rms_norm", "default",
     [](A a) {
       return std::tuple(
           rms_norm(a.tensor("input"), a.ints("normalized_shape"), a.maybe_tensor("weight"), a.maybe_number("eps")),
           Tensor());
     }},

    {"scaled_dot_product_attention", "default", [](A a) { return attention(a, "attn_mask"); }},
    {"_scaled_dot_product_flash_attention_for_cpu", "default", [](A a) { return attention_alone(a, "attn_mask"); }},
    {"_scaled_dot_product_flash_attention", "default", [](A a) { return attention_alone(a, "attn_mask"); }},
    {"_scaled_dot_product_efficient_attention", "default", [](A a) { return attention_alone(a, "attn_bias"); }},
    {"embedding", "default",
     [](A a) {
       return embedding(a.tensor("weight"), a.tensor("indices"), a.integer("padding_idx", -1),
                        a.flag("scale_grad_by_freq"), a.flag("sparse"));
     }},

    {"embedding_bag", "padding_idx", [](A a) { return bag(a, a.maybe_integer("padding_idx")); }},
    {"_embedding_bag", "default",
     [](A a) {
       const int64_t padding = a.integer("padding_idx", -1);
       return bag(a, padding < 0 ? std::nullopt : std::optional(padding));
     }},
    {"_weight_norm", "default", [](A a) { return weight_normed(a); }},
    {"_weight_norm_interface", "default", [](A a) { return std::tuple(weight_normed(a), Tensor()); }},

    {"lstm", "input",
     [](A a) {
       return lstm(a.tensor("input"), a.tensors("hx"), a.tensors("params"), a.flag("has_biases"),
                   a.integer("num_layers"), a.number("dropout", 0), a.flag("train"), a.flag("bidirectional"),
                   a.flag("batch_first"));
     }},
    {"gru", "input", [](A a) { return recurrent(a, [](auto... x) { return gru(x...); }); }},
    {"rnn_tanh", "input", [](A a) { return recurrent(a, [](auto... x) { return rnn_tanh(x...); }); }},
    {"rnn_relu", "input", [](A a) { return recurrent(a, [](auto... x) { return rnn_relu(x...); }); }},
    {"lstm_cell", "default",
     [](A a) {
       return lstm_cell(a.tensor("input"), a.tensors("hx"), a.tensor("w_ih"), a.tensor("w_hh"),
                        a.tensor_or_none("b_ih"), a.tensor_or_none("b_hh"));
     }},
    {"gru_cell", "default", [](A a) { return cell(a, [](auto... x) { return gru_cell(x...); }); }},
    {"rnn_tanh_cell", "default", [](A a) { return cell(a, [](auto... x) { return rnn_tanh_cell(x...); }); }},
    {"rnn_relu_cell", "default", [](A a) { return cell(a, [](auto... x) { return rnn_relu_cell(x...); }); }},

    {"upsample_nearest1d", "vec", [](A a) { return resampled(a, a.tensor("input"), kNearest); }},
    {"upsample_nearest1d", "default", [](A a) { return resampled(a, a.self(), kNearest); }},
    {"upsample_nearest2d", "vec", [](A a) { return resampled(a, a.tensor("input"), kNearest); }},
    {"upsample_nearest2d", "default", [](A a) { return resampled(a, a.self(), kNearest); }},
    {"upsample_nearest3d", "vec", [](A a) { return resampled(a, a.tensor("input"), kNearest); }},
    {"upsample_nearest3d", "default", [](A a) { return resampled(a, a.self(), kNearest); }},
    {"_upsample_nearest_exact2d", "vec", [](A a) { return resampled(a, a.tensor("input"), kNearestExact); }},
    {"_upsample_nearest_exact2d", "default", [](A a) { return resampled(a, a.self(), kNearestExact); }},
    {"upsample_linear1d", "vec", [](A a) { return resampled(a, a.tensor("input"), kLinear); }},
    {"upsample_linear1d", "default", [](A a) { return resampled(a, a.self(), kLinear); }},
    {"upsample_bilinear2d", "vec", [](A a) { return resampled(a, a.tensor("input"), kBilinear); }},
    {"upsample_bilinear2d", "default", [](A a) { return resampled(a, a.self(), kBilinear); }},
    {"upsample_bicubic2d", "vec", [](A a) { return resampled(a, a.tensor("input"), kBicubic); }},
    {"upsample_bicubic2d", "default", [](A a) { return resampled(a, a.self(), kBicubic); }},
    {"upsample_trilinear3d", "vec", [](A a) { return resampled(a, a.tensor("input"), kTrilinear); }},
    {"upsample_trilinear3d", "default", [](A a) { return resampled(a, a.self(), kTrilinear); }},
    {"affine_grid_generator", "default",
     [](A a) { return affine_grid_generator(a.tensor("theta"), a.ints("size"), a.flag("align_corners")); }},
    {"grid_sampler", "default", [](A a) { return sampled(a); }},
    {"grid_sampler_2d", "default", [](A a) { return sampled(a); }},
};

}  // namespace

std::span<const OpEntry> layer_ops() { return kLayersOps; }

}  // namespace strata::pt2
