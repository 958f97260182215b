// Starting values: moments, bounds, structure; clipping and flattening helpers.
#include <strata/strata.h>

#include <cmath>

#include "test/catch.h"

using namespace strata;
namespace init = strata::nn::init;

namespace {

void check_moments(const Tensor& t, double mean, double std) {
  const Tensor d = t.to(kDouble);
  CHECK(d.mean().item<double>() == Approx(mean).margin(0.02 * std + 1e-12));
  CHECK(d.std().item<double>() == Approx(std).epsilon(0.02));
}

}  // namespace

TEST_CASE("random starts have the moments they promise", "[lapack]") {
  manual_seed(11);
  check_moments(init::normal_(empty({200, 300}), 2, 3), 2, 3);
  check_moments(init::uniform_(empty({200, 300}), -1, 3), 1, 4 / std::sqrt(12.0));
  check_moments(init::xavier_normal_(empty({200, 300})), 0, std::sqrt(2.0 / 500));
  check_moments(init::xavier_uniform_(empty({200, 300}), 2), 0, 2 * std::sqrt(2.0 / 500));
  check_moments(init::kaiming_normal_(empty({200, 300})), 0, std::sqrt(2.0 / 300));
  check_moments(init::kaiming_normal_(empty({200, 300}), 0, kFanOut, kReLU), 0, std::sqrt(2.0 / 200));
  check_moments(init::kaiming_uniform_(empty({50, 20, 5, 5}), std::sqrt(5.0)), 0,
                1 / std::sqrt(500.0) / std::sqrt(3.0));
  const Tensor cut = init::trunc_normal_(empty({200, 300}), 0, 1, -1, 1);
  CHECK(cut.amax().item<double>() <= 1);
  CHECK(cut.amin().item<double>() >= -1);
  check_moments(cut, 0, 0.5396);  // of a standard normal between -1 and 1
}

TEST_CASE("gains are PyTorch's") {
  CHECK(init::calculate_gain(kTanh) == Approx(5.0 / 3));
  CHECK(init::calculate_gain(kReLU) == Approx(std::sqrt(2.0)));
  CHECK(init::calculate_gain(kLeakyReLU, 0.2) == Approx(std::sqrt(2 / 1.04)));
  CHECK(init::calculate_gain(kSELU) == Approx(0.75));
  CHECK(init::calculate_gain(kConv2D) == 1);
  CHECK_THROWS_AS(init::calculate_gain(Choice::Mean), Error);
  CHECK_THROWS_AS(init::xavier_normal_(empty({3})), Error);
}

TEST_CASE("orthogonal rows or columns") {
  manual_seed(5);
  for (const auto& sizes : {std::vector<int64_t>{6, 4}, {4, 6}, {3, 2, 2}}) {
    const Tensor w = init::orthogonal_(empty(sizes, kDouble), 2.0).flatten(1);
    const bool tall = w.size(0) >= w.size(1);
    const Tensor gram = tall ? w.t().mm(w) : w.mm(w.t());
    CHECK(gram.allclose(eye(gram.size(0), kDouble) * 4, 1e-10, 1e-10));
  }
}

TEST_CASE("constant, identity, dirac and sparse starts") {
  CHECK(init::ones_(empty({2, 2})).equal(ones({2, 2})));
  CHECK(init::constant_(empty({2}), 3.5).equal(full({2}, 3.5)));
  CHECK(init::eye_(empty({2, 3})).equal(eye(2, 3)));
  const Tensor x = randn({1, 2, 5});
  CHECK(conv1d(x, init::dirac_(empty({2, 2, 3})), {}, 1, 1).allclose(x));
  manual_seed(1);
  const Tensor sparse = init::sparse_(empty({10, 4}), 0.25);
  CHECK(sparse.eq(0).sum(IntArrayRef{0}).equal(full({4}, 3)));
}

TEST_CASE("starts are not recorded and keep requires_grad") {
  Tensor w = zeros({3, 3}).requires_grad_();
  init::normal_(w);
  CHECK(w.is_leaf());
  CHECK(w.requires_grad());
}

