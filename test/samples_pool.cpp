// Rows of the pools, against loops over windows.
#include <algorithm>
#include <cmath>

#include "dispatcher/call.h"
#include "ops/fold.h"
#include "ops/grid_sample.h"
#include "ops/grid_sample_def.h"
#include "ops/pool.h"
#include "ops/pool_def.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Window = std::function<double(const Line& inside, int64_t whole)>;

/// Applies `f` to the elements of each window of the last two dims; `bounds(i, size)` gives a window's first and end.
Function windows(int64_t oh, int64_t ow, std::function<std::pair<int64_t, int64_t>(int64_t, int64_t)> bounds,
                 Window f) {
  return [=](const List& in) {
    const auto v = values(in[0]);
    const int64_t h = in[0].sizes()[in[0].sizes().size() - 2], w = in[0].sizes().back();
    const int64_t planes = in[0].numel() / (h * w);
    std::vector<double> out;
    for_each_index({planes, oh, ow}, [&](const std::vector<int64_t>& i) {
      const auto [top, bottom] = bounds(i[1], h);
      const auto [left, right] = bounds(i[2], w);
      Line inside;
      for (int64_t y = std::max<int64_t>(top, 0); y < std::min(bottom, h); ++y)
        for (int64_t x = std::max<int64_t>(left, 0); x < std::min(right, w); ++x)
          inside.push_back(v[static_cast<size_t>((i[0] * h + y) * w + x)]);
      out.push_back(f(inside, (bottom - top) * (right - left)));
    });
    DimVector sizes = in[0].sizes();
    sizes[sizes.size() - 2] = oh;
    sizes.back() = ow;
    return List{from_values(out, sizes)};
  };
}

double largest(const Line& v, int64_t) { return *std::max_element(v.begin(), v.end()); }
double mean_with_padding(const Line& v, int64_t whole) { return sum_of(v) / static_cast<double>(whole); }
double mean_inside(const Line& v, int64_t) { return sum_of(v) / static_cast<double>(v.size()); }

}  // namespace

