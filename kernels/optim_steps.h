// The steps of the optimizers and updates of gradients, for the kernels of both backends: which numbers they take, and
// their formulas' types.
#pragma once
#include <cmath>

#include "kernels/host_device.h"
#include "ops/optim_ops.h"

namespace strata::steps {

// Note [Optimizer steps]
// A step is a formula for one element of a parameter and its state: a struct of numbers in the type C that elements are
// computed in, made by `of(options)`, and an overload of `apply` in optim_formulas-inl.h for elements or vectors of
// them. Rates are what the learning rate and the count of steps have a part in; `rates_of` computes them in double, on
// the host, or, where a step is capturable, on the device.

struct AdamRates {
  double inverse_root_correction, step_size, shrink;
};
struct LearningRate {
  double lr;
};
/// `plain` is the size of a step along the mean gradient, `adaptive` of one that is divided by the root; one is 0.
struct RadamRates {
  double plain, adaptive, shrink;
};
struct NadamRates {
  double along_grad, along_mean, inverse_root_correction, shrink;
};
struct LionRates {
  double lr, shrink;
};
/// For steps whose numbers all stand in their options.
struct NoRates {};

/// What decoupled weight decay leaves of a parameter.
STRATA_HD double shrink_of(double lr, double weight_decay) { return std::fma(-lr, weight_decay, 1.0); }

STRATA_HD AdamRates rates_of(const AdamStep& s, double steps, double lr) {
  return {1 / std::sqrt(1 - std::pow(s.beta2, steps)), lr / (1 - std::pow(s.beta1, steps)),
          s.decoupled ? shrink_of(lr, s.weight_decay) : 1};
}
STRATA_HD LearningRate rates_of(const SgdStep&, double, double lr) { return {lr}; }
STRATA_HD LearningRate rates_of(const RmspropStep&, double, double lr) { return {lr}; }
STRATA_HD LearningRate rates_of(const AdagradStep& s, double steps, double lr) {
  return {lr / std::fma(steps - 1, s.lr_decay, 1.0)};
}
STRATA_HD LearningRate rates_of(const AdamaxStep& s, double steps, double lr) {
  return {lr / (1 - std::pow(s.beta1, steps))};
}
STRATA_HD LearningRate rates_of(const AdadeltaStep&, double, double lr) { return {lr}; }
STRATA_HD LionRates rates_of(const LionStep& s, double, double lr) { return {lr, shrink_of(lr, s.weight_decay)}; }
STRATA_HD RadamRates rates_of(const RadamStep& s, double steps, double lr) {
  const double power = std::pow(s.beta2, steps), correction = 1 - power, longest = 2 / (1 - s.beta2) - 1;
  const double length = longest - 2 * steps * power / correction, size = lr / (1 - std::pow(s.beta1, steps));
  const double shrink = s.decoupled ? shrink_of(lr, s.weight_decay) : 1;
  if (length <= 5) return {size, 0, shrink};
  const double rectified = std::sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
  return {0, size * rectified * std::sqrt(correction), shrink};
}
STRATA_HD NadamRates rates_of(const NadamStep& s, double steps, double lr) {
  return {lr * (1 - s.mu) / (1 - s.mu_product), lr * s.mu_next / (1 - s.mu_product * s.mu_next),
          1 / std::sqrt(1 - std::pow(s.beta2, steps)), s.decoupled ? shrink_of(lr, s.weight_decay) : 1};
}
STRATA_HD NoRates rates_of(const RpropStep&, double, double) { return {}; }
STRATA_HD NoRates rates_of(const AsgdStep&, double, double) { return {}; }

/// The rates by the count and the learning rate that the options hold.
template <class Step>
auto rates_of(const Step& s) {
  if constexpr (requires { s.step; })
    return rates_of(s, static_cast<double>(s.step), s.lr);
  else if constexpr (requires { s.lr; })
    return rates_of(s, 0, s.lr);
  else
    return rates_of(s, 0, 0);
}

/// For slots of param, grad, exp_avg, exp_avg_sq[, max_exp_avg_sq].
template <class C, bool amsgrad>
struct Adam {
  using Value = C;
  using Rates = AdamRates;
  static constexpr int kWidth = amsgrad ? 5 : 4;
  C sign, decay, one_minus_beta1, beta2, one_minus_beta2, eps;
  C inverse_root_correction, step_size, shrink;

  static Adam of(const AdamStep& s) {
    Adam f{};
    f.sign = s.maximize ? C(-1) : C(1);
    f.decay = static_cast<C>(s.decoupled ? 0 : s.weight_decay);
    f.one_minus_beta1 = static_cast<C>(1 - s.beta1);
    f.beta2 = static_cast<C>(s.beta2);
    f.one_minus_beta2 = static_cast<C>(1 - s.beta2);
    f.eps = static_cast<C>(s.eps);
    return f;
  }
  STRATA_HD void take(const Rates& r) {
    inverse_root_correction = static_cast<C>(r.inverse_root_correction);
    step_size = static_cast<C>(r.step_size);
    shrink = static_cast<C>(r.shrink);
  }
};

/// A step whose only rate is the learning rate.
template <class C>
struct ByLearningRate {
  using Value = C;
  using Rates = LearningRate;
  C sign, decay, lr;

