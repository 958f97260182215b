// Tests of normalisation: values against naive loops, running statistics, gradients of first and second order, errors.
#include "ops/norm.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <utility>

#include "autograd/autograd.h"
#include "core/parallel.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/check_values.h"

using namespace strata;
using namespace strata::test;

namespace {

Tensor off_center(IntArrayRef sizes, DType dtype, unsigned seed) { return random_tensor(sizes, dtype, seed, -1, 2); }

struct Moments {
  double mean, var;
  int64_t count;
};

/// Of the elements of x whose key is `key`.
template <class Key>
Moments moments(const std::vector<double>& x, Key key_of, int64_t key) {
  double sum = 0, squares = 0;
  int64_t count = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (key_of(static_cast<int64_t>(i)) == key) sum += x[i], ++count;
  const double mean = sum / static_cast<double>(count);
  for (size_t i = 0; i < x.size(); ++i)
    if (key_of(static_cast<int64_t>(i)) == key) squares += (x[i] - mean) * (x[i] - mean);
  return {mean, squares / static_cast<double>(count), count};
}

/// Normalises the elements that share a key, then scales them by w and b at `affine_of(i)`.
template <class Key, class Affine>
Tensor naive(const Tensor& x, const Tensor& w, const Tensor& b, double eps, Key key_of, Affine affine_of) {
  std::vector<double> in = values(x), out(in.size());
  const std::vector<double> weight = values(w), bias = values(b);
  for (size_t i = 0; i < in.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i);
    const Moments m = moments(in, key_of, key_of(at));
    const size_t a = static_cast<size_t>(affine_of(at));
    out[i] = (in[i] - m.mean) / std::sqrt(m.var + eps) * weight[a] + bias[a];
  }
  return tensor(out, TensorOptions(kDouble)).view(x.sizes());
}

using FunctionOfList = std::function<Tensor(const std::vector<Tensor>&)>;

double weighted(const Tensor& y, const Tensor& weights) { return y.mul(weights).sum().item<double>(); }

/// Compares first derivatives with central differences along random directions, then the derivatives of a first
/// derivative.
void check_gradients(const FunctionOfList& f, std::vector<Tensor> inputs) {
  const Tensor c = off_center(f(inputs).sizes(), kDouble, 91);
  const auto first = [&](const std::vector<Tensor>& at, bool create_graph) {
    std::vector<Tensor> leaves;
    for (const Tensor& t : at) leaves.push_back(create_graph && t.requires_grad() ? t : t.detach().requires_grad_());
    const auto grads = autograd::grad({f(leaves).mul(c).sum()}, leaves, {}, create_graph, create_graph);
    Tensor sum = grads[0].mul(off_center(grads[0].sizes(), kDouble, 92)).sum();
    for (size_t i = 1; i < grads.size(); ++i)
      sum = sum.add(grads[i].mul(off_center(grads[i].sizes(), kDouble, 92 + static_cast<unsigned>(i))).sum());
    return sum;
  };
  const auto along = [&](double step, size_t i) {
    std::vector<Tensor> moved = inputs;
    moved[i] = inputs[i].add(off_center(inputs[i].sizes(), kDouble, 80), step);
    return moved;
  };
  constexpr double h = 1e-5;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::vector<Tensor> leaves;
    for (const Tensor& t : inputs) leaves.push_back(t.detach().requires_grad_());
    const Tensor direction = off_center(inputs[i].sizes(), kDouble, 80);
    const auto grads = autograd::grad({f(leaves).mul(c).sum()}, leaves);
    const double numeric = (weighted(f(along(h, i)), c) - weighted(f(along(-h, i)), c)) / (2 * h);
    CHECK(weighted(grads[i], direction) == Approx(numeric).epsilon(1e-6).margin(1e-7));
    const auto second = autograd::grad({first(leaves, true)}, leaves, {}, std::nullopt, false, true);
    const double twice =
        (first(along(h, i), false).item<double>() - first(along(-h, i), false).item<double>()) / (2 * h);
    CHECK((second[i].defined() ? weighted(second[i], direction) : 0) == Approx(twice).epsilon(1e-6).margin(1e-7));
  }
}

}  // namespace

