// Tests of Poisson's and binomial numbers: their frequencies and moments, dtypes and errors.
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
  for (const double rate : {0.3, 2.5, 9.9, 10.0, 17.0}) {
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
  const Tensor rate = random_tensor({4, 500}, kFloat, 1, 0, 9), x = poisson(rate);
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

namespace {

/// The probability of k successes among n, by logarithms of factorials.
double binomial_probability(double n, double p, double k) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
                  (n - k) * std::log1p(-p));
}

}  // namespace

TEST_CASE("binomial draws each count as often as its probability says") {
  manual_seed(21);
  constexpr int64_t n = 20000;
  for (const auto& [count, p] :
       {std::pair(1.0, 0.3), {7.0, 0.9}, {20.0, 0.2}, {40.0, 0.5}, {60.0, 0.25}, {60.0, 0.8}}) {
    const Tensor x = binomial(full({n}, count, kDouble), full({n}, p, kDouble));
    double chi_square = 0, freedom = 0;
    for (int k = 0; k <= static_cast<int>(count); ++k) {
      const double seen = eq(x, k).sum().item<double>(), expected = n * binomial_probability(count, p, k);
      INFO("count " << count << ", p " << p << ", k " << k);
      CHECK(std::abs(seen - expected) < 4.5 * (std::sqrt(expected) + 1));
      if (expected < 5) continue;
      chi_square += (seen - expected) * (seen - expected) / expected;
      ++freedom;
    }
    CHECK(chi_square < freedom + 5 * std::sqrt(2 * freedom));
    CHECK(x.ge(0).logical_and(x.le(count)).all().item<bool>());
  }
}

TEST_CASE("binomial has the moments of its distribution, also for many trials") {
  manual_seed(22);
  for (const auto& [count, p] : {std::pair(1e4, 0.001), {1e4, 0.03}, {1e6, 0.5}, {1e9, 0.97}}) {
    const Tensor x = binomial(full({20000}, count, kDouble), full({1}, p, kDouble));
    const double mean = count * p, variance = mean * (1 - p);
    CHECK(std::abs(x.mean().item<double>() - mean) < 5 * std::sqrt(variance / 20000));
    CHECK(x.var().item<double>() == Approx(variance).epsilon(0.06));
  }
}

TEST_CASE("binomial broadcasts, keeps the dtype, and its numbers are the seed's on any number of threads") {
  const Tensor count = random_tensor({40, 1}, kFloat, 1, 0, 90).floor(), p = random_tensor({50}, kFloat, 2, 0, 1);
  manual_seed(3);
  const Tensor x = binomial(count, p);
  CHECK(x.dtype() == kFloat);
  CHECK(x.sizes() == IntArrayRef{40, 50});
  manual_seed(3);
  CHECK(same_bits(binomial(count, p), x));
  CHECK(thread_independent([&] {
    manual_seed(5);
    return binomial(count, p);
  }));
  check_values(binomial(doubles({0, -1, 5, 5, 5}), doubles({0.5, 0.5, 0, 1.5, -1})), {0, 0, 0, 5, 0});
  CHECK(binomial(doubles({kNaN, 5, kInf}), doubles({0.5, kNaN, 0.5})).isnan().all().item<bool>());
  CHECK(binomial(full({3}, 9, kHalf), full({3}, 0.5, kHalf)).dtype() == kHalf);
  CHECK(binomial(empty({0, 2}), empty({2})).sizes() == IntArrayRef{0, 2});
  CHECK(binomial(full({}, 9.0), full({}, 0.5)).dim() == 0);
}

TEST_CASE("binomial refuses integers, two dtypes, and gradients in backward") {
  CHECK_THROWS_WITH(binomial(tensor({5}), doubles({0.5})), ContainsSubstring("only supports floating-point dtypes"));
  CHECK_THROWS_WITH(binomial(full({1}, 5, kFloat), doubles({0.5})), ContainsSubstring("got float32 and float64"));
  const Tensor drawn = binomial(doubles({5}), doubles({0.5}).requires_grad_());
  CHECK(drawn.requires_grad());
  CHECK_THROWS_WITH(drawn.sum().backward(), ContainsSubstring("binomial: the derivative is not implemented"));
  CHECK_THROWS_WITH(poisson(doubles({kInf})), ContainsSubstring("non-negative and finite"));
}
