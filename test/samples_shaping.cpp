// Rows of cat, pad, flip, roll, repeat, triangles and the adjoints of views, against index arithmetic.
#include "ops/shaping.h"
#include "ops/view.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Index = const std::vector<int64_t>&;

Function zeroed(std::function<bool(Index)> keep) {
  return [=](const List& in) {
    std::vector<double> v = values(in[0]);
    size_t n = 0;
    for_each_index(in[0].sizes(), [&](Index i) {
      if (!keep(i)) v[n] = 0;
      ++n;
    });
    return List{from_values(v, in[0].sizes(), in[0].dtype())};
  };
}

void add_joins(Table& t) {
  const Tensor a = uniform_values({2, 3}), b = uniform_values({2, 1}, -1, 1, 2), c = uniform_values({2, 4}, -1, 1, 3);
  const Function joined = [](const List& in) {
    std::vector<double> out;
    for (int64_t r = 0; r < 2; ++r)
      for (T x : in)
        for (int64_t k = 0; k < x.sizes()[1]; ++k) out.push_back(values(x)[static_cast<size_t>(r * x.sizes()[1] + k)]);
    return List{from_values(out, {2, static_cast<int64_t>(out.size()) / 2}, in[0].dtype())};
  };
  const Function cat1 = [](const List& in) { return List{cat(in, 1)}; };
  t.push_back(
      {"cat",
       {{{a, b, c}, cat1, joined},
        {{a}, cat1, joined},
        {{a, uniform_values({2, 0}), c}, cat1, joined},
        {{a, uniform_values({0}), c}, cat1},
        {{a, uniform_values({4, 3}, -1, 1, 5)}, [](const List& in) { return List{cat(in, 0)}; }},
        {{uniform_values({3, 2}), uniform_values({3, 2}, -1, 1, 2)}, [](const List& in) { return List{stack(in, 1)}; }},
        {{uniform_values({}), uniform_values({}, -1, 1, 2)}, [](const List& in) { return List{stack(in, 0)}; }}},
       Takes::kAll,
       {{[=] {
           cat(List{a, b}, 0);
         },
         "cat"},
        {[=] { cat(List{}, 0); }, "cat"},
        {[=] {
           cat(List{a, c}, 2);
         },
         "cat"},
        {[=] {
           stack(List{a, b});
         },
         "stack"}}});
}

void add_moves(Table& t) {
  const Tensor x = uniform_values({3, 4, 5});
  const auto row = [&](const char* op, T in, auto f, Function reference) {
    t.push_back({op, {{{in}, [f](const List& l) { return List{f(l[0])}; }, reference, 0}}, Takes::kAll});
  };
  row(
      "flip", x,
      [](T a) {
        return flip(a, {0, 2});
      },
      picks({3, 4, 5}, [](Index i) {
        return std::vector<int64_t>{2 - i[0], i[1], 4 - i[2]};
      }));
  row(
      "flip", x, [](T a) { return flip(a, {-2}); }, picks({3, 4, 5}, [](Index i) {
        return std::vector<int64_t>{i[0], 3 - i[1], i[2]};
      }));
  row(
      "cat", x,
      [](T a) {
        return roll(a, {1, -2}, {0, 2});
      },
      picks({3, 4, 5}, [](Index i) {
        return std::vector<int64_t>{(i[0] + 2) % 3, i[1], (i[2] + 2) % 5};
      }));
  row(
      "expand", uniform_values({2, 3}),
      [](T a) {
        return repeat(a, {2, 1, 2});
      },
      picks({2, 2, 6}, [](Index i) {
        return std::vector<int64_t>{i[1], i[2] % 3};
      }));
  row(
      "expand", uniform_values({2, 3}), [](T a) { return repeat_interleave(a, 2, 1); }, picks({2, 6}, [](Index i) {
        return std::vector<int64_t>{i[0], i[1] / 2};
      }));
  row(
      "tril", x, [](T a) { return tril(a, 1); }, zeroed([](Index i) { return i[2] <= i[1] + 1; }));
  row(
      "triu", x, [](T a) { return triu(a, -1); }, zeroed([](Index i) { return i[2] >= i[1] - 1; }));
  row(
      "pad", uniform_values({2, 3}),
      [](T a) {
        return pad(a, {1, 2});
      },
      [](const List& in) {
        std::vector<double> v(12, 0);
        for_each_index({2, 3}, [&](Index i) {
          v[static_cast<size_t>(i[0] * 6 + i[1] + 1)] = values(in[0])[static_cast<size_t>(flat(i, {2, 3}))];
        });
        return List{from_values(v, {2, 6}, in[0].dtype())};
      });
  row(
      "pad", uniform_values({4, 5}),
      [](T a) {
        return constant_pad_nd(a, {-1, -2, 0, -1});
      },
      picks({3, 2}, [](Index i) {
        return std::vector<int64_t>{i[0], i[1] + 1};
      }));
  row(
      "cat", uniform_values({2, 5}),
      [](T a) {
        return pad(a, {2, 1}, "reflect");
      },
      picks({2, 8}, [](Index i) {
        const int64_t k = std::abs(i[1] - 2);
        return std::vector<int64_t>{i[0], k > 4 ? 8 - k : k};
      }));
  row(
      "cat", uniform_values({2, 5}),
      [](T a) {
        return pad(a, {2, 1}, "replicate");
      },
      picks({2, 8}, [](Index i) {
        return std::vector<int64_t>{i[0], std::clamp<int64_t>(i[1] - 2, 0, 4)};
      }));
  row(
      "cat", uniform_values({2, 5}),
      [](T a) {
        return pad(a, {2, 1}, "circular");
      },
      picks({2, 8}, [](Index i) {
        return std::vector<int64_t>{i[0], (i[1] + 3) % 5};
      }));
  // replicate, circular and reflect are built of other ops; which ones is their own business.
  for (Row& r : t)
    if (r.op == "cat" && r.samples.size() == 1 && r.samples[0].inputs[0].sizes() == IntArrayRef({2, 5})) r.op.clear();
}

