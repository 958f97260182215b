// Normalisation kernels: each slice of `(A, C, S)` by one thread, its sums in fixed lanes and chunks.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/dense.h"
#include "ops/norm_def.h"

namespace strata::cpu {
namespace {

/// Sums of two terms over [0, n): 16 lanes of T that join a double every 4096 elements, so bits depend on n alone.
template <class T>
struct Sums {
  static constexpr int64_t kLanes = 16, kChunk = 4096;
  double first = 0, second = 0;

  /// `term(i)` gives the two addends of element i.
  template <class F>
  void add(int64_t n, F term) {
    for (int64_t begin = 0; begin < n; begin += kChunk) add_chunk(begin, std::min(n, begin + kChunk), term);
  }

 private:
  template <class F>
  void add_chunk(int64_t begin, int64_t end, F term) {
    T a[kLanes] = {}, b[kLanes] = {};
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes)
      for (int64_t j = 0; j < kLanes; ++j) {
        const auto [u, v] = term(i + j);
        a[j] += u, b[j] += v;
      }
    for (; i < end; ++i) {
      const auto [u, v] = term(i);
      first += u, second += v;
    }
    for (int64_t j = 0; j < kLanes; ++j) first += a[j], second += b[j];
  }
};

template <class T>
struct Terms {
  T a, b;
};

/// The geometry of x `(A, C, S)`.
struct Slices {
  int64_t a, c, s;
  explicit Slices(const Tensor& x) : a(x.size(0)), c(x.size(1)), s(x.size(2)) {}
  double count() const { return static_cast<double>(a * s); }
  int64_t at(int64_t i, int64_t slice) const { return (i * c + slice) * s; }
  int64_t grain() const { return 1 + 16384 / (a * s + 1); }
};

template <class T>
void statistics(const Slices& n, const T* x, int64_t slice, T* mean, T* var) {
  Sums<T> sum, squares;
  for (int64_t i = 0; i < n.a; ++i) {
    const T* run = x + n.at(i, slice);
    sum.add(n.s, [run](int64_t j) { return Terms<T>{run[j], 0}; });
  }
  const T m = static_cast<T>(sum.first / n.count());
  for (int64_t i = 0; i < n.a; ++i) {
    const T* run = x + n.at(i, slice);
    squares.add(n.s, [run, m](int64_t j) { return Terms<T>{(run[j] - m) * (run[j] - m), run[j] - m}; });
  }
  // What rounding left of the mean is taken out again.
  const double rest = squares.second / n.count();
  *mean = m;
  *var = static_cast<T>(std::max(0.0, squares.first / n.count() - rest * rest));
  if (std::isnan(squares.first)) *var = static_cast<T>(squares.first);
}

template <class T>
T rstd_of(T var, double eps) {
  return static_cast<T>(1 / std::sqrt(static_cast<double>(var) + eps));
}

template <class T>
const T* data_or_null(const Tensor& t) {
  return t.defined() ? t.data_ptr<T>() : nullptr;
}

/// y = (x - mean) * scale, times and plus the elements' own weight and bias.
template <class T>
void write_elements(const T* x, T* y, int64_t n, T mean, T scale, const T* w, const T* b) {
  if (w && b) {
    for (int64_t j = 0; j < n; ++j) y[j] = (x[j] - mean) * scale * w[j] + b[j];
    return;
  }
  for (int64_t j = 0; j < n; ++j) y[j] = (x[j] - mean) * scale * (w ? w[j] : T(1)) + (b ? b[j] : T(0));
}

template <class T>
void write_run(const T* x, T* y, int64_t n, T mean, T scale, T shift) {
  for (int64_t j = 0; j < n; ++j) y[j] = (x[j] - mean) * scale + shift;
}

template <class T>
void normalize(Tensors& out, const Tensor& x, const T* w, const T* b, const NormalizeParams& p) {
  const Slices n(x);
  const T* in = x.data_ptr<T>();
  T *y = out[0].data_ptr<T>(), *mean = out[1].data_ptr<T>(), *var = out[2].data_ptr<T>();
  const bool per_element = p.affine_dim == 2 && (w || b);
  parallel_for(0, n.c, n.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      statistics(n, in, c, mean + c, var + c);
      const T r = rstd_of(var[c], p.eps);
      for (int64_t i = 0; i < n.a; ++i) {
        const int64_t at = n.at(i, c);
        if (per_element)
          write_elements(in + at, y + at, n.s, mean[c], r, w, b);
        else
          write_run(in + at, y + at, n.s, mean[c], w ? r * w[c] : r, b ? b[c] : T(0));
      }
    }
  });
}

