// libtorch's draws on the CPU, from the description of its kernels: each is serial, so the numbers come in order.
#include "ops/libtorch_random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <vector>

#include "ops/count_sampling.h"
#include "ops/creation.h"
#include "ops/memory_format.h"

namespace strata::libtorch_random {
namespace {

/// What libtorch computes a dtype's numbers in: float16 and bfloat16 round those of float32.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T>
Wide<T> uniform(Mt19937& source, Wide<T> from, Wide<T> to) {
  constexpr uint64_t kCount = uint64_t{1} << std::numeric_limits<Wide<T>>::digits;
  constexpr auto kUnit = 1 / static_cast<Wide<T>>(kCount);
  const uint64_t bits = (std::is_same_v<T, double> ? source.random64() : source.random()) & (kCount - 1);
  return std::fma(static_cast<Wide<T>>(bits) * kUnit, to - from, from);
}

/// One normal number; its twin waits in the generator.
double normal(Mt19937& source, double mean, double std) {
  if (const std::optional<double> left = source.take_normal()) return std::fma(*left, std, mean);
  const double u1 = uniform<double>(source, 0, 1), u2 = uniform<double>(source, 0, 1);
  const double r = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * std::numbers::pi * u1;
  source.leave_normal(r * std::sin(theta));
  return std::fma(r * std::cos(theta), std, mean);
}

constexpr int64_t kBlock = 16;

/// Sixteen uniform numbers become normal ones: the first eight are radii, the others angles.
template <class T>
void transform_block(T* data, T mean, T std) {
  for (int64_t j = 0; j < kBlock / 2; ++j) {
    const T u1 = 1 - data[j], u2 = data[j + kBlock / 2];
    const T radius = std::sqrt(T(-2) * std::log(u1)), theta = T(2) * std::numbers::pi_v<T> * u2;
    data[j] = std::fma(radius * std::cos(theta), std, mean);
    data[j + kBlock / 2] = std::fma(radius * std::sin(theta), std, mean);
  }
}

/// At least sixteen normal numbers: in blocks, of which the last one overlaps the one before where they do not fit.
template <class T>
void fill_blocks(T* data, int64_t n, double mean, double std, Mt19937& source) {
  const auto draw = [&](T* first, int64_t count) {
    std::generate_n(first, count, [&] { return uniform<T>(source, 0, 1); });
  };
  draw(data, n);
  for (int64_t i = 0; i + kBlock <= n; i += kBlock) transform_block(data + i, T(mean), T(std));
  if (n % kBlock == 0) return;
  draw(data + n - kBlock, kBlock);
  transform_block(data + n - kBlock, T(mean), T(std));
}

/// Fills `x` with `fill(data, n)`, whose numbers lie in x's memory one after the other, as libtorch walks through it.
template <class F>
void fill_in_memory_order(const Tensor& x, F fill) {
  const Tensor there = x.is_contiguous() ? x : x.permute(detail::outermost_first(x.strides()));
  const Tensor values = empty(there.sizes(), TensorOptions(x.dtype()));
  visit_dtype(x.dtype(), [&]<class T>() { fill(values.data_ptr<T>(), values.numel()); });
  there.copy_(values);
}

/// Fills `x` with numbers of float64, rounded to its dtype.
template <class F>
void fill_from(const Tensor& x, F draw) {
  fill_in_memory_order(
      x, [&]<class T>(T* data, int64_t n) { std::generate_n(data, n, [&] { return static_cast<T>(draw()); }); });
}

template <class T>
concept Floating = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

}  // namespace

void uniform_(const Tensor& x, double from, double to, Mt19937& source) {
  fill_in_memory_order(x, [&]<class T>(T* data, int64_t n) {
    if constexpr (Floating<T>) {
      const auto low = static_cast<Wide<T>>(T(from)), high = static_cast<Wide<T>>(T(to));
      std::generate_n(data, n, [&] {
        const T value(uniform<T>(source, low, high));
        return value == T(to) ? T(from) : value;  // where rounding has reached the bound
      });
    }
  });
}

void normal_(const Tensor& x, double mean, double std, Mt19937& source) {
  const bool in_blocks = x.is_contiguous() && x.numel() >= kBlock;
  fill_in_memory_order(x, [&]<class T>(T* data, int64_t n) {
    if constexpr (Floating<T>) {
      if (in_blocks) {
        std::vector<Wide<T>> values(static_cast<size_t>(n));
        fill_blocks(values.data(), n, mean, std, source);
        std::transform(values.begin(), values.end(), data, [](Wide<T> v) { return T(v); });
        return;
      }
      std::generate_n(data, n, [&] { return T(normal(source, mean, std)); });
    }
  });
}

void bernoulli_(const Tensor& x, double p, Mt19937& source) {
  fill_in_memory_order(x, [&]<class T>(T* data, int64_t n) {
    std::generate_n(data, n, [&] { return static_cast<T>(uniform<double>(source, 0, 1) < p); });
  });
}

void exponential_(const Tensor& x, double lambda, Mt19937& source) {
  fill_from(x, [&] { return -1 / lambda * std::log1p(-uniform<double>(source, 0, 1)); });
}

void cauchy_(const Tensor& x, double median, double sigma, Mt19937& source) {
  fill_from(x, [&] { return median + sigma * std::tan(std::numbers::pi * (uniform<double>(source, 0, 1) - 0.5)); });
}

void log_normal_(const Tensor& x, double mean, double std, Mt19937& source) {
  fill_from(x, [&] { return std::exp(normal(source, mean, std)); });
}

void geometric_(const Tensor& x, double p, Mt19937& source) {
  fill_from(x, [&] { return std::ceil(std::log(uniform<double>(source, 0, 1)) / std::log1p(-p)); });
}

void integers_(const Tensor& x, int64_t low, int64_t high, Mt19937& source) {
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  constexpr uint64_t kFewBits = uint64_t{1} << 28;  // beyond, the remainder of 32 bits would favour small numbers
  fill_in_memory_order(x, [&]<class T>(T* data, int64_t n) {
    std::generate_n(data, n, [&] {
      const uint64_t bits = range >= kFewBits ? source.random64() : source.random();
      return static_cast<T>(static_cast<int64_t>(bits % range + static_cast<uint64_t>(low)));
    });
  });
}

Tensor poisson(const Tensor& rate, Mt19937& source) {
  const Tensor means = rate.to(kCPU).contiguous(), counts = empty(rate.sizes(), kDouble);
  const auto* const mean = means.data_ptr<double>();
  std::transform(mean, mean + means.numel(), counts.data_ptr<double>(),
                 [&](double m) { return count_sampling::poisson(m, [&] { return uniform<double>(source, 0, 1); }); });
  return counts;
}

Tensor binomial(const Tensor& count, const Tensor& prob, Mt19937& source) {
  const DType dtype = count.dtype() == kDouble ? kDouble : kFloat;
  const Tensor trials = count.to(TensorOptions(dtype).device(kCPU)).contiguous(), counts = empty(count.sizes(), dtype);
  const Tensor p = prob.to(trials.options()).contiguous();
  const auto fill = [&]<class T>() {
    const T* const n = trials.data_ptr<T>();
    std::transform(n, n + trials.numel(), p.data_ptr<T>(), counts.data_ptr<T>(), [&](T trials_of_one, T each) {
      return count_sampling::binomial(trials_of_one, each, [&] { return uniform<double>(source, 0, 1); });
    });
  };
  dtype == kDouble ? fill.template operator()<double>() : fill.template operator()<float>();
  return counts;
}

void choose_(const Tensor& x, const Tensor& probs, Mt19937& source) {
  const DType dtype = probs.dtype() == kDouble ? kDouble : kFloat;
  const Tensor weights = probs.detach().to(TensorOptions(dtype).device(kCPU)).contiguous();
  const Tensor chosen = empty(x.sizes(), TensorOptions(kLong));
  const auto fill = [&]<class T>() {
    const int64_t categories = weights.size(-1), n = chosen.size(-1);
    std::vector<T> sums(static_cast<size_t>(categories));
    const T* row = weights.data_ptr<T>();
    auto* out = chosen.data_ptr<int64_t>();
    for (int64_t left = chosen.numel(); left > 0; left -= n, row += categories, out += n) {
      std::partial_sum(row, row + categories, sums.begin());
      std::transform(sums.begin(), sums.end(), sums.begin(), [all = sums.back()](T sum) { return sum / all; });
      std::generate_n(out, n, [&] {
        const auto found = std::lower_bound(sums.begin(), sums.end() - 1, uniform<double>(source, 0, 1));
        return found - sums.begin();
      });
    }
  };
  dtype == kDouble ? fill.template operator()<double>() : fill.template operator()<float>();
  x.copy_(chosen);
}

void permute_(const Tensor& x, Mt19937& source) {
  const int64_t n = x.numel();
  const Tensor order = arange(n, TensorOptions(kLong));
  auto* const data = order.data_ptr<int64_t>();
  for (int64_t i = 0; i < n - 1; ++i)
    std::swap(data[i], data[i + static_cast<int64_t>(source.random() % static_cast<uint64_t>(n - i))]);
  x.copy_(order);
}

}  // namespace strata::libtorch_random
