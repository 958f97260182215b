// Rows of distances, reductions at indices, running sums of exponentials and eigenvalues of matrices of any kind, and
// of the composites that are made of ops with rows of their own.
#include <cmath>

#include "ops/arranging.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/differences.h"
#include "ops/distance.h"
#include "ops/eigen.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/scatter_reduce.h"
#include "ops/shaping.h"
#include "ops/statistics.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

Row logcumsumexp_row() {
  Row row{"logcumsumexp", {}, Takes::kFloating};
  const auto reference = [](const Line& x) {
    Line y;
    double sum = 0;
    for (const double v : x) y.push_back(std::log(sum += std::exp(v)));
    return y;
  };
  const auto add_sample = [&](Tensor x, int64_t dim) {
    row.samples.push_back({{x}, [=](const List& in) { return List{logcumsumexp(in[0], dim)}; }, along(dim, reference)});
  };
  for (const int64_t dim : {0, 1, -1}) add_sample(uniform_values({3, 4, 5}, -2, 2), dim);
  for (const int64_t n : {0, 1, 9, 65, 1025}) add_sample(uniform_values({n, 2}, -1, 1), 0);
  row.errors.push_back({[] { logcumsumexp(uniform_values({2, 3}), 2); }, "dim 2"});
  row.errors.push_back({[] { logcumsumexp(integers({3}, 0, 2), 0); }, "int64"});
  return row;
}

/// What stands at each place in the end, element by element.
Function reduced_at(int64_t dim, std::function<double(double, double)> join) {
  return [=](const List& in) {
    std::vector<double> out = values(in[0]);
    const std::vector<double> places = values(in[1]), source = values(in[2]);
    size_t n = 0;
    for_each_index(in[1].sizes(), [&](std::vector<int64_t> i) {
      i[static_cast<size_t>(dim)] = static_cast<int64_t>(places[n]);
      double& at = out[static_cast<size_t>(flat(i, in[0].sizes()))];
      at = join(at, source[n++]);
    });
    return List{from_values(out, in[0].sizes(), in[0].dtype())};
  };
}

/// Other values than those of `distinct`, so that none of the two are equal.
Tensor apart_from(const Tensor& x) {
  std::vector<double> v = values(x);
  for (double& value : v) value += 0.05;
  return from_values(v, x.sizes());
}

Row scatter_reduce_row() {
  Row row{"scatter_reduce", {}, Takes::kAll};
  const Tensor x = distinct({4, 5}), index = integers({3, 5}, 0, 4), other = integers({4, 3}, 0, 5, 2);
  const auto sample = [&](const char* name, int64_t dim, Tensor places, std::function<double(double, double)> join) {
    const Tensor source = apart_from(distinct(places.sizes(), 5));
    row.samples.push_back({{x, places, source},
                           [=](const List& in) { return List{scatter_reduce(in[0], dim, in[1], in[2], name)}; },
                           reduced_at(dim, std::move(join))});
  };
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const auto smaller = [](double a, double b) { return std::min(a, b); };
  sample("amax", 0, index, larger), sample("amin", 1, other, smaller),
      sample("amax", 1, integers({0, 3}, 0, 5), larger);
  row.samples.push_back({{uniform_values({4, 5}, 0.5, 2), index, uniform_values({3, 5}, 0.5, 2, 3)},
                         [](const List& in) { return List{scatter_reduce(in[0], 0, in[1], in[2], "prod")}; },
                         reduced_at(0, std::multiplies<>())});
  row.errors = {{[=] {
                   scatter_reduce(x, 0, integers({3, 5}, 4, 5), distinct({3, 5}), "amax");
                 },
                 "out of bounds"},
                {[=] {
                   scatter_reduce(x, 0, index, distinct({3, 5}), "median");
                 },
                 "got median"},
                {[=] {
                   index_reduce(x, 0, index, distinct({3, 5}), "amax");
                 },
                 "vector"}};
  return row;
}

Row cdist_row() {
  Row row{"cdist", {}};
  const double inf = std::numeric_limits<double>::infinity();
  for (const double p : {1.0, 2.0, 3.0, inf})
    row.samples.push_back({{distinct({2, 3, 4}), apart_from(distinct({2, 2, 4}, 7))},
                           [p](const List& in) { return List{cdist(in[0], in[1], p)}; }});
  for (const int64_t k : {3, 21, 70})
    row.samples.push_back({{distinct({2, k}), apart_from(distinct({k == 3 ? 70 : 2, k}, 7))},
                           [](const List& in) { return List{cdist(in[0], in[1], 1.0)}; }});
  row.samples.push_back({{uniform_values({3, 21}), uniform_values({2, 21}, -1, 1, 3)},
                         [](const List& in) { return List{cdist(in[0], in[1])}; }});
  row.samples.push_back(
      {{uniform_values({2, 0}), uniform_values({3, 0})}, [](const List& in) { return List{cdist(in[0], in[1], 0)}; }});
  for (const double p : {1.0, 2.0, 3.0, inf})
    row.samples.push_back({{distinct({4, 5}, 3)},
                           [p](const List& in) { return List{pdist(in[0], p)}; },
                           nullptr,
                           1e-11,
                           p != 1});  // its rules take the sign of each vector's distance from itself
  row.errors = {{[] {
                   cdist(uniform_values({2, 3}), uniform_values({2, 4}));
                 },
                 "columns"},
                {[] {
                   cdist(uniform_values({2, 3}), uniform_values({2, 3}), -1);
                 },
                 "non-negative"},
                {[] {
                   cdist(uniform_values({3}), uniform_values({2, 3}));
                 },
                 "at least 2D"}};
  return row;
}

