// Rows of sorting, the largest k, distinct values and searching.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "dispatcher/call.h"
#include "ops/histogram.h"
#include "ops/histogram_def.h"
#include "ops/sets.h"
#include "ops/sort.h"
#include "ops/sort_def.h"
#include "ops/statistics.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

Line sorted(Line x) {
  std::sort(x.begin(), x.end());
  return x;
}
Line falling(Line x) {
  std::sort(x.begin(), x.end(), std::greater<>());
  return x;
}
Line order(const Line& x) {
  Line i(x.size());
  std::iota(i.begin(), i.end(), 0);
  std::stable_sort(i.begin(), i.end(),
                   [&](double a, double b) { return x[static_cast<size_t>(a)] < x[static_cast<size_t>(b)]; });
  return i;
}

/// Places of lines long and short, ties, and what NaN does.
void add_places(Row& row) {
  const auto add = [&](Tensor x, int64_t dim, const PlacesParams& p) {
    row.samples.push_back({{x},
                           [=](const List& in) { return List{std::get<0>(at_places(in[0], p))}; },
                           along(dim,
                                 [=](const Line& v) {
                                   Line y;
                                   for (const int64_t k : p.places) y.push_back(sorted(v)[static_cast<size_t>(k)]);
                                   return y;
                                 }),
                           0});
  };
  add(distinct({3, 4, 5}), 1, {1, {2, 0, 2}});
  for (const int64_t n : {1, 2, 129, 700}) add(distinct({n, 2}), 0, {0, {n / 2, n - 1, n / 3}});
  add(uniform_values({9000}), 0, {0, {4000, 4001, 8999, 0}});
  const Tensor ties = converted(integers({400}, 0, 3), kDouble);
  const auto order_at = [](const Line& x) { return Line{order(x)[200], order(x)[20]}; };
  row.samples.push_back({{ties},
                         [](const List& in) {
                           return List{std::get<1>(at_places(in[0], {0, {200, 20}}))};
                         },
                         along(0, order_at, kLong),
                         0,
                         false});
  const Tensor gaps = from_values({3, NAN, 1, NAN, 2, NAN, NAN, NAN, NAN, NAN, 1, 2, 3, 4, 5}, {3, 5});
  const auto places = [&](NanPlace nan, DimVector k, Line expected) {
    row.samples.push_back({{gaps},
                           [=](const List& in) {
                             return List{std::get<1>(at_places(in[0], {1, k, nan}))};
                           },
                           [=](const List&) {
                             return List{from_values(expected, {3, 1}, kLong)};
                           },
                           0,
                           false});
  };
  places(NanPlace::kLast, {3}, {1, 3, 3});
  places(NanPlace::kChosen, {2}, {1, 0, 2});
  places(NanPlace::kLeftOut, {}, {4, 0, 2});
}

/// Runs of equal numbers, and of equal rows, with each number's run and each run's length.
Row runs_row() {
  const auto parts = [](const List& in) {
    const auto [first, inverse, counts] = unique_consecutive(in[0], true, true);
    return List{first, inverse, counts};
  };
  const auto reference = [](const List& in) {
    const Line x = values(in[0]);
    Line first, inverse, counts;
    for (const double v : x) {
      if (first.empty() || v != first.back()) first.push_back(v), counts.push_back(0);
      counts.back() += 1;
      inverse.push_back(static_cast<double>(first.size() - 1));
    }
    const DimVector n = in[0].sizes(), runs{static_cast<int64_t>(first.size())};
    return List{from_values(first, runs, kLong), from_values(inverse, n, kLong), from_values(counts, runs, kLong)};
  };
  Row row{"runs", {}};
  for (const int64_t n : {0, 1, 2, 16, 17, 18, 33, 200})
    row.samples.push_back({{integers({n}, 0, n < 100 ? 2 : 9)}, parts, reference, 0});
  row.samples.push_back({{from_values({1, 1, 1, 2, 1, 2, 1, 1}, {4, 2}, kLong)},
                         [](const List& in) {
                           const auto [first, inverse, counts] = unique_dim_consecutive(in[0], 0, true, true);
                           return List{first, inverse, counts};
                         },
                         [](const List&) {
                           return List{from_values({1, 1, 1, 2, 1, 1}, {3, 2}, kLong),
                                       from_values({0, 1, 1, 2}, {4}, kLong), from_values({1, 2, 1}, {3}, kLong)};
                         },
                         0});
  return row;
}

/// Counts between edges, and of equal parts of a range.
Row bins_row() {
  Row row{"bin_counts", {}, Takes::kFixed};
  const auto add = [&](Tensor x, std::vector<double> edges) {
    const int64_t bins = static_cast<int64_t>(edges.size()) - 1;
    row.samples.push_back({{x, from_values(edges, {bins + 1})},
                           [](const List& in) { return List{std::get<0>(histogram(in[0], in[1]))}; },
                           [=](const List& in) {
                             Line counts(static_cast<size_t>(bins));
                             for (const double v : values(in[0]))
                               for (size_t b = 0; b < counts.size(); ++b) {
                                 const bool last = b + 1 == counts.size();
                                 if (v >= edges[b] && (v < edges[b + 1] || (last && v == edges[b + 1]))) counts[b] += 1;
                               }
                             return List{from_values(counts, {bins})};
                           },
                           0,
                           false});
  };
  add(uniform_values({50}, -2, 2), {-1, -0.5, 0, 0.5, 1});
  add(uniform_values({40, 3}, -2, 2), {-1.5, -1.4, 0.2, 0.2, 1.9});
  add(from_values({-1, 0, 1, 2, 3, NAN, INFINITY, -INFINITY, 1.5}, {9}), {0, 1, 2, 3});
  add(uniform_values({0}), {0, 1});
  add(uniform_values({70}, -2, 2), {-INFINITY, -1, 0, INFINITY});
  row.samples.push_back({{uniform_values({300}, -2, 2)},
                         [](const List& in) { return List{histc(in[0], 7, -1, 1)}; },
                         [](const List& in) {
                           Line counts(7);
                           for (const double v : values(in[0]))
                             if (v >= -1 && v <= 1)
                               counts[std::min<size_t>(6, static_cast<size_t>((v + 1) * 7 / 2))] += 1;
                           return List{from_values(counts, {7})};
                         },
                         0,
                         false});
  return row;
}

}  // namespace

