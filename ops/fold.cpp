// im2col and col2im: a view of the padded image, copied, and its transpose.
#include "ops/fold.h"

#include <array>
#include <cstdint>

#include "core/called.h"
#include "ops/as_result.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {
namespace {

using Pair = std::array<int64_t, 2>;

Pair pair(const char* name, IntArrayRef values, const char* what, int64_t least) {
  STRATA_CHECK(values.size() == 1 || values.size() == 2, "{}: {} takes 1 or 2 numbers, got {}", name, what, values);
  // Below 2^31 no product of two of them overflows.
  for (int64_t v : values)
    STRATA_CHECK(v >= least && v <= INT32_MAX, "{}: {} must be at least {} and below 2^31, got {}", name, what, least,
                 values);
  return {values[0], values.back()};
}

/// The blocks of images: their size, where they lie and how many there are.
struct Blocks {
  Pair kernel, dilation, padding, stride, padded = {}, count = {};

  Blocks(const char* name, IntArrayRef kernel_size, IntArrayRef dilations, IntArrayRef paddings, IntArrayRef strides)
      : kernel(pair(name, kernel_size, "kernel_size", 1)),
        dilation(pair(name, dilations, "dilation", 1)),
        padding(pair(name, paddings, "padding", 0)),
        stride(pair(name, strides, "stride", 1)) {}

  void lie_in(const char* name, int64_t height, int64_t width) {
    const Pair image{height, width};
    for (size_t d = 0; d < 2; ++d) {
      padded[d] = checked_add(image[d], 2 * padding[d], name);
      const int64_t room = padded[d] - dilation[d] * (kernel[d] - 1) - 1;
      STRATA_CHECK(room >= 0, "{}: blocks of {} with dilation {} and padding {} do not fit in images of {}", name,
                   kernel[d], dilation[d], padding[d], image[d]);
      count[d] = room / stride[d] + 1;
    }
  }

  int64_t size() const { return kernel[0] * kernel[1]; }
  int64_t number(const char* name) const { return checked_mul(count[0], count[1], name); }
  /// `(N, C, KH, KW, OH, OW)` and the strides in the padded images.
  DimVector sizes(int64_t n, int64_t c) const { return {n, c, kernel[0], kernel[1], count[0], count[1]}; }
  DimVector strides(int64_t c) const {
    const auto times = [](int64_t a, int64_t b) { return checked_mul(a, b, "fold"); };
    const int64_t w = padded[1], plane = times(padded[0], w);
    return {times(c, plane), plane, times(dilation[0], w), dilation[1], times(stride[0], w), stride[1]};
  }
};

}  // namespace

Tensor im2col(const Tensor& input, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride) {
  const Called called;
  STRATA_CHECK(input.dim() == 3 || input.dim() == 4, "im2col: expected (N, C, H, W) or (C, H, W), got {}",
               input.sizes());
  if (input.dim() == 3) return as_result(im2col(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0));
  Blocks b("im2col", kernel_size, dilation, padding, stride);
  b.lie_in("im2col", input.size(2), input.size(3));
  const int64_t n = input.size(0), c = input.size(1);
  const bool pads = b.padding[0] > 0 || b.padding[1] > 0;
  const Tensor x = pads ? constant_pad_nd(input, {b.padding[1], b.padding[1], b.padding[0], b.padding[0]}) : input;
  const int64_t rows = checked_mul(c, b.size(), "im2col"), columns = b.number("im2col");
  return as_result(as_strided_copy(x, b.sizes(n, c), b.strides(c), 0).view({n, rows, columns}));
}

Tensor col2im(const Tensor& input, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride) {
  const Called called;
  STRATA_CHECK(input.dim() == 2 || input.dim() == 3,
               "col2im: expected (N, C * KH * KW, L) or (C * KH * KW, L), got {}: Input Error: Only unbatched (2D) or "
               "batched (3D) input Tensors are supported (got {}D)",
               input.sizes(), input.dim());
  if (input.dim() == 2)
    return as_result(col2im(input.unsqueeze(0), output_size, kernel_size, dilation, padding, stride).squeeze(0));
  const Pair image = pair("col2im", output_size, "output_size", 1);
  Blocks b("col2im", kernel_size, dilation, padding, stride);
  b.lie_in("col2im", image[0], image[1]);
  STRATA_CHECK(input.size(1) % b.size() == 0,
               "col2im: Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
               "input.size(1)={} and kernel_size={}",
               input.size(1), IntArrayRef(b.kernel));
  const int64_t blocks = b.number("col2im");
  STRATA_CHECK(
      input.size(2) == blocks,
      "col2im: Given output_size={}, kernel_size={}, dilation={}, padding={}, stride={}, expected size of input's "
      "dimension 2 to match the calculated number of sliding blocks {} * {} = {}, but got input.size(2)={}",
      IntArrayRef(image), IntArrayRef(b.kernel), IntArrayRef(b.dilation), IntArrayRef(b.padding), IntArrayRef(b.stride),
      b.count[0], b.count[1], blocks, input.size(2));
  const int64_t n = input.size(0), c = input.size(1) / b.size();
  const Tensor y =
      as_strided_backward(reshape(input, b.sizes(n, c)), {n, c, b.padded[0], b.padded[1]}, b.strides(c), 0);
  if (b.padding[0] == 0 && b.padding[1] == 0) return y;
  return constant_pad_nd(y, {-b.padding[1], -b.padding[1], -b.padding[0], -b.padding[0]});
}

}  // namespace strata
