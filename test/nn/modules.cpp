// Every module against PyTorch's outputs, gradients and buffers (reference.safetensors, made by make_reference.py).
#include "test/nn/reference.h"

using namespace strata;
namespace F = strata::nn::functional;

namespace {

const test::Reference module_cases("reference.safetensors");

// PyTorch computes a few gradients with constants of single precision, hence 1e-7.
void check_close_to_single(const std::string& what, const Tensor& actual, const Tensor& expected) {
  test::check_close(what, actual, expected, 1e-7, 1e-9);
}

/// What is there under x, x1, x2.
std::vector<Tensor> inputs_of(const serialize::InputArchive& r) {
  std::vector<Tensor> inputs;
  for (const char* key : {"x", "x1", "x2"})
    if (r.find(key).defined()) inputs.push_back(r.find(key).clone());
  return inputs;
}

/// Loads the parameters, runs forward and backward, compares everything.
template <class Holder>
void check_as_pytorch(const std::string& name, Holder module) {
  INFO(name);
  serialize::InputArchive r = module_cases(name), parameters = r.nested("p");
  module->to(kDouble);
  module->load(parameters);
  std::vector<Tensor> x = inputs_of(r);
  const bool differentiable = x[0].is_floating_point();
  if (differentiable) x[0].requires_grad_();
  Tensor y;
  if constexpr (requires { module->forward(x[0]); })
    y = module->forward(x[0]);
  else if constexpr (requires { module->forward(x[0], x[1]); })
    y = module->forward(x[0], x[1]);
  else
    y = module->forward(x[0], x[1], x[2]);
  check_close_to_single("y", y, r.find("y"));
  y.backward(r.find("gy"));
  if (differentiable) check_close_to_single("gx", x[0].grad(), r.find("gx"));
  for (const auto& item : module->named_parameters())
    check_close_to_single("g." + item.key(), item.value().grad(), r.find("g." + item.key()));
  for (const auto& item : module->named_buffers())
    check_close_to_single("after." + item.key(), item.value(), r.find("after." + item.key()));
}

}  // namespace

TEST_CASE("linear modules match PyTorch") {
  check_as_pytorch("linear", nn::Linear(4, 3));
  check_as_pytorch("linear_nobias", nn::Linear(nn::LinearOptions(4, 3).bias(false)));
  check_as_pytorch("bilinear", nn::Bilinear(3, 4, 2));
}

TEST_CASE("convolutions match PyTorch") {
  using nn::Conv2dOptions;
  check_as_pytorch("conv1d", nn::Conv1d(nn::Conv1dOptions(4, 6, 3).stride(2).padding(1).dilation(2).groups(2)));
  check_as_pytorch("conv2d", nn::Conv2d(Conv2dOptions(2, 3, {3, 2}).stride({1, 2}).padding({2, 1})));
  check_as_pytorch("conv2d_same", nn::Conv2d(Conv2dOptions(2, 2, {4, 3}).padding(kSame)));
  check_as_pytorch("conv2d_reflect", nn::Conv2d(Conv2dOptions(2, 2, 3).padding(2).padding_mode(kReflect)));
  check_as_pytorch("conv2d_circular", nn::Conv2d(Conv2dOptions(2, 2, 3).padding({1, 2}).padding_mode(kCircular)));
  check_as_pytorch("conv2d_same_replicate",
                   nn::Conv2d(Conv2dOptions(1, 2, {4, 3}).padding(kSame).padding_mode(kReplicate)));
  check_as_pytorch(
      "conv_transpose1d",
      nn::ConvTranspose1d(nn::ConvTranspose1dOptions(4, 2, 3).stride(2).padding(1).output_padding(1).groups(2)));
  check_as_pytorch("conv_transpose2d",
                   nn::ConvTranspose2d(nn::ConvTranspose2dOptions(3, 2, 3).stride(2).padding(1).dilation(2)));
  using nn::Conv3dOptions;
  check_as_pytorch(
      "conv3d",
      nn::Conv3d(Conv3dOptions(4, 6, {2, 3, 2}).stride({2, 1, 2}).padding({1, 2, 0}).dilation({2, 1, 1}).groups(2)));
  check_as_pytorch("conv3d_same_circular",
                   nn::Conv3d(Conv3dOptions(2, 2, {2, 3, 3}).padding(kSame).padding_mode(kCircular)));
  check_as_pytorch("conv_transpose3d", nn::ConvTranspose3d(nn::ConvTranspose3dOptions(4, 6, {3, 2, 2})
                                                               .stride({3, 2, 1})
                                                               .padding({2, 1, 0})
                                                               .dilation({1, 1, 2})
                                                               .output_padding({2, 1, 0})
                                                               .groups(2)));
}

