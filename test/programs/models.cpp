// Models as tutorials and well-known repositories build them, trained for some steps.
#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

struct GeneratorImpl : nn::Module {
  explicit GeneratorImpl(int64_t noise)
      : conv1(nn::ConvTranspose2dOptions(noise, 8, 3).bias(false)),
        norm1(8),
        conv2(nn::ConvTranspose2dOptions(8, 1, 4).stride(2).padding(1).bias(false)) {
    register_module("conv1", conv1);
    register_module("norm1", norm1);
    register_module("conv2", conv2);
  }
  torch::Tensor forward(torch::Tensor x) { return torch::tanh(conv2(torch::relu(norm1(conv1(x))))); }
  nn::ConvTranspose2d conv1;
  nn::BatchNorm2d norm1;
  nn::ConvTranspose2d conv2;
};
TORCH_MODULE(Generator);

const Program dcgan("a generator against a discriminator", [](std::ostream& out) {
  Generator generator(3);
  nn::Sequential discriminator(nn::Conv2d(nn::Conv2dOptions(1, 4, 4).stride(2).padding(1).bias(false)),
                               nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
                               nn::Conv2d(nn::Conv2dOptions(4, 1, 3).bias(false)), nn::Sigmoid());
  filled(generator);
  filled(discriminator);
  torch::optim::Adam of_generator(generator->parameters(), torch::optim::AdamOptions(2e-3).betas({0.5, 0.999}));
  torch::optim::Adam of_discriminator(discriminator->parameters(), torch::optim::AdamOptions(2e-3).betas({0.5, 0.5}));
  for (int step = 0; step < 3; ++step) {
    discriminator->zero_grad();
    const auto real = waves({2, 1, 6, 6}, 0.3 + step), noise = waves({2, 3, 1, 1}, 1.1 + step);
    const auto real_output = discriminator->forward(real).reshape(-1);
    const auto loss_real = torch::binary_cross_entropy(real_output, torch::full({2}, 0.9));
    loss_real.backward();
    const auto fake = generator->forward(noise);
    const auto loss_fake =
        torch::binary_cross_entropy(discriminator->forward(fake.detach()).reshape(-1), torch::zeros(2));
    loss_fake.backward();
    of_discriminator.step();
    generator->zero_grad();
    const auto loss = torch::binary_cross_entropy(discriminator->forward(fake).reshape(-1), torch::ones(2));
    loss.backward();
    of_generator.step();
    show(out, "losses", torch::stack({loss_real + loss_fake, loss}));
  }
  out << generator << '\n' << discriminator << '\n';
});

const Program transformer("an encoder of sequences", [](std::ostream& out) {
  nn::TransformerEncoderLayer layer(nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0));
  nn::TransformerEncoder encoder(nn::TransformerEncoderOptions(filled(layer, 0.2), 2));
  const auto x = waves({5, 2, 8}).requires_grad_();
  const auto mask = torch::triu(torch::full({5, 5}, -INFINITY), 1);
  const auto y = encoder(x, mask);
  show(out, "y", y);
  y.pow(2).sum().backward();
  out << (x.grad().abs().sum().item<double>() > 0) << encoder->parameters().size() << '\n';
  for (const auto& p : encoder->named_parameters())
    if (p.key().find("layers.1.linear") != std::string::npos) out << p.key() << p.value().sizes() << '\n';
});

struct LanguageModelImpl : nn::Module {
  LanguageModelImpl(int64_t words, int64_t width)
      : embedding(words, width),
        lstm(nn::LSTMOptions(width, width).num_layers(2).batch_first(true)),
        head(width, words) {
    register_module("embedding", embedding);
    register_module("lstm", lstm);
    register_module("head", head);
  }
  std::tuple<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>> forward(
      torch::Tensor tokens, torch::optional<std::tuple<torch::Tensor, torch::Tensor>> state = {}) {
    auto [y, next] = lstm(embedding(tokens), state);
    return {head(y), next};
  }
  nn::Embedding embedding;
  nn::LSTM lstm;
  nn::Linear head;
};
TORCH_MODULE(LanguageModel);

