// Convolution without oneDNN.
#pragma once
#include "kernels/cpu/conv/conv.h"

namespace strata::cpu::conv {

/// `conv_forward`, `conv_backward_input` and `conv_backward_weight` by our own products, for x and y with the channels
/// first (`channels_last` false), and by loops where there are too few channels to pay. T is float or double; doubles,
/// and builds with STRATA_SLIM, have nothing else.
template <class T>
void own_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y);
template <class T>
void own_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx);
template <class T>
void own_backward_weight(const ConvShape& s, const T* gy, const T* x, T* gw);

}  // namespace strata::cpu::conv
