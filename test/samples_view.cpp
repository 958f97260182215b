// Rows of the views, against index arithmetic.
#include <cstring>

#include "ops/creation.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using Index = const std::vector<int64_t>&;

}  // namespace

void add_view(Table& t) {
  const Tensor x = uniform_values({4, 6, 5});
  const auto row = [&](const char* op, const Tensor& in, auto f, Function reference) {
    t.push_back({op, {{{in}, [f](const List& l) { return List{f(l[0])}; }, reference, 0}}, Takes::kAll});
  };
  using T = const Tensor&;
  t.push_back({"view_dtype",
               {{{uniform_values({3, 16})},
                 [](const List& l) { return List{l[0].view(kLong)}; },
                 [](const List& l) {
                   const Tensor bits = empty(l[0].sizes(), kLong);
                   const std::vector<double> v = values(l[0]);
                   std::memcpy(bits.bytes(), v.data(), bits.nbytes());
                   return List{bits};
                 },
                 0}}});
  row(
      "view", x,
      [](T a) {
        return view(a, {8, -1});
      },
      reshaped({8, 15}));
  row(
      "view", x, [](T a) { return flatten(a, 1); }, reshaped({4, 30}));
  row(
      "view", uniform_values({2, 0}),
      [](T a) {
        return view(a, {0, 3});
      },
      reshaped({0, 3}));
  row(
      "view", uniform_values({}),
      [](T a) {
        return view(a, {1, 1});
      },
      reshaped({1, 1}));
  row(
      "expand", uniform_values({3, 1}),
      [](T a) {
        return expand(a, {2, 3, 4});
      },
      picks({2, 3, 4}, [](Index i) {
        return std::vector<int64_t>{i[1], 0};
      }));
  row(
      "expand", uniform_values({}),
      [](T a) {
        return expand(a, {2, 2});
      },
      picks({2, 2}, [](Index) { return std::vector<int64_t>{}; }));
  row(
      "expand", uniform_values({3, 1}),
      [](T a) {
        return expand(a, {-1, 0});
      },
      picks({3, 0}, [](Index i) {
        return std::vector<int64_t>{i[0], 0};
      }));
  row(
      "permute", x,
      [](T a) {
        return permute(a, {2, 0, 1});
      },
      picks({5, 4, 6}, [](Index i) {
        return std::vector<int64_t>{i[1], i[2], i[0]};
      }));
  row(
      "permute", x, [](T a) { return transpose(a, 0, -1); }, picks({5, 6, 4}, [](Index i) {
        return std::vector<int64_t>{i[2], i[1], i[0]};
      }));
  row(
      "permute", x, [](T a) { return movedim(a, 0, 2); }, picks({6, 5, 4}, [](Index i) {
        return std::vector<int64_t>{i[2], i[0], i[1]};
      }));
  row(
      "squeeze", uniform_values({1, 3, 1, 2}), [](T a) { return squeeze(a); }, reshaped({3, 2}));
  row(
      "squeeze", uniform_values({1, 3, 1, 2}), [](T a) { return squeeze(a, -2); }, reshaped({1, 3, 2}));
  row(
      "unsqueeze", uniform_values({3, 2}), [](T a) { return unsqueeze(a, 1); }, reshaped({3, 1, 2}));
  row(
      "unsqueeze", uniform_values({3, 2}), [](T a) { return unsqueeze(a, -1); }, reshaped({3, 2, 1}));
  row(
      "select", x, [](T a) { return select(a, 1, -2); }, picks({4, 5}, [](Index i) {
        return std::vector<int64_t>{i[0], 4, i[1]};
      }));
  row(
      "slice", x, [](T a) { return slice(a, 1, 1, 6, 2); }, picks({4, 3, 5}, [](Index i) {
        return std::vector<int64_t>{i[0], 1 + 2 * i[1], i[2]};
      }));
  row(
      "slice", x, [](T a) { return slice(a, 0, -3, 100); }, picks({3, 6, 5}, [](Index i) {
        return std::vector<int64_t>{i[0] + 1, i[1], i[2]};
      }));
  row(
      "slice", x, [](T a) { return slice(a, 2, 3, 1); }, picks({4, 6, 0}, [](Index i) { return i; }));
  row(
      "slice", x, [](T a) { return narrow(a, 2, 1, 3); }, picks({4, 6, 3}, [](Index i) {
        return std::vector<int64_t>{i[0], i[1], i[2] + 1};
      }));
  row(
      "diagonal", x, [](T a) { return diagonal(a, 1, 0, 2); }, picks({6, 4}, [](Index i) {
        return std::vector<int64_t>{i[1], i[0], i[1] + 1};
      }));
  row(
      "diagonal", x, [](T a) { return diagonal(a, -2, 0, 1); }, picks({5, 2}, [](Index i) {
        return std::vector<int64_t>{i[1] + 2, i[1], i[0]};
      }));
  row(
      "unfold", x, [](T a) { return unfold(a, 1, 3, 2); }, picks({4, 2, 5, 3}, [](Index i) {
        return std::vector<int64_t>{i[0], 2 * i[1] + i[3], i[2]};
      }));
  row(
      "as_strided", uniform_values({12}),
      [](T a) {
        return as_strided(a, {3, 2, 2}, {3, 1, 2}, 1);
      },
      picks({3, 2, 2}, [](Index i) { return std::vector<int64_t>{1 + 3 * i[0] + i[1] + 2 * i[2]}; }));
  row(
      "alias", uniform_values({3, 2}), [](T a) { return alias(a); }, reshaped({3, 2}));
  row(
      "detach", uniform_values({3, 2}), [](T a) { return detach(a); }, reshaped({3, 2}));
  row(
      "stop_gradient", uniform_values({3, 2}), [](T a) { return stop_gradient(a); }, reshaped({3, 2}));

  const Tensor m = uniform_values({2, 3});
  t.push_back({"view",
               {},
               Takes::kFixed,
               {{[=] {
                   view(m, {4, 2});
                 },
                 "(4, 2)"},
                {[=] {
                   view(m, {-1, -1});
                 },
                 "-1"},
                {[=] { view(transpose(m, 0, 1), {6}); }, "reshape"},
                {[=] {
                   view(m, {-1, 4});
                 },
                 "view"},
                {[=] {
                   expand(m, {2, 4});
                 },
                 "expand"},
                {[=] { expand(m, {3}); }, "expand"},
                {[=] {
                   permute(m, {0, 0});
                 },
                 "permute"},
                {[=] { permute(m, {0}); }, "permute"},
                {[=] { select(m, 0, 2); }, "select"},
                {[=] { select(m, 0, -3); }, "select"},
                {[=] { select(m, 2, 0); }, "dim 2"},
                {[=] { slice(m, 0, 0, 2, 0); }, "step"},
                {[=] { narrow(m, 1, 2, 2); }, "narrow"},
                {[=] { unsqueeze(m, 4); }, "unsqueeze"},
                {[=] { unfold(m, 1, 4, 1); }, "unfold"},
                {[=] { unfold(m, 1, 2, 0); }, "unfold"},
                {[=] { diagonal(m, 0, 1, 1); }, "diagonal"},
                {[=] { as_strided(m, {100}, {1}); }, "as_strided"},
                {[=] { as_strided(m, {2}, {-1}); }, "as_strided"},
                {[=] { split(m, 0); }, "split"},
                {[=] {
                   split(m, IntArrayRef({1, 2}), 1 - 1);
                 },
                 "split"},
                {[=] { chunk(m, 0); }, "chunk"},
                {[=] { flatten(m, 1, 0); }, "flatten"},
                {[=] { squeeze(m, 5); }, "dim 5"}}});
}

}  // namespace strata::test
