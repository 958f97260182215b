// Pooling kernels: plane by plane, with the windows of a plane worked out once per call.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/pool/vec_pool.h"
#include "kernels/pool_window.h"
#include "ops/cast_def.h"
#include "ops/pool_def.h"

namespace strata::cpu::pool {
namespace {

using Window = strata::Window<int64_t>;

std::vector<Window> windows(const WindowDim<int64_t>& d) {
  std::vector<Window> all(d.out);
  for (int64_t o = 0; o < d.out; ++o) all[o] = d.at(o);
  return all;
}

/// All windows of a plane.
struct Windows {
  explicit Windows(const PoolParams& p) : Windows(window_rows<int64_t>(p), window_cols<int64_t>(p)) {}
  Windows(const WindowDim<int64_t>& r, const WindowDim<int64_t>& c)
      : rows(windows(r)), cols(windows(c)), row_step(r.step()), col_step(c.step()) {}
  std::vector<Window> rows, cols;
  int64_t row_step, col_step;
};

/// Calls f(plane) for each of them, some planes per task.
template <class F>
void for_each_plane(const Tensor& t, F f) {
  const int64_t plane = t.size(-2) * t.size(-1), planes = plane ? t.numel() / plane : 0;
  parallel_for(0, planes, 1 + 16384 / (plane + 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) f(i);
  });
}

template <class F>
void visit_float_or_double(const Tensor& t, const char* op, F&& f) {
  if (t.dtype() == kFloat) return f.template operator()<float>();
  STRATA_CHECK(t.dtype() == kDouble, "{}: no kernel for {}", op, name(t.dtype()));
  f.template operator()<double>();
}

template <class T>
void max_of_window(const T* x, int64_t width, const Windows& all, const Window& r, const Window& c, T* out,
                   int64_t* index) {
  T best = -std::numeric_limits<T>::infinity();
  const bool outside = r.begin >= r.end || c.begin >= c.end;
  int64_t at = outside ? kNowhere : r.begin * width + c.begin;
  for (int64_t h = r.begin; h < r.end; h += all.row_step) {
    for (int64_t w = c.begin; w < c.end; w += all.col_step) {
      const T v = x[h * width + w];
      if (v > best || std::isnan(v)) best = v, at = h * width + w;
    }
  }
  *out = best;
  if (index) *index = at;
}

/// The windows of a row of the output that lie inside the input's columns, and the places of their elements.
class RowOfWindows {
 public:
  RowOfWindows(const PoolParams& p, const Windows& all)
      : p_(p),
        all_(all),
        first_((p.pw + p.sw - 1) / p.sw),
        end_(std::min(p.ow, (p.iw - 1 + p.pw - (p.kw - 1) * p.dw) / p.sw + 1)) {
    if (p.iw - 1 + p.pw < (p.kw - 1) * p.dw) end_ = 0;
  }

  /// Calls f(row, first window) for those of the windows `r` that lie inside, and g(window) for the others.
  template <class F, class G>
  void visit(const Window& r, F f, G g) {
    const bool has_inside = first_ < end_ && r.begin < r.end;
    const int64_t first = has_inside ? first_ : p_.ow, end = has_inside ? end_ : p_.ow;
    for (int64_t o = 0; o < first; ++o) g(o);
    for (int64_t o = end; o < p_.ow; ++o) g(o);
    if (!has_inside) return;
    taps_.clear();
    for (int64_t h = r.begin; h < r.end; h += all_.row_step)
      for (int64_t k = 0; k < p_.kw; ++k) taps_.push_back(h * p_.iw + k * p_.dw);
    f(WindowRow{taps_.data(), static_cast<int64_t>(taps_.size()), p_.sw, end - first}, first);
  }
  /// Where the first element of window `o` of a row would stand in it.
  int64_t start(int64_t o) const { return o * p_.sw - p_.pw; }

