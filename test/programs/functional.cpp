// Programs of functions without modules: nn::functional with options, initializers, conv and pool functions.
#include <torch/torch.h>

#include <cmath>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::functional {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

const Program activations("functional activations", [](std::ostream& out) {
  const auto x = torch::linspace(-2, 2, 5);
  show(out, "relu", F::relu(x));
  auto y = x.clone();
  F::relu(y, F::ReLUFuncOptions().inplace(true));
  show(out, "in place", y);
  show(out, "relu6", F::relu6(x * 4));
  show(out, "elu", F::elu(x, F::ELUFuncOptions().alpha(0.42)));
  show(out, "selu", F::selu(x));
  show(out, "celu", F::celu(x, F::CELUFuncOptions().alpha(0.5)));
  show(out, "leaky_relu", F::leaky_relu(x, F::LeakyReLUFuncOptions().negative_slope(0.3)));
  show(out, "gelu", F::gelu(x, F::GELUFuncOptions().approximate("tanh")));
  show(out, "silu", F::silu(x));
  show(out, "mish", F::mish(x));
  show(out, "hardtanh", F::hardtanh(x, F::HardtanhFuncOptions().min_val(-1).max_val(0.5)));
  show(out, "softplus", F::softplus(x, F::SoftplusFuncOptions().beta(2)));
  show(out, "softshrink", F::softshrink(x, F::SoftshrinkFuncOptions(0.4)));
  show(out, "hardshrink", F::hardshrink(x, F::HardshrinkFuncOptions(1.2)));
  show(out, "threshold", F::threshold(x, F::ThresholdFuncOptions(0.5, 9)));
  show(out, "prelu", F::prelu(x, torch::full({1}, 0.25)));
  show(out, "logsigmoid", F::logsigmoid(x));
  show(out, "softsign", F::softsign(x));
  show(out, "tanhshrink", F::tanhshrink(x));
  show(out, "glu", F::glu(waves({4}), F::GLUFuncOptions(0)));
});

const Program softmaxes("functional softmax", [](std::ostream& out) {
  const auto x = waves({2, 3});
  show(out, "softmax", F::softmax(x, F::SoftmaxFuncOptions(1)));
  show(out, "dtype", F::softmax(x, F::SoftmaxFuncOptions(0).dtype(torch::kFloat64)));
  show(out, "softmin", F::softmin(x, 1));
  show(out, "log_softmax", F::log_softmax(x, F::LogSoftmaxFuncOptions(1)));
  const auto g = F::gumbel_softmax(x, F::GumbelSoftmaxFuncOptions().hard(true).dim(1));
  show(out, "rows of gumbel", g.sum(1));
});

const Program convolutions("functional convolutions", [](std::ostream& out) {
  const auto x = waves({1, 2, 5}), w = waves({2, 2, 3}, 1.1), b = torch::tensor({0.5f, -1.f});
  show(out, "conv1d", F::conv1d(x, w));
  show(out, "options", F::conv1d(x, w, F::Conv1dFuncOptions().bias(b).stride(2).padding(1)));
  show(out, "torch", torch::conv1d(x, w, b, 1, 1));
  const auto image = waves({1, 2, 4, 4}), kernel = waves({2, 2, 3, 3}, 1.1);
  show(out, "conv2d", F::conv2d(image, kernel, F::Conv2dFuncOptions().padding(torch::kValid).bias(b)));
  show(out, "same", F::conv2d(image, kernel, F::Conv2dFuncOptions().padding(torch::kSame)));
  show(out, "groups", torch::conv2d(image, waves({2, 1, 2, 2}), torch::Tensor(), 2, 1, 1, 2));
  show(out, "transposed", F::conv_transpose2d(image, kernel, F::ConvTranspose2dFuncOptions().stride(2).padding(1)));
  show(out, "transposed 1d", F::conv_transpose1d(x, w, F::ConvTranspose1dFuncOptions().bias(b)));
});