void add_sort(Table& t) {
  Row row{"sort", {}, Takes::kAll};
  const auto add = [&](Tensor x, int64_t dim, bool down) {
    row.samples.push_back({{x},
                           [=](const List& in) { return List{std::get<0>(sort(in[0], dim, down))}; },
                           along(dim, down ? falling : sorted),
                           0});
    if (!down)
      row.samples.push_back(
          {{x}, [=](const List& in) { return List{std::get<1>(sort(in[0], dim))}; }, along(dim, order, kLong), 0});
  };
  for (int64_t dim : {0, 1, -1})
    for (bool down : {false, true}) add(distinct({3, 4, 5}), dim, down);
  for (int64_t n : {0, 1, 2, 16, 17, 33, 65, 500}) add(distinct({2, n}), 1, false);
  add(converted(integers({40}, 0, 5), kDouble), 0, false);  // ties keep their order
  for (size_t i = row.samples.size() - 2; i < row.samples.size(); ++i) row.samples[i].smooth = false;
  row.errors = {{[] { sort(uniform_values({2}), 1); }, "dim 1"}};
  t.push_back(row);
  const auto first = [](size_t k, Line (*f)(Line)) {
    return [=](const Line& x) {
      Line y = f(x);
      y.resize(k);
      return y;
    };
  };
  t.push_back({"topk",
               {{{distinct({3, 9})},
                 [](const List& in) { return List{std::get<0>(topk(in[0], 4))}; },
                 along(1, first(4, falling)),
                 0},
                {{distinct({9, 3})},
                 [](const List& in) { return List{std::get<0>(topk(in[0], 2, 0, false))}; },
                 along(0, first(2, sorted)),
                 0},
                {{distinct({300})},
                 [](const List& in) { return List{std::get<0>(topk(in[0], 7))}; },
                 along(0, first(7, falling)),
                 0}},
               Takes::kAll,
               {{[] { topk(uniform_values({3}), 4); }, "topk"}, {[] { topk(uniform_values({3}), -1); }, "topk"}}});
  t.push_back({"at_places",
               {{{distinct({3, 9})},
                 [](const List& in) { return List{std::get<0>(kthvalue(in[0], 3))}; },
                 over({1}, false, [](const Line& x) { return sorted(x)[2]; }),
                 0},
                {{distinct({3, 8})},
                 [](const List& in) { return List{std::get<0>(median(in[0], 1))}; },
                 over({1}, false, [](const Line& x) { return sorted(x)[3]; }),
                 0}},
               Takes::kAll});
  add_places(t.back());
  const Tensor holes = from_values({3, NAN, 1, 4, 2, NAN, 5}, {7});
  t.push_back({"median",
               {{{distinct({3, 8})},
                 [](const List& in) { return List{median(in[0])}; },
                 [](const List& in) { return List{from_values({sorted(values(in[0]))[11]}, {})}; },
                 0},
                {{holes},
                 [](const List& in) { return List{nanmedian(in[0])}; },
                 [](const List&) { return List{from_values({3}, {})}; },
                 0,
                 false}}});
  t.push_back({"unique",
               {{{integers({30}, 0, 6)},
                 [](const List& in) { return List{std::get<0>(unique(in[0]))}; },
                 [](const List& in) {
                   Line v = sorted(values(in[0]));
                   v.erase(std::unique(v.begin(), v.end()), v.end());
                   return List{from_values(v, {static_cast<int64_t>(v.size())}, kLong)};
                 },
                 0}}});
  t.push_back({"index_counts",
               {{{integers({2, 41}, 0, 7)},
                 [](const List& in) { return List{call1(index_counts_op, {&in[0]}, CountParams{9})}; },
                 [](const List& in) {
                   Line counts(18);
                   const Line x = values(in[0]);
                   for (size_t i = 0; i < x.size(); ++i) counts[i / 41 * 9 + static_cast<size_t>(x[i])] += 1;
                   return List{from_values(counts, {2, 9}, kLong)};
                 },
                 0}}});
  t.push_back(runs_row());
  t.push_back(bins_row());
  t.push_back({"searchsorted",
               {{{from_values({1, 2, 2, 5}, {4}), from_values({0, 1, 2, 3, 9}, {5})},
                 [](const List& in) { return List{searchsorted(in[0], in[1])}; },
                 [](const List&) {
                   return List{from_values({0, 0, 1, 3, 4}, {5}, kLong)};
                 },
                 0},
                {{from_values({1, 2, 2, 5}, {4}), from_values({0, 1, 2, 3, 9}, {5})},
                 [](const List& in) { return List{searchsorted(in[0], in[1], false, true)}; },
                 [](const List&) {
                   return List{from_values({0, 1, 3, 3, 4}, {5}, kLong)};
                 },
                 0}}});
}

}  // namespace strata::test