 private:
  const PoolParams& p_;
  const Windows& all_;
  int64_t first_, end_;
  std::vector<int64_t> taps_;
};

/// The maxima of a plane, row by row; `index` may be null.
template <class T>
void max_of_plane(RowOfWindows& row, const Windows& all, const PoolParams& p, const T* x, T* out, int64_t* index) {
  for (const Window& r : all.rows) {
    row.visit(
        r,
        [&](const WindowRow& inside, int64_t o) {
          vec_pool<T>().max_row(x + row.start(o), inside, row.start(o), out + o, index ? index + o : nullptr);
        },
        [&](int64_t o) { max_of_window(x, p.iw, all, r, all.cols[o], out + o, index ? index + o : nullptr); });
    out += p.ow;
    if (index) index += p.ow;
  }
}

/// The windows of the fast loop.
bool is_2x2(const Tensor& x, const PoolParams& p) {
  const bool windows = !p.adaptive && p.kh == 2 && p.kw == 2 && p.sh == 2 && p.sw == 2 && p.dh == 1 && p.dw == 1;
  const bool inside = p.ph == 0 && p.pw == 0 && 2 * p.oh <= p.ih && 2 * p.ow <= p.iw;
  return windows && inside && x.dtype() == kFloat && p.ih * p.iw < std::numeric_limits<int32_t>::max();
}

/// `index` may be null.
void max_of_planes(const Tensor& out, int64_t* index, const Tensor& x, const PoolParams& p) {
  const int64_t in_plane = p.ih * p.iw, out_plane = p.oh * p.ow;
  const auto places = [=](int64_t i) { return index ? index + i * out_plane : nullptr; };
  if (index && is_2x2(x, p)) {
    return for_each_plane(x, [&, y = out.data_ptr<float>(), data = x.data_ptr<float>()](int64_t i) {
      max_pool_2x2(data + i * in_plane, p.iw, p.oh, p.ow, y + i * out_plane, places(i));
    });
  }
  const Windows all(p);
  visit_float_or_double(x, "max_pool", [&]<class T>() {
    T* y = out.data_ptr<T>();
    const T* data = x.data_ptr<T>();
    if (p.adaptive || in_plane >= std::numeric_limits<int32_t>::max()) {
      return for_each_plane(x, [&](int64_t i) {
        for (int64_t o = 0; o < out_plane; ++o)
          max_of_window(data + i * in_plane, p.iw, all, all.rows[o / p.ow], all.cols[o % p.ow], y + i * out_plane + o,
                        index ? places(i) + o : nullptr);
      });
    }
    for_each_plane(x, [&](int64_t i) {
      RowOfWindows row(p, all);
      max_of_plane(row, all, p, data + i * in_plane, y + i * out_plane, places(i));
    });
  });
}

void max_pool_cpu(Tensors& out, Args in, const PoolParams& p) {
  max_of_planes(out[0], out[1].data_ptr<int64_t>(), in[0], p);
}
void max_pool_values_cpu(Tensors& out, Args in, const PoolParams& p) { max_of_planes(out[0], nullptr, in[0], p); }

/// Is there a position, which has to be one of a plane of so many elements?
bool is_somewhere(int64_t position, int64_t elements, const char* op) {
  if (position == kNowhere) return false;
  STRATA_CHECK_INDEX(position >= 0 && position < elements, "{}: position {} is outside of a plane of {} elements", op,
                     position, elements);
  return true;
}

void max_pool_scatter_cpu(Tensors& out, Args in, const PoolParams& p) {
  const Tensor &g = in[0], &index = in[1];
  const int64_t in_plane = p.ih * p.iw, out_plane = p.oh * p.ow;
  visit_float_or_double(g, "max_pool_scatter", [&]<class T>() {
    for_each_plane(out[0], [&, to = out[0].data_ptr<T>(), from = g.data_ptr<T>()](int64_t i) {
      const int64_t* const at = index.data_ptr<int64_t>() + i * out_plane;
      T* const plane = to + i * in_plane;
      const T* const grad = from + i * out_plane;
      std::memset(plane, 0, in_plane * sizeof(T));
      for (int64_t o = 0; o < out_plane; ++o)
        if (is_somewhere(at[o], in_plane, "max_pool_scatter")) plane[at[o]] += grad[o];
    });
  });
}

void max_pool_gather_cpu(Tensors& out, Args in, const PoolParams& p) {
  const Tensor &x = in[0], &index = in[1];
  const int64_t in_plane = p.ih * p.iw, out_plane = p.oh * p.ow;
  visit_float_or_double(x, "max_pool_gather", [&]<class T>() {
    for_each_plane(out[0], [&, to = out[0].data_ptr<T>(), from = x.data_ptr<T>()](int64_t i) {
      const int64_t* at = index.data_ptr<int64_t>() + i * out_plane;
      for (int64_t o = 0; o < out_plane; ++o)
        to[i * out_plane + o] = is_somewhere(at[o], in_plane, "max_pool_gather") ? from[i * in_plane + at[o]] : T(0);
    });
  });
}

template <class T>
T divisor(const AvgPoolParams& p, const Window& r, const Window& c) {
  return window_divisor<T>(p.divisor, p.count_include_pad, r, c);
}

template <class T>
T sum_of_window(const T* x, int64_t width, const Window& r, const Window& c) {
  T sum = 0;
  for (int64_t h = r.begin; h < r.end; ++h)
    for (int64_t w = c.begin; w < c.end; ++w) sum += x[h * width + w];
  return sum;
}

/// The means of a plane, row by row.
template <class T>
void means_of_plane(RowOfWindows& row, const Windows& all, const AvgPoolParams& p, const T* x, T* out) {
  for (const Window& r : all.rows) {
    row.visit(
        r,
        [&](const WindowRow& inside, int64_t o) {
          vec_pool<T>().mean_row(x + row.start(o), inside, divisor<T>(p, r, all.cols[o]), out + o);
        },
        [&](int64_t o) { out[o] = sum_of_window(x, p.iw, r, all.cols[o]) / divisor<T>(p, r, all.cols[o]); });
    out += p.ow;
  }
}

void avg_pool_cpu(Tensors& out, Args in, const AvgPoolParams& p) {
  const Tensor& x = in[0];
  const Windows all(p);
  visit_float_or_double(x, "avg_pool", [&]<class T>() {
    for_each_plane(x, [&, to = out[0].data_ptr<T>(), from = x.data_ptr<T>()](int64_t i) {
      T* y = to + i * p.oh * p.ow;
      if (!p.adaptive) {
        RowOfWindows row(p, all);
        return means_of_plane(row, all, p, from + i * p.ih * p.iw, y);
      }
      for (const Window& r : all.rows)
        for (const Window& c : all.cols) *y++ = sum_of_window(from + i * p.ih * p.iw, p.iw, r, c) / divisor<T>(p, r, c);
    });
  });
}

template <class T>
void add_to_window(T* x, int64_t width, const Window& r, const Window& c, T v) {
  for (int64_t h = r.begin; h < r.end; ++h)
    for (int64_t w = c.begin; w < c.end; ++w) x[h * width + w] += v;
}

/// The gradient of a plane whose windows overlap, by the phases of its columns, as many as the stride: column w is
/// number (w + pw) / sw of phase (w + pw) % sw, so what neighbouring windows add by the same tap lies side by side. The
/// last tap, which is that of the earliest window, comes first: a place's terms are added in the order of the windows.
template <class T>
class PhasedPlane {
 public:
  /// Not with a stride above the window's width, which has phases that no window meets.
  explicit PhasedPlane(const AvgPoolParams& p)
      : p_(p),
        width_((std::max((p.ow - 1) * p.sw + p.kw, p.iw + p.pw) + p.sw - 1) / p.sw),
        phases_(p.ih * p.sw * width_),
        terms_(p.ow),
        row_(p.sw * width_) {}

