// Tests of convolution: values against naive loops, its two gradients as adjoints, thread independence, errors.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "autograd/autograd.h"
#include "test/catch.h"

#include "core/parallel.h"
#include "dispatcher/call.h"
#include "ops/binary.h"
#include "ops/conv.h"
#include "ops/conv_def.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/view.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

double sum_of_products(const Tensor& a, const Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  const double *x = a.data_ptr<double>(), *y = b.data_ptr<double>();
  double sum = 0;
  for (int64_t i = 0; i < a.numel(); ++i) sum += x[i] * y[i];
  return sum;
}

/// y[n, o] = bias[o] + sum over the taps inside x, by seven loops.
Tensor naive(const Tensor& x, const Tensor& w, const Tensor& bias, const ConvParams& p) {
  Tensor y = zeros({x.size(0), w.size(0), p.oh, p.ow}, kDouble);
  const auto xs = x.accessor<double, 4>(), ws = w.accessor<double, 4>(), ys = y.accessor<double, 4>();
  const int64_t channels = w.size(1), outputs = w.size(0) / p.groups;
  const auto taps = [&](int64_t n, int64_t o, int64_t h, int64_t v) {
    double sum = bias.data_ptr<double>()[o];
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = 0; i < p.kh; ++i)
        for (int64_t j = 0; j < p.kw; ++j) {
          const int64_t a = h * p.sh + i * p.dh - p.ph, b = v * p.sw + j * p.dw - p.pw;
          if (a >= 0 && a < p.ih && b >= 0 && b < p.iw) sum += xs[n][o / outputs * channels + c][a][b] * ws[o][c][i][j];
        }
    return sum;
  };
  for (int64_t n = 0; n < x.size(0); ++n)
    for (int64_t o = 0; o < w.size(0); ++o)
      for (int64_t h = 0; h < p.oh; ++h)
        for (int64_t v = 0; v < p.ow; ++v) ys[n][o][h][v] = taps(n, o, h, v);
  return y;
}

double greatest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  const Tensor x = a.to(kDouble).contiguous(), y = b.to(kDouble).contiguous();
  double worst = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double d = std::abs(x.data_ptr<double>()[i] - y.data_ptr<double>()[i]);
    worst = std::isnan(d) ? INFINITY : std::max(worst, d);
  }
  return worst;
}

struct ConvCase {
  int64_t n, channels, outputs, groups, h, w, kh, kw, stride, pad, dilation;
};

std::vector<ConvCase> all_cases() {
  // 10 to 20 channels: between the widths of vectors.
  std::vector<ConvCase> cases{{3, 10, 20, 1, 8, 9, 3, 2, 1, 1, 1}};
  // More weights than images: cut by channels, alone and with runs of images of which the last is shorter.
  cases.push_back({7, 80, 128, 1, 4, 4, 3, 3, 1, 1, 1});
  cases.push_back({7, 128, 80, 1, 4, 4, 3, 3, 1, 1, 1});
  for (int64_t groups : {1, 2, 6})
    for (int64_t n : {1, 5})
      for (int64_t k : {1, 2, 3, 5})
        for (int64_t stride : {1, 2, 3})
          for (int64_t pad : {0, 1, 4})
            for (int64_t dilation : {1, 2}) {
              const ConvCase c{n, 6, 12, groups, 7, 12, k, k == 3 ? 2 : k, stride, pad, dilation};
              if (c.h + 2 * pad > dilation * (k - 1)) cases.push_back(c);
            }
  return cases;
}

ConvParams params(const ConvCase& c) {
  const int64_t oh = (c.h + 2 * c.pad - c.dilation * (c.kh - 1) - 1) / c.stride + 1;
  const int64_t ow = (c.w + 2 * c.pad - c.dilation * (c.kw - 1) - 1) / c.stride + 1;
  return {c.groups, c.h, c.w, oh, ow, c.kh, c.kw, c.stride, c.stride, c.pad, c.pad, c.dilation, c.dilation};
}

using Bilinear = std::function<Tensor(const Tensor&, const Tensor&, const Tensor&)>;

