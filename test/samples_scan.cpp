// Rows of the running sums, products and extremes.
#include <algorithm>

#include "ops/scan.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;

template <class F>
std::function<Line(const Line&)> running(double start, F f) {
  return [=](const Line& x) {
    Line y;
    double state = start;
    for (double v : x) y.push_back(state = f(state, v));
    return y;
  };
}

Row scan(const char* op, std::function<Tensor(T, int64_t)> f, std::function<Line(const Line&)> reference, Takes takes) {
  Row row{op, {}, takes};
  const auto add = [&](Tensor x, int64_t dim) {
    row.samples.push_back({{x}, [=](const List& in) { return List{f(in[0], dim)}; }, along(dim, reference)});
  };
  for (int64_t dim : {0, 1, -1}) add(distinct({3, 4, 5}), dim);
  for (int64_t n : {0, 1, 8, 9, 33, 65, 1025})
    add(distinct({n, 2}).numel() > 200 ? uniform_values({n, 2}, 0.9, 1.1) : distinct({n, 2}), 0);
  row.errors.push_back({[f] { f(uniform_values({2, 3}), 2); }, "dim 2"});
  return row;
}

}  // namespace

void add_scan(Table& t) {
  t.push_back(scan(
      "cumsum", [](T x, int64_t d) { return cumsum(x, d); }, running(0, std::plus<>()), Takes::kAll));
  t.push_back(scan(
      "cumprod", [](T x, int64_t d) { return cumprod(x, d); }, running(1, std::multiplies<>()), Takes::kAll));
  const Tensor zeros = from_values({2, 0, 3, 1, 0, 0, 4, 5, 6}, {3, 3});
  t.push_back(
      {"cumprod",
       {{{zeros}, [](const List& in) { return List{cumprod(in[0], 1)}; }, along(1, running(1, std::multiplies<>()))},
        {{zeros}, [](const List& in) { return List{cumprod(in[0], 0)}; }, along(0, running(1, std::multiplies<>()))}}});
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const auto smaller = [](double a, double b) { return std::min(a, b); };
  t.push_back(scan(
      "cummax", [](T x, int64_t d) { return std::get<0>(cummax(x, d)); }, running(-1e300, larger), Takes::kAll));
  t.push_back(scan(
      "cummin", [](T x, int64_t d) { return std::get<0>(cummin(x, d)); }, running(1e300, smaller), Takes::kAll));
}

}  // namespace strata::test
