// A cart that balances a pole (Barto, Sutton and Anderson 1983), many at once.
#pragma once
#include <strata/strata.h>

#include <numbers>

namespace ppo {

using strata::Tensor;

/// Many carts at once; the constants are those of Gym's CartPole-v1.
class Carts {
 public:
  explicit Carts(int64_t count) : state_(start(count)), age_(strata::zeros({count})) {}

  /// Place and speed of the cart, angle and speed of the pole: `(N, 4)`.
  const Tensor& state() const { return state_; }

  struct Step {
    Tensor fell;     ///< `(N,)`, true where the pole fell or the cart left
    Tensor ended;    ///< the same, or 500 steps were done
    Tensor last;     ///< `(N, 4)`, the states before carts started anew
    Tensor lengths;  ///< of the episodes that ended, one for each
  };

  /// `push` is `(N,)`, 0 for left and 1 for right. Carts whose episode ended start anew.
  Step step(const Tensor& push) {
    constexpr double kGravity = 9.8, kPole = 0.1, kMass = 1.1, kHalf = 0.5, kForce = 10, kSeconds = 0.02;
    const auto s = state_.unbind(1);
    const Tensor force = (2 * push - 1) * kForce, cosine = s[2].cos(), sine = s[2].sin();
    const Tensor part = (force + kPole * kHalf * s[3].square() * sine) / kMass;
    const Tensor turn = (kGravity * sine - cosine * part) / (kHalf * (4.0 / 3 - kPole * cosine.square() / kMass));
    const Tensor acceleration = part - kPole * kHalf * turn * cosine / kMass;
    state_ = strata::stack(
        {s[0] + kSeconds * s[1], s[1] + kSeconds * acceleration, s[2] + kSeconds * s[3], s[3] + kSeconds * turn}, 1);
    age_ = age_ + 1;
    const Tensor fell = (state_.select(1, 0).abs() > 2.4) | (state_.select(1, 2).abs() > std::numbers::pi / 15);
    const Tensor ended = fell | (age_ >= 500);
    Step step = {fell, ended, state_, age_.masked_select(ended)};
    state_ = strata::where(ended.unsqueeze(1), start(ended.size(0)), state_);
    age_ = age_.masked_fill(ended, 0);
    return step;
  }

 private:
  static Tensor start(int64_t count) { return strata::rand({count, 4}) * 0.1 - 0.05; }

  Tensor state_, age_;
};

}  // namespace ppo