/// Eigenvalues that are far apart, and real.
Tensor spread(const Tensor& x) {
  const Tensor apart = diag(from_values({1, 3, 6}, {3}));
  return add(mul(x, 0.3), apart);
}

Row eig_row() {
  Row row{"eig", {}};
  const Function f = [](const List& in) {
    const auto [w, v] = linalg::eig(spread(in[0]));
    return List{w.abs(), v.abs()};
  };
  row.samples.push_back({{uniform_values({3, 3}, -1, 1, 11)}, f});
  row.samples.push_back({{uniform_values({2, 3, 3}, -1, 1, 12)}, f});
  row.samples.push_back({{uniform_values({0, 0})}, [](const List& in) { return List{linalg::eigvals(in[0])}; }});
  row.errors = {{[] {
                   linalg::eig(uniform_values({2, 3}));
                 },
                 "(2, 3)"},
                {[] {
                   linalg::eig(mul(uniform_values({2, 2}), NAN));
                 },
                 "infs or NaNs"}};
  return row;
}

Row eigvals_row() {
  Row row{"eigvals", {}};
  const Function f = [](const List& in) { return List{linalg::eigvals(spread(in[0])).abs()}; };
  row.samples.push_back({{uniform_values({3, 3}, -1, 1, 11)}, f});
  row.samples.push_back({{uniform_values({2, 3, 3}, -1, 1, 12)}, f});
  return row;
}

Row geqrf_row() {
  Row row{"geqrf", {}};
  for (const DimVector& s : {DimVector{3, 2}, DimVector{2, 2, 3}, DimVector{0, 2}})
    row.samples.push_back({{uniform_values(s)}, [](const List& in) {
                             const auto [a, tau] = geqrf(in[0].detach());
                             return List{a, tau};
                           }});
  return row;
}

/// Gradients, second derivatives, vmap and layouts of composites; functions_torch.cpp has their values.
Row function_composites() {
  Row row{"", {}};
  const auto add_sample = [&](List inputs, Function f) { row.samples.push_back({std::move(inputs), std::move(f)}); };
  const Tensor x = distinct({3, 4}), y = distinct({3, 4}, 4);
  add_sample({x}, [](const List& in) {
    return List{quantile(in[0], 0.3, 1), quantile(in[0], 0.6, 0, true, "midpoint"), nanquantile(in[0], 0.4, 0)};
  });
  add_sample({x}, [](const List& in) {
    return List{std::get<0>(nanmedian(in[0], 1)), std::get<0>(mode(in[0], 0)), nanmean(in[0], 1)};
  });
  add_sample({x}, [](const List& in) { return List{cov(in[0])}; });
  add_sample({x}, [](const List& in) { return List{corrcoef(in[0])}; });
  row.samples.back().smooth = false;  // the diagonal is 1, where it is clamped
  add_sample({x, y}, [](const List& in) {
    return List{block_diag({in[0], in[1]}), column_stack({in[0], in[1]}), dstack({in[0], in[1]})};
  });
  add_sample({x}, [](const List& in) { return tensor_split(in[0], 3, 1); });
  add_sample({x, y}, [](const List& in) { return List{diff(in[0], 1, 1, in[1]), trapezoid(in[0], in[1])}; });
  add_sample({x}, [](const List& in) { return gradient(in[0], std::optional<Scalar>(0.5)); });
  add_sample({x}, [](const List& in) { return List{rot90(in[0]), renorm(in[0], 2, 0, 1.0), diagflat(in[0])}; });
  add_sample({x}, [](const List& in) { return List{pdist(in[0])}; });
  return row;
}

}  // namespace

void add_functions(Table& t) {
  t.push_back(logcumsumexp_row());
  t.push_back(scatter_reduce_row());
  t.push_back(cdist_row());
  t.push_back(eig_row());
  t.push_back(eigvals_row());
  t.push_back(geqrf_row());
  t.push_back(function_composites());
}

}  // namespace strata::test
