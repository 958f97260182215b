// Tests of ops at the edges of their domains, against what PyTorch 2.15 gives there.
#include <functional>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "core/warning.h"
#include "ops/activation.h"
#include "ops/arranging.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/conv.h"
#include "ops/distance.h"
#include "ops/eigen.h"
#include "ops/factor.h"
#include "ops/histogram.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/linalg.h"
#include "ops/pointwise_functions.h"
#include "ops/pool.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/scatter_reduce.h"
#include "ops/sets.h"
#include "ops/shaping.h"
#include "ops/softmax.h"
#include "ops/sort.h"
#include "ops/statistics.h"
#include "ops/tensor_index.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "transforms/jvp.h"

using namespace strata;
using namespace strata::test;
using namespace strata::indexing;
using Catch::Matchers::ContainsSubstring;
namespace {

/// Equal, NaN to NaN.
void check_equal(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    INFO("element " << i << ": " << a[i] << " and " << b[i]);
    CHECK((a[i] == Approx(b[i]) || (std::isnan(a[i]) && std::isnan(b[i]))));
  }
}

/// The gradients of the sum of f's elements.
std::vector<Values> gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                              const std::vector<Values>& at) {
  std::vector<Tensor> x;
  for (const Values& v : at) x.push_back(doubles(v).requires_grad_());
  f(x).sum().backward();
  std::vector<Values> grads;
  for (const Tensor& t : x) grads.push_back(values(t.grad()));
  return grads;
}

}  // namespace

TEST_CASE("first and second derivatives of xlogy at (0, 0) are PyTorch's") {
  const Tensor x = doubles({0}).requires_grad_(), y = doubles({0}).requires_grad_();
  const auto first = autograd::grad({xlogy(x, y).sum()}, {x, y}, {}, true, true);
  check_equal(values(first[0]), {0});
  check_equal(values(first[1]), {kNaN});
  const auto second = autograd::grad({first[1].sum()}, {x, y});
  check_equal(values(second[0]), {kInf});
  check_equal(values(second[1]), {kNaN});
  const Tensor four = doubles({4}).requires_grad_();
  check_equal(values(autograd::grad({xlogy(four, y)}, {four}, {doubles({0})})[0]), {0});
}

TEST_CASE("gradients where a formula meets 0 times infinity") {
  const auto logs = gradients([](const auto& x) { return xlogy(x[0], x[1]); }, {{0, 0, 0, 0, 2}, {2, 0, -1, kNaN, 3}});
  check_equal(logs[0], {std::log(2), 0, 0, kNaN, std::log(3)});
  check_equal(logs[1], {0, kNaN, 0, kNaN, 2.0 / 3});
  check_equal(values(xlogy(doubles({0, 0, kNaN, 0}), doubles({kInf, kNaN, 0, -kInf}))), {0, kNaN, kNaN, 0});
  const auto angles = gradients([](const auto& x) { return atan2(x[0], x[1]); }, {{0, 1, 0}, {0, 0, -1}});
  check_equal(angles[0], {0, 0, -1});
  check_equal(angles[1], {0, -1, 0});
  const auto plain =
      gradients([](const auto& x) { return logit(x[0], std::nullopt); }, {{-0.5, 0, 0.25, 1, 1.5, kNaN}});
  check_equal(plain[0], {kNaN, kInf, 16.0 / 3, kInf, kNaN, kNaN});
  const auto kept =
      gradients([](const auto& x) { return logit(x[0], 0.1); }, {{-0.5, 0.05, 0.1, 0.25, 0.9, 1.5, kNaN}});
  check_equal(kept[0], {0, 0, 100.0 / 9, 16.0 / 3, 100.0 / 9, 0, kNaN});
  check_equal(values(logit(tensor({-0.5, 0.0, 1.0, 1.5}), std::nullopt)), {kNaN, -kInf, kInf, kNaN});
}

TEST_CASE("the second derivative of hypot at equal and zero operands") {
  const Tensor x = doubles({2, 0, 1}).requires_grad_();
  const Tensor g = autograd::grad({hypot(x, doubles({2, 2, 2})).sum()}, {x}, {}, true, true)[0];
  check_equal(values(autograd::grad({g.sum()}, {x})[0]), {std::sqrt(2) / 8, 0.5, 4 / std::pow(5, 1.5)});
  const Values y = values(hypot(doubles({kInf, kNaN, kNaN, 1e200, 0}), doubles({kNaN, -kInf, 1, 1e200, 0})));
  check_equal(y, {kInf, kInf, kNaN, std::sqrt(2) * 1e200, 0});
}

TEST_CASE("NaN that comes back to the gradient of a flat piece is 0") {
  const std::vector<std::function<Tensor(const Tensor&)>> flat = {
      [](const Tensor& x) { return relu(x); },
      [](const Tensor& x) { return relu6(x); },
      [](const Tensor& x) { return clamp(x, -0.5, 0.5); },
      [](const Tensor& x) { return hardsigmoid(x - 4); },
      [](const Tensor& x) { return hardswish(x - 4); },
      [](const Tensor& x) { return hardshrink(x, 2); },
      [](const Tensor& x) { return softshrink(x, 2); },
      [](const Tensor& x) { return threshold(x, 0, 1); },
  };
  for (size_t i = 0; i < flat.size(); ++i) {
    INFO("function " << i);
    const Tensor x = doubles({-1}).requires_grad_(), g = doubles({1}).requires_grad_();
    const Tensor slope = autograd::grad({flat[i](x)}, {x}, {g}, true, true)[0];
    check_equal(values(autograd::grad({slope}, {g}, {doubles({kNaN})})[0]), {0});
  }
}