TEST_CASE("a transposed convolution makes the size asked for") {
  nn::ConvTranspose2d conv(nn::ConvTranspose2dOptions(1, 1, 3).stride(2).padding(1));
  const Tensor x = randn({1, 1, 4, 4});
  CHECK(conv->forward(x).sizes().vec() == std::vector<int64_t>{1, 1, 7, 7});
  const std::vector<int64_t> wanted = {8, 7};
  CHECK(conv->forward(x, IntArrayRef(wanted)).sizes().vec() == std::vector<int64_t>{1, 1, 8, 7});
  const std::vector<int64_t> impossible = {9, 7};
  CHECK_THROWS_AS(conv->forward(x, IntArrayRef(impossible)), Error);
}

TEST_CASE("pooling matches PyTorch") {
  check_as_pytorch("max_pool1d", nn::MaxPool1d(nn::MaxPool1dOptions(3).stride(2).padding(1)));
  check_as_pytorch("max_pool2d", nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1).ceil_mode(true)));
  check_as_pytorch("avg_pool1d", nn::AvgPool1d(nn::AvgPool1dOptions(3).stride(2).padding(1)));
  check_as_pytorch("avg_pool2d",
                   nn::AvgPool2d(nn::AvgPool2dOptions({2, 3}).stride(2).padding(1).count_include_pad(false)));
  check_as_pytorch("adaptive_avg_pool1d", nn::AdaptiveAvgPool1d(3));
  check_as_pytorch("adaptive_avg_pool2d", nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({3, std::nullopt})));
  check_as_pytorch("adaptive_max_pool2d", nn::AdaptiveMaxPool2d(nn::AdaptiveMaxPool2dOptions({3, 2})));
}

TEST_CASE("normalisations match PyTorch") {
  check_as_pytorch("batch_norm1d", nn::BatchNorm1d(3));
  check_as_pytorch("batch_norm2d", nn::BatchNorm2d(nn::BatchNorm2dOptions(3).momentum(0.3)));
  nn::BatchNorm2d frozen(3);
  frozen->eval();
  check_as_pytorch("batch_norm2d_eval", frozen);
  check_as_pytorch("batch_norm2d_average", nn::BatchNorm2d(nn::BatchNorm2dOptions(2).momentum(std::nullopt)));
  check_as_pytorch("batch_norm3d_plain",
                   nn::BatchNorm3d(nn::BatchNorm3dOptions(2).affine(false).track_running_stats(false)));
  check_as_pytorch("instance_norm1d", nn::InstanceNorm1d(nn::InstanceNorm1dOptions(3).affine(true)));
  check_as_pytorch("instance_norm2d_tracked",
                   nn::InstanceNorm2d(nn::InstanceNorm2dOptions(2).track_running_stats(true)));
  check_as_pytorch("layer_norm", nn::LayerNorm(nn::LayerNormOptions({3, 4})));
  check_as_pytorch("group_norm", nn::GroupNorm(2, 4));
}

TEST_CASE("embedding, padding and distances match PyTorch") {
  check_as_pytorch("embedding", nn::Embedding(nn::EmbeddingOptions(5, 3).padding_idx(1)));
  check_as_pytorch("prelu", nn::PReLU(nn::PReLUOptions().num_parameters(3)));
  check_as_pytorch("zero_pad2d", nn::ZeroPad2d(nn::ZeroPad2dOptions({1, 2, 0, 1})));
  check_as_pytorch("reflection_pad1d", nn::ReflectionPad1d(nn::ReflectionPad1dOptions({2, 1})));
  check_as_pytorch("replication_pad2d", nn::ReplicationPad2d(2));
  check_as_pytorch("constant_pad1d", nn::ConstantPad1d(nn::ConstantPad1dOptions({1, 2}, 3.5)));
  check_as_pytorch("cosine_similarity", nn::CosineSimilarity());
  check_as_pytorch("pairwise_distance", nn::PairwiseDistance());
}

