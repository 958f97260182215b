// Convolution by matrix products alone, of doubles and for builds without oneDNN: the places of x that meet the taps
// are laid out as columns, some output positions at a time.
#include <algorithm>

#include "core/parallel.h"
#include "kernels/cpu/conv/conv_own.h"
#include "kernels/cpu/conv/conv_pointwise.h"
#include "kernels/cpu/matmul/gemm.h"
#include "kernels/cpu/matmul/gemm_bfloat16.h"
#include "kernels/cpu/matmul/scratch.h"

namespace strata::cpu::conv {
namespace {

using matmul::Matrix;
using matmul::Scratch;
constexpr int64_t kColumns = int64_t{1} << 18;  // elements of columns that are laid out at a time

/// One group of the channels of one image, cut into runs of output positions.
struct Pieces {
  const ConvShape& s;
  int64_t ic, oc, rows, positions, run;
  explicit Pieces(const ConvShape& shape, int64_t columns = kColumns)
      : s(shape),
        ic(s.ic / s.groups),
        oc(s.oc / s.groups),
        rows(ic * s.taps()),
        positions(s.y_channel()),
        run(std::clamp<int64_t>(columns / std::max<int64_t>(rows, 1) / 16 * 16, 16, std::max<int64_t>(positions, 16))) {
  }
  int64_t count() const { return (positions + run - 1) / run; }
  int64_t begin(int64_t piece) const { return piece * run; }
  int64_t width(int64_t piece) const { return std::min(run, positions - piece * run); }
  int64_t x_at(int64_t image, int64_t group) const { return (image * s.ic + group * ic) * s.x_channel(); }
  int64_t y_at(int64_t image, int64_t group) const { return (image * s.oc + group * oc) * positions; }
  int64_t w_at(int64_t group) const { return group * oc * rows; }
};

/// Calls f(place in x, column, count) for the runs of columns from `begin` on, `width` of them, along which the tap
/// meets a row of the input; places advance by sw.
template <class F>
void for_runs(const ConvShape& s, int64_t tap, int64_t begin, int64_t width, F f) {
  const int64_t d0 = tap / s.kw / s.kh * s.dd - s.pd, h0 = tap / s.kw % s.kh * s.dh - s.ph,
                w0 = tap % s.kw * s.dw - s.pw;
  for (int64_t at = begin; at < begin + width;) {
    const int64_t o = at % s.ow, length = std::min(s.ow - o, begin + width - at);
    const int64_t h = at / s.ow % s.oh * s.sh + h0, d = at / s.ow / s.oh * s.sd + d0;
    const bool inside = d >= 0 && d < s.id && h >= 0 && h < s.ih;
    // Of the outputs [o, o + length), those whose place o * sw + w0 lies in [0, iw).
    const int64_t first = w0 >= 0 ? o : std::max(o, (-w0 + s.sw - 1) / s.sw);
    const int64_t end = w0 >= s.iw ? o : std::min(o + length, (s.iw - w0 - 1) / s.sw + 1);
    if (inside && first < end) f((d * s.ih + h) * s.iw + first * s.sw + w0, at - begin + first - o, end - first);
    at += length;
  }
}

/// One row, of one channel and tap, of the columns of a run of positions.
template <class T>
void column_row_of(const Pieces& p, const T* x, int64_t piece, int64_t row, T* out) {
  const T* const channel = x + row / p.s.taps() * p.s.x_channel();
  const int64_t step = p.s.sw;
  std::fill_n(out, p.width(piece), T(0));
  for_runs(p.s, row % p.s.taps(), p.begin(piece), p.width(piece), [&](int64_t from, int64_t to, int64_t count) {
    if (step == 1) {
      std::copy_n(channel + from, count, out + to);
    } else {
      for (int64_t i = 0; i < count; ++i) out[to + i] = channel[from + i * step];
    }
  });
}

/// Lays out the columns of a run of positions: one row for each channel and tap.
template <class T>
void columns_of(const Pieces& p, const T* x, int64_t piece, T* columns) {
  for (int64_t row = 0; row < p.rows; ++row) column_row_of(p, x, piece, row, columns + row * p.width(piece));
}

/// Adds columns to where columns_of takes them from.
template <class T>
void add_columns(const Pieces& p, const T* columns, int64_t piece, T* x) {
  const int64_t width = p.width(piece), step = p.s.sw;
  for (int64_t row = 0; row < p.rows; ++row) {
    T* const channel = x + row / p.s.taps() * p.s.x_channel();
    const T* const in = columns + row * width;
    for_runs(p.s, row % p.s.taps(), p.begin(piece), width, [&](int64_t to, int64_t from, int64_t count) {
      for (int64_t i = 0; i < count; ++i) channel[to + i * step] += in[from + i];
    });
  }
}

/// Products of few channels do not pay for laying out columns; where there is nothing to compute, loops see it.
bool by_loops(const ConvShape& s) {
  const int64_t ic = s.ic / s.groups, oc = s.oc / s.groups;
  return s.flops() == 0 || oc < 4 || ic * s.taps() < 4;
}

/// The weights of the convolution of gy that gives gx: channels change places, taps their order.
template <class T>
void turn_weights(const ConvShape& s, const T* w, T* turned) {
  const int64_t taps = s.taps();
  parallel_for(0, s.oc, 1 + 16384 / (s.ic * taps), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o)
      for (int64_t i = 0; i < s.ic; ++i)
        std::reverse_copy(w + (o * s.ic + i) * taps, w + (o * s.ic + i + 1) * taps, turned + (i * s.oc + o) * taps);
  });
}

}  // namespace