const Program language("a language model on LSTMs", [](std::ostream& out) {
  LanguageModel model(6, 4);
  filled(model);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.5).momentum(0.9));
  const auto tokens = torch::arange(12).remainder(6).view({2, 6});
  torch::optional<std::tuple<torch::Tensor, torch::Tensor>> state;
  for (int epoch = 0; epoch < 3; ++epoch) {
    optimizer.zero_grad();
    auto [logits, next] = model->forward(tokens.slice(1, 0, 5), state);
    const auto loss = F::cross_entropy(logits.reshape({-1, 6}), tokens.slice(1, 1).reshape({-1}));
    loss.backward();
    const double norm = nn::utils::clip_grad_norm_(model->parameters(), 0.5);
    optimizer.step();
    state = std::make_tuple(std::get<0>(next).detach(), std::get<1>(next).detach());
    out << norm << '\n';
    show(out, "loss", loss);
  }
  out << model << '\n';
});

const Program autoencoder("a variational autoencoder", [](std::ostream& out) {
  auto encode = filled(nn::Linear(6, 4)), mean = filled(nn::Linear(4, 2)), spread = filled(nn::Linear(4, 2)),
       decode = filled(nn::Linear(2, 6));
  for (auto layer : {encode, mean, spread, decode}) layer->to(torch::kFloat64);
  const auto x = torch::sigmoid(waves({3, 6}).to(torch::kFloat64));
  const auto h = torch::relu(encode(x)), mu = mean(h), log_var = spread(h);
  const auto z = mu + torch::exp(0.5 * log_var) * waves({3, 2}, 1.7);
  const auto back = torch::sigmoid(decode(z));
  const auto fits = F::binary_cross_entropy(back, x, F::BinaryCrossEntropyFuncOptions().reduction(torch::kSum));
  const auto divergence = -0.5 * torch::sum(1 + log_var - mu.pow(2) - log_var.exp());
  (fits + divergence).backward();
  show(out, "fits", fits);
  show(out, "divergence", divergence);
  show(out, "grad", spread->weight.grad());
});

struct ResidualImpl : nn::Module {
  ResidualImpl(int64_t in, int64_t width, int64_t stride)
      : body(nn::Conv2d(nn::Conv2dOptions(in, width, 3).stride(stride).padding(1).bias(false)), nn::BatchNorm2d(width),
             nn::ReLU(nn::ReLUOptions(true)), nn::Conv2d(nn::Conv2dOptions(width, width, 3).padding(1).bias(false)),
             nn::BatchNorm2d(width)) {
    register_module("body", body);
    if (stride != 1 || in != width)
      shortcut = register_module(
          "shortcut", nn::Sequential(nn::Conv2d(nn::Conv2dOptions(in, width, 1).stride(stride).bias(false))));
  }
  torch::Tensor forward(torch::Tensor x) {
    return torch::relu(body->forward(x) + (shortcut ? shortcut->forward(x) : x));
  }
  nn::Sequential body, shortcut{nullptr};
};
TORCH_MODULE(Residual);

const Program residuals("residual blocks", [](std::ostream& out) {
  nn::Sequential net(Residual(1, 2, 1), Residual(2, 4, 2), nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions(1)),
                     nn::Flatten(), nn::Linear(4, 3));
  filled(net);
  const auto y = net->forward(waves({2, 1, 6, 6}));
  show(out, "y", y);
  torch::nll_loss(torch::log_softmax(y, 1), torch::tensor({0, 2})).backward();
  show(out, "grad", net->parameters().back().grad());
  net->eval();
  show(out, "eval", net->forward(waves({1, 1, 6, 6})));
  out << net << '\n';
});

