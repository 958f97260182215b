// ViT (Dosovitskiy et al. 2020) with the names of Hugging Face's ViTForImageClassification.
#pragma once
#include <string>
#include <vector>

#include "hf/encoder.h"

namespace hf {

/// Norms stand before attention and perceptron.
struct VitBlockImpl : EncoderBlockImpl {
  explicit VitBlockImpl(const Config& c) : EncoderBlockImpl(c, "attention.attention", c.flag("qkv_bias", true)) {
    const double eps = c.number("layer_norm_eps", 1e-12);
    norm1 = register_at(*this, "layernorm_before", layer_norm(c.count("hidden_size"), eps));
    norm2 = register_at(*this, "layernorm_after", layer_norm(c.count("hidden_size"), eps));
  }
  Tensor forward(const Tensor& x) {
    const Tensor attended = x + attend(norm1(x));
    return attended + transform(norm2(attended));
  }
  nn::LayerNorm norm1 = nullptr, norm2 = nullptr;
};
STRATA_MODULE(VitBlock);

/// The patches of a picture as tokens, behind one that stands for the whole.
struct VitEmbeddingsImpl : nn::Module {
  explicit VitEmbeddingsImpl(const Config& c) : size(c.count("image_size")) {
    const int64_t features = c.count("hidden_size"), patch = c.count("patch_size"), side = size / patch;
    whole = register_parameter("cls_token", strata::zeros({1, 1, features}));
    places = register_parameter("position_embeddings", strata::zeros({1, side * side + 1, features}));
    patches = register_at(*this, "patch_embeddings.projection",
                          nn::Conv2d(nn::Conv2dOptions(c.count("num_channels", 3), features, patch).stride(patch)));
  }
  Tensor forward(const Tensor& pictures) {
    STRATA_CHECK(pictures.dim() == 4 && pictures.size(2) == size && pictures.size(3) == size,
                 "pictures have the shape {}, the model takes (batch, channels, {}, {})", pictures.sizes(), size, size);
    const Tensor tokens = patches(pictures).flatten(2).transpose(1, 2);
    return strata::cat({whole.expand({tokens.size(0), 1, tokens.size(2)}), tokens}, 1) + places;
  }
  int64_t size;
  Tensor whole, places;
  nn::Conv2d patches = nullptr;
};
STRATA_MODULE(VitEmbeddings);

/// Pictures `(B, C, H, W)` to scores of their classes `(B, classes)`.
struct VitImpl : nn::Module {
  static constexpr const char* kType = "vit";
  explicit VitImpl(const Config& c) {
    const int64_t features = c.count("hidden_size");
    embeddings = register_at(*this, "embeddings", VitEmbeddings(c));
    for (int64_t i = 0; i < c.count("num_hidden_layers"); ++i)
      blocks.push_back(register_at(*this, "encoder.layer." + std::to_string(i), VitBlock(c)));
    norm = register_at(*this, "layernorm", layer_norm(features, c.number("layer_norm_eps", 1e-12)));
    head = register_at(*this, "classifier", linear(features, c.size_of("id2label", 2)));
  }
  Tensor forward(const Tensor& pictures) {
    Tensor x = embeddings(pictures);
    for (VitBlock& block : blocks) x = block(x);
    return head(norm(x).select(1, 0));
  }
  TensorMap adapted(const TensorMap& file) const {
    TensorMap out;
    for (const auto& item : file) {
      const std::string name = without("vit.", item.key());
      if (!name.starts_with("pooler.")) out.insert(name, item.value());  // which is for other heads
    }
    return out;
  }
  VitEmbeddings embeddings = nullptr;
  std::vector<VitBlock> blocks;
  nn::LayerNorm norm = nullptr;
  nn::Linear head = nullptr;
};
STRATA_MODULE(Vit);

}  // namespace hf