const Program pools("functional pooling", [](std::ostream& out) {
  const auto x = waves({1, 1, 4, 6});
  show(out, "max_pool2d", F::max_pool2d(x, F::MaxPool2dFuncOptions(2)));
  show(out, "max_pool1d", F::max_pool1d(x[0], F::MaxPool1dFuncOptions(3).stride(2).padding(1)));
  show(out, "avg_pool2d", F::avg_pool2d(x, F::AvgPool2dFuncOptions({2, 3}).stride(1)));
  show(out, "avg_pool1d", F::avg_pool1d(x[0], F::AvgPool1dFuncOptions(2)));
  show(out, "adaptive avg", F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions(3)));
  show(out, "adaptive max", F::adaptive_max_pool2d(x, F::AdaptiveMaxPool2dFuncOptions({2, 2})));
  const auto both = F::max_pool2d_with_indices(x, F::MaxPool2dFuncOptions(2));
  show(out, "indices", std::get<1>(both));
});

const Program linear("linear, bilinear and embeddings", [](std::ostream& out) {
  show(out, "linear", F::linear(waves({2, 3}), waves({2, 3}, 1.1), torch::ones(2)));
  show(out, "no bias", F::linear(waves({3}), waves({2, 3}, 1.1)));
  show(out, "bilinear", F::bilinear(waves({2, 2}), waves({2, 3}), waves({1, 2, 3}, 1.1), torch::zeros(1)));
  show(out, "embedding", F::embedding(torch::tensor({1, 1}), waves({3, 2}), F::EmbeddingFuncOptions().padding_idx(0)));
  show(out, "one_hot", F::one_hot(torch::tensor({{0, 1}, {2, 0}})));
});

const Program norms("functional normalizations", [](std::ostream& out) {
  const auto x = waves({2, 4, 3});
  const auto mean = torch::zeros(4), variance = torch::ones(4);
  show(out, "batch_norm", F::batch_norm(x, mean, variance, F::BatchNormFuncOptions().training(true).momentum(0.5)));
  show(out, "mean", mean);
  show(out, "variance", variance);
  show(out, "layer_norm",
       F::layer_norm(x, F::LayerNormFuncOptions({3}).weight(torch::full({3}, 2.f)).bias(torch::ones(3)).eps(1e-3)));
  show(out, "group_norm", F::group_norm(x, F::GroupNormFuncOptions(2).eps(1e-4)));
  show(out, "instance_norm", F::instance_norm(x, F::InstanceNormFuncOptions().use_input_stats(true)));
  show(out, "normalize", F::normalize(x[0], F::NormalizeFuncOptions().dim(1)));
});

#ifndef AWAITS_LOCAL_RESPONSE_NORM
const Program responses("local response normalization", [](std::ostream& out) {
  const auto x = waves({1, 4, 3});
  show(out, "F", F::local_response_norm(x, F::LocalResponseNormFuncOptions(2).alpha(0.5).beta(0.6).k(2)));
  show(out, "module", nn::LocalResponseNorm(nn::LocalResponseNormOptions(3))(waves({1, 4, 2, 2})));
  show(out, "maps", nn::CrossMapLRN2d(nn::CrossMapLRN2dOptions(3).alpha(0.5))(waves({1, 4, 2, 2})));
  out << nn::LocalResponseNorm(2) << nn::CrossMapLRN2d(nn::CrossMapLRN2dOptions(4).alpha(1e-5).beta(0.1).k(10)) << '\n';
});
#endif

#ifndef AWAITS_FOLD
const Program folds("fold and unfold", [](std::ostream& out) {
  const auto x = waves({1, 2, 3, 3});
  const auto columns = F::unfold(x, F::UnfoldFuncOptions({2, 2}));
  show(out, "unfold", columns);
  show(out, "fold", F::fold(columns, F::FoldFuncOptions({3, 3}, {2, 2})));
  nn::Unfold unfold(nn::UnfoldOptions({2, 2}).padding(1).stride(2));
  nn::Fold fold(nn::FoldOptions({3, 3}, {2, 2}).padding(1).stride(2));
  show(out, "modules", fold(unfold(x)));
  out << unfold << fold << '\n';
});
#endif

