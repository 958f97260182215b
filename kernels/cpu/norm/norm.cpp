// Normalisation kernels: each slice of `(A, C, S)` by one thread, its sums in an order that the shape alone fixes.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "dispatcher/line_loops.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/norm/vec_norm.h"
#include "ops/norm_def.h"

namespace strata::cpu::norm {
namespace {

/// The geometry of x `(A, C, S)`.
struct Slices {
  int64_t a, c, s;
  Slices(int64_t a, int64_t c, int64_t s) : a(a), c(c), s(s) {}
  explicit Slices(const Tensor& x) : Slices(x.size(0), x.size(1), x.size(2)) {}
  double count() const { return static_cast<double>(a * s); }
  int64_t at(int64_t i, int64_t slice) const { return (i * c + slice) * s; }
  int64_t grain() const { return 1 + 16384 / (a * s + 1); }
  /// Does x outgrow the caches of one core, so that its rows are better asked for ahead?
  bool is_large() const { return a * c * s > int64_t{1} << 18; }
};

template <class T>
T rstd_of(T var, double eps) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(var) + eps));
}

/// From the means of x - m and (x - m)^2, where m is the mean but for rounding: what is left of it is taken out again.
template <class T>
T variance(double rest, double squares) {
  const double v = squares - rest * rest;
  return static_cast<T>(v < 0 ? 0 : v);
}

/// One pass around a guess, the mean of the first values; where that is more than half a deviation off, so that digits
/// would cancel, another around the mean.
template <class T>
void statistics(const Slices& n, const T* x, int64_t slice, T* mean, T* var) {
  constexpr int64_t kGuess = 64;
  const VecNorm<T>& vec = vec_norm<T>();
  const auto moments_around = [&](T shift) {
    std::array<double, 2> sums{};
    for (int64_t i = 0; i < n.a; ++i) vec.moments(x + n.at(i, slice), n.s, shift, sums.data());
    return std::array{sums[0] / n.count(), sums[1] / n.count()};
  };
  double first[2] = {};
  const int64_t some = n.a > 0 ? std::min(n.s, kGuess) : 0;
  if (some > 0) vec.moments(x + n.at(0, slice), some, T(0), first);
  const T guess = some > 0 ? static_cast<T>(first[0] / static_cast<double>(some)) : T(0);
  std::array<double, 2> m = moments_around(guess);
  *mean = static_cast<T>(static_cast<double>(guess) + m[0]);
  const bool is_close = m[0] * m[0] <= m[1] / 5;  // m[1] is the variance and the square of m[0]
  if (!is_close) m = moments_around(*mean);
  *var = variance<T>(m[0], m[1]);
}

template <class T>
const T* data_or_null(const Tensor& t) {
  return t.defined() ? t.data_ptr<T>() : nullptr;
}

/// Slices of one value per row, as in `(N, C)`: some neighbouring slices per task, their rows read as they lie.
///
/// Sums join in T over 64 rows, then in double.
template <class T>
class Columns {
 public:
  static constexpr int64_t kMost = 128, kRows = 64;
  Columns(const Slices& n, int64_t begin, int64_t end) : n_(n), begin_(begin), width_(end - begin) {}

  /// Calls add(offset of a row's values, a, b) for each row and leaves the sums of a and b.
  template <class F>
  void sum(double* first, double* second, F add) const {
    std::fill_n(first, width_, 0.0);
    std::fill_n(second, width_, 0.0);
    for (int64_t from = 0; from < n_.a; from += kRows) {
      T a[kMost] = {}, b[kMost] = {};
      for (int64_t i = from; i < std::min(n_.a, from + kRows); ++i) add(n_.at(i, begin_), a, b);
      for (int64_t j = 0; j < width_; ++j)
        first[j] += static_cast<double>(a[j]), second[j] += static_cast<double>(b[j]);
    }
  }

