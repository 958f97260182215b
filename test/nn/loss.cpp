// Tests of the losses' shapes, dtypes and warnings: what PyTorch refuses is refused, what it broadcasts is broadcast.
#include "nn/loss.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/warning.h"
#include "ops/creation.h"
#include "ops/loss.h"
#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace F = strata::nn::functional;

namespace {

struct Listener : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};

std::vector<std::string> warnings(const std::function<void()>& f) {
  Listener listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  f();
  return listener.heard;
}

const Tensor row = tensor({0.25, 0.5, 0.75}), column = tensor({0.0, 1.0, 1.0}).view({3, 1}), none;

}  // namespace

TEST_CASE("binary cross entropy refuses shapes that differ") {
  const auto same = ContainsSubstring("expected the same");
  CHECK_THROWS_WITH(binary_cross_entropy(row, column.expand({3, 3})), same);
  CHECK_THROWS_WITH(F::binary_cross_entropy(row, column), same);
  CHECK_THROWS_WITH(nn::BCELoss()(column, row), same);
  CHECK_THROWS_WITH(F::binary_cross_entropy_with_logits(row, column), same);
  CHECK_THROWS_WITH(nn::BCEWithLogitsLoss()(column, row), same);
  CHECK_THROWS_WITH(binary_cross_entropy_with_logits(row, column), ContainsSubstring("would broadcast"));
  CHECK_THROWS_WITH(binary_cross_entropy_with_logits(column, row), ContainsSubstring("would broadcast"));
  CHECK_THROWS_AS(binary_cross_entropy(row, tensor(0.5)), Error);
  CHECK_THROWS_AS(binary_cross_entropy_with_logits(row, tensor(0.5)), Error);
  // The function pairs elements where only dims of size 1 differ.
  const Tensor paired = binary_cross_entropy(column, row, {}, Reduction::None);
  CHECK(paired.equal(binary_cross_entropy(column, row.view({3, 1}), {}, Reduction::None)));
  CHECK(paired.sizes() == IntArrayRef({3, 1}));
  CHECK(binary_cross_entropy(column, column).item<double>() == 0);
  CHECK(binary_cross_entropy_with_logits(tensor(0.5), row, none, none, Reduction::None).sizes() == row.sizes());
}

TEST_CASE("a weight of binary cross entropy may be broadcast, but not the loss") {
  const Tensor x = full({2, 3}, 0.25), t = ones({2, 3}), wide = ones({4, 2, 3});
  const Tensor w = tensor({1.0, 2.0, 3.0});
  for (const Tensor& loss : {binary_cross_entropy(x, t, w, Reduction::None),
                             binary_cross_entropy_with_logits(x, t, w, none, Reduction::None),
                             binary_cross_entropy_with_logits(x, t, none, w, Reduction::None)}) {
    CHECK(loss.sizes() == t.sizes());
    CHECK(loss[1][2].item<double>() == Approx(3 * loss[0][0].item<double>()));
  }
  CHECK_THROWS_WITH(binary_cross_entropy(x, t, wide), ContainsSubstring("a weight"));
  CHECK_THROWS_WITH(binary_cross_entropy_with_logits(x, t, wide), ContainsSubstring("a weight"));
  CHECK_THROWS_WITH(binary_cross_entropy_with_logits(x, t, none, wide), ContainsSubstring("a pos_weight"));
}

TEST_CASE("binary cross entropy wants probabilities, and targets of their dtype") {
  for (const double bad : {1.5, -0.1, double(NAN)})
    CHECK_THROWS_WITH(binary_cross_entropy(tensor({0.5, bad}), ones({2})), ContainsSubstring("in [0, 1]"));
  const Tensor strided = full({40, 3}, 0.5).t();
  CHECK(binary_cross_entropy(strided, ones({3, 40})).item<double>() == Approx(std::log(2)));
  CHECK_THROWS_WITH(binary_cross_entropy(row, row.to(kDouble)),
                    ContainsSubstring("float32") && ContainsSubstring("float64"));
  CHECK_THROWS_WITH(binary_cross_entropy(row, tensor({0, 1, 1})), ContainsSubstring("int64"));
  CHECK_THROWS_WITH(binary_cross_entropy_with_logits(row, tensor({0, 1, 1})),
                    ContainsSubstring("floating point targets"));
  // The logits' loss has the dtype of its targets.
  CHECK(binary_cross_entropy_with_logits(row, row.to(kDouble)).dtype() == kDouble);
  CHECK(binary_cross_entropy_with_logits(row.to(kDouble), row).dtype() == kFloat);
}