template <class F>
void visit_float_or_double(const Tensor& t, const char* op, F&& f) {
  if (t.dtype() == kFloat) return f.template operator()<float>();
  STRATA_CHECK(t.dtype() == kDouble, "{}: no kernel for {}", op, name(t.dtype()));
  f.template operator()<double>();
}

void normalize_cpu(Tensors& out, Args in, const NormalizeParams& p) {
  const Tensor &x = in[0], &w = in[1], &b = in[2];
  visit_float_or_double(x, "normalize",
                        [&]<class T>() { normalize<T>(out, x, data_or_null<T>(w), data_or_null<T>(b), p); });
}

/// The raw arrays of a backward call.
template <class T>
struct Gradients {
  Slices n;
  const T *g, *x, *mean, *rstd, *w;
  T *gx, *gw, *gb;
};

/// gx = rstd * (g * w - mean(g * w) - h * mean(g * w * h)) over one slice, w being one number.
template <class T>
void slice_gradient(const Gradients<T>& t, int64_t c) {
  const Slices& n = t.n;
  const T m = t.mean[c], r = t.rstd[c];
  Sums<T> sums;
  for (int64_t i = 0; i < n.a; ++i) {
    const T *g = t.g + n.at(i, c), *x = t.x + n.at(i, c);
    sums.add(n.s, [g, x, m](int64_t j) { return Terms<T>{g[j], g[j] * (x[j] - m)}; });
  }
  t.gb[c] = static_cast<T>(sums.first);
  t.gw[c] = static_cast<T>(sums.second * r);
  const T scale = t.w ? r * t.w[c] : r, first = static_cast<T>(sums.first / n.count());
  const T second = static_cast<T>(sums.second / n.count() * r * r);
  for (int64_t i = 0; i < n.a; ++i) {
    const T *g = t.g + n.at(i, c), *x = t.x + n.at(i, c);
    T* gx = t.gx + n.at(i, c);
    for (int64_t j = 0; j < n.s; ++j) gx[j] = scale * (g[j] - first - (x[j] - m) * second);
  }
}

/// The same over one run, w having an element each; adds the run's part of the gradients of weight and bias.
template <class T>
void run_gradient(const Gradients<T>& t, int64_t c, int64_t at, const Terms<T>& means, T* gw, T* gb) {
  const T m = t.mean[c], r = t.rstd[c], first = means.a, second = means.b;
  const T *g = t.g + at, *x = t.x + at, *w = t.w;
  T* gx = t.gx + at;
  if (w) {
    for (int64_t j = 0; j < t.n.s; ++j) gx[j] = r * (g[j] * w[j] - first - (x[j] - m) * second);
  } else {
    for (int64_t j = 0; j < t.n.s; ++j) gx[j] = r * (g[j] - first - (x[j] - m) * second);
  }
  for (int64_t j = 0; j < t.n.s; ++j) gw[j] += g[j] * ((x[j] - m) * r), gb[j] += g[j];
}

template <class T>
void element_slice_gradient(const Gradients<T>& t, int64_t c, T* gw, T* gb) {
  const Slices& n = t.n;
  const T m = t.mean[c], r = t.rstd[c], *w = t.w;
  Sums<T> sums;
  for (int64_t i = 0; i < n.a; ++i) {
    const T *g = t.g + n.at(i, c), *x = t.x + n.at(i, c);
    if (w)
      sums.add(n.s, [=](int64_t j) { return Terms<T>{g[j] * w[j], g[j] * w[j] * (x[j] - m)}; });
    else
      sums.add(n.s, [=](int64_t j) { return Terms<T>{g[j], g[j] * (x[j] - m)}; });
  }
  const Terms<T> means{static_cast<T>(sums.first / n.count()), static_cast<T>(sums.second / n.count() * r * r)};
  for (int64_t i = 0; i < n.a; ++i) run_gradient(t, c, n.at(i, c), means, gw, gb);
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
      for (int64_t c = part * per_part; c < std::min(t.n.c, (part + 1) * per_part); ++c)
        element_slice_gradient(t, c, gw, gw + s);
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
    if (p.affine_dim == 2) return element_gradients(t);
    parallel_for(0, t.n.c, t.n.grain(), [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) slice_gradient(t, c);
    });
  });
}

STRATA_KERNEL(normalize_op, CPU, RowMajor<normalize_cpu>::run);
STRATA_KERNEL(normalize_backward_op, CPU, RowMajor<normalize_backward_cpu>::run);

}  // namespace
}  // namespace strata::cpu
