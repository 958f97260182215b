// Training steps of whole networks, small ones of the kinds that programs train: forward, loss, backward and the
// optimizer's step.
#include "rows.h"

#include <memory>
#include <vector>

namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using torch::Tensor;

nn::Conv2d conv(int64_t in, int64_t out, int64_t kernel, int64_t stride = 1, int64_t groups = 1) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).groups(groups).bias(false));
}

/// He and others, Deep residual learning for image recognition (2015): two convolutions and what goes past them.
struct ResidualImpl : nn::Module {
  ResidualImpl(int64_t in, int64_t out, int64_t stride)
      : body(conv(in, out, 3, stride), nn::BatchNorm2d(out), nn::ReLU(), conv(out, out, 3), nn::BatchNorm2d(out)) {
    register_module("body", body);
    if (stride != 1 || in != out) past = nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out));
    register_module("past", past);
  }
  Tensor forward(const Tensor& x) { return torch::relu(body->forward(x) + (past->is_empty() ? x : past->forward(x))); }
  nn::Sequential body, past;
};
TORCH_MODULE(Residual);

nn::Sequential resnet18() {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 64, 7).stride(2).padding(3).bias(false)), nn::BatchNorm2d(64),
                     nn::ReLU(), nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1)));
  int64_t in = 64;
  for (const int64_t out : {64, 128, 256, 512}) {
    net->push_back(Residual(in, out, out == 64 ? 1 : 2));
    net->push_back(Residual(out, out, 1));
    in = out;
  }
  net->push_back(nn::AdaptiveAvgPool2d(1));
  net->push_back(nn::Flatten());
  net->push_back(nn::Linear(512, 10));
  return net;
}

/// Sandler and others, MobileNetV2 (2018): wide and depthwise between narrow ends.
struct InvertedResidualImpl : nn::Module {
  InvertedResidualImpl(int64_t in, int64_t out, int64_t stride, int64_t widening)
      : adds(stride == 1 && in == out),
        body(conv(in, in * widening, 1), nn::BatchNorm2d(in * widening), nn::ReLU6(),
             conv(in * widening, in * widening, 3, stride, in * widening), nn::BatchNorm2d(in * widening), nn::ReLU6(),
             conv(in * widening, out, 1), nn::BatchNorm2d(out)) {
    register_module("body", body);
  }
  Tensor forward(const Tensor& x) { return adds ? x + body->forward(x) : body->forward(x); }
  bool adds;
  nn::Sequential body;
};
TORCH_MODULE(InvertedResidual);

nn::Sequential mobile_net() {
  return nn::Sequential(conv(3, 32, 3, 2), nn::BatchNorm2d(32), nn::ReLU6(), InvertedResidual(32, 16, 1, 1),
                        InvertedResidual(16, 24, 2, 6), InvertedResidual(24, 24, 1, 6), InvertedResidual(24, 32, 2, 6),
                        InvertedResidual(32, 32, 1, 6), InvertedResidual(32, 64, 2, 6), InvertedResidual(64, 64, 1, 6),
                        nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(64, 10));
}

/// Ronneberger and others, U-Net (2015), of two levels.
struct UNetImpl : nn::Module {
  UNetImpl() {
    const auto twice = [](int64_t in, int64_t out) {
      return nn::Sequential(conv(in, out, 3), nn::BatchNorm2d(out), nn::ReLU(), conv(out, out, 3), nn::BatchNorm2d(out),
                            nn::ReLU());
    };
    down1 = register_module("down1", twice(1, 32));
    down2 = register_module("down2", twice(32, 64));
    bottom = register_module("bottom", twice(64, 128));
    up2 = register_module("up2", nn::ConvTranspose2d(nn::ConvTranspose2dOptions(128, 64, 2).stride(2)));
    join2 = register_module("join2", twice(128, 64));
    join1 = register_module("join1", twice(96, 32));
    head = register_module("head", nn::Conv2d(32, 1, 1));
  }
  Tensor forward(const Tensor& x) {
    const Tensor a = down1->forward(x), b = down2->forward(torch::max_pool2d(a, 2));
    const Tensor c = join2->forward(torch::cat({up2(bottom->forward(torch::max_pool2d(b, 2))), b}, 1));
    const auto twice_as_large =
        F::InterpolateFuncOptions().scale_factor(std::vector<double>{2, 2}).mode(torch::kBilinear).align_corners(false);
    return head(join1->forward(torch::cat({F::interpolate(c, twice_as_large), a}, 1)));
  }
  nn::Sequential down1, down2, bottom, join2, join1;
  nn::ConvTranspose2d up2 = nullptr;
  nn::Conv2d head = nullptr;
};
TORCH_MODULE(UNet);