TEST_CASE("batch_norm equals naive loops and moves the running statistics") {
  for (const DimVector& sizes : {DimVector{4, 3, 5}, DimVector{2, 3, 4, 20}, DimVector{9, 3}, DimVector{70, 3, 1}}) {
    const Tensor x = off_center(sizes, kDouble, 1), w = off_center({3}, kDouble, 2), b = off_center({3}, kDouble, 3);
    const int64_t inner = x.numel() / sizes[0] / 3;
    const auto channel = [inner](int64_t i) { return i / inner % 3; };
    Tensor mean = off_center({3}, kDouble, 4), var = off_center({3}, kDouble, 5).square();
    const std::vector<double> mean_before = values(mean), var_before = values(var);
    check_close(batch_norm(x, w, b, mean, var, true, 0.2, 1e-3), naive(x, w, b, 1e-3, channel, channel), 1e-12);
    for (int64_t c = 0; c < 3; ++c) {
      const Moments m = moments(values(x), channel, c);
      const double n = static_cast<double>(m.count), unbiased = m.var * n / (n - 1);
      const size_t at = static_cast<size_t>(c);
      CHECK(values(mean)[at] == Approx(0.8 * mean_before[at] + 0.2 * m.mean));
      CHECK(values(var)[at] == Approx(0.8 * var_before[at] + 0.2 * unbiased));
    }
    const Tensor evaluated = batch_norm(x, w, b, mean, var, false, 0.2, 1e-3);
    for (size_t i = 0; i < values(x).size(); ++i) {
      const size_t c = static_cast<size_t>(channel(static_cast<int64_t>(i)));
      const double expected =
          (values(x)[i] - values(mean)[c]) / std::sqrt(values(var)[c] + 1e-3) * values(w)[c] + values(b)[c];
      CHECK(values(evaluated)[i] == Approx(expected).margin(1e-12));
    }
    check_close(batch_norm(x.to(kFloat), w.to(kFloat), b.to(kFloat), {}, {}, true, 0.2, 1e-3),
                batch_norm(x, w, b, {}, {}, true, 0.2, 1e-3), 1e-5);
  }
}

TEST_CASE("batch_norm of nothing keeps nothing that is written to") {
  for (const bool training : {true, false}) {
    Tensor x = zeros({0, 3});
    const Tensor w = ones({3}).requires_grad_(), mean = zeros({3}), var = ones({3});
    const Tensor y = batch_norm(x, w, {}, mean, var, training, 0.1, 1e-5);
    x.sin_();
    y.sum().backward();
    CHECK(w.grad().equal(zeros({3})));
  }
}

TEST_CASE("layer_norm, group_norm, instance_norm and rms_norm equal naive loops") {
  const Tensor x = off_center({2, 6, 3, 5}, kDouble, 1), w = off_center({6}, kDouble, 2),
               b = off_center({6}, kDouble, 3);
  const auto channel = [](int64_t i) { return i / 15 % 6; };
  check_close(group_norm(x, 2, w, b),
              naive(
                  x, w, b, 1e-5, [](int64_t i) { return i / 45; }, channel),
              1e-12);
  check_close(instance_norm(x, w, b, {}, {}, true, 0.1, 1e-5),
              naive(
                  x, w, b, 1e-5, [](int64_t i) { return i / 15; }, channel),
              1e-12);
  // Runs that the op itself scales, and those that take an op more.
  const Tensor runs = off_center({2, 6, 17}, kDouble, 1);
  const auto run = [](int64_t i) { return i / 17 % 6; };
  for (const int64_t groups : {1, 2, 6})
    check_close(group_norm(runs, groups, w, b),
                naive(
                    runs, w, b, 1e-5, [&](int64_t i) { return i / (17 * 6 / groups); }, run),
                1e-12);
  check_close(group_norm(runs, 2, w), group_norm(runs, 2, w, zeros_like(b)), 1e-12);
  check_close(group_norm(runs, 2, {}, b), group_norm(runs, 2, ones_like(w), b), 1e-12);
  const Tensor lw = off_center({3, 5}, kDouble, 4), lb = off_center({3, 5}, kDouble, 5);
  const auto element = [](int64_t i) { return i % 15; };
  const auto row = [](int64_t i) { return i / 15; };
  check_close(layer_norm(x, {3, 5}, lw, lb), naive(x, lw, lb, 1e-5, row, element), 1e-12);
  check_close(layer_norm(x, {3, 5}), naive(x, ones_like(lw), zeros_like(lb), 1e-5, row, element), 1e-12);
  check_close(layer_norm(x, {3, 5}, lw), naive(x, lw, zeros_like(lb), 1e-5, row, element), 1e-12);
  check_close(layer_norm(x.to(kFloat), {3, 5}, lw.to(kFloat), lb.to(kFloat)), layer_norm(x, {3, 5}, lw, lb), 1e-5);
  check_close(rms_norm(x, {3, 5}, lw, 1e-6), x.div(x.square().mean({2, 3}, true).add(1e-6).sqrt()).mul(lw), 1e-12);
  CHECK(layer_norm(x.to(kHalf), {3, 5}).dtype() == kHalf);
  Tensor mean = zeros({6}, kDouble), var = ones({6}, kDouble);
  instance_norm(x, {}, {}, mean, var, true, 1, 1e-5);
  check_close(mean, x.mean({0, 2, 3}), 1e-12);
  check_close(var, x.var({2, 3}).mean({0}), 1e-12);
}