TEST_CASE("upsampling matches PyTorch") {
  using Options = nn::UpsampleOptions;
  const auto sizes = [](std::vector<int64_t> s) { return Options().size(s); };
  const auto factors = [](std::vector<double> s) { return Options().scale_factor(s); };
  check_as_pytorch("upsample_nearest", nn::Upsample(sizes({5, 7})));
  check_as_pytorch("upsample_nearest_exact", nn::Upsample(factors({1.7}).mode(kNearestExact)));
  check_as_pytorch("upsample_linear", nn::Upsample(sizes({3}).mode(kLinear)));
  check_as_pytorch("upsample_bilinear", nn::Upsample(factors({2, 2}).mode(kBilinear)));
  check_as_pytorch("upsample_bilinear_corners", nn::Upsample(sizes({5, 1}).mode(kBilinear).align_corners(true)));
  check_as_pytorch("upsample_bicubic", nn::Upsample(factors({2, 1.5}).mode(kBicubic)));
  check_as_pytorch("upsample_trilinear", nn::Upsample(factors({2, 2, 2}).mode(kTrilinear)));
  check_as_pytorch("pixel_shuffle", nn::PixelShuffle(2));
  check_as_pytorch("pixel_unshuffle", nn::PixelUnshuffle(2));
  CHECK_THROWS_AS(F::interpolate(ones({1, 1, 4}), Options().mode(kBilinear)), Error);
  CHECK(F::interpolate(ones({1, 1, 4}), sizes({2}).mode(kArea)).equal(ones({1, 1, 2})));
  CHECK(F::interpolate(ones({1, 1, 1}), factors({0.5}).mode(kArea)).sizes() == IntArrayRef({1, 1, 0}));
  const Tensor line = tensor({1.0, 4.0, 9.0}).view({1, 1, 3});
  CHECK(F::interpolate(line, factors({1.2}).mode(kLinear)).equal(line));  // floor(3.6) is what it was
}

TEST_CASE("activations match PyTorch") {
  check_as_pytorch("relu", nn::ReLU());
  check_as_pytorch("relu6", nn::ReLU6());
  check_as_pytorch("leaky_relu", nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)));
  check_as_pytorch("elu", nn::ELU(nn::ELUOptions().alpha(0.7)));
  check_as_pytorch("selu", nn::SELU());
  check_as_pytorch("celu", nn::CELU(nn::CELUOptions().alpha(1.3)));
  check_as_pytorch("gelu", nn::GELU());
  check_as_pytorch("gelu_tanh", nn::GELU(nn::GELUOptions().approximate("tanh")));
  check_as_pytorch("silu", nn::SiLU());
  check_as_pytorch("mish", nn::Mish());
  check_as_pytorch("sigmoid", nn::Sigmoid());
  check_as_pytorch("log_sigmoid", nn::LogSigmoid());
  check_as_pytorch("tanh", nn::Tanh());
  check_as_pytorch("tanhshrink", nn::Tanhshrink());
  check_as_pytorch("softsign", nn::Softsign());
  check_as_pytorch("hardsigmoid", nn::Hardsigmoid());
  check_as_pytorch("hardswish", nn::Hardswish());
  check_as_pytorch("hardtanh", nn::Hardtanh(-0.5, 2.0));
  check_as_pytorch("softplus", nn::Softplus(nn::SoftplusOptions().beta(1.5).threshold(10)));
  check_as_pytorch("softshrink", nn::Softshrink(0.3));
  check_as_pytorch("hardshrink", nn::Hardshrink(0.3));
  check_as_pytorch("threshold", nn::Threshold(0.2, -1.0));
  check_as_pytorch("glu", nn::GLU());
  check_as_pytorch("softmax", nn::Softmax(1));
  check_as_pytorch("softmin", nn::Softmin(0));
  check_as_pytorch("log_softmax", nn::LogSoftmax(-1));
  nn::RReLU rrelu;
  rrelu->eval();
  check_as_pytorch("rrelu_eval", rrelu);
}

TEST_CASE("losses match PyTorch") {
  check_as_pytorch("l1_loss", nn::L1Loss());
  check_as_pytorch("mse_loss", nn::MSELoss());
  check_as_pytorch("mse_loss_sum", nn::MSELoss(kSum));
  check_as_pytorch("mse_loss_none", nn::MSELoss(nn::MSELossOptions().reduction(kNone)));
  check_as_pytorch("smooth_l1_loss", nn::SmoothL1Loss(nn::SmoothL1LossOptions().beta(0.5)));
  check_as_pytorch("huber_loss", nn::HuberLoss(nn::HuberLossOptions().delta(0.7)));
  check_as_pytorch("soft_margin_loss", nn::SoftMarginLoss());
  check_as_pytorch("kl_div_batchmean", nn::KLDivLoss(nn::KLDivLossOptions().reduction(kBatchMean)));
  check_as_pytorch("kl_div_log", nn::KLDivLoss(nn::KLDivLossOptions(kSum).log_target(true)));
  check_as_pytorch("hinge_embedding_loss", nn::HingeEmbeddingLoss(nn::HingeEmbeddingLossOptions().margin(0.8)));
  check_as_pytorch("poisson_nll_loss", nn::PoissonNLLLoss(nn::PoissonNLLLossOptions().full(true)));
  check_as_pytorch("margin_ranking_loss", nn::MarginRankingLoss(nn::MarginRankingLossOptions().margin(0.3)));
  check_as_pytorch("cosine_embedding_loss", nn::CosineEmbeddingLoss(nn::CosineEmbeddingLossOptions().margin(0.1)));
  check_as_pytorch("triplet_margin_loss", nn::TripletMarginLoss(nn::TripletMarginLossOptions().swap(true)));
  const Tensor w = module_cases("nll_loss").find("p.weight");
  check_as_pytorch("bce_loss", nn::BCELoss(nn::BCELossOptions().weight(w.clone())));
  check_as_pytorch("bce_with_logits_loss", nn::BCEWithLogitsLoss(nn::BCEWithLogitsLossOptions().pos_weight(w.clone())));
  check_as_pytorch("nll_loss", nn::NLLLoss(nn::NLLLossOptions().weight(w.clone())));
  check_as_pytorch("nll_loss_2d", nn::NLLLoss(nn::NLLLossOptions().ignore_index(1)));
  check_as_pytorch("cross_entropy",
                   nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(w.clone()).label_smoothing(0.1)));
  check_as_pytorch("cross_entropy_prob", nn::CrossEntropyLoss());
  check_as_pytorch("multi_margin_loss",
                   nn::MultiMarginLoss(nn::MultiMarginLossOptions().p(2).margin(0.9).weight(w.clone())));
  check_as_pytorch("multilabel_soft_margin_loss", nn::MultiLabelSoftMarginLoss());
}

