// The named choices of options as types of their own, as libtorch has them: torch::enumtype::kMean.
#pragma once
#include <strata/nn/enums.h>

namespace strata::enumtype {

/// A choice that the type says; it becomes what options take.
template <Choice C>
struct Chosen {
  constexpr operator Choice() const { return C; }
};
using kNone = Chosen<Choice::None>;
using kMean = Chosen<Choice::Mean>;
using kSum = Chosen<Choice::Sum>;
using kBatchMean = Chosen<Choice::BatchMean>;
using kZeros = Chosen<Choice::Zeros>;
using kConstant = Chosen<Choice::Constant>;
using kReflect = Chosen<Choice::Reflect>;
using kReplicate = Chosen<Choice::Replicate>;
using kCircular = Chosen<Choice::Circular>;
using kBorder = Chosen<Choice::Border>;
using kReflection = Chosen<Choice::Reflection>;
using kValid = Chosen<Choice::Valid>;
using kSame = Chosen<Choice::Same>;
using kFanIn = Chosen<Choice::FanIn>;
using kFanOut = Chosen<Choice::FanOut>;
using kLinear = Chosen<Choice::Linear>;
using kConv1D = Chosen<Choice::Conv1D>;
using kConv2D = Chosen<Choice::Conv2D>;
using kConv3D = Chosen<Choice::Conv3D>;
using kConvTranspose1D = Chosen<Choice::ConvTranspose1D>;
using kConvTranspose2D = Chosen<Choice::ConvTranspose2D>;
using kConvTranspose3D = Chosen<Choice::ConvTranspose3D>;
using kSigmoid = Chosen<Choice::Sigmoid>;
using kTanh = Chosen<Choice::Tanh>;
using kReLU = Chosen<Choice::ReLU>;
using kLeakyReLU = Chosen<Choice::LeakyReLU>;
using kGELU = Chosen<Choice::GELU>;
using kSELU = Chosen<Choice::SELU>;
using kNearest = Chosen<Choice::Nearest>;
using kNearestExact = Chosen<Choice::NearestExact>;
using kBilinear = Chosen<Choice::Bilinear>;
using kBicubic = Chosen<Choice::Bicubic>;
using kTrilinear = Chosen<Choice::Trilinear>;
using kArea = Chosen<Choice::Area>;
using kMax = Chosen<Choice::Max>;
using kSiLU = Chosen<Choice::SiLU>;
using kMish = Chosen<Choice::Mish>;
using kRNN_TANH = Chosen<Choice::RNN_TANH>;
using kRNN_RELU = Chosen<Choice::RNN_RELU>;
using kLSTM = Chosen<Choice::LSTM>;
using kGRU = Chosen<Choice::GRU>;

}  // namespace strata::enumtype