  void normalize(const T* x, T* y, T* mean, T* var, const T* w, const T* b, double eps) const {
    double first[kMost], second[kMost];
    T zero[kMost] = {}, scale[kMost], shift[kMost];
    const VecNorm<T>& vec = vec_norm<T>();
    sum(first, second, [&](int64_t at, T* p, T* q) { vec.row_moments(x + at, width_, zero, p, q); });
    for (int64_t j = 0; j < width_; ++j) mean[begin_ + j] = static_cast<T>(first[j] / n_.count());
    sum(first, second, [&](int64_t at, T* p, T* q) { vec.row_moments(x + at, width_, mean + begin_, p, q); });
    for (int64_t j = 0; j < width_; ++j) {
      const int64_t c = begin_ + j;
      var[c] = variance<T>(first[j] / n_.count(), second[j] / n_.count());
      scale[j] = rstd_of(var[c], eps) * (w ? w[c] : T(1));
      shift[j] = b ? b[c] : T(0);
    }
    for (int64_t i = 0; i < n_.a; ++i)
      vec.row_apply(x + n_.at(i, begin_), y + n_.at(i, begin_), width_, mean + begin_, scale, shift);
  }

  void gradient(const T* g, const T* x, T* gx, const T* mean, const T* rstd, const T* w, T* gw, T* gb) const {
    double first[kMost], second[kMost];
    T u[kMost], v[kMost], scale[kMost];
    const VecNorm<T>& vec = vec_norm<T>();
    sum(first, second, [&](int64_t at, T* p, T* q) { vec.row_products(g + at, x + at, width_, mean + begin_, p, q); });
    for (int64_t j = 0; j < width_; ++j) {
      const double r = static_cast<double>(rstd[begin_ + j]);
      gb[begin_ + j] = static_cast<T>(first[j]);
      gw[begin_ + j] = static_cast<T>(second[j] * r);
      u[j] = static_cast<T>(first[j] / n_.count());
      v[j] = static_cast<T>(second[j] / n_.count() * r * r);
      scale[j] = rstd[begin_ + j] * (w ? w[begin_ + j] : T(1));
    }
    for (int64_t i = 0; i < n_.a; ++i) {
      const int64_t at = n_.at(i, begin_);
      vec.row_gradient(g + at, x + at, gx + at, width_, mean + begin_, scale, u, v);
    }
  }

 private:
  Slices n_;
  int64_t begin_, width_;
};

/// Calls f(columns) for all slices.
template <class T, class F>
void for_columns(const Slices& n, F f) {
  const int64_t blocks = (n.c + Columns<T>::kMost - 1) / Columns<T>::kMost;
  parallel_for(0, blocks, 1 + 16384 / (n.a * Columns<T>::kMost + 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      f(Columns<T>(n, i * Columns<T>::kMost, std::min(n.c, (i + 1) * Columns<T>::kMost)));
  });
}

/// The channels of x `(1, samples * groups, S)`, each a run of values.
struct Channels {
  int64_t groups, each, run;  ///< channels of a group, values of a channel
  Channels(const Slices& n, const NormalizeParams& p)
      : groups(p.groups), each(p.channels / p.groups), run(n.s / (p.channels / p.groups)) {}
  /// The first channel of a slice, within its sample.
  int64_t first(int64_t slice) const { return slice % groups * each; }
};

template <class T>
void normalize_group(const Slices& n, const Channels& k, int64_t slice, const T* x, T* y, T mean, T rstd, const T* w,
                     const T* b) {
  for (int64_t i = 0; i < k.each; ++i) {
    const int64_t at = n.at(0, slice) + i * k.run, channel = k.first(slice) + i;
    vec_norm<T>().apply_uniform(x + at, y + at, k.run, mean, w ? rstd * w[channel] : rstd, b ? b[channel] : T(0));
  }
}

