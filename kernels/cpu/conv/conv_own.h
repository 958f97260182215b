// Convolution without oneDNN.
#pragma once
#include "core/half.h"
#include "kernels/cpu/conv/conv.h"
#include "kernels/cpu/matmul/vec_bfloat16.h"

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

/// `conv_forward` by products with columns that are laid out some positions at a time, of elements of T as they are.
template <class T>
void columns_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y);
/// Whether that is faster than oneDNN, which brings the weights into blocks in each call: for one picture that is cut
/// into patches, as no two windows meet there and the columns are no more than what they are laid out of.
bool columns_pay(const ConvShape& s);
/// `conv_backward_input` as such a convolution of gy, where `has_columns_backward_input`: no strides or groups.
template <class T>
void columns_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx);
bool has_columns_backward_input(const ConvShape& s);
/// `conv_backward_weight` of bfloat16 numbers by `unit`, without groups.
void columns_backward_weight(const ConvShape& s, const BFloat16* gy, const BFloat16* x, BFloat16* gw,
                             const matmul::VecBFloat16& unit);

}  // namespace strata::cpu::conv
