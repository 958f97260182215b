// Tests of namespace special against PyTorch's values, at edges, and of derivatives.
#include "ops/special.h"
#include <torch/torch.h>

#include <cmath>

#include "autograd/autograd.h"
#include "test/catch.h"
#include "test/ops/check_values.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;
using strata::autograd::grad;

TEST_CASE("special functions at edges give PyTorch's values") {
  const Tensor x = doubles({-kInf, -3, -0.0, 0.0, 0.25, 1, 2, 7, kInf, kNaN});
  check_values(special::entr(x),
               {-kInf, -kInf, 0, 0, 0.34657359027997264, -0.0, -1.3862943611198906, -13.621371043387192, -kInf, kNaN});
  check_values(special::ndtr(x), {0, 0.0013498980316301035, 0.5, 0.5, 0.5987063256829237, 0.841344746068543,
                                  0.9772498680518208, 0.9999999999987201, 1, kNaN});
  check_values(special::xlog1py(doubles({0, 0, 0, 2, -1}), doubles({-1, kNaN, kInf, 0.5, -2})),
               {0, kNaN, 0, 0.8109302162163288, kNaN});
  check_values(special::xlog1py(2, doubles({0.5})), {0.8109302162163288});
  check_values(special::xlog1py(doubles({2}), 0.5), {0.8109302162163288});
}

TEST_CASE("special functions differentiate twice") {
  const Tensor x = doubles({0, -0.0, 0.3}).requires_grad_();
  check_values(grad({special::entr(x).sum()}, {x})[0], {kInf, kInf, 0.20397280432593612});
  const Tensor z = doubles({0.3, 2}).requires_grad_();
  const Tensor slope = grad({special::entr(z).sum()}, {z}, {}, true, true)[0];
  check_values(grad({slope.sum()}, {z})[0], {-1 / 0.3, -0.5});
  const Tensor y = doubles({0.3}).requires_grad_();
  const Tensor first = grad({special::ndtr(y).sum()}, {y}, {}, true, true)[0];
  const double density = std::exp(-0.045) / std::sqrt(2 * M_PI);
  check_values(first.detach(), {density});
  check_values(grad({first.sum()}, {y})[0], {-0.3 * density});
  const Tensor a = doubles({0, 2}).requires_grad_(), b = doubles({0.5, 0.5}).requires_grad_();
  const std::vector<Tensor> both = grad({special::xlog1py(a, b).sum()}, {a, b});
  check_values(both[0], {std::log(1.5), std::log(1.5)});
  check_values(both[1], {0, 2 / 1.5});
}

TEST_CASE("xlog1py has PyTorch's gradients outside of the logarithm's domain") {
  const Tensor a = doubles({0, 0, 2, 0}).requires_grad_(), b = doubles({-1, -2, -2, kInf}).requires_grad_();
  check_values(special::xlog1py(a, b).detach(), {0, 0, kNaN, 0});
  const std::vector<Tensor> slopes = grad({special::xlog1py(a, b).sum()}, {a, b}, {}, true);
  check_values(slopes[0], {0, 0, kNaN, kInf});
  check_values(slopes[1], {kNaN, -0.0, -2, 0});
  // Nothing comes of a gradient of 0, whatever the logarithm is.
  const std::vector<Tensor> of_none = grad({special::xlog1py(a, b)}, {a, b}, {zeros_like(a)});
  check_values(of_none[0], {0, 0, 0, 0});
}

TEST_CASE("the gradient of i0 does not need its values, which may be written to") {
  const Tensor x = doubles({0, 1, -2}).requires_grad_();
  Tensor y = i0(x);
  y.add_(1);
  check_values(grad({y.sum()}, {x})[0], {0, 0.5651591039924850, -1.5906368546373291});
}

TEST_CASE("the gradient of ndtr does not need its operand, which may be written to") {
  const Tensor leaf = doubles({0, 2}).requires_grad_();
  const Tensor x = leaf * 1;
  const Tensor y = special::ndtr(x);
  x.add_(1);
  check_values(grad({y.sum()}, {leaf})[0], {1 / std::sqrt(2 * M_PI), std::exp(-2) / std::sqrt(2 * M_PI)});
}

namespace {
/// The derivatives of f at x of the orders 1, 2, 3, ...
void check_derivatives(Tensor (*f)(const Tensor&), double x, const std::vector<double>& wanted) {
  const Tensor leaf = doubles({x}).requires_grad_();
  Tensor y = f(leaf);
  for (size_t i = 0; i < wanted.size(); ++i) {
    INFO("derivative " << i + 1 << " at " << x);
    y = grad({y.sum()}, {leaf}, {}, true, true)[0];
    check_close(y.detach(), doubles({wanted[i]}), 1e-12);
  }
}
}  // namespace

// The wanted numbers are sums of the power series in rational numbers.
TEST_CASE("Bessel functions of order 1 have derivatives of every order at 0 and near it") {
  check_derivatives(special::i1, 0, {0.5, 0, 0.375, 0, 0.3125});
  check_derivatives(
      special::i1, 0.01,
      {0.5000187501302087, 0.0037500520835611986, 0.37501562511393266, 0.0031250455731217453, 0.3125136719775394});
  check_derivatives(special::i1, -0.5, {0.5476947599595309, -0.1940820070354198, 0.4147799393105973});
  check_derivatives(special::i1, 2, {1.4842668750174028, 1.2461626307879599, 1.2056597834727918});
  check_derivatives(special::bessel_j1, 0, {0.5, 0, -0.375, 0, 0.3125});
  check_derivatives(
      special::bessel_j1, 0.01,
      {0.49998125013020794, -0.003749947916894531, -0.37498437511393196, 0.003124954427288411, 0.31248632822753875});
  check_derivatives(special::bessel_j1, 2, {-0.06447162473720103, -0.40030779344905454, 0.08820850715390943});
}

TEST_CASE("gradients at the edges of entr and acosh are PyTorch's") {
  const Tensor x = doubles({-1, -0.0, 0, 0.3, 1, 2, kInf, kNaN}).requires_grad_();
  check_values(grad({special::entr(x).sum()}, {x})[0],
               {kNaN, kInf, kInf, 0.20397280432593612, -1, -1.6931471805599454, -kInf, kNaN});
  const Tensor y = doubles({-2, -1, 0.5, 1, 1.25, 2, 1e200, kInf}).requires_grad_();
  check_values(grad({acosh(y).sum()}, {y})[0],
               {0.5773502691896258, kInf, kNaN, kInf, 1.3333333333333333, 0.5773502691896258, 0, 0});
  const Tensor z = doubles({1.25, 2}).requires_grad_();
  const Tensor slope = grad({acosh(z).sum()}, {z}, {}, true, true)[0];
  check_values(grad({slope.sum()}, {z})[0], {-2.962962962962963, -0.3849001794597507});
}

TEST_CASE("special functions have out forms and convert integers") {
  const Tensor n = tensor(std::vector<int64_t>{1, 2});
  CHECK(special::entr(n).dtype() == kFloat);
  CHECK(special::xlog1py(n, n).dtype() == kFloat);
  Tensor out = empty({0}, TensorOptions(kFloat));
  CHECK(special::psi_out(out, n).is_same(out));
  CHECK(same_bits(out, digamma(n)));
  CHECK(same_bits(special::expit_out(out, n), sigmoid(n)));
  CHECK_THROWS_WITH(special::entr(n.to(kComplexFloat)), ContainsSubstring("entr: not implemented for complex"));
}
