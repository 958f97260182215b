// Kernels of the scans.
#include "ops/scan_def.h"

#include "dispatcher/kernel.h"
#include "kernels/cpu/line_map.h"

namespace strata::cpu {
namespace {

/// Sums and products of float run in double, integers wrap around.
template <class C>
using Accumulator = std::conditional_t<std::is_same_v<C, int64_t>, uint64_t,
                                       std::conditional_t<kIsComplex<C>, Complex<double>, double>>;

/// step(i) for every element in scan order.
template <class F>
void for_each_in_order(int64_t n, bool reverse, F step) {
  if (reverse) {
    for (int64_t i = n; i-- > 0;) step(i);
  } else {
    for (int64_t i = 0; i < n; ++i) step(i);
  }
}

void cumsum_cpu(Tensors& out, Args in, const ScanParams& p) {
  visit_wide_any(out[0].dtype(), [&]<class C>() {
    map_lines<C>(out[0], std::array{&in[0]}, p.dim, [&](const auto& x, C* y, int64_t n) {
      Accumulator<C> sum = 0;
      for_each_in_order(n, p.reverse,
                        [&](int64_t i) { y[i] = static_cast<C>(sum += static_cast<Accumulator<C>>(x[0][i])); });
    });
  });
}

void cumprod_cpu(Tensors& out, Args in, const ScanParams& p) {
  visit_wide_any(out[0].dtype(), [&]<class C>() {
    map_lines<C>(out[0], std::array{&in[0]}, p.dim, [&](const auto& x, C* y, int64_t n) {
      Accumulator<C> product = 1;
      for_each_in_order(n, p.reverse,
                        [&](int64_t i) { y[i] = static_cast<C>(product *= static_cast<Accumulator<C>>(x[0][i])); });
    });
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

/// A line's running extreme and where it was met.
template <bool kMax, class C>
void extreme_line(const C* x, C* values, int64_t* indices, int64_t n) {
  int64_t best = 0;
  for (int64_t i = 0; i < n; ++i) {
    const bool is_nan = x[i] != x[i], was_nan = x[best] != x[best];
    if (is_nan || (!was_nan && (kMax ? x[i] >= x[best] : x[i] <= x[best]))) best = i;
    values[i] = x[best];
    indices[i] = best;
  }
}

template <bool kMax>
void extreme_scan_cpu(Tensors& out, Args in, const ScanParams& p) {
  const Tensor& x = in[0];
  const int64_t dims[] = {p.dim};
  visit_wide(x.dtype(), [&]<class C>() {
    const Lines from = make_lines(x, dims), values = make_lines(out[0], dims), indices = make_lines(out[1], dims);
    const auto& access = line_access<C>(x.dtype());
    parallel_for(0, from.length ? from.count : 0,
                 std::max<int64_t>(1, kLineGrain / 4 / std::max<int64_t>(1, from.length)),
                 [&](int64_t begin, int64_t end) {
                   Scratch<C> source(from.length), best(from.length);
                   Scratch<int64_t> at(from.length);
                   for (int64_t i = begin; i < end; ++i) {
                     const C* line = access.read(line_base(x, from, i), from, 0, from.length, source.data());
                     extreme_line<kMax>(line, best.data(), at.data(), from.length);
                     access.write(line_base(out[0], values, i), values, best.data(), from.length);
                     line_access<int64_t>(kLong).write(line_base(out[1], indices, i), indices, at.data(), from.length);
                   }
                 });
  });
}

STRATA_KERNEL(cumsum_op, CPU, cumsum_cpu);
STRATA_KERNEL(cumprod_op, CPU, cumprod_cpu);
STRATA_KERNEL(affine_scan_op, CPU, affine_scan_cpu);
STRATA_KERNEL(cummax_op, CPU, extreme_scan_cpu<true>);
STRATA_KERNEL(cummin_op, CPU, extreme_scan_cpu<false>);

}  // namespace
}  // namespace strata::cpu
