// Rows of cat, pad, flip, roll, repeat, triangles, resampling and the adjoints of views, against index arithmetic.
#include <cmath>

#include "ops/joining.h"
#include "ops/resample.h"
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

void add_splits(Table& t) {
  const Tensor x = uniform_values({2, 7, 3});
  const auto piece = [](int64_t from, int64_t size) {
    return picks({2, size, 3}, [=](Index i) { return std::vector<int64_t>{i[0], from + i[1], i[2]}; });
  };
  t.push_back({"split_copy",
               {{{x},
                 [](const List& in) {
                   return split_copy(in[0], {2, 0, 4, 1}, 1);
                 },
                 [=](const List& in) {
                   return List{piece(0, 2)(in)[0], piece(2, 0)(in)[0], piece(2, 4)(in)[0], piece(6, 1)(in)[0]};
                 }},
                {{x}, [](const List& in) { return List{split_copy(in[0], {7}, 1)}; }, piece(0, 7)},
                {{uniform_values({3, 2})},
                 [](const List& in) { return unbind_copy(in[0], -1); },
                 [](const List& in) {
                   const auto column = [&](int64_t c) {
                     return picks({3}, [=](Index i) { return std::vector<int64_t>{i[0], c}; })(in)[0];
                   };
                   return List{column(0), column(1)};
                 }}},
               Takes::kAll,
               {{[=] {
                   split_copy(x, {2, 3}, 1);
                 },
                 "split_copy"},
                {[=] {
                   split_copy(x, {9, -2}, 1);
                 },
                 "split_copy"},
                {[=] { unbind_copy(uniform_values({})); }, "unbind_copy"}}});
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
      "roll", x,
      [](T a) {
        return roll(a, {1, -2}, {0, 2});
      },
      picks({3, 4, 5}, [](Index i) {
        return std::vector<int64_t>{(i[0] + 2) % 3, i[1], (i[2] + 2) % 5};
      }));
  row(
      "roll", x,
      [](T a) {
        return roll(a, {2, 3, -7}, {1, 2, 1});
      },
      picks({3, 4, 5}, [](Index i) {
        return std::vector<int64_t>{i[0], (i[1] + 5) % 4, (i[2] + 2) % 5};
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
      "resample", uniform_values({2, 5}),
      [](T a) {
        return pad(a, {2, 1}, "reflect");
      },
      picks({2, 8}, [](Index i) {
        const int64_t k = std::abs(i[1] - 2);
        return std::vector<int64_t>{i[0], k > 4 ? 8 - k : k};
      }));
  row(
      "resample", uniform_values({2, 5}),
      [](T a) {
        return pad(a, {2, 1}, "replicate");
      },
      picks({2, 8}, [](Index i) {
        return std::vector<int64_t>{i[0], std::clamp<int64_t>(i[1] - 2, 0, 4)};
      }));
  row(
      "resample", uniform_values({2, 5}),
      [](T a) {
        return pad(a, {2, 1}, "circular");
      },
      picks({2, 8}, [](Index i) {
        return std::vector<int64_t>{i[0], (i[1] + 3) % 5};
      }));
}

void add_diagonals(Table& t) {
  const auto laid = [](int64_t first, int64_t step, DimVector sizes) {
    return [=](const List& in) {
      std::vector<double> v(static_cast<size_t>(numel_of(sizes)), 0);
      const std::vector<double> x = values(in[0]);
      for (size_t i = 0; i < x.size(); ++i) v[static_cast<size_t>(first) + i * static_cast<size_t>(step)] = x[i];
      return List{from_values(v, sizes, in[0].dtype())};
    };
  };
  t.push_back(
      {"diagonal_backward",
       {{{uniform_values({3})}, [](const List& in) { return List{diag_embed(in[0])}; }, laid(0, 4, {3, 3}), 0},
        {{uniform_values({3})}, [](const List& in) { return List{diag_embed(in[0], 1)}; }, laid(1, 5, {4, 4}), 0},
        {{uniform_values({2})},
         [](const List& in) {
           return List{diagonal_backward(in[0], {4, 2}, -2, 0, 1)};
         },
         laid(4, 3, {4, 2}),
         0},
        {{uniform_values({2, 3})}, [](const List& in) { return List{diag_embed(in[0], -1, 2, 0)}; }},
        {{uniform_values({2, 0})}, [](const List& in) { return List{diag_embed(in[0], 1)}; }}},
       Takes::kAll});
  t.push_back({"block_diag",
               {{{uniform_values({2, 3}), uniform_values({1, 2}, -1, 1, 2)},
                 [](const List& in) { return List{block_diag(in)}; },
                 [](const List& in) {
                   const std::vector<double> a = values(in[0]), b = values(in[1]);
                   return List{from_values({a[0], a[1], a[2], 0, 0, a[3], a[4], a[5], 0, 0, 0, 0, 0, b[0], b[1]},
                                           {3, 5}, in[0].dtype())};
                 },
                 0},
                {{uniform_values({2, 0}), uniform_values({}, -1, 1, 2), uniform_values({3}, -1, 1, 3)},
                 [](const List& in) { return List{block_diag(in)}; }}},
               Takes::kAll,
               {{[] {
                   block_diag(List{uniform_values({1, 2, 3})});
                 },
                 "block_diag"}}});
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

// --- resampling, against products with a matrix of weights for each dim ---

/// The weight that new position i gives to old position j.
using Weight = std::function<double(int64_t i, int64_t j)>;

double place(const ResampledDim& d, int64_t i) { return (static_cast<double>(i) + d.shift) * d.scale - d.back; }
double clamped(double v, int64_t n) { return std::min(std::max(v, 0.0), static_cast<double>(n - 1)); }

Weight nearest(const ResampledDim& d) {
  return [=](int64_t i, int64_t j) { return clamped(std::floor(place(d, i)), d.in) == static_cast<double>(j) ? 1 : 0; };
}
Weight linear(const ResampledDim& d) {
  return [=](int64_t i, int64_t j) {
    return std::max(0.0, 1 - std::abs(clamped(place(d, i), d.in) - static_cast<double>(j)));
  };
}
/// Keys (1981) with -0.75; taps beyond the ends count for the ends.
Weight cubic(const ResampledDim& d) {
  return [=](int64_t i, int64_t j) {
    const double at = place(d, i), low = std::floor(at);
    double sum = 0;
    for (int tap = -1; tap <= 2; ++tap) {
      if (clamped(low + tap, d.in) != static_cast<double>(j)) continue;
      const double x = std::abs(at - low - tap);
      sum += x <= 1 ? 1.25 * x * x * x - 2.25 * x * x + 1 : -0.75 * (x * x * x - 5 * x * x + 8 * x - 4);
    }
    return sum;
  };
}
Weight circle(const ResampledDim& d) {
  return [=](int64_t i, int64_t j) {
    return static_cast<int64_t>(place(d, i) + static_cast<double>(10 * d.in)) % d.in == j ? 1 : 0;
  };
}

/// Input 0 times the weights of one dim after the other.
Function weighted(int64_t first, std::vector<ResampledDim> dims, Weight (*weight_of)(const ResampledDim&)) {
  return [=](const List& in) {
    Tensor x = in[0];
    for (size_t k = 0; k < dims.size(); ++k) {
      const ResampledDim d = dims[k];
      const Weight weight = weight_of(d);
      x = along(
          first + static_cast<int64_t>(k),
          [=](const Line& line) {
            Line out(static_cast<size_t>(d.out), 0);
            for (int64_t i = 0; i < d.out; ++i)
              for (int64_t j = 0; j < d.in; ++j)
                out[static_cast<size_t>(i)] += weight(i, j) * line[static_cast<size_t>(j)];
            return out;
          },
          in[0].dtype())({x})[0];
    }
    return List{x};
  };
}

Sample sample(T x, int64_t first, std::vector<ResampledDim> dims, Resampling mode,
              Weight (*weight_of)(const ResampledDim&)) {
  return {
      {x}, [=](const List& in) { return List{resample(in[0], first, dims, mode)}; }, weighted(first, dims, weight_of)};
}

void add_resampling(Table& t) {
  const ResampledDim doubled{4, 8, 0.5, 0.5, 0.5}, thirds{9, 3, 3, 0.5, 0.5}, corners{5, 17, 0.25}, one{1, 3, 1.0 / 3},
      same{3, 3}, uneven{7, 5, 1.4, 0.5, 0.5}, wide{40, 70, 40.0 / 70, 0.5, 0.5}, shrunk{70, 11, 70.0 / 11, 0.5, 0.5};
  const Tensor image = uniform_values({2, 3, 4, 5}), plane = uniform_values({2, 4, 9}), line = uniform_values({2, 40}),
               volume = uniform_values({2, 4, 3, 7, 2}), long_line = uniform_values({3, 70});
  t.push_back({"resample",
               {sample(image, 2, {doubled, corners}, Resampling::Linear, linear),
                sample(image, 2, {doubled, corners}, Resampling::Cubic, cubic),
                sample(plane, 1, {doubled}, Resampling::Linear, linear),
                sample(plane, 1, {doubled, thirds}, Resampling::Linear, linear),
                sample(volume, 1, {doubled, same, uneven}, Resampling::Linear, linear),
                sample(volume, 1, {doubled, same, uneven, {2, 4, 0.5}}, Resampling::Cubic, cubic),
                sample(line, 1, {wide}, Resampling::Linear, linear),
                sample(line, 1, {wide}, Resampling::Cubic, cubic),
                sample(long_line, 1, {shrunk}, Resampling::Linear, linear),
                sample(uniform_values({3, 1}), 1, {one}, Resampling::Linear, linear),
                {{uniform_values({0, 4})},
                 [=](const List& in) { return List{resample(in[0], 1, {doubled}, Resampling::Linear)}; }},
                sample(uniform_values({2, 4}), 1, {{4, 0}}, Resampling::Linear, linear)},
               Takes::kFloating,
               {{[=] {
                   resample(integers({2, 4}, 0, 9), 1, {doubled}, Resampling::Linear);
                 },
                 "resample"},
                {[=] {
                   resample(image, 2, {doubled, doubled}, Resampling::Linear);
                 },
                 "resample"},
                {[=] {
                   resample(image, 3, {corners, corners}, Resampling::Linear);
                 },
                 "resample"},
                {[=] {
                   resample(image, 3, {{5, 4, NAN}}, Resampling::Nearest);
                 },
                 "resample"},
                {[=] {
                   resample(image, 3, {{5, 4, 1, 0.5}}, Resampling::Circular);
                 },
                 "resample"},
                {[=] {
                   resample(image, 3, {{5, 10, 1, -5}}, Resampling::Reflect);
                 },
                 "resample"}}});
  t.push_back({"resample",
               {sample(image, 2, {{4, 8, 0.5}, {5, 3, 5.0 / 3}}, Resampling::Nearest, nearest),
                sample(plane, 1, {{4, 6, 1, -1}}, Resampling::Nearest, nearest),
                sample(long_line, 1, {{70, 90, 1, -15}}, Resampling::Nearest, nearest),
                sample(image, 0, {{2, 4, 1, -1}, {3, 3}, {4, 9, 1, -3}, {5, 7, 1, -2}}, Resampling::Circular, circle)},
               Takes::kAll});
  // Cut before and filled behind: what was cut off does not come round again.
  t.push_back({"resample",
               {{{uniform_values({2, 6})},
                 [](const List& in) {
                   return List{pad(in[0], {-2, 3}, "circular")};
                 },
                 picks({2, 7},
                       [](const std::vector<int64_t>& i) {
                         return std::vector<int64_t>{i[0], 2 + i[1] % 4};
                       })},
                {{uniform_values({2, 6, 20})},
                 [](const List& in) {
                   return List{pad(in[0], {3, -2, -1, 4}, "reflect")};
                 },
                 picks({2, 9, 21},
                       [](const std::vector<int64_t>& i) {
                         const int64_t row = i[1] + 1;
                         return std::vector<int64_t>{i[0], row > 5 ? 10 - row : row, std::abs(i[2] - 3)};
                       })}},
               Takes::kAll});
}

}  // namespace

void add_shaping(Table& t) {
  add_joins(t);
  add_splits(t);
  add_moves(t);
  add_adjoints(t);
  add_diagonals(t);
  add_resampling(t);
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