const Program q_learning("learning of action values", [](std::ostream& out) {
  nn::Sequential policy(nn::Linear(2, 4), nn::ReLU(), nn::Linear(4, 3));
  filled(policy);
  auto target = std::dynamic_pointer_cast<nn::SequentialImpl>(policy->clone());
  torch::optim::RMSprop optimizer(policy->parameters(), torch::optim::RMSpropOptions(0.01));
  for (int step = 0; step < 3; ++step) {
    const auto states = waves({4, 2}, 0.5 + step), next = waves({4, 2}, 0.6 + step);
    const auto actions = torch::tensor({0, 2, 1, 0}), rewards = torch::tensor({1.f, 0.f, -1.f, 0.5f}),
               done = torch::tensor({false, false, true, false});
    const auto value = policy->forward(states).gather(1, actions.unsqueeze(1)).squeeze(1);
    const auto best = std::get<0>(target->forward(next).max(1)).masked_fill(done, 0).detach();
    const auto loss = torch::smooth_l1_loss(value, rewards + 0.9 * best);
    optimizer.zero_grad();
    loss.backward();
    for (auto& p : policy->parameters()) p.grad().data().clamp_(-1, 1);
    optimizer.step();
    show(out, "loss", loss);
  }
  torch::NoGradGuard guard;
  auto from = policy->parameters(), to = target->parameters();
  for (size_t i = 0; i < from.size(); ++i) to[i].mul_(0.9).add_(from[i], 0.1);
  show(out, "target", to[3]);
  out << policy->forward(waves({1, 2})).argmax(1).item<int64_t>() << '\n';
});

const Program attention("attention by hand and by function", [](std::ostream& out) {
  const auto q = waves({2, 3, 4}), k = waves({2, 3, 4}, 0.9), v = waves({2, 3, 4}, 1.3);
  const auto scores = torch::bmm(q, k.transpose(1, 2)) / std::sqrt(4.0);
  const auto mask = torch::ones({3, 3}, torch::kBool).tril();
  const auto byhand = scores.masked_fill(mask.logical_not(), -INFINITY).softmax(-1).bmm(v);
  show(out, "by hand", byhand);
  const auto byfunction = torch::scaled_dot_product_attention(q, k, v, {}, 0.0, true);
  out << torch::allclose(byhand, byfunction, 1e-4, 1e-6) << '\n';
  nn::MultiheadAttention heads(nn::MultiheadAttentionOptions(4, 2));
  filled(heads);
  const auto [y, weights] = heads(q, k, v);
  show(out, "y", y);
  show(out, "weights", weights);
});

const Program siamese("pairs of inputs through one network", [](std::ostream& out) {
  nn::Sequential net(nn::Linear(3, 4), nn::Tanh(), nn::Linear(4, 2));
  filled(net);
  const auto a = net->forward(waves({2, 3})), b = net->forward(waves({2, 3}, 1.2));
  const auto distance = F::pairwise_distance(a, b, F::PairwiseDistanceFuncOptions().keepdim(true));
  const auto label = torch::tensor({{0.f}, {1.f}});
  const auto loss =
      torch::mean((1 - label) * distance.pow(2) + label * torch::clamp(1.0 - distance, /*min=*/0.0).pow(2));
  loss.backward();
  show(out, "distance", distance);
  show(out, "loss", loss);
  show(out, "grad", net[0]->as<nn::Linear>()->weight.grad());
});

const Program style("a loss between Gram matrices", [](std::ostream& out) {
  const auto gram = [](const torch::Tensor& x) {
    const auto flat = x.view({x.size(0) * x.size(1), x.size(2) * x.size(3)});
    return torch::mm(flat, flat.t()).div(x.numel());
  };
  auto image = waves({1, 2, 4, 4}, 0.4).requires_grad_();
  const auto wanted = gram(waves({1, 2, 4, 4}, 0.9)).detach();
  torch::optim::LBFGS optimizer({image}, torch::optim::LBFGSOptions(0.5).max_iter(3));
  const auto closure = [&] {
    optimizer.zero_grad();
    const auto loss = F::mse_loss(gram(image), wanted) * 100;
    loss.backward();
    return loss;
  };
  show(out, "first", optimizer.step(closure));
  show(out, "second", optimizer.step(closure));
});

const Program tagger("a tagger of packed sequences", [](std::ostream& out) {
  nn::GRU gru(nn::GRUOptions(3, 2).bidirectional(true));
  filled(gru);
  const auto packed = nn::utils::rnn::pack_padded_sequence(waves({4, 2, 3}), torch::tensor({4, 2}));
  const auto [y, state] = gru->forward_with_packed_input(packed);
  const auto [padded, lengths] = nn::utils::rnn::pad_packed_sequence(y);
  show(out, "padded", padded);
  show(out, "state", state);
  out << lengths.sizes() << packed.batch_sizes().size(0) << '\n';
});

}  // namespace
}  // namespace programs