TEST_CASE("losses that broadcast warn, and only then") {
  const std::vector<std::function<Tensor(const Tensor&, const Tensor&)>> losses = {
      [](const Tensor& a, const Tensor& b) { return F::mse_loss(a, b, nn::MSELossOptions(kNone)); },
      [](const Tensor& a, const Tensor& b) { return F::l1_loss(a, b, nn::L1LossOptions(kNone)); },
      [](const Tensor& a, const Tensor& b) { return F::smooth_l1_loss(a, b, nn::SmoothL1LossOptions(kNone)); },
      [](const Tensor& a, const Tensor& b) { return F::smooth_l1_loss(a, b, nn::SmoothL1LossOptions(kNone), 2.0); },
      [](const Tensor& a, const Tensor& b) { return F::huber_loss(a, b, nn::HuberLossOptions(kNone)); },
      [](const Tensor& a, const Tensor& b) { return nn::MSELoss(nn::MSELossOptions(kNone))(a, b); },
      [](const Tensor& a, const Tensor& b) { return nn::L1Loss(nn::L1LossOptions(kNone))(a, b); },
      [](const Tensor& a, const Tensor& b) { return nn::HuberLoss(nn::HuberLossOptions(kNone))(a, b); },
  };
  for (const auto& loss : losses) {
    CHECK(warnings([&] { CHECK(loss(row, row).sizes() == row.sizes()); }).empty());
    const auto heard = warnings([&] { CHECK(loss(row, column).sizes() == IntArrayRef({3, 3})); });
    REQUIRE(heard.size() == 1);
    CHECK_THAT(heard[0], ContainsSubstring("(3, 1)") && ContainsSubstring("(3,)") && ContainsSubstring("broadcast"));
    CHECK_THROWS_AS(warnings([&] { loss(row, ones({4})); }), Error);
  }
  CHECK_THAT(warnings([] { F::kl_div(row.log(), row); }).at(0), ContainsSubstring("kBatchMean"));
  CHECK(warnings([] { F::kl_div(row.log(), row, nn::KLDivLossOptions(kBatchMean)); }).empty());
}

TEST_CASE("dtypes of the regression losses are promoted; integers alone are refused") {
  const Tensor wide = row.to(kDouble), whole = tensor({0, 1, 1});
  CHECK(mse_loss(row, wide).dtype() == kDouble);
  CHECK(smooth_l1_loss(row, wide).dtype() == kDouble);
  CHECK(huber_loss(row, wide).dtype() == kFloat);
  CHECK(mse_loss(row, whole.gt(0)).item<double>() == Approx((0.0625 + 0.25 + 0.0625) / 3));
  CHECK_THROWS_AS(mse_loss(whole, whole), Error);
  CHECK_THROWS_AS(smooth_l1_loss(whole, whole), Error);
  CHECK_THROWS_AS(huber_loss(whole, whole), Error);
  CHECK_THROWS_WITH(kl_div(row, whole), ContainsSubstring("int64"));
  CHECK(cosine_similarity(whole, row, 0).item<double>() == Approx(0.9449111));
  CHECK_THROWS_AS(cosine_similarity(whole, whole, 0), Error);
}

TEST_CASE("losses of pairs and triples check their dims") {
  const Tensor y = ones({3});
  CHECK_THROWS_WITH(F::margin_ranking_loss(row, column, y), ContainsSubstring("as many dims"));
  CHECK_THROWS_WITH(soft_margin_loss(row, column), ContainsSubstring("would broadcast"));
  CHECK_THROWS_WITH(soft_margin_loss(tensor({1, 2}), ones({2})), ContainsSubstring("floating point"));
  CHECK(soft_margin_loss(row, tensor(0.5), Reduction::None)[0].item<double>() == Approx(0.632599));
  CHECK_THROWS_WITH(cosine_embedding_loss(row, row, y), ContainsSubstring("one dim more"));
  CHECK_THROWS_WITH(cosine_embedding_loss(column, column, column), ContainsSubstring("() or (N)"));
  CHECK(cosine_embedding_loss(row, row, tensor(1.0)).item<double>() == Approx(0).margin(1e-6));
  CHECK_THROWS_WITH(triplet_margin_loss(row, column, row), ContainsSubstring("as many dims"));
  CHECK(F::multilabel_soft_margin_loss(row, column).item<double>() == Approx(0.6456291));
  CHECK(F::multilabel_soft_margin_loss(column, row).item<double>() == Approx(2.3196707));
  const Tensor far = tensor({-INFINITY, INFINITY});
  CHECK(F::multilabel_soft_margin_loss(far, tensor({0.25f, 0.25f})).item<double>() == HUGE_VAL);
}

TEST_CASE("gaussian_nll_loss checks the variances and passes their gradient below eps") {
  const Tensor x = ones({2, 3}), t = zeros({2, 3});
  CHECK(gaussian_nll_loss(x, t, ones({2})).item<double>() == 0.5);
  CHECK(gaussian_nll_loss(x, t, ones({2, 1})).item<double>() == 0.5);
  CHECK_THROWS_WITH(gaussian_nll_loss(x, t, ones({3})), ContainsSubstring("do not fit"));
  CHECK_THROWS_WITH(gaussian_nll_loss(x, t, ones({2}).neg()), ContainsSubstring("negative"));
  Tensor var = tensor({1e-9}).requires_grad_();
  gaussian_nll_loss(zeros({1}), zeros({1}), var).backward();
  CHECK(var.grad().item<double>() == Approx(5e5));
}

TEST_CASE("multi_margin_loss takes one sample without its batch") {
  const Tensor x = tensor({0.1, 0.2, 0.7});
  const nn::MultiMarginLossOptions each = nn::MultiMarginLossOptions().reduction(kNone);
  CHECK(F::multi_margin_loss(x, tensor(2)).item<double>() == Approx(0.3));
  CHECK(F::multi_margin_loss(x, tensor({2}), each).sizes() == IntArrayRef({1}));
  CHECK(F::multi_margin_loss(x, tensor(2), each).sizes() == IntArrayRef());
  const auto weighted = nn::MultiMarginLossOptions().p(2).weight(tensor({1.0, 2.0, 3.0}));
  CHECK(F::multi_margin_loss(x, tensor(1), weighted).item<double>() == Approx(2.04));
  CHECK_THROWS_WITH(F::multi_margin_loss(ones({2, 3}), tensor({2})), ContainsSubstring("(N, C)"));
}
