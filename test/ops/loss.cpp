// Tests of the losses: values from naive loops and closed forms, weights, ignored targets, smoothing, gradients,
// errors.
#include "ops/loss.h"

#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

namespace {

/// Weighted cross entropy by loops over (N, C).
double naive_cross_entropy(const Tensor& x, const Tensor& target, const Values& weight, int64_t ignore) {
  const Values v = values(x), t = values(target);
  const size_t classes = weight.size();
  double loss = 0, total = 0;
  for (size_t i = 0; i < t.size(); ++i) {
    if (t[i] == static_cast<double>(ignore)) continue;
    double sum = 0;
    for (size_t c = 0; c < classes; ++c) sum += std::exp(v[i * classes + c]);
    const size_t k = static_cast<size_t>(t[i]);
    loss += weight[k] * (std::log(sum) - v[i * classes + k]);
    total += weight[k];
  }
  return loss / total;
}

Values gradient(Tensor x, const std::function<Tensor(const Tensor&)>& f) {
  x = x.detach().clone().requires_grad_();
  f(x).sum().backward();
  return values(x.grad());
}

void check_close(const Values& a, const Values& b, double tolerance = 1e-10) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).epsilon(tolerance).margin(tolerance));
}

}  // namespace

TEST_CASE("cross entropy of class indices") {
  const Tensor x = random_tensor({6, 5}, kDouble, 1, -3, 3), target = tensor({0, 4, 2, -100, 1, 4});
  const Tensor weight = tensor({1.0, 2.0, 0.5, 1.0, 3.0}, kDouble), none;
  const double plain = naive_cross_entropy(x, target, Values(5, 1.0), -100),
               weighted = naive_cross_entropy(x, target, values(weight), -100);
  CHECK(cross_entropy(x, target).item<double>() == Approx(plain));
  CHECK(cross_entropy(x, target, weight).item<double>() == Approx(weighted));
  CHECK(cross_entropy(x, target, none, Reduction::Sum).item<double>() == Approx(plain * 5));
  const Tensor each = cross_entropy(x, target, weight, Reduction::None);
  CHECK(each.sizes() == IntArrayRef({6}));
  CHECK(values(each)[3] == 0);
  CHECK(each.sum().item<double>() == Approx(weighted * 9.5));
  CHECK(cross_entropy(x.to(kFloat), target).item<double>() == Approx(plain).epsilon(1e-5));
  CHECK(std::isnan(cross_entropy(x, full({6}, -100)).item<double>()));
  CHECK(cross_entropy(x.select(0, 1), tensor(4)).item<double>() ==
        Approx(values(cross_entropy(x, target, none, Reduction::None))[1]));
}

TEST_CASE("cross entropy with dims behind the classes equals the flattened one") {
  const Tensor x = random_tensor({2, 5, 3, 4}, kDouble), target = random_tensor({2, 3, 4}, kDouble, 2, 0, 5).to(kLong);
  const Tensor flat = x.permute({0, 2, 3, 1}).reshape({24, 5});
  for (const auto reduction : {Reduction::Mean, Reduction::Sum, Reduction::None}) {
    const Tensor a = cross_entropy(x, target, {}, reduction),
                 b = cross_entropy(flat, target.reshape({24}), {}, reduction);
    CHECK(allclose(a.reshape({-1}), b.reshape({-1}), 1e-12));
  }
  const auto of_flat = [&](const Tensor& t) {
    return cross_entropy(t.permute({0, 2, 3, 1}).reshape({24, 5}), target.reshape({24}));
  };
  check_close(gradient(x, [&](const Tensor& t) { return cross_entropy(t, target); }), gradient(x, of_flat));
}

