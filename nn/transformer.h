// Transformer layers, encoders and decoders (Vaswani et al., 2017), normalised after each part as there.
#pragma once
#include <concepts>
#include <type_traits>
#include <utility>

#include "../core/function.h"
#include "attention.h"
#include "container.h"
#include "dropout.h"
#include "enums.h"
#include "norm.h"

namespace strata::nn {

/// What lies between the two linear layers of each part: kReLU, kGELU or a function of the program's own.
class TransformerActivation {
 public:
  using Function = strata::detail::Function<Tensor(const Tensor&)>;
  TransformerActivation(std::convertible_to<Choice> auto choice) : choice_(choice) {}
  template <class F>
  requires(std::is_invocable_r_v<Tensor, F&, const Tensor&>) TransformerActivation(F function)
      : function_(std::move(function)) {}
  Choice choice() const { return choice_; }
  const Function& function() const { return function_; }

 private:
  Choice choice_ = Choice::None;
  Function function_;
};

/// Options of encoder and decoder layers.
struct TransformerLayerOptions {
  using activation_t = TransformerActivation;
  TransformerLayerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  STRATA_ARG(int64_t, d_model);
  STRATA_ARG(int64_t, nhead);
  STRATA_ARG(int64_t, dim_feedforward) = 2048;
  STRATA_ARG(double, dropout) = 0.1;
  STRATA_ARG(activation_t, activation) = kReLU;
};
using TransformerEncoderLayerOptions = TransformerLayerOptions;
using TransformerDecoderLayerOptions = TransformerLayerOptions;

/// Self-attention and a two-layer perceptron over `(S, N, d_model)`.
class TransformerEncoderLayerImpl : public Cloneable<TransformerEncoderLayerImpl> {
 public:
  TransformerEncoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerEncoderLayerImpl(TransformerEncoderLayerOptions(d_model, nhead)) {}
  explicit TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& options_);
  void reset() override;
  void reset_parameters() {}
  Tensor forward(const Tensor& src, const Tensor& src_mask = {}, const Tensor& src_key_padding_mask = {});

  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  Dropout dropout = nullptr, dropout1 = nullptr, dropout2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr;
};
STRATA_MODULE(TransformerEncoderLayer);

/// Self-attention over tgt `(T, N, d_model)`, attention to memory `(S, N, d_model)`, a two-layer perceptron.
class TransformerDecoderLayerImpl : public Cloneable<TransformerDecoderLayerImpl> {
 public:
  TransformerDecoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerDecoderLayerImpl(TransformerDecoderLayerOptions(d_model, nhead)) {}
  explicit TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& options_);
  void reset() override;
  void reset_parameters() {}
  Tensor forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});

  TransformerDecoderLayerOptions options;
  MultiheadAttention self_attn = nullptr, multihead_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  Dropout dropout = nullptr, dropout1 = nullptr, dropout2 = nullptr, dropout3 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
};
STRATA_MODULE(TransformerDecoderLayer);

/// A layer to copy num_layers times, and what follows the last one, if anything: `norm(AnyModule(LayerNorm(...)))`.
struct TransformerEncoderOptions {
  TransformerEncoderOptions(TransformerEncoderLayer encoder_layer, int64_t num_layers)
      : encoder_layer_(std::move(encoder_layer)), num_layers_(num_layers) {}
  TransformerEncoderOptions(const TransformerEncoderLayerOptions& encoder_layer_options, int64_t num_layers)
      : TransformerEncoderOptions(TransformerEncoderLayer(encoder_layer_options), num_layers) {}
  STRATA_ARG(TransformerEncoderLayer, encoder_layer) = nullptr;
  STRATA_ARG(int64_t, num_layers);
  STRATA_ARG(AnyModule, norm);
};

/// The same of a decoder.
struct TransformerDecoderOptions {
  TransformerDecoderOptions(TransformerDecoderLayer decoder_layer, int64_t num_layers)
      : decoder_layer_(std::move(decoder_layer)), num_layers_(num_layers) {}
  TransformerDecoderOptions(const TransformerDecoderLayerOptions& decoder_layer_options, int64_t num_layers)
      : TransformerDecoderOptions(TransformerDecoderLayer(decoder_layer_options), num_layers) {}
  STRATA_ARG(TransformerDecoderLayer, decoder_layer) = nullptr;
  STRATA_ARG(int64_t, num_layers);
  STRATA_ARG(AnyModule, norm);
};

/// A stack of encoder layers.
class TransformerEncoderImpl : public Cloneable<TransformerEncoderImpl> {
 public:
  TransformerEncoderImpl(TransformerEncoderLayer layer, int64_t num_layers)
      : TransformerEncoderImpl(TransformerEncoderOptions(std::move(layer), num_layers)) {}
  explicit TransformerEncoderImpl(const TransformerEncoderOptions& options_);
  void reset() override;
  Tensor forward(const Tensor& src, const Tensor& src_mask = {}, const Tensor& src_key_padding_mask = {});

  TransformerEncoderOptions options;
  ModuleList layers = nullptr;
  AnyModule norm;
};
STRATA_MODULE(TransformerEncoder);

/// A stack of decoder layers.
class TransformerDecoderImpl : public Cloneable<TransformerDecoderImpl> {
 public:
  TransformerDecoderImpl(TransformerDecoderLayer layer, int64_t num_layers)
      : TransformerDecoderImpl(TransformerDecoderOptions(std::move(layer), num_layers)) {}
  explicit TransformerDecoderImpl(const TransformerDecoderOptions& options_);
  void reset() override;
  Tensor forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});

  TransformerDecoderOptions options;
  ModuleList layers = nullptr;
  AnyModule norm;
};
STRATA_MODULE(TransformerDecoder);

struct TransformerOptions {
  using activation_t = TransformerActivation;
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers, int64_t num_decoder_layers)
      : d_model_(d_model),
        nhead_(nhead),
        num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  STRATA_ARG(int64_t, d_model) = 512;
  STRATA_ARG(int64_t, nhead) = 8;
  STRATA_ARG(int64_t, num_encoder_layers) = 6;
  STRATA_ARG(int64_t, num_decoder_layers) = 6;
  STRATA_ARG(int64_t, dim_feedforward) = 2048;
  STRATA_ARG(double, dropout) = 0.1;
  STRATA_ARG(activation_t, activation) = kReLU;
  /// In place of the usual ones: modules whose forward takes what TransformerEncoder's takes, and TransformerDecoder's.
  STRATA_ARG(AnyModule, custom_encoder);
  STRATA_ARG(AnyModule, custom_decoder);
};

/// Encoder and decoder, each with a last LayerNorm unless it is given; matrices start Xavier-uniform.
class TransformerImpl : public Cloneable<TransformerImpl> {
 public:
  explicit TransformerImpl(const TransformerOptions& options_ = {});
  void reset() override;
  void reset_parameters();
  Tensor forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask = {}, const Tensor& tgt_mask = {},
                 const Tensor& memory_mask = {}, const Tensor& src_key_padding_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});
  /// `(size, size)` with -inf above the diagonal: position i sees positions 0 to i.
  static Tensor generate_square_subsequent_mask(int64_t size);

  TransformerOptions options;
  AnyModule encoder;  ///< a TransformerEncoder unless it was given
  AnyModule decoder;
};
STRATA_MODULE(Transformer);

}  // namespace strata::nn
