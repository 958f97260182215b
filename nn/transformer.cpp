// Transformer layers, encoders and decoders.
#include "nn/transformer.h"

#include <limits>

#include "nn/init.h"
#include "ops/activation.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/shaping.h"

namespace strata::nn {

namespace {

/// The activation of what the layer makes of x; relu in the same op.
Tensor activated(Linear& layer, const Tensor& x, const TransformerActivation& activation) {
  if (activation.function()) return activation.function()(layer(x));
  const Choice choice = activation.choice();
  STRATA_CHECK(choice == kReLU || choice == kGELU, "Transformer: the activation is kReLU, kGELU or a function, got {}",
               name(choice));
  return choice == kReLU ? linear_relu(x, layer->weight, layer->bias) : gelu(layer(x));
}

/// Registers `count` copies of a layer.
template <class Layer>
ModuleList copies_of(const Layer& layer, int64_t count) {
  STRATA_CHECK(count > 0, "Transformer: needs at least one layer, got {}", count);
  ModuleList list;
  for (int64_t i = 0; i < count; ++i) list->push_back(layer->clone());
  return list;
}

AnyModule copy_of(const AnyModule& norm) { return norm.is_empty() ? AnyModule() : norm.clone(); }

/// In libtorch's words, before a layer far inside says it in its own.
void check_fit(const Tensor& src, const Tensor& tgt, int64_t d_model) {
  STRATA_CHECK(src.dim() == 3 && tgt.dim() == 3, "Transformer: src and tgt should have 3 dimensions, got {} and {}",
               src.sizes(), tgt.sizes());
  STRATA_CHECK(src.size(1) == tgt.size(1), "Transformer: src and tgt should have equal batch size, got {} and {}",
               src.sizes(), tgt.sizes());
  STRATA_CHECK(src.size(-1) == d_model && tgt.size(-1) == d_model,
               "Transformer: src and tgt should have same feature size as d_model, got {} and {} for {}", src.sizes(),
               tgt.sizes(), d_model);
}

}  // namespace

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& options_)
    : options(options_) {
  TransformerEncoderLayerImpl::reset();
}

void TransformerEncoderLayerImpl::reset() {
  const int64_t d = options.d_model();
  self_attn = register_module(
      "self_attn", MultiheadAttention(MultiheadAttentionOptions(d, options.nhead()).dropout(options.dropout())));
  linear1 = register_module("linear1", Linear(d, options.dim_feedforward()));
  dropout = register_module("dropout", Dropout(options.dropout()));
  linear2 = register_module("linear2", Linear(options.dim_feedforward(), d));
  norm1 = register_module("norm1", LayerNorm(LayerNormOptions({d})));
  norm2 = register_module("norm2", LayerNorm(LayerNormOptions({d})));
  dropout1 = register_module("dropout1", Dropout(options.dropout()));
  dropout2 = register_module("dropout2", Dropout(options.dropout()));
}

Tensor TransformerEncoderLayerImpl::forward(const Tensor& src, const Tensor& src_mask,
                                            const Tensor& src_key_padding_mask) {
  const Tensor seen = std::get<0>(self_attn(src, src, src, src_key_padding_mask, /*need_weights=*/false, src_mask));
  const Tensor x = norm1(src.add(dropout1(seen)));
  return norm2(x.add(dropout2(linear2(dropout(activated(linear1, x, options.activation()))))));
}

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& options_)
    : options(options_) {
  TransformerDecoderLayerImpl::reset();
}

void TransformerDecoderLayerImpl::reset() {
  const int64_t d = options.d_model();
  const auto attention = [&] {
    return MultiheadAttention(MultiheadAttentionOptions(d, options.nhead()).dropout(options.dropout()));
  };
  const auto norm = [&] { return LayerNorm(LayerNormOptions({d})); };
  self_attn = register_module("self_attn", attention());
  multihead_attn = register_module("multihead_attn", attention());
  linear1 = register_module("linear1", Linear(d, options.dim_feedforward()));
  dropout = register_module("dropout", Dropout(options.dropout()));
  linear2 = register_module("linear2", Linear(options.dim_feedforward(), d));
  norm1 = register_module("norm1", norm());
  norm2 = register_module("norm2", norm());
  norm3 = register_module("norm3", norm());
  dropout1 = register_module("dropout1", Dropout(options.dropout()));
  dropout2 = register_module("dropout2", Dropout(options.dropout()));
  dropout3 = register_module("dropout3", Dropout(options.dropout()));
}

