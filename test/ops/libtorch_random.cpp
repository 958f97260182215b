// The numbers of libtorch's CPU generator, as PyTorch 2.15 draws them one after the other from torch.Generator at
// seed 42.
#include <strata/strata.h>

#include <thread>
#include <vector>

#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

namespace {

bool same_numbers(const Tensor& a, const Tensor& b) { return a.sizes() == b.sizes() && a.allclose(b, 1e-15, 0); }

}  // namespace

TEST_CASE("a generator on mt19937 draws libtorch's numbers") {
  Generator g;
  g.use_mt19937(42);
  CHECK(same_numbers(rand({3}, g, kDouble), doubles({0.05815448596142969, 0.06291016742457756, 0.12358607277440903})));
  CHECK(same_numbers(randn({3}, g, kDouble), doubles({1.156124744834232, 0.39648067252860486, -2.466057051430532})));
  CHECK(same_numbers(
      empty({18}, kDouble).normal_(1, 2, g),
      doubles({-2.496805602978406, 1.7106338194101944, 0.7635125217159329, -2.489113322168422, 0.06107971383221433,
               1.9145994787187282, 2.0354309813066855, 0.44587294636596064, -0.3282858316122921, 2.3102286105462095,
               1.5231673814225917, -2.05308784682165, 0.3377213720966009, -0.27556845444442946, 1.2143976543148443,
               2.4192298359309383, 1.601716890863616, 0.4261468230202329})));
  CHECK(equal(randperm(7, g), longs({6, 4, 1, 5, 3, 2, 0})));
  CHECK(equal(randint(-3, 5, {6}, g), longs({0, -2, 4, 0, -2, 2})));
  CHECK(equal(randint(0, int64_t{1} << 40, {2}, g), longs({572123753013, 453409820419})));
  CHECK(equal(empty({8}).bernoulli_(0.5, g).to(kLong), longs({0, 0, 1, 1, 0, 1, 0, 1})));
  // In the order of memory.
  CHECK(same_numbers(empty({2, 3}, kDouble).t().uniform_(-1, 1, g),
                     doubles({-0.2541899482400265, -0.977829220466508, 0.25096984975054615, 0.44563440293515155,
                              -0.44698348566641766, -0.4911607868660275})
                         .view({3, 2})));
  CHECK(same_numbers(rand({3}, g, kHalf).to(kDouble), doubles({0.328857421875, 0.1053466796875, 0.91943359375})));
}

TEST_CASE("a generator on mt19937 draws libtorch's counts") {
  Generator g;
  g.use_mt19937(42);
  const Tensor n = doubles({10, 100, 1000, 1e6, 7, 40, 40}).repeat({2});
  const Tensor p = doubles({.3, .4, .7, .5, .9, .1, .97}).repeat({2});
  CHECK(equal(binomial(n, p.to(kFloat).to(kDouble), g).to(kLong),
              longs({1, 33, 699, 499160, 7, 5, 38, 2, 37, 717, 499355, 7, 5, 39})));
  CHECK(equal(binomial(n.to(kFloat), p.to(kFloat), g).to(kLong),
              longs({3, 38, 693, 500310, 7, 5, 40, 0, 43, 694, 499918, 5, 3, 39})));
  CHECK(equal(poisson(doubles({.3, 4, 9.9, 10, 30, 1000, 1e7, 0}).repeat({2}), g).to(kLong),
              longs({0, 3, 8, 5, 41, 1005, 9998792, 0, 1, 6, 3, 11, 24, 990, 10002038, 0})));
  // In row-major order, whatever the strides.
  const Tensor strided = (arange(6, kFloat).view({2, 3}) * 7).t();
  CHECK(equal(poisson(strided, g).to(kLong), longs({0, 25, 5, 37, 17, 29}).view({3, 2})));
  CHECK(equal(binomial(strided, full({1, 2}, 0.4), g).to(kLong), longs({0, 9, 5, 10, 8, 12}).view({3, 2})));
  CHECK(same_numbers(rand({2}, g, kDouble), doubles({0.04048175695992462, 0.033996352077171776})));
}

TEST_CASE("a generator on mt19937 draws libtorch's numbers of Cauchy's, log-normal and geometric distributions") {
  Generator g;
  g.use_mt19937(3);
  CHECK(same_numbers(empty({3}, kDouble).cauchy_(1, 2, g),
                     doubles({-17.593224847361967, -0.5844280648642248, 3.310874583284215})));
  CHECK(same_numbers(empty({3}, kDouble).log_normal_(0.5, 0.25, g),
                     doubles({1.9949751567204819, 2.3957872791446775, 1.4486270206730527})));
  CHECK(equal(empty({4}, kDouble).geometric_(0.25, g), doubles({3, 4, 1, 6})));
  // In the order of memory.
  CHECK(same_numbers(empty({2, 3}, kDouble).t().cauchy_(0, 1, g),
                     doubles({0.3057160989632335, 10.59397925658804, -0.16800296459900935, -3.565553985219403,
                              -0.5417722857411787, -2.64901174025461})
                         .view({3, 2})));
  CHECK(equal(empty({2}, kFloat).log_normal_(1, 2, g), doubles({1.1766917705535889, 0.022963667288422585}).to(kFloat)));
  CHECK(equal(empty({4}, kLong).geometric_(0.25, g), longs({8, 2, 3, 11})));
}

