// Derivatives of the CTC loss of all orders against finite differences, for targets of several lengths.
#include "ops/ctc_loss.h"

#include <functional>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

namespace {

const Tensor kTargets = tensor({{1, 2, 3}, {2, 2, 1}, {1, 1, 1}});

Tensor loss(const Tensor& logits) {
  return ctc_loss(log_softmax(logits, 2), kTargets, IntArrayRef{6, 4, 5}, IntArrayRef{3, 2, 0}, 0, Reduction::Sum);
}

/// <v, gradient of f at x>, which may be differentiated again.
Tensor slope(const Tensor& x, const Tensor& v, const std::function<Tensor(const Tensor&)>& f) {
  return sum(autograd::grad({f(x)}, {x}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0] * v);
}

double at(const Tensor& x, const Tensor& v, double step, const std::function<Tensor(const Tensor&)>& f) {
  return f((x.detach() + v * step).requires_grad_()).item<double>();
}

}  // namespace

TEST_CASE("derivatives of the CTC loss up to the third are those of finite differences") {
  const Tensor x = random_tensor({6, 3, 4}, kDouble, 1, -1, 1).requires_grad_();
  const Tensor u = random_tensor({6, 3, 4}, kDouble, 2, -1, 1), v = random_tensor({6, 3, 4}, kDouble, 3, -1, 1),
               w = random_tensor({6, 3, 4}, kDouble, 4, -1, 1);
  const std::function<Tensor(const Tensor&)> first = [&](const Tensor& t) { return slope(t, u, loss); };
  const std::function<Tensor(const Tensor&)> second = [&](const Tensor& t) { return slope(t, v, first); };
  constexpr double kStep = 1e-5;
  const auto difference = [&](const Tensor& along, const std::function<Tensor(const Tensor&)>& f) {
    return (at(x, along, kStep, f) - at(x, along, -kStep, f)) / (2 * kStep);
  };
  CHECK(first(x).item<double>() == Approx(difference(u, loss)).epsilon(1e-6));
  CHECK(second(x).item<double>() == Approx(difference(v, first)).epsilon(1e-6));
  CHECK(slope(x, w, second).item<double>() == Approx(difference(w, second)).epsilon(1e-6));
}
