// Kernels of the scans, but for running extremes.
#include "ops/scan_def.h"

#include <cmath>
#include <limits>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/line_map.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/reduce/vec_scan.h"

namespace strata::cpu::reduce {
namespace {

/// Sums and products of float run in double, integers wrap around.
template <class C>
using Accumulator = std::conditional_t<std::is_same_v<C, int64_t>, uint64_t,
                                       std::conditional_t<kIsComplex<C>, Complex<double>, double>>;

// What a running sum and a running product are: how they start, what joins them, and the function for rows of floats
// and of int64.
struct Sum {
  static constexpr int kStart = 0;
  static auto join(auto a, auto b) { return a + b; }
  static void along_rows(const auto* x, auto* y, int64_t rows, int64_t n, bool reverse) {
    sum_along_rows(x, y, rows, n, reverse);
  }
};
struct Product {
  static constexpr int kStart = 1;
  static auto join(auto a, auto b) { return a * b; }
  static void along_rows(const auto* x, auto* y, int64_t rows, int64_t n, bool reverse) {
    multiply_along_rows(x, y, rows, n, reverse);
  }
};
template <class C>
constexpr bool kHasVectors = std::is_same_v<C, float> || std::is_same_v<C, int64_t>;

/// step(i) for every element in scan order.
template <class F>
void for_each_in_order(int64_t n, bool reverse, F step) {
  if (reverse) {
    for (int64_t i = n; i-- > 0;) step(i);
  } else {
    for (int64_t i = 0; i < n; ++i) step(i);
  }
}

/// Element i of line j at [i * step + j * line] of x and y. Each line has an accumulator of its own: several in flight
/// hide that each waits for its last result.
template <class S, class C>
struct ScanBundle {
  const C* x;
  C* y;
  int64_t x_step, y_step, length;

  /// n <= kMost lines; few have their sums in registers.
  template <int64_t kMost>
  void columns(int64_t n, bool reverse) const {
    Accumulator<C> sums[kMost];
    std::fill_n(sums, n, Accumulator<C>(S::kStart));
    for_each_in_order(length, reverse, [&](int64_t i) {
      const C* from = x + i * x_step;
      C* to = y + i * y_step;
      for (int64_t j = 0; j < n; ++j)
        to[j] = static_cast<C>(sums[j] = S::join(sums[j], static_cast<Accumulator<C>>(from[j])));
    });
  }
};

/// Lines that lie side by side in both tensors. False, with nothing done, if they do not.
template <class S, class C>
bool scan_columns(const Tensor& out, const Tensor& in, const ScanParams& p) {
  constexpr int64_t kColumns = 256;
  const Lines x = make_lines(in, p.dim), y = make_lines(out, p.dim);
  if (in.dtype() != dtype_of<C> || out.dtype() != dtype_of<C>) return false;
  if (!x.interleaved() || !y.interleaved() || x.size.back() != y.size.back()) return false;
  const int64_t run = x.size.back(), per_run = (run + kColumns - 1) / kColumns;
  const int64_t grain = std::max<int64_t>(1, kLineGrain / 4 / (std::min(kColumns, run) * x.length));
  parallel_for(0, x.count / run * per_run, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = i % per_run * kColumns, first = i / per_run * run + at;
      const ScanBundle<S, C> bundle{in.data_ptr<C>() + x.offset(first), out.data_ptr<C>() + y.offset(first),
                                    x.line_stride[0], y.line_stride[0], x.length};
      const int64_t n = std::min(kColumns, run - at);
      if (n == 2)
        bundle.template columns<2>(2, p.reverse);
      else if (n == 3)
        bundle.template columns<3>(3, p.reverse);
      else if (n == 4)
        bundle.template columns<4>(4, p.reverse);
      else
        bundle.template columns<kColumns>(n, p.reverse);
    }
  });
  return true;
}

/// kRows neighbouring rows of n elements at once. All are read before any is written: rows of 4096 bytes would wait for
/// stores to the same place in a page.
template <class S, int64_t kRows, class C>
void scan_rows_together(const C* x, C* y, int64_t n, bool reverse) {
  Accumulator<C> sums[kRows];
  std::fill_n(sums, kRows, Accumulator<C>(S::kStart));
  for_each_in_order(n, reverse, [&](int64_t i) {
#pragma GCC unroll 8
    for (int64_t j = 0; j < kRows; ++j) sums[j] = S::join(sums[j], static_cast<Accumulator<C>>(x[j * n + i]));
#pragma GCC unroll 8
    for (int64_t j = 0; j < kRows; ++j) y[j * n + i] = static_cast<C>(sums[j]);
  });
}

