// Rows of the reductions: naive sums over the elements of each group, at every vector edge, over every set of dims.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/reduce.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using ValueOfLine = std::function<double(const Line&)>;
using Reduce = std::function<Tensor(T, IntArrayRef, bool)>;

double mean_of(const Line& v) { return sum_of(v) / static_cast<double>(v.size()); }
double product_of(const Line& v) { return std::accumulate(v.begin(), v.end(), 1.0, std::multiplies<>()); }
double max_of(const Line& v) { return *std::max_element(v.begin(), v.end()); }
double min_of(const Line& v) { return *std::min_element(v.begin(), v.end()); }
double argmax_of(const Line& v) { return static_cast<double>(std::max_element(v.begin(), v.end()) - v.begin()); }
double argmin_of(const Line& v) { return static_cast<double>(std::min_element(v.begin(), v.end()) - v.begin()); }
double variance_of(const Line& v) {
  const double m = mean_of(v);
  double s = 0;
  for (double x : v) s += (x - m) * (x - m);
  return s / (static_cast<double>(v.size()) - 1);
}
double logsumexp_of(const Line& v) {
  double s = 0;
  for (double x : v) s += std::exp(x);
  return std::log(s);
}
ValueOfLine norm_of(double p) {
  return [p](const Line& v) {
    double s = 0;
    for (double x : v) s = std::isinf(p) ? std::max(s, std::abs(x)) : s + (p == 0 ? x != 0 : std::pow(std::abs(x), p));
    return std::isinf(p) || p == 0 ? s : std::pow(s, 1 / p);
  };
}

/// Reductions over lists of dims: all subsets of three, with and without keepdim, and lengths around the vector widths.
Row reduction(const char* op, Reduce f, ValueOfLine value, Takes takes, DType result = kDouble) {
  Row row{op, {}, takes};
  const auto add = [&](Tensor x, DimVector dims, bool keepdim) {
    row.samples.push_back(
        {{x}, [=](const List& in) { return List{f(in[0], dims, keepdim)}; }, over(dims, keepdim, value, result)});
  };
  for (const DimVector& dims : {DimVector{0}, DimVector{1}, DimVector{2}, DimVector{0, 2}, DimVector{1, 2},
                                DimVector{0, 1}, DimVector{-1, 0, 1}, DimVector{}}) {
    add(distinct({3, 4, 5}), dims, false);
    add(distinct({3, 4, 5}, 2), dims, true);
  }
  for (int64_t n : {2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1023, 1025}) {
    add(uniform_values({n}, -1, 1, static_cast<unsigned>(n)), {}, false);
    add(uniform_values({3, n}, -1, 1, static_cast<unsigned>(n)), {1}, false);
    add(uniform_values({n, 3}, -1, 1, static_cast<unsigned>(n)), {0}, false);
  }
  row.errors.push_back({[f] { f(uniform_values({2, 3}), {2}, false); }, "dim 2"});
  row.errors.push_back({[f] { f(uniform_values({2, 3}), {1, -1}, false); }, "twice"});
  return row;
}

/// Reductions along one dim.
Row along_one(const char* op, std::function<Tensor(T, int64_t, bool)> f, ValueOfLine value, Takes takes,
              DType result = kDouble) {
  Row row{op, {}, takes};
  for (int64_t dim : {0, 1, -1})
    for (bool keepdim : {false, true})
      row.samples.push_back({{distinct({3, 4, 5})},
                             [=](const List& in) { return List{f(in[0], dim, keepdim)}; },
                             over({dim}, keepdim, value, result)});
  for (int64_t n : {1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 1023, 1025}) {
    row.samples.push_back({{distinct({2, n})},
                           [=](const List& in) { return List{f(in[0], 1, false)}; },
                           over({1}, false, value, result)});
    row.samples.push_back({{distinct({n, 3})},
                           [=](const List& in) { return List{f(in[0], 0, false)}; },
                           over({0}, false, value, result)});
  }
  for (Sample& s : row.samples) s.tolerance = 1e-10;
  row.errors.push_back({[f] { f(uniform_values({2, 3}), 2, false); }, "dim 2"});
  return row;
}

void add_moments(Table& t) {
  t.push_back(reduction(
      "var", [](T x, IntArrayRef d, bool k) { return var(x, d, true, k); }, variance_of, Takes::kFloating));
  t.push_back(reduction(
      "std", [](T x, IntArrayRef d, bool k) { return std(x, d, true, k); },
      [](const Line& v) { return std::sqrt(variance_of(v)); }, Takes::kFloating));
  t.push_back(reduction(
      "logsumexp", [](T x, IntArrayRef d, bool k) { return logsumexp(x, d, k); }, logsumexp_of, Takes::kFixed));
  for (double p : {2.0, 1.0, 3.0, 0.0, static_cast<double>(INFINITY)}) {
    Row row{"norm", {}, Takes::kFloating};
    for (const DimVector& dims : {DimVector{0}, DimVector{0, 2}, DimVector{}})
      row.samples.push_back({{distinct({3, 4, 5})},
                             [=](const List& in) { return List{norm(in[0], p, dims, false)}; },
                             over(dims, false, norm_of(p))});
    t.push_back(row);
  }
}

