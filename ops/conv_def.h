// The three contractions behind every convolution and their geometry, for rules and kernels.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// The whole geometry of a convolution of x `(N, C, id, ih, iw)` with w `(O, C / groups, kd, kh, kw)` into y `(N, O,
/// od, oh, ow)`: `y[o] += x[o * stride + k * dilation - pad] * w[k]` wherever x has such an element. N, C and O come
/// from the tensors, which in two dims have no depth; then its sizes are 1.
struct ConvParams {
  int64_t groups;
  int64_t ih, iw, oh, ow, kh, kw;
  int64_t sh, sw, ph, pw, dh, dw;
  int64_t id = 1, od = 1, kd = 1, sd = 1, pd = 0, dd = 1;
  auto fields() const {
    using dispatch::group;
    return std::tuple_cat(std::tie(groups), std::tuple(group(id, ih, iw), group(od, oh, ow), group(kd, kh, kw),
                                                       group(sd, sh, sw), group(pd, ph, pw), group(dd, dh, dw)));
  }
};

/// `convolution(Tensor x, Tensor w, Tensor? bias)` gives y.
extern Op convolution_op;
/// `convolution_backward_input(Tensor y, Tensor w)` gives x: the gradient of x, and the transposed convolution of y.
extern Op convolution_backward_input_op;
/// `convolution_backward_weight(Tensor y, Tensor x)` gives w.
extern Op convolution_backward_weight_op;

}  // namespace strata