TEST_CASE("local_response_norm gives PyTorch's numbers") {
  const Tensor x = arange(1, 13, kDouble).view({1, 6, 2}).div(4);
  const std::vector<double> odd{0.1430967949, 0.2760079131, 0.3933193342, 0.4907549222, 0.5676934945, 0.6257223194,
                                0.6675662428, 0.6962558708, 0.7146331337, 0.7251300954, 0.9537047644, 0.9642947728};
  const std::vector<double> even{0.1444395938, 0.2809931093, 0.4050876462, 0.5126152614, 0.6007700897, 0.6685099146,
                                 0.7178084361, 0.7515899668, 0.7729586669, 0.7847549217, 0.9794543549, 0.9864371141};
  check_close(local_response_norm(x, 3, 0.5, 0.75, 2), tensor(odd, TensorOptions(kDouble)).view({1, 6, 2}), 1e-9);
  check_close(local_response_norm(x, 4, 0.5, 0.75, 2), tensor(even, TensorOptions(kDouble)).view({1, 6, 2}), 1e-9);
}

TEST_CASE("local_response_norm of integers takes integer averages, as PyTorch") {
  const Tensor y = local_response_norm(arange(24, kLong).view({1, 4, 3, 2}).mul(10), 3, 0.5, 0.75, 1);
  CHECK(y.dtype() == kFloat);
  const std::vector<double> wanted{0.14805616438388824, 0.14590191841125488, 0.1431046426296234, 0.13998910784721375};
  check_close(y.flatten().slice(0, 8, 12).to(kDouble), tensor(wanted, TensorOptions(kDouble)), 1e-7);
}

TEST_CASE("local_response_norm of nothing is nothing") {
  CHECK(local_response_norm(zeros({4, 0, 1}), 2).sizes() == IntArrayRef({4, 0, 1}));
  CHECK(local_response_norm(zeros({2, 5, 0}), 4).sizes() == IntArrayRef({2, 5, 0}));
}

TEST_CASE("batch_norm of (N, C) equals that of its columns as rows") {
  const Tensor x = off_center({150, 300}, kFloat, 1), w = off_center({300}, kFloat, 2),
               b = off_center({300}, kFloat, 3);
  const Tensor y = batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5);
  const Tensor rows = batch_norm(x.t().contiguous().view({1, 300, 150}), w, b, {}, {}, true, 0.1, 1e-5);
  check_close(y, rows.view({300, 150}).t(), 1e-5);
}

TEST_CASE("statistics are exact for values far from zero") {
  const Tensor x = off_center({3, 5000}, kDouble, 1).add(1e4);
  const Tensor single = x.to(kFloat);
  check_close(layer_norm(single, {5000}), layer_norm(single.to(kDouble), {5000}), 3e-3);
}

TEST_CASE("norms differentiate once and twice") {
  const Tensor x = off_center({3, 4, 5}, kDouble, 1), w = off_center({4}, kDouble, 2), b = off_center({4}, kDouble, 3);
  check_gradients([](const auto& t) { return batch_norm(t[0], t[1], t[2], {}, {}, true, 0.1, 1e-3); }, {x, w, b});
  check_gradients([](const auto& t) { return batch_norm(t[0], {}, {}, {}, {}, true, 0.1, 1e-3); }, {x});
  check_gradients([](const auto& t) { return layer_norm(t[0], {5}, t[1], t[2], 1e-3); },
                  {x, off_center({5}, kDouble, 4), off_center({5}, kDouble, 5)});
  check_gradients([](const auto& t) { return group_norm(t[0], 2, t[1], t[2], 1e-3); }, {x, w, b});
  check_gradients([](const auto& t) { return group_norm(t[0], 2, t[1], t[2], 1e-3); },
                  {off_center({2, 4, 16}, kDouble, 1), w, b});
  check_gradients([](const auto& t) { return rms_norm(t[0], {5}, t[1], 1e-3); }, {x, off_center({5}, kDouble, 4)});
  check_gradients([](const auto& t) { return batch_norm(t[0], t[1], t[2], {}, {}, true, 0.1, 1e-3); },
                  {off_center({6, 4}, kDouble, 8), w, b});
  const Tensor mean = off_center({4}, kDouble, 6), var = off_center({4}, kDouble, 7).square();
  check_gradients([&](const auto& t) { return batch_norm(t[0], t[1], t[2], mean, var, false, 0.1, 1e-3); }, {x, w, b});
}

