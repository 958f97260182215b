// Tests of the fused optimizer steps against the formulas, written out for one element.
#include "ops/optim_ops.h"

#include <cmath>

#include "ops/cast.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Element {
  double p, m = 0, v = 0, top = 0;
};

void adam(Element& e, double g, const AdamStep& s) {
  if (s.maximize) g = -g;
  if (s.decoupled)
    e.p *= 1 - s.lr * s.weight_decay;
  else
    g += s.weight_decay * e.p;
  e.m = s.beta1 * e.m + (1 - s.beta1) * g;
  e.v = s.beta2 * e.v + (1 - s.beta2) * g * g;
  e.top = std::max(e.top, e.v);
  const double second = s.amsgrad ? e.top : e.v;
  const double steps = static_cast<double>(s.step);
  const double denominator = std::sqrt(second) / std::sqrt(1 - std::pow(s.beta2, steps)) + s.eps;
  e.p -= s.lr / (1 - std::pow(s.beta1, steps)) * e.m / denominator;
}

void sgd(Element& e, double g, const SgdStep& s) {
  if (s.maximize) g = -g;
  g += s.weight_decay * e.p;
  if (s.momentum != 0) {
    e.m = s.first ? g : s.momentum * e.m + (1 - s.dampening) * g;
    g = s.nesterov ? g + s.momentum * e.m : e.m;
  }
  e.p -= s.lr * g;
}

constexpr int64_t kCount = 37;

}  // namespace

TEST_CASE("adam steps follow the formula") {
  for (bool amsgrad : {false, true}) {
    for (bool decoupled : {false, true}) {
      Tensor p = random({kCount}, kDouble, 1), m = zeros({kCount}, kDouble), v = m.clone(), top = m.clone();
      std::vector<Element> expected;
      for (double x : values(p)) expected.push_back({x});
      AdamStep s{.lr = 0.1, .weight_decay = 0.3, .decoupled = decoupled, .amsgrad = amsgrad};
      for (s.step = 1; s.step <= 4; ++s.step) {
        const Tensor g = random({kCount}, kDouble, static_cast<unsigned>(s.step));
        adam_step_(p, g, m, v, top, s);
        for (int64_t i = 0; i < kCount; ++i) adam(expected[static_cast<size_t>(i)], g[i].item<double>(), s);
      }
      const std::vector<double> got = values(p);
      for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i].p).epsilon(1e-12));
      CHECK(p._version() == 4);
      CHECK(m._version() == 4);
      CHECK(v._version() == 4);
    }
  }
}

TEST_CASE("sgd steps follow the formula") {
  for (double momentum : {0.0, 0.9}) {
    for (bool nesterov : {false, true}) {
      Tensor p = random({kCount}, kDouble, 1), buffer = momentum != 0 ? empty({kCount}, kDouble) : Tensor();
      std::vector<Element> expected;
      for (double x : values(p)) expected.push_back({x});
      SgdStep s{.lr = 0.1,
                .momentum = momentum,
                .dampening = nesterov ? 0 : 0.2,
                .weight_decay = 0.1,
                .nesterov = nesterov,
                .maximize = true};
      for (int step = 0; step < 4; ++step) {
        s.first = step == 0;
        const Tensor g = random({kCount}, kDouble, static_cast<unsigned>(step));
        sgd_step_(p, g, buffer, s);
        for (int64_t i = 0; i < kCount; ++i) sgd(expected[static_cast<size_t>(i)], g[i].item<double>(), s);
      }
      const std::vector<double> got = values(p);
      for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i].p).epsilon(1e-12));
    }
  }
}

TEST_CASE("strided and 16-bit parameters take the same step") {
  const Tensor start = random({6, 5}, kFloat, 1), g = random({6, 5}, kFloat, 2);
  const auto step = [&](Tensor p, const Tensor& grad) {
    Tensor m = zeros({6, 5}, p.dtype()), v = m.clone(), none;
    adam_step_(p, grad, m, v, none, {.lr = 0.1});
    return p;
  };
  const Tensor expected = step(start.clone(), g);
  CHECK(values(step(start.t().contiguous().t(), g)) == values(expected));
  const std::vector<double> half = values(step(start.to(kBFloat16), g.to(kBFloat16))), exact = values(expected);
  for (size_t i = 0; i < half.size(); ++i) CHECK(half[i] == Approx(exact[i]).margin(0.02));
}

TEST_CASE("steps are the same on any number of threads and never recorded") {
  const Tensor start = random({100003}, kFloat, 1), g = random({100003}, kFloat, 2);
  CHECK(thread_independent([&] {
    Tensor p = start.clone(), m = zeros({100003}).clone(), v = m.clone(), none;
    adam_step_(p, g, m, v, none, {});
    return p;
  }));
  Tensor leaf = random({3}).requires_grad_(), buffer = zeros({3}).clone();
  sgd_step_(leaf, ones({3}).clone(), buffer, {.momentum = 0.5});
  CHECK(leaf.is_leaf());
}

TEST_CASE("steps check their tensors") {
  Tensor p = random({3}), none;
  CHECK_THROWS_WITH(sgd_step_(p, random({4}), none, {}),
                    ContainsSubstring("the gradient must have the parameter's shape (3,)"));
  CHECK_THROWS_WITH(sgd_step_(p, random({3}, kDouble), none, {}), ContainsSubstring("float64"));
  CHECK_THROWS_WITH(sgd_step_(p, random({3}), none, {.momentum = 0.9}), ContainsSubstring("momentum buffer"));
}