#ifndef AWAITS_GRID_SAMPLE
const Program grids("grid_sample and affine_grid", [](std::ostream& out) {
  const auto theta = torch::tensor({{{0.8f, 0.2f, 0.1f}, {-0.1f, 0.9f, 0.f}}});
  const auto grid = F::affine_grid(theta, {1, 1, 2, 3}, /*align_corners=*/false);
  show(out, "grid", grid);
  const auto x = waves({1, 1, 3, 3}).requires_grad_();
  const auto y = F::grid_sample(
      x, grid, F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kBorder).align_corners(false));
  show(out, "bilinear", y);
  y.sum().backward();
  show(out, "grad", x.grad());
  show(out, "nearest",
       F::grid_sample(
           x, grid, F::GridSampleFuncOptions().mode(torch::kNearest).padding_mode(torch::kZeros).align_corners(true)));
});
#endif

#ifndef AWAITS_UNPOOL
const Program unpools("max unpooling and LP pooling", [](std::ostream& out) {
  const auto x = waves({1, 1, 4, 4});
  const auto [values, indices] = F::max_pool2d_with_indices(x, F::MaxPool2dFuncOptions(2));
  show(out, "unpooled", F::max_unpool2d(values, indices, F::MaxUnpool2dFuncOptions(2)));
  show(out, "module", nn::MaxUnpool2d(2)(values, indices));
  const auto [line, at] = nn::MaxPool1d(2)->forward_with_indices(x[0]);
  show(out, "line", nn::MaxUnpool1d(2)(line, at));
  show(out, "lp", F::lp_pool2d(x, F::LPPool2dFuncOptions(2, 2).stride(2)));
  show(out, "lp 1d", nn::LPPool1d(nn::LPPool1dOptions(3, 2))(x[0].abs()));
  out << nn::MaxUnpool2d(nn::MaxUnpool2dOptions({3, 2}).stride(2).padding(1))
      << nn::LPPool2d(nn::LPPool2dOptions(2, {1, 3})) << '\n';
});
#endif

const Program constant_inits("initializers without chance", [](std::ostream& out) {
  const auto x = torch::empty({2, 3});
  show(out, "constant", nn::init::constant_(x, 0.3));
  show(out, "ones", nn::init::ones_(x));
  show(out, "zeros", nn::init::zeros_(x));
  show(out, "eye", nn::init::eye_(x));
  show(out, "dirac", nn::init::dirac_(torch::empty({2, 2, 3})));
  out << nn::init::calculate_gain(torch::kReLU) << ' ' << nn::init::calculate_gain(torch::kTanh) << ' '
      << nn::init::calculate_gain(torch::kLeakyReLU, 0.2) << ' ' << nn::init::calculate_gain(torch::kConv2D) << '\n';
});

const Program random_inits("initializers with chance", [](std::ostream& out) {
  torch::manual_seed(1);
  auto x = torch::empty({200, 100});
  const auto near = [&](double value, double wanted) { out << (std::abs(value - wanted) < 0.05 * wanted) << ' '; };
  const auto largest = [&] { return x.abs().max().item<double>(); };
  nn::init::uniform_(x, -0.5, 0.5);
  near(largest(), 0.5);
  nn::init::normal_(x, 0, 2);
  near(x.std().item<double>(), 2);
  nn::init::xavier_uniform_(x, 2.0);
  near(largest(), 2 * std::sqrt(6. / 300));
  nn::init::xavier_normal_(x);
  near(x.std().item<double>(), std::sqrt(2. / 300));
  nn::init::kaiming_uniform_(x, std::sqrt(5.));
  near(largest(), std::sqrt(1. / 100));
  nn::init::kaiming_normal_(x, 0, torch::kFanOut, torch::kReLU);
  near(x.std().item<double>(), std::sqrt(2. / 200));
  nn::init::sparse_(x, 0.1);
  near((x == 0).sum().item<double>(), 2000);
  nn::init::orthogonal_(x);
  out << torch::allclose(x.t().mm(x), torch::eye(100), 1e-4, 1e-4) << '\n';
});

}  // namespace
}  // namespace programs::functional
