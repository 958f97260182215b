// Rows of convolution and transposed convolution, against seven loops.
#include "ops/conv.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

struct Geometry {
  int64_t n, c, h, w, o, kh, kw, stride, pad, dilation, groups;
};

/// Calls `visit(x position, weight position, y position)` for each product of the convolution of x (n, c, h, w).
void walk(const Geometry& g, const std::function<void(size_t, size_t, size_t)>& visit) {
  const int64_t oh = (g.h + 2 * g.pad - g.dilation * (g.kh - 1) - 1) / g.stride + 1,
                ow = (g.w + 2 * g.pad - g.dilation * (g.kw - 1) - 1) / g.stride + 1;
  const int64_t per_group = g.c / g.groups, outputs = g.o / g.groups;
  for_each_index({g.n, g.o, oh, ow, per_group, g.kh, g.kw}, [&](const std::vector<int64_t>& i) {
    const int64_t y = i[2] * g.stride + i[5] * g.dilation - g.pad, x = i[3] * g.stride + i[6] * g.dilation - g.pad;
    if (y < 0 || y >= g.h || x < 0 || x >= g.w) return;
    const int64_t channel = i[1] / outputs * per_group + i[4];
    visit(static_cast<size_t>(((i[0] * g.c + channel) * g.h + y) * g.w + x),
          static_cast<size_t>(((i[1] * per_group + i[4]) * g.kh + i[5]) * g.kw + i[6]),
          static_cast<size_t>(((i[0] * g.o + i[1]) * oh + i[2]) * ow + i[3]));
  });
}

Sample forward(const Geometry& g) {
  const Function f = [g](const List& in) {
    return List{conv2d(in[0], in[1], in[2], g.stride, g.pad, g.dilation, g.groups)};
  };
  const Function reference = [g](const List& in) {
    const int64_t oh = (g.h + 2 * g.pad - g.dilation * (g.kh - 1) - 1) / g.stride + 1,
                  ow = (g.w + 2 * g.pad - g.dilation * (g.kw - 1) - 1) / g.stride + 1;
    std::vector<double> y(static_cast<size_t>(g.n * g.o * oh * ow));
    const std::vector<double> x = values(in[0]), w = values(in[1]), bias = values(in[2]);
    for (size_t i = 0; i < y.size(); ++i) y[i] = bias[i / static_cast<size_t>(oh * ow) % static_cast<size_t>(g.o)];
    walk(g, [&](size_t a, size_t b, size_t c) { y[c] += x[a] * w[b]; });
    return List{from_values(y, {g.n, g.o, oh, ow})};
  };
  return {{uniform_values({g.n, g.c, g.h, g.w}), uniform_values({g.o, g.c / g.groups, g.kh, g.kw}, -1, 1, 2),
           uniform_values({g.o}, -1, 1, 3)},
          f,
          reference,
          1e-12};
}

/// The transposed convolution of y (n, o, ...) is the adjoint of `g`.
Sample transposed(const Geometry& g) {
  const int64_t oh = (g.h + 2 * g.pad - g.dilation * (g.kh - 1) - 1) / g.stride + 1,
                ow = (g.w + 2 * g.pad - g.dilation * (g.kw - 1) - 1) / g.stride + 1;
  const int64_t extra_h = g.h - ((oh - 1) * g.stride - 2 * g.pad + g.dilation * (g.kh - 1) + 1),
                extra_w = g.w - ((ow - 1) * g.stride - 2 * g.pad + g.dilation * (g.kw - 1) + 1);
  const Function f = [=](const List& in) {
    return List{conv_transpose2d(in[0], in[1], in[2], g.stride, g.pad, {extra_h, extra_w}, g.groups, g.dilation)};
  };
  const Function reference = [g](const List& in) {
    std::vector<double> x(static_cast<size_t>(g.n * g.c * g.h * g.w));
    const std::vector<double> y = values(in[0]), w = values(in[1]), bias = values(in[2]);
    for (size_t i = 0; i < x.size(); ++i) x[i] = bias[i / static_cast<size_t>(g.h * g.w) % static_cast<size_t>(g.c)];
    walk(g, [&](size_t a, size_t b, size_t c) { x[a] += y[c] * w[b]; });
    return List{from_values(x, {g.n, g.c, g.h, g.w})};
  };
  return {{uniform_values({g.n, g.o, oh, ow}), uniform_values({g.o, g.c / g.groups, g.kh, g.kw}, -1, 1, 2),
           uniform_values({g.c}, -1, 1, 3)},
          f,
          reference,
          1e-12};
}

}  // namespace

void add_conv(Table& t) {
  const Geometry all[] = {{2, 3, 5, 6, 4, 3, 3, 1, 0, 1, 1}, {1, 4, 6, 5, 2, 3, 2, 2, 1, 1, 2},
                          {2, 4, 7, 7, 4, 3, 3, 1, 2, 2, 4}, {1, 2, 4, 4, 3, 1, 1, 1, 0, 1, 1},
                          {1, 3, 5, 5, 6, 5, 5, 1, 2, 1, 3}, {2, 2, 8, 6, 2, 4, 4, 2, 1, 1, 1},
                          {1, 1, 3, 3, 1, 3, 3, 3, 0, 1, 1}};
  const Tensor x = uniform_values({1, 4, 6, 6}), w = uniform_values({2, 4, 3, 3});
  Row row{"convolution",
          {},
          Takes::kNumeric,
          {{[=] {
              conv2d(x, uniform_values({2, 3, 3, 3}));
            },
            "conv2d"},
           {[=] {
              conv2d(x, uniform_values({2, 4, 7, 7}));
            },
            "conv2d"},
           {[=] { conv2d(x, w, uniform_values({3})); }, "conv2d"},
           {[=] { conv2d(x, w, {}, 0); }, "conv2d"},
           {[=] { conv2d(x, w, {}, 1, -1); }, "conv2d"},
           {[=] { conv2d(x, w, {}, 1, 0, 1, 3); }, "conv2d"},
           {[=] {
              conv2d(uniform_values({2, 2}), w);
            },
            "conv2d"},
           {[=] {
              conv2d(x, w, {}, {1, 1, 1});
            },
            "conv2d"},
           {[=] {
              conv2d(x, uniform_values({2, 4, 3, 3}, 0, 1, 1, kFloat));
            },
            "conv2d"}}};
  Row back{"convolution_backward_input", {}, Takes::kNumeric, {{[=] { conv_transpose2d(x, w); }, "conv_transpose2d"}}};
  for (const Geometry& g : all) {
    row.samples.push_back(forward(g));
    back.samples.push_back(transposed(g));
  }
  row.samples.push_back({{uniform_values({2, 3, 9}), uniform_values({4, 3, 3}, -1, 1, 2)},
                         [](const List& in) { return List{conv1d(in[0], in[1], {}, 2, 1)}; }});
  row.samples.push_back({{uniform_values({3, 9}), uniform_values({4, 3, 3}, -1, 1, 2)},
                         [](const List& in) { return List{conv1d(in[0], in[1], {}, 1, "same")}; }});
  row.samples.push_back({{uniform_values({0, 3, 5, 5}), uniform_values({4, 3, 3, 3}, -1, 1, 2)},
                         [](const List& in) { return List{conv2d(in[0], in[1])}; }});
  t.push_back(row);
  t.push_back(back);
}

}  // namespace strata::test
