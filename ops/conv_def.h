// The three contractions behind every convolution and their geometry, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// The whole geometry of a 2-d convolution of x `(N, C, ih, iw)` with w `(O, C / groups, kh, kw)` into y `(N, O, oh,
/// ow)`: `y[o] += x[o * stride + k * dilation - pad] * w[k]` wherever x has such an element. N, C and O come from the
/// tensors.
struct ConvParams {
  int64_t groups;
  int64_t ih, iw, oh, ow, kh, kw;
  int64_t sh, sw, ph, pw, dh, dw;
  auto fields() const {
    using dispatch::group;
    return std::tuple_cat(std::tie(groups), std::tuple(group(ih, iw), group(oh, ow), group(kh, kw), group(sh, sw),
                                                       group(ph, pw), group(dh, dw)));
  }
};

/// `convolution(Tensor x, Tensor w, Tensor? bias)` gives y.
extern Op convolution_op;
/// `convolution_backward_input(Tensor y, Tensor w)` gives x: the gradient of x, and the transposed convolution of y.
extern Op convolution_backward_input_op;
/// `convolution_backward_weight(Tensor y, Tensor x)` gives w.
extern Op convolution_backward_weight_op;

}  // namespace strata
