// Values and gradients of statistics, pieces, places, distances and eigenvalues against PyTorch's, which
// functions_torch.py wrote down.
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "autograd/autograd.h"
#include "ops/activation.h"
#include "ops/arranging.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/differences.h"
#include "ops/distance.h"
#include "ops/eigen.h"
#include "ops/factor.h"
#include "ops/histogram.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/scatter_reduce.h"
#include "ops/sets.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/statistics.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/ops/wave.h"
#include "test/source_dir.h"

namespace strata::test::functions {
namespace {

using List = std::vector<Tensor>;
using In = const List&;
using Calls = std::map<std::string, std::function<List()>>;

constexpr const char* kKinds[] = {"linear", "lower", "higher", "midpoint", "nearest"};
constexpr const char* kReductions[] = {"sum", "prod", "mean", "amax", "amin"};

List gradients(const std::function<Tensor(In)>& f, List inputs) {
  for (Tensor& x : inputs) x = x.clone().requires_grad_();
  const Tensor y = f(inputs);
  return autograd::grad({(y * wave(y.sizes())).sum()}, inputs);
}

template <class... T>
List list_of(const std::tuple<T...>& results) {
  return std::apply([](const auto&... t) { return List{t...}; }, results);
}
List joined(std::initializer_list<List> lists) {
  List all;
  for (const List& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

const Tensor x34 = wave({3, 4}), x234 = wave({2, 3, 4}), x8 = wave({8}), holes = masked_fill(x34, x34 > 0.7, kNaN),
             q3 = doubles({0, 0.3, 0.8}), repeated = round(wave({4, 6}) * 2),
             places = longs({0, 2, 1, 0, 1, 1, 2, 2, 0, 0, 1, 2}).view({3, 4}),
             ties = longs({1, 2, 2, 3, 3, 3, 0, 1, 2, 3, 1, 2}).view({3, 4}).to(kDouble),
             with_zeros = longs({0, 2, 0, 3, 1, 3, 0, 1, 2, 3, 1, 0}).view({3, 4}).to(kDouble),
             rows = doubles({3, 1, 1, 2, 3, 1, 1, 2, 1, 0, 3, 1}).view({6, 2}), square = wave({4, 4}),
             hermitian = complex(wave({3, 3}), flip(wave({3, 3}).t(), 0));

List each_kind(const std::function<Tensor(const char*)>& f) {
  List out;
  for (const char* kind : kKinds) out.push_back(f(kind));
  return out;
}

Calls statistics_calls() {
  return {
      {"quantile",
       [] {
         return joined({{quantile(x34, 0.35)}, each_kind([](auto k) { return quantile(x34, q3, 1, false, k); })});
       }},
      {"quantile_keepdim",
       [] {
         return List{quantile(x34, q3, 0, true), quantile(x34, 0.5, -1, true), quantile(x34, q3, std::nullopt, true),
                     quantile(x34, 0.2, std::nullopt, true), quantile(scalar_tensor(3.0, kDouble), q3)};
       }},
      {"quantile_nan",
       [] {
         return List{quantile(holes, q3, 1), quantile(doubles({kInf, 1, -kInf}), q3)};
       }},
      {"quantile_grad",
       [] {
         return joined({gradients([](In x) { return quantile(x[0], q3, 1); }, {x34}),
                        gradients([](In x) { return quantile(x[0], q3, 0, false, "midpoint"); }, {x34})});
       }},
      {"nanquantile",
       [] {
         return joined({each_kind([](auto k) { return holes.nanquantile(q3, 0, false, k); }),
                        each_kind([](auto k) { return holes.nanquantile(q3, 1, false, k); }),
                        {doubles({kNaN, kNaN}).nanquantile(0.5)}});
       }},
      {"nanquantile_grad", [] { return gradients([](In x) { return nanquantile(x[0], q3, 1); }, {holes}); }},
      {"nanmedian",
       [] {
         return joined({{holes.nanmedian()},
                        list_of(holes.nanmedian(1)),
                        list_of(holes.nanmedian(0, true)),
                        {std::get<0>(doubles({kNaN, kNaN}).nanmedian(0))}});
       }},
      {"nanmean",
       [] {
         return joined({{nanmean(holes), nanmean(holes, 1), nanmean(holes, {0, 1}, true)},
                        gradients([](In x) { return x[0].nanmean(0); }, {holes})});
       }},
      {"mode",
       [] {
         return joined({list_of(mode(repeated)), list_of(mode(repeated, 0, true)),
                        list_of(mode(doubles({1, kNaN, kNaN, 2, kNaN}))), list_of(longs({1, 0, 1}).to(kBool).mode())});
       }},
      {"mode_grad", [] { return gradients([](In x) { return std::get<0>(mode(x[0], 1)); }, {repeated}); }},
      {"cov",
       [] {
         const Tensor often = longs({1, 2, 3, 1}), heavy = wave({4}).abs();
         return List{cov(x34),
                     cov(x8),
                     cov(x34, 0),
                     cov(x34, 1, often),
                     cov(x34, 1, {}, heavy),
                     cov(x34, 2, often, heavy),
                     cov(longs({1, 2, 3, 3, 1, 1}).view({2, 3}))};
       }},
      {"cov_grad",
       [] {
         return joined(
             {gradients([](In x) { return cov(x[0]); }, {x34}), gradients([](In x) { return corrcoef(x[0]); }, {x34})});
       }},
      {"corrcoef",
       [] {
         return List{corrcoef(x34), x8.corrcoef()};
       }},
      {"histc",
       [] {
         return List{histc(x234, 5), histc(x234, 4, -0.5, 0.5), histc(ones({2}, kDouble), 4),
                     histc(empty({0}, kDouble), 3), doubles({1, kNaN, 2, 3}).histc(4, 0, 3)};
       }},
      {"histogram",
       [] {
         const double range[] = {-0.5, 0.5};
         return joined(
             {list_of(histogram(x234, 5)), list_of(histogram(x34, 4, ArrayRef<double>(range), x34.abs(), true)),
              list_of(histogram(x34, doubles({-1, 0, 0.2, 0.9}))), list_of(ones({3}, kDouble).histogram(4)),
              list_of(histogram(empty({0}, kDouble), 4)), list_of(histogram(doubles({1, 2, 3}), doubles({1, 2, 3})))});
       }},
      {"histogramdd",
       [] {
         const Tensor points = wave({10, 2});
         const double range[] = {-1, 1, -0.5, 1};
         const auto [hist, edges] = histogramdd(points, {2, 3});
         return joined({{hist},
                        edges,
                        {std::get<0>(histogramdd(points, {2, 3}, ArrayRef<double>(range), wave({10}).abs(), true))}});
       }},
  };
}

Calls piece_calls() {
  return {
      {"splits",
       [] {
         return joined({tensor_split(x8, 3), x8.tensor_split({-1, 2, 9}), hsplit(x34, 2), x34.vsplit(IntArrayRef({1})),
                        dsplit(x234, {1, 3}), x8.hsplit(2)});
       }},
      {"stacks",
       [] {
         const Tensor one = scalar_tensor(5.0, kDouble);
         return List{column_stack({wave({3}), x34}),
                     dstack({x34, x34}),
                     dstack({wave({3}), wave({3})}),
                     row_stack({wave({4}), x34}),
                     block_diag({wave({2, 2}), wave({3}), one, wave({1, 2})}),
                     cartesian_prod({wave({2}), wave({3})}),
                     combinations(wave({4})),
                     combinations(wave({3}), 3),
                     combinations(wave({3}), 2, true),
                     combinations(wave({2}), 3)};
       }},
      {"atleast",
       [] {
         const List all{scalar_tensor(2.0, kDouble), wave({3}), x34, x234};
         return joined({atleast_1d(all), atleast_2d(all), atleast_3d(all)});
       }},
      {"stacks_grad",
       [] {
         return joined({gradients(
                            [](In x) {
                              return block_diag({x[0], x[1]});
                            },
                            {x34, wave({2})}),
                        gradients([](In x) { return combinations(x[0]); }, {wave({4})})});
       }},
      {"diff",
       [] {
         return List{diff(x34),
                     x34.diff(2, 0),
                     diff(x34, 0),
                     diff(x34, 9),
                     diff(x34, 1, 1, wave({3, 1}), wave({3, 2})),
                     diff(longs({1, 0, 0}).to(kBool))};
       }},
      {"diff_grad",
       [] {
         return gradients([](In x) { return diff(x[0], 2, 1, x[1]); }, {x34, wave({3, 1})});
       }},
      {"gradient",
       [] {
         const std::vector<Scalar> steps{0.5, 3.0};
         const List at{doubles({0, 1, 3}), doubles({0, 1, 3, 4})};
         return joined({gradient(x34), gradient(x34, Scalar(2.0), {1}, 2), gradient(x34, ArrayRef<Scalar>(steps)),
                        gradient(x34, TensorList(at), std::nullopt, 2), gradient(wave({2}))});
       }},
      {"trapezoid",
       [] {
         const Tensor at = doubles({0, 1, 3, 4});
         return List{trapezoid(x34),
                     trapezoid(x34, 0.5, 0),
                     trapezoid(x34, at),
                     trapezoid(x34, cumsum(x34, 0), 0),
                     trapezoid(empty({2, 0}, kDouble)),
                     cumulative_trapezoid(x34),
                     cumulative_trapezoid(x34, 2.0, 0),
                     cumulative_trapezoid(x34, at),
                     trapezoid(longs({1, 2, 3}))};
       }},
      {"trapezoid_grad",
       [] {
         return gradients([](In x) { return trapezoid(x[0], x[1]); }, {x34, doubles({0, 1, 3, 4})});
       }},
      {"isin",
       [] {
         return List{isin(repeated, doubles({1, -2})), isin(repeated, arange(-1, 30), false, true),
                     isin(doubles({kNaN, 1}), doubles({kNaN})), isin(longs({1, 2}), 2), isin(2, longs({1, 2}))};
       }},
      {"unique_consecutive",
       [] {
         return joined({list_of(unique_consecutive(repeated, true, true)),
                        list_of(unique_consecutive(rows.slice(0, 0, 4, 2), true, true, 0)),
                        {std::get<0>(unique_consecutive(doubles({kNaN, kNaN, 1, 1})))}});
       }},
      {"unique_dim",
       [] {
         return joined(
             {list_of(unique_dim(rows, 0, true, true, true)), list_of(unique_dim(rows.t(), 1, true, true, true))});
       }},
      {"unique_grad", [] { return gradients([](In x) { return std::get<0>(unique_dim(x[0], 0)); }, {rows}); }},
      {"nonzero",
       [] {
         return joined(
             {nonzero_numpy(repeated), {nonzero_static(longs({1, 0, 2}), 4), longs({1, 0, 2}).nonzero_static(1)}});
       }},
      {"rot90",
       [] {
         List out;
         for (const int64_t k : {1, 2, 3, -1, 4}) out.push_back(rot90(x34, k));
         return joined({out, {x234.rot90(1, {2, 0}), diagflat(wave({2, 2}), 1), x234.moveaxis(0, 2)}});
       }},
      {"channel_shuffle",
       [] {
         return List{channel_shuffle(wave({1, 6, 2, 1}), 3)};
       }},
      {"renorm",
       [] {
         return List{renorm(x34, 2, 0, 1.0), renorm(x234, 1, -1, 0.5), dist(x34, x34.slice(0, 0, 1) * 2, 3),
                     norm_except_dim(x234, 2, 1), x34.msort()};
       }},
      {"renorm_grad", [] { return gradients([](In x) { return renorm(x[0], 2, 0, 1.0); }, {x34}); }},
      {"range",
       [] {
         return List{range(1, 4, kDouble), range(1, 4, 0.7, kDouble), range(3, -3, -2, kDouble)};
       }},
  };
}

/// `f(reduction, include_self)` for all, those from the `first` on.
List each_reduction(size_t first, const std::function<List(const char*, bool)>& f) {
  List out;
  for (size_t r = first; r < 5; ++r)
    for (const bool include_self : {true, false})
      for (const Tensor& t : f(kReductions[r], include_self)) out.push_back(t);
  return out;
}

List cdist_gradients() {
  List out;
  for (const double p : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, kInf})
    for (const Tensor& g :
         gradients([p](In x) { return cdist(x[0], x[1], p); }, {x34, cat({wave({2, 4}), x34.slice(0, 0, 1)})}))
      out.push_back(g);
  return out;
}

List each_cdist() {
  List out;
  for (const double p : {0.0, 0.5, 1.0, 2.0, 3.0, kInf}) out.push_back(cdist(x34, wave({2, 4}), p));
  return joined({out,
                 {cdist(wave({2, 1, 3, 4}), wave({3, 2, 4})), cdist(empty({2, 0}, kDouble), empty({3, 0}, kDouble)),
                  cdist(wave({30, 3}), wave({2, 3}))}});
}

Calls place_calls() {
  return {
      {"logcumsumexp",
       [] {
         return List{logcumsumexp(x34 * 900, 1), logcumsumexp(doubles({-kInf, -kInf, 1, 5, kInf, 2, kNaN, 3}), 0),
                     scalar_tensor(2.0, kDouble).logcumsumexp(0)};
       }},
      {"logcumsumexp_grad",
       [] {
         return joined({gradients([](In x) { return logcumsumexp(x[0] * 3, 0); }, {x34}),
                        gradients([](In x) { return logcumsumexp(x[0] * 3, 1); }, {x34})});
       }},
      {"scatter_reduce",
       [] {
         List out;
         for (const int64_t d : {0, 1})
           for (const Tensor& t : each_reduction(
                    0, [d](const char*r, bool self) { return List{ties.scatter_reduce(d, places, x34 * 2, r, self)}; }))
             out.push_back(t);
         return out;
       }},
      {"scatter_reduce_int",
       [] {
         return each_reduction(0, [](const char* r, bool self) {
           return List{scatter_reduce(longs({1, 2, 3}), 0, longs({0, 0, 2}), longs({-5, 6, 4}), r, self)};
         });
       }},
      {"scatter_reduce_grad",
       [] {
         return each_reduction(1, [](const char* r, bool self) {
           // Where x does not count, PyTorch divides by the number of ties with x all the same: so there are none here.
           return gradients([=](In x) { return scatter_reduce(x[0], 0, places, x[1], r, self); },
                            {self ? ties : ties + 10, flip(ties, 1)});
         });
       }},
      {"scatter_reduce_zeros",
       [] {
         return gradients([](In x) { return scatter_reduce(x[0], 0, places, x[1], "prod"); },
                          {with_zeros, flip(with_zeros, 0)});
       }},
      {"index_reduce",
       [] {
         return each_reduction(1, [](const char* r, bool self) {
           return List{index_reduce(x34, 1, longs({0, 2, 0}), wave({3, 3}) * 2, r, self)};
         });
       }},
      {"scatter_modes",
       [] {
         return List{scatter(x34, 0, places, x34, "add"), x34.scatter(0, places, 2.0, "multiply")};
       }},
      {"put",
       [] {
         return List{put(x34, longs({1, -1, 3}), wave({3})), x34.clone().put_(longs({1, 1, 3}), wave({3}), true)};
       }},
      {"cdist", each_cdist},
      {"cdist_grad", cdist_gradients},
      {"cdist_mm_grad",
       [] {
         return gradients([](In x) { return cdist(x[0], x[1]); }, {wave({30, 3}), wave({2, 3}) * 3});
       }},
      {"pdist",
       [] {
         List out;
         for (const double p : {0.0, 1.0, 2.0, 3.0, kInf}) out.push_back(pdist(x34, p));
         return joined({out, gradients([](In x) { return pdist(x[0]); }, {x34})});
       }},
      {"eigvals",
       [] {
         const Tensor w = linalg::eigvals(square), v = linalg_eigvals(hermitian);
         return List{real(w), imag(w), real(v), imag(v)};
       }},
      {"eigvals_grad", [] { return gradients([](In x) { return linalg::eigvals(x[0]).abs(); }, {square}); }},
      {"eig_grad",
       [] {
         return gradients(
             [](In x) {
               const auto [w, v] = linalg::eig(x[0]);
               return v.abs() * w.abs();
             },
             {square});
       }},
      {"polar",
       [] {
         return list_of(linalg::polar(wave({4, 3})));
       }},
      {"ormqr",
       [] {
         const auto [a, tau] = wave({4, 3}).geqrf();
         const Tensor right = wave({4, 2}), left = wave({2, 4});
         return List{ormqr(a, tau, right),
                     ormqr(a, tau, right, true, true),
                     a.ormqr(tau, left, false),
                     ormqr(a, tau, left, false, true),
                     a,
                     tau};
       }},
  };
}

struct Answer {
  DimVector sizes;
  std::vector<double> values;
};

/// The answers of each call, in order.
std::map<std::string, std::vector<Answer>> read_answers() {
  std::map<std::string, std::vector<Answer>> answers;
  std::ifstream file(source_dir() + "/test/ops/functions_torch.txt");
  REQUIRE(file.good());
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    Answer answer;
    while (words >> word && word != ":") answer.sizes.push_back(std::stoll(word));
    while (words >> word) answer.values.push_back(std::stod(word));
    answers[name].push_back(answer);
  }
  return answers;
}

bool is_near(double found, double wanted, double scale, double tolerance) {
  if (std::isnan(wanted) || std::isinf(wanted)) return std::isnan(wanted) ? std::isnan(found) : found == wanted;
  return std::abs(found - wanted) <= tolerance * scale;
}

void check_answer(const Tensor& found, const Answer& wanted) {
  CHECK(found.sizes() == IntArrayRef(wanted.sizes));
  const std::vector<double> v = values(found);
  REQUIRE(v.size() == wanted.values.size());
  double scale = 1;
  for (const double w : wanted.values)
    if (std::isfinite(w)) scale = std::max(scale, std::abs(w));
  for (size_t i = 0; i < v.size(); ++i) {
    INFO("element " << i << " is " << v[i] << ", PyTorch's " << wanted.values[i]);
    CHECK(is_near(v[i], wanted.values[i], scale, found.dtype() == kFloat ? 1e-6 : 1e-9));
  }
}

}  // namespace

TEST_CASE("values and gradients of statistics, pieces and places are PyTorch's", "[lapack]") {
  const auto answers = read_answers();
  Calls calls = statistics_calls();
  calls.merge(piece_calls());
  calls.merge(place_calls());
  CHECK(calls.size() == answers.size());
  for (const auto& [name, call] : calls) {
    INFO(name);
    REQUIRE(answers.count(name) == 1);
    const std::vector<Answer>& wanted = answers.at(name);
    const List found = call();
    REQUIRE(found.size() == wanted.size());
    for (size_t i = 0; i < found.size(); ++i) {
      INFO("result " << i);
      check_answer(found[i], wanted[i]);
    }
  }
}

TEST_CASE("matrices that cannot be taken are errors of their own kind", "[lapack]") {
  CHECK_THROWS_AS(linalg::inv(zeros({2, 2})), LinAlgError);
  CHECK_THROWS_AS(linalg::eig(full({2, 2}, kNaN)), LinAlgError);
  CHECK_THROWS_AS(linalg::solve(zeros({2, 2}), ones({2})), Error);
}

}  // namespace strata::test::functions
