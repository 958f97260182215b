// The optimizers' formulas, for elements or for vectors of them: Note [Optimizer steps].
//
// Included inside of a namespace, after optim_steps.h, once for each instruction set. `m` computes with values of type
// V: set(number), mul(a, b), sub(a, b), div(a, b), fma(a, b, c) = a b + c, neg_fma(a, b, c) = c - a b, add(a, b),
// min(a, b), max(a, b) (both b where one of them is NaN), sqrt(a) and if_positive(x, a, b) = x > 0 ? a : b. x[0] is the
// parameter, x[1] its gradient.

/// The gradient as the options have it: its sign, and weight decay added.
template <class M, class Formula, class V>
STRATA_HD V gradient(const M& m, const Formula& f, const V& param, const V& grad) {
  return m.fma(grad, m.set(f.sign), m.mul(param, m.set(f.decay)));
}

template <class M, class C, bool amsgrad, class V>
STRATA_HD void apply(const M& m, const steps::Adam<C, amsgrad>& f, V (&x)[amsgrad ? 5 : 4]) {
  const V p = m.mul(x[0], m.set(f.shrink)), g = gradient(m, f, p, x[1]);
  x[2] = m.fma(m.sub(g, x[2]), m.set(f.one_minus_beta1), x[2]);
  x[3] = m.fma(m.mul(g, g), m.set(f.one_minus_beta2), m.mul(x[3], m.set(f.beta2)));
  V second = x[3];
  if constexpr (amsgrad) x[4] = second = m.max(x[4], second);
  const V root = m.fma(m.sqrt(second), m.set(f.inverse_root_correction), m.set(f.eps));
  x[0] = m.neg_fma(m.set(f.step_size), m.div(x[2], root), p);
}

template <class M, class C, bool has_momentum, class V>
STRATA_HD void apply(const M& m, const steps::Sgd<C, has_momentum>& f, V (&x)[has_momentum ? 3 : 2]) {
  V move = gradient(m, f, x[0], x[1]);
  if constexpr (has_momentum) {
    V buffer = m.mul(move, m.set(f.take_in));
    if (f.keep != C(0)) buffer = m.fma(x[2], m.set(f.keep), buffer);
    x[2] = buffer;
    move = m.fma(buffer, m.set(f.ahead), m.mul(move, m.set(f.now)));
  }
  x[0] = m.neg_fma(m.set(f.lr), move, x[0]);
}

template <class M, class C, bool centered, bool has_momentum, class V>
STRATA_HD void apply(const M& m, const steps::Rmsprop<C, centered, has_momentum>& f,
                     V (&x)[3 + centered + has_momentum]) {
  const V g = gradient(m, f, x[0], x[1]);
  x[2] = m.fma(m.mul(g, g), m.set(f.one_minus_alpha), m.mul(x[2], m.set(f.alpha)));
  V variance = x[2];
  if constexpr (centered) {
    x[3] = m.fma(g, m.set(f.one_minus_alpha), m.mul(x[3], m.set(f.alpha)));
    variance = m.neg_fma(x[3], x[3], variance);
  }
  V move = m.div(g, m.add(m.sqrt(variance), m.set(f.eps)));
  if constexpr (has_momentum) {
    V& buffer = x[3 + centered];
    buffer = move = m.fma(buffer, m.set(f.momentum), move);
  }
  x[0] = m.neg_fma(m.set(f.lr), move, x[0]);
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Adagrad<C>& f, V (&x)[3]) {
  const V g = gradient(m, f, x[0], x[1]);
  x[2] = m.fma(g, g, x[2]);
  x[0] = m.neg_fma(m.set(f.lr), m.div(g, m.add(m.sqrt(x[2]), m.set(f.eps))), x[0]);
}

/// -1, 0 or 1; 0 for NaN.
template <class M, class V>
STRATA_HD V sign_of(const M& m, const V& x) {
  const V zero = m.set(0);
  return m.if_positive(x, m.set(1), m.if_positive(m.sub(zero, x), m.set(-1), zero));
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Adamax<C>& f, V (&x)[4]) {
  const V g = gradient(m, f, x[0], x[1]);
  x[2] = m.fma(m.sub(g, x[2]), m.set(f.one_minus_beta1), x[2]);
  const V size = m.max(g, m.sub(m.set(C(0)), g));
  x[3] = m.max(m.mul(x[3], m.set(f.beta2)), m.add(size, m.set(f.eps)));
  x[0] = m.neg_fma(m.set(f.lr), m.div(x[2], x[3]), x[0]);
}

