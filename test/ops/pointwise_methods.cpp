// Tests of the methods of composite element-wise functions, and of the distributions' moments and errors.
#include <cmath>

#include "autograd/autograd.h"
#include "core/generator.h"
#include "ops/pointwise_functions.h"
#include "ops/reduce.h"
#include "test/catch.h"
#include "test/ops/check_values.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("methods give what the functions give") {
  const Tensor x = random_tensor({3, 2}, kDouble, 1, 1.5, 3), y = random_tensor({3, 2}, kDouble, 2);
  CHECK(x.positive().is_same(x));
  CHECK(same_bits(y.signbit(), signbit(y)));
  CHECK(same_bits(x.sinc(), sinc(x)));
  CHECK(same_bits(x.clone().sinc_(), sinc(x)));
  CHECK(same_bits(x.isposinf(), isposinf(x)));
  CHECK(same_bits(x.isneginf(), isneginf(x)));
  CHECK(same_bits(x.copysign(y), copysign(x, y)));
  CHECK(same_bits(x.clone().copysign_(y), copysign(x, y)));
  CHECK(same_bits(x.clone().copysign_(-1), x.neg()));
  CHECK(same_bits(y.heaviside(x), heaviside(y, x)));
  CHECK(same_bits(y.clone().heaviside_(x), heaviside(y, x)));
  CHECK(same_bits(x.logaddexp2(y), logaddexp2(x, y)));
  CHECK(same_bits(x.ldexp(y), ldexp(x, y)));
  CHECK(same_bits(x.clone().ldexp_(y), ldexp(x, y)));
  CHECK(same_bits(x.mvlgamma(2), mvlgamma(x, 2)));
  CHECK(same_bits(x.clone().mvlgamma_(2), mvlgamma(x, 2)));
  CHECK(same_bits(x.float_power(2), float_power(x, 2)));
  CHECK(same_bits(x.clone().float_power_(y), float_power(x, y)));
  CHECK_THROWS_WITH(x.to(kFloat).float_power_(2), ContainsSubstring("float_power_: the result is float64"));
}

TEST_CASE("methods in place give the gradient by the values before the write") {
  const Tensor x = doubles({1.5, 3}), p = doubles({2, 0.5});
  const auto slope = [&](auto write) {
    const Tensor exponent = p.clone().requires_grad_();
    write(x.clone(), exponent).sum().backward();
    return exponent.grad();
  };
  // x^p log(x), and x 2^p log(2).
  check_values(slope([](const Tensor& v, const Tensor& e) { return v.float_power_(e); }),
               {2.25 * std::log(1.5), std::sqrt(3.0) * std::log(3.0)});
  check_values(slope([](const Tensor& v, const Tensor& e) { return v.ldexp_(e); }),
               {6 * std::log(2.0), 3 * std::sqrt(2.0) * std::log(2.0)});
}

TEST_CASE("methods in place never resize the tensor") {
  const Tensor none = empty({0}, TensorOptions(kDouble));
  CHECK_THROWS_WITH(none.copysign_(doubles({1, 2})), ContainsSubstring("copysign_: "));
  CHECK_THROWS_WITH(empty({0, 1}, TensorOptions(kDouble)).copysign_(doubles({1, 2})),
                    ContainsSubstring("copysign_: the result has shape (0, 2)"));
  CHECK(none.numel() == 0);
}

TEST_CASE("distributions of uniform numbers have their moments") {
  manual_seed(3);
  const Tensor x = empty({40000}, TensorOptions(kDouble));
  x.cauchy_(2, 0.5);
  CHECK((x.to(kDouble).median().item<double>()) == Approx(2).margin(0.02));
  x.log_normal_(0.5, 0.25);
  CHECK(x.log().mean().item<double>() == Approx(0.5).margin(0.01));
  CHECK(x.log().std().item<double>() == Approx(0.25).margin(0.01));
  x.geometric_(0.25);
  CHECK(x.min().item<double>() == 1);
  CHECK(x.mean().item<double>() == Approx(4).margin(0.1));
  const Tensor n = empty({1000}, TensorOptions(kLong));
  n.geometric_(0.5);
  CHECK(n.min().item<int64_t>() == 1);
  CHECK(thread_independent([] {
    manual_seed(5);
    return empty({30000}).cauchy_();
  }));
}

TEST_CASE("distributions of uniform numbers refuse wrong parameters") {
  const Tensor x = empty({2}), n = empty({2}, TensorOptions(kLong));
  CHECK_THROWS_WITH(x.cauchy_(0, 0), ContainsSubstring("cauchy_: sigma must be positive"));
  CHECK_THROWS_WITH(n.cauchy_(), ContainsSubstring("cauchy_: needs a floating point dtype"));
  CHECK_THROWS_WITH(x.log_normal_(0, 0), ContainsSubstring("log_normal_: std must be positive"));
  CHECK_THROWS_WITH(x.geometric_(1), ContainsSubstring("geometric_: p must be in (0, 1)"));
}