  template <class Step>
  void begin(const Step& s) {
    sign = s.maximize ? C(-1) : C(1);
    decay = static_cast<C>(s.weight_decay);
  }
  STRATA_HD void take(const Rates& r) { lr = static_cast<C>(r.lr); }
};

/// For slots of param, grad[, momentum_buffer].
template <class C, bool has_momentum>
struct Sgd : ByLearningRate<C> {
  static constexpr int kWidth = has_momentum ? 3 : 2;
  C keep, take_in, ahead, now;

  static Sgd of(const SgdStep& s) {
    Sgd f{};
    f.begin(s);
    f.keep = static_cast<C>(s.first ? 0 : s.momentum);
    f.take_in = static_cast<C>(s.first ? 1 : 1 - s.dampening);
    f.ahead = static_cast<C>(s.nesterov ? s.momentum : 1);
    f.now = s.nesterov ? C(1) : C(0);
    return f;
  }
};

/// For slots of param, grad, square_avg[, grad_avg][, momentum_buffer].
template <class C, bool centered, bool has_momentum>
struct Rmsprop : ByLearningRate<C> {
  static constexpr int kWidth = 3 + centered + has_momentum;
  C alpha, one_minus_alpha, eps, momentum;

  static Rmsprop of(const RmspropStep& s) {
    Rmsprop f{};
    f.begin(s);
    f.alpha = static_cast<C>(s.alpha);
    f.one_minus_alpha = static_cast<C>(1 - s.alpha);
    f.eps = static_cast<C>(s.eps);
    f.momentum = static_cast<C>(s.momentum);
    return f;
  }
};

/// For slots of param, grad, sum.
template <class C>
struct Adagrad : ByLearningRate<C> {
  static constexpr int kWidth = 3;
  C eps;

  static Adagrad of(const AdagradStep& s) {
    Adagrad f{};
    f.begin(s);
    f.eps = static_cast<C>(s.eps);
    return f;
  }
};

/// For slots of param, grad, exp_avg, exp_inf.
template <class C>
struct Adamax : ByLearningRate<C> {
  static constexpr int kWidth = 4;
  C one_minus_beta1, beta2, eps;

  static Adamax of(const AdamaxStep& s) {
    Adamax f{};
    f.begin(s);
    f.one_minus_beta1 = static_cast<C>(1 - s.beta1);
    f.beta2 = static_cast<C>(s.beta2);
    f.eps = static_cast<C>(s.eps);
    return f;
  }
};

/// What NAdam and RAdam share: moments as Adam's.
template <class C>
struct ByMoments {
  using Value = C;
  static constexpr int kWidth = 4;
  C sign, decay, one_minus_beta1, beta2, one_minus_beta2, eps, shrink;

  template <class Step>
  void begin(const Step& s) {
    sign = s.maximize ? C(-1) : C(1);
    decay = static_cast<C>(s.decoupled ? 0 : s.weight_decay);
    one_minus_beta1 = static_cast<C>(1 - s.beta1);
    beta2 = static_cast<C>(s.beta2);
    one_minus_beta2 = static_cast<C>(1 - s.beta2);
    eps = static_cast<C>(s.eps);
  }
};

/// For slots of param, grad, exp_avg, exp_avg_sq.
template <class C>
struct Nadam : ByMoments<C> {
  using Rates = NadamRates;
  C along_grad, along_mean, inverse_root_correction;

  static Nadam of(const NadamStep& s) {
    Nadam f{};
    f.begin(s);
    return f;
  }
  STRATA_HD void take(const Rates& r) {
    along_grad = static_cast<C>(r.along_grad);
    along_mean = static_cast<C>(r.along_mean);
    inverse_root_correction = static_cast<C>(r.inverse_root_correction);
    this->shrink = static_cast<C>(r.shrink);
  }
};

/// For slots of param, grad, exp_avg, exp_avg_sq.
template <class C>
struct Radam : ByMoments<C> {
  using Rates = RadamRates;
  C plain, adaptive;

  static Radam of(const RadamStep& s) {
    Radam f{};
    f.begin(s);
    return f;
  }
  STRATA_HD void take(const Rates& r) {
    plain = static_cast<C>(r.plain);
    adaptive = static_cast<C>(r.adaptive);
    this->shrink = static_cast<C>(r.shrink);
  }
};

/// For slots of param, grad, square_avg, acc_delta.
template <class C>
struct Adadelta : ByLearningRate<C> {
  static constexpr int kWidth = 4;
  C rho, one_minus_rho, eps;

