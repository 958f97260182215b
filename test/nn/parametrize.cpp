// Parametrized parameters: what is learned, when it is computed, weight norm and spectral norm, and back again.
#include <strata/nn/parametrize.h>
#include <strata/strata.h>

#include "test/catch.h"

namespace strata {
namespace {

namespace parametrize = nn::utils::parametrize;
using Catch::Matchers::ContainsSubstring;

/// The upper triangle and its mirror image.
struct Symmetric : parametrize::Parametrization {
  Tensor forward(const Tensor& x) override {
    ++calls;
    return x.triu() + x.triu(1).t();
  }
  Tensor right_inverse(const Tensor& value) override { return value.triu(); }
  int calls = 0;
};

struct Twice : parametrize::Parametrization {
  Tensor forward(const Tensor& x) override { return x * 2; }
  Tensor right_inverse(const Tensor& value) override { return value / 2; }
};

using Names = std::vector<std::string>;

nn::Linear symmetric_linear(const std::shared_ptr<Symmetric>& symmetric) {
  nn::Linear linear(3, 3);
  linear->to(kDouble);
  parametrize::register_parametrization(linear, "weight", symmetric);
  return linear;
}

}  // namespace

TEST_CASE("a parametrized weight is computed before each call, and its original learns") {
  const auto symmetric = std::make_shared<Symmetric>();
  nn::Linear linear = symmetric_linear(symmetric);
  CHECK(linear->named_parameters().keys() == Names{"bias", "parametrizations.weight.original"});
  CHECK(parametrize::is_parametrized(linear));
  CHECK(parametrize::is_parametrized(linear, "weight"));
  CHECK_FALSE(parametrize::is_parametrized(linear, "bias"));
  const Tensor original = linear->named_parameters()["parametrizations.weight.original"], x = randn({2, 3}, kDouble);
  linear(x).square().sum().backward();
  CHECK(linear->weight.equal(linear->weight.t()));
  CHECK(original.grad().tril(-1).eq(0).all().item<bool>());
  CHECK(original.grad().triu().ne(0).sum().item<int64_t>() == 6);
  {
    const NoGradGuard no_grad;
    original.add_(1);
  }
  CHECK(linear(x).allclose(nn::functional::linear(x, symmetric->forward(original), linear->bias)));
}

TEST_CASE("while cached lives a parametrized weight is computed once") {
  const auto symmetric = std::make_shared<Symmetric>();
  nn::Linear linear = symmetric_linear(symmetric);
  const int before = symmetric->calls;
  const Tensor x = ones({1, 3}, kDouble);
  {
    const parametrize::cached guard;
    linear(x);
    linear(x);
    CHECK(symmetric->calls == before + 1);
  }
  linear(x);
  CHECK(symmetric->calls == before + 2);
  const parametrize::cached again;
  linear(x);
  CHECK(symmetric->calls == before + 3);
}

TEST_CASE("parametrizations apply one after the other, and are removed together") {
  nn::Linear linear(2, 2);
  linear->to(kDouble);
  const Tensor weight = linear->weight.detach().clone(), x = randn({3, 2}, kDouble), y = linear(x).detach();
  parametrize::register_parametrization(linear, "weight", std::make_shared<Twice>());
  parametrize::register_parametrization(linear, "weight", std::make_shared<Twice>());
  CHECK(linear->named_parameters()["parametrizations.weight.original"].allclose(weight / 4));
  CHECK(linear(x).allclose(y));
  parametrize::remove_parametrizations(linear, "weight", /*leave_parametrized=*/false);
  CHECK(linear->weight.allclose(weight / 4));
  CHECK(linear->weight.requires_grad());
  CHECK(linear->named_parameters().keys() == Names{"bias", "weight"});
  CHECK(linear->named_parameters()["weight"].is_same(linear->weight));
  CHECK(linear->children().empty());
  CHECK(linear(x).allclose(nn::functional::linear(x, weight / 4, linear->bias)));
}

TEST_CASE("a function of several learned tensors comes first or not at all") {
  nn::Linear linear(2, 2);
  parametrize::register_parametrization(linear, "weight", std::make_shared<Twice>());
  CHECK_THROWS_WITH(nn::utils::parametrizations::weight_norm(linear),
                    ContainsSubstring("learns 2 tensors can be the first"));
}

TEST_CASE("weight norm learns lengths and directions apart") {
  nn::Conv2d conv(2, 3, 3);
  conv->to(kDouble);
  const Tensor x = randn({1, 2, 5, 5}, kDouble), y = conv(x).detach();
  nn::utils::parametrizations::weight_norm(conv);
  CHECK(conv(x).allclose(y));
  const auto named = conv->named_parameters();
  const Tensor g = named["parametrizations.weight.original0"], v = named["parametrizations.weight.original1"];
  CHECK(g.sizes() == IntArrayRef({3, 1, 1, 1}));
  conv(x).sum().backward();
  CHECK(g.grad().defined());
  CHECK((v.grad() * v).sum(IntArrayRef{1, 2, 3}).abs().max().item<double>() < 1e-9);  // no change along the direction
  {
    const NoGradGuard no_grad;
    v.mul_(3);
    g.mul_(2);
  }
  CHECK((conv(x) - conv->bias.view({3, 1, 1})).allclose((y - conv->bias.view({3, 1, 1})) * 2));
  parametrize::remove_parametrizations(conv, "weight");
  CHECK(conv->weight.norm(2, {1, 2, 3}, true).allclose(g.detach()));
}

TEST_CASE("spectral norm brings the largest singular value to 1", "[lapack]") {
  nn::Linear linear(4, 6);
  linear->to(kDouble);
  const Tensor weight = linear->weight.detach().clone();
  nn::utils::parametrizations::spectral_norm(linear, "weight", /*n_power_iterations=*/200);
  const Tensor x = ones({1, 4}, kDouble);
  linear(x).sum().backward();
  CHECK(linear->weight.detach().allclose(weight / linalg_svdvals(weight).max(), 1e-6, 1e-9));
  CHECK(linear->named_parameters()["parametrizations.weight.original"].grad().defined());
  CHECK(linear->named_buffers().keys() == Names{"parametrizations.weight.0._u", "parametrizations.weight.0._v"});
  linear->eval();
  const Tensor before = linear->named_buffers()["parametrizations.weight.0._u"].clone();
  linear(x);
  CHECK(linear->named_buffers()["parametrizations.weight.0._u"].equal(before));
}

TEST_CASE("a member of one's own is parametrized by naming it, and wrong names are errors") {
  nn::Bilinear bilinear(2, 2, 1);
  parametrize::register_parametrization(bilinear, "bias", bilinear->bias, std::make_shared<Twice>());
  CHECK(parametrize::is_parametrized(bilinear, "bias"));
  CHECK_THROWS_WITH(parametrize::register_parametrization(bilinear, "scale", std::make_shared<Twice>()),
                    ContainsSubstring("'scale'"));
  CHECK_THROWS_WITH(parametrize::remove_parametrizations(bilinear, "weight"), ContainsSubstring("no parametrization"));
  CHECK_THROWS_WITH(bilinear->clone(), ContainsSubstring("reset()"));
}

}  // namespace strata
