// Convolutions of single points.
#pragma once
#include "kernels/cpu/conv/conv.h"

namespace strata::cpu::conv {

/// Has the kernel one tap, which meets each place of x once, with the channels first?
bool is_pointwise(const ConvShape& s);
/// And is it faster by products than by oneDNN, which has to bring channels into its blocks? Products of few places are
/// narrow; but the blocks of a single image do not pay then either.
bool pointwise_pays(const ConvShape& s);

/// `conv_forward`, `conv_backward_input` and `conv_backward_weight` of what `is_pointwise`, by products alone. T is any
/// floating point type; the weight's gradient is of float or double only, since images are added up in it.
template <class T>
void pointwise_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y);
template <class T>
void pointwise_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx);
template <class T>
void pointwise_backward_weight(const ConvShape& s, const T* gy, const T* x, T* gw);

}  // namespace strata::cpu::conv