/// Dosovitskiy and others, An image is worth 16x16 words (2020): patches through a transformer's encoder.
struct VisionTransformerImpl : nn::Module {
  VisionTransformerImpl()
      : patches(nn::Conv2dOptions(3, 192, 8).stride(8)),
        encoder(nn::TransformerEncoderOptions(
            nn::TransformerEncoderLayerOptions(192, 3).dim_feedforward(768).dropout(0.1).activation(torch::kGELU), 4)),
        head(192, 10) {
    register_module("patches", patches);
    register_module("encoder", encoder);
    register_module("head", head);
    place = register_parameter("place", torch::randn({64, 1, 192}) * 0.02);
  }
  Tensor forward(const Tensor& x) { return head(encoder(patches(x).flatten(2).permute({2, 0, 1}) + place).mean(0)); }
  nn::Conv2d patches;
  nn::TransformerEncoder encoder;
  nn::Linear head;
  Tensor place;
};
TORCH_MODULE(VisionTransformer);

/// Attention written out, as many ports of GPT-2 have it.
struct DecoderBlockImpl : nn::Module {
  explicit DecoderBlockImpl(int64_t width)
      : norm1(nn::LayerNormOptions({width})),
        norm2(nn::LayerNormOptions({width})),
        qkv(width, 3 * width),
        out(width, width),
        up(width, 4 * width),
        down(4 * width, width) {
    register_module("norm1", norm1), register_module("norm2", norm2), register_module("qkv", qkv);
    register_module("out", out), register_module("up", up), register_module("down", down);
  }
  Tensor attend(const Tensor& x) {
    const int64_t batch = x.size(0), steps = x.size(1), width = x.size(2), heads = 8;
    const auto parts = qkv(x).view({batch, steps, 3, heads, width / heads}).permute({2, 0, 3, 1, 4}).unbind(0);
    const Tensor later = torch::ones({steps, steps}, torch::kBool).triu(1);
    const Tensor scores = torch::matmul(parts[0], parts[1].transpose(-2, -1)) / std::sqrt(double(width / heads));
    const Tensor shares = torch::dropout(torch::softmax(scores.masked_fill(later, -INFINITY), -1), 0.1, is_training());
    return out(torch::matmul(shares, parts[2]).transpose(1, 2).contiguous().view({batch, steps, width}));
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = x + attend(norm1(x));
    return y + down(torch::gelu(up(norm2(y))));
  }
  nn::LayerNorm norm1, norm2;
  nn::Linear qkv, out, up, down;
};
TORCH_MODULE(DecoderBlock);

struct DecoderImpl : nn::Module {
  DecoderImpl() : token(2000, 256), place(128, 256), norm(nn::LayerNormOptions({256})), head(256, 2000) {
    register_module("token", token), register_module("place", place);
    for (int i = 0; i < 4; ++i) blocks->push_back(DecoderBlock(256));
    register_module("blocks", blocks), register_module("norm", norm), register_module("head", head);
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = blocks->forward(token(x) + place(torch::arange(x.size(1), torch::kLong)));
    return head(norm(y)).flatten(0, 1);
  }
  nn::Embedding token, place;
  nn::Sequential blocks;
  nn::LayerNorm norm;
  nn::Linear head;
};
TORCH_MODULE(Decoder);

/// A language model on a recurrent net of type R.
template <class R, class Options>
struct Recurrent : nn::Module {
  explicit Recurrent(const Options& options, int64_t width) : token(2000, 128), net(options), head(width, 2000) {
    register_module("token", token), register_module("net", net), register_module("head", head);
  }
  Tensor forward(const Tensor& x) { return head(std::get<0>(net->forward(token(x)))).flatten(0, 1); }
  nn::Embedding token;
  R net;
  nn::Linear head;
};

