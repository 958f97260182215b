// Recurrent layers, attention and transformers against PyTorch (sequence.safetensors, made by make_reference.py).
#include "test/nn/reference.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
using test::check_close;

namespace {

const test::Reference sequence_cases("sequence.safetensors");

template <class... T>
Tensor flat(const T&... tensors) {
  return cat(std::vector<Tensor>{tensors.flatten()...});
}

/// `call(module, inputs)` gives what the script's call gives: the outputs one after the other.
template <class Holder, class Call>
void check_sequence(const std::string& name, Holder module, Call call) {
  INFO(name);
  serialize::InputArchive r = sequence_cases(name), parameters = r.nested("p");
  module->to(kDouble);
  module->load(parameters);
  std::vector<Tensor> x;
  for (const char* key : {"x", "x1", "x2"}) x.push_back(r.find(key).defined() ? r.find(key).clone() : Tensor());
  x[0].requires_grad_();
  const Tensor y = call(module, x);
  check_close("y", y, r.find("y"));
  y.backward(r.find("gy"));
  check_close("gx", x[0].grad(), r.find("gx"));
  for (const auto& item : module->named_parameters())
    check_close("g." + item.key(), item.value().grad(), r.find("g." + item.key()));
}

const auto recurrent = [](auto& m, const std::vector<Tensor>& x) {
  const auto [y, h] = m(x[0], x[1]);
  return flat(y, h);
};

}  // namespace

TEST_CASE("recurrent layers match PyTorch") {
  check_sequence("rnn", nn::RNN(nn::RNNOptions(3, 4).num_layers(2).nonlinearity(kReLU).bidirectional(true)), recurrent);
  check_sequence("rnn_unbatched", nn::RNN(nn::RNNOptions(3, 2).bias(false)), recurrent);
  check_sequence("gru", nn::GRU(nn::GRUOptions(3, 4).num_layers(2).bidirectional(true)), recurrent);
  check_sequence("lstm", nn::LSTM(nn::LSTMOptions(3, 4).num_layers(2)), [](nn::LSTM& m, const std::vector<Tensor>& x) {
    const auto [y, state] = m(x[0]);
    return flat(y, std::get<0>(state), std::get<1>(state));
  });
  check_sequence("lstm_proj", nn::LSTM(nn::LSTMOptions(3, 4).batch_first(true).bidirectional(true).proj_size(2)),
                 [](nn::LSTM& m, const std::vector<Tensor>& x) {
                   const auto [y, state] = m(x[0], std::make_tuple(x[1], x[2]));
                   return flat(y, std::get<0>(state), std::get<1>(state));
                 });
}

TEST_CASE("recurrent cells match PyTorch") {
  check_sequence("rnn_cell", nn::RNNCell(3, 4),
                 [](nn::RNNCell& m, const std::vector<Tensor>& x) { return m(x[0], x[1]); });
  check_sequence("gru_cell", nn::GRUCell(3, 4),
                 [](nn::GRUCell& m, const std::vector<Tensor>& x) { return m(x[0], x[1]); });
  check_sequence("lstm_cell", nn::LSTMCell(3, 4), [](nn::LSTMCell& m, const std::vector<Tensor>& x) {
    const auto [h, c] = m(x[0], std::make_tuple(x[1], x[2]));
    return flat(h, c);
  });
}

TEST_CASE("attention matches PyTorch") {
  const Tensor hidden = tensor({{false, false, true}, {false, false, false}});
  const Tensor causal = triu(ones({4, 3}), 1).to(kBool);
  check_sequence("attention", nn::MultiheadAttention(4, 2),
                 [&](nn::MultiheadAttention& m, const std::vector<Tensor>& x) {
                   const auto [y, w] = m(x[0], x[1], x[2], hidden, true, causal);
                   const Tensor fast = std::get<0>(m(x[0], x[1], x[2], hidden, false, causal));
                   CHECK(fast.allclose(y, 1e-9, 1e-10));
                   return flat(y, w);
                 });
  check_sequence(
      "attention_extra",
      nn::MultiheadAttention(nn::MultiheadAttentionOptions(4, 2).kdim(3).vdim(5).add_bias_kv(true).add_zero_attn(true)),
      [&](nn::MultiheadAttention& m, const std::vector<Tensor>& x) {
        const auto [y, w] = m(x[0], x[1], x[2], hidden, true, Tensor(), false);
        return flat(y, w);
      });
  CHECK_THROWS_AS(nn::MultiheadAttention(5, 2), Error);
}

