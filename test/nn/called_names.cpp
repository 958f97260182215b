// Errors of nn::functional name the function that was called, whatever that calls in turn.
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/called.h"
#include "nn/nn.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/loss.h"
#include "test/catch.h"
#include "test/error_of.h"
#include "test/source_dir.h"

using namespace strata;
namespace F = strata::nn::functional;

namespace {

struct WrongCall {
  std::string name;
  std::function<void()> call;
};

/// Numbers of a shape; those of elementwise functions take any shape, so what is wrong of them is the dtype.
Tensor shaped(IntArrayRef sizes) { return ones(sizes); }
Tensor words() { return ones({2, 3}, kBool); }

std::vector<WrongCall> activations() {
  const Tensor b = words(), z = ones({2, 3}, kComplexFloat);
  return {
      {"elu", [=] { F::elu(b); }},
      {"selu", [=] { F::selu(b); }},
      {"celu", [=] { F::celu(b); }},
      {"glu",
       [] {
         F::glu(shaped({2, 3}));
       }},
      {"gelu", [=] { F::gelu(b); }},
      {"hardshrink", [=] { F::hardshrink(z); }},
      {"softshrink", [=] { F::softshrink(z); }},
      {"hardtanh", [=] { F::hardtanh(z); }},
      {"leaky_relu", [=] { F::leaky_relu(z); }},
      {"relu", [=] { F::relu(z); }},
      {"relu6", [=] { F::relu6(z); }},
      {"softplus", [=] { F::softplus(z); }},
      {"threshold", [=] { F::threshold(z, 1, 2); }},
      {"rrelu", [=] { F::rrelu(z, F::RReLUFuncOptions().training(true)); }},
      {"prelu",
       [] {
         F::prelu(shaped({2, 3}), shaped({4}));
       }},
      {"silu", [] { F::silu(Tensor()); }},
      {"mish", [=] { F::mish(z); }},
      {"sigmoid", [] { F::sigmoid(Tensor()); }},
      {"logsigmoid", [=] { F::logsigmoid(z); }},
      {"tanh", [] { F::tanh(Tensor()); }},
      {"tanhshrink", [] { F::tanhshrink(Tensor()); }},
      {"softsign", [] { F::softsign(Tensor()); }},
      {"hardsigmoid", [=] { F::hardsigmoid(z); }},
      {"hardswish", [=] { F::hardswish(z); }},
      {"softmax",
       [] {
         F::softmax(shaped({2, 3}), 2);
       }},
      {"softmin",
       [] {
         F::softmin(shaped({2, 3}), 2);
       }},
      {"log_softmax",
       [] {
         F::log_softmax(shaped({2, 3}), 2);
       }},
      {"gumbel_softmax",
       [] {
         F::gumbel_softmax(shaped({2, 3}), F::GumbelSoftmaxFuncOptions().dim(2));
       }},
      {"dropout", [=] { F::dropout(b); }},
      {"dropout2d", [=] { F::dropout2d(b); }},
      {"dropout3d", [=] { F::dropout3d(b); }},
      {"alpha_dropout", [=] { F::alpha_dropout(b, F::AlphaDropoutFuncOptions().p(2).training(true)); }},
      {"feature_alpha_dropout",
       [=] { F::feature_alpha_dropout(b, F::FeatureAlphaDropoutFuncOptions().p(2).training(true)); }},
  };
}

std::vector<WrongCall> layers() {
  const Tensor m = shaped({2, 3}), index = full({2}, 9, kLong);
  const auto attention = F::MultiheadAttentionForwardFuncOptions(4, 2, shaped({12, 4}), shaped({12}), {}, {}, false,
                                                                 0.0, shaped({4, 4}), shaped({4}));
  return {
      {"linear",
       [=] {
         F::linear(m, shaped({4, 5}), shaped({4}));
       }},
      {"linear",
       [=] {
         F::linear(m, shaped({4, 3}), shaped({7}));
       }},
      {"linear",
       [=] {
         F::linear(shaped({2, 2, 3}), shaped({4, 5}), shaped({4}));
       }},
      {"linear_relu",
       [=] {
         F::linear_relu(m, shaped({4, 5}), shaped({4}));
       }},
      {"linear_gelu",
       [=] {
         F::linear_gelu(m, shaped({4, 5}), shaped({4}));
       }},
      {"bilinear",
       [=] {
         F::bilinear(m, m, shaped({4, 3, 5}));
       }},
      {"embedding", [=] { F::embedding(index, m); }},
      {"embedding", [=] { F::embedding(index, m, F::EmbeddingFuncOptions().max_norm(1.)); }},
      {"one_hot", [=] { F::one_hot(index, 3); }},
      {"embedding_bag", [=] { F::embedding_bag(index, m, F::EmbeddingBagFuncOptions().offsets(zeros({1}, kLong))); }},
      {"multi_head_attention_forward",
       [=] {
         F::multi_head_attention_forward(shaped({3, 2, 4}), shaped({3, 2, 5}), shaped({3, 2, 4}), attention);
       }},
      {"scaled_dot_product_attention",
       [=] {
         F::scaled_dot_product_attention(shaped({2, 3, 4}), shaped({2, 3, 5}), shaped({2, 3, 4}));
       }},
      {"cosine_similarity",
       [=] {
         F::cosine_similarity(m, shaped({2, 4}));
       }},
      {"pairwise_distance",
       [=] {
         F::pairwise_distance(m, shaped({2, 4}));
       }},
      {"pdist", [] { F::pdist(shaped({3})); }},
      {"fold",
       [=] {
         F::fold(m, F::FoldFuncOptions({4, 5}, {2, 2}));
       }},
      {"unfold",
       [=] {
         F::unfold(m, F::UnfoldFuncOptions({2, 2}));
       }},
      {"batch_norm", [=] { F::batch_norm(m, shaped({4}), shaped({4})); }},
      {"instance_norm", [=] { F::instance_norm(m[0]); }},
      {"instance_norm",
       [] {
         F::instance_norm(shaped({2, 3, 4}), F::InstanceNormFuncOptions().weight(shaped({5})));
       }},
      {"layer_norm", [=] { F::layer_norm(m, F::LayerNormFuncOptions({4})); }},
      {"group_norm", [=] { F::group_norm(m, F::GroupNormFuncOptions(2)); }},
      {"normalize", [=] { F::normalize(m, F::NormalizeFuncOptions().dim(2)); }},
      {"rms_norm", [=] { F::rms_norm(m, F::RMSNormFuncOptions({4})); }},
      {"local_response_norm", [=] { F::local_response_norm(shaped({3}), F::LocalResponseNormFuncOptions(2)); }},
      {"sync_batch_norm", [=] { F::sync_batch_norm(m, shaped({4}), shaped({4}), shaped({4}), shaped({4})); }},
      {"pad",
       [=] {
         F::pad(m, F::PadFuncOptions({1, 1, 1}));
       }},
      {"pad",
       [=] {
         F::pad(m, F::PadFuncOptions({9, 9}).mode(kReflect));
       }},
      {"interpolate", [=] { F::interpolate(m, F::InterpolateFuncOptions().size(std::vector<int64_t>{2})); }},
      {"pixel_shuffle",
       [=] {
         F::pixel_shuffle(shaped({1, 3, 2, 2}), F::PixelShuffleFuncOptions(2));
       }},
      {"pixel_unshuffle",
       [=] {
         F::pixel_unshuffle(shaped({1, 3, 3, 3}), F::PixelUnshuffleFuncOptions(2));
       }},
      {"channel_shuffle",
       [=] {
         F::channel_shuffle(shaped({1, 3, 3, 3}), F::ChannelShuffleFuncOptions(2));
       }},
      {"grid_sample",
       [=] {
         F::grid_sample(shaped({1, 1, 2, 2}), shaped({1, 2, 2, 3}));
       }},
      {"affine_grid",
       [=] {
         F::affine_grid(shaped({1, 2, 4}), {1, 1, 2, 2});
       }},
  };
}

std::vector<WrongCall> convolutions_and_pools() {
  const Tensor m = shaped({3}), x1 = shaped({1, 2, 4}), x2 = shaped({1, 2, 4, 4}), x3 = shaped({1, 2, 4, 4, 4});
  const Tensor far1 = full({1, 2, 2}, 99, kLong), far2 = full({1, 2, 2, 2}, 99, kLong),
               far3 = full({1, 2, 2, 2, 2}, 999, kLong);
  return {
      {"conv1d",
       [=] {
         F::conv1d(x1, shaped({2, 3, 2}));
       }},
      {"conv2d",
       [=] {
         F::conv2d(x2, shaped({2, 3, 2, 2}));
       }},
      {"conv3d",
       [=] {
         F::conv3d(x3, shaped({2, 3, 2, 2, 2}));
       }},
      {"conv_transpose1d",
       [=] {
         F::conv_transpose1d(x1, shaped({3, 2, 2}));
       }},
      {"conv_transpose2d",
       [=] {
         F::conv_transpose2d(x2, shaped({3, 2, 2, 2}));
       }},
      {"conv_transpose3d",
       [=] {
         F::conv_transpose3d(x3, shaped({3, 2, 2, 2, 2}));
       }},
      {"max_pool1d", [=] { F::max_pool1d(m, F::MaxPool1dFuncOptions(2)); }},
      {"max_pool2d", [=] { F::max_pool2d(m, F::MaxPool2dFuncOptions(2)); }},
      {"max_pool3d", [=] { F::max_pool3d(m, F::MaxPool3dFuncOptions(2)); }},
      {"avg_pool1d", [=] { F::avg_pool1d(m, F::AvgPool1dFuncOptions(2)); }},
      {"avg_pool2d", [=] { F::avg_pool2d(m, F::AvgPool2dFuncOptions(2)); }},
      {"avg_pool3d", [=] { F::avg_pool3d(m, F::AvgPool3dFuncOptions(2)); }},
      {"adaptive_avg_pool1d", [=] { F::adaptive_avg_pool1d(m, F::AdaptiveAvgPool1dFuncOptions(2)); }},
      {"adaptive_avg_pool2d", [=] { F::adaptive_avg_pool2d(m, F::AdaptiveAvgPool2dFuncOptions(2)); }},
      {"adaptive_avg_pool3d", [=] { F::adaptive_avg_pool3d(m, F::AdaptiveAvgPool3dFuncOptions(2)); }},
      {"adaptive_max_pool1d", [=] { F::adaptive_max_pool1d(m, F::AdaptiveMaxPool1dFuncOptions(2)); }},
      {"adaptive_max_pool2d", [=] { F::adaptive_max_pool2d(m, F::AdaptiveMaxPool2dFuncOptions(2)); }},
      {"adaptive_max_pool3d", [=] { F::adaptive_max_pool3d(m, F::AdaptiveMaxPool3dFuncOptions(2)); }},
      {"max_pool1d_with_indices", [=] { F::max_pool1d_with_indices(m, F::MaxPool1dFuncOptions(2)); }},
      {"max_pool2d_with_indices", [=] { F::max_pool2d_with_indices(m, F::MaxPool2dFuncOptions(2)); }},
      {"max_pool3d_with_indices", [=] { F::max_pool3d_with_indices(m, F::MaxPool3dFuncOptions(2)); }},
      {"adaptive_max_pool1d_with_indices",
       [=] { F::adaptive_max_pool1d_with_indices(m, F::AdaptiveMaxPool1dFuncOptions(2)); }},
      {"adaptive_max_pool2d_with_indices",
       [=] { F::adaptive_max_pool2d_with_indices(m, F::AdaptiveMaxPool2dFuncOptions(2)); }},
      {"adaptive_max_pool3d_with_indices",
       [=] { F::adaptive_max_pool3d_with_indices(m, F::AdaptiveMaxPool3dFuncOptions(2)); }},
      {"max_unpool1d",
       [=] {
         F::max_unpool1d(shaped({1, 2, 2}), far1, F::MaxUnpool1dFuncOptions(2));
       }},
      {"max_unpool2d",
       [=] {
         F::max_unpool2d(shaped({1, 2, 2, 2}), far2, F::MaxUnpool2dFuncOptions(2));
       }},
      {"max_unpool3d",
       [=] {
         F::max_unpool3d(shaped({1, 2, 2, 2, 2}), far3, F::MaxUnpool3dFuncOptions(2));
       }},
      {"lp_pool1d", [=] { F::lp_pool1d(m, F::LPPool1dFuncOptions(2, 2)); }},
      {"lp_pool2d", [=] { F::lp_pool2d(m, F::LPPool2dFuncOptions(2, 2)); }},
      {"lp_pool3d", [=] { F::lp_pool3d(m, F::LPPool3dFuncOptions(2, 2)); }},
      {"fractional_max_pool2d",
       [=] { F::fractional_max_pool2d(m, F::FractionalMaxPool2dFuncOptions(2).output_size(2)); }},
      {"fractional_max_pool3d",
       [=] { F::fractional_max_pool3d(m, F::FractionalMaxPool3dFuncOptions(2).output_size(2)); }},
      {"fractional_max_pool2d_with_indices",
       [=] { F::fractional_max_pool2d_with_indices(m, F::FractionalMaxPool2dFuncOptions(2).output_size(2)); }},
      {"fractional_max_pool3d_with_indices",
       [=] { F::fractional_max_pool3d_with_indices(m, F::FractionalMaxPool3dFuncOptions(2).output_size(2)); }},
  };
}

std::vector<WrongCall> losses() {
  const Tensor m = shaped({2, 3}), other = shaped({2, 4}), labels = full({2}, 7, kLong);
  return {
      {"l1_loss", [=] { F::l1_loss(m, other); }},
      {"mse_loss", [=] { F::mse_loss(m, other); }},
      {"smooth_l1_loss", [=] { F::smooth_l1_loss(m, other); }},
      {"huber_loss", [=] { F::huber_loss(m, other); }},
      {"soft_margin_loss", [=] { F::soft_margin_loss(m, other); }},
      {"kl_div", [=] { F::kl_div(m, other); }},
      {"hinge_embedding_loss", [=] { F::hinge_embedding_loss(m, other); }},
      {"poisson_nll_loss", [=] { F::poisson_nll_loss(m, other); }},
      {"margin_ranking_loss", [=] { F::margin_ranking_loss(m, other, m); }},
      {"cosine_embedding_loss", [=] { F::cosine_embedding_loss(m, other, shaped({2})); }},
      {"triplet_margin_loss", [=] { F::triplet_margin_loss(m, other, m); }},
      {"triplet_margin_with_distance_loss", [=] { F::triplet_margin_with_distance_loss(m, other, m); }},
      {"binary_cross_entropy", [=] { F::binary_cross_entropy(m, other); }},
      {"binary_cross_entropy_with_logits", [=] { F::binary_cross_entropy_with_logits(m, other); }},
      {"nll_loss", [=] { F::nll_loss(m, labels); }},
      {"cross_entropy", [=] { F::cross_entropy(m, labels); }},
      {"cross_entropy", [=] { F::cross_entropy(m, other); }},
      {"cross_entropy", [=] { F::cross_entropy(m, zeros({3}, kLong)); }},
      {"multi_margin_loss", [=] { F::multi_margin_loss(m, labels); }},
      {"multilabel_margin_loss", [=] { F::multilabel_margin_loss(m, labels); }},
      {"multilabel_soft_margin_loss", [=] { F::multilabel_soft_margin_loss(m, other); }},
      {"gaussian_nll_loss", [=] { F::gaussian_nll_loss(m, other, m); }},
      {"ctc_loss", [=] { F::ctc_loss(m, labels, labels, labels); }},
  };
}

std::vector<WrongCall> all_calls() {
  std::vector<WrongCall> all;
  for (const auto& part : {activations(), layers(), convolutions_and_pools(), losses()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// What the headers of nn declare in namespace functional.
std::set<std::string> declared_functions() {
  static const std::regex function("^(?:Tensor|std::tuple<Tensor, Tensor>) ([a-z_0-9]+)\\(.*");
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() + "/nn")) {
    if (file.path().extension() != ".h") continue;
    std::ifstream in(file.path());
    bool is_inside = false;
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (line.find("namespace") == 0) is_inside = line.find("functional {") != std::string::npos;
      if (line.find("}  // namespace") == 0) is_inside = false;
      if (is_inside && std::regex_match(line, match, function)) names.insert(match[1]);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("errors of functions name the function that was called") {
  for (const WrongCall& wrong : all_calls()) {
    const std::string message = error_of(wrong.call);
    INFO(wrong.name << " says: " << message);
    CHECK(message.rfind(wrong.name + ": ", 0) == 0);
  }
}

TEST_CASE("every function of nn::functional has a wrong call here") {
  std::set<std::string> declared = declared_functions();
  CHECK(declared.size() > 100);
  for (const WrongCall& wrong : all_calls()) declared.erase(wrong.name);
  CHECK(declared == std::set<std::string>());
}

TEST_CASE("a name holds for its call alone, and not for functions of the user's") {
  const Tensor m = shaped({2, 3}), other = shaped({2, 4});
  const auto begins = [](const std::string& message, const std::string& name) {
    INFO(message);
    return message.rfind(name + ": ", 0) == 0;
  };
  CHECK(begins(error_of([&] { strata::pairwise_distance(m, other); }), "pairwise_distance"));
  CHECK(begins(error_of([&] { m.sub(other); }), "sub"));
  CHECK(begins(error_of([&] { F::triplet_margin_loss(m, other, m); }), "triplet_margin_loss"));
  CHECK(Called::name() == nullptr);
  const auto own = [](const Tensor&, const Tensor&) -> Tensor { STRATA_THROW("mine: refused"); };
  const auto options = F::TripletMarginWithDistanceLossFuncOptions().distance_function(own);
  CHECK(error_of([&] { F::triplet_margin_with_distance_loss(m, m, m, options); }) == "mine: refused");
  const Called called("composed");
  CHECK(begins(error_of([&] { F::normalize(m, F::NormalizeFuncOptions().dim(2)); }), "composed"));
  CHECK(error_of([] { STRATA_THROW("the words of a sentence: no name"); }) ==
        "composed: the words of a sentence: no name");
}

TEST_CASE("usual mistakes are told with the argument and with what to do about them") {
  const Tensor x = shaped({2, 3}), none, classes = shaped({2});
  nn::Sequential net(nn::Linear(3, 4));
  const auto told = [](const std::string& message, const char* wanted) {
    INFO(message);
    return message.find(wanted) != std::string::npos && message.find('\n') == std::string::npos;
  };
  CHECK(told(error_of([&] { x + none; }), "add: the argument b is an undefined tensor"));
  CHECK(told(error_of([&] { matmul(none, x); }), "matmul: the argument a is an undefined tensor"));
  CHECK(told(error_of([&] { net->forward(none); }), "0: linear: the argument x is an undefined tensor"));
  CHECK(
      told(error_of([&] { F::cross_entropy(x, none); }), "cross_entropy: the argument target is an undefined tensor"));
  CHECK(told(error_of([&] { cat({x, none}); }), "cat: the argument tensors[1] is an undefined tensor"));
  CHECK(told(error_of([&] { stack({none, x}); }), "stack: the argument tensors[0] is an undefined tensor"));
  CHECK(
      told(error_of([&] { x.grad().sum(); }), "sum: an argument is an undefined tensor: nothing was assigned to it, "));
  CHECK(
      told(error_of([&] { net->forward(x.to(kDouble)); }), "0: linear: the input is float64 and the weight float32; "));
  CHECK(told(error_of([&] { F::cross_entropy(x, classes); }), "convert them with to(kLong)"));
  CHECK(told(error_of([&] { F::binary_cross_entropy(2 * x, x); }), "logits are for binary_cross_entropy_with_logits"));
  CHECK(told(error_of([&] { x.index_select(0, full({1}, 5, kLong)); }), "index_select: index 5 is out of bounds"));
  CHECK(told(error_of([&] { x.sum().backward(); }), "nothing that it was computed from requires grad"));
  CHECK(told(error_of([] {
               nn::Linear layer = nullptr;
               layer(ones({2}));
             }),
             "assign a module before it is used"));
}