/// A block put back into zeros or into a base: their references are the views themselves.
void add_adjoints(Table& t) {
  const Tensor base = uniform_values({4, 5}), row = uniform_values({5}, -1, 1, 2),
               part = uniform_values({4, 2}, -1, 1, 3);
  const auto with = [](const List& in, Tensor (*view_of)(T)) {
    const Tensor copy = contiguous_copy(in[0]);
    Tensor where = view_of(copy);
    copy_values(in[1], where);
    return List{copy};
  };
  const Function nothing = nullptr;
  t.push_back({"",
               {{{base, row},
                 [](const List& in) { return List{select_scatter(in[0], in[1], 0, 2)}; },
                 [=](const List& in) { return with(in, [](T x) { return select(x, 0, 2); }); },
                 0},
                {{base, part},
                 [](const List& in) { return List{slice_scatter(in[0], in[1], 1, 1, 5, 2)}; },
                 [=](const List& in) { return with(in, [](T x) { return slice(x, 1, 1, 5, 2); }); },
                 0},
                {{base, uniform_values({4})},
                 [](const List& in) { return List{diagonal_scatter(in[0], in[1])}; },
                 [=](const List& in) { return with(in, [](T x) { return diagonal(x); }); },
                 0}}});
  t.push_back({"as_strided_copy",
               {{{uniform_values({12})},
                 [](const List& in) {
                   return List{as_strided_copy(in[0], {3, 2}, {2, 3}, 1)};
                 },
                 picks({3, 2}, [](Index i) { return std::vector<int64_t>{1 + 2 * i[0] + 3 * i[1]}; })}}});
  t.push_back(
      {"as_strided_backward",
       {{{uniform_values({3, 2})},
         [](const List& in) {
           return List{as_strided_backward(in[0], {12}, {2, 3}, 1)};
         },
         [](const List& in) {
           std::vector<double> v(12, 0);
           for_each_index({3, 2}, [&](Index i) {
             v[static_cast<size_t>(1 + 2 * i[0] + 3 * i[1])] += values(in[0])[static_cast<size_t>(flat(i, {3, 2}))];
           });
           return List{from_values(v, {12})};
         }}}});
  t.push_back({"as_strided_scatter", {{{uniform_values({12}), uniform_values({3, 2}, -1, 1, 2)}, [](const List& in) {
                                         return List{as_strided_scatter(in[0], in[1], {3, 2}, {4, 1}, 1)};
                                       }}}});
  t.push_back({"",
               {{{uniform_values({5})}, [](const List& in) { return List{diag(in[0], 1)}; }},
                {{uniform_values({4, 5})}, [](const List& in) { return List{diag(in[0])}; }},
                {{uniform_values({3, 4, 2})}, [](const List& in) {
                   return List{unfold_backward(in[0], {3, 9}, 1, 2, 2)};
                 }}}});
}

}  // namespace

void add_shaping(Table& t) {
  add_joins(t);
  add_moves(t);
  add_adjoints(t);
  const Tensor m = uniform_values({2, 3});
  t.push_back({"",
               {},
               Takes::kFixed,
               {{[=] { pad(m, {1}); }, "pad"},
                {[=] {
                   pad(m, {4, 0}, "reflect");
                 },
                 "pad"},
                {[=] {
                   pad(m, {1, 1}, "mirror");
                 },
                 "mirror"},
                {[=] { flip(m, {2}); }, "flip"},
                {[=] {
                   flip(m, {0, 0});
                 },
                 "flip"},
                {[=] { repeat(m, {2}); }, "repeat"},
                {[=] {
                   roll(m, {1, 2}, {0});
                 },
                 "roll"},
                {[=] { tril(uniform_values({3})); }, "tril"}}});
}

}  // namespace strata::test