TEST_CASE("forms in place keep the values that their gradients need") {
  const Tensor index = tensor(std::vector<int64_t>{0, 0, 1}), source = doubles({2, 3, 4}).requires_grad_();
  const auto gradient = [](const std::function<void(Tensor&)>& write) {
    const Tensor leaf = doubles({3, 4, 5}).requires_grad_();
    Tensor x = leaf * 1;
    write(x);
    x.sum().backward();
    return values(leaf.grad());
  };
  const Values scaled = gradient([](Tensor& x) { x.unsqueeze_(1).renorm_(1, 0, 3.5); });
  CHECK(scaled[0] == 1);
  CHECK(scaled[1] == Approx(0).margin(1e-6));
  check_equal(gradient([&](Tensor& x) { x.scatter_reduce_(0, index, source, "prod"); }), {6, 4, 1});
  check_equal(gradient([&](Tensor& x) { x.index_reduce_(0, index, source, "prod"); }), {6, 4, 1});
  check_equal(gradient([&](Tensor& x) { x.scatter_(0, index, source, "multiply"); }), {6, 4, 1});
}

TEST_CASE("a histogram has edges of its own, matrices without elements a condition of 0") {
  const Tensor edges = doubles({0, 1, 2});
  const Tensor own = std::get<1>(histogram(doubles({0.5}), edges));
  edges.zero_();
  check_equal(values(own), {0, 1, 2});
  check_equal(values(linalg::cond(zeros({2, 0, 0}, kDouble))), {0, 0});
  check_equal(values(linalg::cond(zeros({2, 0, 0}, kDouble), 1)), {0, 0});
}

TEST_CASE("products of no matrix and of no reflector keep their graph") {
  Tensor a = ones({2, 2}, kDouble).requires_grad_();
  const Tensor one = matrix_power(a, 0);
  CHECK(one.equal(eye(2, kDouble)));
  one.sum().backward();
  CHECK(values(a.grad()) == Values(4, 0));
  Tensor b = ones({3, 2}, kDouble).requires_grad_(), tau = ones({0}, kDouble).requires_grad_();
  linalg::householder_product(b, tau).sum().backward();
  CHECK(values(b.grad()) == Values(6, 0));
  CHECK(tau.grad().sizes() == IntArrayRef({0}));
  CHECK(ormqr(ones({2, 0}, kDouble), tau, ones({2, 2}, kDouble)).requires_grad());
  CHECK(ormqr(b, zeros({0}, kDouble), ones({3, 2}, kDouble)).requires_grad());
}

TEST_CASE("a result that is written into an operand does not change that one's shape") {
  Tensor one = ones({1});
  const Tensor three = ones({3});
  const char* const kRefused = "the result has shape (3,), and the operand that it is written into (1,)";
  CHECK_THROWS_WITH(mul_out(one, one, three), "mul_out: " + std::string(kRefused));
  CHECK_THROWS_WITH(add_out(one, three, one, 2), "add_out: " + std::string(kRefused));
  CHECK_THROWS_WITH(sub_out(one, one, three), "sub_out: " + std::string(kRefused));
  CHECK(one.sizes() == IntArrayRef({1}));
}

TEST_CASE("the tangent of a quotient by 0 is one quotient by 0") {
  const auto quotient = [](const Tensor& t) { return (t + 1) / t; };
  CHECK(func::jvp(quotient, zeros({1}, kDouble), ones({1}, kDouble)).second.item<double>() == -kInf);
}

TEST_CASE("an infinite gradient of a power of 0 is 0 for its base, and so is what the logarithm's slope makes of it") {
  const Tensor grad = doubles({kInf, kNaN, 1}), none = zeros({3}, kDouble);
  Tensor x = doubles({2, 4, -1}).requires_grad_();
  check_equal(values(autograd::grad({pow(x, none)}, {x}, {grad})[0]), {0, 0, 0});
  check_equal(values(autograd::grad({pow(x, 0)}, {x}, {grad})[0]), {0, 0, 0});
  Tensor e = zeros({3}, kDouble).requires_grad_();
  const Tensor growth = autograd::grad({pow(x, e)}, {e}, {ones({3}, kDouble)}, nullopt, true)[0];
  check_equal(values(autograd::grad({growth}, {x}, {ones({3}, kDouble)})[0]), {0.5, 0.25, -1});
}