  static Adadelta of(const AdadeltaStep& s) {
    Adadelta f{};
    f.begin(s);
    f.rho = static_cast<C>(s.rho);
    f.one_minus_rho = static_cast<C>(1 - s.rho);
    f.eps = static_cast<C>(s.eps);
    return f;
  }
};

/// A step that takes nothing from rates.
template <class C>
struct WithoutRates {
  using Value = C;
  using Rates = NoRates;
  STRATA_HD void take(const Rates&) {}
};

/// For slots of param, grad, prev, step_size.
template <class C>
struct Rprop : WithoutRates<C> {
  static constexpr int kWidth = 4;
  C sign, eta_minus, eta_plus, min_step, max_step;

  static Rprop of(const RpropStep& s) {
    Rprop f{};
    f.sign = s.maximize ? C(-1) : C(1);
    f.eta_minus = static_cast<C>(s.eta_minus);
    f.eta_plus = static_cast<C>(s.eta_plus);
    f.min_step = static_cast<C>(s.min_step);
    f.max_step = static_cast<C>(s.max_step);
    return f;
  }
};

/// For slots of param, grad, ax.
template <class C>
struct Asgd : WithoutRates<C> {
  static constexpr int kWidth = 3;
  C sign, decay, eta, shrink, mu;

  static Asgd of(const AsgdStep& s) {
    Asgd f{};
    f.sign = s.maximize ? C(-1) : C(1);
    f.decay = static_cast<C>(s.weight_decay);
    f.eta = static_cast<C>(s.eta);
    f.shrink = static_cast<C>(1 - s.lambd * s.eta);
    f.mu = static_cast<C>(s.mu);
    return f;
  }
};

/// For slots of param, grad, exp_avg.
template <class C>
struct Lion {
  using Value = C;
  using Rates = LionRates;
  static constexpr int kWidth = 3;
  C sign, one_minus_beta1, one_minus_beta2, lr, shrink;

  static Lion of(const LionStep& s) {
    Lion f{};
    f.sign = s.maximize ? C(-1) : C(1);
    f.one_minus_beta1 = static_cast<C>(1 - s.beta1);
    f.one_minus_beta2 = static_cast<C>(1 - s.beta2);
    return f;
  }
  STRATA_HD void take(const Rates& r) {
    lr = static_cast<C>(r.lr);
    shrink = static_cast<C>(r.shrink);
  }
};

// Updates of one tensor, for lists of gradients.

template <class C>
struct Scale {
  using Value = C;
  struct Rates {
    double factor;
  };
  static constexpr int kWidth = 1;
  C factor;

  STRATA_HD void take(const Rates& r) { factor = static_cast<C>(r.factor); }
  /// Is the factor 1, so that scaling by it would change nothing?
  STRATA_HD bool is_idle() const { return factor == C(1); }
};

/// Scales so that a norm, which the rates hold, becomes at most `max_norm`.
template <class C>
struct ClipNorm : Scale<C> {
  using typename Scale<C>::Rates;
  double max_norm;

  STRATA_HD void take(const Rates& r) {
    const double factor = max_norm / (r.factor + 1e-6);
    Scale<C>::take({factor > 1 ? 1 : factor});
  }
};

template <class C>
struct Clamp {
  using Value = C;
  static constexpr int kWidth = 1;
  C min, max;
};

template <class C>
struct Zero {
  using Value = C;
  static constexpr int kWidth = 1;
};

/// use(formula) with the formula that the options ask for; its rates are still to be taken.
template <class C, class Use>
void with_formula(const AdamStep& s, Use use) {
  if (s.amsgrad) return use(Adam<C, true>::of(s));
  use(Adam<C, false>::of(s));
}
template <class C, class Use>
void with_formula(const SgdStep& s, Use use) {
  if (s.momentum != 0) return use(Sgd<C, true>::of(s));
  use(Sgd<C, false>::of(s));
}
template <class C, class Use>
void with_formula(const RmspropStep& s, Use use) {
  if (s.centered && s.momentum != 0) return use(Rmsprop<C, true, true>::of(s));
  if (s.centered) return use(Rmsprop<C, true, false>::of(s));
  if (s.momentum != 0) return use(Rmsprop<C, false, true>::of(s));
  use(Rmsprop<C, false, false>::of(s));
}
template <class C, class Use>
void with_formula(const AdagradStep& s, Use use) {
  use(Adagrad<C>::of(s));
}
template <class C, class Use>
void with_formula(const AdamaxStep& s, Use use) {
  use(Adamax<C>::of(s));
}
template <class C, class Use>
void with_formula(const NadamStep& s, Use use) {
  use(Nadam<C>::of(s));
}
template <class C, class Use>
void with_formula(const RadamStep& s, Use use) {
  use(Radam<C>::of(s));
}
template <class C, class Use>
void with_formula(const AdadeltaStep& s, Use use) {
  use(Adadelta<C>::of(s));
}
template <class C, class Use>
void with_formula(const RpropStep& s, Use use) {
  use(Rprop<C>::of(s));
}
template <class C, class Use>
void with_formula(const AsgdStep& s, Use use) {
  use(Asgd<C>::of(s));
}
template <class C, class Use>
void with_formula(const LionStep& s, Use use) {
  use(Lion<C>::of(s));
}

}  // namespace strata::steps
