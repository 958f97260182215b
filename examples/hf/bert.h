// BERT (Devlin et al. 2018) with the names of Hugging Face's BertForMaskedLM.
#pragma once
#include <string>
#include <vector>

#include "hf/encoder.h"

namespace hf {

/// Norms stand behind attention and perceptron.
struct BertBlockImpl : EncoderBlockImpl {
  explicit BertBlockImpl(const Config& c) : EncoderBlockImpl(c, "attention.self", true) {
    const double eps = c.number("layer_norm_eps", 1e-12);
    norm1 = register_at(*this, "attention.output.LayerNorm", layer_norm(c.count("hidden_size"), eps));
    norm2 = register_at(*this, "output.LayerNorm", layer_norm(c.count("hidden_size"), eps));
  }
  Tensor forward(const Tensor& x, const std::optional<Tensor>& mask) {
    const Tensor attended = norm1(x + attend(x, mask));
    return norm2(attended + transform(attended));
  }
  nn::LayerNorm norm1 = nullptr, norm2 = nullptr;
};
STRATA_MODULE(BertBlock);

/// The scores of a word, whose weights are those of the words' embedding.
struct BertHeadImpl : nn::Module {
  BertHeadImpl(const Config& c, bool tied, const Tensor& words) : act(activation(c.text("hidden_act", "gelu"))) {
    const int64_t features = c.count("hidden_size"), vocabulary = c.count("vocab_size");
    dense = register_at(*this, "transform.dense", linear(features, features));
    norm = register_at(*this, "transform.LayerNorm", layer_norm(features, c.number("layer_norm_eps", 1e-12)));
    decoder = register_at(*this, "decoder", linear(features, vocabulary, false));
    if (tied) decoder->weight = decoder->replace_parameter("weight", words);
    bias = register_parameter("bias", strata::zeros({vocabulary}));
  }
  Tensor forward(const Tensor& x) { return decoder(norm(act(dense(x)))) + bias; }
  Activation act;
  nn::Linear dense = nullptr, decoder = nullptr;
  nn::LayerNorm norm = nullptr;
  Tensor bias;
};
STRATA_MODULE(BertHead);

/// Tokens `(B, T)` to scores of the words that may stand in their places `(B, T, vocabulary)`.
struct BertImpl : nn::Module {
  static constexpr const char* kType = "bert";
  explicit BertImpl(const Config& c)
      : positions(c.count("max_position_embeddings")), tied(c.flag("tie_word_embeddings", true)) {
    const std::string places = c.text("position_embedding_type", "absolute");
    STRATA_CHECK(places == "absolute", "{}: places of the type '{}' are not known here, but absolute ones are",
                 c.path(), places);
    STRATA_CHECK(!c.flag("is_decoder", false), "{}: BERT as a decoder is not known here", c.path());
    const int64_t features = c.count("hidden_size");
    word = register_at(*this, "embeddings.word_embeddings", nn::Embedding(c.count("vocab_size"), features));
    place = register_at(*this, "embeddings.position_embeddings", nn::Embedding(positions, features));
    segment =
        register_at(*this, "embeddings.token_type_embeddings", nn::Embedding(c.count("type_vocab_size"), features));
    norm = register_at(*this, "embeddings.LayerNorm", layer_norm(features, c.number("layer_norm_eps", 1e-12)));
    for (int64_t i = 0; i < c.count("num_hidden_layers"); ++i)
      blocks.push_back(register_at(*this, "encoder.layer." + std::to_string(i), BertBlock(c)));
    head = register_at(*this, "cls.predictions", BertHead(c, tied, word->weight));
  }
  /// `mask` is 1 where there is a token and 0 where the batch is filled up, `segments` says which of two sentences a
  /// token belongs to; both `(B, T)`. Without them all tokens count, and belong to the first.
  Tensor forward(const Tensor& tokens, const Tensor& mask = {}, const Tensor& segments = {}) {
    Tensor x = word(tokens) + place(places_of(tokens, positions)) +
               segment(segments.defined() ? segments : strata::zeros_like(tokens));
    std::optional<Tensor> seen;
    if (mask.defined()) seen = mask.ne(0).unsqueeze(1).unsqueeze(1);
    x = norm(x);
    for (BertBlock& block : blocks) x = block(x, seen);
    return head(x);
  }
  /// Files also hold what other heads need, in older ones the places, and norms by older names.
  TensorMap adapted(const TensorMap& file) const {
    TensorMap out;
    for (const auto& item : file) {
      std::string name = without("bert.", item.key());
      if (name.starts_with("pooler.") || name.starts_with("cls.seq_relationship.")) continue;
      if (name == "embeddings.position_ids" || name == "cls.predictions.decoder.bias") continue;
      if (name.ends_with("LayerNorm.gamma")) name.replace(name.rfind('.'), name.npos, ".weight");
      if (name.ends_with("LayerNorm.beta")) name.replace(name.rfind('.'), name.npos, ".bias");
      out.insert(name, item.value());
    }
    if (tied) add_tied(out, "cls.predictions.decoder.weight", "embeddings.word_embeddings.weight");
    return out;
  }
  int64_t positions;
  bool tied;
  nn::Embedding word = nullptr, place = nullptr, segment = nullptr;
  nn::LayerNorm norm = nullptr;
  std::vector<BertBlock> blocks;
  BertHead head = nullptr;
};
STRATA_MODULE(Bert);

}  // namespace hf