TEST_CASE("of two NaN fmax and fmin send their gradient to the first; copysign's slope at NaN is NaN") {
  const Values nans = {kNaN};
  using Binary = Tensor (*)(const Tensor&, const Tensor&);
  for (const Binary f : {Binary(strata::fmax), Binary(strata::fmin)}) {
    const auto g = gradients([&](const auto& x) { return f(x[0], x[1]); }, {nans, nans});
    check_equal(g[0], {1}), check_equal(g[1], {0});
  }
  for (const double sign : {2.0, -2.0}) {
    const auto g = gradients([](const auto& x) { return copysign(x[0], x[1]); }, {{kNaN, 3}, {sign, sign}});
    check_equal(g[0], {kNaN, std::copysign(1.0, sign)});
  }
}

TEST_CASE("where a norm or a deviation is 0, its slope is 0 and so is that of the slope") {
  const Tensor direction = tensor({1.0, 2.0, 3.0}, kDouble);
  const auto second = [&](const Tensor& start, auto f) {
    Tensor x = start.clone().requires_grad_();
    const Tensor slope = autograd::grad({f(x)}, {x}, {}, nullopt, true)[0];
    check_equal(values(slope), {0, 0, 0});
    return values(autograd::grad({slope.mul(direction).sum()}, {x})[0]);
  };
  check_equal(second(zeros({3}, kDouble), [](const Tensor& x) { return x.norm(); }), {0, 0, 0});
  check_equal(second(zeros({3}, kDouble), [](const Tensor& x) { return x.norm(3); }), {0, 0, 0});
  check_equal(second(ones({3}, kDouble), [](const Tensor& x) { return x.std(); }), {0, 0, 0});
}

TEST_CASE("the error of least squares' gradient is the condition times a rounding", "[lapack]") {
  const auto gradient = [](const Tensor& a, const Tensor& b) {
    Tensor x = a.clone().requires_grad_();
    const Tensor solution = std::get<0>(linalg::lstsq(x, b, nullopt, "gelsd"));
    sub(solution[0], solution[1]).sum().backward();
    return x.grad();
  };
  // Of condition 4000: its square would leave no digit.
  const Tensor square = tensor({1.0, 1.0, 1.0, 1.001}, kFloat).reshape({2, 2}), right = tensor({1.0, 3.0}, kFloat);
  for (const auto& [a, b] : {std::pair{square, right.unsqueeze(1)},
                             std::pair{cat({square, zeros({1, 2})}), cat({right, zeros({1})}).unsqueeze(1)}}) {
    const Tensor exact = gradient(a.to(kDouble), b.to(kDouble)), got = gradient(a, b).to(kDouble);
    CHECK((got - exact).abs().max().item<double>() < 4000 * 1e-6 * exact.abs().max().item<double>());
  }
}

TEST_CASE("clamp shares its gradient with the bounds that an element equals") {
  const auto clamped = [](const auto& x) { return clamp(x[0], x[1], x[2]); };
  const auto g =
      gradients(clamped, {{1, 1, 1, 2, 0, 3, kNaN, 1, 2}, {1, 0, 1, 3, 1, 1, 1, kNaN, 3}, {2, 1, 1, 3, 1, 2, 2, 2, 1}});
  check_equal(g[0], {0.5, 0.5, 1, 0, 0, 0, 1, 1, 0});
  check_equal(g[1], {0.5, 0, 0, 1, 1, 0, 0, 0, 0});
  check_equal(g[2], {0, 0.5, 0, 0, 0, 1, 0, 0, 1});
  const auto low = gradients([](const auto& x) { return clamp(x[0], x[1], {}); }, {{1, 0, 2}, {1, 1, 1}});
  check_equal(low[0], {0.5, 0, 1});
  check_equal(low[1], {0.5, 1, 0});
  const auto by_numbers = gradients([](const auto& x) { return clamp(x[0], 0, 1); }, {{0, 1, 0.5, -1, 2}});
  check_equal(by_numbers[0], {0, 0, 1, 0, 0});
}

TEST_CASE("alpha has the dtype of the result") {
  CHECK(values(add(doubles({1, 2}), tensor(3), 0.1)) == Values{1 + 3 * 0.1, 2 + 3 * 0.1});
  CHECK(values(doubles({1, 2}).sub_(tensor(3), 0.1)) == Values{1 - 3 * 0.1, 2 - 3 * 0.1});
  CHECK(xlogy(doubles({1}), tensor({2})).item<double>() == std::log(2.0));
}

TEST_CASE("pad that goes round crops first") {
  const Tensor x = arange(4.0).view({1, 4});
  CHECK(values(pad(x, {1, -1}, "circular")) == Values{2, 0, 1, 2});
  CHECK(values(pad(x, {-1, 2}, "circular")) == Values{1, 2, 3, 1, 2});
  CHECK(values(pad(x, {2, -1}, "circular")) == Values{1, 2, 0, 1, 2});
  CHECK(values(pad(x, {-3, 3}, "circular")) == Values{3, 3, 3, 3});
  CHECK_THROWS_WITH(pad(x, {-4, 1}, "circular"), ContainsSubstring("nothing to go round"));
}

