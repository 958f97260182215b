// Rows of gather, scatter, index, masks and embedding, against loops over indices.
#include "ops/embedding.h"
#include "ops/embedding_bag.h"
#include "ops/indexing.h"
#include "ops/tensor_index.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Index = const std::vector<int64_t>&;
using indexing::None;
using indexing::Slice;

/// Calls `visit(position in x, position in index)` for each element of `index`, as gather and scatter define it.
void walk(T x, int64_t dim, T index, const std::function<void(size_t, size_t)>& visit) {
  const std::vector<double> v = values(index);
  size_t n = 0;
  for_each_index(index.sizes(), [&](std::vector<int64_t> i) {
    i[static_cast<size_t>(dim)] = static_cast<int64_t>(v[n]);
    visit(static_cast<size_t>(flat(i, x.sizes())), n++);
  });
}

Function gathered(int64_t dim) {
  return [dim](const List& in) {
    const std::vector<double> x = values(in[0]);
    std::vector<double> out(static_cast<size_t>(in[1].numel()));
    walk(in[0], dim, in[1], [&](size_t at, size_t n) { out[n] = x[at]; });
    return List{from_values(out, in[1].sizes(), in[0].dtype())};
  };
}

Function scattered(int64_t dim, bool add) {
  return [=](const List& in) {
    std::vector<double> out = values(in[0]);
    walk(in[0], dim, in[1], [&](size_t at, size_t n) {
      const std::vector<double> source = values(in[2]);
      out[at] = (add ? out[at] : 0) + source[n];
    });
    return List{from_values(out, in[0].sizes(), in[0].dtype())};
  };
}

void add_gathers(Table& t) {
  const Tensor x = uniform_values({4, 5}), index = integers({3, 5}, 0, 4), other = integers({4, 2}, 0, 5, 2);
  t.push_back(
      {"gather",
       {{{x, index}, [](const List& in) { return List{gather(in[0], 0, in[1])}; }, gathered(0), 0},
        {{x, other}, [](const List& in) { return List{gather(in[0], -1, in[1])}; }, gathered(1), 0},
        {{x, integers({0, 5}, 0, 4)}, [](const List& in) { return List{gather(in[0], 0, in[1])}; }, gathered(0), 0}},
       Takes::kAll,
       {{[=] {
           gather(x, 0, integers({3, 5}, 4, 5));
         },
         "gather"},
        {[=] { gather(x, 0, integers({3}, 0, 2)); }, "gather"},
        {[=] { gather(x, 2, index); }, "dim 2"},
        {[=] { gather(x, 0, x); }, "gather"},
        {[=] {
           gather(x, 0, integers({3, 6}, 0, 2));
         },
         "gather"}}});
  const Tensor source = uniform_values({3, 5}, -1, 1, 3),
               once = from_values({0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2}, {3, 5}, kLong);
  t.push_back({"scatter",
               {{{x, once, source},
                 [](const List& in) { return List{scatter(in[0], 0, in[1], in[2])}; },
                 scattered(0, false),
                 0},
                {{x, index, source},
                 [](const List& in) { return List{scatter_add(in[0], 0, in[1], in[2])}; },
                 scattered(0, true)},
                {{x, once}, [](const List& in) { return List{scatter(in[0], 0, in[1], 2.5)}; }}},
               Takes::kAll,
               {{[=] {
                   scatter(x, 0, integers({3, 5}, -9, -8), source);
                 },
                 "scatter"},
                {[=] {
                   scatter_add(x, 0, integers({3, 5}, 4, 5), source);
                 },
                 "scatter"}}});
}

