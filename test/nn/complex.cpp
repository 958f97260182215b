// Modules and initial values of complex numbers, as PyTorch 2.15 gives them.
#include <strata/strata.h>

#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
using Number = Complex<double>;

TEST_CASE("a module's parameters become complex, its integers stay") {
  nn::BatchNorm1d norm(2);
  norm->to(kComplexDouble);
  CHECK(norm->weight.dtype() == kComplexDouble);
  CHECK(norm->running_mean.dtype() == kComplexDouble);
  CHECK(norm->num_batches_tracked.dtype() == kLong);

  nn::Linear linear(2, 3);
  linear->to(kComplexDouble);
  const Tensor x = tensor({{Number(1, 2), Number(0, -1)}});
  const Tensor y = linear->forward(x);
  CHECK(allclose(y, x.mm(linear->weight.t()) + linear->bias));
  real(y.sum()).backward();
  CHECK(linear->weight.grad().dtype() == kComplexDouble);
  linear->to(kComplexFloat);
  CHECK(linear->weight.dtype() == kComplexFloat);
  CHECK(linear->weight.grad().dtype() == kComplexFloat);
  CHECK_THROWS_WITH(linear->to(kLong), ContainsSubstring("floating point or complex parameters, asked for int64"));
}

TEST_CASE("initial values of complex numbers are drawn for both parts") {
  const auto spread = [](const Tensor& t, double low, double high) {
    const Tensor parts = view_as_real(t);
    CHECK(parts.min().item<double>() >= low);
    CHECK(parts.max().item<double>() <= high);
    for (int part = 0; part < 2; ++part) {
      const Tensor p = parts.select(-1, part);
      CHECK(p.min().item<double>() < low + 0.1 * (high - low));
      CHECK(p.max().item<double>() > high - 0.1 * (high - low));
    }
  };
  manual_seed(1);
  Tensor t = empty({30, 30}, kComplexDouble);
  spread(nn::init::uniform_(t, -1, 2), -1, 2);
  const double bound = std::sqrt(6.0 / 60);
  spread(nn::init::xavier_uniform_(t), -bound, bound);
  spread(nn::init::kaiming_uniform_(t), -std::sqrt(6.0 / 30), std::sqrt(6.0 / 30));
  // The parts are drawn one after the other, as PyTorch draws them.
  manual_seed(1);
  const Tensor pairs = empty({30, 30, 2}, kDouble).uniform_();
  manual_seed(1);
  CHECK(view_as_real(t.uniform_()).equal(pairs));
}

TEST_CASE("adaptive pooling of complex numbers to one is a mean") {
  const Tensor z = complex(arange(12, kDouble), arange(12, kDouble).square()).reshape({1, 3, 4});
  CHECK(adaptive_avg_pool1d(z, 1).equal(z.mean({-1}, true)));
  CHECK(adaptive_avg_pool2d(z, 1).item<Number>() == Number(5.5, 506.0 / 12));
  CHECK_THROWS_WITH(adaptive_avg_pool1d(z, 2), ContainsSubstring("got complex128"));
  CHECK_THROWS_WITH(avg_pool1d(z, 2), ContainsSubstring("got complex128"));
  CHECK_THROWS_WITH(max_pool1d(z, 1), ContainsSubstring("got complex128"));
}