TEST_CASE("powers that fall are those that rise, and scans of tensors of any strides those of their copies") {
  const Tensor x = rand({11}, kDouble).add(0.5), rising = vander(x, 19, true);
  CHECK(vander(x, 19).equal(rising.flip({1})));
  CHECK(rising.select(1, 3).equal(x.mul(x).mul(x)));
  const Tensor leaf = rand({11}, kDouble).add(0.5).requires_grad_(), weight = rand({11, 4}, kDouble);
  vander(leaf, 4).mul(weight).sum().backward();
  const Tensor slope = weight.select(1, 0) * 3 * leaf * leaf + weight.select(1, 1) * 2 * leaf + weight.select(1, 2);
  CHECK(allclose(leaf.grad(), slope));
  const Tensor turned = rand({23, 7, 5}).permute({2, 0, 1}).narrow(2, 1, 5);
  for (const int64_t dim : {0, 1, 2}) {
    CHECK(cumsum(turned, dim).equal(cumsum(turned.contiguous(), dim)));
    CHECK(cumprod(turned, dim).equal(cumprod(turned.contiguous(), dim)));
  }
}

TEST_CASE("vander keeps complex numbers, squeeze of no dims squeezes none") {
  const Tensor z = tensor({Complex<float>(1, 2), Complex<float>(3, -1)});
  CHECK(linalg::vander(z).select(1, 1).equal(z));
  CHECK(squeeze(ones({1, 2, 1}), IntArrayRef()).dim() == 3);
  CHECK(squeeze(ones({1, 2, 1})).dim() == 1);
  CHECK_THROWS_AS(squeeze(tensor(1.0), 1), IndexError);
}

TEST_CASE("indexing takes a 0-dim tensor for one of a single element") {
  const Tensor x = tensor(3.0), pair = tensor({3.0, 4.0}), first = tensor(0);
  CHECK(values(gather(x, 0, tensor({0, 0}))) == Values{3, 3});
  CHECK(gather(pair, 0, tensor(1)).equal(tensor(4.0)));
  CHECK(values(scatter(pair, 0, tensor(1), tensor(5.0))) == Values{3, 5});
  CHECK(scatter(x, 0, tensor({0}), tensor({5.0})).equal(tensor(5.0)));
  CHECK(x.clone().scatter_(0, first, tensor(5.0)).equal(tensor(5.0)));
  CHECK(scatter_add(x, 0, first, tensor(5.0)).equal(tensor(8.0)));
  CHECK(index_add(x, 0, first, tensor(5.0)).equal(tensor(8.0)));
  CHECK(values(index_copy(pair, 0, tensor(1), tensor(5.0))) == Values{3, 5});
  CHECK(index_copy(x, 0, tensor({0}), tensor({5.0})).equal(tensor(5.0)));
  CHECK(x.clone().index_fill_(0, first, 5).equal(tensor(5.0)));
  CHECK_THROWS_WITH(index_add(pair, 0, tensor(1), tensor(5.0)), ContainsSubstring("source has shape ()"));
  CHECK_THROWS_WITH(index_add(x, 0, tensor({0}), tensor({5.0})), ContainsSubstring("expected ()"));
  CHECK(prelu(tensor(-3.0), tensor({0.5})).equal(tensor(-1.5)));
  CHECK(x.unfold(0, 1, 1).sizes() == IntArrayRef({1}));
  CHECK(x.unfold(0, 0, 1).sizes() == IntArrayRef({0}));
}

TEST_CASE("reductions over the dim of a 0-dim tensor have gradients, and refuse it twice") {
  const std::function<Tensor(const Tensor&)> reductions[] = {
      [](const Tensor& t) { return t.sum(0); },          [](const Tensor& t) { return t.mean(-1); },
      [](const Tensor& t) { return prod(t, 0); },        [](const Tensor& t) { return amax(t, 0); },
      [](const Tensor& t) { return logsumexp(t, 0); },   [](const Tensor& t) { return norm(t, 2, 0); },
      [](const Tensor& t) { return cumsum(t, 0); },      [](const Tensor& t) { return std::get<0>(max(t, 0)); },
      [](const Tensor& t) { return t.unfold(0, 1, 1); }, [](const Tensor& t) { return gather(t, 0, tensor(0)); }};
  for (const auto& f : reductions) {
    Tensor x = tensor(3.0).requires_grad_();
    f(x).sum().backward();
    CHECK(x.grad().item<double>() == Approx(1));
  }
  CHECK_THROWS_WITH(sum(tensor(3.0), {0, -1}), ContainsSubstring("appears twice"));
  CHECK_THROWS_WITH(flip(tensor(3.0), {0, 0}), ContainsSubstring("appears twice"));
}

TEST_CASE("take_along_dim counts round, tensordot broadcasts a 1") {
  const Tensor x = tensor({1, 2, 3, 4}).view({2, 2});
  CHECK(values(take_along_dim(x, tensor({-1, 0}).view({2, 1}), 1)) == Values{2, 3});
  CHECK(values(take_along_dim(x, tensor({-3}).view({1, 1}), 1)) == Values{2, 4});
  CHECK_THROWS_AS(take_along_dim(x, tensor({1}), 0), Error);
  CHECK(values(tensordot(ones({2, 1}), arange(3.0).view({3, 1}), {1}, {0})) == Values{3, 3});
  CHECK(values(tensordot(ones({2, 1, 2}), ones({3, 2}), {1, 2}, {0, 1})) == Values{6, 6});
  CHECK_THROWS_WITH(tensordot(ones({2, 3}), ones({2, 3}), {1}, {0}), ContainsSubstring("differ in size"));
}