  void spread(const Windows& all, const T* y, T* x) {
    for (const Window& r : all.rows) {
      for (int64_t o = 0; o < p_.ow; ++o) terms_[o] = *y++ / divisor<T>(p_, r, all.cols[o]);
      for (int64_t h = r.begin; h < r.end; ++h) add_terms(phases_of(h));
    }
    for (int64_t h = 0; h < p_.ih; ++h) join_phases(phases_of(h), x + h * p_.iw);
  }

 private:
  T* phases_of(int64_t h) { return phases_.data() + h * p_.sw * width_; }
  void add_terms(T* phases) const {
    for (int64_t tap = p_.kw - 1; tap >= 0; --tap) {
      T* const to = phases + tap % p_.sw * width_ + tap / p_.sw;
      for (int64_t o = 0; o < p_.ow; ++o) to[o] += terms_[o];
    }
  }
  void join_phases(const T* phases, T* x) {
    constexpr int64_t kMostJoined = 4;
    using U = Moved<T>;
    if (p_.sw == 1) {
      copy_run(x, phases + p_.pw, p_.iw);
    } else if (p_.sw <= kMostJoined) {
      vec_move<U>().join(reinterpret_cast<U*>(row_.data()), reinterpret_cast<const U*>(phases), width_, p_.sw, width_);
      copy_run(x, row_.data() + p_.pw, p_.iw);
    } else {
      for (int64_t w = 0; w < p_.iw; ++w) x[w] = phases[(w + p_.pw) % p_.sw * width_ + (w + p_.pw) / p_.sw];
    }
  }