Tensor TransformerDecoderLayerImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask,
                                            const Tensor& memory_mask, const Tensor& tgt_key_padding_mask,
                                            const Tensor& memory_key_padding_mask) {
  const Tensor own = std::get<0>(self_attn(tgt, tgt, tgt, tgt_key_padding_mask, /*need_weights=*/false, tgt_mask));
  Tensor x = norm1(tgt.add(dropout1(own)));
  const Tensor seen =
      std::get<0>(multihead_attn(x, memory, memory, memory_key_padding_mask, /*need_weights=*/false, memory_mask));
  x = norm2(x.add(dropout2(seen)));
  return norm3(x.add(dropout3(linear2(dropout(activated(linear1, x, options.activation()))))));
}

TransformerEncoderImpl::TransformerEncoderImpl(const TransformerEncoderOptions& options_) : options(options_) {
  TransformerEncoderImpl::reset();
}

void TransformerEncoderImpl::reset() {
  layers = register_module("layers", copies_of(options.encoder_layer(), options.num_layers()));
  norm = copy_of(options.norm());
  if (!norm.is_empty()) register_module("norm", norm.ptr());
}

Tensor TransformerEncoderImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask) {
  Tensor x = src;
  for (size_t i = 0; i < layers->size(); ++i)
    x = layers->at<TransformerEncoderLayerImpl>(i).forward(x, src_mask, src_key_padding_mask);
  return norm.is_empty() ? x : norm.forward(x);
}

TransformerDecoderImpl::TransformerDecoderImpl(const TransformerDecoderOptions& options_) : options(options_) {
  TransformerDecoderImpl::reset();
}

void TransformerDecoderImpl::reset() {
  layers = register_module("layers", copies_of(options.decoder_layer(), options.num_layers()));
  norm = copy_of(options.norm());
  if (!norm.is_empty()) register_module("norm", norm.ptr());
}

Tensor TransformerDecoderImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask,
                                       const Tensor& memory_mask, const Tensor& tgt_key_padding_mask,
                                       const Tensor& memory_key_padding_mask) {
  Tensor x = tgt;
  for (size_t i = 0; i < layers->size(); ++i)
    x = layers->at<TransformerDecoderLayerImpl>(i).forward(x, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
                                                           memory_key_padding_mask);
  return norm.is_empty() ? x : norm.forward(x);
}

TransformerImpl::TransformerImpl(const TransformerOptions& options_) : options(options_) { TransformerImpl::reset(); }

void TransformerImpl::reset() {
  const TransformerLayerOptions layer = TransformerLayerOptions(options.d_model(), options.nhead())
                                            .dim_feedforward(options.dim_feedforward())
                                            .dropout(options.dropout())
                                            .activation(options.activation());
  const auto norm = [&] { return AnyModule(LayerNorm(LayerNormOptions({options.d_model()}))); };
  encoder = copy_of(options.custom_encoder());
  if (encoder.is_empty())
    encoder =
        AnyModule(TransformerEncoder(TransformerEncoderOptions(layer, options.num_encoder_layers()).norm(norm())));
  decoder = copy_of(options.custom_decoder());
  if (decoder.is_empty())
    decoder =
        AnyModule(TransformerDecoder(TransformerDecoderOptions(layer, options.num_decoder_layers()).norm(norm())));
  register_module("encoder", encoder.ptr());
  register_module("decoder", decoder.ptr());
  reset_parameters();
}

void TransformerImpl::reset_parameters() {
  for (const Tensor& p : parameters())
    if (p.dim() > 1) init::xavier_uniform_(p);
}

Tensor TransformerImpl::forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask, const Tensor& tgt_mask,
                                const Tensor& memory_mask, const Tensor& src_key_padding_mask,
                                const Tensor& tgt_key_padding_mask, const Tensor& memory_key_padding_mask) {
  check_fit(src, tgt, options.d_model());
  const Tensor memory = encoder.forward(src, src_mask, src_key_padding_mask);
  return decoder.forward(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask);
}

Tensor TransformerImpl::generate_square_subsequent_mask(int64_t size) {
  return triu(full({size, size}, -std::numeric_limits<double>::infinity(), TensorOptions(get_default_dtype())), 1);
}

}  // namespace strata::nn