TEST_CASE("norms give the same bits for any number of threads") {
  const int before = get_num_threads();
  const Tensor x = off_center({8, 16, 30, 30}, kFloat, 1), w = off_center({30}, kFloat, 2),
               c = off_center({16}, kFloat, 3);
  Tensor results[2][3];
  for (int threads : {1, 2}) {
    set_num_threads(threads);
    const Tensor leaf = x.clone().requires_grad_(), scale = w.clone().requires_grad_(),
                 channels = c.clone().requires_grad_();
    layer_norm(batch_norm(leaf, channels, {}, {}, {}, true, 0.1, 1e-5), {30}, scale).square().mul(x).sum().backward();
    results[threads - 1][0] = leaf.grad(), results[threads - 1][1] = scale.grad(),
                      results[threads - 1][2] = channels.grad();
  }
  set_num_threads(before);
  for (int i = 0; i < 3; ++i)
    CHECK(std::memcmp(results[0][i].bytes(), results[1][i].bytes(), results[0][i].nbytes()) == 0);
}

// Such an x asks for its rows ahead.
TEST_CASE("layer_norm of an x that outgrows the caches gives each row and its gradient what they get alone") {
  constexpr int64_t kRows = 613, kWidth = 517;
  for (const DType dtype : {kFloat, kDouble}) {
    const Tensor w = off_center({kWidth}, dtype, 1), b = off_center({kWidth}, dtype, 2),
                 x = off_center({kRows, kWidth}, dtype, 3), g = off_center({kRows, kWidth}, dtype, 4);
    const auto value_and_gradient = [&](int64_t from, int64_t count) {
      const Tensor leaf = x.narrow(0, from, count).clone().requires_grad_();
      const Tensor y = layer_norm(leaf, {kWidth}, w, b);
      y.backward(g.narrow(0, from, count));
      return std::pair(y.detach(), leaf.grad());
    };
    const auto [y, grad] = value_and_gradient(0, kRows);
    for (int64_t from = 0; from < kRows; from += 100) {
      const int64_t count = std::min<int64_t>(100, kRows - from);
      const auto [part, part_grad] = value_and_gradient(from, count);
      CHECK(equal(y.narrow(0, from, count), part));
      CHECK(equal(grad.narrow(0, from, count), part_grad));
    }
  }
}

TEST_CASE("wrong calls of norms say what is wrong") {
  const Tensor x = zeros({2, 6, 4});
  CHECK_THROWS_WITH(batch_norm(x, zeros({4}), {}, {}, {}, true, 0.1, 1e-5),
                    "batch_norm: expected a weight of shape (6,), got (4,): the input has 6 channels");
  CHECK_THROWS_WITH(batch_norm(x, {}, {}, {}, {}, false, 0.1, 1e-5),
                    "batch_norm: outside of training it needs running_mean and running_var");
  CHECK_THROWS_WITH(batch_norm(zeros({1, 6}), {}, {}, {}, {}, true, 0.1, 1e-5),
                    "batch_norm: training needs more than 1 value per channel, the input is (1, 6)");
  CHECK_THROWS_WITH(layer_norm(x, {6}), "layer_norm: the input (2, 6, 4) does not end in normalized_shape (6,)");
  CHECK_THROWS_WITH(layer_norm(x, {6, 4}, zeros({4})),
                    "layer_norm: expected weight and bias of shape (6, 4), got (4,)");
  CHECK_THROWS_WITH(layer_norm(x, {2, 2, 6, 4}), "layer_norm: expected an input of at least 4 dims, got (2, 6, 4)");
  CHECK_THROWS_WITH(group_norm(x, 4), "group_norm: 4 groups do not divide the channels of the input (2, 6, 4)");
  CHECK_THROWS_WITH(group_norm(x.to(kLong), 2), "group_norm: expected a floating point input, got int64");
  CHECK_THROWS_WITH(rms_norm(x, {4}, zeros({4}, kDouble)), "rms_norm: the input is float32, the weight float64");
}
