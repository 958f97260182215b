// Tests of the functions of one operand: special values, integers, in place, second derivatives at edges.
#include "ops/unary.h"

#include <cmath>

#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/ternary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

double value_at(Tensor (*f)(const Tensor&), double x, DType t = kFloat) { return f(full({1}, x, t)).item<double>(); }

bool same_double(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("limits of the exponential family") {
  for (DType t : {kFloat, kDouble}) {
    CHECK(value_at(exp, kInf, t) == kInf);
    CHECK(value_at(exp, -kInf, t) == 0);
    CHECK(value_at(exp, 1000, t) == kInf);
    CHECK(value_at(exp, 0, t) == 1);
    CHECK(std::isnan(value_at(exp, kNaN, t)));
    CHECK(value_at(expm1, -kInf, t) == -1);
    CHECK(same_double(value_at(expm1, -0.0, t), -0.0));
    CHECK(value_at(log, 0, t) == -kInf);
    CHECK(value_at(log, 1, t) == 0);
    CHECK(std::isnan(value_at(log, -1, t)));
    CHECK(value_at(log, kInf, t) == kInf);
    CHECK(value_at(log1p, -1, t) == -kInf);
    CHECK(value_at(log2, 1024, t) == 10);
    CHECK(value_at(log10, 1000, t) == Approx(3).epsilon(1e-7));
    CHECK(value_at(sigmoid, -kInf, t) == 0);
    CHECK(value_at(sigmoid, kInf, t) == 1);
    CHECK(value_at(tanh, kInf, t) == 1);
    CHECK(same_double(value_at(tanh, -0.0, t), -0.0));
    CHECK(std::isnan(value_at(tanh, kNaN, t)));
    CHECK(value_at(sinh, -kInf, t) == -kInf);
    CHECK(value_at(cosh, kInf, t) == kInf);
    CHECK(value_at(atanh, 1, t) == kInf);
    CHECK(std::isnan(value_at(acosh, 0.5, t)));
  }
}

TEST_CASE("limits of the others") {
  CHECK(same_double(value_at(sqrt, -0.0), -0.0));
  CHECK(std::isnan(value_at(sqrt, -1)));
  CHECK(value_at(rsqrt, 0) == kInf);
  CHECK(value_at(rsqrt, kInf) == 0);
  CHECK(value_at(reciprocal, -0.0) == -kInf);
  CHECK(std::isnan(value_at(sin, kInf)));
  CHECK(same_double(value_at(sin, -0.0), -0.0));
  CHECK(value_at(sin, 1e10, kDouble) == Approx(std::sin(1e10)));
  CHECK(value_at(erf, kInf) == 1);
  CHECK(value_at(erfc, 10, kDouble) == Approx(std::erfc(10.0)));
  CHECK(value_at(erfinv, 1) == kInf);
  CHECK(std::isnan(value_at(erfinv, 2)));
  CHECK(value_at(lgamma, 0) == kInf);
  CHECK(value_at(digamma, 0) == -kInf);
  CHECK(std::isnan(value_at(digamma, -1)));
  CHECK(value_at(digamma, 1, kDouble) == Approx(-0.57721566490153286));
  CHECK(polygamma(1, full({1}, 1, kDouble)).item<double>() == Approx(1.6449340668482264));
  // Between the poles, however far to the left; values by the recurrence in steps of one.
  CHECK(polygamma(1, full({1}, -19.5, kDouble)).item<double>() == Approx(9.819614808659368));
  CHECK(polygamma(1, full({1}, -20.5, kDouble)).item<double>() == Approx(9.82199434464985));
  CHECK(polygamma(2, full({1}, -20.3, kDouble)).item<double>() == Approx(68.83523365783734));
  CHECK(polygamma(2, full({1}, -25.7, kDouble)).item<double>() == Approx(-68.83899997598655));
  CHECK(polygamma(1, full({1}, -1e9 - 0.5, kDouble)).item<double>() == Approx(9.869604401));
  CHECK(polygamma(2, full({1}, 0.5, kDouble)).item<double>() == Approx(-16.8287966442343199));
  CHECK(std::isnan(value_at(relu, kNaN)));
  CHECK(value_at(relu, -1) == 0);
  CHECK(value_at(sign, kNaN) == 0);
  CHECK(value_at(round, 2.5) == 2);
  CHECK(value_at(round, -0.5) == 0);
  CHECK(value_at(frac, -1.5) == -0.5);
}

TEST_CASE("tests of numbers") {
  const Tensor x = doubles({kNaN, kInf, -kInf, 0, 1});
  CHECK(values(isnan(x)) == Values{1, 0, 0, 0, 0});
  CHECK(values(isinf(x)) == Values{0, 1, 1, 0, 0});
  CHECK(values(isfinite(x)) == Values{0, 0, 0, 1, 1});
  CHECK(values(isnan(x.to(kHalf))) == Values{1, 0, 0, 0, 0});
  CHECK(values(isfinite(longs({1, 2}))) == Values{1, 1});
  CHECK(values(nan_to_num(x, 7, 8, 9)) == Values{7, 8, 9, 0, 1});
  CHECK(nan_to_num(doubles({kInf}).to(kHalf)).item<float>() == 65504);
  const Tensor y = doubles({kNaN, 1}).requires_grad_();
  nan_to_num(y).backward(doubles({2, 3}));
  CHECK(values(y.grad()) == Values{0, 3});
  const Tensor z = doubles({kNaN, 1}).requires_grad_();
  nan_to_num(z).backward(doubles({kInf, kInf}));  // times a slope of 0, which is no number
  CHECK(std::isnan(z.grad()[0].item<double>()));
  CHECK(z.grad()[1].item<double>() == kInf);
}

TEST_CASE("integers") {
  CHECK(exp(longs({0, 1})).dtype() == kFloat);
  CHECK(sqrt(longs({4})).item<float>() == 2);
  CHECK(sin(longs({0}).to(kBool)).dtype() == kFloat);
  CHECK(values(abs(longs({-3, 3}))) == Values{3, 3});
  CHECK(values(sign(longs({-3, 0, 3}))) == Values{-1, 0, 1});
  CHECK(values(square(longs({-3}))) == Values{9});
  CHECK(values(relu(longs({-3, 3}))) == Values{0, 3});
  CHECK(values(floor(longs({-3, 3}))) == Values{-3, 3});
  CHECK(values(neg(full({2}, 1, kByte))) == Values{255, 255});
  CHECK(square(longs({1}).to(kBool)).dtype() == kLong);
  CHECK_THROWS_WITH(neg(longs({1}).to(kBool)), ContainsSubstring("logical_not"));
  CHECK_THROWS_WITH(frac(longs({1})), ContainsSubstring("frac: not implemented for int64"));
  Tensor n = longs({1});
  CHECK_THROWS_WITH(n.exp_(), ContainsSubstring("exp_") && ContainsSubstring("int64"));
}

TEST_CASE("in place") {
  Tensor x = doubles({1, 4, 9});
  const void* data = x.bytes();
  x.sqrt_().neg_();
  CHECK(values(x) == Values{-1, -2, -3});
  CHECK(x.bytes() == data);
  CHECK(x._version() == 2);
}

TEST_CASE("out receives the result of a unary function") {
  Tensor out = full({3}, kNaN, kDouble);
  CHECK(&sqrt_out(out, doubles({1, 4, 9})) == &out);
  CHECK(values(out) == Values{1, 2, 3});
  exp_out(out, longs({0, 0, 0}));
  CHECK(values(out) == Values{1, 1, 1});
  Tensor integers = longs({0});
  CHECK_THROWS_WITH(exp_out(integers, doubles({1})), ContainsSubstring("int64"));
  Tensor self = doubles({1, 4, 9});
  CHECK(values(sqrt_out(self, self.slice(0, 1))) == Values{2, 3});  // read before it is resized
}

TEST_CASE("rounding to decimals") {
  CHECK(round(doubles({1.2345}), 2).item<double>() == Approx(1.23));
  CHECK(round(doubles({1234.5}), -2).item<double>() == 1200);
}

TEST_CASE("halves are computed in float") {
  const Tensor x = random_tensor({1000}, kFloat, 5, -3, 3);
  for (DType t : {kHalf, kBFloat16}) {
    const Tensor h = x.to(t);
    CHECK(same_bits(exp(h), exp(h.to(kFloat)).to(t)));
    CHECK(same_bits(tanh(h), tanh(h.to(kFloat)).to(t)));
  }
}

TEST_CASE("gradient of relu is zero at and below zero and passes NaN") {
  const Tensor x = doubles({-1, 0, 2, kNaN}).requires_grad_();
  relu(x).backward(doubles({1, 1, 1, 1}));
  CHECK(values(x.grad()) == Values{0, 0, 1, 1});
}

TEST_CASE("hardswish takes its slope by where its input is, under an infinite gradient too") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Tensor x = doubles({-inf, -4, -3, -2, 0, 3, 4, inf}).requires_grad_();
  hardswish(x).backward(full({8}, inf, kDouble));
  CHECK(values(x.grad()) == Values{0, 0, 0, -inf, inf, inf, inf, inf});  // PyTorch 2.15's
}