/// Takes the gradient into both moments.
template <class M, class Formula, class V>
STRATA_HD void move_moments(const M& m, const Formula& f, const V& g, V& mean, V& square) {
  mean = m.fma(m.sub(g, mean), m.set(f.one_minus_beta1), mean);
  square = m.fma(m.mul(g, g), m.set(f.one_minus_beta2), m.mul(square, m.set(f.beta2)));
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Nadam<C>& f, V (&x)[4]) {
  const V p = m.mul(x[0], m.set(f.shrink)), g = gradient(m, f, p, x[1]);
  move_moments(m, f, g, x[2], x[3]);
  const V root = m.fma(m.sqrt(x[3]), m.set(f.inverse_root_correction), m.set(f.eps));
  const V move = m.fma(m.set(f.along_grad), g, m.mul(m.set(f.along_mean), x[2]));
  x[0] = m.sub(p, m.div(move, root));
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Radam<C>& f, V (&x)[4]) {
  const V p = m.mul(x[0], m.set(f.shrink)), g = gradient(m, f, p, x[1]);
  move_moments(m, f, g, x[2], x[3]);
  V size = m.set(f.plain);
  if (f.adaptive != C(0)) size = m.div(m.set(f.adaptive), m.add(m.sqrt(x[3]), m.set(f.eps)));
  x[0] = m.neg_fma(size, x[2], p);
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Adadelta<C>& f, V (&x)[4]) {
  const V g = gradient(m, f, x[0], x[1]), eps = m.set(f.eps);
  x[2] = m.fma(m.mul(g, g), m.set(f.one_minus_rho), m.mul(x[2], m.set(f.rho)));
  const V delta = m.mul(m.div(m.sqrt(m.add(x[3], eps)), m.sqrt(m.add(x[2], eps))), g);
  x[3] = m.fma(m.mul(delta, delta), m.set(f.one_minus_rho), m.mul(x[3], m.set(f.rho)));
  x[0] = m.neg_fma(m.set(f.lr), delta, x[0]);
}

/// Where the gradient has changed its sign, the step shrinks, and the weight stays where it is this time.
template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Rprop<C>& f, V (&x)[4]) {
  const V zero = m.set(C(0)), g = m.mul(x[1], m.set(f.sign)), same = m.mul(g, x[2]), turned = m.sub(zero, same);
  const V factor = m.if_positive(same, m.set(f.eta_plus), m.if_positive(turned, m.set(f.eta_minus), m.set(C(1))));
  x[3] = m.min(m.max(m.mul(x[3], factor), m.set(f.min_step)), m.set(f.max_step));
  x[2] = m.if_positive(turned, zero, g);
  x[0] = m.neg_fma(sign_of(m, x[2]), x[3], x[0]);
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Asgd<C>& f, V (&x)[3]) {
  const V g = gradient(m, f, x[0], x[1]);
  x[0] = m.neg_fma(m.set(f.eta), g, m.mul(x[0], m.set(f.shrink)));
  x[2] = f.mu == C(1) ? x[0] : m.fma(m.sub(x[0], x[2]), m.set(f.mu), x[2]);
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Lion<C>& f, V (&x)[3]) {
  const V change = m.sub(m.mul(x[1], m.set(f.sign)), x[2]);
  const V direction = sign_of(m, m.fma(change, m.set(f.one_minus_beta1), x[2]));
  x[0] = m.neg_fma(m.set(f.lr), direction, m.mul(x[0], m.set(f.shrink)));
  x[2] = m.fma(change, m.set(f.one_minus_beta2), x[2]);
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Scale<C>& f, V (&x)[1]) {
  x[0] = m.mul(x[0], m.set(f.factor));
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Clamp<C>& f, V (&x)[1]) {
  x[0] = m.min(m.set(f.max), m.max(m.set(f.min), x[0]));
}

template <class M, class C, class V>
STRATA_HD void apply(const M& m, const steps::Zero<C>&, V (&x)[1]) {
  x[0] = m.set(C(0));
}
