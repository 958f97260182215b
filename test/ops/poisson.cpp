// Tests of Poisson's numbers: their frequencies and moments, dtypes and errors.
#include "ops/poisson.h"

#include <cmath>

#include "core/generator.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "test/catch.h"
#include "test/ops/check_values.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("poisson draws each count as often as its probability says") {
  manual_seed(11);
  constexpr int64_t n = 20000;
  for (const double rate : {0.3, 2.5, 17.0}) {
    const Tensor x = poisson(full({n}, rate, kDouble));
    double probability = std::exp(-rate);
    for (int k = 0; k < 40; ++k) {
      INFO("rate " << rate << ", count " << k);
      const double seen = eq(x, k).sum().item<double>(), deviation = std::sqrt(n * probability) + 1;
      CHECK(std::abs(seen - n * probability) < 4.5 * deviation);
      probability *= rate / (k + 1);
    }
    CHECK(x.min().item<double>() >= 0);
    CHECK(x.remainder(1).abs().max().item<double>() == 0);
  }
}

TEST_CASE("poisson has mean and variance of its rate, also of large ones") {
  manual_seed(12);
  for (const double rate : {150.0, 1e4, 1e8}) {
    const Tensor x = poisson(full({20000}, rate, kDouble));
    CHECK(std::abs(x.mean().item<double>() - rate) < 5 * std::sqrt(rate / 20000));
    CHECK(x.var().item<double>() == Approx(rate).epsilon(0.06));
  }
}

TEST_CASE("poisson keeps dtype and shape, and its numbers are the seed's") {
  manual_seed(3);
  const Tensor rate = random({4, 500}, kFloat, 1, 0, 9), x = poisson(rate);
  CHECK(x.dtype() == kFloat);
  CHECK(x.sizes() == rate.sizes());
  manual_seed(3);
  CHECK(same_bits(poisson(rate), x));
  CHECK(thread_independent([&] {
    manual_seed(5);
    return poisson(rate);
  }));
  check_values(poisson(doubles({0, 0})), {0, 0});
  CHECK(poisson(full({3}, 2.5, kHalf)).dtype() == kHalf);
  CHECK(poisson(empty({0, 2})).sizes() == IntArrayRef{0, 2});
  CHECK(poisson(full({}, 2.5)).dim() == 0);
}

TEST_CASE("poisson refuses what is no rate") {
  CHECK_THROWS_WITH(poisson(doubles({1, -1})), ContainsSubstring("invalid Poisson rate"));
  CHECK_THROWS_WITH(poisson(doubles({kNaN})), ContainsSubstring("invalid Poisson rate"));
  CHECK_THROWS_WITH(poisson(tensor({1, 2})), ContainsSubstring("poisson: needs a floating point dtype, got"));
}
