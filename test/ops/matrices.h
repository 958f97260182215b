// What the tests of matrix products share: random tensors of many layouts, their values, and naive products.
#pragma once
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/source_dir.h"

namespace strata::test {

/// Uniform in [-1, 1) for floating point, small integers otherwise.
inline Tensor random_matrix(IntArrayRef sizes, DType dtype, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> values(static_cast<size_t>(numel_of(sizes)));
  for (double& v : values) {
    v = static_cast<double>(engine()) / 4294967296.0 * 2 - 1;
    if (!is_floating_point(dtype)) v = std::floor(v * 100);
  }
  if (dtype == kByte || dtype == kUInt32) {
    for (double& v : values) v = std::abs(v);
  }
  return reshape(tensor(values, kDouble).to(dtype), sizes);
}

enum MatrixLayout { kRowByRow, kTransposed, kEverySecond, kPadded, kExpandedRow, kLayouts };

/// `(rows, cols)` in one of the layouts.
inline Tensor matrix(int64_t rows, int64_t cols, int layout, DType dtype, unsigned seed) {
  switch (layout) {
    case kTransposed:
      return t(random_matrix({cols, rows}, dtype, seed));
    case kEverySecond:
      return slice(random_matrix({rows, 2 * cols}, dtype, seed), 1, 0, std::nullopt, 2);
    case kPadded:
      return narrow(random_matrix({rows, cols + 3}, dtype, seed), 1, 1, cols);
    case kExpandedRow:
      return expand(random_matrix({1, cols}, dtype, seed), {rows, cols});
    default:
      return random_matrix({rows, cols}, dtype, seed);
  }
}

/// All elements in row-major order.
inline std::vector<double> values_of(const Tensor& x) {
  const Tensor dense = x.to(kDouble).contiguous();
  return {dense.data_ptr<double>(), dense.data_ptr<double>() + dense.numel()};
}

inline Tensor symmetric(const Tensor& x) { return x + x.mT(); }
/// Symmetric with positive eigenvalues.
inline Tensor definite(const Tensor& x) { return matmul(x, x.mT()) + eye(x.size(-1), x.options()); }

/// f() with `threads` threads.
template <class F>
Tensor with_threads(int threads, F f) {
  const int saved = get_num_threads();
  set_num_threads(threads);
  const Tensor result = f();
  set_num_threads(saved);
  return result;
}

inline double epsilon(DType dtype) {
  return dtype == kDouble ? 2.3e-16 : dtype == kFloat ? 1.2e-7 : dtype == kHalf ? 9.8e-4 : 7.9e-3;
}

/// Adds row x of k elements times the k x n matrix y to `sums`, and the sizes of the terms to `sizes`. The products of
/// the tests take billions of these steps, which AddressSanitizer would make minutes of.
[[gnu::no_sanitize_address]] inline void add_row_product(const double* x, const double* y, int64_t k, int64_t n,
                                                         double* sums, double* sizes) {
  for (int64_t q = 0; q < k; ++q, y += n) {
    for (int64_t j = 0; j < n; ++j) {
      const double term = x[q] * y[j];
      sums[j] += term;
      sizes[j] += term < 0 ? -term : term;
    }
  }
}

/// Is `got` alpha * a b (+ beta * init), each element within the error bound of k sums and the rounding to its dtype?
/// int16 wraps.
inline bool is_product(const Tensor& got, const Tensor& a, const Tensor& b, const Tensor& init = {}, double beta = 1,
                       double alpha = 1) {
  const int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  REQUIRE(got.sizes() == IntArrayRef({m, n}));
  const std::vector<double> x = values_of(a), y = values_of(b), z = values_of(got),
                            start = init.defined() ? values_of(expand(init, {m, n})) : std::vector<double>();
  const DType sums_in = got.dtype() == kHalf || got.dtype() == kBFloat16 ? kFloat : got.dtype();
  for (int64_t i = 0; i < m; ++i) {
    std::vector<double> sums(static_cast<size_t>(n)), sizes(sums);
    add_row_product(x.data() + i * k, y.data(), k, n, sums.data(), sizes.data());
    for (int64_t j = 0; j < n; ++j) {
      const double first = start.empty() ? 0 : beta * start[i * n + j];
      const double whole = alpha * sums[j] + first,
                   expected = got.dtype() == kShort ? static_cast<int16_t>(static_cast<int64_t>(whole)) : whole,
                   error = std::abs(z[i * n + j] - expected);
      const double bound = is_floating_point(got.dtype())
                               ? 2 * (k + 2) * epsilon(sums_in) * (std::abs(alpha) * sizes[j] + std::abs(first)) +
                                     epsilon(got.dtype()) * std::abs(expected)
                               : 0;
      if (!(error <= bound)) return false;
    }
  }
  return true;
}

/// Largest difference of two tensors of equal shape.
inline double difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  const std::vector<double> x = values_of(a), y = values_of(b);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i)
    worst = std::max(worst, std::isnan(x[i] - y[i]) ? INFINITY : std::abs(x[i] - y[i]));
  return worst;
}

/// Compares PyTorch's answers in a file, whose lines are the name of a call and its values, with `result(call)`.
template <class Calls, class Result>
void check_answers(const std::string& file_name, const Calls& calls, Result result) {
  std::ifstream file(source_dir() + "/test/ops/" + file_name);
  size_t lines = 0;
  for (std::string line, name; std::getline(file, line); ++lines) {
    std::istringstream words(line);
    words >> name;
    INFO(name);
    REQUIRE(calls.count(name) == 1);
    std::vector<double> expected;
    for (double v; words >> v;) expected.push_back(v);
    const std::vector<double> got = values_of(result(calls.at(name)));
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).epsilon(1e-9).margin(1e-10));
  }
  CHECK(lines == calls.size());
}

}  // namespace strata::test
