// Rows of the matrix products, against three loops, with every transposition, vectors, batches and broadcasting.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/factor.h"
#include "ops/linalg.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;

/// (m, k) times (k, n).
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, int64_t m, int64_t k,
                            int64_t n) {
  std::vector<double> c(static_cast<size_t>(m * n), 0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        c[static_cast<size_t>(i * n + j)] += a[static_cast<size_t>(i * k + l)] * b[static_cast<size_t>(l * n + j)];
  return c;
}

Function reference(int64_t m, int64_t k, int64_t n, DimVector sizes) {
  return [=](const List& in) { return List{from_values(product(values(in[0]), values(in[1]), m, k, n), sizes)}; };
}

Sample mm_sample(int64_t m, int64_t k, int64_t n) {
  return {{uniform_values({m, k}), uniform_values({k, n}, -1, 1, 2)},
          [](const List& in) { return List{mm(in[0], in[1])}; },
          reference(m, k, n, {m, n}),
          1e-12};
}

Row products() {
  Row row{"matmul", {}, Takes::kNumeric};
  const Function matmul_of = [](const List& in) { return List{matmul(in[0], in[1])}; };
  const auto add = [&](IntArrayRef a, IntArrayRef b, Function f = nullptr) {
    row.samples.push_back({{uniform_values(a), uniform_values(b, -1, 1, 2)}, matmul_of, f});
  };
  row.samples.push_back(mm_sample(3, 4, 5));
  for (int64_t n : {1, 2, 7, 8, 9, 16, 17, 33}) row.samples.push_back(mm_sample(n, n + 1, n + 2));
  row.samples.push_back(mm_sample(70, 130, 65));
  row.samples.push_back(mm_sample(0, 3, 2));
  row.samples.push_back(mm_sample(2, 0, 3));
  row.samples.push_back(mm_sample(1, 300, 1));
  add({3, 4}, {4}, reference(3, 4, 1, {3}));
  add({4}, {4, 3}, reference(1, 4, 3, {3}));
  add({2, 3, 4}, {4, 5}, reference(6, 4, 5, {2, 3, 5}));
  add({2, 3, 4}, {2, 4, 5});
  add({2, 1, 3, 4}, {5, 4, 2});
  add({3, 4}, {2, 4, 5});
  add({2, 3, 4}, {4}, reference(6, 4, 1, {2, 3}));
  add({4}, {2, 4, 3});
  row.samples.push_back({{uniform_values({2, 3, 4}), uniform_values({2, 4, 5}, -1, 1, 2)},
                         [](const List& in) { return List{bmm(in[0], in[1])}; }});
  row.samples.push_back({{uniform_values({4, 3}), uniform_values({5, 4}, -1, 1, 2)},
                         [](const List& in) { return List{mm(transpose(in[0], 0, 1), transpose(in[1], 0, 1))}; }});
  row.errors = {{[] {
                   mm(uniform_values({2, 3}), uniform_values({4, 2}));
                 },
                 "(2, 3)"},
                {[] { matmul(uniform_values({}), uniform_values({2})); }, "matmul"},
                {[] {
                   bmm(uniform_values({2, 3, 4}), uniform_values({3, 4, 5}));
                 },
                 "bmm"},
                {[] {
                   mm(uniform_values({2}), uniform_values({2, 2}));
                 },
                 "mm"},
                {[] {
                   mm(uniform_values({2, 2}), uniform_values({2, 2}, 0, 1, 1, kFloat));
                 },
                 "float"},
                {[] {
                   matmul(uniform_values({2, 2, 3}), uniform_values({3, 3, 4}));
                 },
                 "matmul"}};
  return row;
}

Row crosses() {
  Row row{"cross", {}, Takes::kNumeric};
  row.samples.push_back({{uniform_values({4, 3}), uniform_values({4, 3}, -1, 1, 2)},
                         [](const List& in) { return List{linalg::cross(in[0], in[1])}; },
                         [](const List& in) {
                           const std::vector<double> a = values(in[0]), b = values(in[1]);
                           std::vector<double> c;
                           for (size_t i = 0; i < a.size(); ++i) {
                             const size_t first = i / 3 * 3, next = first + (i + 1) % 3, last = first + (i + 2) % 3;
                             c.push_back(a[next] * b[last] - a[last] * b[next]);
                           }
                           return List{from_values(c, {4, 3})};
                         },
                         1e-15});
  row.samples.push_back({{uniform_values({2, 3, 5}), uniform_values({3, 5}, -1, 1, 2)}, [](const List& in) {
                           return List{cross(in[0], expand(in[1], {2, 3, 5}), 1)};
                         }});
  row.errors = {{[] { linalg::cross(uniform_values({4, 2}), uniform_values({4, 2})); }, "vectors of 3"}};
  return row;
}

using Linear = Tensor (*)(const Tensor&, const Tensor&, OptionalTensorRef);

/// x (..., 4) times a weight (5, 4) transposed, plus a bias, then the activation.
Function linear_reference(double (*activation)(double)) {
  return [=](const List& in) {
    const std::vector<double> x = values(in[0]), weight = values(in[1]);
    std::vector<double> y;
    for (int64_t i = 0; i < in[0].numel() / 4; ++i)
      for (int64_t o = 0; o < 5; ++o) {
        double s = in.size() > 2 ? values(in[2])[static_cast<size_t>(o)] : 0;
        for (int64_t k = 0; k < 4; ++k) s += x[static_cast<size_t>(i * 4 + k)] * weight[static_cast<size_t>(o * 4 + k)];
        y.push_back(activation(s));
      }
    DimVector sizes = in[0].sizes();
    sizes.back() = 5;
    return List{from_values(y, sizes)};
  };
}

Row linear_row(const char* name, Linear f, double (*activation)(double), Takes takes) {
  const Tensor weight = uniform_values({5, 4}, -1, 1, 6), bias = uniform_values({5}, -1, 1, 4);
  Row row{name,
          {},
          takes,
          {{[=] {
              f(uniform_values({3, 3}), weight, bias);
            },
            name},
           {[=] {
              f(uniform_values({3, 4}), weight, uniform_values({4}));
            },
            name}}};
  for (const DimVector& sizes : {DimVector{3, 4}, DimVector{4}, DimVector{2, 3, 4}, DimVector{0, 4}}) {
    row.samples.push_back({{uniform_values(sizes, -1, 1, 5), weight, bias},
                           [=](const List& in) { return List{f(in[0], in[1], in[2])}; },
                           linear_reference(activation)});
    row.samples.push_back({{uniform_values(sizes, -1, 1, 5), weight},
                           [=](const List& in) { return List{f(in[0], in[1], {})}; },
                           linear_reference(activation)});
  }
  return row;
}

void add_linear(Table& t) {
  const auto gelu = [](double v) {
    return 0.5 * v * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v)));
  };
  t.push_back(linear_row(
      "linear", linear, [](double v) { return v; }, Takes::kNumeric));
  t.push_back(linear_row(
      "linear_relu", linear_relu, [](double v) { return std::max(v, 0.0); }, Takes::kNumeric));
  t.push_back(linear_row("linear_gelu", linear_gelu, gelu, Takes::kFloating));
}

}  // namespace

