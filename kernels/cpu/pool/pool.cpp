// Pooling kernels: plane by plane, with the windows of a plane worked out once per call.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/call.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/elementwise.h"
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
  *index = at;
}

/// Lets every output of a row meet one tap: the input at `o * step + offset` of `x`, for outputs [begin, end).
template <int64_t kStep, class T, class I>
void meet_tap(const T* x, int64_t step, int64_t offset, int64_t begin, int64_t end, I first, T* best, I* at) {
  if constexpr (kStep != 0) step = kStep;
  for (int64_t o = begin; o < end; ++o) {
    const T v = x[o * step + offset];
    const bool wins = (v > best[o]) | (v != v);
    best[o] = wins ? v : best[o];
    at[o] = wins ? static_cast<I>(first + static_cast<I>(o * step)) : at[o];
  }
}

/// The maxima of a plane, row by row: all outputs of a row meet the same tap together, which vectorizes.
template <class T, class I>
class RowPool {
 public:
  RowPool(const PoolParams& p, const Windows& all)
      : p_(p),
        all_(all),
        first_tap_(std::max<int64_t>(0, p.pw - (p.ow - 1) * p.sw) / p.dw),
        end_tap_(std::min(p.kw, (p.iw + p.pw - 1) / p.dw + 1)),
        best_(p.ow),
        at_(p.ow) {}

  void plane(const T* x, T* out, int64_t* index) {
    for (int64_t h = 0; h < p_.oh; ++h) {
      row(x, all_.rows[h]);
      std::copy_n(best_.data(), p_.ow, out + h * p_.ow);
      std::copy_n(at_.data(), p_.ow, index + h * p_.ow);
    }
  }

 private:
  void row(const T* x, const Window& r) {
    std::fill(best_.begin(), best_.end(), -std::numeric_limits<T>::infinity());
    for (int64_t o = 0; o < p_.ow; ++o) {
      const Window& c = all_.cols[o];
      at_[o] = static_cast<I>(r.begin >= r.end || c.begin >= c.end ? kNowhere : r.begin * p_.iw + c.begin);
    }
    for (int64_t h = r.begin; h < r.end; h += all_.row_step)
      for (int64_t k = first_tap_; k < end_tap_; ++k) tap(x, h * p_.iw, k * p_.dw - p_.pw);
  }

  void tap(const T* x, int64_t line, int64_t offset) {
    const int64_t begin = offset >= 0 ? 0 : (-offset + p_.sw - 1) / p_.sw;
    const int64_t end = offset >= p_.iw ? 0 : std::min(p_.ow, (p_.iw - offset - 1) / p_.sw + 1);
    const auto meet = p_.sw == 1 ? &meet_tap<1, T, I> : p_.sw == 2 ? &meet_tap<2, T, I> : &meet_tap<0, T, I>;
    meet(x + line, p_.sw, offset, begin, end, static_cast<I>(line + offset), best_.data(), at_.data());
  }

  const PoolParams& p_;
  const Windows& all_;
  const int64_t first_tap_, end_tap_;  ///< the taps of a window that meet the input at all, however long it is
  std::vector<T> best_;
  std::vector<I> at_;
};

/// The windows of the fast loop.
bool is_2x2(const Tensor& x, const PoolParams& p) {
  const bool windows = !p.adaptive && p.kh == 2 && p.kw == 2 && p.sh == 2 && p.sw == 2 && p.dh == 1 && p.dw == 1;
  const bool inside = p.ph == 0 && p.pw == 0 && 2 * p.oh <= p.ih && 2 * p.ow <= p.iw;
  return windows && inside && x.dtype() == kFloat && p.ih * p.iw < std::numeric_limits<int32_t>::max();
}

void max_pool_cpu(Tensors& out, Args in, const PoolParams& p) {
  const Tensor& x = in[0];
  int64_t* index = out[1].data_ptr<int64_t>();
  const int64_t in_plane = p.ih * p.iw, out_plane = p.oh * p.ow;
  if (is_2x2(x, p)) {
    return for_each_plane(x, [&, y = out[0].data_ptr<float>(), data = x.data_ptr<float>()](int64_t i) {
      max_pool_2x2(data + i * in_plane, p.iw, p.oh, p.ow, y + i * out_plane, index + i * out_plane);
    });
  }
  const Windows all(p);
  visit_float_or_double(x, "max_pool", [&]<class T>() {
    T* y = out[0].data_ptr<T>();
    const T* data = x.data_ptr<T>();
    if (p.adaptive || in_plane >= std::numeric_limits<int32_t>::max()) {
      return for_each_plane(x, [&](int64_t i) {
        for (int64_t o = 0; o < out_plane; ++o)
          max_of_window(data + i * in_plane, p.iw, all, all.rows[o / p.ow], all.cols[o % p.ow], y + i * out_plane + o,
                        index + i * out_plane + o);
      });
    }
    for_each_plane(x, [&](int64_t i) {
      RowPool<T, std::conditional_t<sizeof(T) == 4, int32_t, int64_t>> pool(p, all);
      pool.plane(data + i * in_plane, y + i * out_plane, index + i * out_plane);
    });
  });
}

void max_pool_scatter_cpu(Tensors& out, Args in, const PoolParams& p) {
  const Tensor &g = in[0], &index = in[1];
  const int64_t in_plane = p.ih * p.iw, out_plane = p.oh * p.ow;
  visit_float_or_double(g, "max_pool_scatter", [&]<class T>() {
    for_each_plane(out[0], [&, to = out[0].data_ptr<T>(), from = g.data_ptr<T>()](int64_t i) {
      const int64_t* at = index.data_ptr<int64_t>() + i * out_plane;
      std::memset(to + i * in_plane, 0, in_plane * sizeof(T));
      for (int64_t o = 0; o < out_plane; ++o)
        if (at[o] != kNowhere) to[i * in_plane + at[o]] += from[i * out_plane + o];
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
        to[i * out_plane + o] = at[o] == kNowhere ? T(0) : from[i * in_plane + at[o]];
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

void avg_pool_cpu(Tensors& out, Args in, const AvgPoolParams& p) {
  const Tensor& x = in[0];
  const Windows all(p);
  visit_float_or_double(x, "avg_pool", [&]<class T>() {
    for_each_plane(x, [&, to = out[0].data_ptr<T>(), from = x.data_ptr<T>()](int64_t i) {
      T* y = to + i * p.oh * p.ow;
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

void avg_pool_backward_cpu(Tensors& out, Args in, const AvgPoolParams& p) {
  const Tensor& g = in[0];
  const Windows all(p);
  visit_float_or_double(g, "avg_pool_backward", [&]<class T>() {
    for_each_plane(out[0], [&, to = out[0].data_ptr<T>(), from = g.data_ptr<T>()](int64_t i) {
      const T* y = from + i * p.oh * p.ow;
      T* x = to + i * p.ih * p.iw;
      std::memset(x, 0, p.ih * p.iw * sizeof(T));
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
STRATA_KERNEL(max_pool_scatter_op, CPU, Widened<max_pool_scatter_cpu>::run);
STRATA_KERNEL(max_pool_gather_op, CPU, Widened<max_pool_gather_cpu>::run);
STRATA_KERNEL(avg_pool_op, CPU, Widened<avg_pool_cpu>::run);
STRATA_KERNEL(avg_pool_backward_op, CPU, Widened<avg_pool_backward_cpu>::run);

}  // namespace
}  // namespace strata::cpu::pool
