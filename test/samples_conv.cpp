// Rows of convolution and transposed convolution, against nine loops.
#include "ops/conv.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

struct Geometry {
  int64_t n, c, h, w, o, kh, kw, stride, pad, dilation, groups;
  int64_t d = 0, kd = 1;  ///< of volumes; a plane has d 0

  bool is_plane() const { return d == 0; }
  int64_t out(int64_t in, int64_t k) const { return (in + 2 * pad - dilation * (k - 1) - 1) / stride + 1; }
  /// Depth, height and width of the input, the kernel and the output.
  std::vector<int64_t> input() const { return {is_plane() ? 1 : d, h, w}; }
  std::vector<int64_t> kernel() const { return {kd, kh, kw}; }
  std::vector<int64_t> output() const { return {is_plane() ? 1 : out(d, kd), out(h, kh), out(w, kw)}; }
  /// The sizes of a tensor.
  std::vector<int64_t> sizes(int64_t first, int64_t second, std::vector<int64_t> volume) const {
    if (is_plane()) volume.erase(volume.begin());
    volume.insert(volume.begin(), {first, second});
    return volume;
  }
  std::vector<int64_t> x() const { return sizes(n, c, input()); }
  std::vector<int64_t> weight() const { return sizes(o, c / groups, kernel()); }
  std::vector<int64_t> y() const { return sizes(n, o, output()); }
};

/// Calls `visit(x position, weight position, y position)` for each product of the convolution of x.
void walk(const Geometry& g, const std::function<void(size_t, size_t, size_t)>& visit) {
  const std::vector<int64_t> in = g.input(), k = g.kernel(), out = g.output();
  const int64_t per_group = g.c / g.groups, outputs = g.o / g.groups;
  for_each_index({g.n, g.o, out[0], out[1], out[2], per_group, k[0], k[1], k[2]}, [&](const std::vector<int64_t>& i) {
    int64_t x = i[0] * g.c + i[1] / outputs * per_group + i[5], w = i[1] * per_group + i[5], y = i[0] * g.o + i[1];
    for (size_t d = 0; d < 3; ++d) {
      const bool unused = d == 0 && g.is_plane();
      const int64_t at = unused ? 0 : i[2 + d] * g.stride + i[6 + d] * g.dilation - g.pad;
      if (at < 0 || at >= in[d]) return;
      x = x * in[d] + at, w = w * k[d] + i[6 + d], y = y * out[d] + i[2 + d];
    }
    visit(static_cast<size_t>(x), static_cast<size_t>(w), static_cast<size_t>(y));
  });
}

/// Zeros with the bias of each channel added.
std::vector<double> biased(const std::vector<int64_t>& sizes, const Tensor& bias) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  const int64_t channel = count / sizes[0] / sizes[1];
  std::vector<double> y(static_cast<size_t>(count));
  const std::vector<double> b = values(bias);
  for (size_t i = 0; i < y.size(); ++i) y[i] = b[i / static_cast<size_t>(channel) % b.size()];
  return y;
}

Sample forward(const Geometry& g) {
  const Function f = [g](const List& in) {
    return List{convolution(in[0], in[1], in[2], g.stride, g.pad, g.dilation, false, 0, g.groups)};
  };
  const Function reference = [g](const List& in) {
    std::vector<double> y = biased(g.y(), in[2]);
    const std::vector<double> x = values(in[0]), w = values(in[1]);
    walk(g, [&](size_t a, size_t b, size_t c) { y[c] += x[a] * w[b]; });
    return List{from_values(y, g.y())};
  };
  return {{uniform_values(g.x()), uniform_values(g.weight(), -1, 1, 2), uniform_values({g.o}, -1, 1, 3)},
          f,
          reference,
          1e-12};
}

/// The transposed convolution of y (n, o, ...) is the adjoint of `g`.
Sample transposed(const Geometry& g) {
  std::vector<int64_t> extra;
  for (size_t d = g.is_plane() ? 1 : 0; d < 3; ++d)
    extra.push_back(g.input()[d] - ((g.output()[d] - 1) * g.stride - 2 * g.pad + g.dilation * (g.kernel()[d] - 1) + 1));
  const Function f = [g, extra](const List& in) {
    return List{convolution(in[0], in[1], in[2], g.stride, g.pad, g.dilation, true, extra, g.groups)};
  };
  const Function reference = [g](const List& in) {
    std::vector<double> x = biased(g.x(), in[2]);
    const std::vector<double> y = values(in[0]), w = values(in[1]);
    walk(g, [&](size_t a, size_t b, size_t c) { x[a] += y[c] * w[b]; });
    return List{from_values(x, g.x())};
  };
  return {{uniform_values(g.y()), uniform_values(g.weight(), -1, 1, 2), uniform_values({g.c}, -1, 1, 3)},
          f,
          reference,
          1e-12};
}

}  // namespace

void add_conv(Table& t) {
  const Geometry all[] = {{2, 3, 5, 6, 4, 3, 3, 1, 0, 1, 1},       {1, 4, 6, 5, 2, 3, 2, 2, 1, 1, 2},
                          {2, 4, 7, 7, 4, 3, 3, 1, 2, 2, 4},       {1, 2, 4, 4, 3, 1, 1, 1, 0, 1, 1},
                          {1, 3, 5, 5, 6, 5, 5, 1, 2, 1, 3},       {2, 2, 8, 6, 2, 4, 4, 2, 1, 1, 1},
                          {1, 1, 3, 3, 1, 3, 3, 3, 0, 1, 1},       {2, 2, 3, 4, 3, 2, 3, 1, 1, 1, 1, 3, 2},
                          {1, 4, 5, 3, 2, 3, 1, 2, 1, 1, 2, 4, 2}, {1, 2, 3, 3, 4, 2, 2, 1, 2, 2, 2, 3, 2}};
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
  row.samples.push_back({{uniform_values({0, 3, 5, 5, 2}), uniform_values({4, 3, 3, 3, 1}, -1, 1, 2)},
                         [](const List& in) { return List{conv3d(in[0], in[1])}; }});
  t.push_back(row);
  t.push_back(back);
}

}  // namespace strata::test
