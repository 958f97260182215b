// Programs that call ATen's functions of gradients, as autograd functions of one's own do.
#include <torch/torch.h>

#include <vector>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::aten_gradients {
namespace {

using torch::Tensor;

const std::optional<Tensor> kNo;

const Program activations("gradients of activations", [](std::ostream& out) {
  const Tensor g = fine_waves({2, 6}), x = fine_waves({2, 6}, 1.3) * 4, y = torch::sigmoid(x);
  show(out, "sigmoid", torch::sigmoid_backward(g, y));
  show(out, "tanh", torch::tanh_backward(g, y));
  show(out, "threshold", torch::threshold_backward(g, x, 0.5));
  show(out, "gelu", torch::gelu_backward(g, x));
  show(out, "gelu by tanh", torch::gelu_backward(g, x, "tanh"));
  show(out, "gelu again", torch::infinitely_differentiable_gelu_backward(g, x));
  show(out, "silu", torch::silu_backward(g, x));
  show(out, "mish", torch::mish_backward(g, x));
  show(out, "elu", torch::elu_backward(g, 1.5, 1.2, 0.7, false, x));
  show(out, "elu by its result", torch::elu_backward(g, 1.5, 1.2, 0.7, true, x));
  show(out, "leaky_relu", torch::leaky_relu_backward(g, x, 0.1, false));
  show(out, "softplus", torch::softplus_backward(g, x, 2, 3));
  show(out, "hardtanh", torch::hardtanh_backward(g, x, -1, 2));
  show(out, "hardswish", torch::hardswish_backward(g, x));
  show(out, "hardsigmoid", torch::hardsigmoid_backward(g, x));
  show(out, "log_sigmoid", torch::log_sigmoid_backward(g, x, torch::exp(-torch::abs(x))));
  show(out, "logit", torch::logit_backward(g, y, 0.1));
  show(out, "logit without bounds", torch::logit_backward(g, y));
  show(out, "softshrink", torch::softshrink_backward(g, x, 0.5));
  show(out, "hardshrink", torch::hardshrink_backward(g, x, 0.5));
  show(out, "glu", torch::glu_backward(g.slice(1, 0, 3), x, 1));
  show(out, "glu's change", torch::glu_jvp(torch::glu(x, 1), x, g, 1));
  show(out, "glu_backward's change",
       torch::glu_backward_jvp(torch::glu_backward(g.slice(1, 0, 3), x, 1), g.slice(1, 0, 3), x, y.slice(1, 0, 3), y,
                               1));
  show(out, "rrelu", torch::rrelu_with_noise_backward(g, x, y, 0.1, 0.3, true, false));
  show(out, "rrelu without training", torch::rrelu_with_noise_backward(g, x, y, 0.1, 0.3, false, false));
  const auto [of_x, of_weight] = torch::_prelu_kernel_backward(g, x, torch::full({1}, 0.3, torch::kFloat64));
  show(out, "prelu", of_x);
  show(out, "prelu's weight", of_weight);
  show(out, "dropout", torch::native_dropout_backward(g, x.gt(0), 2));
  show(out, "no elements", torch::silu_backward(g.slice(1, 0, 0), x.slice(1, 0, 0)));
  show(out, "one element", torch::mish_backward(g[0][1], x[0][1]));
  show(out, "floats", torch::hardswish_backward(g.to(torch::kFloat), x.to(torch::kFloat)));
  fails<c10::Error>(out, "elu by its result", "In-place elu backward",
                    [&] { torch::elu_backward(g, -1, 1, 1, true, x); });
  fails<c10::Error>(out, "leaky_relu by its result", "In-place leakyReLu backward",
                    [&] { torch::leaky_relu_backward(g, x, -0.1, true); });
});

const Program again("gradients of gradients", [](std::ostream& out) {
  const Tensor g = fine_waves({5}).requires_grad_(), x = (fine_waves({5}, 1.3) * 2).requires_grad_();
  torch::sigmoid_backward(g, x)
      .add(torch::tanh_backward(g, x))
      .add(torch::softplus_backward(g, x, 2, 3))
      .sum()
      .backward();
  show(out, "by the gradient", g.grad());
  show(out, "by the place", x.grad());
});

const Program softmax("gradients of softmax", [](std::ostream& out) {
  const Tensor g = fine_waves({2, 4}), x = fine_waves({2, 4}, 1.3), y = torch::softmax(x, 1);
  show(out, "softmax", torch::_softmax_backward_data(g, y, 1, torch::kFloat64));
  show(out, "log_softmax", torch::_log_softmax_backward_data(g, torch::log(y), -1, torch::kFloat64));
  const Tensor mask = torch::tensor({true, false, false, true, false, false, true, false}).view({2, 4});
  const Tensor of_masked = torch::_masked_softmax(x, mask, 1, 2);
  show(out, "masked forward", of_masked);
  show(out, "masked", torch::_masked_softmax_backward(g, of_masked, mask, 1));
  show(out, "safe", torch::_safe_softmax(x.masked_fill(torch::tensor({true, false}).view({2, 1}), -INFINITY), 1));
});

const Program losses("gradients of losses", [](std::ostream& out) {
  const Tensor g = fine_waves({3, 4}), x = fine_waves({3, 4}, 1.3), t = fine_waves({3, 4}, 0.4),
               one = torch::full({}, 0.7, torch::kFloat64);
  const Tensor p = torch::sigmoid(x), share = torch::sigmoid(t), sign = torch::sign(t);
  for (const int64_t reduction : {at::Reduction::None, at::Reduction::Mean, at::Reduction::Sum}) {
    const Tensor grad = reduction == at::Reduction::None ? g : one;
    show(out, "mse", torch::mse_loss_backward(grad, x, t, reduction));
    show(out, "huber", torch::huber_loss_backward(grad, x, t, reduction, 0.4));
    show(out, "smooth_l1", torch::smooth_l1_loss_backward(grad, x, t, reduction, 0.4));
    show(out, "soft_margin", torch::soft_margin_loss_backward(grad, x, sign, reduction));
    show(out, "binary_cross_entropy", torch::binary_cross_entropy_backward(grad, p, share, share, reduction));
    const Tensor grads = reduction == at::Reduction::None ? g.select(1, 0).contiguous() : one;
    const Tensor labels = torch::tensor({1, 3, 0}), weight = torch::tensor({0.5, 1.0, 2.0, 1.5}, torch::kFloat64);
    show(out, "nll",
         torch::nll_loss_backward(grads, x, labels, weight, reduction, 3, torch::full({}, 1.5, torch::kFloat64)));
    show(out, "nll without weights",
         torch::nll_loss_backward(grads, x, labels, kNo, reduction, -100, torch::full({}, 3.0, torch::kFloat64)));
    show(out, "multi_margin", torch::multi_margin_loss_backward(grads, x, labels, 1, 0.5, weight, reduction));
    const Tensor image = fine_waves({1, 4, 2, 2}, 1.3), places = torch::tensor({1, 3, 0, 2}).view({1, 2, 2});
    const Tensor of_image = reduction == at::Reduction::None ? fine_waves({1, 2, 2}) : one;
    show(out, "nll2d",
         torch::nll_loss2d_backward(of_image, image, places, weight, reduction, -100,
                                    torch::full({}, 5.0, torch::kFloat64)));
  }
  const Tensor classes = torch::tensor({1, 3, -1, 0, 0, 2, 1, -1, 2, -1, 0, 0}).view({3, 4});
  const Tensor is_target = torch::tensor({0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0}, torch::kFloat64).view({3, 4});
  show(out, "multilabel_margin",
       torch::multilabel_margin_loss_backward(one, x, classes, at::Reduction::Mean, is_target));
  show(out, "a gradient that broadcasts", torch::mse_loss_backward(one, x, t, at::Reduction::None));
  const Tensor a = fine_waves({2, 3}), b = fine_waves({4, 3}, 0.4), d = torch::cdist(a, b);
  show(out, "cdist", torch::_cdist_backward(fine_waves({2, 4}), a, b, 2, d));
  show(out, "pdist", torch::_pdist_backward(fine_waves({6}), b, 2, torch::pdist(b)));
});

const Program norms("gradients of norms", [](std::ostream& out) {
  const Tensor x = fine_waves({2, 4, 3}, 1.3), g = fine_waves({2, 4, 3}), w = fine_waves({3}, 0.4),
               b = fine_waves({3}, 0.9);
  const auto [y, mean, rstd] = torch::native_layer_norm(x, {3}, w, b, 1e-5);
  show(out, "layer norm", y);
  show(out, "its mean", mean);
  show(out, "one over its deviation", rstd);
  const auto [dx, dw, db] = torch::native_layer_norm_backward(g, x, {3}, mean, rstd, w, b, {true, true, true});
  show(out, "input", dx);
  show(out, "weight", dw);
  show(out, "bias", db);
  const auto none = torch::native_layer_norm_backward(g, x, {3}, mean, rstd, kNo, kNo, {true, false, false});
  show(out, "input alone", std::get<0>(none));
  out << std::get<1>(none).defined() << '\n';

  const Tensor cw = fine_waves({4}, 0.4), cb = fine_waves({4}, 0.9);
  const auto [gy, gmean, grstd] = torch::native_group_norm(x, cw, cb, 2, 4, 3, 2, 1e-5);
  show(out, "group norm", gy);
  show(out, "its mean", gmean);
  show(out, "one over its deviation", grstd);
  const auto [gx, gw, gb] = torch::native_group_norm_backward(g, x, gmean, grstd, cw, 2, 4, 3, 2, {true, true, true});
  show(out, "input", gx);
  show(out, "weight", gw);
  show(out, "bias", gb);

  const Tensor running_mean = fine_waves({4}, 0.2), running_var = fine_waves({4}, 0.3).abs();
  for (const bool train : {true, false}) {
    const auto [by, bmean, brstd] = torch::native_batch_norm(x, cw, cb, running_mean, running_var, train, 0.1, 1e-5);
    show(out, "batch norm", by);
    show(out, "its mean", bmean);
    show(out, "one over its deviation", brstd);
    const auto [bx, bw, bb] = torch::native_batch_norm_backward(g, x, cw, running_mean, running_var, bmean, brstd,
                                                                train, 1e-5, {true, true, true});
    show(out, "input", bx);
    show(out, "weight", bw);
    show(out, "bias", bb);
  }
  show(out, "running mean", running_mean);
  show(out, "running variance", running_var);
  const auto functional =
      torch::_native_batch_norm_legit_functional(x, cw, cb, running_mean, running_var, true, 0.1, 1e-5);
  show(out, "a new running variance", std::get<4>(functional));
  show(out, "the one given", running_var);
  const auto [um, uv] = torch::batch_norm_update_stats(x, running_mean, running_var, 0.3);
  show(out, "updated by the mean", um);
  show(out, "and the variance", uv);
  show(out, "running variance", running_var);
});

const Program convolutions("gradients of convolutions", [](std::ostream& out) {
  const Tensor x = fine_waves({2, 2, 5}, 1.3), w = fine_waves({4, 1, 3});
  const auto [dx, dw, db] = torch::convolution_backward(fine_waves({2, 4, 3}, 0.4), x, w, at::IntArrayRef({4}), {2},
                                                        {1}, {1}, false, {0}, 2, {true, true, true});
  show(out, "input", dx);
  show(out, "weight", dw);
  show(out, "bias", db);
  const Tensor image = fine_waves({1, 2, 3, 3}), up = fine_waves({2, 3, 2, 2});
  const auto back = torch::convolution_backward(fine_waves({1, 3, 4, 4}), image, up, {}, {1, 1}, {0, 0}, {1, 1}, true,
                                                {0, 0}, 1, {true, true, false});
  show(out, "a transposed one's input", std::get<0>(back));
  show(out, "and weight", std::get<1>(back));
  const Tensor steps = fine_waves({4, 2, 3}), filters = fine_waves({2, 3, 2}), bias = fine_waves({2});
  const auto [tx, tw, tb] = torch::conv_tbc_backward(fine_waves({5, 2, 2}), steps, filters, bias, 1);
  show(out, "conv_tbc's input", tx);
  show(out, "weight", tw);
  show(out, "bias", tb);
  const Tensor v = fine_waves({3, 2}), size = fine_waves({3, 1}, 0.4);
  const auto [normed, norms] = torch::_weight_norm_interface(v, size, 0);
  show(out, "weight norm", normed);
  show(out, "its norms", norms);
  const auto [dv, dg] = torch::_weight_norm_interface_backward(fine_waves({3, 2}, 0.3), v, size, norms, 0);
  show(out, "v", dv);
  show(out, "g", dg);
});

const Program pools("gradients of pools", [](std::ostream& out) {
  const Tensor x = fine_waves({1, 2, 5, 4}, 1.3), v = fine_waves({1, 1, 4, 4, 4}, 1.3);
  show(out, "avg_pool2d", torch::avg_pool2d_backward(fine_waves({1, 2, 2, 2}), x, {2, 2}, {}, {0, 0}, false, true, {}));
  show(out, "with padding",
       torch::avg_pool2d_backward(fine_waves({1, 2, 3, 3}), x, {2, 2}, {2, 2}, {1, 1}, false, false, {}));
  show(out, "divided by 3",
       torch::avg_pool2d_backward(fine_waves({1, 2, 2, 2}), x, {2, 2}, {2, 2}, {0, 0}, false, true, 3));
  show(out, "avg_pool3d",
       torch::avg_pool3d_backward(fine_waves({1, 1, 2, 2, 2}), v, {2, 2, 2}, {2, 2, 2}, {0, 0, 0}, false, true, {}));
  show(out, "adaptive", torch::_adaptive_avg_pool2d_backward(fine_waves({1, 2, 3, 3}), x));
  show(out, "adaptive in three dims", torch::_adaptive_avg_pool3d_backward(fine_waves({1, 1, 3, 3, 2}), v));
  const auto [y, at] = torch::max_pool2d_with_indices(x, {2, 2}, {1, 1});
  show(out, "max_pool2d",
       torch::max_pool2d_with_indices_backward(fine_waves({1, 2, 4, 3}), x, {2, 2}, {1, 1}, {0, 0}, {1, 1}, false, at));
  const auto [z, in] = torch::max_pool3d_with_indices(v, {2, 2, 2});
  show(out, "max_pool3d",
       torch::max_pool3d_with_indices_backward(fine_waves({1, 1, 2, 2, 2}), v, {2, 2, 2}, {2, 2, 2}, {0, 0, 0},
                                               {1, 1, 1}, false, in));
  const auto [a, from] = torch::adaptive_max_pool2d(x, {3, 3});
  show(out, "adaptive_max_pool2d", torch::adaptive_max_pool2d_backward(fine_waves({1, 2, 3, 3}), x, from));
  const Tensor samples = torch::full({1, 2, 2}, 0.4, torch::kFloat64);
  const auto [f, taken] = torch::fractional_max_pool2d(x, {2, 2}, {3, 2}, samples);
  show(out, "fractional_max_pool2d",
       torch::fractional_max_pool2d_backward(fine_waves({1, 2, 3, 2}), x, {2, 2}, {3, 2}, taken));
});

const Program paddings("gradients of paddings", [](std::ostream& out) {
  const Tensor line = fine_waves({1, 2, 4}), image = fine_waves({1, 1, 3, 4}), volume = fine_waves({1, 1, 2, 2, 2});
  show(out, "reflection 1", torch::reflection_pad1d_backward(fine_waves({1, 2, 7}), line, {1, 2}));
  show(out, "reflection 2", torch::reflection_pad2d_backward(fine_waves({1, 1, 5, 7}), image, {1, 2, 2, 0}));
  show(out, "reflection 3", torch::reflection_pad3d_backward(fine_waves({1, 1, 3, 3, 4}), volume, {1, 1, 0, 1, 1, 0}));
  show(out, "replication 1", torch::replication_pad1d_backward(fine_waves({1, 2, 7}), line, {1, 2}));
  show(out, "replication 2", torch::replication_pad2d_backward(fine_waves({1, 1, 5, 7}), image, {1, 2, 2, 0}));
  show(out, "replication 3",
       torch::replication_pad3d_backward(fine_waves({1, 1, 3, 3, 4}), volume, {1, 1, 0, 1, 1, 0}));
});

const Program upsampling("gradients of upsampling", [](std::ostream& out) {
  const Tensor line = fine_waves({1, 2, 8}), image = fine_waves({1, 1, 5, 6}), volume = fine_waves({1, 1, 3, 4, 3});
  show(out, "nearest 1", torch::upsample_nearest1d_backward(line, {8}, {1, 2, 5}));
  show(out, "linear 1", torch::upsample_linear1d_backward(line, {8}, {1, 2, 5}, false));
  show(out, "nearest 2", torch::upsample_nearest2d_backward(image, {5, 6}, {1, 1, 3, 4}));
  show(out, "bilinear", torch::upsample_bilinear2d_backward(image, {5, 6}, {1, 1, 3, 4}, true));
  show(out, "bicubic", torch::upsample_bicubic2d_backward(image, {5, 6}, {1, 1, 3, 4}, false));
  show(out, "nearest 3", torch::upsample_nearest3d_backward(volume, {3, 4, 3}, {1, 1, 2, 2, 2}));
  show(out, "trilinear", torch::upsample_trilinear3d_backward(volume, {3, 4, 3}, {1, 1, 2, 2, 2}, false));
  show(out, "exact 1", torch::_upsample_nearest_exact1d_backward(line, {8}, {1, 2, 5}));
  show(out, "exact 2", torch::_upsample_nearest_exact2d_backward(image, {5, 6}, {1, 1, 3, 4}));
  show(out, "exact 3", torch::_upsample_nearest_exact3d_backward(volume, {3, 4, 3}, {1, 1, 2, 2, 2}));
  show(out, "smaller", torch::_upsample_bilinear2d_aa_backward(image, {5, 6}, {1, 1, 9, 8}, false));
  show(out, "smaller by cubics", torch::_upsample_bicubic2d_aa_backward(image, {5, 6}, {1, 1, 9, 8}, false));
  show(out, "exact forwards", torch::_upsample_nearest_exact2d(image, {3, 4}));
  show(out, "smaller forwards", torch::_upsample_bilinear2d_aa(image, {3, 4}, false));
  const Tensor at = fine_waves({1, 2, 2, 2}, 0.9);
  const auto [dx, dat] =
      torch::grid_sampler_2d_backward(fine_waves({1, 1, 2, 2}), image, at, 0, 1, false, {true, true});
  show(out, "read at places", dx);
  show(out, "by the places", dat);
  show(out, "affine grid", torch::affine_grid_generator_backward(fine_waves({1, 2, 3, 2}), {1, 1, 2, 3}, false));
});

const Program lookups("gradients of look-ups", [](std::ostream& out) {
  const Tensor at = torch::tensor({1, 3, 1, 0}), g = fine_waves({4, 2}), x = fine_waves({3, 4}, 1.3);
  show(out, "embedding", torch::embedding_dense_backward(g, at, 5, -1, false));
  show(out, "by frequency, padding 3", torch::embedding_dense_backward(g, at, 5, 3, true));
  show(out, "embedding again", torch::embedding_backward(g, at, 5, -1, false, false));
  const Tensor offsets = torch::tensor({0, 1}), bags = torch::tensor({0, 1, 1, 1}), sizes = torch::tensor({1, 3});
  const Tensor of_bags = fine_waves({2, 2}), some = fine_waves({4}, 0.4), no_maximum = torch::empty({0}, torch::kLong);
  show(out, "sums of bags",
       torch::_embedding_bag_backward(of_bags, at, offsets, bags, sizes, no_maximum, 5, false, 0, false, some));
  show(out, "means of bags",
       torch::_embedding_bag_dense_backward(of_bags, at, bags, sizes, no_maximum, 5, true, 1, {}, 3));
  const Tensor table = fine_waves({5, 2}, 1.3);
  const auto [maxima, in_bag, in_size, rows] = torch::_embedding_bag(table, at, offsets, false, 2);
  show(out, "maxima of bags",
       torch::_embedding_bag_dense_backward(of_bags, at, in_bag, in_size, rows, 5, false, 2, {}));
  show(out, "weights in bags", torch::_embedding_bag_per_sample_weights_backward(of_bags, table, at, offsets, bags, 0));
  show(out, "index_select", torch::index_select_backward(g, {5, 2}, 0, at));
  const Tensor places = torch::tensor({2, 0, 1, 1, 0, 0}).view({2, 3});
  show(out, "gather", torch::gather_backward(fine_waves({2, 3}), x, 1, places, false));
  const Tensor mask = x.gt(0);
  show(out, "masked_select", torch::masked_select_backward(fine_waves({mask.sum().item<int64_t>()}), x, mask));
  show(out, "masked_scatter", torch::masked_scatter_backward(fine_waves({3, 4}), mask, {4, 3}));
  const auto [most, where] = torch::max(x, 1);
  show(out, "max", torch::value_selecting_reduction_backward(fine_waves({3}), 1, where, {3, 4}, false));
  const auto [running, last] = torch::cummax(x, 1);
  show(out, "cummax", torch::cummaxmin_backward(fine_waves({3, 4}), x, last, 1));
  show(out, "cumprod", torch::cumprod_backward(fine_waves({3, 4}), x, 1, torch::cumprod(x, 1)));
  show(out, "trace", torch::trace_backward(torch::full({}, 2.0, torch::kFloat64), {2, 3}));
  show(out, "matrix_exp", torch::matrix_exp_backward(fine_waves({2, 2}), fine_waves({2, 2}, 0.4)));
  show(out, "packed",
       torch::_pack_padded_sequence_backward(fine_waves({5, 2}), {3, 2, 2}, torch::tensor({2, 2, 1}), false));
  show(out, "packed, batch first",
       torch::_pack_padded_sequence_backward(fine_waves({5, 2}), {2, 3, 2}, torch::tensor({2, 2, 1}), true));
  const Tensor lengths = torch::tensor({1, 2});
  show(out, "segments",
       torch::_segment_reduce_backward(fine_waves({2, 4}), torch::segment_reduce(x, "mean", lengths, {}, {}, 0), x,
                                       "mean", lengths));
});

}  // namespace
}  // namespace programs::aten_gradients
