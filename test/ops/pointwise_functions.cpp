// Tests of the composite element-wise functions against PyTorch's values, at edges, and of their derivatives.
#include "ops/pointwise_functions.h"
#include <torch/torch.h>

#include <cmath>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/check_values.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;
using strata::autograd::grad;

namespace {

const std::vector<double> kEdges = {-kInf, -1.5, -0.0, 0.0, 0.5, 2.0, kInf, kNaN};

}  // namespace

TEST_CASE("pointwise functions at edges give PyTorch's values") {
  const Tensor x = doubles(kEdges);
  check_values(signbit(x), {1, 1, 1, 0, 0, 0, 0, 0});
  check_values(copysign(x, doubles({-0.0})), {-kInf, -1.5, -0.0, -0.0, -0.5, -2, -kInf, kNaN});
  check_values(copysign(x, -0.0), {-kInf, -1.5, -0.0, -0.0, -0.5, -2, -kInf, kNaN});
  check_values(copysign(x, 3), {kInf, 1.5, 0, 0, 0.5, 2, kInf, kNaN});
  check_values(heaviside(x, doubles({0.25})), {0, 0, 0.25, 0.25, 1, 1, 1, 0});
  check_values(sinc(doubles({-kInf, -1.5, -0.0, 0.0, 0.5, kNaN})),
               {kNaN, -0.212206590789193794, 1, 1, 0.636619772367581382, kNaN});
  check_values(logaddexp2(x, doubles({1})), {1, 1.23484058107920180, 1.58496250072115608, 1.58496250072115608,
                                             1.77155330316361215, 2.58496250072115608, kInf, kNaN});
  check_values(logaddexp2(x, x), {-kInf, -0.5, 1, 1, 1.5, 3, kInf, kNaN});
  check_values(isposinf(x), {0, 0, 0, 0, 0, 0, 1, 0});
  check_values(isneginf(x), {1, 0, 0, 0, 0, 0, 0, 0});
  check_values(mvlgamma(doubles({2.5, 4}), 3), {1.88099546161177433, 5.40297508090917500});
  check_values(ldexp(doubles({1.5, -3}), tensor(std::vector<int64_t>{3, -2})), {12, -0.75});
}

TEST_CASE("pointwise functions take PyTorch's dtypes") {
  const Tensor n = tensor(std::vector<int64_t>{-2, 0, 3});
  CHECK(signbit(n).dtype() == kBool);
  check_values(signbit(n), {1, 0, 0});
  CHECK(copysign(n, n).dtype() == kFloat);
  CHECK(heaviside(n, n).dtype() == kLong);
  check_values(heaviside(n, tensor(std::vector<int64_t>{7})), {0, 7, 1});
  CHECK(sinc(n).dtype() == kFloat);
  CHECK(float_power(n, 2).dtype() == kDouble);
  check_values(float_power(n, 2), {4, 0, 9});
  check_values(float_power(2, n), {0.25, 1, 8});
  CHECK(ldexp(n, n).dtype() == kFloat);
  CHECK(mvlgamma(n + 4, 2).dtype() == kFloat);
  check_values(isposinf(n), {0, 0, 0});
  check_values(__lshift__(n, 2), {-8, 0, 12});
  check_values(__and__(n, 3), {2, 0, 3});
}

TEST_CASE("pointwise functions refuse what PyTorch refuses") {
  const Tensor n = tensor(std::vector<int64_t>{1, 2}), x = doubles({1, 2}), z = x.to(kComplexDouble);
  CHECK_THROWS_WITH(positive(n > 0), ContainsSubstring("positive: not implemented for bool"));
  CHECK_THROWS_WITH(signbit(z), ContainsSubstring("signbit: not implemented for complex"));
  CHECK_THROWS_WITH(heaviside(x, n), ContainsSubstring("must have one dtype"));
  CHECK_THROWS_WITH(logaddexp2(n, n), ContainsSubstring("expected floating point tensors"));
  CHECK_THROWS_WITH(mvlgamma(x, 0), ContainsSubstring("p must be in"));
  CHECK_THROWS_WITH(isposinf(z), ContainsSubstring("isposinf"));
}

TEST_CASE("pointwise functions differentiate twice") {
  const Tensor x = doubles({-1, 0, 0.3}).requires_grad_();
  Tensor first = grad({sinc(x).sum()}, {x}, {}, true, true)[0];
  check_values(first.detach(), {1, 0, -0.9020281301388888});
  const auto slope = [](double a) {
    const double p = M_PI * a;
    return std::cos(p) / a - std::sin(p) / (p * a);
  };
  const Tensor second = grad({first.sum()}, {x})[0];
  CHECK(values(second)[2] == Approx((slope(0.30001) - slope(0.29999)) / 2e-5).epsilon(1e-6));

  const Tensor a = doubles({1, -2, 0.5}).requires_grad_(), b = doubles({1, 3, -kInf}).requires_grad_();
  const std::vector<Tensor> both = grad({logaddexp2(a, b).sum()}, {a, b});
  check_values(both[0], {0.5, 1.0 / 33, 1});
  check_values(both[1], {0.5, 32.0 / 33, 0});

  check_values(grad({copysign(x, -1).sum()}, {x})[0], {1, 0, -1});
}

TEST_CASE("the slopes of sinc at 0, beside it and where cosines are 0") {
  // Of infinite gradients PyTorch's: what is 0 or not as a whole is, and no infinity is taken from another.
  const Tensor x = doubles({0.5, -0.5, 0, 1e-3}).requires_grad_();
  check_values(grad({sinc(x)}, {x}, {doubles({kInf, kInf, kInf, -kInf})})[0], {-kInf, kInf, 0, kInf});
  // By mpmath, where a difference of cosine and sinc would have few digits or none.
  const Tensor y = doubles({0, 1e-9, 1e-4, 0.06, 0.064}).requires_grad_();
  const Tensor first = grad({sinc(y).sum()}, {y}, {}, true, true)[0];
  const Tensor second = grad({first.sum()}, {y}, {}, true, true)[0];
  const Tensor third = grad({second.sum()}, {y})[0];
  check_values(first.detach(),
               {0, -3.2898681336964531e-9, -0.00032898681012267561, -0.19669163195271142, -0.20970161492093535});
  check_values(second.detach(), {-3.2898681336964529, -3.2898681336964529, -3.2898680362873624, -3.2548749569514601,
                                 -3.2500652779804868});
  check_values(third, {0, 1.9481818206800489e-8, 0.00194818179778983, 1.163971632142472, 1.2408452578164595}, 1e-10);
}

TEST_CASE("out forms and in-place forms of pointwise functions") {
  const Tensor x = doubles({0.5, 2.5});
  Tensor out = empty({0}, TensorOptions(kDouble));
  CHECK(sinc_out(out, x).is_same(out));
  CHECK(same_bits(out, sinc(x)));
  Tensor narrow = empty({2}, TensorOptions(kLong));
  CHECK_THROWS_WITH(sinc_out(narrow, x), ContainsSubstring("sinc_out: the result is float64, out is int64"));
  Tensor y = x.clone();
  CHECK(sinc_(y).is_same(y));
  CHECK(same_bits(y, sinc(x)));
  Tensor scaled = x.clone();
  ldexp_(scaled, tensor(std::vector<int64_t>{1, 2}));
  check_values(scaled, {1, 10});
}