void add_extremes(Table& t) {
  t.push_back(reduction(
      "amax", [](T x, IntArrayRef d, bool k) { return amax(x, d, k); }, max_of, Takes::kAll));
  t.push_back(reduction(
      "amin", [](T x, IntArrayRef d, bool k) { return amin(x, d, k); }, min_of, Takes::kAll));
  t.push_back(along_one(
      "aminmax", [](T x, int64_t d, bool k) { return std::get<0>(aminmax(x, d, k)); }, min_of, Takes::kAll));
  t.push_back(along_one(
      "aminmax", [](T x, int64_t d, bool k) { return std::get<1>(aminmax(x, d, k)); }, max_of, Takes::kAll));
  t.push_back(along_one(
      "max_dim", [](T x, int64_t d, bool k) { return std::get<0>(max(x, d, k)); }, max_of, Takes::kAll));
  t.push_back(along_one(
      "min_dim", [](T x, int64_t d, bool k) { return std::get<0>(min(x, d, k)); }, min_of, Takes::kAll));
  t.push_back(along_one(
      "max_dim", [](T x, int64_t d, bool k) { return std::get<1>(max(x, d, k)); }, argmax_of, Takes::kAll, kLong));
  t.push_back(along_one(
      "argmax", [](T x, int64_t d, bool k) { return argmax(x, d, k); }, argmax_of, Takes::kAll, kLong));
  t.push_back(along_one(
      "argmin", [](T x, int64_t d, bool k) { return argmin(x, d, k); }, argmin_of, Takes::kAll, kLong));
  const Tensor nothing = uniform_values({2, 0});
  t.push_back({"amax",
               {},
               Takes::kFixed,
               {{[=] { amax(nothing); }, "amax"},
                {[=] { max(nothing); }, "max"},
                {[=] { min(nothing, 1); }, "min"},
                {[=] { argmax(nothing); }, "argmax"},
                {[=] { argmin(nothing, 1); }, "argmin"}}});
}

}  // namespace

void add_reduce(Table& t) {
  t.push_back(reduction(
      "sum", [](T x, IntArrayRef d, bool k) { return sum(x, d, k); }, sum_of, Takes::kAll));
  t.push_back(reduction(
      "nansum", [](T x, IntArrayRef d, bool k) { return nansum(x, d, k); }, sum_of, Takes::kAll));
  const Tensor gaps = from_values({1, NAN, 2, NAN, NAN, NAN, 4, 5, 6}, {3, 3});
  const auto numbers = [](const Line& v) {
    double s = 0;
    for (const double x : v) s += std::isnan(x) ? 0 : x;
    return s;
  };
  for (const int64_t dim : {0, 1})
    t.back().samples.push_back(
        {{gaps}, [=](const List& in) { return List{nansum(in[0], dim)}; }, over({dim}, false, numbers), 1e-11, false});
  t.push_back(reduction(
      "mean", [](T x, IntArrayRef d, bool k) { return mean(x, d, k); }, mean_of, Takes::kFloating));
  t.back().errors.push_back({[] { mean(integers({3}, 0, 9)); }, "mean"});
  t.push_back(along_one(
      "prod", [](T x, int64_t d, bool k) { return prod(x, d, k); }, product_of, Takes::kAll));
  for (Sample& s : t.back().samples)
    if (s.inputs[0].numel() > 100) s.inputs[0] = uniform_values(s.inputs[0].sizes(), 0.9, 1.1);
  Tensor zeros = from_values({2, 0, 3, 1, 0, 0, 4, 5, 6}, {3, 3});  // no, one and two zeros in a line
  t.push_back({"prod",
               {{{zeros}, [](const List& in) { return List{prod(in[0], 1)}; }, over({1}, false, product_of)},
                {{zeros}, [](const List& in) { return List{prod(in[0], 0)}; }, over({0}, false, product_of)}}});
  add_extremes(t);
  add_moments(t);
  const Tensor mask = integers({3, 4}, 0, 2, 3, kBool);
  const auto all_of = [](const Line& v) { return min_of(v) != 0 ? 1.0 : 0.0; };
  const auto any_of = [](const Line& v) { return max_of(v) != 0 ? 1.0 : 0.0; };
  t.push_back({"all",
               {{{mask}, [](const List& in) { return List{all(in[0], 1)}; }, over({1}, false, all_of, kBool)},
                {{mask}, [](const List& in) { return List{all(in[0])}; }, over({}, false, all_of, kBool)}}});
  t.push_back({"any",
               {{{mask}, [](const List& in) { return List{any(in[0], 0)}; }, over({0}, false, any_of, kBool)},
                {{mask}, [](const List& in) { return List{any(in[0])}; }, over({}, false, any_of, kBool)}}});
  t.push_back(
      {"sum",
       {{{uniform_values({2, 0, 3})}, [](const List& in) { return List{sum(in[0], 1)}; }, over({1}, false, sum_of)},
        {{uniform_values({0})}, [](const List& in) { return List{sum(in[0])}; }, over({}, false, sum_of)},
        {{uniform_values({})}, [](const List& in) { return List{sum(in[0])}; }, over({}, false, sum_of)},
        {{uniform_values({4, 3, 2})}, [](const List& in) {
           return List{sum_to_size(in[0], {3, 1})};
         }}}});
}

}  // namespace strata::test