/// Radford and others, DCGAN (2015): both nets' losses in one step.
struct AdversariesImpl : nn::Module {
  AdversariesImpl() {
    const auto grow = [](int64_t in, int64_t out) {
      return nn::ConvTranspose2d(nn::ConvTranspose2dOptions(in, out, 4).stride(2).padding(1).bias(false));
    };
    const auto shrink = [](int64_t in, int64_t out) {
      return nn::Conv2d(nn::Conv2dOptions(in, out, 4).stride(2).padding(1).bias(false));
    };
    const auto leaky = [] { return nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)); };
    generator = register_module(
        "generator", nn::Sequential(nn::ConvTranspose2d(nn::ConvTranspose2dOptions(64, 128, 4).bias(false)),
                                    nn::BatchNorm2d(128), nn::ReLU(), grow(128, 64), nn::BatchNorm2d(64), nn::ReLU(),
                                    grow(64, 32), nn::BatchNorm2d(32), nn::ReLU(), grow(32, 1), nn::Tanh()));
    discriminator = register_module(
        "discriminator", nn::Sequential(shrink(1, 32), leaky(), shrink(32, 64), nn::BatchNorm2d(64), leaky(),
                                        shrink(64, 128), nn::BatchNorm2d(128), leaky(), nn::Conv2d(128, 1, 4)));
  }
  Tensor forward(const Tensor& real) {
    const Tensor made = generator->forward(torch::randn({real.size(0), 64, 1, 1}));
    return torch::softplus(discriminator->forward(made)).mean() + torch::softplus(-discriminator->forward(real)).mean();
  }
  nn::Sequential generator, discriminator;
};
TORCH_MODULE(Adversaries);

/// van den Oord and others, WaveNet (2016): gated convolutions of growing dilation.
struct WaveNetImpl : nn::Module {
  WaveNetImpl() : first(1, 32, 1), last(32, 1, 1) {
    register_module("first", first), register_module("last", last);
    for (int i = 0; i < 6; ++i) {
      gated->push_back(nn::Conv1d(nn::Conv1dOptions(32, 64, 2).dilation(1 << i)));
      mixed->push_back(nn::Conv1d(32, 32, 1));
    }
    register_module("gated", gated), register_module("mixed", mixed);
  }
  Tensor forward(const Tensor& x) {
    Tensor y = first(x), sum = torch::zeros_like(y);
    for (size_t i = 0; i < gated->size(); ++i) {
      const auto halves = gated->at<nn::Conv1dImpl>(i).forward(torch::constant_pad_nd(y, {1 << i, 0})).chunk(2, 1);
      const Tensor step = mixed->at<nn::Conv1dImpl>(i).forward(torch::tanh(halves[0]) * torch::sigmoid(halves[1]));
      sum = sum + step, y = y + step;
    }
    return last(torch::relu(sum));
  }
  nn::Conv1d first, last;
  nn::ModuleList gated, mixed;
};
TORCH_MODULE(WaveNet);

/// Kipf and Welling, Graph convolutional networks (2016), over a list of edges.
struct GraphNetImpl : nn::Module {
  GraphNetImpl() : first(64, 128), second(128, 7) {
    register_module("first", first), register_module("second", second);
    from = torch::randint(2000, {20000}, torch::kLong), to = torch::randint(2000, {20000}, torch::kLong);
    degree = torch::zeros({2000}).index_add_(0, to, torch::ones({20000})).clamp_min_(1).unsqueeze(1);
  }
  Tensor spread(const Tensor& x) { return torch::zeros_like(x).index_add(0, to, x.index_select(0, from)) / degree; }
  Tensor forward(const Tensor& x) {
    return spread(second(torch::dropout(torch::relu(spread(first(x))), 0.5, is_training())));
  }
  nn::Linear first, second;
  Tensor from, to, degree;
};
TORCH_MODULE(GraphNet);

/// Qi and others, PointNet (2016): each point by itself, then the largest of each feature.
struct PointNetImpl : nn::Module {
  PointNetImpl() {
    const auto point = [](int64_t in, int64_t out) { return nn::Conv1d(in, out, 1); };
    points = register_module("points", nn::Sequential(point(3, 64), nn::BatchNorm1d(64), nn::ReLU(), point(64, 128),
                                                      nn::BatchNorm1d(128), nn::ReLU(), point(128, 512)));
    head = register_module("head", nn::Sequential(nn::Linear(512, 256), nn::BatchNorm1d(256), nn::ReLU(),
                                                  nn::Dropout(0.3), nn::Linear(256, 10)));
  }
  Tensor forward(const Tensor& x) { return head->forward(std::get<0>(points->forward(x).max(2))); }
  nn::Sequential points, head;
};
TORCH_MODULE(PointNet);

