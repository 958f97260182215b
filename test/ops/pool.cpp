// Tests of pooling: values against naive loops, gradients by hand, NaN, odd windows, thread independence, errors.
#include "ops/pool.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/parallel.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/check_values.h"

using namespace strata;
using namespace strata::test;

namespace {

struct Window {
  int64_t kernel, stride, pad, dilation;
  bool ceil;
};

/// PyTorch's pooling_output_shape.
int64_t positions(int64_t in, const Window& w) {
  const double room =
      static_cast<double>(in + 2 * w.pad - w.dilation * (w.kernel - 1) - 1) / static_cast<double>(w.stride);
  int64_t n = static_cast<int64_t>(w.ceil ? std::ceil(room) : std::floor(room)) + 1;
  if (w.ceil && (n - 1) * w.stride >= in + w.pad) --n;
  return n;
}

/// Calls f(plane, output position, inputs' positions, elements with padding) for every window of x `(N, C, H, W)`.
template <class F>
void for_each_window(const Tensor& x, const Window& w, F f) {
  const int64_t h = x.size(2), v = x.size(3), oh = positions(h, w), ow = positions(v, w);
  for (int64_t plane = 0; plane < x.size(0) * x.size(1); ++plane)
    for (int64_t o = 0; o < oh * ow; ++o) {
      std::vector<int64_t> inside;
      int64_t padded = 0;
      for (int64_t i = 0; i < w.kernel; ++i)
        for (int64_t j = 0; j < w.kernel; ++j) {
          const int64_t a = o / ow * w.stride + i * w.dilation - w.pad, b = o % ow * w.stride + j * w.dilation - w.pad;
          padded += a < h + w.pad && b < v + w.pad;
          if (a >= 0 && a < h && b >= 0 && b < v) inside.push_back(a * v + b);
        }
      f(plane, o, inside, padded);
    }
}

std::vector<Window> all_windows(int64_t most_dilation) {
  std::vector<Window> all;
  for (int64_t kernel : {1, 2, 3})
    for (int64_t stride : {1, 2, 3})
      for (int64_t pad = 0; pad <= kernel / 2; ++pad)
        for (int64_t dilation = 1; dilation <= most_dilation; ++dilation)
          for (bool ceil : {false, true}) all.push_back({kernel, stride, pad, dilation, ceil});
  return all;
}

}  // namespace

TEST_CASE("max_pool2d equals naive loops for all windows, in value, index and gradient") {
  const Tensor x = random_tensor({2, 3, 7, 20}, kDouble, 1).requires_grad_();
  const double* data = x.data_ptr<double>();
  for (const Window& w : all_windows(2)) {
    const auto [y, index] = max_pool2d_with_indices(x, w.kernel, w.stride, w.pad, w.dilation, w.ceil);
    Tensor expected = zeros({2, 3, positions(7, w), positions(20, w)}, kDouble),
           gradient = zeros({2, 3, 7, 20}, kDouble);
    const Tensor g = random_tensor(expected.sizes(), kDouble, 2);
    const int64_t plane_out = expected.size(2) * expected.size(3);
    const int64_t* const chosen = index.data_ptr<int64_t>();
    for_each_window(x, w, [&](int64_t plane, int64_t o, const std::vector<int64_t>& inside, int64_t) {
      int64_t best = inside[0];
      for (int64_t i : inside)
        if (data[plane * 140 + i] > data[plane * 140 + best]) best = i;
      CHECK(chosen[plane * plane_out + o] == best);
      expected.data_ptr<double>()[plane * plane_out + o] = data[plane * 140 + best];
      gradient.data_ptr<double>()[plane * 140 + best] += g.data_ptr<double>()[plane * plane_out + o];
    });
    check_close(y.detach(), expected, 0);
    x.mutable_grad().reset();
    y.backward(g);
    check_close(x.grad(), gradient, 1e-14);
    check_close(max_pool2d(x.detach().to(kFloat), w.kernel, w.stride, w.pad, w.dilation, w.ceil), expected.to(kFloat),
                0);
  }
}