TEST_CASE("mish has a slope under an infinite gradient and to the last digits, and keeps its dtype") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Tensor x = doubles({-2, -0.5, 0, 0.5, 2, 30}).requires_grad_();
  mish(x).backward(full({6}, inf, kDouble));
  CHECK(values(x.grad()) == Values{-inf, inf, inf, inf, inf, inf});  // PyTorch 2.15's
  const Tensor at = doubles({-40, -20, -1.5, 0, 1.5, 3}).requires_grad_();
  const Tensor y = mish(at), slope = autograd::grad({y.sum()}, {at}, {}, true, true)[0];
  const Tensor bend = autograd::grad({slope.sum()}, {at}, {}, true, true)[0];
  const Tensor third = autograd::grad({bend.sum()}, {at})[0];
  // From the definition, in 80 digits.
  const auto near = [](const Tensor& t, const Values& expected) {
    const Values v = values(t);
    for (size_t i = 0; i < v.size(); ++i) CHECK(v[i] == Approx(expected[i]).epsilon(1e-13));
  };
  near(y, {-1.6993417021166356e-16, -4.1223072406287614e-8, -0.29809974216680676, 0, 1.4033782663958026,
           2.9865350049679573});
  near(slope, {-1.6568581595637197e-16, -3.9161918743489691e-8, -0.064097815892258643, 0.6, 1.0884879850078477,
               1.0211069109294438});
  near(bend, {-1.6143746170108038e-16, -3.7100765042456579e-8, 0.15461475356154317, 0.64, -0.0021502385832350062,
              -0.030266496639326991});
  near(third, {-1.5718910744578879e-16, -3.5039611267077268e-8, 0.31733304899946271, -0.096, -0.22541185022081572,
               0.036316703137312699});
  CHECK(mish(at.to(kHalf)).dtype() == kHalf);
}