/// For y = f(x, w, b) and L = sum(y^3): compares dL and the derivative of |dL/dx|^2 + |dL/dw|^2 with central
/// differences.
void check_second_order(const Bilinear& f, const std::vector<Tensor>& at) {
  const auto loss = [&](const std::vector<Tensor>& t) { return f(t[0], t[1], t[2]).pow(3).sum(); };
  const auto norm = [&](const std::vector<Tensor>& t) {
    std::vector<Tensor> leaves;
    for (const Tensor& v : t) leaves.push_back(v.requires_grad() ? v : v.detach().requires_grad_());
    const auto g = autograd::grad({loss(leaves)}, leaves, {}, true, true);
    return g[0].square().sum().add(g[1].square().sum());
  };
  std::vector<Tensor> leaves;
  for (const Tensor& v : at) leaves.push_back(v.detach().requires_grad_());
  const auto first = autograd::grad({loss(leaves)}, leaves), second = autograd::grad({norm(leaves)}, leaves);
  for (size_t i = 0; i < at.size(); ++i) {
    const Tensor direction = random_tensor(at[i].sizes(), kDouble, 60);
    const auto moved = [&](double step) {
      std::vector<Tensor> t = at;
      t[i] = at[i].add(direction, step);
      return t;
    };
    constexpr double h = 1e-5;
    const auto slope = [&](const auto& value) {
      return (value(moved(h)).template item<double>() - value(moved(-h)).template item<double>()) / (2 * h);
    };
    CHECK(sum_of_products(first[i].contiguous(), direction) == Approx(slope(loss)).epsilon(1e-6));
    CHECK(sum_of_products(second[i].contiguous(), direction) == Approx(slope(norm)).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("conv2d equals naive loops for all strides, paddings, dilations and groups") {
  for (const ConvCase& c : all_cases()) {
    const Tensor x = random_tensor({c.n, c.channels, c.h, c.w}, kDouble, 1),
                 bias = random_tensor({c.outputs}, kDouble, 3);
    const Tensor w = random_tensor({c.outputs, c.channels / c.groups, c.kh, c.kw}, kDouble, 2);
    const Tensor expected = naive(x, w, bias, params(c));
    const auto conv = [&](DType t) {
      return conv2d(x.to(t), w.to(t), bias.to(t), c.stride, c.pad, c.dilation, c.groups);
    };
    CHECK(greatest_difference(conv(kDouble), expected) < 1e-12);
    // Added one after the other in float32, 720 such products are off by up to 5e-5 and 1,152 by up to 6e-5.
    const double products = static_cast<double>(c.channels / c.groups * c.kh * c.kw);
    CHECK(greatest_difference(conv(kFloat), expected) < std::max(2e-5, products * 1e-7));
  }
}

TEST_CASE("convolution's gradient ops are its adjoints, in double and in float") {
  for (const ConvCase& c : all_cases()) {
    const ConvParams p = params(c);
    const Tensor x = random_tensor({c.n, c.channels, c.h, c.w}, kDouble, 1), none;
    const Tensor w = random_tensor({c.outputs, c.channels / c.groups, c.kh, c.kw}, kDouble, 2);
    const Tensor y = random_tensor({c.n, c.outputs, p.oh, p.ow}, kDouble, 3);
    const double form = sum_of_products(y, call1(convolution_op, {&x, &w, &none}, p));
    const Tensor gx = call1(convolution_backward_input_op, {&y, &w}, p);
    const Tensor gw = call1(convolution_backward_weight_op, {&y, &x}, p);
    CHECK(sum_of_products(x, gx) == Approx(form).epsilon(1e-10).margin(1e-10));
    CHECK(sum_of_products(w, gw) == Approx(form).epsilon(1e-10).margin(1e-10));
    const Tensor xf = x.to(kFloat), wf = w.to(kFloat), yf = y.to(kFloat);
    CHECK(greatest_difference(call1(convolution_backward_input_op, {&yf, &wf}, p), gx) < 2e-5);
    CHECK(greatest_difference(call1(convolution_backward_weight_op, {&yf, &xf}, p), gw) < 1e-4);
  }
}

TEST_CASE("convolutions differentiate twice") {
  const Tensor x = random_tensor({2, 4, 5, 6}, kDouble, 1), w = random_tensor({6, 2, 3, 2}, kDouble, 2),
               b = random_tensor({6}, kDouble, 3);
  const Tensor wt = random_tensor({4, 3, 3, 2}, kDouble, 4);
  const auto f = [](const Tensor& a, const Tensor& k, const Tensor& c) { return conv2d(a, k, c, 2, 1, 1, 2); };
  const auto transposed = [](const Tensor& a, const Tensor& k, const Tensor& c) {
    return conv_transpose2d(a, k, c, 2, 1, 1, 2);
  };
  check_second_order(f, {x, w, b});
  check_second_order(transposed, {x, wt, b});
  const Tensor deep = random_tensor({2, 4, 3, 3, 2}, kDouble, 5), wd = random_tensor({6, 2, 2, 2, 1}, kDouble, 6);
  const Tensor wtd = random_tensor({4, 3, 2, 2, 1}, kDouble, 7);
  check_second_order([](const Tensor& a, const Tensor& k, const Tensor& c) { return conv3d(a, k, c, 2, 1, 1, 2); },
                     {deep, wd, b});
  check_second_order(
      [](const Tensor& a, const Tensor& k, const Tensor& c) { return conv_transpose3d(a, k, c, 2, 1, 0, 2); },
      {deep, wtd, b});
}

TEST_CASE("conv_transpose2d is the input gradient of conv2d, with every output_padding") {
  for (int64_t stride : {1, 2, 3})
    for (int64_t extra = 0; extra < std::max<int64_t>(stride, 2); ++extra) {
      const Tensor y = random_tensor({2, 4, 5, 6}, kDouble, 1), w = random_tensor({4, 3, 3, 2}, kDouble, 2),
                   bias = random_tensor({6}, kDouble, 3);
      const Tensor x = conv_transpose2d(y, w, {}, stride, 1, extra, 2, 2);
      CHECK(x.sizes() == DimVector{2, 6, 4 * stride - 2 + 5 + extra, 5 * stride - 2 + 3 + extra});
      const Tensor probe = random_tensor(x.sizes(), kDouble, 4);
      const Tensor back = conv2d(probe, w, {}, stride, 1, 2, 2).narrow(2, 0, 5).narrow(3, 0, 6).contiguous();
      CHECK(sum_of_products(probe, x) == Approx(sum_of_products(back, y)).epsilon(1e-10));
      const Tensor single = conv_transpose2d(y.to(kFloat), w.to(kFloat), {}, stride, 1, extra, 2, 2);
      CHECK(greatest_difference(single, x) < 1e-5);
      const Tensor biased = conv_transpose2d(y, w, bias, stride, 1, extra, 2, 2);
      CHECK(greatest_difference(biased.sub(x), bias.view({1, 6, 1, 1}).expand(x.sizes())) < 1e-12);
    }
}

TEST_CASE("one-dimensional convolutions are two-dimensional ones of height 1") {
  const Tensor x = random_tensor({3, 4, 11}, kDouble, 1), w = random_tensor({6, 2, 3}, kDouble, 2),
               bias = random_tensor({6}, kDouble, 3);
  const Tensor y = conv1d(x, w, bias, 2, 1, 2, 2);
  CHECK(y.sizes() == DimVector{3, 6, 5});
  CHECK(greatest_difference(y, conv2d(x.unsqueeze(2), w.unsqueeze(2), bias, {1, 2}, {0, 1}, {1, 2}, 2).squeeze(2)) ==
        0);
  const Tensor back = conv_transpose1d(y, w, {}, 2, 1, 0, 2, 2);
  CHECK(greatest_difference(
            back, conv_transpose2d(y.unsqueeze(2), w.unsqueeze(2), {}, {1, 2}, {0, 1}, 0, 2, {1, 2}).squeeze(2)) == 0);
  CHECK(greatest_difference(convolution(x, w, bias, 2, 1, 2, false, 0, 2), y) == 0);
}

TEST_CASE("three-dimensional convolutions of depth 1 are two-dimensional ones") {
  const Tensor x = random_tensor({3, 4, 7, 8}, kDouble, 1), w = random_tensor({6, 2, 3, 2}, kDouble, 2),
               b = random_tensor({6}, kDouble, 3);
  const Tensor y = conv3d(x.unsqueeze(2), w.unsqueeze(2), b, {1, 2, 1}, {0, 1, 2}, {5, 1, 2}, 2);
  CHECK(greatest_difference(y.squeeze(2), conv2d(x, w, b, {2, 1}, {1, 2}, {1, 2}, 2)) == 0);
  // The depth as the width of a two-dimensional one.
  const Tensor deep = conv3d(x.unsqueeze(4), w.unsqueeze(4), b, {2, 3, 1}, {1, 2, 0}, {2, 1, 1}, 2);
  CHECK(deep.is_contiguous());
  CHECK(greatest_difference(deep.squeeze(4), conv2d(x, w, b, {2, 3}, {1, 2}, {2, 1}, 2)) < 1e-12);
  const Tensor wt = random_tensor({4, 3, 3, 2}, kDouble, 4);
  for (const int64_t extra : {0, 1})
    CHECK(greatest_difference(
              conv_transpose3d(x.unsqueeze(4), wt.unsqueeze(4), b, {3, 2, 1}, {4, 2, 0}, {extra, 1, 0}, 2, {2, 3, 1})
                  .squeeze(4),
              conv_transpose2d(x, wt, b, {3, 2}, {4, 2}, {extra, 1}, 2, {2, 3})) < 1e-12);
  CHECK(conv3d(x.narrow(0, 0, 0).unsqueeze(2), w.unsqueeze(2), {}, 1, 0, 1, 2).sizes() == DimVector{0, 6, 1, 5, 7});
  CHECK(greatest_difference(conv3d(x.select(0, 1).unsqueeze(1), w.unsqueeze(2), b, 1, 0, 1, 2).squeeze(1),
                            conv2d(x.select(0, 1), w, b, 1, 0, 1, 2)) == 0);
  CHECK(greatest_difference(conv3d(x.unsqueeze(4), w.unsqueeze(4), {}, 1, "same", 1, 2).squeeze(4),
                            conv2d(x, w, {}, 1, "same", 1, 2)) < 1e-12);
  CHECK(greatest_difference(convolution(x.unsqueeze(4), w.unsqueeze(4), b, 1, 0, 1, false, 0, 2).squeeze(4),
                            conv2d(x, w, b, 1, 0, 1, 2)) < 1e-12);
}

TEST_CASE("three-dimensional convolutions and their gradients are those of the planes that the kernel meets") {
  // Of depth: each tap of the kernel convolves frames of two dims, and what frames get is added up.
  struct Volume {
    int64_t n, c, d, h, w, o, kd, kh, kw, stride, pad, dilation, groups;
  };
  const Volume volumes[] = {{2, 3, 4, 5, 6, 4, 2, 3, 3, 1, 1, 1, 1},   {1, 4, 5, 6, 5, 6, 3, 3, 2, 2, 1, 1, 2},
                            {3, 16, 4, 4, 5, 32, 3, 3, 3, 1, 1, 1, 1}, {2, 12, 5, 5, 5, 16, 2, 2, 2, 2, 0, 1, 1},
                            {1, 4, 6, 6, 6, 4, 2, 3, 2, 1, 2, 2, 4},   {17, 2, 3, 3, 3, 2, 1, 1, 1, 1, 0, 1, 1},
                            {1, 64, 3, 4, 4, 64, 3, 3, 3, 1, 1, 1, 1}};
  for (const Volume& v : volumes) {
    INFO(v.c << " to " << v.o << " channels, stride " << v.stride << ", groups " << v.groups);
    const auto conv = [&](const Tensor& x, const Tensor& w, const Tensor& b) {
      return conv3d(x, w, b, v.stride, v.pad, v.dilation, v.groups);
    };
    const auto by_planes = [&](const Tensor& x, const Tensor& w, const Tensor& b) {
      const Tensor padded = constant_pad_nd(x, {0, 0, 0, 0, v.pad, v.pad});
      const int64_t count = (padded.size(2) - v.dilation * (v.kd - 1) - 1) / v.stride + 1;
      std::vector<Tensor> frames;
      for (int64_t i = 0; i < count; ++i) {
        Tensor frame;
        for (int64_t k = 0; k < v.kd; ++k) {
          const Tensor at = padded.select(2, i * v.stride + k * v.dilation);
          const Tensor part = conv2d(at, w.select(2, k), {}, v.stride, v.pad, v.dilation, v.groups);
          frame = frame.defined() ? frame + part : part;
        }
        frames.push_back(frame + b.view({-1, 1, 1}));
      }
      return stack(frames, 2);
    };
    const Tensor x = random_tensor({v.n, v.c, v.d, v.h, v.w}, kDouble, 1),
                 w = random_tensor({v.o, v.c / v.groups, v.kd, v.kh, v.kw}, kDouble, 2),
                 b = random_tensor({v.o}, kDouble, 3);
    const auto results = [&](const auto& f, DType dtype) {
      std::vector<Tensor> leaves;
      for (const Tensor& t : {x, w, b}) leaves.push_back(t.detach().to(dtype).clone().requires_grad_());
      const Tensor y = f(leaves[0], leaves[1], leaves[2]);
      std::vector<Tensor> all = autograd::grad({y}, leaves, {random_tensor(y.sizes(), kDouble, 4).to(dtype)});
      all.push_back(y.detach());
      return all;
    };
    const std::vector<Tensor> expected = results(by_planes, kDouble), exact = results(conv, kDouble),
                              single = results(conv, kFloat);
    for (size_t i = 0; i < expected.size(); ++i) {
      const double scale = expected[i].abs().max().item<double>();
      CHECK(greatest_difference(exact[i].contiguous(), expected[i].contiguous()) < 1e-12 * scale);
      CHECK(greatest_difference(single[i].contiguous(), expected[i].contiguous()) < 2e-6 * scale);
    }
    const Tensor integers = (x * 5).to(kLong), kernel = (w * 5).to(kLong), none = zeros({v.o}, kLong);
    CHECK(conv(integers, kernel, none).equal(by_planes(integers.to(kDouble), kernel.to(kDouble), none).to(kLong)));
    const Tensor y = conv(integers, kernel, none);
    const auto back = [&](const Tensor& t, const Tensor& k) {
      return conv_transpose3d(t, k, {}, v.stride, v.pad, 0, v.groups, v.dilation);
    };
    CHECK(back(y, kernel).equal(back(y.to(kDouble), kernel.to(kDouble)).to(kLong)));
  }
}

TEST_CASE("three-dimensional convolutions name what is wrong") {
  const Tensor x = random_tensor({1, 2, 3, 4, 5}, kFloat, 1), w = random_tensor({2, 2, 2, 2, 2}, kFloat, 2);
  CHECK_THROWS_WITH(conv3d(x, w, {}, {1, 1}), "conv3d: stride takes 1 or 3 numbers, got (1, 1)");
  CHECK_THROWS_WITH(conv3d(x.squeeze(0).squeeze(0), w[0][0]), ContainsSubstring("conv3d: expected a weight of 5 dims"));
  CHECK_THROWS_WITH(conv3d(x, w, {}, 1, 0, {4, 1, 1}), ContainsSubstring("leaves no output for input (1, 2, 3, 4, 5)"));
  CHECK_THROWS_WITH(conv_transpose3d(x, w, {}, 1, 0, {1, 0, 0}), ContainsSubstring("output_padding 1 must be smaller"));
  CHECK_THROWS_WITH(convolution(x, w.unsqueeze(0), {}, 1, 0, 1, false, 0, 1), ContainsSubstring("3, 4 or 5 dims"));
}

TEST_CASE("convolution takes inputs without a batch, strided, empty and of 16 bits") {
  const Tensor x = random_tensor({2, 3, 6, 8}, kFloat, 1), w = random_tensor({4, 3, 3, 3}, kFloat, 2),
               bias = random_tensor({4}, kFloat, 3);
  const Tensor y = conv2d(x, w, bias, 1, 1);
  CHECK(greatest_difference(conv2d(x.select(0, 1), w, bias, 1, 1), y.select(0, 1)) < 1e-6);
  const Tensor strided = x.permute({0, 2, 3, 1}).contiguous().permute({0, 3, 1, 2});
  CHECK(greatest_difference(conv2d(strided, w, bias, 1, 1), y) == 0);
  CHECK(greatest_difference(conv2d(x.narrow(0, 0, 1).expand({5, 3, 6, 8}), w, bias, 1, 1).select(0, 4),
                            y.select(0, 0)) < 1e-6);
  CHECK(conv2d(x.narrow(0, 0, 0), w, bias, 1, 1).sizes() == DimVector{0, 4, 6, 8});
  const Tensor half = conv2d(x.to(kHalf), w.to(kHalf), bias.to(kHalf), 1, 1);
  CHECK(half.dtype() == kHalf);
  CHECK(greatest_difference(half, y) < 2e-2);
  CHECK(conv2d(x.to(kBFloat16), w.to(kBFloat16), {}, 1, 1).dtype() == kBFloat16);
}

TEST_CASE("padding by name") {
  const Tensor x = random_tensor({1, 2, 5, 7}, kDouble, 1), w = random_tensor({3, 2, 3, 4}, kDouble, 2);
  const Tensor same = conv2d(x, w, {}, 1, "same");
  CHECK(same.sizes() == DimVector{1, 3, 5, 7});
  // Three columns of padding: one in front, two behind.
  CHECK(greatest_difference(same.narrow(3, 0, 6), conv2d(x, w, {}, 1, {1, 1})) < 1e-12);
  CHECK(greatest_difference(conv2d(x, w, {}, 2, "valid"), conv2d(x, w, {}, 2)) == 0);
  CHECK_THROWS_WITH(conv2d(x, w, {}, 2, "same"), "conv2d: padding \"same\" needs stride 1, got (2,)");
  CHECK_THROWS_WITH(conv2d(x, w, {}, 1, "full"),
                    "conv2d: padding must be \"same\", \"valid\" or numbers, got \"full\"");
}

TEST_CASE("a batch is convolved like its images, which are taken in pairs where there are many") {
  const Tensor x = random_tensor({9, 16, 30, 30}, kFloat, 1), w = random_tensor({32, 16, 3, 3}, kFloat, 2);
  const Tensor all = conv2d(x, w, {}, 1, 1);
  for (int64_t i = 0; i < 9; ++i)
    CHECK(allclose(all.narrow(0, i, 1), conv2d(x.narrow(0, i, 1), w, {}, 1, 1), 1e-4, 1e-4));
}

TEST_CASE("convolutions give the same bits for any number of threads") {
  const int before = get_num_threads();
  for (const ConvCase& c :
       {ConvCase{32, 16, 32, 1, 28, 28, 3, 3, 1, 1, 1}, ConvCase{64, 10, 20, 1, 12, 12, 5, 5, 1, 0, 1},
        ConvCase{1, 64, 64, 1, 28, 28, 3, 3, 1, 1, 1}, ConvCase{9, 16, 32, 1, 28, 28, 3, 3, 1, 1, 1},
        ConvCase{7, 16, 16, 16, 30, 30, 3, 3, 2, 1, 1}, ConvCase{7, 80, 128, 1, 4, 4, 3, 3, 1, 1, 1},
        ConvCase{7, 128, 80, 1, 4, 4, 3, 3, 1, 1, 1}}) {
    const ConvParams p = params(c);
    for (DType t : {kFloat, kDouble}) {
      const Tensor x = random_tensor({c.n, c.channels, c.h, c.w}, t, 1),
                   y = random_tensor({c.n, c.outputs, p.oh, p.ow}, t, 3), none;
      const Tensor w = random_tensor({c.outputs, c.channels / c.groups, c.kh, c.kw}, t, 2);
      Tensor results[3][2];
      for (int threads : {1, 2}) {
        set_num_threads(threads);
        results[0][threads - 1] = call1(convolution_op, {&x, &w, &none}, p);
        results[1][threads - 1] = call1(convolution_backward_input_op, {&y, &w}, p);
        results[2][threads - 1] = call1(convolution_backward_weight_op, {&y, &x}, p);
      }
      for (const auto& r : results) CHECK(same_bits(r[0], r[1]));
    }
  }
  set_num_threads(before);
}

TEST_CASE("wrong calls of convolution say what is wrong") {
  const Tensor x = zeros({1, 10, 12, 12}), w = zeros({20, 5, 5, 5}), square = zeros({20, 10, 5, 5});
  CHECK_THROWS_WITH(
      conv2d(x, w),
      "conv2d: weight (20, 5, 5, 5) with 1 group expects the input (1, 10, 12, 12) to have 5 channels, but got 10 "
      "channels instead");
  CHECK_THROWS_WITH(conv2d(x, w, {}, 1, 0, 1, 3),
                    "conv2d: 3 groups do not divide the first size of weight (20, 5, 5, 5)");
  CHECK_THROWS_WITH(conv2d(x, square, zeros({10})), "conv2d: expected a bias of shape (20,), got (10,)");
  CHECK_THROWS_WITH(conv2d(x, square.to(kDouble)), "conv2d: the input is float32, the weight float64");
  CHECK_THROWS_WITH(conv2d(x.to(kBool), square.to(kBool)),
                    "conv2d: expected an input of floating point numbers or integers, got bool");
  CHECK_THROWS_WITH(conv2d(x, square, {}, 0), "conv2d: stride must be at least 1, got (0,)");
  CHECK_THROWS_WITH(conv2d(x, square, {}, 1, -1), "conv2d: padding must be at least 0, got (-1,)");
  CHECK_THROWS_WITH(conv2d(x, square, {}, {1, 1, 1}), "conv2d: stride takes 1 or 2 numbers, got (1, 1, 1)");
  CHECK_THROWS_WITH(conv2d(x, square, {}, 1, 0, 4),
                    "conv2d: a kernel of 5 with dilation 4 and padding 0 leaves no output for input (1, 10, 12, 12)");
  CHECK_THROWS_WITH(conv1d(x, square), "conv1d: expected a weight of 3 dims, got (20, 10, 5, 5)");
  CHECK_THROWS_WITH(conv_transpose2d(x, square),
                    "conv_transpose2d: weight (20, 10, 5, 5) with 1 group expects the input (1, 10, 12, 12) to "
                    "have 20 channels, but got 10 channels instead");
  CHECK_THROWS_WITH(conv_transpose2d(x, zeros({10, 4, 3, 3}), {}, 2, 0, 2),
                    "conv_transpose2d: output_padding 2 must be smaller than stride 2 or dilation 1");
}

TEST_CASE("threads of a program may convolve at the same time") {
  std::vector<Tensor> inputs, weights, expected;
  for (int64_t i = 0; i < 8; ++i) {
    inputs.push_back(random_tensor({2 + i, 3, 9 + i, 8}, kFloat, static_cast<unsigned>(i)));
    weights.push_back(random_tensor({4, 3, 3, 3}, kFloat, 20 + static_cast<unsigned>(i)));
  }
  std::vector<std::vector<Tensor>> results(4, std::vector<Tensor>(8));
  std::vector<std::thread> threads;
  for (auto& mine : results)
    threads.emplace_back([&] {
      for (size_t i = 0; i < 8; ++i) mine[i] = conv2d(inputs[i], weights[i], {}, 1, 1);
    });
  for (std::thread& t : threads) t.join();
  for (size_t i = 0; i < 8; ++i) {
    const Tensor alone = conv2d(inputs[i], weights[i], {}, 1, 1);
    for (const auto& mine : results) CHECK(same_bits(mine[i], alone));
  }
}