TEST_CASE("avg_pool2d equals naive loops for all windows and divisors") {
  const Tensor x = random_tensor({2, 2, 7, 9}, kDouble, 1);
  const double* data = x.data_ptr<double>();
  std::vector<Window> all = all_windows(1);
  all.insert(all.end(), {{6, 4, 3, 1, false}, {6, 5, 2, 1, true}, {7, 5, 0, 1, false}});  // overlap, far apart
  for (const Window& w : all)
    for (const int mode : {0, 1, 2}) {  // count_include_pad, not, divisor_override
      const auto pool = [&](const Tensor& t) {
        return avg_pool2d(t, w.kernel, w.stride, w.pad, w.ceil, mode == 0,
                          mode == 2 ? std::optional<int64_t>(5) : std::nullopt);
      };
      Tensor expected = zeros({2, 2, positions(7, w), positions(9, w)}, kDouble),
             gradient = zeros({2, 2, 7, 9}, kDouble);
      const Tensor g = random_tensor(expected.sizes(), kDouble, 2);
      const int64_t plane_out = expected.size(2) * expected.size(3);
      for_each_window(x, w, [&](int64_t plane, int64_t o, const std::vector<int64_t>& inside, int64_t padded) {
        const double divisor =
            mode == 2 ? 5 : static_cast<double>(mode == 0 ? padded : static_cast<int64_t>(inside.size()));
        const int64_t at = plane * plane_out + o;
        for (int64_t i : inside) {
          expected.data_ptr<double>()[at] += data[plane * 63 + i] / divisor;
          gradient.data_ptr<double>()[plane * 63 + i] += g.data_ptr<double>()[at] / divisor;
        }
      });
      const Tensor leaf = x.clone().requires_grad_(), y = pool(leaf);
      check_close(y.detach(), expected, 1e-13);
      y.backward(g);
      CHECK(values(leaf.grad()) == values(gradient));  // terms are added in the order of the windows
      check_close(pool(x.to(kFloat)), expected, 1e-6);
    }
}

TEST_CASE("the 2x2 max pool treats NaN, infinities, ties and odd edges as the general one") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (int64_t width : {2, 3, 9, 16, 17, 33, 64, 67}) {
    Tensor x = random_tensor({3, 5, width}, kFloat, 4);
    float* data = x.data_ptr<float>();
    for (int64_t i = 0; i < x.numel(); ++i)
      data[i] = i % 7 == 0 ? 0.5f : i % 11 == 0 ? nan : i % 5 == 0 ? -inf : data[i];
    const auto [y, index] = max_pool2d_with_indices(x, 2);
    // Double takes the general loop.
    const auto [expected, at] = max_pool2d_with_indices(x.to(kDouble), 2);
    CHECK(y.sizes() == DimVector{3, 2, width / 2});
    CHECK(std::memcmp(index.bytes(), at.bytes(), at.nbytes()) == 0);
    CHECK(std::memcmp(y.to(kDouble).bytes(), expected.bytes(), expected.nbytes()) == 0);
  }
}

TEST_CASE("adaptive pools cut the input as PyTorch does") {
  const Tensor x = arange(1, 11, kDouble).view({1, 1, 10});
  // Windows [0, 3), [2, 5), [5, 8), [7, 10).
  check_close(adaptive_avg_pool1d(x, 4), tensor({2.0, 4.0, 7.0, 9.0}, kDouble).view({1, 1, 4}), 1e-14);
  const auto [y, index] = adaptive_max_pool1d(x, 4);
  check_close(y, tensor({3.0, 5.0, 8.0, 10.0}, kDouble).view({1, 1, 4}), 0);
  CHECK(values(index) == std::vector<double>{2, 4, 7, 9});
  const Tensor image = random_tensor({2, 3, 6, 8}, kDouble, 1);
  check_close(adaptive_avg_pool2d(image, {3, 2}), avg_pool2d(image, {2, 4}), 1e-14);
  check_close(adaptive_avg_pool2d(image, 1), image.mean({2, 3}, true), 1e-14);
  check_close(std::get<0>(adaptive_max_pool2d(image, {3, 2})), max_pool2d(image, {2, 4}), 0);
  CHECK(adaptive_avg_pool2d(image, {9, 11}).sizes() == DimVector{2, 3, 9, 11});
}

