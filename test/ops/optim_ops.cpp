// Tests of the fused optimizer steps against the formulas, written out for one element.
#include "ops/optim_ops.h"

#include <cmath>

#include "dispatcher/call.h"
#include "ops/cast.h"
#include "ops/optim_ops_def.h"
#include "ops/shaping.h"
#include "ops/view.h"
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

void rmsprop(Element& e, double g, const RmspropStep& s) {
  if (s.maximize) g = -g;
  g += s.weight_decay * e.p;
  e.v = s.alpha * e.v + (1 - s.alpha) * g * g;
  e.m = s.alpha * e.m + (1 - s.alpha) * g;
  const double move = g / (std::sqrt(s.centered ? e.v - e.m * e.m : e.v) + s.eps);
  e.top = s.momentum * e.top + move;
  e.p -= s.lr * e.top;
}

void adagrad(Element& e, double g, const AdagradStep& s) {
  if (s.maximize) g = -g;
  g += s.weight_decay * e.p;
  e.v += g * g;
  e.p -= s.lr / (1 + static_cast<double>(s.step - 1) * s.lr_decay) * g / (std::sqrt(e.v) + s.eps);
}

constexpr int64_t kCount = 37;

/// Four steps of two parameters at once against the formula: `take(slots, step)` and `formula(element, gradient)`.
template <class Slot, class Take, class Formula>
void check_steps(const std::vector<Slot>& slots, Take take, Formula formula) {
  std::vector<std::vector<Element>> expected(slots.size());
  for (size_t i = 0; i < slots.size(); ++i)
    for (double x : values(slots[i].param)) expected[i].push_back({x});
  for (int64_t step = 1; step <= 4; ++step) {
    for (size_t i = 0; i < slots.size(); ++i) {
      Tensor grad = slots[i].grad;
      grad.copy_(random_tensor(grad.sizes(), kDouble, static_cast<unsigned>(10 * step + static_cast<int64_t>(i))));
      const std::vector<double> g = values(grad);
      for (size_t j = 0; j < g.size(); ++j) formula(expected[i][j], g[j], step);
    }
    take(step);
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const std::vector<double> got = values(slots[i].param);
    for (size_t j = 0; j < got.size(); ++j) CHECK(got[j] == Approx(expected[i][j].p).epsilon(1e-11));
    CHECK(slots[i].param._version() == 4);
  }
}

}  // namespace

TEST_CASE("adam steps follow the formula") {
  for (bool amsgrad : {false, true}) {
    for (bool decoupled : {false, true}) {
      Tensor p = random_tensor({kCount}, kDouble, 1), m = zeros({kCount}, kDouble), v = m.clone(), top = m.clone();
      std::vector<Element> expected;
      for (double x : values(p)) expected.push_back({x});
      AdamStep s{.lr = 0.1, .weight_decay = 0.3, .decoupled = decoupled, .amsgrad = amsgrad};
      for (s.step = 1; s.step <= 4; ++s.step) {
        const Tensor g = random_tensor({kCount}, kDouble, static_cast<unsigned>(s.step));
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
      Tensor p = random_tensor({kCount}, kDouble, 1), buffer = momentum != 0 ? empty({kCount}, kDouble) : Tensor();
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
        const Tensor g = random_tensor({kCount}, kDouble, static_cast<unsigned>(step));
        sgd_step_(p, g, buffer, s);
        for (int64_t i = 0; i < kCount; ++i) sgd(expected[static_cast<size_t>(i)], g[i].item<double>(), s);
      }
      const std::vector<double> got = values(p);
      for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i].p).epsilon(1e-12));
    }
  }
}

TEST_CASE("rmsprop steps follow the formula") {
  const auto zero = [](int64_t n) { return zeros({n}, kDouble); };
  for (const bool centered : {false, true}) {
    for (const double momentum : {0.0, 0.8}) {
      std::vector<RmspropSlot> slots;
      for (const int64_t n : {kCount, int64_t{5}})
        slots.push_back({random_tensor({n}, kDouble, 1), zero(n), zero(n), zero(n), zero(n)});
      const RmspropStep s{.lr = 0.1, .alpha = 0.9, .weight_decay = 0.3, .momentum = momentum, .centered = centered};
      check_steps(
          slots, [&](int64_t) { rmsprop_steps_(slots, s); }, [&](Element& e, double g, int64_t) { rmsprop(e, g, s); });
    }
  }
}

TEST_CASE("adagrad steps follow the formula") {
  for (const bool maximize : {false, true}) {
    std::vector<AdagradSlot> slots;
    for (const int64_t n : {kCount, int64_t{5}})
      slots.push_back({random_tensor({n}, kDouble, 1), zeros({n}, kDouble), zeros({n}, kDouble)});
    AdagradStep s{.lr = 0.1, .lr_decay = 0.5, .weight_decay = 0.3, .maximize = maximize};
    check_steps(
        slots, [&](int64_t step) { s.step = step, adagrad_steps_(slots, s); },
        [&](Element& e, double g, int64_t step) { s.step = step, adagrad(e, g, s); });
  }
}