void add_index_rows(Table& t) {
  const Tensor x = uniform_values({4, 5, 3}), rows = from_values({3, 0, -1, 3}, {4}, kLong),
               cols = from_values({0, 4, 2, 2}, {4}, kLong);
  const auto row_of = [](double i) { return static_cast<int64_t>(i < 0 ? i + 4 : i); };
  const auto v = values(rows), w = values(cols);
  t.push_back({"index",
               {{{x, rows},
                 [](const List& in) { return List{index(in[0], {in[1]})}; },
                 picks({4, 5, 3},
                       [=](Index i) {
                         return std::vector<int64_t>{row_of(v[static_cast<size_t>(i[0])]), i[1], i[2]};
                       }),
                 0},
                {{x, rows, cols},
                 [](const List& in) {
                   return List{index(in[0], {in[1], in[2]})};
                 },
                 picks({4, 3},
                       [=](Index i) {
                         return std::vector<int64_t>{row_of(v[static_cast<size_t>(i[0])]),
                                                     static_cast<int64_t>(w[static_cast<size_t>(i[0])]), i[1]};
                       }),
                 0},
                {{x, cols},
                 [](const List& in) { return List{index_select(in[0], 1, in[1])}; },
                 picks({4, 4, 3},
                       [=](Index i) {
                         return std::vector<int64_t>{i[0], static_cast<int64_t>(w[static_cast<size_t>(i[1])]), i[2]};
                       }),
                 0},
                {{x, rows},
                 [](const List& in) {
                   return List{index(in[0], {in[1], Slice(1, None, 2), 2})};
                 },
                 picks({4, 2},
                       [=](Index i) {
                         return std::vector<int64_t>{row_of(v[static_cast<size_t>(i[0])]), 1 + 2 * i[1], 2};
                       }),
                 0},
                {{x},
                 [](const List& in) {
                   return List{index(in[0], {"...", 0})};
                 },
                 picks({4, 5},
                       [](Index i) {
                         return std::vector<int64_t>{i[0], i[1], 0};
                       }),
                 0,
                 true}},
               Takes::kAll,
               {{[=] { index(x, {integers({2}, 4, 5)}); }, "index"},
                {[=] {
                   index(x, {0, 0, 0, 0});
                 },
                 "index"},
                {[=] { index(x, {5}); }, "index"},
                {[=] { index_select(x, 0, integers({2}, 9, 10)); }, "index"},
                {[=] { index(x, {uniform_values({2})}); }, "index"},
                {[=] {
                   index_select(x, 0, integers({2, 2}, 0, 2));
                 },
                 "index_select"}}});
  const auto put = [](bool accumulate) {
    return [=](const List& in) { return List{index_put(in[0], {in[2]}, in[1], accumulate)}; };
  };
  const auto reference = [=](bool accumulate) {
    return [=](const List& in) {
      std::vector<double> out = values(in[0]);
      const std::vector<double> source = values(in[1]), at = values(in[2]);
      for (size_t k = 0; k < at.size(); ++k)
        for (size_t e = 0; e < 15; ++e) {
          double& place = out[static_cast<size_t>(row_of(at[k])) * 15 + e];
          place = (accumulate ? place : 0) + source[k * 15 + e];
        }
      return List{from_values(out, in[0].sizes())};
    };
  };
  const Tensor four = uniform_values({4, 5, 3}, -1, 1, 7), distinct_rows = from_values({2, 0, -1, 1}, {4}, kLong);
  t.push_back({"index_put",
               {{{x, four, distinct_rows}, put(false), reference(false)},
                {{x, four, rows}, put(true), reference(true)},
                {{x, four, cols},
                 [](const List& in) {
                   return List{index_add(in[0], 1, in[2], transpose(in[1], 0, 1).slice(0, 0, 4).transpose(0, 1), 2)};
                 }}},
               Takes::kFixed,
               {{[=] {
                   index_put(x, {rows}, uniform_values({2, 2}));
                 },
                 "(2, 2)"}}});
}

void add_masks(Table& t) {
  const Tensor x = uniform_values({4, 3}), mask = integers({4, 3}, 0, 2, 3, kBool);
  t.push_back({"where",
               {{{x, mask},
                 [](const List& in) { return List{masked_fill(in[0], in[1], 7)}; },
                 [](const List& in) {
                   std::vector<double> v = values(in[0]), m = values(in[1]);
                   for (size_t i = 0; i < v.size(); ++i) v[i] = m[i] != 0 ? 7 : v[i];
                   return List{from_values(v, in[0].sizes())};
                 },
                 0}},
               Takes::kFixed,
               {{[=] { masked_fill(x, x, 1); }, "masked_fill"}}});
  t.push_back({"nonzero",
               {{{mask},
                 [](const List& in) { return List{nonzero(in[0])}; },
                 [](const List& in) {
                   std::vector<double> out;
                   const std::vector<double> m = values(in[0]);
                   size_t n = 0;
                   for_each_index(in[0].sizes(), [&](Index i) {
                     if (m[n++] != 0) out.insert(out.end(), {static_cast<double>(i[0]), static_cast<double>(i[1])});
                   });
                   return List{from_values(out, {static_cast<int64_t>(out.size()) / 2, 2}, kLong)};
                 },
                 0}}});
  t.push_back({"",
               {{{x, mask},
                 [](const List& in) { return List{masked_select(in[0], in[1])}; },
                 [](const List& in) {
                   std::vector<double> out;
                   const std::vector<double> v = values(in[0]), m = values(in[1]);
                   for (size_t i = 0; i < v.size(); ++i)
                     if (m[i] != 0) out.push_back(v[i]);
                   return List{from_values(out, {static_cast<int64_t>(out.size())})};
                 },
                 0},
                {{x, integers({4, 1}, 0, 3)}, [](const List& in) { return List{take_along_dim(in[0], in[1], 1)}; }},
                {{x, integers({5}, 0, 12)}, [](const List& in) { return List{take(in[0], in[1])}; }}}});
}