TEST_CASE("transformers match PyTorch") {
  const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(3).to(kDouble);
  const nn::TransformerLayerOptions options = nn::TransformerLayerOptions(4, 2).dim_feedforward(6).dropout(0);
  check_sequence("encoder_layer", nn::TransformerEncoderLayer(nn::TransformerLayerOptions(options).activation(kGELU)),
                 [&](nn::TransformerEncoderLayer& m, const std::vector<Tensor>& x) { return m(x[0], mask); });
  check_sequence("decoder_layer", nn::TransformerDecoderLayer(options),
                 [&](nn::TransformerDecoderLayer& m, const std::vector<Tensor>& x) { return m(x[0], x[1], mask); });
  check_sequence("transformer", nn::Transformer(nn::TransformerOptions(4, 2, 2, 1).dim_feedforward(6).dropout(0)),
                 [&](nn::Transformer& m, const std::vector<Tensor>& x) { return m(x[0], x[1], Tensor(), mask); });
}

TEST_CASE("a transformer says which of its inputs do not fit") {
  nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1).dim_feedforward(3));
  CHECK_THROWS_WITH(model(ones({2, 3, 4}), ones({3, 2, 4})), ContainsSubstring("should have equal batch size"));
  CHECK_THROWS_WITH(model(ones({2, 3, 4}), ones({2, 3, 3})), ContainsSubstring("same feature size as d_model"));
  CHECK_THROWS_WITH(model(ones({2, 3}), ones({2, 3, 3})), ContainsSubstring("should have 3 dimensions"));
}

TEST_CASE("recurrent and transformer modules are cloned and refuse what does not fit") {
  nn::LSTM lstm(nn::LSTMOptions(2, 3).num_layers(2));
  const auto copy = std::dynamic_pointer_cast<nn::LSTMImpl>(lstm->clone());
  const Tensor x = randn({4, 1, 2});
  CHECK(std::get<0>(copy->forward(x)).equal(std::get<0>(lstm(x))));
  CHECK_THROWS_AS(lstm(randn({4, 1, 3})), Error);
  CHECK_THROWS_AS(lstm(x, std::make_tuple(zeros({1, 1, 3}), zeros({1, 1, 3}))), Error);
  CHECK_THROWS_AS(nn::GRU(nn::GRUOptions(2, 3).proj_size(1)), Error);
  CHECK_THROWS_AS(nn::Sequential(nn::LSTM(2, 3))->forward(x), Error);

  nn::TransformerEncoder encoder(
      nn::TransformerEncoderOptions(nn::TransformerLayerOptions(4, 2).dim_feedforward(3), 2));
  encoder->eval();
  const auto same = std::dynamic_pointer_cast<nn::TransformerEncoderImpl>(encoder->clone());
  const Tensor y = randn({3, 1, 4});
  CHECK(same->forward(y).equal(encoder(y)));
}

namespace {
/// A decoder that adds up what it is given and counts the masks.
struct SumOfMasksImpl : nn::Cloneable<SumOfMasksImpl> {
  void reset() override {}
  Tensor forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask, const Tensor& memory_mask,
                 const Tensor& tgt_key_padding_mask, const Tensor& memory_key_padding_mask) {
    double masks = 0;
    for (const Tensor* mask : {&tgt_mask, &memory_mask, &tgt_key_padding_mask, &memory_key_padding_mask})
      masks += mask->defined();
    return tgt + memory.sum() + masks;
  }
};
STRATA_MODULE(SumOfMasks);
}  // namespace

TEST_CASE("a transformer takes an encoder and a decoder of one's own") {
  nn::TransformerEncoder encoder(nn::TransformerEncoderOptions(nn::TransformerEncoderLayer(4, 2), 1));
  const auto options = nn::TransformerOptions(4, 2, 1, 1).dropout(0).custom_encoder(nn::AnyModule(encoder));
  nn::Transformer transformer(nn::TransformerOptions(options).custom_decoder(nn::AnyModule(SumOfMasks())));
  transformer->eval();
  const Tensor src = randn({3, 1, 4}), tgt = randn({2, 1, 4}), mask = zeros({2, 2});
  auto& inner = transformer->encoder.get<nn::TransformerEncoderImpl>();
  CHECK(&inner != encoder.get());  // a copy
  CHECK(inner.layers->size() == 1);
  CHECK(inner.norm.is_empty());
  const Tensor memory = inner.forward(src);
  CHECK(transformer(src, tgt, Tensor(), mask).equal(tgt + memory.sum() + 1.0));
  const auto copy = std::dynamic_pointer_cast<nn::TransformerImpl>(transformer->clone());
  CHECK(copy->forward(src, tgt).allclose(tgt + memory.sum()));
  CHECK(nn::Transformer(options)->decoder.get<nn::TransformerDecoderImpl>().layers->size() == 1);
  CHECK(nn::TransformerEncoderOptions(nn::TransformerLayerOptions(4, 2), 3).encoder_layer()->options.nhead() == 2);
}
