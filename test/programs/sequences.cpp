// Programs of sequences: recurrent layers, attention, transformers and a language model.
#include <torch/torch.h>

#include <cmath>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::sequences {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

const Program rnn("RNN", [](std::ostream& out) {
  auto rnn = half_filled(nn::RNN(nn::RNNOptions(3, 2).num_layers(2)));
  const auto [output, hidden] = rnn(waves({4, 1, 3}));
  show(out, "output", output);
  show(out, "hidden", hidden);
  auto relu = half_filled(nn::RNN(nn::RNNOptions(3, 2).nonlinearity(torch::kReLU).batch_first(true)));
  show(out, "relu", std::get<0>(relu(waves({2, 3, 3}), torch::zeros({1, 2, 2}))));
  out << rnn << '\n' << relu << '\n';
  for (const auto& p : rnn->named_parameters()) out << p.key() << p.value().sizes() << ' ';
  out << '\n';
});

const Program lstm("LSTM", [](std::ostream& out) {
  auto lstm = half_filled(nn::LSTM(nn::LSTMOptions(3, 2).num_layers(2).batch_first(true).bidirectional(true)));
  const auto [output, state] = lstm(waves({2, 3, 3}));
  show(out, "output", output);
  show(out, "hidden", std::get<0>(state));
  show(out, "cell", std::get<1>(state));
  const auto again = lstm(waves({2, 3, 3}), std::make_tuple(torch::ones({4, 2, 2}), torch::zeros({4, 2, 2})));
  show(out, "given", std::get<0>(again));
  lstm->zero_grad();
  output.sum().backward();
  show(out, "grad", lstm->named_parameters()["bias_ih_l0"].grad());
  out << lstm << '\n';
});

const Program projected("LSTM with projections", [](std::ostream& out) {
  auto lstm = half_filled(nn::LSTM(nn::LSTMOptions(2, 3).proj_size(2)));
  const auto [output, state] = lstm(waves({3, 1, 2}));
  show(out, "output", output);
  out << std::get<0>(state).sizes() << std::get<1>(state).sizes() << '\n';
});

const Program gru("GRU", [](std::ostream& out) {
  auto gru = half_filled(nn::GRU(nn::GRUOptions(2, 3).num_layers(1).bias(false)));
  const auto [output, hidden] = gru(waves({3, 2, 2}));
  show(out, "output", output);
  show(out, "hidden", hidden);
  out << gru << '\n';
});

const Program cells("cells", [](std::ostream& out) {
  auto rnn = half_filled(nn::RNNCell(2, 3));
  auto lstm = half_filled(nn::LSTMCell(2, 3));
  auto gru = half_filled(nn::GRUCell(2, 3));
  auto h = torch::zeros({1, 3}), c = torch::zeros({1, 3}), g = torch::zeros({1, 3}), r = torch::zeros({1, 3});
  const auto x = waves({4, 1, 2});
  for (int64_t t = 0; t < 4; ++t) {
    r = rnn(x[t], r);
    std::tie(h, c) = lstm(x[t], std::make_tuple(h, c));
    g = gru(x[t], g);
  }
  show(out, "rnn", r);
  show(out, "lstm", h);
  show(out, "gru", g);
  out << rnn << lstm << gru << '\n';
});

const Program packed("packed sequences", [](std::ostream& out) {
  namespace rnn = torch::nn::utils::rnn;
  const auto a = waves({4, 2}), b = waves({2, 2}, 1.1), c = waves({1, 2}, 1.3);
  const auto padded = rnn::pad_sequence({a, b, c}, /*batch_first=*/true, -1);
  show(out, "padded", padded);
  const auto packed = rnn::pack_padded_sequence(padded, torch::tensor({4, 2, 1}), true);
  show(out, "data", packed.data());
  show(out, "sizes", packed.batch_sizes());
  auto lstm = half_filled(nn::LSTM(nn::LSTMOptions(2, 2).batch_first(true)));
  const auto [output, state] = lstm->forward_with_packed_input(packed);
  const auto [unpacked, lengths] = rnn::pad_packed_sequence(output, true);
  show(out, "unpacked", unpacked);
  show(out, "lengths", lengths);
  show(out, "hidden", std::get<0>(state));
  const auto unsorted = rnn::pack_sequence({c, a, b}, /*enforce_sorted=*/false);
  show(out, "order", unsorted.sorted_indices());
  show(out, "inverse", unsorted.unsorted_indices());
});

