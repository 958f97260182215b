// Kernels of the reductions: what each does with a span of values; LineReducer runs it over the tensor.
#include "ops/reduce_def.h"

#include <cmath>
#include <limits>

#include "dispatcher/kernel.h"
#include "dispatcher/reduce_loops.h"
#include "kernels/cpu/common/parts.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/reduce/line_reduce.h"
#include "kernels/cpu/reduce/reduce_bools.h"

namespace strata::cpu::reduce {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// --- reductions on float and double (SIMD) and on int64 (which wraps around) ---

template <class C>
constexpr bool kIsInteger = std::is_same_v<C, int64_t>;

template <class C>
C add(C a, C b) {
  if constexpr (kIsInteger<C>)
    return static_cast<C>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}
template <class C>
C multiply(C a, C b) {
  if constexpr (kIsInteger<C>)
    return static_cast<C>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return a * b;
}
/// `a` when it is beyond `b` or NaN.
template <bool kMax, class C>
C extreme(C a, C b) {
  return (kMax ? a > b : a < b) || a != a ? a : b;
}

/// combine() over f(x[i]).
template <class C, C (*kCombine)(C, C), class F>
C fold(const C* x, int64_t n, C start, F f) {
  for (int64_t i = 0; i < n; ++i) start = kCombine(start, f(x[i]));
  return start;
}
constexpr auto identity = [](auto v) { return v; };

template <class C>
Reduction<C> sum_of() {
  const VecReduce<C>& f = vec_reduce<C>();
  return {.span = [](const C* x, int64_t n, C) { return vec_reduce<C>().sum(x, n); },
          .combine = add<C>,
          .rows = f.sum_rows,
          .lines = f.sum_lines};
}

template <class C>
Reduction<C> prod_of() {
  if constexpr (kIsComplex<C>) {
    return {[](const C* x, int64_t n, C) { return fold<C, multiply<C>>(x, n, 1, identity); }, multiply<C>};
  } else {
    return {[](const C* x, int64_t n, C) { return vec_reduce<C>().prod(x, n); }, multiply<C>,
            vec_reduce<C>().prod_rows};
  }
}

template <bool kMax, class C>
Reduction<C> extreme_of() {
  constexpr auto span = [](const C* x, int64_t n, C) {
    return kMax ? vec_reduce<C>().max(x, n) : vec_reduce<C>().min(x, n);
  };
  const VecReduce<C>& f = vec_reduce<C>();
  return {.span = span,
          .combine = extreme<kMax, C>,
          .rows = kMax ? f.max_rows : f.min_rows,
          .lines = kMax ? f.max_lines : f.min_lines,
          .find_lines = kMax ? f.find_max_lines : f.find_min_lines};
}

// --- kernels ---

/// A small contiguous tensor reduced to one value needs no plan.
template <class C>
bool reduce_at_once(const Tensor& out, const Tensor& x, const Reduction<C>& r) {
  if (out.numel() != 1 || x.numel() > kReduceChunk || x.numel() == 0 || !x.is_contiguous()) return false;
  if (x.dtype() != dtype_of<C> || out.dtype() != x.dtype()) return false;
  *reinterpret_cast<C*>(out.bytes()) = r.span(reinterpret_cast<const C*>(x.bytes()), x.numel(), r.shift);
  return true;
}

/// The reduction of every line, passed through `finish(results, count, length)`.
template <class C, class Finish>
void reduce_lines(const Tensor& out, const Tensor& x, IntArrayRef dims, const Reduction<C>& r, Finish finish) {
  if (reduce_at_once(out, x, r)) return finish(reinterpret_cast<C*>(out.bytes()), 1, x.numel());
  const LineReducer<C> lines(x, dims);
  store_results<C>(out, [&](C* results) {
    lines.run(r, nullptr, results);
    finish(results, lines.count(), lines.length());
  });
}
template <class C>
void reduce_lines(const Tensor& out, const Tensor& x, IntArrayRef dims, const Reduction<C>& r) {
  reduce_lines(out, x, dims, r, [](C*, int64_t, int64_t) {});
}

/// Calls f(out, in) with both as real tensors: complex numbers become pairs along a last dim, for what treats parts
/// alike.
template <class F>
void by_parts(const Tensor& out, const Tensor& in, F f) {
  if (!is_complex(in.dtype())) return f(out, in);
  f(parts_of(out), parts_of(in));
}

void sum_cpu(Tensors& out, Args in, const ReduceParams& p) {
  if (count_bools(out[0], in[0], p.dims)) return;
  by_parts(out[0], in[0], [&](const Tensor& y, const Tensor& x) {
    visit_wide(x.dtype(), [&]<class C>() { reduce_lines(y, x, p.dims, sum_of<C>()); });
  });
}

/// For types that are computed in floating point.
template <class F>
void visit_wide_float(DType dtype, F&& f) {
  if (dtype == kDouble) return f.template operator()<double>();
  f.template operator()<float>();
}

void mean_cpu(Tensors& out, Args in, const ReduceParams& p) {
  by_parts(out[0], in[0], [&](const Tensor& y, const Tensor& x) {
    visit_wide_float(x.dtype(), [&]<class C>() {
      reduce_lines(y, x, p.dims, sum_of<C>(), [](C* results, int64_t count, int64_t length) {
        for (int64_t i = 0; i < count; ++i) results[i] /= static_cast<C>(length);
      });
    });
  });
}

void nansum_cpu(Tensors& out, Args in, const ReduceParams& p) {
  visit_wide_float(in[0].dtype(), [&]<class C>() {
    constexpr auto span = [](const C* x, int64_t n, C) { return vec_reduce<C>().sum_numbers(x, n); };
    reduce_lines<C>(out[0], in[0], p.dims, {span, add<C>, vec_reduce<C>().sum_numbers_rows});
  });
}

void prod_cpu(Tensors& out, Args in, const ReduceDimParams& p) {
  const int64_t dims[] = {p.dim};
  visit_wide_any(in[0].dtype(), [&]<class C>() { reduce_lines(out[0], in[0], dims, prod_of<C>()); });
}

template <bool kMax>
void extreme_cpu(Tensors& out, Args in, const ReduceParams& p) {
  visit_ordered(in[0].dtype(), [&]<class C>() { reduce_lines(out[0], in[0], p.dims, extreme_of<kMax, C>()); });
}

void aminmax_cpu(Tensors& out, Args in, const ReduceParams& p) {
  visit_ordered(in[0].dtype(), [&]<class C>() {
    const Reduction<C> both[] = {extreme_of<false, C>(), extreme_of<true, C>()};
    const LineReducer<C> lines(in[0], p.dims);
    store_results<C>(out[0], [&](C* least) {
      store_results<C>(out[1], [&](C* largest) {
        C* const results[] = {least, largest};
        lines.template run_all<2>(both, nullptr, results);
      });
    });
  });
}

/// Writes the extreme of each line to `values`, if that is defined, and where it first is to `indices`.
template <bool kMax>
void extreme_with_index(const Tensor& values, const Tensor& indices, const Tensor& x, int64_t dim) {
  const int64_t dims[] = {dim};
  visit_ordered(x.dtype(), [&]<class C>() {
    const LineReducer<C> lines(x, dims);
    const auto fill = [&](C* results) {
      store_results<int64_t>(
          indices, [&](int64_t* at) { lines.run_and_find(extreme_of<kMax, C>(), vec_reduce<C>().find, results, at); });
    };
    if (values.defined()) return store_results<C>(values, fill);
    Scratch<C> results(lines.count());
    fill(results.data());
  });
}
template <bool kMax>
void extreme_dim_cpu(Tensors& out, Args in, const ReduceDimParams& p) {
  extreme_with_index<kMax>(out[0], out[1], in[0], p.dim);
}
template <bool kMax>
void arg_extreme_cpu(Tensors& out, Args in, const ReduceDimParams& p) {
  extreme_with_index<kMax>(Tensor(), out[0], in[0], p.dim);
}

// Note [Variance of equal numbers]
// Means that variances are taken around are means of distances from a line's first element: that of equal numbers is
// that number, so that their variance is 0, as it is where means are carried along.

template <class C>
C squares_around(const C* x, int64_t n, C mean) {
  return vec_reduce<C>().sum_square(x, n, mean);
}
template <class C>
C squares_around_mean(const C* x, int64_t n, C) {
  if (n == 0) return 0;
  return squares_around(x, n, x[0] + vec_reduce<C>().sum_shifted(x, n, x[0]) / static_cast<C>(n));
}

/// Sums of squares of the distances from lines' means: Note [Variance of equal numbers].
template <class C>
void squares_of(const LineReducer<C>& lines, C* results) {
  if (lines.sees_whole_lines()) return lines.run({squares_around_mean<C>, add<C>}, nullptr, results);
  const VecReduce<C>& f = vec_reduce<C>();
  const int64_t count = lines.count();
  Scratch<C> firsts(count), means(count);
  lines.first_elements(firsts.data());
  constexpr auto distances = [](const C* x, int64_t n, C shift) { return vec_reduce<C>().sum_shifted(x, n, shift); };
  lines.run({.span = distances, .combine = add<C>, .shifted_rows = f.sum_shifted_rows}, firsts.data(), means.data());
  for (int64_t i = 0; i < count; ++i)
    means.data()[i] = firsts.data()[i] + means.data()[i] / static_cast<C>(lines.length());
  lines.run({.span = squares_around<C>, .combine = add<C>, .shifted_rows = f.sum_square_rows}, means.data(), results);
}

template <class C>
void variance(const Tensor& out, const Tensor& x, const VarParams& p, bool root) {
  const LineReducer<C> lines(x, p.dims);
  const C divisor = std::max<C>(0, static_cast<C>(lines.length()) - static_cast<C>(p.correction));
  store_results<C>(out, [&](C* results) {
    squares_of(lines, results);
    for (int64_t i = 0; i < lines.count(); ++i)
      results[i] = root ? std::sqrt(results[i] / divisor) : results[i] / divisor;
  });
}
void var_cpu(Tensors& out, Args in, const VarParams& p) {
  visit_wide_float(in[0].dtype(), [&]<class C>() { variance<C>(out[0], in[0], p, false); });
}
void std_cpu(Tensors& out, Args in, const VarParams& p) {
  visit_wide_float(in[0].dtype(), [&]<class C>() { variance<C>(out[0], in[0], p, true); });
}

template <class C>
Reduction<C> norm_of(double p) {
  static constexpr auto abs = [](C v) { return std::abs(v); };
  if (p == 0)
    return {[](const C* x, int64_t n, C) { return fold<C, add<C>>(x, n, 0, [](C v) { return C(v != 0); }); }, add<C>};
  const VecReduce<C>& f = vec_reduce<C>();
  if (p == 1) {
    return {.span = [](const C* x, int64_t n, C) { return vec_reduce<C>().sum_abs(x, n); },
            .combine = add<C>,
            .rows = f.sum_abs_rows,
            .lines = f.sum_abs_lines};
  }
  if (p == 2) {
    return {.span = [](const C* x, int64_t n, C) { return vec_reduce<C>().sum_square(x, n, 0); },
            .combine = add<C>,
            .rows = f.squares_rows,
            .lines = f.squares_lines};
  }
  if (p == kInfinity) {
    return {[](const C* x, int64_t n, C) {
              return extreme<true, C>(vec_reduce<C>().max(x, n), -vec_reduce<C>().min(x, n));
            },
            extreme<true, C>};
  }
  if (p == -kInfinity) {
    return {[](const C* x, int64_t n, C) {
              return fold<C, extreme<false, C>>(x, n, std::numeric_limits<C>::infinity(), abs);
            },
            extreme<false, C>};
  }
  constexpr auto power_sum = [](const C* x, int64_t n, C q) {
    return fold<C, add<C>>(x, n, 0, [q](C v) { return std::pow(std::abs(v), q); });
  };
  return {.span = power_sum, .combine = add<C>, .shift = static_cast<C>(p)};
}

void norm_cpu(Tensors& out, Args in, const NormParams& p) {
  visit_wide_float(in[0].dtype(), [&]<class C>() {
    reduce_lines(out[0], in[0], p.dims, norm_of<C>(p.p), [&](C* results, int64_t count, int64_t) {
      if (p.p == 0 || p.p == 1 || std::isinf(p.p)) return;
      for (int64_t i = 0; i < count; ++i)
        results[i] = p.p == 2 ? std::sqrt(results[i]) : std::pow(results[i], static_cast<C>(1 / p.p));
    });
  });
}

template <class C>
void log_sum_exp(const Tensor& out, const Tensor& x, IntArrayRef dims) {
  const LineReducer<C> lines(x, dims);
  Scratch<C> maxima(lines.count());
  C* max = maxima.data();
  lines.run(extreme_of<true, C>(), nullptr, max);
  store_results<C>(out, [&](C* results) {
    constexpr auto span = [](const C* v, int64_t k, C shift) { return vec_reduce<C>().sum_exp(v, k, shift); };
    lines.run({.span = span, .combine = add<C>, .shifted_rows = vec_reduce<C>().sum_exp_rows}, max, results);
    // An infinite or NaN maximum is the result itself.
    for (int64_t i = 0; i < lines.count(); ++i)
      results[i] = std::isfinite(max[i]) ? max[i] + std::log(results[i]) : max[i];
  });
}
void logsumexp_cpu(Tensors& out, Args in, const ReduceParams& p) {
  visit_wide_float(in[0].dtype(), [&]<class C>() { log_sum_exp<C>(out[0], in[0], p.dims); });
}

/// The loops of sums, means and extremes of float and double for programs.
template <class C, Reduction<C> (*kReduction)(), bool kMean = false>
dispatch::ReduceLoop loop_for_programs() {
  dispatch::ReduceLoop loop;
  loop.span = [](const void* x, int64_t n, void* result) {
    static const Reduction<C> r = kReduction();
    *static_cast<C*>(result) = r.span(static_cast<const C*>(x), n, r.shift);
  };
  loop.combine = [](void* into, const void* other) {
    static const Reduction<C> r = kReduction();
    C& value = *static_cast<C*>(into);
    value = r.combine(value, *static_cast<const C*>(other));
  };
  if (kMean) loop.finish = [](void* result, int64_t length) { *static_cast<C*>(result) /= static_cast<C>(length); };
  loop.chunk = kReduceChunk;
  return loop;
}
template <Reduction<float> (*kOfFloat)(), Reduction<double> (*kOfDouble)(), bool kMean = false>
dispatch::ReduceLoop float_loop(DType dtype) {
  if (dtype == kFloat) return loop_for_programs<float, kOfFloat, kMean>();
  if (dtype == kDouble) return loop_for_programs<double, kOfDouble, kMean>();
  return {};
}
const dispatch::ReduceLoopRegistrar program_loops[] = {
    {sum_op, float_loop<sum_of<float>, sum_of<double>>},
    {mean_op, float_loop<sum_of<float>, sum_of<double>, true>},
    {amax_op, float_loop<extreme_of<true, float>, extreme_of<true, double>>},
    {amin_op, float_loop<extreme_of<false, float>, extreme_of<false, double>>}};

/// LineReducer reads many rows at once, however short.
template <auto kKernel>
void run_lines(Tensors& out, Args in, const decltype(params_of(kKernel))& p) {
  run_along_lines<kKernel, 1>(out, in, p);
}

STRATA_KERNEL(sum_op, CPU, run_lines<sum_cpu>);
STRATA_KERNEL(nansum_op, CPU, run_lines<nansum_cpu>);
STRATA_KERNEL(mean_op, CPU, run_lines<mean_cpu>);
STRATA_KERNEL(prod_op, CPU, run_lines<prod_cpu>);
STRATA_KERNEL(amax_op, CPU, run_lines<extreme_cpu<true>>);
STRATA_KERNEL(amin_op, CPU, run_lines<extreme_cpu<false>>);
STRATA_KERNEL(aminmax_op, CPU, run_lines<aminmax_cpu>);
STRATA_KERNEL(max_dim_op, CPU, run_lines<extreme_dim_cpu<true>>);
STRATA_KERNEL(min_dim_op, CPU, run_lines<extreme_dim_cpu<false>>);
STRATA_KERNEL(argmax_op, CPU, run_lines<arg_extreme_cpu<true>>);
STRATA_KERNEL(argmin_op, CPU, run_lines<arg_extreme_cpu<false>>);
STRATA_KERNEL(var_op, CPU, run_lines<var_cpu>);
STRATA_KERNEL(std_op, CPU, run_lines<std_cpu>);
STRATA_KERNEL(norm_op, CPU, run_lines<norm_cpu>);
STRATA_KERNEL(logsumexp_op, CPU, run_lines<logsumexp_cpu>);

}  // namespace
}  // namespace strata::cpu::reduce