void add_linalg(Table& t) {
  t.push_back(products());
  t.push_back(crosses());
  const Tensor v = uniform_values({7}), w = uniform_values({7}, -1, 1, 2);
  t.push_back({"dot",
               {{{v, w}, [](const List& in) { return List{dot(in[0], in[1])}; }, reference(1, 7, 1, {})},
                {{uniform_values({1025}), uniform_values({1025}, -1, 1, 2)},
                 [](const List& in) { return List{dot(in[0], in[1])}; },
                 reference(1, 1025, 1, {})},
                {{uniform_values({0}), uniform_values({0})},
                 [](const List& in) { return List{dot(in[0], in[1])}; },
                 reference(1, 0, 1, {})}},
               Takes::kNumeric,
               {{[] { dot(uniform_values({2}), uniform_values({3})); }, "dot"},
                {[] {
                   dot(uniform_values({2, 2}), uniform_values({2, 2}));
                 },
                 "dot"}}});
  const auto addmm_reference = [](double beta, double alpha) {
    return [=](const List& in) {
      std::vector<double> c = product(values(in[1]), values(in[2]), 3, 4, 5);
      const std::vector<double> init = values(in[0]);
      for (size_t i = 0; i < c.size(); ++i) c[i] = beta * init[init.size() == 15 ? i : i % 5] + alpha * c[i];
      return List{from_values(c, {3, 5})};
    };
  };
  const Tensor a = uniform_values({3, 4}), b = uniform_values({4, 5}, -1, 1, 2), m = uniform_values({3, 5}, -1, 1, 3),
               bias = uniform_values({5}, -1, 1, 4);
  t.push_back(
      {"addmm",
       {{{m, a, b}, [](const List& in) { return List{addmm(in[0], in[1], in[2])}; }, addmm_reference(1, 1)},
        {{m, a, b}, [](const List& in) { return List{addmm(in[0], in[1], in[2], 0.5, -2)}; }, addmm_reference(0.5, -2)},
        {{bias, a, b}, [](const List& in) { return List{addmm(in[0], in[1], in[2])}; }, addmm_reference(1, 1)},
        {{m, a, b}, [](const List& in) { return List{addmm(in[0], in[1], in[2], 0, 1)}; }, addmm_reference(0, 1)},
        {{uniform_values({2, 3, 5}), uniform_values({2, 3, 4}), uniform_values({2, 4, 5})},
         [](const List& in) { return List{baddbmm(in[0], in[1], in[2], 2, 3)}; }}},
       Takes::kNumeric,
       {{[=] {
           addmm(uniform_values({4, 4}), a, b);
         },
         "(4, 4)"}}});
  add_linear(t);
}

}  // namespace strata::test