TEST_CASE("cross entropy of probabilities and label smoothing agree with each other") {
  const Tensor x = random_tensor({4, 3}, kDouble), target = tensor({0, 2, 1, 2}),
               weight = tensor({1.0, 2.0, 0.5}, kDouble);
  const Tensor one_hot = tensor({{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, kDouble);
  CHECK(cross_entropy(x, one_hot).item<double>() == Approx(cross_entropy(x, target).item<double>()));
  CHECK(cross_entropy(x, one_hot, {}, Reduction::Mean, -100, 0.1).item<double>() ==
        Approx(cross_entropy(x, target, {}, Reduction::Mean, -100, 0.1).item<double>()));
  CHECK(cross_entropy(x, one_hot, weight, Reduction::Sum, -100, 0.3).item<double>() ==
        Approx(cross_entropy(x, target, weight, Reduction::Sum, -100, 0.3).item<double>()));
  CHECK(cross_entropy(x, one_hot, {}, Reduction::None).sizes() == IntArrayRef({4}));
}

TEST_CASE("the gradient of cross entropy is softmax minus the target") {
  const Tensor x = random_tensor({4, 3}, kDouble), target = tensor({0, 2, -1, 2});
  Values expected = values(x.softmax(1));
  for (size_t i = 0; i < 4; ++i)
    for (size_t c = 0; c < 3; ++c) {
      double& e = expected[i * 3 + c];
      e = i == 2 ? 0 : (e - (static_cast<double>(c) == values(target)[i])) / 3;
    }
  check_close(gradient(x, [&](const Tensor& t) { return cross_entropy(t, target, {}, Reduction::Mean, -1); }),
              expected);
}

TEST_CASE("bad targets and shapes are errors before anything is computed") {
  const Tensor x = random_tensor({2, 3});
  CHECK_THROWS_AS(nll_loss(x, tensor({0, 3})), IndexError);
  CHECK_THROWS_WITH(nll_loss(x, tensor({0, -1})),
                    Catch::Matchers::ContainsSubstring("target -1 at position 1 is outside [0, 3)"));
  CHECK_THROWS_WITH(nll_loss(x, tensor({0, 1, 2})),
                    Catch::Matchers::ContainsSubstring("(3,)") && Catch::Matchers::ContainsSubstring("(2, 3)"));
  CHECK_THROWS_WITH(nll_loss(x, tensor({0, 1}), ones({2})),
                    Catch::Matchers::ContainsSubstring("one weight for each of 3 classes"));
  CHECK_THROWS_WITH(nll_loss(x, tensor({0.0, 1.0})),
                    Catch::Matchers::ContainsSubstring("expected targets of uint8 or int64"));
  CHECK_THROWS_WITH(cross_entropy(x, tensor({0, 1}), {}, Reduction::Mean, -100, 2),
                    Catch::Matchers::ContainsSubstring("label_smoothing"));
}

TEST_CASE("regression losses") {
  const Tensor x = tensor({0.5, 2.0, -3.0}, kDouble), t = tensor({0.0, 0.0, 0.0}, kDouble);
  CHECK(mse_loss(x, t).item<double>() == Approx(13.25 / 3));
  CHECK(mse_loss(x, t, Reduction::Sum).item<double>() == 13.25);
  CHECK(values(l1_loss(x, t, Reduction::None)) == Values{0.5, 2, 3});
  check_close(values(smooth_l1_loss(x, t, Reduction::None)), {0.125, 1.5, 2.5});
  check_close(values(smooth_l1_loss(x, t, Reduction::None, 0.25)), {0.375, 1.875, 2.875});
  CHECK(values(smooth_l1_loss(x, t, Reduction::None, 0)) == Values{0.5, 2, 3});
  check_close(values(huber_loss(x, t, Reduction::None, 2)), {0.125, 2, 4});
  CHECK(gradient(t, [&](const Tensor& z) { return smooth_l1_loss(z, t); }) == Values{0, 0, 0});
  CHECK_THROWS_WITH(huber_loss(x, t, Reduction::Mean, 0), Catch::Matchers::ContainsSubstring("delta"));
}

TEST_CASE("binary cross entropy, plain and from logits") {
  const Tensor z = tensor({-2.0, 0.0, 3.0, 200.0, -200.0}, kDouble), t = tensor({1.0, 0.5, 0.0, 1.0, 1.0}, kDouble),
               p = z.sigmoid();
  Values expected;
  for (size_t i = 0; i < 5; ++i) {
    const double x = values(z)[i], y = values(t)[i];
    expected.push_back(std::max(x, 0.0) - x * y + std::log1p(std::exp(-std::abs(x))));
  }
  const Tensor none;
  check_close(values(binary_cross_entropy_with_logits(z, t, none, none, Reduction::None)), expected);
  const Values plain = values(binary_cross_entropy(p, t, none, Reduction::None));
  for (size_t i = 0; i < 3; ++i) CHECK(plain[i] == Approx(expected[i]));
  CHECK(plain[4] == Approx(std::min(100.0, 200.0)));
  CHECK(values(binary_cross_entropy(tensor({0.0, 1.0}), tensor({0.0, 1.0}), none, Reduction::None)) == Values{0, 0});
  check_close(
      gradient(z, [&](const Tensor& x) { return binary_cross_entropy_with_logits(x, t, none, none, Reduction::Sum); }),
      values(p - t));
  CHECK(gradient(tensor({0.0, 1.0}), [](const Tensor& x) {
          return binary_cross_entropy(x, tensor({0.0, 1.0}));
        }) == Values{0, 0});
  const Tensor w = tensor({2.0}, kDouble);
  check_close(values(binary_cross_entropy_with_logits(z, ones({5}, kDouble), none, w, Reduction::None)),
              values(binary_cross_entropy_with_logits(z, ones({5}, kDouble), none, none, Reduction::None) * 2));
}

TEST_CASE("a weight of the positives costs binary cross entropy neither digits nor the target's gradient at infinity") {
  const Tensor none, half = tensor({0.5}, kDouble);
  const auto loss = [&](const Tensor& z, const Tensor& t) {
    return binary_cross_entropy_with_logits(z, t, none, half, Reduction::None);
  };
  const double small = values(loss(tensor({-40.0}, kDouble), tensor({0.0}, kDouble)))[0];
  CHECK(small == Approx(std::log1p(std::exp(-40.0))).epsilon(1e-12));
  const double inf = std::numeric_limits<double>::infinity();
  const Tensor z = tensor({-inf, inf, 2.0}, kDouble), t = tensor({1.0, 0.0, 0.5}, kDouble);
  const auto near = [](double x) { return 0.5 * std::log1p(std::exp(-x)) - std::log1p(std::exp(x)); };
  const Values of_target = gradient(t, [&](const Tensor& p) { return loss(z, p).sum(); });
  CHECK(of_target[0] == inf);
  CHECK(of_target[1] == -inf);
  CHECK(of_target[2] == Approx(near(2)));
  const Values of_logits = gradient(z, [&](const Tensor& x) { return loss(x, t).sum(); });
  CHECK(of_logits[0] == -0.5);
  CHECK(of_logits[1] == 1);
  const auto scaled = [&](const Tensor& x) { return loss(x, tensor({0.0, 1.0}, kDouble)).sum() * inf; };
  CHECK(gradient(tensor({0.0, 0.0}, kDouble), scaled) == Values{inf, -inf});
}

TEST_CASE("divergences and likelihoods") {
  const Tensor q = tensor({0.5, 0.5, 0.0}, kDouble), log_p = log(tensor({0.25, 0.5, 0.25}, kDouble));
  CHECK(kl_div(log_p, q, Reduction::Sum).item<double>() == Approx(0.5 * std::log(2.0)));
  CHECK(kl_div(log_p, log_p, Reduction::Sum, true).item<double>() == Approx(0).margin(1e-12));
  const Tensor x = tensor({0.5, 1.5}, kDouble), t = tensor({1.0, 3.0}, kDouble);
  CHECK(poisson_nll_loss(x, t, true, false, 1e-8, Reduction::Sum).item<double>() ==
        Approx(std::exp(0.5) - 0.5 + std::exp(1.5) - 4.5));
  const double stirling = 3 * std::log(3.0) - 3 + 0.5 * std::log(6 * M_PI);
  CHECK(poisson_nll_loss(x, t, true, true, 1e-8, Reduction::Sum).item<double>() ==
        Approx(std::exp(0.5) - 0.5 + std::exp(1.5) - 4.5 + stirling));
  CHECK(gaussian_nll_loss(x, t, full({2}, 4.0, kDouble)).item<double>() ==
        Approx((std::log(4.0) * 2 + 0.25 / 4 + 2.25 / 4) / 4));
}

TEST_CASE("margin losses") {
  const Tensor a = tensor({{1.0, 0.0}, {0.0, 2.0}}, kDouble), b = tensor({{2.0, 0.0}, {1.0, 0.0}}, kDouble),
               t = tensor({1.0, -1.0}, kDouble);
  check_close(values(cosine_embedding_loss(a, b, t, 0, Reduction::None)), {0, 0}, 1e-9);
  check_close(values(cosine_similarity(a, b)), {1, 0});
  check_close(values(margin_ranking_loss(tensor({1.0, 2.0}), tensor({2.0, 1.0}), t.to(kFloat), 0.5, Reduction::None)),
              {1.5, 1.5}, 1e-6);
  check_close(values(hinge_embedding_loss(tensor({0.3, 0.4}, kDouble), t, 1, Reduction::None)), {0.3, 0.6});
  check_close(values(soft_margin_loss(tensor({1.0, 1.0}, kDouble), t, Reduction::None)),
              {std::log1p(std::exp(-1)), std::log1p(std::exp(1))});
  // Laid out by the predictions, whose first dim has no strides of its own.
  const Tensor losses = soft_margin_loss(expand(t, {3, 2}), ones({2, 3}, kDouble).t(), Reduction::None);
  CHECK(losses.strides() == IntArrayRef({2, 1}));
  check_close(values(pairwise_distance(a, b, 2, 0)), {1, std::sqrt(5.0)});
  check_close(values(triplet_margin_loss(a, b, a, 1, 2, 0, false, Reduction::None)), {2, 1 + std::sqrt(5.0)});
  check_close(values(triplet_margin_loss(a, b, b, 1, 2, 0, true, Reduction::None)), {2, 1 + std::sqrt(5.0)});
}

TEST_CASE("losses do not depend on the number of threads") {
  const Tensor x = random_tensor({20000, 10}), target = random_tensor({20000}, kDouble, 3, 0, 10).to(kLong);
  CHECK(thread_independent([&] { return cross_entropy(x, target); }));
  CHECK(thread_independent([&] { return mse_loss(x, x * 2); }));
}