void add_pool(Table& t) {
  const Tensor x = distinct({2, 3, 7, 7});
  const auto stepping = [](int64_t k, int64_t stride, int64_t pad) {
    return [=](int64_t i, int64_t) { return std::pair<int64_t, int64_t>(i * stride - pad, i * stride - pad + k); };
  };
  const auto adaptive = [](int64_t out) {
    return [=](int64_t i, int64_t size) {
      return std::pair<int64_t, int64_t>(i * size / out, ((i + 1) * size + out - 1) / out);
    };
  };
  const PoolParams values_of{7, 7, 4, 4, false, 3, 3, 2, 2, 1, 1, 1, 1};
  t.push_back(
      {"max_pool_values",
       {{{x},
         [=](const List& in) { return List{call1(max_pool_values_op, {&in[0]}, values_of)}; },
         windows(4, 4, stepping(3, 2, 1), largest)},
        {{distinct({2, 40, 40})},
         [=](const List& in) {
           return List{call1(max_pool_values_op, {&in[0]}, PoolParams{40, 40, 39, 39, false, 2, 2, 1, 1, 0, 0, 1, 1})};
         },
         windows(39, 39, stepping(2, 1, 0), largest)},
        {{distinct({2, 9, 80})},
         [=](const List& in) {
           return List{call1(max_pool_values_op, {&in[0]}, PoolParams{9, 80, 3, 40, false, 4, 3, 3, 2, 1, 1, 1, 1})};
         },
         windows(
             3, 40,
             [](int64_t i, int64_t size) {
               return size == 9 ? std::pair<int64_t, int64_t>(i * 3 - 1, i * 3 + 3)
                                : std::pair<int64_t, int64_t>(i * 2 - 1, i * 2 + 2);
             },
             largest)}}});
  t.push_back(
      {"max_pool",
       {{{x}, [](const List& in) { return List{max_pool2d(in[0], 2)}; }, windows(3, 3, stepping(2, 2, 0), largest)},
        {{x},
         [](const List& in) { return List{max_pool2d(in[0], 3, 2, 1)}; },
         windows(4, 4, stepping(3, 2, 1), largest)},
        {{distinct({3, 9, 80})},
         [](const List& in) { return List{max_pool2d(in[0], 3, 2, 1)}; },
         windows(5, 40, stepping(3, 2, 1), largest)},
        {{distinct({2, 20, 37})},
         [](const List& in) { return List{max_pool2d(in[0], 3, 1)}; },
         windows(18, 35, stepping(3, 1, 0), largest)},
        {{distinct({3, 7, 7})},
         [](const List& in) { return List{max_pool2d(in[0], 2, 1)}; },
         windows(6, 6, stepping(2, 1, 0), largest)},
        {{distinct({2, 3, 9})}, [](const List& in) { return List{max_pool1d(in[0], 3, 2, 1, 2)}; }},
        {{x},
         [](const List& in) {
           return List{std::get<0>(adaptive_max_pool2d(in[0], {3, 3}))};
         },
         windows(3, 3, adaptive(3), largest)},
        {{x},
         [](const List& in) {
           return List{max_pool2d(in[0], {3, 2}, {2, 1}, {1, 0}, {1, 2}, true)};
         }}},
       Takes::kNumeric,
       {{[=] { max_pool2d(x, 0); }, "max_pool2d"},
        {[=] { max_pool2d(x, 9); }, "max_pool2d"},
        {[=] { max_pool2d(x, 2, 2, 2); }, "max_pool2d"},
        {[=] {
           max_pool2d(uniform_values({3, 3}), 2);
         },
         "max_pool2d"},
        {[=] {
           max_pool2d(x, {2, 2, 2});
         },
         "max_pool2d"}}});
  t.push_back(
      {"avg_pool",
       {{{x}, [](const List& in) { return List{avg_pool2d(in[0], 2)}; }, windows(3, 3, stepping(2, 2, 0), mean_inside)},
        {{x},
         [](const List& in) { return List{avg_pool2d(in[0], 3, 2, 1)}; },
         windows(4, 4, stepping(3, 2, 1), mean_with_padding)},
        {{x},
         [](const List& in) { return List{avg_pool2d(in[0], 3, 2, 1, false, false)}; },
         windows(4, 4, stepping(3, 2, 1), mean_inside)},
        {{x},
         [](const List& in) {
           return List{adaptive_avg_pool2d(in[0], {3, 3})};
         },
         windows(3, 3, adaptive(3), mean_inside)},
        {{x},
         [](const List& in) {
           return List{adaptive_avg_pool2d(in[0], {1, 1})};
         },
         windows(1, 1, adaptive(1), mean_inside)},
        {{uniform_values({2, 3, 9})}, [](const List& in) { return List{avg_pool1d(in[0], 3, 2, 1)}; }}},
       Takes::kNumeric,
       {{[=] { avg_pool2d(x, 2, 0); }, "avg_pool2d"},
        {[=] {
           adaptive_avg_pool2d(x, {-1, 2});
         },
         "adaptive_avg_pool2d"}}});
  const Tensor volume = distinct({2, 3, 4, 5, 6});
  t.push_back({"",
               {{{volume}, [](const List& in) { return List{max_pool3d(in[0], 2, 2, 1)}; }},
                {{volume},
                 [](const List& in) {
                   return List{avg_pool3d(in[0], {2, 3, 2}, 2, {1, 1, 0})};
                 }},
                {{volume},
                 [](const List& in) {
                   return List{adaptive_avg_pool3d(in[0], {3, 2, 4})};
                 }}},
               Takes::kNumeric});
  const Tensor image = uniform_values({2, 3, 5, 4}), grid = uniform_values({2, 3, 2, 2}, -1.2, 1.2, 2);
  const Tensor volume_grid = uniform_values({2, 1, 3, 2, 3}, -1.1, 1.1, 3);
  const auto sampled = [](int64_t mode, int64_t padding, bool corners) {
    return [=](const List& in) { return List{grid_sampler(in[0], in[1], mode, padding, corners)}; };
  };
  // The composed form stands for devices without loops; PyTorch's values are in test/nn/spatial.cpp.
  const auto composed = [](GridInterpolation mode, GridPadding padding, bool corners) {
    return [=](const List& in) {
      return List{composed_grid_sample(in[0], in[1], {mode, padding, corners, in[0].sizes().slice(2)})};
    };
  };
  using enum GridInterpolation;
  using enum GridPadding;
  t.push_back(
      {"grid_sample",
       {{{image, grid}, sampled(0, 0, false), composed(Bilinear, Zeros, false)},
        {{image, grid}, sampled(0, 2, true), composed(Bilinear, Reflection, true)},
        {{image, grid}, sampled(2, 2, true), composed(Bicubic, Reflection, true), 1e-11, false},
        {{image, grid}, sampled(2, 1, false), composed(Bicubic, Border, false)},
        {{image, grid}, sampled(1, 1, true), composed(Nearest, Border, true)},
        {{uniform_values({2, 2, 3, 4, 2}), volume_grid}, sampled(0, 1, false), composed(Bilinear, Border, false)}},
       Takes::kFloating});
  const auto adjoint = [](GridInterpolation mode, GridPadding padding) {
    const GridParams p{mode, padding, false, {5, 4}};
    return Sample{{uniform_values({2, 3, 3, 2}), uniform_values({2, 3, 2, 2}, -1.2, 1.2, 2)},
                  [=](const List& in) {
                    return List{call1(grid_sample_backward_op, {&in[0], &in[1]}, p)};
                  },
                  [=](const List& in) { return List{composed_grid_sample_backward(in[0], in[1], p)}; }};
  };
  t.push_back({"grid_sample_backward", {adjoint(Bilinear, Zeros), adjoint(Bicubic, Border), adjoint(Nearest, Zeros)}});
  t.push_back({"",
               {{{image},
                 [](const List& in) {
                   return List{im2col(in[0], {2, 3}, {2, 1}, 1, {1, 2})};
                 }},
                {{uniform_values({2, 12, 6})},
                 [](const List& in) {
                   return List{col2im(in[0], {3, 4}, 2, 1, 0, 1)};
                 }}},
               Takes::kFixed});
}

}  // namespace strata::test