/// The sums of bags of rows, `starts` and `ids` being fixed; `scale` may be null.
Function bags_of(std::vector<int64_t> ids, std::vector<int64_t> starts, bool scaled, bool mean, int64_t padding) {
  return [=](const List& in) {
    const auto w = values(in[0]), s = scaled ? values(in[1]) : std::vector<double>(ids.size(), 1);
    const size_t columns = static_cast<size_t>(in[0].sizes()[1]), count = starts.size() - 1;
    std::vector<double> out(count * columns, 0);
    for (size_t b = 0; b < count; ++b) {
      double n = 0;
      for (size_t i = static_cast<size_t>(starts[b]); i < static_cast<size_t>(starts[b + 1]); ++i) {
        if (ids[i] == padding) continue;
        n += 1;
        for (size_t c = 0; c < columns; ++c)
          out[b * columns + c] += s[i] * w[static_cast<size_t>(ids[i]) * columns + c];
      }
      for (size_t c = 0; mean && n > 0 && c < columns; ++c) out[b * columns + c] /= n;
    }
    return List{from_values(out, {static_cast<int64_t>(count), in[0].sizes()[1]}, in[0].dtype())};
  };
}

void add_bags(Table& t) {
  const std::vector<int64_t> ids{1, 4, 4, 0, 5, 2, 2, 3}, starts{0, 3, 3, 8}, grid_starts{0, 4, 8};
  const Tensor index = from_values({1, 4, 4, 0, 5, 2, 2, 3}, {8}, kLong), offsets = from_values({0, 3, 3}, {3}, kLong);
  const Tensor grid = from_values({1, 4, 4, 0, 5, 2, 2, 3}, {2, 4}, kLong);
  const Tensor w = distinct({6, 5}), wide = uniform_values({6, 70}), scale = uniform_values({8}, -1, 1, 2);
  const auto bags = [](T weight, T at, T from, int64_t mode, std::optional<int64_t> padding = {}, bool freq = false) {
    return List{std::get<0>(embedding_bag(weight, at, from, freq, mode, false, {}, false, padding))};
  };
  t.push_back({"add_rows",
               {{{w, index},
                 [=](const List& in) { return bags(in[0], in[1], offsets, 0); },
                 bags_of(ids, starts, false, false, -1)},
                {{wide, index},
                 [=](const List& in) { return bags(in[0], in[1], offsets, 1, 4); },
                 bags_of(ids, starts, false, true, 4)},
                {{wide, grid},
                 [=](const List& in) { return bags(in[0], in[1], {}, 1); },
                 bags_of(ids, grid_starts, false, true, -1)},
                {{w, index},
                 [=](const List& in) { return bags(in[0], in[1], offsets, 0, {}, true); },
                 bags_of(ids, starts, false, false, -1),
                 1e-11,
                 false},
                {{w, scale, index},
                 [=](const List& in) {
                   return List{std::get<0>(embedding_bag(in[0], in[2], offsets, false, 0, false, in[1], false, 4))};
                 },
                 bags_of(ids, starts, true, false, 4)},
                {{w, from_values({}, {0}, kLong)},
                 [=](const List& in) {
                   return bags(in[0], in[1], from_values({0, 0}, {2}, kLong), 1);
                 }}},
               Takes::kFixed,
               {{[=] {
                   bags(w, integers({2, 2}, 6, 7), {}, 0);
                 },
                 "out of bounds"},
                {[=] {
                   bags(w, integers({2, 2}, -1, 0), {}, 0);
                 },
                 "out of bounds"},
                {[=] {
                   bags(w, index, from_values({0, 9}, {2}, kLong), 0);
                 },
                 "last offset is 9"}}});
  t.push_back({"max_rows",
               {{{w, index},
                 [=](const List& in) { return bags(in[0], in[1], offsets, 2); },
                 [](const List& in) {
                   const auto v = values(in[0]);
                   std::vector<double> out;
                   for (size_t c = 0; c < 5; ++c) out.push_back(std::max(v[5 + c], v[20 + c]));
                   out.resize(10, 0);
                   for (size_t c = 0; c < 5; ++c) out.push_back(std::max({v[c], v[25 + c], v[10 + c], v[15 + c]}));
                   return List{from_values(out, {3, 5})};
                 }},
                {{distinct({6, 40}), grid}, [=](const List& in) { return bags(in[0], in[1], {}, 2, 4); }}}});
}

}  // namespace

void add_indexing(Table& t) {
  add_bags(t);
  add_gathers(t);
  add_index_rows(t);
  add_masks(t);
  const Tensor weight = uniform_values({6, 3}), ids = integers({2, 4}, 0, 6);
  const auto v = values(ids);
  const Function rows = picks({2, 4, 3}, [v](Index i) {
    return std::vector<int64_t>{static_cast<int64_t>(v[static_cast<size_t>(i[0] * 4 + i[1])]), i[2]};
  });
  t.push_back(
      {"embedding",
       {{{weight, ids}, [](const List& in) { return List{embedding(in[0], in[1])}; }, rows, 0},
        {{weight, ids}, [](const List& in) { return List{embedding(in[0], in[1], 2)}; }, rows, 0, false},
        {{weight, ids}, [](const List& in) { return List{embedding(in[0], in[1], -1, true)}; }, rows, 0, false}},
       Takes::kFixed,
       {{[=] { embedding(weight, integers({2}, 6, 7)); }, "out of range"},
        {[=] { embedding(weight, integers({2}, -2, -1)); }, "out of range"}}});
}

}  // namespace strata::test
