// Convolution on raw contiguous memory: float through oneDNN, double through matrix products.
#pragma once
#include <cstdint>

namespace strata::cpu::conv {

/// A convolution of x `(n, ic, id, ih, iw)` with w `(oc, ic / groups, kd, kh, kw)` into y `(n, oc, od, oh, ow)`. x is
/// zero padded by `pd, ph, pw` in front and by whatever `od, oh, ow` reach beyond its end; what they do not reach is
/// left out.
struct ConvShape {
  int64_t n, groups, ic, oc;
  int64_t id, ih, iw, od, oh, ow, kd, kh, kw;
  int64_t sd, sh, sw, pd, ph, pw, dd, dh, dw;
  bool channels_last = false;  ///< whether x and y are stored as `(n, id, ih, iw, ic)`; w never is
  friend bool operator==(const ConvShape&, const ConvShape&) = default;

  /// Is it one of two dims?
  bool is_flat() const { return id == 1 && od == 1 && kd == 1 && pd == 0; }
  /// Elements of one channel of x, of y and of w.
  int64_t x_channel() const { return id * ih * iw; }
  int64_t y_channel() const { return od * oh * ow; }
  int64_t taps() const { return kd * kh * kw; }
  int64_t x_image() const { return ic * x_channel(); }
  int64_t y_image() const { return oc * y_channel(); }
  int64_t w_size() const { return oc * (ic / groups) * taps(); }
  /// Padding at the end; negative when the last rows of x meet no tap.
  int64_t end_pd() const { return (od - 1) * sd + (kd - 1) * dd + 1 - id - pd; }
  int64_t end_ph() const { return (oh - 1) * sh + (kh - 1) * dh + 1 - ih - ph; }
  int64_t end_pw() const { return (ow - 1) * sw + (kw - 1) * dw + 1 - iw - pw; }
  /// Multiplications and additions of one pass.
  double flops() const { return 2.0 * n * y_image() * (ic / groups) * taps(); }
};

// The results have the same bits for any number of threads: the work is cut into pieces by shape alone, each piece is
// computed by one thread, and partial weight gradients are added in a fixed order.

/// Does oneDNN take a float convolution, and so one whose channels lie last?
bool is_for_onednn(const ConvShape& s);

/// y = x * w + bias; `bias` `(oc)` may be null.
void conv_forward(const ConvShape& s, const float* x, const float* w, const float* bias, float* y);
void conv_forward(const ConvShape& s, const double* x, const double* w, const double* bias, double* y);
/// gx = the gradient of `conv_forward` with respect to x, given gy.
void conv_backward_input(const ConvShape& s, const float* gy, const float* w, float* gx);
void conv_backward_input(const ConvShape& s, const double* gy, const double* w, double* gx);
/// gw = the gradient with respect to w.
void conv_backward_weight(const ConvShape& s, const float* gy, const float* x, float* gw);
void conv_backward_weight(const ConvShape& s, const double* gy, const double* x, double* gw);

/// The same by plain loops, for shapes that neither oneDNN nor products are for. T is float or double.
template <class T>
void direct_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y);
template <class T>
void direct_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx);
template <class T>
void direct_backward_weight(const ConvShape& s, const T* gy, const T* x, T* gw);

}  // namespace strata::cpu::conv
