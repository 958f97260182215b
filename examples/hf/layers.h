// What several models are made of.
#pragma once
#include <strata/strata.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hf {

using strata::Tensor;
namespace nn = strata::nn;

/// Registers a module under a name with dots, as files have it, in plain modules for what stands before the last dot.
template <class Holder>
Holder register_at(nn::Module& root, const std::string& name, Holder module) {
  const size_t dot = name.find('.');
  if (dot == name.npos) {
    root.register_module(name, module);
    return module;
  }
  const std::string first = name.substr(0, dot);
  const auto children = root.named_children();
  const auto* child = children.find(first);
  const auto inner = child ? *child : root.register_module(first, std::make_shared<nn::Module>(first));
  return register_at(*inner, name.substr(dot + 1), module);
}

inline nn::LayerNorm layer_norm(int64_t width, double eps) {
  return nn::LayerNorm(nn::LayerNormOptions({width}).eps(eps));
}

inline nn::Linear linear(int64_t in, int64_t out, bool bias = true) {
  return nn::Linear(nn::LinearOptions(in, out).bias(bias));
}

using Activation = std::function<Tensor(const Tensor&)>;

/// By its name in config.json.
inline Activation activation(const std::string& name) {
  if (name == "gelu") return [](const Tensor& x) { return strata::gelu(x); };
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast")
    return [](const Tensor& x) { return strata::gelu(x, "tanh"); };
  if (name == "relu") return [](const Tensor& x) { return strata::relu(x); };
  if (name == "silu" || name == "swish") return [](const Tensor& x) { return strata::silu(x); };
  STRATA_THROW(
      "the activation '{}' is not known here, but gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, relu, silu and swish "
      "are",
      name);
}

/// `(B, T, heads * E)` to `(B, heads, T, E)`.
inline Tensor split_heads(const Tensor& x, int64_t head_width) {
  return x.reshape({x.size(0), x.size(1), -1, head_width}).transpose(1, 2);
}

/// `(B, heads, T, E)` to `(B, T, heads * E)`.
inline Tensor merge_heads(const Tensor& x) { return x.transpose(1, 2).flatten(2); }

/// Width of one of `heads` heads. Throws where they do not divide the width.
inline int64_t head_width(int64_t width, int64_t heads) {
  STRATA_CHECK(width % heads == 0, "{} heads do not divide a width of {}", heads, width);
  return width / heads;
}

/// The places 0 to T - 1 of tokens `(B, T)`. Throws where the model knows fewer.
inline Tensor places_of(const Tensor& tokens, int64_t most) {
  STRATA_CHECK(tokens.dim() == 2, "tokens have the shape (batch, length), not {}", tokens.sizes());
  STRATA_CHECK(tokens.size(1) <= most, "{} tokens are given, the model takes at most {}", tokens.size(1), most);
  return strata::arange(tokens.size(1), strata::kLong);
}

}  // namespace hf
