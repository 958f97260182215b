// Loss scaling against what PyTorch's GradScaler does: growth, backoff, skipped steps, misuse, files.
#include "optim/grad_scaler.h"

#include <strata/strata.h>

#include <limits>
#include <sstream>

#include "test/catch.h"

using namespace strata;
using namespace strata::optim;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

struct Setup {
  explicit Setup(GradScalerOptions options = {}) : scaler(options) {}
  void set_gradients(float a, float b) { first.mutable_grad() = full({3}, a), second.mutable_grad() = full({2, 2}, b); }
  /// A step with these gradients, which are the scaled ones; was it taken?
  bool run(float a, float b) {
    set_gradients(a, b);
    const bool taken = scaler.step(optimizer);
    scaler.update();
    return taken;
  }
  Tensor first = zeros({3}).set_requires_grad(true), second = zeros({2, 2}).set_requires_grad(true);
  SGD optimizer{std::vector<Tensor>{first, second}, SGDOptions(1)};
  GradScaler scaler;
};

GradScalerOptions small() { return GradScalerOptions().init_scale(8).growth_interval(3); }

}  // namespace

TEST_CASE("a step divides gradients by the factor") {
  Setup s;
  CHECK(s.scaler.get_scale() == 65536);
  CHECK(s.scaler.scale(tensor({2.0f})).item<float>() == 131072);
  CHECK(s.run(65536, 131072));
  CHECK(s.first.detach().equal(full({3}, -1.0f)));
  CHECK(s.second.detach().equal(full({2, 2}, -2.0f)));
  CHECK(s.scaler.growth_tracker() == 1);
}

TEST_CASE("an infinite gradient or a NaN skips the step and halves the factor") {
  for (const float bad : {kInf, -kInf, kNan}) {
    Setup s(small());
    CHECK(s.run(8, 8));
    CHECK(!s.run(8, bad));
    CHECK(s.scaler.get_scale() == 4);
    CHECK(s.scaler.growth_tracker() == 0);
    CHECK(s.first.detach().equal(full({3}, -1.0f)));
    CHECK(s.run(4, 4));
    CHECK(s.first.detach().equal(full({3}, -2.0f)));
  }
}

TEST_CASE("the factor grows after an interval of good steps, up to what float32 holds") {
  Setup s(small());
  for (const double expected : {8.0, 8.0, 16.0, 16.0, 16.0, 32.0}) {
    s.run(1, 1);
    CHECK(s.scaler.get_scale() == expected);
  }
  s.run(1, kInf);
  for (const double expected : {16.0, 16.0, 32.0}) {
    s.run(1, 1);
    CHECK(s.scaler.get_scale() == expected);
  }
  Setup big(GradScalerOptions().init_scale(2e38).growth_interval(1));
  big.run(1, 1);
  CHECK(big.scaler.get_scale() == 2e38);
}

TEST_CASE("two optimizers: one step is skipped, the factor falls for both") {
  Setup s(small());
  Tensor other = zeros({2}).set_requires_grad(true);
  SGD second(std::vector<Tensor>{other}, SGDOptions(1));
  s.set_gradients(8, 8);
  other.mutable_grad() = full({2}, kInf);
  CHECK(s.scaler.step(s.optimizer));
  CHECK(!s.scaler.step(second));
  s.scaler.update();
  CHECK(s.scaler.get_scale() == 4);
  CHECK(other.detach().equal(zeros({2})));
}

TEST_CASE("gradients are unscaled once, so that they can be clipped") {
  Setup s(small());
  s.set_gradients(8, 16);
  s.second.mutable_grad() = Tensor();
  s.scaler.unscale_(s.optimizer);
  CHECK(s.first.grad().equal(ones({3})));
  CHECK_THROWS_WITH(s.scaler.unscale_(s.optimizer), ContainsSubstring("since the last update()"));
  CHECK(s.scaler.step(s.optimizer));
  CHECK(s.first.detach().equal(full({3}, -1.0f)));
  CHECK_THROWS_WITH(s.scaler.step(s.optimizer), ContainsSubstring("step()"));
  CHECK_THROWS_WITH(s.scaler.unscale_(s.optimizer), ContainsSubstring("after step()"));
  s.scaler.update();
  s.set_gradients(8, 8);
  s.scaler.unscale_(s.optimizer);
}

TEST_CASE("misuse is named") {
  Setup s;
  CHECK_THROWS_WITH(s.scaler.update(), ContainsSubstring("before update()"));
  CHECK_THROWS_WITH(s.scaler.step(s.optimizer), ContainsSubstring("no parameter"));
  Tensor half = zeros({2}, kHalf).set_requires_grad(true);
  SGD of_half(std::vector<Tensor>{half}, SGDOptions(1));
  half.mutable_grad() = ones({2}, kHalf);
  GradScaler scaler;
  CHECK_THROWS_WITH(scaler.step(of_half), ContainsSubstring("float16"));
  CHECK_THROWS_WITH(GradScaler(GradScalerOptions().growth_factor(1)), ContainsSubstring("growth factor"));
  CHECK_THROWS_WITH(GradScaler(GradScalerOptions().backoff_factor(1)), ContainsSubstring("backoff factor"));
}

TEST_CASE("a factor can be set, and a scaler switched off") {
  Setup s(small());
  s.set_gradients(8, 8);
  s.scaler.step(s.optimizer);
  s.scaler.update(100);
  CHECK(s.scaler.get_scale() == 100);
  Setup off(GradScalerOptions().enabled(false));
  CHECK(off.scaler.scale(tensor({2.0f})).item<float>() == 2);
  CHECK(off.run(1, 2));
  CHECK(off.first.detach().equal(full({3}, -1.0f)));
  CHECK(off.scaler.get_scale() == 1);
}

TEST_CASE("a scaler is saved and goes on where it was") {
  Setup s(small());
  s.run(1, 1), s.run(1, 1);
  std::stringstream file;
  serialize::OutputArchive out;
  out << s.scaler;
  out.save_to(file);
  serialize::InputArchive in;
  in.load_from(file);
  Setup t;
  in >> t.scaler;
  CHECK(t.scaler.get_scale() == 8);
  CHECK(t.scaler.growth_tracker() == 2);
  t.run(1, 1);
  CHECK(t.scaler.get_scale() == 16);
}

TEST_CASE("float16 gradients that would vanish survive scaling, and an overflow is found") {
  const Tensor x = full({1, 1}, 1e-4f);
  const auto gradient = [&](double scale) {
    Tensor w = ones({1, 1}).set_requires_grad(true);
    SGD optimizer(std::vector<Tensor>{w}, SGDOptions(1));
    GradScaler scaler(GradScalerOptions().init_scale(scale));
    Tensor loss;
    {
      const AutocastGuard guard(kCPU, kHalf);
      loss = (linear(x, w).to(kFloat) * 1e-4).sum();
    }
    scaler.scale(loss).backward();
    const bool taken = scaler.step(optimizer);
    scaler.update();
    return taken ? w.grad().item<float>() : kInf;
  };
  CHECK(gradient(1) == Approx(0).margin(1e-9));
  CHECK(gradient(65536) == Approx(1e-8).epsilon(0.01));
  CHECK(gradient(1e14) == kInf);
}