const Program attention("multi-head attention", [](std::ostream& out) {
  auto attention = half_filled(nn::MultiheadAttention(nn::MultiheadAttentionOptions(4, 2)));
  const auto q = waves({2, 1, 4}), k = waves({3, 1, 4}, 1.1);
  const auto [output, weights] = attention(q, k, k);
  show(out, "output", output);
  show(out, "weights", weights);
  const auto mask = torch::tensor({{false, false, true}});
  show(out, "masked", std::get<1>(attention(q, k, k, mask)));
  for (const auto& p : attention->named_parameters()) out << p.key() << p.value().sizes() << ' ';
  out << '\n';
});

const Program scaled("scaled dot product attention", [](std::ostream& out) {
  const auto q = waves({1, 2, 3, 4}), k = waves({1, 2, 3, 4}, 1.1), v = waves({1, 2, 3, 4}, 1.3);
  show(out, "plain", torch::scaled_dot_product_attention(q, k, v));
  show(out, "causal", torch::scaled_dot_product_attention(q, k, v, {}, 0.0, /*is_causal=*/true));
  const auto scores = q.matmul(k.transpose(-2, -1)) / 2;
  show(out, "by hand", scores.softmax(-1).matmul(v));
});

const Program encoder("transformer encoder", [](std::ostream& out) {
  nn::TransformerEncoderLayer layer(nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0));
  half_filled(layer);
  show(out, "layer", layer(waves({3, 1, 4})));
  nn::TransformerEncoder encoder(nn::TransformerEncoderOptions(layer, 2));
  half_filled(encoder);
  encoder->eval();
  show(out, "encoder", encoder(waves({3, 1, 4})));
  const auto mask = nn::TransformerImpl::generate_square_subsequent_mask(3);
  show(out, "masked", encoder(waves({3, 1, 4}), mask));
  out << encoder->parameters().size() << '\n';
});

const Program transformer("transformer", [](std::ostream& out) {
  nn::Transformer model(
      nn::TransformerOptions(4, 2).num_encoder_layers(1).num_decoder_layers(1).dim_feedforward(5).dropout(0).activation(
          torch::kGELU));
  half_filled(model);
  model->eval();
  const auto y = model(waves({3, 1, 4}), waves({2, 1, 4}, 1.1));
  show(out, "y", y);
  show(out, "mask", torch::isinf(nn::TransformerImpl::generate_square_subsequent_mask(3)));
  int count = 0;
  for (const auto& p : model->named_parameters()) count += p.key().find("layers.0") != std::string::npos;
  out << count << ' ' << model->parameters().size() << '\n';
  nn::TransformerDecoderLayer layer(
      nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(5).dropout(0).activation(torch::kReLU));
  half_filled(layer);
  show(out, "decoder", layer(waves({2, 1, 4}), waves({3, 1, 4})));
});

struct LanguageModelImpl : nn::Module {
  LanguageModelImpl(int64_t words, int64_t size)
      : encoder(register_module("encoder", nn::Embedding(words, size))),
        rnn(register_module("rnn", nn::LSTM(nn::LSTMOptions(size, size).num_layers(2)))),
        decoder(register_module("decoder", nn::Linear(nn::LinearOptions(size, words).bias(false)))) {
    decoder->weight = encoder->weight;  // tied
  }
  std::tuple<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>> forward(
      torch::Tensor x, std::tuple<torch::Tensor, torch::Tensor> h) {
    auto [output, state] = rnn->forward(encoder(x), h);
    return {torch::log_softmax(output.matmul(encoder->weight.t()), -1).flatten(0, 1), state};
  }
  nn::Embedding encoder;
  nn::LSTM rnn;
  nn::Linear decoder;
};
TORCH_MODULE(LanguageModel);

const Program language("a word language model", [](std::ostream& out) {
  LanguageModel model(7, 4);
  model->to(torch::kFloat64);
  half_filled(model);
  const auto text = (torch::arange(26) * 5 + 3).remainder(7);
  const auto data = text.slice(0, 0, 24).view({2, 12}).t().contiguous();
  auto state = std::make_tuple(torch::zeros({2, 2, 4}, torch::kFloat64), torch::zeros({2, 2, 4}, torch::kFloat64));
  torch::optim::SGD optimizer(model->parameters(), 0.5);
  for (int64_t i = 0; i + 1 < 12; i += 3) {
    const auto length = std::min<int64_t>(3, 11 - i);
    state = {std::get<0>(state).detach(), std::get<1>(state).detach()};
    optimizer.zero_grad();
    auto [output, next] = model->forward(data.slice(0, i, i + length), state);
    state = next;
    const auto loss = torch::nll_loss(output, data.slice(0, i + 1, i + 1 + length).reshape(-1));
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 0.25);
    optimizer.step();
    out << std::exp(loss.item<double>()) << ' ';
  }
  out << '\n';
  show(out, "encoder", model->encoder->weight[0]);
});

}  // namespace
}  // namespace programs::sequences
