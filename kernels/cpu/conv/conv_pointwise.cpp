// Convolutions of single points: an image is the matrix of columns itself, so each is a product, and oneDNN's blocks,
// which channels would have to be brought into and out of again, are not needed.
#include "kernels/cpu/conv/conv_pointwise.h"

#include <array>

#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::conv {

using matmul::GemmBatch;

bool is_pointwise(const ConvShape& s) {
  const bool one_tap = s.taps() == 1 && s.sd == 1 && s.sh == 1 && s.sw == 1;
  const bool no_padding = s.pd == 0 && s.ph == 0 && s.pw == 0 && s.x_channel() == s.y_channel();
  return one_tap && no_padding && s.groups == 1 && !s.channels_last;
}

bool pointwise_pays(const ConvShape& s) {
  constexpr int64_t kManyPlaces = 256;
  return is_pointwise(s) && (s.n == 1 || s.y_channel() >= kManyPlaces);
}

template <class T>
void pointwise_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y) {
  const int64_t places = s.y_channel();
  const GemmBatch images{s.n, 0, s.x_image(), 0, s.y_image()};
  matmul::gemm<T>({.m = s.oc,
                   .n = places,
                   .k = s.ic,
                   .a = {w, s.ic, 1},
                   .b = {x, places, 1},
                   .init = {bias, 1, 0},
                   .out = {y, places, 1}},
                  std::array{images});
}

template <class T>
void pointwise_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx) {
  const int64_t places = s.y_channel();
  const GemmBatch images{s.n, 0, s.y_image(), 0, s.x_image()};
  matmul::gemm<T>(
      {.m = s.ic, .n = places, .k = s.oc, .a = {w, 1, s.ic}, .b = {gy, places, 1}, .init = {}, .out = {gx, places, 1}},
      std::array{images});
}

/// The images one after the other, so that each sum is made in one order for any number of threads.
template <class T>
void pointwise_backward_weight(const ConvShape& s, const T* gy, const T* x, T* gw) {
  const int64_t places = s.y_channel();
  for (int64_t image = 0; image < s.n; ++image)
    matmul::gemm<T>({.m = s.oc,
                     .n = s.ic,
                     .k = places,
                     .a = {gy + image * s.y_image(), places, 1},
                     .b = {x + image * s.x_image(), 1, places},
                     .init = {image == 0 ? nullptr : gw, s.ic, 1},
                     .out = {gw, s.ic, 1}});
}

template void pointwise_forward(const ConvShape&, const float*, const float*, const float*, float*);
template void pointwise_forward(const ConvShape&, const double*, const double*, const double*, double*);
template void pointwise_forward(const ConvShape&, const Half*, const Half*, const Half*, Half*);
template void pointwise_forward(const ConvShape&, const BFloat16*, const BFloat16*, const BFloat16*, BFloat16*);
template void pointwise_backward_input(const ConvShape&, const float*, const float*, float*);
template void pointwise_backward_input(const ConvShape&, const double*, const double*, double*);
template void pointwise_backward_input(const ConvShape&, const Half*, const Half*, Half*);
template void pointwise_backward_input(const ConvShape&, const BFloat16*, const BFloat16*, BFloat16*);
template void pointwise_backward_weight(const ConvShape&, const float*, const float*, float*);
template void pointwise_backward_weight(const ConvShape&, const double*, const double*, double*);

}  // namespace strata::cpu::conv