nn::Sequential volume_net() {
  const auto volume = [](int64_t in, int64_t out) { return nn::Conv3d(nn::Conv3dOptions(in, out, 3).padding(1)); };
  return nn::Sequential(volume(1, 16), nn::BatchNorm3d(16), nn::ReLU(), nn::MaxPool3d(2), volume(16, 32),
                        nn::BatchNorm3d(32), nn::ReLU(), nn::MaxPool3d(2), volume(32, 64), nn::ReLU(),
                        nn::AdaptiveAvgPool3d(1), nn::Flatten(), nn::Linear(64, 10));
}

/// Naumov and others, DLRM (2019): bags of categories beside numbers.
struct RecommenderImpl : nn::Module {
  RecommenderImpl() : numbers(nn::Linear(13, 64), nn::ReLU(), nn::Linear(64, 32), nn::ReLU()) {
    register_module("numbers", numbers);
    for (int i = 0; i < 8; ++i)
      bags.push_back(register_module("bag" + std::to_string(i),
                                     nn::EmbeddingBag(nn::EmbeddingBagOptions(10000, 32).mode(torch::kSum))));
    head = register_module("head", nn::Sequential(nn::Linear(32 + 36, 128), nn::ReLU(), nn::Linear(128, 1)));
  }
  Tensor forward(const Tensor& x, const Tensor& categories) {
    std::vector<Tensor> vectors{numbers->forward(x)};
    for (size_t i = 0; i < bags.size(); ++i) vectors.push_back(bags[i](categories[static_cast<int64_t>(i)]));
    const Tensor all = torch::stack(vectors, 1), products = torch::bmm(all, all.transpose(1, 2));
    const Tensor pairs = torch::tril_indices(9, 9, -1);
    return head->forward(torch::cat({vectors[0], products.index({torch::indexing::Slice(), pairs[0], pairs[1]})}, 1));
  }
  nn::Sequential numbers, head;
  std::vector<nn::EmbeddingBag> bags;
};
TORCH_MODULE(Recommender);

nn::Sequential small_perceptron() {
  return nn::Sequential(nn::Linear(4, 128), nn::ReLU(), nn::Linear(128, 128), nn::ReLU(), nn::Linear(128, 2));
}

// What a row measures; it is made when the row is first run, so that rows left out cost nothing.
using Loss = std::function<Tensor()>;

template <class Optimizer, class Options, class Make>
void training(const std::string& name, const Options& options, Make make, double largest_norm = 0) {
  for (const int threads : {1, 2})
    row(name, threads,
        [=, optimizer = std::shared_ptr<Optimizer>(), loss = Loss(), parameters = std::vector<Tensor>()]() mutable {
          if (!optimizer) {
            torch::manual_seed(0);
            std::tie(loss, parameters) = make();
            optimizer = std::make_shared<Optimizer>(parameters, options);
          }
          optimizer->zero_grad();
          loss().backward();
          if (largest_norm > 0) nn::utils::clip_grad_norm_(parameters, largest_norm);
          optimizer->step();
        });
}

using Made = std::pair<Loss, std::vector<Tensor>>;

/// Tells the classes of inputs apart.
template <class Net>
Made classifying(Net net, const Tensor& x, int64_t classes) {
  const Tensor labels = torch::randint(classes, {x.size(0)}, torch::kLong);
  return {[=]() mutable { return F::cross_entropy(net->forward(x), labels); }, net->parameters()};
}

/// Tells what follows each token.
template <class Net>
Made predicting(Net net, int64_t batch, int64_t steps) {
  const Tensor text = torch::randint(2000, {batch, steps}, torch::kLong);
  const Tensor next = torch::randint(2000, {batch * steps}, torch::kLong);
  return {[=]() mutable { return F::cross_entropy(net->forward(text), next); }, net->parameters()};
}