template <class T>
void columns_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y) {
  const Pieces p(s);
  parallel_for(0, s.n * s.groups * p.count(), 1, [&](int64_t begin, int64_t end) {
    Scratch<T> memory;
    T* const columns = memory.make(p.rows, p.run).data;
    for (int64_t t = begin; t < end; ++t) {
      const int64_t piece = t % p.count(), group = t / p.count() % s.groups, image = t / p.count() / s.groups;
      const int64_t width = p.width(piece);
      columns_of(p, x + p.x_at(image, group), piece, columns);
      matmul::gemm<T>({.m = p.oc,
                       .n = width,
                       .k = p.rows,
                       .a = {w + p.w_at(group), p.rows, 1},
                       .b = {columns, width, 1},
                       .init = {bias ? bias + group * p.oc : nullptr, 1, 0},
                       .out = {y + p.y_at(image, group) + p.begin(piece), p.positions, 1}});
    }
  });
}

bool columns_pay(const ConvShape& s) {
  constexpr int64_t kManyWeights = int64_t{1} << 17;
  const bool apart = s.sd >= (s.kd - 1) * s.dd + 1 && s.sh >= (s.kh - 1) * s.dh + 1 && s.sw >= (s.kw - 1) * s.dw + 1;
  return s.n == 1 && s.groups == 1 && !s.channels_last && apart && s.w_size() >= kManyWeights && !by_loops(s);
}

bool has_columns_backward_input(const ConvShape& s) {
  const bool one_step = s.sd == 1 && s.sh == 1 && s.sw == 1;
  const bool inside = s.pd <= s.dd * (s.kd - 1) && s.ph <= s.dh * (s.kh - 1) && s.pw <= s.dw * (s.kw - 1);
  return one_step && inside && s.groups == 1;
}

template <class T>
void columns_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx) {
  Scratch<T> memory;
  T* const turned = memory.make(s.oc, s.ic * s.taps()).data;
  turn_weights(s, w, turned);
  ConvShape back = s;
  std::swap(back.ic, back.oc);
  back.id = s.od, back.ih = s.oh, back.iw = s.ow, back.od = s.id, back.oh = s.ih, back.ow = s.iw;
  back.pd = s.dd * (s.kd - 1) - s.pd, back.ph = s.dh * (s.kh - 1) - s.ph, back.pw = s.dw * (s.kw - 1) - s.pw;
  columns_forward<T>(back, gy, turned, nullptr, gx);
}

/// Pieces of as many images as there is room for are one product; their sums are added up in float, in order.
void columns_backward_weight(const ConvShape& s, const BFloat16* gy, const BFloat16* x, BFloat16* gw,
                             const matmul::VecBFloat16& unit) {
  constexpr int64_t kRoom = int64_t{1} << 22;
  const Pieces p(s, kRoom);
  const int64_t room = std::max(p.run, kRoom / p.rows), total = s.n * p.count();
  Scratch<BFloat16> memory;
  Scratch<float> sums_memory;
  BFloat16* const columns = memory.make(p.rows + p.oc, room).data;
  const Matrix<float> sums = sums_memory.make(p.oc, p.rows);
  for (int64_t first = 0, end = 0; first < total; first = end) {
    int64_t depth = 0;
    for (; end < total && (end == first || depth + p.width(end % p.count()) <= room); ++end)
      depth += p.width(end % p.count());
    // One line of the columns, or of gy behind them.
    parallel_for(0, p.rows + p.oc, 1 + 16384 / depth, [&](int64_t from, int64_t to) {
      for (int64_t line = from; line < to; ++line) {
        BFloat16* out = columns + line * depth;
        for (int64_t t = first; t < end; ++t) {
          const int64_t piece = t % p.count(), image = t / p.count();
          if (line < p.rows)
            column_row_of(p, x + p.x_at(image, 0), piece, line, out);
          else
            std::copy_n(gy + p.y_at(image, 0) + (line - p.rows) * p.positions + p.begin(piece), p.width(piece), out);
          out += p.width(piece);
        }
      }
    });
    matmul::bfloat16_sums({.m = p.oc,
                           .n = p.rows,
                           .k = depth,
                           .a = {columns + p.rows * depth, depth, 1},
                           .b = {columns, 1, depth},
                           .init = {},
                           .out = {}},
                          unit, sums, first > 0);
  }
  for (int64_t i = 0; i < s.w_size(); ++i) gw[i] = BFloat16(sums.data[i]);
}

