// Fills tensors with starting values, without recording gradients.
#pragma once
#include <tuple>

#include "../core/tensor.h"
#include "enums.h"

namespace strata::nn::init {

using NonlinearityType = OneOf<Choice::Linear, Choice::Conv1D, Choice::Conv2D, Choice::Conv3D, Choice::ConvTranspose1D,
                               Choice::ConvTranspose2D, Choice::ConvTranspose3D, Choice::Sigmoid, Choice::Tanh,
                               Choice::ReLU, Choice::LeakyReLU, Choice::SELU>;
using FanModeType = OneOf<Choice::FanIn, Choice::FanOut>;

/// The factor by which a nonlinearity's layer scales its weights; `param` is the slope of kLeakyReLU.
double calculate_gain(NonlinearityType nonlinearity, double param = 0.01);

Tensor constant_(Tensor tensor, Scalar value);
Tensor ones_(Tensor tensor);
Tensor zeros_(Tensor tensor);
/// The identity, for a matrix of any shape.
Tensor eye_(Tensor matrix);
/// Convolution weights `(O, C, K...)` that pass their input through.
Tensor dirac_(Tensor tensor);
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
/// Normal values drawn again until they lie in [low, high].
Tensor trunc_normal_(Tensor tensor, double mean = 0, double std = 1, double low = -2, double high = 2);
/// Rows (or columns, whichever are fewer) that are orthonormal, times `gain` (Saxe et al., 2013).
Tensor orthogonal_(Tensor tensor, double gain = 1.0);
/// Each column of the matrix has the fraction `sparsity` of zeros, the rest is normal.
Tensor sparse_(Tensor tensor, double sparsity, double std = 0.01);
/// He et al., 2015: standard deviation gain / sqrt(fan).
Tensor kaiming_normal_(Tensor tensor, double a = 0, FanModeType mode = kFanIn,
                       NonlinearityType nonlinearity = kLeakyReLU);
Tensor kaiming_uniform_(Tensor tensor, double a = 0, FanModeType mode = kFanIn,
                        NonlinearityType nonlinearity = kLeakyReLU);
/// Glorot and Bengio, 2010: standard deviation gain * sqrt(2 / (fan_in + fan_out)).
Tensor xavier_normal_(Tensor tensor, double gain = 1.0);
Tensor xavier_uniform_(Tensor tensor, double gain = 1.0);

namespace detail {
/// While one lives on this thread, tensors keep what they hold where they would be drawn at random.
class WithoutDraws {
 public:
  WithoutDraws();
  ~WithoutDraws();
  WithoutDraws(const WithoutDraws&) = delete;
  WithoutDraws& operator=(const WithoutDraws&) = delete;
};
}  // namespace detail

/// Inputs and outputs of one unit of a weight `(out, in, ...)`.
std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor);

}  // namespace strata::nn::init
