// Fold and Unfold: blocks of images as columns, and back.
#pragma once
#include "expanding_array.h"
#include "module.h"

namespace strata::nn {

struct FoldOptions {
  FoldOptions(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size)
      : output_size_(output_size), kernel_size_(kernel_size) {}
  STRATA_ARG(ExpandingArray<2>, output_size);
  STRATA_ARG(ExpandingArray<2>, kernel_size);
  STRATA_ARG(ExpandingArray<2>, dilation) = 1;
  STRATA_ARG(ExpandingArray<2>, padding) = 0;
  STRATA_ARG(ExpandingArray<2>, stride) = 1;
};

struct UnfoldOptions {
  UnfoldOptions(ExpandingArray<2> kernel_size) : kernel_size_(kernel_size) {}
  STRATA_ARG(ExpandingArray<2>, kernel_size);
  STRATA_ARG(ExpandingArray<2>, dilation) = 1;
  STRATA_ARG(ExpandingArray<2>, padding) = 0;
  STRATA_ARG(ExpandingArray<2>, stride) = 1;
};

namespace functional {

using FoldFuncOptions = FoldOptions;
using UnfoldFuncOptions = UnfoldOptions;

/// `(N, C * KH * KW, L)` or `(C * KH * KW, L)` to images `(N, C, H, W)` or `(C, H, W)`; blocks that overlap add up.
Tensor fold(const Tensor& input, const FoldFuncOptions& options);
/// Images to the blocks that a convolution sees, one column each.
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options);

}  // namespace functional

/// fold as a module.
class FoldImpl : public ModuleWithOptions<FoldImpl, FoldOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  FoldImpl(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size)
      : ModuleWithOptions(FoldOptions(output_size, kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Fold);

/// unfold as a module.
class UnfoldImpl : public ModuleWithOptions<UnfoldImpl, UnfoldOptions> {
 public:
  using ModuleWithOptions::ModuleWithOptions;
  UnfoldImpl(ExpandingArray<2> kernel_size) : ModuleWithOptions(UnfoldOptions(kernel_size)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
STRATA_MODULE(Unfold);

}  // namespace strata::nn
