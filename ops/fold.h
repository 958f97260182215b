// Blocks of images as columns of a matrix, and back.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// Cuts `(N, C, H, W)` or `(C, H, W)` into the blocks that a convolution of this geometry multiplies by its weight:
/// `(N, C * KH * KW, L)`, a column for each of the L places row by row. One number serves both dims. Throws if no block
/// fits.
Tensor im2col(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride);

/// Adds the blocks of `(N, C * KH * KW, L)` or `(C * KH * KW, L)` up where im2col takes them from: `(N, C, H, W)` with
/// `output_size` (H, W). Throws unless L is the number of blocks.
Tensor col2im(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride);

}  // namespace strata