TEST_CASE("numbers in tensors give the same bits as numbers in options") {
  const Tensor lr = full({}, 0.1, kDouble).clone(), start = random_tensor({kCount}, kFloat, 1),
               grad = random_tensor({kCount}, kFloat, 2);
  const auto zero = [] { return zeros({kCount}); };
  const SgdStep sgd_numbers{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.3};
  const SgdSlot a{start.clone(), grad, zero()}, b{start.clone(), grad, zero()};
  sgd_steps_({&a, 1}, sgd_numbers);
  sgd_steps_({&b, 1}, sgd_numbers, lr);
  CHECK(a.param.equal(b.param));
  Tensor count = zeros({kStepCounts}, kDouble), other = zeros({kStepCounts}, kDouble);
  const RmspropSlot c{start.clone(), grad, zero(), {}, {}}, d{start.clone(), grad, zero(), {}, {}};
  const AdagradSlot e{start.clone(), grad, zero()}, f{start.clone(), grad, zero()};
  for (int64_t step = 1; step < 4; ++step) {
    rmsprop_steps_({&c, 1}, {.lr = 0.1});
    rmsprop_steps_({&d, 1}, {}, count, lr);
    adagrad_steps_({&e, 1}, {.lr = 0.1, .lr_decay = 0.3, .step = step});
    adagrad_steps_({&f, 1}, {.lr_decay = 0.3}, other, lr);
  }
  CHECK(c.param.equal(d.param));
  CHECK(e.param.equal(f.param));
  CHECK(count[0].item<double>() == 3);
  CHECK(other[0].item<double>() == 3);
  CHECK_THROWS_WITH(adagrad_steps_({&f, 1}, {}, zeros({2}, kDouble), lr), ContainsSubstring("shape (4,)"));
}

TEST_CASE("strided and 16-bit parameters take the same step") {
  const Tensor start = random_tensor({6, 5}, kFloat, 1), g = random_tensor({6, 5}, kFloat, 2);
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

TEST_CASE("the op of a step takes 16-bit tensors as they are") {
  for (const DType dtype : {kHalf, kBFloat16}) {
    const Tensor start = random_tensor({37}, kFloat, 1).to(dtype), g = random_tensor({37}, kFloat, 2).to(dtype);
    const auto step = [&](const Tensor& param, DType t) {
      Tensor p = param.to(t).clone(), m = full({37}, 0.25, t).clone();
      const Tensor grad = g.to(t);
      call_inplace(sgd_step_op, p, {&p, &grad, &m}, SgdParams{{.lr = 0.1, .momentum = 0.5}});
      CHECK(grad.equal(g.to(t)));
      return std::pair(p, m);
    };
    const auto [p, m] = step(start, dtype);
    const auto [wide_p, wide_m] = step(start, kFloat);
    CHECK(p.equal(wide_p.to(dtype)));
    CHECK(m.equal(wide_m.to(dtype)));
  }
  Tensor p = ones({4}).clone();
  const Tensor wrong = ones({4}, kDouble), strided = ones({8}).slice(0, 0, 8, 2);
  const SgdParams sgd{{.lr = 0.1}};
  CHECK_THROWS_WITH(call_inplace(sgd_step_op, p, {&p, &wrong}, sgd), ContainsSubstring("float32 and float64"));
  CHECK_THROWS_WITH(call_inplace(sgd_step_op, p, {&p, &strided}, sgd), ContainsSubstring("row-major"));
}

TEST_CASE("steps are the same on any number of threads and never recorded") {
  const Tensor start = random_tensor({100003}, kFloat, 1), g = random_tensor({100003}, kFloat, 2);
  CHECK(thread_independent([&] {
    Tensor p = start.clone(), m = zeros({100003}).clone(), v = m.clone(), none;
    adam_step_(p, g, m, v, none, {});
    return p;
  }));
  Tensor leaf = random_tensor({3}).requires_grad_(), buffer = zeros({3}).clone();
  sgd_step_(leaf, ones({3}).clone(), buffer, {.momentum = 0.5});
  CHECK(leaf.is_leaf());
}

TEST_CASE("steps check their tensors") {
  Tensor p = random_tensor({3}), none;
  CHECK_THROWS_WITH(sgd_step_(p, random_tensor({4}), none, {}),
                    ContainsSubstring("the gradient must have the parameter's shape (3,)"));
  CHECK_THROWS_WITH(sgd_step_(p, random_tensor({3}, kDouble), none, {}), ContainsSubstring("float64"));
  CHECK_THROWS_WITH(sgd_step_(p, random_tensor({3}), none, {.momentum = 0.9}), ContainsSubstring("momentum buffer"));
}