TEST_CASE("the gradient of absolute distances is NaN where they are") {
  const Tensor a = doubles({1, kNaN, 3}).view({1, 3}).requires_grad_(), b = doubles({2, 2, 2, 0, 0, 0}).view({2, 3});
  cdist(a, b, 1).backward(ones({1, 2}, kDouble));
  check_equal(values(a.grad()), {0, kNaN, 2});
  const Tensor same = doubles({1, 2, 3}).view({1, 3}).requires_grad_();
  cdist(same, same.detach().clone(), 1).backward(ones({1, 1}, kDouble));
  check_equal(values(same.grad()), {0, 0, 0});
}

TEST_CASE("powers, spaces and special functions of integers and infinities") {
  const Tensor minus = full({5}, -1);
  CHECK(values(pow(tensor({1, -1, 2, -2, 0}), minus)) == Values{1, -1, 0, 0, 0});
  CHECK(values(pow(2, tensor({-1, 1}))) == Values{0, 2});
  CHECK_THROWS_WITH(pow(tensor({2}), -1), ContainsSubstring("negative integer powers"));
  CHECK(values(linspace(0, 10, 5, kLong)) == Values{0, 2, 5, 7, 10});
  CHECK(values(linspace(0.9, 2.9, 5, kLong)) == Values{0, 0, 1, 1, 2});
  CHECK(values(logspace(0, 2, 5, 2.0, kInt)) == Values{1, 1, 2, 2, 4});
  CHECK(values(logspace(0, 3, 3, 10, kInt)) == Values{1, 31, 1000});
  CHECK(values(logspace(0.9, 3.2, 3, 2, kLong)) == Values{1, 2, 8});
  CHECK(values(logspace(1.9, 0, 1, 2, kLong)) == Values{3});
  for (int i = 0; i <= 15; ++i) CHECK(logspace(i, i, 2, 10, kLong)[1].item<double>() == std::round(std::pow(10.0, i)));
  CHECK_THROWS_WITH(linspace(0, 1, 3, kBool), ContainsSubstring("bool"));
  check_equal(values(polygamma(1, doubles({kInf, -kInf}))), {0, kNaN});
}

TEST_CASE("pooling and convolution of integers") {
  const Tensor x = arange(16).view({1, 1, 4, 4}), w = ones({1, 1, 2, 2}, kLong);
  CHECK(values(max_pool2d(x, 2)) == Values{5, 7, 13, 15});
  CHECK(max_pool2d(x.to(kByte), 2).dtype() == kByte);
  CHECK(values(avg_pool2d(x, 2)) == Values{2, 4, 10, 12});
  CHECK(values(avg_pool2d(-x, 3, {}, 1)) == Values{-1, -2, -4, -5});
  CHECK(values(avg_pool2d(x, 3, 2, 1, true, false)) == Values{2, 4, 5, 8, 10, 11, 12, 14, 15});
  CHECK_THROWS_WITH(max_pool2d(x.add(int64_t{1} << 60), 2), ContainsSubstring("beyond 2^53"));
  CHECK(values(conv2d(x, w)) == Values{10, 14, 18, 26, 30, 34, 42, 46, 50});
  CHECK(values(conv2d(x.to(kInt), w.to(kInt), tensor({1}, kInt))) == Values{11, 15, 19, 27, 31, 35, 43, 47, 51});
  CHECK_THROWS_AS(conv2d(x, w.to(kFloat)), Error);
  // Every option against the same in float64.
  const Tensor y = random_tensor({2, 4, 7, 8}, kDouble, 1, -9, 9).round(),
               v = random_tensor({6, 2, 3, 2}, kDouble, 2, -9, 9).round();
  const Tensor bias = random_tensor({6}, kDouble, 3, -9, 9).round(),
               turned = random_tensor({4, 3, 3, 2}, kDouble, 4, -9, 9).round();
  const auto same = [](const std::function<Tensor(DType)>& f) { return values(f(kLong)) == values(f(kDouble)); };
  CHECK(same([&](DType t) { return conv2d(y.to(t), v.to(t), bias.to(t), {2, 3}, {2, 1}, {1, 2}, 2); }));
  CHECK(same([&](DType t) { return conv2d(y.to(t), v.to(t), {}, 4, 0, 1, 2); }));
  CHECK(same([&](DType t) {
    return conv_transpose2d(y.to(t), turned.to(t), bias.to(t), {2, 3}, {1, 2}, 1, 2, {1, 2});
  }));
}

