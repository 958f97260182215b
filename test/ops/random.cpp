// Tests of random tensors: known answers of Philox, moments, ranges, threads, and dropout.
#include "ops/random.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

namespace {

double mean_of(const Values& v) {
  double sum = 0;
  for (double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}
double deviation_of(const Values& v) {
  const double mean = mean_of(v);
  double sum = 0;
  for (double x : v) sum += (x - mean) * (x - mean);
  return std::sqrt(sum / static_cast<double>(v.size()));
}

/// Word `w` of the draw at (seed, offset), by the plain algorithm.
uint32_t word(uint64_t seed, uint64_t offset, uint64_t w) { return Philox4x32::at(seed, w / 4, offset).word[w % 4]; }

constexpr uint64_t kSeed = 0x123456789abcdefull;

}  // namespace

TEST_CASE("Philox gives the known answers of Random123") {
  const auto is = [](Philox4x32 p, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return p.word[0] == a && p.word[1] == b && p.word[2] == c && p.word[3] == d;
  };
  CHECK(is(Philox4x32::at(0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  CHECK(is(Philox4x32::at(~0ull, ~0ull, ~0ull), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  CHECK(is(Philox4x32::at(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e), 0xd16cfe09, 0x94fdcceb,
           0x5001e420, 0x24126ea1));
}

TEST_CASE("elements are made from their own words") {
  Generator g(kSeed);
  const Values u = values(rand({5000}, g)), d = values(rand({3000}, g, kDouble)), h = values(rand({3000}, g, kHalf));
  for (uint64_t i : {0, 1, 2, 3, 4, 1023, 1024, 1025, 2999}) {
    CHECK(u[i] == (word(kSeed, 0, i) >> 8) * 0x1p-24);
    const uint64_t both = word(kSeed, 1, 2 * i) | uint64_t{word(kSeed, 1, 2 * i + 1)} << 32;
    CHECK(d[i] == static_cast<double>(both >> 11) * 0x1p-53);
    CHECK(h[i] == (word(kSeed, 2, i) >> 21) * 0x1p-11);
  }
  const Values n = values(randn({3000}, g)), nd = values(randn({3000}, g, kDouble));
  for (uint64_t j : {0, 1, 511, 512, 1499}) {
    const double u32 = (word(kSeed, 3, 2 * j) >> 1) * 0x1p-31 + 0x1p-32,
                 v32 = (word(kSeed, 3, 2 * j + 1) >> 8) * 0x1p-24;
    CHECK(n[2 * j] == Approx(std::sqrt(-2 * std::log(u32)) * std::cos(2 * M_PI * v32)).margin(1e-5));
    CHECK(n[2 * j + 1] == Approx(std::sqrt(-2 * std::log(u32)) * std::sin(2 * M_PI * v32)).margin(1e-5));
    const auto unit = [](uint64_t w) {
      return ((word(kSeed, 4, w) | uint64_t{word(kSeed, 4, w + 1)} << 32) >> 11) * 0x1p-53;
    };
    const double u64 = unit(4 * j) + 0x1p-54, v64 = unit(4 * j + 2);
    CHECK(nd[2 * j] == Approx(std::sqrt(-2 * std::log(u64)) * std::cos(2 * M_PI * v64)).margin(1e-13));
    CHECK(nd[2 * j + 1] == Approx(std::sqrt(-2 * std::log(u64)) * std::sin(2 * M_PI * v64)).margin(1e-13));
  }
}

TEST_CASE("the generator restarts, and every draw is new") {
  manual_seed(11);
  const Tensor a = rand({100}), b = rand({100});
  manual_seed(11);
  CHECK(same_bits(rand({100}), a));
  CHECK_FALSE(same_bits(a, b));
  const Generator::Position at = default_generator().state();
  const Tensor c = randn({7});
  default_generator().set_state(at);
  CHECK(same_bits(randn({7}), c));
}

TEST_CASE("numbers do not depend on the number of threads") {
  const auto seeded = [](auto draw) {
    return [=] {
      manual_seed(3);
      return draw();
    };
  };
  CHECK(thread_independent(seeded([] { return rand({100003}); })));
  CHECK(thread_independent(seeded([] { return randn({100003}, kDouble); })));
  CHECK(thread_independent(seeded([] { return randint(-5, 1000, {100003}); })));
  CHECK(thread_independent(seeded([] { return dropout(ones({100003}), 0.3); })));
  CHECK(thread_independent(seeded([] { return zeros({300, 301}).t().normal_().contiguous(); })));
}

TEST_CASE("distributions have their moments") {
  manual_seed(4);
  constexpr int64_t n = 200000;
  const auto check = [](const Tensor& x, double mean, double deviation) {
    const Values v = values(x);
    CHECK(std::abs(mean_of(v) - mean) < 5 * deviation / std::sqrt(static_cast<double>(n)));
    CHECK(std::abs(deviation_of(v) / deviation - 1) < 0.02);
  };
  check(rand({n}), 0.5, std::sqrt(1 / 12.0));
  check(randn({n}), 0, 1);
  check(randn({n}, kDouble), 0, 1);
  check(randn({n}, kBFloat16), 0, 1);
  check(normal(3, 2, {n}), 3, 2);
  check(empty({n}).uniform_(-2, 4), 1, std::sqrt(3));
  check(empty({n}).exponential_(2), 0.5, 0.5);
  check(empty({n}).bernoulli_(0.3), 0.3, std::sqrt(0.21));
  check(bernoulli(full({n}, 0.8)), 0.8, 0.4);
  check(randint(0, 10, {n}), 4.5, std::sqrt(8.25));
  check(normal(full({n}, 1.0), full({n}, 0.5)), 1, 0.5);
  Tensor t = empty({n});
  trunc_normal_(t);
  check(t, 0, 0.8796);
  CHECK(t.abs().max().item<float>() <= 2);
}

TEST_CASE("values stay in their ranges") {
  manual_seed(5);
  for (DType type : {kHalf, kBFloat16, kFloat, kDouble}) {
    const Tensor u = rand({50000}, type);
    CHECK(u.min().item<double>() >= 0);
    CHECK(u.max().item<double>() < 1);
    CHECK(u.dtype() == type);
  }
  const Tensor wide = empty({50000}).uniform_(1, 1 + 0x1p-22);
  CHECK(wide.max().item<double>() < 1 + 0x1p-22);
  const Tensor i = randint(-3, 4, {20000});
  CHECK(i.min().item<int64_t>() == -3);
  CHECK(i.max().item<int64_t>() == 3);
  CHECK(randint(INT64_MIN, INT64_MAX, {1000}).dtype() == kLong);
  CHECK(randint(0, int64_t{1} << 40, {1000}).max().item<int64_t>() > int64_t{1} << 35);
  CHECK(randint(5, {3}, kFloat).dtype() == kFloat);
  CHECK(randint_like(zeros({2}, kInt), 5).dtype() == kInt);
  CHECK_THROWS_AS(randint(0, 300, {2}, kUInt8), Error);
  CHECK_THROWS_AS(rand({2}, kLong), Error);
  CHECK_THROWS_AS(empty({2}).uniform_(1, 0), Error);
  CHECK(rand({0, 3}).numel() == 0);
  CHECK(randn(IntArrayRef()).dim() == 0);
  CHECK(randn({3}, TensorOptions().requires_grad(true)).requires_grad());
}

TEST_CASE("in-place numbers end the history of what they overwrite") {
  const Tensor x = ones({3}).requires_grad_();
  Tensor y = x * 2, z = x * 3;
  y.normal_();
  (y + z).sum().backward();
  CHECK(values(x.grad()) == Values{3, 3, 3});
  CHECK_THROWS_AS(Tensor(x).uniform_(), Error);
}

TEST_CASE("permutations hold every number once") {
  manual_seed(6);
  for (int64_t n : {0, 1, 2, 7, 1025, 5000}) {
    Values v = values(randperm(n));
    const bool sorted = std::is_sorted(v.begin(), v.end());
    CHECK((n < 7 || !sorted));
    std::sort(v.begin(), v.end());
    for (int64_t i = 0; i < n; ++i) REQUIRE(v[i] == static_cast<double>(i));
  }
  std::set<Values> all;
  for (int i = 0; i < 200; ++i) all.insert(values(randperm(3)));
  CHECK(all.size() == 6);
  CHECK_THROWS_AS(randperm(300, kUInt8), Error);
}

TEST_CASE("multinomial follows its weights") {
  manual_seed(7);
  const Tensor p = tensor({{1., 0., 3.}, {0., 5., 5.}});
  const Tensor many = multinomial(p, 40000, true);
  CHECK(many.sizes() == IntArrayRef({2, 40000}));
  CHECK(many[0].eq(2).to(kFloat).mean().item<double>() == Approx(0.75).margin(0.02));
  CHECK(many[0].eq(1).sum().item<int64_t>() == 0);
  CHECK(many[1].eq(1).to(kFloat).mean().item<double>() == Approx(0.5).margin(0.02));
  for (int i = 0; i < 50; ++i) {
    Values v = values(multinomial(p, 2)[0]);
    std::sort(v.begin(), v.end());
    REQUIRE(v == Values{0, 2});
  }
  CHECK_THROWS_AS(multinomial(p, 4), Error);
  CHECK_THROWS_AS(multinomial(zeros({3}), 1), Error);
}

TEST_CASE("dropout scales what it keeps and passes gradients alike") {
  manual_seed(8);
  Tensor x = full({10000}, 2.0).requires_grad_();
  const Tensor y = dropout(x, 0.25);
  const Values v = values(y);
  const auto zeros_count = std::count(v.begin(), v.end(), 0.0);
  CHECK(zeros_count == Approx(2500).margin(200));
  CHECK(std::count(v.begin(), v.end(), static_cast<double>(2 * static_cast<float>(1 / 0.75))) == 10000 - zeros_count);
  y.sum().backward();
  CHECK(x.grad().mul(2).equal(y.detach()));
  CHECK(dropout(x, 0.25, false).is_same(x));
  CHECK(dropout(x, 1.0).abs().sum().item<float>() == 0);
  Tensor none = ones({2, 0}).requires_grad_();
  const NoGradGuard guard;
  for (const double p : {0.25, 1.0}) {
    CHECK((dropout(none, p).is_same(none) && feature_dropout(none, p, true).is_same(none)));
    CHECK((alpha_dropout(none, p, true).is_same(none) && dropout_(none, p, true).is_same(none)));
  }
  CHECK(feature_dropout(full({}, 3.0), 1.0).item<double>() == 0);
  manual_seed(3);
  const Tensor next = rand({4});
  manual_seed(3);
  for (auto drop : {dropout, alpha_dropout, feature_dropout})
    CHECK(values(drop(ones({2, 2}), 1.0, true)) == Values(4, 0));
  CHECK(rand({4}).equal(next));  // where nothing is left nothing is drawn
  const Tensor channels = feature_dropout(ones({8, 16, 5, 5}), 0.5);
  CHECK(channels.amax({2, 3}).equal(channels.amin({2, 3})));
  const Values a = values(alpha_dropout(randn({100000}), 0.2));
  CHECK(mean_of(a) == Approx(0).margin(0.02));
  CHECK(deviation_of(a) == Approx(1).margin(0.02));
  Tensor z = ones({1000});
  dropout_(z, 0.5);
  CHECK(z.eq(0).logical_or(z.eq(2)).all().item<bool>());
  CHECK_THROWS_AS(dropout(x, -0.1), Error);
}