/// The raw arrays of a forward call; weight and bias may be null.
template <class T>
struct Forward {
  Slices n;
  const T *x, *w, *b;
  T *y, *mean, *var;
  bool per_element(const NormalizeParams& p) const { return p.affine_dim == 2 && (w || b); }
};

template <class T>
void normalize_slice(const Forward<T>& t, const NormalizeParams& p, int64_t c) {
  const VecNorm<T>& vec = vec_norm<T>();
  statistics(t.n, t.x, c, t.mean + c, t.var + c);
  const T r = rstd_of(t.var[c], p.eps), mean = t.mean[c];
  if (p.channels > 0) return normalize_group(t.n, Channels(t.n, p), c, t.x, t.y, mean, r, t.w, t.b);
  for (int64_t i = 0; i < t.n.a; ++i) {
    const int64_t at = t.n.at(i, c);
    if (t.per_element(p))
      vec.apply(t.x + at, t.y + at, t.n.s, mean, r, t.w, t.b, t.n.is_large());
    else
      vec.apply_uniform(t.x + at, t.y + at, t.n.s, mean, t.w ? r * t.w[c] : r, t.b ? t.b[c] : T(0));
  }
}

template <class T>
void normalize(const Forward<T>& t, const NormalizeParams& p) {
  if (t.n.s == 1 && !t.per_element(p) && p.channels == 0)
    return for_columns<T>(t.n, [&](const Columns<T>& c) { c.normalize(t.x, t.y, t.mean, t.var, t.w, t.b, p.eps); });
  parallel_for(0, t.n.c, t.n.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) normalize_slice(t, p, c);
  });
}

/// Slices that are rows, whose weight and bias are those of all.
template <class T>
void normalize_lines(const dispatch::LineArgs& a) {
  const auto in = [&](size_t k) { return static_cast<const T*>(a.in[k]); };
  const auto out = [&](size_t k) { return static_cast<T*>(a.out[k]); };
  const Forward<T> t{{1, a.lines, a.length}, in(0), in(1), in(2), out(0), out(1), out(2)};
  for (int64_t c = 0; c < a.lines; ++c) normalize_slice(t, *static_cast<const NormalizeParams*>(a.params), c);
}

dispatch::LineLoop lines_of(Args in, const void* params) {
  using enum dispatch::LineOperand;
  const Slices n(in[0]);
  const auto& p = *static_cast<const NormalizeParams*>(params);
  const bool has_affine = in[1].defined() || in[2].defined();
  for (size_t k : {1, 2})
    if (in[k].defined() && in[k].dtype() != in[0].dtype()) return {};
  if (n.a != 1 || p.channels != 0 || (has_affine ? p.affine_dim != 2 : n.s == 1)) return {};
  dispatch::LineLoop loop{nullptr, n.s, {elements, shared, shared}, {elements, value, value}};
  if (in[0].dtype() == kFloat) loop.run = &normalize_lines<float>;
  if (in[0].dtype() == kDouble) loop.run = &normalize_lines<double>;
  return loop;
}
const dispatch::LineLoopRegistrar normalized_lines(normalize_op, &lines_of);

template <class F>
void visit_float_or_double(const Tensor& t, const char* op, F&& f) {
  if (t.dtype() == kFloat) return f.template operator()<float>();
  STRATA_CHECK(t.dtype() == kDouble, "{}: no kernel for {}", op, name(t.dtype()));
  f.template operator()<double>();
}

/// Runs `kernel` on a float x and g where they are 16-bit; their statistics, weights and their gradients are in float.
template <void (*Kernel)(Tensors&, Args, const NormalizeParams&)>
void in_float(Tensors& out, Args in, const NormalizeParams& p) {
  if (!is_half16(out[0].dtype())) return Kernel(out, in, p);
  Tensors inputs = Tensors::undefined(in.size()), wide = out;
  for (size_t i = 0; i < in.size(); ++i)
    inputs[i] = in[i].defined() && is_half16(in[i].dtype()) ? widened(in[i]) : in[i];
  wide[0] = empty_cpu(out[0].sizes(), kFloat);
  Kernel(wide, ArgList(inputs), p);
  narrow_into(out[0], wide[0]);
}

