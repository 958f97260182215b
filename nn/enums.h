// Named choices that option structs take: reductions, padding modes, nonlinearities, fan modes.
#pragma once
#include <cstdint>

namespace strata {

/// libtorch writes these as one type each; one enumeration holds them all and every option checks what it accepts.
enum class Choice : uint8_t {
  None,
  Mean,
  Sum,
  BatchMean,
  Zeros,
  Constant,
  Reflect,
  Replicate,
  Circular,
  Border,
  Reflection,
  Valid,
  Same,
  FanIn,
  FanOut,
  Linear,
  Conv1D,
  Conv2D,
  Conv3D,
  ConvTranspose1D,
  ConvTranspose2D,
  ConvTranspose3D,
  Sigmoid,
  Tanh,
  ReLU,
  LeakyReLU,
  GELU,
  SELU,
  Nearest,
  NearestExact,
  Bilinear,
  Bicubic,
  Trilinear,
  Area,
  Max,
  SiLU,
  Mish,
  RNN_TANH,
  RNN_RELU,
  LSTM,
  GRU,
};

/// The choice's name as it prints: "mean", "zeros", ...
const char* name(Choice choice);

inline constexpr Choice kNone = Choice::None, kMean = Choice::Mean, kSum = Choice::Sum, kBatchMean = Choice::BatchMean;
inline constexpr Choice kZeros = Choice::Zeros, kConstant = Choice::Constant, kReflect = Choice::Reflect,
                        kReplicate = Choice::Replicate, kCircular = Choice::Circular, kBorder = Choice::Border,
                        kReflection = Choice::Reflection, kValid = Choice::Valid, kSame = Choice::Same;
inline constexpr Choice kFanIn = Choice::FanIn, kFanOut = Choice::FanOut, kLinear = Choice::Linear,
                        kConv1D = Choice::Conv1D, kConv2D = Choice::Conv2D, kConv3D = Choice::Conv3D,
                        kConvTranspose1D = Choice::ConvTranspose1D, kConvTranspose2D = Choice::ConvTranspose2D,
                        kConvTranspose3D = Choice::ConvTranspose3D, kSigmoid = Choice::Sigmoid, kTanh = Choice::Tanh,
                        kReLU = Choice::ReLU, kLeakyReLU = Choice::LeakyReLU, kGELU = Choice::GELU,
                        kSELU = Choice::SELU;
inline constexpr Choice kNearest = Choice::Nearest, kNearestExact = Choice::NearestExact, kBilinear = Choice::Bilinear,
                        kBicubic = Choice::Bicubic, kTrilinear = Choice::Trilinear, kArea = Choice::Area,
                        kMax = Choice::Max;
inline constexpr Choice kSiLU = Choice::SiLU, kMish = Choice::Mish, kRNN_TANH = Choice::RNN_TANH,
                        kRNN_RELU = Choice::RNN_RELU, kLSTM = Choice::LSTM, kGRU = Choice::GRU;

/// libtorch's place for the types of the choices.
namespace enumtype {
/// "kMean", "kZeros", ...
const char* get_enum_name(Choice choice);
}  // namespace enumtype

}  // namespace strata
