// Float convolution without oneDNN.
#pragma once
#include "kernels/cpu/conv/conv.h"

namespace strata::cpu::conv {

/// `conv_forward`, `conv_backward_input` and `conv_backward_weight` by our own products, for x and y with the channels
/// first (`channels_last` false). A build with STRATA_SLIM has nothing else.
void own_forward(const ConvShape& s, const float* x, const float* w, const float* bias, float* y);
void own_backward_input(const ConvShape& s, const float* gy, const float* w, float* gx);
void own_backward_weight(const ConvShape& s, const float* gy, const float* x, float* gw);

}  // namespace strata::cpu::conv