void normalize_cpu(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor& x = in[0];
  visit_float_or_double(x, "normalize", [&]<class T>() {
    normalize<T>({Slices(x), x.data_ptr<T>(), data_or_null<T>(in[1]), data_or_null<T>(in[2]), out[0].data_ptr<T>(),
                  out[1].data_ptr<T>(), out[2].data_ptr<T>()},
                 p);
  });
}

/// The raw arrays of a backward call.
template <class T>
struct Gradients {
  Slices n;
  const T *g, *x, *mean, *rstd, *w;
  T *gx, *gw, *gb;
};

/// Sums of g * w and of g * w * (x - mean) over one slice; `w` may be null.
template <class T>
struct SliceSums {
  SliceSums(const Gradients<T>& t, int64_t c, const T* w) {
    for (int64_t i = 0; i < t.n.a; ++i) {
      const int64_t at = t.n.at(i, c);
      vec_norm<T>().products(t.g + at, w, t.x + at, t.n.s, t.mean[c], sums);
    }
    const double r = static_cast<double>(t.rstd[c]);
    first = static_cast<T>(sums[0] / t.n.count());
    second = static_cast<T>(sums[1] / t.n.count() * r * r);
  }
  double sums[2] = {};
  T first, second;  ///< the means of g * w and of g * w * h, the latter as a factor of x - mean
};

/// gx = rstd * (g * w - mean(g * w) - h * mean(g * w * h)) over one slice, w being one number.
template <class T>
void slice_gradient(const Gradients<T>& t, int64_t c) {
  const T r = t.rstd[c];
  const SliceSums<T> s(t, c, nullptr);
  t.gb[c] = static_cast<T>(s.sums[0]);
  t.gw[c] = static_cast<T>(s.sums[1] * static_cast<double>(r));
  for (int64_t i = 0; i < t.n.a; ++i) {
    const int64_t at = t.n.at(i, c);
    vec_norm<T>().gradient(t.g + at, T(1), t.x + at, t.gx + at, t.n.s, t.mean[c], t.w ? r * t.w[c] : r, s.first,
                           s.second);
  }
}

/// The same for a group, w having an element per channel; leaves the channels' sums of g and of g * (x - mean) * rstd.
template <class T>
void group_gradient(const Gradients<T>& t, const Channels& k, int64_t c, double* sums) {
  const VecNorm<T>& vec = vec_norm<T>();
  const T r = t.rstd[c], *const w = t.w ? t.w + k.first(c) : nullptr;
  const double rstd = static_cast<double>(r);
  const auto weight = [w](int64_t i) { return w ? w[i] : T(1); };
  double first = 0, second = 0;
  for (int64_t i = 0; i < k.each; ++i) {
    double* const s = sums + 2 * i;
    const int64_t at = t.n.at(0, c) + i * k.run;
    s[0] = s[1] = 0;
    vec.products(t.g + at, nullptr, t.x + at, k.run, t.mean[c], s);
    s[1] *= rstd;
    first += s[0] * static_cast<double>(weight(i));
    second += s[1] * static_cast<double>(weight(i));
  }
  const T u = static_cast<T>(first / t.n.count()), v = static_cast<T>(second / t.n.count() * rstd);
  for (int64_t i = 0; i < k.each; ++i) {
    const int64_t at = t.n.at(0, c) + i * k.run;
    vec.gradient(t.g + at, weight(i), t.x + at, t.gx + at, k.run, t.mean[c], r, u, v);
  }
}