  const AvgPoolParams& p_;
  int64_t width_;  ///< columns of a phase
  std::vector<T> phases_, terms_, row_;
};

/// Does no place of a dim lie in two of its windows?
bool are_apart(const std::vector<Window>& all) {
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i - 1].end > all[i].begin) return false;
  return true;
}

/// The gradient of a plane whose windows do not overlap: all rows of a row of windows are alike. `row` holds one.
template <class T>
void spread_over_plane(T* x, const Windows& all, const AvgPoolParams& p, const T* y, std::vector<T>& row) {
  for (const Window& r : all.rows) {
    for (const Window& c : all.cols) {
      const T v = T(0) + *y++ / divisor<T>(p, r, c);
      for (int64_t w = c.begin; w < c.end; ++w) row[w] = v;
    }
    for (int64_t h = r.begin; h < r.end; ++h) std::copy_n(row.data(), p.iw, x + h * p.iw);
  }
}

void avg_pool_backward_cpu(Tensors& out, Args in, const AvgPoolParams& p) {
  constexpr int64_t kLongRow = 16;  // windows of a row from which on phases pay
  const Tensor& g = in[0];
  const Windows all(p);
  const bool apart = are_apart(all.rows) && are_apart(all.cols);
  visit_float_or_double(g, "avg_pool_backward", [&]<class T>() {
    for_each_plane(out[0], [&, to = out[0].data_ptr<T>(), from = g.data_ptr<T>()](int64_t i) {
      const T* y = from + i * p.oh * p.ow;
      T* x = to + i * p.ih * p.iw;
      if (!apart && !p.adaptive && p.sw <= p.kw && p.ow >= kLongRow) return PhasedPlane<T>(p).spread(all, y, x);
      std::memset(x, 0, p.ih * p.iw * sizeof(T));
      if (apart) {
        std::vector<T> row(p.iw, T(0));
        return spread_over_plane(x, all, p, y, row);
      }
      for (const Window& r : all.rows)
        for (const Window& c : all.cols) add_to_window(x, p.iw, r, c, *y++ / divisor<T>(p, r, c));
    });
  });
}

/// A kernel for 16-bit floats too, which are pooled in float.
template <auto Kernel>
struct Widened;
template <class P, void (*Kernel)(Tensors&, Args, const P&)>
struct Widened<Kernel> {
  static void run(Tensors& out, Args in, const P& p) {
    const DType type = out[0].dtype();
    if (!is_half16(type)) return RowMajor<Kernel>::run(out, in, p);
    const CastParams to_float{kFloat}, back{type};
    Tensors inputs = Tensors::undefined(in.size()), wide = out;
    for (size_t i = 0; i < in.size(); ++i)
      inputs[i] = is_half16(in[i].dtype()) ? call_backend(cast_op, {&in[i]}, Params::of(to_float))[0] : in[i];
    wide[0] = empty_cpu(out[0].sizes(), kFloat);
    RowMajor<Kernel>::run(wide, ArgList(inputs), p);
    cast_op.kernels[static_cast<int>(Key::CPU)](out, {&wide[0]}, &back);
  }
};

STRATA_KERNEL(max_pool_op, CPU, Widened<max_pool_cpu>::run);
STRATA_KERNEL(max_pool_values_op, CPU, Widened<max_pool_values_cpu>::run);
STRATA_KERNEL(max_pool_scatter_op, CPU, Widened<max_pool_scatter_cpu>::run);
STRATA_KERNEL(max_pool_gather_op, CPU, Widened<max_pool_gather_cpu>::run);
STRATA_KERNEL(avg_pool_op, CPU, Widened<avg_pool_cpu>::run);
STRATA_KERNEL(avg_pool_backward_op, CPU, Widened<avg_pool_backward_cpu>::run);

}  // namespace
}  // namespace strata::cpu::pool