template <class T>
void own_forward(const ConvShape& s, const T* x, const T* w, const T* bias, T* y) {
  if (by_loops(s)) return direct_forward(s, x, w, bias, y);
  if (is_pointwise(s)) return pointwise_forward(s, x, w, bias, y);
  columns_forward(s, x, w, bias, y);
}

template <class T>
void own_backward_input(const ConvShape& s, const T* gy, const T* w, T* gx) {
  if (by_loops(s)) return direct_backward_input(s, gy, w, gx);
  if (is_pointwise(s)) return pointwise_backward_input(s, gy, w, gx);
  const Pieces p(s);
  parallel_for(0, s.n * s.groups, 1, [&](int64_t begin, int64_t end) {
    Scratch<T> memory;
    T* const columns = memory.make(p.rows, p.run).data;
    for (int64_t t = begin; t < end; ++t) {
      const int64_t group = t % s.groups, image = t / s.groups;
      T* const to = gx + p.x_at(image, group);
      std::fill_n(to, p.ic * s.x_channel(), T(0));
      for (int64_t piece = 0; piece < p.count(); ++piece) {
        const int64_t width = p.width(piece);
        matmul::gemm<T>({.m = p.rows,
                         .n = width,
                         .k = p.oc,
                         .a = {w + p.w_at(group), 1, p.rows},
                         .b = {gy + p.y_at(image, group) + p.begin(piece), p.positions, 1},
                         .init = {},
                         .out = {columns, width, 1}});
        add_columns(p, columns, piece, to);
      }
    }
  });
}

template <class T>
void own_backward_weight(const ConvShape& s, const T* gy, const T* x, T* gw) {
  if (by_loops(s)) return direct_backward_weight(s, gy, x, gw);
  if (is_pointwise(s)) return pointwise_backward_weight(s, gy, x, gw);
  const Pieces p(s);
  // The images one after the other, so that each sum is made in one order for any number of threads.
  parallel_for(0, s.groups, 1, [&](int64_t begin, int64_t end) {
    Scratch<T> memory;
    T* const columns = memory.make(p.rows, p.run).data;
    for (int64_t group = begin; group < end; ++group) {
      T* const to = gw + p.w_at(group);
      for (int64_t t = 0; t < s.n * p.count(); ++t) {
        const int64_t piece = t % p.count(), image = t / p.count(), width = p.width(piece);
        columns_of(p, x + p.x_at(image, group), piece, columns);
        matmul::gemm<T>({.m = p.oc,
                         .n = p.rows,
                         .k = width,
                         .a = {gy + p.y_at(image, group) + p.begin(piece), p.positions, 1},
                         .b = {columns, 1, width},
                         .init = {t == 0 ? nullptr : to, p.rows, 1},
                         .out = {to, p.rows, 1}});
      }
    }
  });
}

template void columns_forward(const ConvShape&, const float*, const float*, const float*, float*);
template void columns_forward(const ConvShape&, const BFloat16*, const BFloat16*, const BFloat16*, BFloat16*);
template void columns_backward_input(const ConvShape&, const BFloat16*, const BFloat16*, BFloat16*);
template void own_forward(const ConvShape&, const float*, const float*, const float*, float*);
template void own_backward_input(const ConvShape&, const float*, const float*, float*);
template void own_backward_weight(const ConvShape&, const float*, const float*, float*);

void conv_forward(const ConvShape& s, const double* x, const double* w, const double* bias, double* y) {
  own_forward(s, x, w, bias, y);
}
void conv_backward_input(const ConvShape& s, const double* gy, const double* w, double* gx) {
  own_backward_input(s, gy, w, gx);
}
void conv_backward_weight(const ConvShape& s, const double* gy, const double* x, double* gw) {
  own_backward_weight(s, gy, x, gw);
}

#ifdef STRATA_SLIM
bool is_for_onednn(const ConvShape&) { return false; }
void conv_forward(const ConvShape& s, const float* x, const float* w, const float* bias, float* y) {
  own_forward(s, x, w, bias, y);
}
void conv_backward_input(const ConvShape& s, const float* gy, const float* w, float* gx) {
  own_backward_input(s, gy, w, gx);
}
void conv_backward_weight(const ConvShape& s, const float* gy, const float* x, float* gw) {
  own_backward_weight(s, gy, x, gw);
}
#endif

}  // namespace strata::cpu::conv
