// Programs that call ATen's own functions: recurrent layers by their weights, upsampling, paddings, functional forms.
#include <torch/torch.h>

#include <vector>

#include "test/programs/programs.h"

namespace programs::aten {
namespace {

using torch::Tensor;

Tensor waves(at::IntArrayRef shape, double step = 0.7) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::sin(torch::arange(count, torch::kFloat64) * step).view(shape);
}

/// The weights of all layers, for inputs of 3 and states of 2.
std::vector<Tensor> weights(int64_t gates, int64_t layers, int64_t directions, bool biases) {
  std::vector<Tensor> all;
  for (int64_t layer = 0; layer < layers; ++layer)
    for (int64_t d = 0; d < directions; ++d) {
      const double step = 0.3 + 0.1 * static_cast<double>(all.size());
      all.push_back(waves({gates * 2, layer == 0 ? 3 : 2 * directions}, step));
      all.push_back(waves({gates * 2, 2}, step + 0.05));
      if (!biases) continue;
      all.push_back(waves({gates * 2}, step + 0.07));
      all.push_back(waves({gates * 2}, step + 0.09));
    }
  return all;
}

const Program lstm("ATen: lstm", [](std::ostream& out) {
  const Tensor x = waves({4, 2, 3}), h = waves({2, 2, 2}, 0.2), c = waves({2, 2, 2}, 0.9);
  const auto [y, h1, c1] = torch::lstm(x, {h, c}, weights(4, 2, 1, true), true, 2, 0.0, false, false, false);
  show(out, "outputs", y);
  show(out, "hidden", h1);
  show(out, "cells", c1);
  const auto both = torch::lstm(x.transpose(0, 1), {h, c}, weights(4, 1, 2, false), false, 1, 0.0, true, true, true);
  show(out, "both ways, batch first", std::get<0>(both));
  show(out, "their hidden", std::get<1>(both));
  const auto packed = torch::nn::utils::rnn::pack_padded_sequence(x, torch::tensor({4, 2}));
  const auto [z, h2, c2] =
      torch::lstm(packed.data(), packed.batch_sizes(), {h, c}, weights(4, 2, 1, true), true, 2, 0.0, false, false);
  show(out, "packed", z);
  show(out, "packed cells", c2);
  const auto w = weights(4, 1, 1, true);
  const auto [h3, c3] = torch::lstm_cell(x[0], {h[0], c[0]}, w[0], w[1], w[2], w[3]);
  show(out, "cell's hidden", h3);
  show(out, "cell's cell", c3);
});

const Program gru("ATen: gru, rnn_tanh, rnn_relu", [](std::ostream& out) {
  const Tensor x = waves({4, 2, 3}), h = waves({1, 2, 2}, 0.2);
  const auto g = weights(3, 1, 1, true), r = weights(1, 1, 1, false);
  show(out, "gru", std::get<0>(torch::gru(x, h, g, true, 1, 0.0, false, false, false)));
  show(out, "gru's state", std::get<1>(torch::gru(x, h, g, true, 1, 0.0, false, false, false)));
  show(out, "rnn_tanh", std::get<0>(torch::rnn_tanh(x, h, r, false, 1, 0.0, false, false, false)));
  show(out, "rnn_relu", std::get<1>(torch::rnn_relu(x, h, r, false, 1, 0.0, false, false, false)));
  show(out, "gru_cell", torch::gru_cell(x[0], h[0], g[0], g[1], g[2], g[3]));
  show(out, "rnn_tanh_cell", torch::rnn_tanh_cell(x[0], h[0], r[0], r[1]));
  show(out, "rnn_relu_cell", torch::rnn_relu_cell(x[0], h[0], r[0], r[1]));
  fails<c10::Error>(out, "too few weights", "", [&] {
    torch::gru(x, h, std::vector<Tensor>(g.begin(), g.begin() + 3), true, 1, 0, false, false, false);
  });
});

const Program gradients_of_lstm("ATen: gradients of an lstm's weights", [](std::ostream& out) {
  const Tensor x = waves({3, 1, 3}), zero = torch::zeros({1, 1, 2}, torch::kFloat64);
  auto w = weights(4, 1, 1, true);
  for (Tensor& t : w) t.requires_grad_();
  std::get<0>(torch::lstm(x, {zero, zero}, w, true, 1, 0.0, true, false, false)).pow(2).sum().backward();
  for (const Tensor& t : w) show(out, "gradient", t.grad());
});

const Program upsampling("ATen: upsampling", [](std::ostream& out) {
  const Tensor line = waves({1, 2, 5}), image = waves({1, 1, 3, 4}), volume = waves({1, 1, 2, 2, 2});
  show(out, "nearest 1", torch::upsample_nearest1d(line, at::IntArrayRef({8})));
  show(out, "linear 1", torch::upsample_linear1d(line, at::IntArrayRef({8}), false));
  show(out, "nearest 2", torch::upsample_nearest2d(image, at::IntArrayRef({5, 6})));
  show(out, "bilinear 2", torch::upsample_bilinear2d(image, at::IntArrayRef({5, 6}), true));
  show(out, "bicubic 2", torch::upsample_bicubic2d(image, at::IntArrayRef({5, 6}), false));
  show(out, "nearest 3", torch::upsample_nearest3d(volume, at::IntArrayRef({3, 3, 3})));
  show(out, "trilinear 3", torch::upsample_trilinear3d(volume, at::IntArrayRef({3, 3, 3}), false));
  const std::vector<double> scales = {2.0, 1.5};
  show(out, "by scales", torch::upsample_bilinear2d(image, c10::nullopt, false, at::ArrayRef<double>(scales)));
});

const Program paddings("ATen: paddings and shuffles", [](std::ostream& out) {
  const Tensor line = waves({1, 4}), image = waves({1, 4, 3, 4}), volume = waves({1, 1, 2, 3, 3});
  show(out, "reflected 1", torch::reflection_pad1d(line, {2, 1}));
  show(out, "reflected 2", torch::reflection_pad2d(image, {1, 1, 2, 0}).sum({2}));
  show(out, "reflected 3", torch::reflection_pad3d(volume, {1, 1, 1, 1, 1, 0}).sum({3}));
  show(out, "repeated 1", torch::replication_pad1d(line, {2, 1}));
  show(out, "repeated 2", torch::replication_pad2d(image, {1, 1, 2, 0}).sum({2}));
  show(out, "repeated 3", torch::replication_pad3d(volume, {1, 1, 1, 1, 1, 0}).sum({3}));
  show(out, "shuffled", torch::pixel_shuffle(image, 2));
  show(out, "and back", torch::pixel_unshuffle(torch::pixel_shuffle(image, 2), 2).eq(image).all());
  show(out, "pad_sequence", torch::pad_sequence({waves({3}), waves({1}), waves({2})}, true, -1));
});

const Program functional_forms("ATen: functional forms of methods in place", [](std::ostream& out) {
  const Tensor x = waves({2, 3}), y = waves({2, 3}, 0.1);
  show(out, "fill", torch::fill(x, 2));
  show(out, "zero", torch::zero(x));
  show(out, "copy", torch::copy(x, y));
  show(out, "x is as it was", x);
  show(out, "uniform", torch::uniform(x, 0, 1).ge(0).all());
  show(out, "resized", torch::resize(x, {3}));
  show(out, "renorm", torch::embedding_renorm(x, torch::tensor({1}), 0.5, 2.0));
  out << "same size: " << at::is_same_size(x, y) << '\n';
  show(out, "margin", torch::multi_margin_loss(x, torch::tensor({0, 2}), 2, 0.5));
  show(out, "rrelu", torch::rrelu(x));
  show(out, "conv_tbc", torch::conv_tbc(waves({5, 1, 2}), waves({3, 2, 2}, 0.4), waves({2}), 1));
  show(out, "special_entr", at::special_entr(y.abs()));
  show(out, "fft_rfft", torch::view_as_real(at::fft_rfft(x)));
});

const Program pieces("ATen: reductions of pieces, foreign memory, long names", [](std::ostream& out) {
  const Tensor x = waves({5, 2}), lengths = torch::tensor({2, 0, 3});
  for (const char* reduce : {"sum", "mean", "max", "min", "prod"})
    show(out, reduce, torch::segment_reduce(x, reduce, lengths));
  show(out, "from a start", torch::segment_reduce(x, "mean", lengths, {}, {}, 0, false, 0.5));
  show(out, "by offsets", torch::segment_reduce(x, "sum", {}, {}, torch::tensor({0, 2, 2, 5})));
  double numbers[] = {1, 2, 3, 4, 5, 6};
  show(out, "blob",
       at::for_blob(numbers, {2, 2}).strides(at::IntArrayRef({1, 3})).options(torch::kFloat64).make_tensor());
  Tensor result = torch::empty({5, 2}, torch::kFloat64);
  torch::divide_out(result, x, x + 3);
  show(out, "divide_out", result);
  torch::subtract_out(result, x, x, 2);
  show(out, "subtract_out", result);
  Tensor padded = torch::empty({5, 4}, torch::kFloat64);
  torch::reflection_pad1d_out(padded, x, {1, 1});
  show(out, "reflection_pad1d_out", padded);
  show(out, "special_digamma", at::special_digamma(x + 2));
  show(out, "linalg_matmul", at::linalg_matmul(x.t(), x));
  out << "negated: " << at::is_neg(x) << '\n';
});

}  // namespace
}  // namespace programs::aten