TEST_CASE("layers start as PyTorch's do") {
  manual_seed(9);
  nn::Linear fc(400, 300);
  check_moments(fc->weight.detach(), 0, 1 / std::sqrt(400.0) / std::sqrt(3.0));
  CHECK(fc->bias.abs().amax().item<double>() <= 0.05);
  nn::Conv2d conv(16, 64, 5);
  check_moments(conv->weight.detach(), 0, 1 / std::sqrt(400.0) / std::sqrt(3.0));
  check_moments(nn::Embedding(300, 200)->weight.detach(), 0, 1);
  CHECK(nn::BatchNorm1d(3)->weight.equal(ones({3})));
}

TEST_CASE("gradients are clipped by norm and by value") {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_(), unused = ones({1}).requires_grad_();
  const auto fill = [&] {
    a.mutable_grad() = tensor({3.0f, 0.0f});
    b.mutable_grad() = tensor({0.0f, -4.0f});
  };
  fill();
  CHECK(nn::utils::clip_grad_norm_({a, b, unused}, 1.0) == Approx(5));
  CHECK(a.grad().allclose(tensor({0.6f, 0.0f})));
  CHECK(b.grad().allclose(tensor({0.0f, -0.8f})));
  fill();
  CHECK(nn::utils::clip_grad_norm_({a, b}, 10.0) == Approx(5));
  CHECK(a.grad()[0].item<double>() == 3);
  CHECK(nn::utils::clip_grad_norm_({a, b}, 2.0, INFINITY) == Approx(4));
  CHECK(a.grad()[0].item<double>() == Approx(1.5));
  fill();
  nn::utils::clip_grad_value_({a, b}, 0.5);
  CHECK(b.grad().equal(tensor({0.0f, -0.5f})));
  a.mutable_grad() = full({2}, NAN);
  CHECK_THROWS_AS(nn::utils::clip_grad_norm_(a, 1.0, 2.0, /*error_if_nonfinite=*/true), Error);
}

TEST_CASE("gradients are clipped by a norm that stays a tensor") {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}, kDouble).requires_grad_(), unused = ones({1}).requires_grad_();
  a.mutable_grad() = tensor({3.0f, 0.0f});
  b.mutable_grad() = tensor({0.0f, -4.0f}).to(kDouble);
  const std::vector<Tensor> parameters = {a, b, unused}, grads = nn::utils::gradients(parameters);
  CHECK(grads.size() == 2);
  const Tensor norm = nn::utils::get_total_norm(grads);
  CHECK(norm.item<double>() == Approx(5));
  nn::utils::clip_grads_with_norm_(parameters, 10.0, norm);
  CHECK(a.grad()[0].item<double>() == 3);
  nn::utils::clip_grads_with_norm_(parameters, 1.0, norm);
  CHECK(a.grad().allclose(tensor({0.6f, 0.0f})));
  CHECK(b.grad().allclose(tensor({0.0f, -0.8f}).to(kDouble)));
  CHECK(nn::utils::get_total_norm({a.grad()}, INFINITY).item<double>() == Approx(0.6));
  a.mutable_grad() = full({2}, NAN);
  CHECK(std::isnan(nn::utils::get_total_norm({a.grad()}).item<double>()));
  CHECK_THROWS_WITH(nn::utils::get_total_norm({a.grad()}, 2.0, /*error_if_nonfinite=*/true),
                    Catch::Matchers::ContainsSubstring("get_total_norm: the norm of the gradients is nan"));
  CHECK(nn::utils::get_total_norm({}).item<double>() == 0);
}

TEST_CASE("parameters flatten and come back") {
  nn::Linear fc(3, 2);
  const Tensor flat = nn::utils::parameters_to_vector(fc->parameters());
  CHECK(flat.numel() == 8);
  nn::utils::vector_to_parameters(flat.detach() * 2, fc->parameters());
  CHECK(nn::utils::parameters_to_vector(fc->parameters()).allclose(flat.detach() * 2));
  CHECK_THROWS_AS(nn::utils::vector_to_parameters(ones({7}), fc->parameters()), Error);
}
