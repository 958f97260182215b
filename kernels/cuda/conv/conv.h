// Convolution on device memory of any strides: what cuDNN and the kernels of our own are given.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/tensor.h"
#include "ops/conv_def.h"

namespace strata::cuda::conv {

/// Which of the three contractions, by what it computes.
enum class ConvPass { kForward, kBackwardInput, kBackwardWeight };

/// x `(N, C, id, ih, iw)`, w `(O, C / groups, kd, kh, kw)` and y `(N, O, od, oh, ow)`, of which the pass writes one,
/// all of them without the depth where the convolution is one of two dims; bias `(O,)`, undefined if there is none, is
/// added in the forward pass. What is written is not empty.
struct Conv {
  ConvPass pass;
  const ConvParams& p;
  const Tensor &x, &w, &y;
  Tensor bias = {};

  /// The op, as errors call it.
  std::string_view op() const {
    constexpr std::string_view names[] = {"convolution", "convolution_backward_input", "convolution_backward_weight"};
    return names[static_cast<int>(pass)];
  }
  const Tensor& written() const { return pass == ConvPass::kForward ? y : pass == ConvPass::kBackwardInput ? x : w; }
};

/// By kernels of our own, one sum per thread or block, for all floating point types. The same bits in every run.
void conv_direct(const Conv& c);
/// By cuDNN; false, with nothing done, where it has no plan for these types and shapes.
bool conv_by_cudnn(const Conv& c);

}  // namespace strata::cuda::conv