TEST_CASE("a generator on mt19937 draws libtorch's exponential numbers and categories") {
  Generator g;
  g.use_mt19937(42);
  CHECK(same_numbers(empty({4}, kDouble).exponential_(2, g),
                     doubles({0.029957007845401073, 0.03248806439669265, 0.06595838999204529, 0.02700647589534708})));
  // In the order of memory.
  CHECK(same_numbers(empty({2, 3}, kDouble).t().exponential_(1, g),
                     doubles({0.7469106746533763, 2.6415966914712024, 0.6477623389492686, 0.08724053279239835,
                              3.1063443378004876, 0.14230193841241554})
                         .view({3, 2})));
  CHECK(equal(empty({2}, kFloat).exponential_(1, g), doubles({0.17085178196430206, 0.4705910384654999}).to(kFloat)));
  const Tensor p = softmax(arange(10, kDouble) / 3, 0), q = softmax(arange(24, kDouble).view({4, 6}).sin(), 1);
  CHECK(equal(multinomial(p, 1, false, g), longs({8})));
  CHECK(equal(multinomial(p, 4, false, g), longs({9, 7, 3, 2})));
  CHECK(equal(multinomial(p, 1, true, g), longs({5})));
  CHECK(equal(multinomial(p, 8, true, g), longs({7, 6, 9, 9, 7, 3, 8, 8})));
  CHECK(equal(multinomial(q, 1, false, g), longs({2, 4, 2, 1}).view({4, 1})));
  CHECK(equal(multinomial(q, 3, false, g), longs({1, 4, 2, 3, 1, 2, 2, 3, 0, 3, 0, 1}).view({4, 3})));
  CHECK(equal(multinomial(q, 5, true, g),
              longs({0, 5, 1, 1, 3, 2, 3, 2, 2, 2, 2, 3, 2, 1, 0, 0, 2, 3, 4, 1}).view({4, 5})));
  const Tensor single = q.to(kFloat);
  CHECK(equal(multinomial(single, 1, false, g), longs({3, 5, 4, 4}).view({4, 1})));
  CHECK(equal(multinomial(single, 5, true, g),
              longs({1, 1, 1, 2, 1, 2, 2, 2, 1, 2, 3, 2, 3, 3, 2, 3, 3, 2, 2, 5}).view({4, 5})));
  CHECK(equal(multinomial(single.t().contiguous().t(), 2, false, g), longs({3, 2, 3, 0, 3, 1, 3, 1}).view({4, 2})));
  CHECK(same_numbers(rand({1}, g, kDouble), doubles({0.6710634146539415})));
}

TEST_CASE("libtorch's generator starts again and is copied") {
  Generator g;
  g.use_mt19937(7);
  const Tensor first = randn({3}, g);
  const auto copy = g.clone();
  CHECK(equal(randn({3}, g), randn({3}, *copy)));
  g.set_current_seed(7);
  CHECK(equal(first, randn({3}, g)));
  CHECK(g.current_seed() == 7);
}

TEST_CASE("libtorch's generator draws complex numbers part by part") {
  Generator g;
  g.use_mt19937(7);
  CHECK(same_numbers(view_as_real(randn({3}, g, kComplexDouble)),
                     doubles({-0.1037998088765804, 0.55588584329821145, 0.66950398030065539, -0.78796021400836103,
                              1.195569163512358, -0.63273886135774926})
                         .view({3, 2})));
  g.set_current_seed(7);
  CHECK(same_numbers(view_as_real(rand({3}, g, kComplexDouble)),
                     doubles({0.27938042990640399, 0.27369371365176565, 0.86209296141762548, 0.65668843058820137,
                              0.92252936745298719, 0.83954537576238664})
                         .view({3, 2})));
}

TEST_CASE("threads that share libtorch's generator draw one after the other") {
  constexpr int kThreads = 4, kDraws = 200, kNumbers = 8;
  Generator g;
  g.use_mt19937(3);
  const Tensor expected = rand({kThreads * kDraws, kNumbers}, g, kDouble);
  g.set_current_seed(3);
  std::vector<Tensor> parts(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::vector<Tensor> rows;
      for (int i = 0; i < kDraws; ++i) rows.push_back(rand({1, kNumbers}, g, kDouble));
      parts[t] = cat(rows);
    });
  for (std::thread& thread : threads) thread.join();
  // Whole draws in some order: sorted by their first number they are those of one thread.
  const auto by_first = [](const Tensor& x) { return x.index_select(0, x.select(1, 0).argsort()); };
  CHECK(equal(by_first(cat(parts)), by_first(expected)));
}