/// y[r n + i] = join(y[r n + i - 1], x[r n + i]) for r < rows and i < n.
template <class S, class C>
void scan_rows(const C* x, C* y, int64_t rows, int64_t n, bool reverse) {
  if constexpr (kHasVectors<C>) {
    constexpr int64_t kLongRow = 16;
    if (n >= kLongRow) return S::along_rows(x, y, rows, n, reverse);
  }
  constexpr int64_t kTogether = 4;
  int64_t row = 0;
  for (; row + kTogether <= rows; row += kTogether)
    scan_rows_together<S, kTogether>(x + row * n, y + row * n, n, reverse);
  for (; row < rows; ++row) scan_rows_together<S, 1>(x + row * n, y + row * n, n, reverse);
}

/// Lines that are the rows of both tensors. False, with nothing done, if they are not.
template <class S, class C>
bool scan_all_rows(const Tensor& out, const Tensor& in, const ScanParams& p) {
  if (!detail::all_rows<C>(out, std::array{&in}, p.dim)) return false;
  const int64_t n = out.sizes().back(), grain = kLineGrain / (kHasVectors<C> ? 1 : 4) / n;
  parallel_for(0, out.numel() / n, std::max<int64_t>(1, grain), [&](int64_t begin, int64_t end) {
    scan_rows<S>(in.data_ptr<C>() + begin * n, out.data_ptr<C>() + begin * n, end - begin, n, p.reverse);
  });
  return true;
}

/// Lines that become rows but lie otherwise, as those of transposed and expanded tensors: a copy in rows costs less
/// than one line after another. False, with nothing done, if they do not.
template <class S, class C>
bool scan_as_rows(const Tensor& out, const Tensor& in, const ScanParams& p) {
  if (in.dtype() != dtype_of<C> || !detail::all_rows<C>(out, std::array{&out}, p.dim)) return false;
  const Tensor rows = empty_cpu(in.sizes(), in.dtype());
  copy_strided(memory_of(rows), memory_of(in), in.sizes(), sizeof(C));
  return scan_all_rows<S, C>(out, rows, p);
}

template <class S>
void scan_cpu(Tensors& out, Args in, const ScanParams& p) {
  const Tensor& y = out[0];
  if (y.numel() == 0) return;
  visit_wide_any(y.dtype(), [&]<class C>() {
    if (scan_all_rows<S, C>(y, in[0], p) || scan_columns<S, C>(y, in[0], p) || scan_as_rows<S, C>(y, in[0], p)) return;
    map_lines<C>(y, std::array{&in[0]}, p.dim,
                 [&](const auto& line, C* to, int64_t n) { scan_rows<S>(line[0], to, 1, n, p.reverse); });
  });
}

void affine_scan_cpu(Tensors& out, Args in, const ScanParams& p) {
  visit_wide_any(out[0].dtype(), [&]<class C>() {
    map_lines<C>(out[0], std::array{&in[0], &in[1]}, p.dim, [&](const auto& x, C* y, int64_t n) {
      using A = Accumulator<C>;
      A last = 0;
      for_each_in_order(n, p.reverse, [&](int64_t i) {
        // The first multiplier is not used: it may be infinite.
        const bool first = i == (p.reverse ? n - 1 : 0);
        last = (first ? A(0) : static_cast<A>(x[0][i]) * last) + static_cast<A>(x[1][i]);
        y[i] = static_cast<C>(last);
      });
    });
  });
}

/// The sum of exponentials is held as that of exp(x - most), `most` being the largest x so far.
void logcumsumexp_cpu(Tensors& out, Args in, const ScanParams& p) {
  visit_wide(out[0].dtype(), [&]<class C>() {
    map_lines<C>(out[0], std::array{&in[0]}, p.dim, [&](const auto& x, C* y, int64_t n) {
      double most = -std::numeric_limits<double>::infinity(), sum = 0;
      for_each_in_order(n, p.reverse, [&](int64_t i) {
        const double value = static_cast<double>(x[0][i]);
        if (value == most) {
          sum += 1;
        } else if (value < most) {
          sum += std::exp(value - most);
        } else {
          sum = sum * std::exp(most - value) + 1;
          most = value;
        }
        y[i] = static_cast<C>(most + std::log(sum));
      });
    });
  });
}

STRATA_KERNEL(cumsum_op, CPU, run_along_lines<scan_cpu<Sum>>);
STRATA_KERNEL(cumprod_op, CPU, run_along_lines<scan_cpu<Product>>);
STRATA_KERNEL(affine_scan_op, CPU, run_along_lines<affine_scan_cpu>);
STRATA_KERNEL(logcumsumexp_op, CPU, run_along_lines<logcumsumexp_cpu>);

}  // namespace
}  // namespace strata::cpu::reduce