TEST_CASE("what PyTorch refuses is refused") {
  const Tensor mask = tensor({true, false}), x = tensor(1.0);
  for (const std::function<Tensor()>& f :
       std::vector<std::function<Tensor()>>{[&] { return 1 - mask; }, [&] { return mask - 1; },
                                            [&] {
                                              return tensor({1, 2}) - mask;
                                            },
                                            [&] { return rsub(mask, 1); },
                                            [&] {
                                              return tensor({1, 2}).sub_(mask);
                                            }})
    CHECK_THROWS_WITH(f(), ContainsSubstring("not implemented for bool"));
  CHECK_THROWS_WITH(isclose(tensor({1.0}), tensor({1.0}), -1), ContainsSubstring("must not be negative"));
  CHECK_THROWS_WITH(isclose(tensor({1.0}), tensor({1.0}), 0, kNaN), ContainsSubstring("must not be negative"));
  CHECK_THROWS_WITH(linalg::cross(ones({2, 3}), ones({2, 1})), ContainsSubstring("vectors of 3"));
  CHECK(linalg::cross(ones({2, 3}), ones({1, 3})).sizes() == IntArrayRef({2, 3}));
  CHECK_THROWS_WITH(flipud(x), ContainsSubstring("at least 1 dim"));
  CHECK_THROWS_WITH(fliplr(tensor({1.0})), ContainsSubstring("at least 2 dims"));
  CHECK_THROWS_AS(roll(x, 1, 0), IndexError);
  CHECK(roll(x, 1).equal(x));
  CHECK_THROWS_WITH(conv2d(ones({1, 2, 3, 3}), ones({0, 2, 1, 1})), ContainsSubstring("no output channels"));
  CHECK_THROWS_WITH(conv_transpose2d(ones({1, 2, 3, 3}), ones({2, 0, 1, 1})), ContainsSubstring("no output channels"));
  const Scalar imaginary = Complex<double>(1, 2);
  CHECK_THROWS_WITH(tensor({1, 2}).masked_fill(mask, imaginary),
                    ContainsSubstring("cannot stand in a tensor of int64; fill with its real(), or"));
  CHECK_THROWS_WITH(tensor({1, 2}).masked_fill_(mask, imaginary), ContainsSubstring("cannot stand"));
  CHECK_THROWS_WITH(tensor({1.0, 2.0}).masked_fill(mask, tensor(Complex<float>(1, 2))),
                    ContainsSubstring("cannot stand"));
}

TEST_CASE("index_add of every dtype takes alpha in it; any and all of uint8 are uint8") {
  const Tensor both = tensor({0, 0});
  for (const DType t : {kByte, kChar, kShort, kInt, kLong}) {
    CHECK(values(index_add(ones({2}, t), 0, both, tensor({1, 2}, t), 2)) == Values{7, 1});
    CHECK(values(index_add(ones({2}, t), 0, both, tensor({1, 2}, t), 0.5)) == Values{1, 1});
  }
  CHECK(values(index_add(zeros({2}, kBool), 0, both, ones({2}, kBool), 2)) == Values{1, 0});
  CHECK(values(index_add(ones({2}), 0, both, tensor({1.0, 2.0}), 0.5)) == Values{2.5, 1});
  CHECK(any(tensor({1, 0}, kByte)).dtype() == kByte);
  CHECK(all(tensor({1, 0}, kByte), 0).dtype() == kByte);
  CHECK(any(tensor({1, 0}, kChar)).dtype() == kBool);
}

TEST_CASE("an index error names the tensor's dim") {
  const Tensor x = arange(6.0).view({2, 3});
  CHECK_THROWS_WITH(x.index({0, 5}), ContainsSubstring("dimension 1 with size 3"));
  CHECK_THROWS_WITH(x.view({1, 2, 3}).index({0, 0, 5}), ContainsSubstring("dimension 2 with size 3"));
  CHECK_THROWS_WITH(x.index({tensor({0}), tensor({5})}), ContainsSubstring("dimension 1 with size 3"));
}

TEST_CASE("masks of uint8 warn") {
  struct Listener : WarningHandler {
    void process(const Warning& warning) override { heard.push_back(warning.msg()); }
    std::vector<std::string> heard;
  } listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  const Tensor x = tensor({1.0, 2.0}), mask = tensor({1, 0}, kByte);
  CHECK(values(x.index({mask})) == Values{1});
  REQUIRE(listener.heard.size() == 1);
  CHECK_THAT(listener.heard[0], ContainsSubstring("uint8"));
  x.index({mask.to(kBool)});
  CHECK(listener.heard.size() == 1);
}

TEST_CASE("masked_fill of real tensors takes complex numbers without an imaginary part") {
  const Tensor mask = tensor({true, false});
  const Complex<double> value(1.5, 0);
  const Tensor held = tensor(value);
  for (const DType t : {kByte, kInt, kLong, kHalf, kFloat, kDouble}) {
    INFO(t);
    const Values expected = {is_integral(t) ? 1 : 1.5, 0};
    const Tensor x = zeros({2}, t);
    for (const Tensor& y : {x.masked_fill(mask, Scalar(value)), x.clone().masked_fill_(mask, Scalar(value)),
                            x.masked_fill(mask, held), x.clone().masked_fill_(mask, held)}) {
      CHECK(y.dtype() == t);
      CHECK(values(y) == expected);
    }
    CHECK_THROWS_WITH(x.masked_fill(mask, tensor(Complex<double>(1, 2))), ContainsSubstring("cannot stand"));
  }
  CHECK(values(zeros({2}, kBool).masked_fill_(mask, tensor(Complex<double>(0, 2)))) == Values{1, 0});
}