TEST_CASE("dropout keeps the mean in training and does nothing otherwise") {
  manual_seed(1);
  const Tensor x = ones({1000, 20});
  nn::Dropout dropout(0.3);
  const Tensor y = dropout(x);
  CHECK(y.eq(0).to(kDouble).mean().item<double>() == Approx(0.3).margin(0.02));
  CHECK(y.amax().item<double>() == Approx(1 / 0.7));
  dropout->eval();
  CHECK(dropout(x).equal(x));
  CHECK_THROWS_AS(nn::Dropout(1.5), Error);

  const Tensor planes = nn::Dropout2d(0.5)(ones({50, 20, 3, 3}));
  CHECK(planes.amax({2, 3}).equal(planes.amin({2, 3})));  // a channel is dropped as a whole
}

TEST_CASE("alpha dropout keeps mean and variance") {
  manual_seed(2);
  nn::AlphaDropout dropout(0.2);
  const Tensor y = dropout(randn({400, 400}));
  CHECK(y.mean().item<double>() == Approx(0).margin(0.02));
  CHECK(y.std().item<double>() == Approx(1).margin(0.02));
}

TEST_CASE("functions take the same options as modules") {
  const Tensor x = randn({2, 3});
  CHECK(F::relu(x).equal(x.relu()));
  CHECK(F::softmax(x, 1).equal(nn::Softmax(1)(x)));
  CHECK(F::softmax(x, F::SoftmaxFuncOptions(0).dtype(kDouble)).dtype() == kDouble);
  const Tensor target = zeros({2}, kLong);
  CHECK(F::cross_entropy(x, target, F::CrossEntropyFuncOptions().reduction(kSum)).item<double>() ==
        Approx(2 * F::cross_entropy(x, target).item<double>()));
  CHECK(F::pad(x, F::PadFuncOptions({1, 1}).value(7)).sizes().vec() == std::vector<int64_t>{2, 5});
  CHECK(F::max_pool2d(ones({1, 4, 4}), F::MaxPool2dFuncOptions(2)).sizes().vec() == std::vector<int64_t>{1, 2, 2});
  CHECK(F::normalize(x).norm(2, {1}).allclose(ones({2})));
  const Tensor one_hot = F::gumbel_softmax(x, F::GumbelSoftmaxFuncOptions().hard(true));
  CHECK(one_hot.sum(IntArrayRef{1}).allclose(ones({2})));
  CHECK_THROWS_AS(F::mse_loss(x, x, Choice::BatchMean), Error);
  Tensor changed = x.clone();
  F::relu(changed, F::ReLUFuncOptions(true));
  CHECK(changed.equal(x.relu()));
}

TEST_CASE("an embedding shortens long rows and can start from given ones") {
  nn::Embedding embedding(nn::EmbeddingOptions(3, 2).max_norm(1.0));
  {
    NoGradGuard no_grad;
    embedding->weight.copy_(tensor({{3.0, 4.0}, {0.1, 0.1}, {6.0, 8.0}}));
  }
  const Tensor y = embedding(zeros({1}, kLong));
  CHECK(y.norm().item<double>() == Approx(1).epsilon(1e-4));
  CHECK(embedding->weight[2].norm().template item<double>() == Approx(10));  // was not used
  const Tensor rows = randn({4, 2});
  nn::Embedding fixed = nn::Embedding::from_pretrained(rows);
  CHECK_FALSE(fixed->weight.requires_grad());
  CHECK(fixed(ones({1}, kLong)).squeeze(0).equal(rows[1]));
}