/// Weight and bias per channel of groups: sums of every slice, then over the samples in order.
template <class T>
void group_gradients(const Gradients<T>& t, const NormalizeParams& p) {
  const Channels k(t.n, p);
  std::vector<double> sums(static_cast<size_t>(2 * t.n.c * k.each));
  parallel_for(0, t.n.c, t.n.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) group_gradient(t, k, c, sums.data() + 2 * c * k.each);
  });
  for (int64_t channel = 0; channel < p.channels; ++channel) {
    double gb = 0, gw = 0;
    for (int64_t at = channel; at < t.n.c * k.each; at += p.channels) {
      gb += sums[static_cast<size_t>(2 * at)];
      gw += sums[static_cast<size_t>(2 * at + 1)];
    }
    t.gw[channel] = static_cast<T>(gw);
    t.gb[channel] = static_cast<T>(gb);
  }
}

/// The same with an element of w for each element of a run; adds the slices' parts of the gradients of weight and bias.
template <class T>
void element_slice_gradients(const Gradients<T>& t, int64_t begin, int64_t end, T* gw, T* gb) {
  RowScale<T> scales[kRowsTogether];
  for (int64_t c = begin; c < end; c += kRowsTogether) {
    const int64_t rows = std::min(kRowsTogether, end - c);
    for (int64_t row = 0; row < rows; ++row) {
      const SliceSums<T> s(t, c + row, t.w);
      scales[row] = {t.mean[c + row], t.rstd[c + row], s.first, s.second};
    }
    for (int64_t i = 0; i < t.n.a; ++i) {
      const int64_t at = t.n.at(i, c);
      vec_norm<T>().gradient_affine(t.g + at, t.w, t.x + at, t.gx + at, t.n.s, scales, rows, gw, gb, t.n.is_large());
    }
  }
}

/// Weight and bias along S: slices in at most 16 parts, each with sums of its own that are added in order.
template <class T>
void element_gradients(const Gradients<T>& t) {
  constexpr int64_t kParts = 16;
  const int64_t s = t.n.s, per_part = std::max<int64_t>((t.n.c + kParts - 1) / kParts, t.n.grain());
  const int64_t parts = (t.n.c + per_part - 1) / per_part;
  std::vector<T> sums(static_cast<size_t>(2 * s * parts));
  parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* gw = sums.data() + 2 * s * part;
      element_slice_gradients(t, part * per_part, std::min(t.n.c, (part + 1) * per_part), gw, gw + s);
    }
  });
  std::fill_n(t.gw, s, T(0));
  std::fill_n(t.gb, s, T(0));
  for (int64_t part = 0; part < parts; ++part) {
    const T* gw = sums.data() + 2 * s * part;
    for (int64_t j = 0; j < s; ++j) t.gw[j] += gw[j], t.gb[j] += gw[s + j];
  }
}

void normalize_backward_cpu(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor &g = in[0], &x = in[1], &mean = in[2], &rstd = in[3], &w = in[4];
  visit_float_or_double(g, "normalize_backward", [&]<class T>() {
    const Gradients<T> t{Slices(x),           g.data_ptr<T>(),    x.data_ptr<T>(),      mean.data_ptr<T>(),
                         rstd.data_ptr<T>(),  data_or_null<T>(w), out[0].data_ptr<T>(), out[1].data_ptr<T>(),
                         out[2].data_ptr<T>()};
    if (p.channels > 0) return group_gradients(t, p);
    if (p.affine_dim == 2) return element_gradients(t);
    if (t.n.s == 1)
      return for_columns<T>(t.n,
                            [&](const Columns<T>& c) { c.gradient(t.g, t.x, t.gx, t.mean, t.rstd, t.w, t.gw, t.gb); });
    parallel_for(0, t.n.c, t.n.grain(), [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) slice_gradient(t, c);
    });
  });
}

STRATA_KERNEL(normalize_op, CPU, RowMajor<in_float<normalize_cpu>>::run);
STRATA_KERNEL(normalize_backward_op, CPU, RowMajor<in_float<normalize_backward_cpu>>::run);

}  // namespace
}  // namespace strata::cpu::norm