TEST_CASE("functions along a dim give PyTorch's sizes and dtypes") {
  const Tensor x = tensor({1, 1, 2}, kLong).unsqueeze(1);
  const auto [runs, places, counts] = unique_consecutive(x, false, false, 0);
  CHECK(values(places) == Values{0, 0, 1});
  CHECK(values(counts) == Values{2, 1});
  const auto [rows, row_places, row_counts] = unique_dim(tensor({2, 1, 1}, kLong), 0);
  CHECK(values(row_places) == Values{1, 0, 0});
  CHECK(values(row_counts) == Values{2, 1});
  CHECK(ldexp(ones({2}, kBFloat16), ones({2}, kLong)).dtype() == kBFloat16);
  CHECK(ldexp(ones({}, kDouble), ones({2}, kInt)).dtype() == kDouble);
  CHECK(ldexp(ones({2}, kLong), ones({2}, kLong)).dtype() == kFloat);
  CHECK(block_diag({ones({}, kDouble), ones({2}, kFloat)}).dtype() == kFloat);
  CHECK(block_diag({ones({}, kDouble), ones({2}, kLong)}).dtype() == kDouble);
}

TEST_CASE("copies of views, whole turns and norms that are held are row-major") {
  const Tensor x = ones({4, 3}).t();
  CHECK(rot90(x, 4).is_contiguous());
  CHECK(renorm(x, 2, 0, 1).is_contiguous());
  CHECK(narrow_copy(x, 1, 0, 4).is_contiguous());
  CHECK(roll(x, {4}, {1}).is_contiguous());
  CHECK(repeat(x, {1, 1}).is_contiguous());
  CHECK(pow(2, x).is_contiguous());
  CHECK(flip(x, {0}).strides() == x.strides());
}

TEST_CASE("complex numbers at one place are multiplied, and have gradients") {
  using C = Complex<double>;
  const auto make = [] {
    return std::pair(tensor({C(1, 1), C(2, 0), C(0, 0), C(0, 3)}).requires_grad_(),
                     tensor({C(0, 1), C(2, 0), C(3, 0), C(1, -1), C(0, 2), C(0, 0)}).requires_grad_());
  };
  const Tensor index = tensor({0, 0, 1, 0, 3, 3}, kLong), weights = tensor({C(1, 2), C(0, 1), C(1, 0), C(2, -1)});
  for (const bool self : {true, false}) {
    auto [x, s] = make();
    auto [a, b] = make();
    const auto at = [&b = b](int64_t i) { return b.select(0, i); };
    const Tensor one = tensor({C(1, 0), C(1, 0), C(0, 0), C(1, 0)}), from = self ? a : one;
    const Tensor expected = stack({from[0] * at(0) * at(1) * at(3), from[1] * at(2), a[2], from[3] * at(4) * at(5)});
    const Tensor y = scatter_reduce(x, 0, index, s, "prod", self);
    CHECK(y.equal(expected));
    y.backward(weights), expected.backward(weights);
    CHECK(x.grad().equal(self ? a.grad() : zeros_like(a).index_put_({tensor({2}, kLong)}, weights[2])));
    CHECK(s.grad().equal(b.grad()));
  }
  const Tensor z = tensor({C(1, 2), C(0, 1), C(3, 0), C(kInf, 0)}).reshape({2, 2});
  const Tensor places = tensor({1, 0}, kLong).reshape({1, 2});
  CHECK(z.scatter(0, places, z, "multiply").equal(tensor({C(1, 2), C(-1, 0), C(3, 6), C(kInf, 0)}).reshape({2, 2})));
  CHECK(index_reduce(z.narrow(1, 0, 1), 0, tensor({1, 1}, kLong), z.narrow(1, 0, 1), "prod")
            .equal(tensor({C(1, 2), C(9, 18)}).reshape({2, 1})));
  const Tensor rows = z.scatter(1, places.t(), z, "multiply");
  CHECK((rows.is_contiguous() && !rows.is_view() && rows.storage().nbytes() == rows.nbytes()));
  CHECK_THROWS_AS(scatter_reduce(z, 0, places + 1, z, "prod"), Error);
  CHECK_THROWS_WITH(scatter_reduce(z, 0, places, z, "amax"), ContainsSubstring("have no order"));
}