TEST_CASE("activations far from zero neither overflow nor lose their gradient") {
  const Tensor x = doubles({-1000, -20, 0, 20, 1000}).requires_grad_();
  const Tensor ones = full({5}, 1, kDouble);
  struct Case {
    Tensor (*f)(const Tensor&);
    double low, high;  // slopes at the ends
  };
  const Case cases[] = {{[](const Tensor& t) { return gelu(t); }, 0, 1},
                        {[](const Tensor& t) { return gelu(t, "tanh"); }, 0, 1},
                        {[](const Tensor& t) { return silu(t); }, 0, 1},
                        {[](const Tensor& t) { return mish(t); }, 0, 1},
                        {[](const Tensor& t) { return softplus(t); }, 0, 1},
                        {[](const Tensor& t) { return log_sigmoid(t); }, 1, 0},
                        {[](const Tensor& t) { return elu(t); }, 0, 1},
                        {[](const Tensor& t) { return selu(t); }, 0, 1.0507009873554804934193349852946},
                        {[](const Tensor& t) { return celu(t, 0.5); }, 0, 1},
                        {[](const Tensor& t) { return hardswish(t); }, 0, 1},
                        {[](const Tensor& t) { return softsign(t); }, 1 / 1001.0 / 1001.0, 1 / 1001.0 / 1001.0}};
  for (const Case& c : cases) {
    x.mutable_grad() = Tensor();
    const Tensor y = c.f(x);
    y.backward(ones);
    const Values v = values(y), g = values(x.grad());
    for (double e : v) CHECK(std::isfinite(e));
    CHECK(g.front() == Approx(c.low).margin(1e-12));
    CHECK(g.back() == Approx(c.high).margin(1e-12));
  }
}

TEST_CASE("values of activations") {  // PyTorch's, in float64
  const Tensor x = doubles({-2, -0.5, 0, 0.5, 2});
  const auto near = [](const Tensor& t, const Values& expected) {
    const Values v = values(t);
    for (size_t i = 0; i < v.size(); ++i) CHECK(v[i] == Approx(expected[i]).epsilon(1e-12).margin(1e-14));
  };
  near(gelu(x), {-0.045500263896358417, -0.15426876936299344, 0, 0.34573123063700656, 1.9544997361036416});
  near(gelu(x, "tanh"), {-0.045402305912224938, -0.15428599017485606, 0, 0.34571400982514394, 1.954597694087775});
  near(silu(x), {-0.23840584404423509, -0.1887703343990727, 0, 0.3112296656009273, 1.7615941559557646});
  near(elu(x), {-0.8646647167633873, -0.39346934028736658, 0, 0.5, 2});
  near(selu(x), {-1.5201664685956948, -0.69175818780287135, 0, 0.52535049367774023, 2.1014019747109609});
  near(softplus(x),
       {0.12692801104297249, 0.47407698418010669, 0.69314718055994529, 0.97407698418010669, 2.1269280110429727});
  near(mish(x), {-0.25250148269570888, -0.22074377465173001, 0, 0.37524521130489508, 1.9439589595339946});
  near(log_sigmoid(x),
       {-2.1269280110429727, -0.97407698418010669, -0.69314718055994529, -0.47407698418010669, -0.12692801104297249});
  near(hardswish(x), {-0.33333333333333331, -0.20833333333333334, 0, 0.29166666666666669, 1.6666666666666667});
  near(softshrink(x, 0.3), {-1.7, -0.2, 0, 0.2, 1.7});
  near(hardshrink(x, 0.5), {-2, 0, 0, 0, 2});
  near(leaky_relu(x, 0.1), {-0.2, -0.05, 0, 0.5, 2});
  near(threshold(x, 0.2, 7), {7, 7, 7, 0.5, 2});
  near(relu6(doubles({-1, 3, 8})), {0, 3, 6});
  near(prelu(doubles({-4, 4}).view({1, 2, 1}), doubles({0.5, 0.25})), {-2, 4});
  near(glu(doubles({1, 2, 0, 0})), {0.5, 1});
  CHECK_THROWS_WITH(gelu(x, "fast"), ContainsSubstring("\"fast\""));
}