Made deep_q() {
  auto net = small_perceptron(), target = small_perceptron();
  const Tensor state = torch::randn({64, 4}), next = torch::randn({64, 4}), reward = torch::rand({64});
  const Tensor action = torch::randint(2, {64, 1}, torch::kLong);
  const auto loss = [=]() mutable {
    Tensor wanted;
    {
      const torch::NoGradGuard no_grad;
      wanted = reward + 0.99 * std::get<0>(target->forward(next).max(1));
    }
    return F::smooth_l1_loss(net->forward(state).gather(1, action).squeeze(1), wanted);
  };
  return {loss, net->parameters()};
}

}  // namespace

int main(int argc, char** argv) {
  using torch::optim::Adam, torch::optim::AdamW, torch::optim::SGD;
  const auto sgd = torch::optim::SGDOptions(0.01).momentum(0.9).weight_decay(1e-4);
  const torch::optim::AdamOptions adam(1e-3);
  const torch::optim::AdamWOptions adamw(1e-3);
  training<SGD>("ResNet-18, 8x3x96x96", sgd, [] { return classifying(resnet18(), torch::randn({8, 3, 96, 96}), 10); });
  training<SGD>("MobileNet, 16x3x96x96", sgd, [] {
    return classifying(mobile_net(), torch::randn({16, 3, 96, 96}), 10);
  });
  training<Adam>("U-Net, 4x1x96x96", adam, [] {
    UNet net;
    const Tensor x = torch::randn({4, 1, 96, 96}), mask = torch::rand_like(x).round();
    return Made([=]() mutable { return F::binary_cross_entropy_with_logits(net(x), mask); }, net->parameters());
  });
  training<AdamW>("vision transformer, 16x3x64x64", adamw, [] {
    return classifying(VisionTransformer(), torch::randn({16, 3, 64, 64}), 10);
  });
  training<AdamW>(
      "decoder of 4 blocks, 8x128 tokens", adamw, [] { return predicting(Decoder(), 8, 128); }, 1.0);
  training<Adam>(
      "LSTM of 2 layers, 16x64 tokens", adam,
      [] {
        using Net = Recurrent<nn::LSTM, nn::LSTMOptions>;
        return predicting(std::make_shared<Net>(nn::LSTMOptions(128, 256).num_layers(2).batch_first(true), 256), 16,
                          64);
      },
      1.0);
  training<Adam>("GRU both ways, 16x64 tokens", adam, [] {
    using Net = Recurrent<nn::GRU, nn::GRUOptions>;
    return predicting(std::make_shared<Net>(nn::GRUOptions(128, 128).bidirectional(true).batch_first(true), 256), 16,
                      64);
  });
  training<Adam>("adversaries, 32x1x32x32", adam, [] {
    Adversaries nets;
    const Tensor real = torch::randn({32, 1, 32, 32});
    return Made([=]() mutable { return nets(real); }, nets->parameters());
  });
  training<Adam>("WaveNet, 8x1x2048", adam, [] {
    WaveNet net;
    const Tensor x = torch::randn({8, 1, 2048}), y = torch::randn({8, 1, 2048});
    return Made([=]() mutable { return F::mse_loss(net(x), y); }, net->parameters());
  });
  training<Adam>("graph net, 2000 nodes, 20000 edges", adam, [] {
    return classifying(GraphNet(), torch::randn({2000, 64}), 7);
  });
  training<Adam>("PointNet, 16x3x1024", adam, [] { return classifying(PointNet(), torch::randn({16, 3, 1024}), 10); });
  training<SGD>("net of volumes, 2x1x32x32x32", sgd, [] {
    return classifying(volume_net(), torch::randn({2, 1, 32, 32, 32}), 10);
  });
  training<Adam>("recommender, 8 bags of 256x10", adam, [] {
    Recommender net;
    const Tensor x = torch::randn({256, 13}), click = torch::rand({256, 1}).round();
    const Tensor categories = torch::randint(10000, {8, 256, 10}, torch::kLong);
    return Made([=]() mutable { return F::binary_cross_entropy_with_logits(net(x, categories), click); },
                net->parameters());
  });
  training<Adam>("deep Q-learning, perceptron 4-128-128-2, batch 64", adam, deep_q, 10.0);
  return run_rows(argc, argv);
}