TEST_CASE("what PyTorch refuses or tracks at edges") {
  CHECK_THROWS_WITH(avg_pool3d(ones({1, 2, 4, 2}), {3, 2, 3}, {1}, {1}), ContainsSubstring("smaller than kernel size"));
  CHECK_THROWS_WITH(linalg::vander(ones({1})), ContainsSubstring("N must be greater than 1"));
  CHECK(vander(ones({1})).sizes() == IntArrayRef({1, 1}));
  CHECK(pdist(ones({1, 3}, kDouble).requires_grad_()).requires_grad());
  const Tensor z = tensor({Complex<double>(1, 2), Complex<double>(0, 1)});
  CHECK(scatter_reduce(z, 0, tensor({0, 0}, kLong), z, "sum")
            .equal(tensor({Complex<double>(2, 5), Complex<double>(0, 1)})));
  CHECK(scatter_reduce(z, 0, tensor({0, 0}, kLong), z, "mean", false)
            .equal(tensor({Complex<double>(0.5, 1.5), Complex<double>(0, 1)})));
  const Tensor nan = tensor({1.0, kNaN, 3.0, 1.0, 2.0, 4.0}, kDouble).reshape({2, 3});
  check_equal(values(cdist(nan, nan, 0)), {kNaN, kNaN, kNaN, 0});
  check_equal(values(pdist(nan, 0)), {kNaN});
  // 15 times the float32 next to 0.6 is more than 9, though not in float32.
  CHECK(quantile(arange(16, kFloat), 0.6, std::nullopt, false, "higher").item<float>() == 10);
  CHECK(nanquantile(arange(16, kFloat), 0.6, std::nullopt, false, "higher").item<float>() == 10);
  CHECK(sgn(complex(ones({3, 2}).t(), zeros({3, 2}).t())).strides() == IntArrayRef({1, 2}));
  const Tensor columns = tensor({1, 2, 3, 4}, kLong).reshape({2, 2}).t();
  CHECK(isin(columns, tensor({2, 3}, kLong)).strides() == IntArrayRef({2, 1}));
  for (const char* reduction : {"sum", "prod", "mean", "amax", "amin"}) {
    const Tensor source = zeros({0}, kDouble).requires_grad_(), x = doubles({1, 2});
    const Tensor y = scatter_reduce(x, 0, zeros({0}, kLong), source, reduction, false);
    CHECK(y.requires_grad());
    CHECK(y.equal(x));
    y.sum().backward();
    CHECK(source.grad().sizes() == IntArrayRef({0}));
  }
}

TEST_CASE("elements that are equal to a median share its gradient") {
  const auto shares = [](Tensor (*f)(const Tensor&), const Values& x) {
    const Tensor leaf = tensor(x, kDouble).requires_grad_();
    f(leaf).backward(tensor(6.0, kDouble));
    return values(leaf.grad());
  };
  const auto median_of = [&](const Values& x) { return shares(strata::median, x); };
  const auto nanmedian_of = [&](const Values& x) { return shares(strata::nanmedian, x); };
  CHECK(median_of({1, 2, 2, 3}) == Values{0, 3, 3, 0});
  CHECK(median_of({2, kNaN, 2, kNaN}) == Values{0, 3, 0, 3});
  CHECK(nanmedian_of({2, kNaN, 2, 2}) == Values{2, 0, 2, 2});
  CHECK(nanmedian_of({kNaN, kNaN}) == Values{3, 3});
  const Tensor tangent = tensor({1.0, 2.0, 4.0, 8.0}, kDouble), x = tensor({1.0, 2.0, 2.0, 3.0}, kDouble);
  CHECK(func::jvp([](const Tensor& v) { return median(v); }, x, tangent).second.item<double>() == 3);
  const Tensor none = zeros({0, 3}, kDouble).requires_grad_();
  CHECK(median(none).requires_grad());
  pdist(none).sum().backward();  // of no points; PyTorch's backward ends the process
  CHECK(none.grad().sizes() == IntArrayRef({0, 3}));
}

TEST_CASE("distances of order 0 have no slope, whatever comes from behind") {
  for (const auto& distances : std::vector<std::function<Tensor(const Tensor&)>>{
           [](const Tensor& x) {
             return cdist(x, ones({1, 3}, kDouble), 0);
           },
           [](const Tensor& x) { return cdist(x, x, 0); }, [](const Tensor& x) { return pdist(x, 0); }}) {
    const Tensor x = arange(6, kDouble).reshape({2, 3}).requires_grad_(), y = x * 2;
    (distances(y) * kNaN).sum().backward();
    check_equal(values(x.grad()), {0, 0, 0, 0, 0, 0});
  }
}

TEST_CASE("the gradient of a divisor stays 0 beside an infinite reciprocal") {
  const Tensor b = tensor({1e-310}, kDouble).requires_grad_();
  (zeros({1}, kDouble) / b).sum().backward();
  CHECK(values(b.grad()) == Values{0});
}

TEST_CASE("determinants and solutions come with their factors") {
  const Tensor A = tensor({{2.0, 1.0}, {4.0, 3.0}}, kDouble), B = tensor({{1.0}, {2.0}}, kDouble);
  const auto [result, lu, pivots] = _linalg_det(A);
  CHECK(values(result) == Values{2});
  CHECK(values(lu) == Values{2, 4, 0.5, 1});
  CHECK(values(pivots) == Values{1, 2});
  const auto [sign, logabsdet, slu, spivots] = _linalg_slogdet(A);
  CHECK(values(sign) == Values{1});
  CHECK(logabsdet.item<double>() == Approx(0.6931471805599453));
  CHECK(values(slu) == Values{2, 4, 0.5, 1});
  CHECK(values(spivots) == Values{1, 2});
  const auto [x, xlu, xpivots, info] = _linalg_solve_ex(A, B);
  CHECK(values(x) == Values{0.5, 0});
  CHECK(values(xlu) == Values{4, 3, 0.5, -0.5});
  CHECK(values(xpivots) == Values{2, 2});
  CHECK(values(info) == Values{0});
}
