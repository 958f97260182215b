// Convolution by plain loops, parallel over whole output channels, so that each sum is made in one fixed order.
#include <algorithm>

#include "core/parallel.h"
#include "kernels/cpu/conv/conv.h"

namespace strata::cpu::conv {
namespace {

/// The output positions [begin, end) whose input position `o * stride + offset` lies in [0, size).
struct Span {
  int64_t begin, end;
  Span(int64_t out, int64_t size, int64_t stride, int64_t offset)
      : begin(offset >= 0 ? 0 : (-offset + stride - 1) / stride),
        end(size <= offset ? 0 : std::min(out, (size - offset - 1) / stride + 1)) {}
};

/// Calls row(weight index, x offset, y offset, length) for every kernel tap and every row of one pair of channels where
/// the tap meets the input; x advances by `sw` in the row, y by 1.
template <class F>
void for_each_row(const ConvShape& s, F row) {
  for (int64_t k = 0; k < s.taps(); ++k) {
    const int64_t d0 = k / s.kw / s.kh * s.dd - s.pd, h0 = k / s.kw % s.kh * s.dh - s.ph, w0 = k % s.kw * s.dw - s.pw;
    const Span d(s.od, s.id, s.sd, d0), h(s.oh, s.ih, s.sh, h0), w(s.ow, s.iw, s.sw, w0);
    if (w.begin >= w.end) continue;
    for (int64_t o = d.begin; o < d.end; ++o)
      for (int64_t i = h.begin; i < h.end; ++i)
        row(k, ((o * s.sd + d0) * s.ih + i * s.sh + h0) * s.iw + w.begin * s.sw + w0, (o * s.oh + i) * s.ow + w.begin,
            w.end - w.begin);
  }
}

/// Planes per task: about 64K multiplications.
int64_t grain(double flops, int64_t planes) {
  if (planes == 0) return 1;
  return 1 + static_cast<int64_t>(131072 / (flops / static_cast<double>(planes) + 1));
}

}  // namespace

template <class T>
void direct_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y) {
  const int64_t group_ic = s.ic / s.groups, group_oc = s.oc / s.groups, kernel = s.taps(), channel = s.y_channel();
  const auto one = [&](int64_t image, int64_t oc) {
    T* out = y + (image * s.oc + oc) * channel;
    std::fill_n(out, channel, bias ? bias[oc] : T(0));
    for (int64_t c = 0; c < group_ic; ++c) {
      const T* in = x + (image * s.ic + oc / group_oc * group_ic + c) * s.x_channel();
      const T* tap = w + (oc * group_ic + c) * kernel;
      for_each_row(s, [&](int64_t k, int64_t from, int64_t to, int64_t n) {
        for (int64_t i = 0; i < n; ++i) out[to + i] += tap[k] * in[from + i * s.sw];
      });
    }
  };
  parallel_for(0, s.n * s.oc, grain(s.flops(), s.n * s.oc), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) one(i / s.oc, i % s.oc);
  });
}

template <class T>
void direct_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx) {
  const int64_t group_ic = s.ic / s.groups, group_oc = s.oc / s.groups, kernel = s.taps(), channel = s.x_channel();
  const auto one = [&](int64_t image, int64_t ic) {
    T* out = gx + (image * s.ic + ic) * channel;
    std::fill_n(out, channel, T(0));
    for (int64_t c = 0; c < group_oc; ++c) {
      const int64_t oc = ic / group_ic * group_oc + c;
      const T* in = gy + (image * s.oc + oc) * s.y_channel();
      const T* tap = w + (oc * group_ic + ic % group_ic) * kernel;
      for_each_row(s, [&](int64_t k, int64_t to, int64_t from, int64_t n) {
        for (int64_t i = 0; i < n; ++i) out[to + i * s.sw] += tap[k] * in[from + i];
      });
    }
  };
  parallel_for(0, s.n * s.ic, grain(s.flops(), s.n * s.ic), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) one(i / s.ic, i % s.ic);
  });
}

template <class T>
void direct_backward_weight(const ConvShape& s, const T* gy, const T* x, T* gw) {
  const int64_t group_ic = s.ic / s.groups, group_oc = s.oc / s.groups, kernel = s.taps();
  const auto one = [&](int64_t oc, int64_t c) {
    T* out = gw + (oc * group_ic + c) * kernel;
    std::fill_n(out, kernel, T(0));
    for (int64_t image = 0; image < s.n; ++image) {
      const T* g = gy + (image * s.oc + oc) * s.y_channel();
      const T* in = x + (image * s.ic + oc / group_oc * group_ic + c) * s.x_channel();
      for_each_row(s, [&](int64_t k, int64_t from, int64_t to, int64_t n) {
        T sum = 0;
        for (int64_t i = 0; i < n; ++i) sum += g[to + i] * in[from + i * s.sw];
        out[k] += sum;
      });
    }
  };
  parallel_for(0, s.oc * group_ic, grain(s.flops(), s.oc * group_ic), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) one(i / group_ic, i % group_ic);
  });
}

template void direct_forward(const ConvShape&, const float*, const float*, const float*, float*);
template void direct_backward_input(const ConvShape&, const float*, const float*, float*);
template void direct_backward_weight(const ConvShape&, const float*, const float*, float*);
template void direct_forward(const ConvShape&, const double*, const double*, const double*, double*);
template void direct_backward_input(const ConvShape&, const double*, const double*, double*);
template void direct_backward_weight(const ConvShape&, const double*, const double*, double*);

}  // namespace strata::cpu::conv