TEST_CASE("one-dimensional pools, inputs without a batch, strided, empty and of 16 bits") {
  const Tensor x = random_tensor({2, 3, 12}, kDouble, 1);
  check_close(max_pool1d(x, 3, 2, 1), max_pool2d(x.unsqueeze(2), {1, 3}, {1, 2}, {0, 1}).squeeze(2), 0);
  check_close(avg_pool1d(x, 3, 2, 1), avg_pool2d(x.unsqueeze(2), {1, 3}, {1, 2}, {0, 1}).squeeze(2), 0);
  check_close(max_pool1d(x.select(0, 1), 4), max_pool1d(x, 4).select(0, 1), 0);
  const Tensor image = random_tensor({2, 3, 8, 6}, kFloat, 2);
  check_close(max_pool2d(image.transpose(2, 3), 2), max_pool2d(image.transpose(2, 3).contiguous(), 2), 0);
  CHECK(max_pool2d(image.narrow(0, 0, 0), 2).sizes() == DimVector{0, 3, 4, 3});
  CHECK(max_pool2d(image.to(kHalf), 2).dtype() == kHalf);
  check_close(avg_pool2d(image.to(kBFloat16), 2), avg_pool2d(image, 2), 1e-2);
}

TEST_CASE("a window whose taps all fall on padding is -inf and has no gradient") {
  const Tensor x = ones({1, 1, 1}, kDouble).requires_grad_();
  const Tensor y = max_pool1d(x, 2, 1, 2, 3);  // taps at -2 and 1, then at -1 and 2
  CHECK(values(y.detach()) == std::vector<double>(2, -std::numeric_limits<double>::infinity()));
  y.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{0});
}

TEST_CASE("pools differentiate twice") {
  const Tensor x = random_tensor({1, 2, 6, 6}, kDouble, 1).requires_grad_();
  for (const bool max : {true, false}) {
    const Tensor y = max ? max_pool2d(x, 3, 2) : avg_pool2d(x, 3, 2);
    x.mutable_grad().reset();
    y.mul(y).mul(y).sum().backward({}, std::nullopt, true);
    const Tensor first = x.grad();
    x.mutable_grad().reset();
    first.sum().backward();
    // With y = P x, the derivative of sum(P^T 3 y^2) is P^T (6 y * P 1).
    const Tensor weight = max ? ones_like(y.detach()) : avg_pool2d(ones_like(x.detach()), 3, 2);
    const Tensor z = x.detach().requires_grad_(), again = max ? max_pool2d(z, 3, 2) : avg_pool2d(z, 3, 2);
    again.backward(y.detach().mul(weight).mul(6));
    check_close(x.grad(), z.grad(), 1e-12);
  }
}

TEST_CASE("pools give the same bits for any number of threads") {
  const int before = get_num_threads();
  const Tensor x = random_tensor({8, 16, 33, 31}, kFloat, 1);
  Tensor results[2];
  for (int threads : {1, 2}) {
    set_num_threads(threads);
    const Tensor leaf = x.clone().requires_grad_();
    avg_pool2d(max_pool2d(leaf, 3, 2, 1), 3, 2).sum().backward();
    results[threads - 1] = leaf.grad();
  }
  set_num_threads(before);
  CHECK(std::memcmp(results[0].bytes(), results[1].bytes(), results[0].nbytes()) == 0);
}

TEST_CASE("wrong calls of pools say what is wrong") {
  const Tensor x = zeros({1, 2, 5, 5});
  CHECK_THROWS_WITH(max_pool2d(x, 3, 1, 2), "max_pool2d: padding 2 is more than half of the window 3");
  CHECK_THROWS_WITH(max_pool2d(x, 6),
                    "max_pool2d: a window of 6 with padding 0 does not fit in the input (1, 2, 5, 5)");
  CHECK_THROWS_WITH(max_pool2d(x, 0), "max_pool2d: kernel_size must be at least 1, got (0,)");
  CHECK_THROWS_WITH(avg_pool2d(x, {2, 2, 2}), "avg_pool2d: kernel_size takes 1 or 2 numbers, got (2, 2, 2)");
  CHECK_THROWS_WITH(avg_pool2d(x, 2, 2, 0, false, true, 0), "avg_pool2d: divisor_override must not be 0");
  CHECK_THROWS_WITH(max_pool1d(x, 2), "max_pool1d: expected 2 or 3 dims, got an input of shape (1, 2, 5, 5)");
  CHECK_THROWS_WITH(max_pool2d(x.to(kBool), 2), "max_pool2d: expected floating point numbers or integers, got bool");
  CHECK_THROWS_WITH(avg_pool2d(zeros({1, 2, 0, 5}), 2), "avg_pool2d: the input (1, 2, 0, 5) has nothing to pool");
}
