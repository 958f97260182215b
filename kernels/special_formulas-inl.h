// The formulas of special functions that vectors have too, each written once: Note [Formulas].
//
// Included inside of a namespace after formulas-inl.h, by arithmetic_special.h for single numbers and by
// vec_formulas-inl.h once per instruction set. What `math::in_double<F>(x)` calls, F::of<Goal>(x), computes in double
// where x is a float too, whose results are then right but for the last rounding: that to Goal. `math::in_own<F>(x)`
// computes in the type of x, by F::of_floats where that is float.

/// Functions of so many instructions that their copies for several elements at once do harm.
struct Long {
  static constexpr bool kLong = true;
};

/// a[i] + a[i + 1] x + ..., without a loop: compilers that keep one read the numbers from memory in each round of it.
template <int i = 0, class V, int n>
STRATA_FORMULA V power_sum(const double (&a)[n], V x) {
  if constexpr (i + 1 == n)
    return V(a[i]);
  else
    return math::mul_add(power_sum<i + 1>(a, x), x, V(a[i]));
}

/// -x log(x), continued by its limit at 0; -inf below.
struct Entr {
  template <class T>
  STRATA_FORMULA T run(T x) {
    const T inside = math::select(x == T(0), T(0), -(x * math::log(x)));
    return math::select(x < T(0), T(-math::kInf<double>), inside);
  }
};

// --- the normal distribution ----------------------------------------------------------------------------------------

/// How far out the share `tail` of the standard normal distribution begins, for `normal_quantile`. Floats compute it
/// themselves: their results beyond the middle are right to two units of the last place.
template <class T>
STRATA_FORMULA T root_of_log(T tail) {
  return math::sqrt(-math::log(tail));
}
/// What of the standard normal distribution lies below its share 0.5 + q, and r = root_of_log(0.5 - |q|). Wichura's
/// algorithm AS 241 (1988), PPND16.
template <class V>
STRATA_FORMULA V normal_quantile(V q, V r) {
  constexpr double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                          1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                          3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr double b[] = {1,
                          4.2313330701600911252e+1,
                          6.8718700749205790830e+2,
                          5.3941960214247511077e+3,
                          2.1213794301586595867e+4,
                          3.9307895800092710610e+4,
                          2.8729085735721942674e+4,
                          5.2264952788528545610e+3};
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                          3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                          2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  const V inner = V(0.180625) - q * q;
  V above = q * power_sum(a, inner), below = power_sum(b, inner);
  const auto is_outer = math::abs(q) > V(0.425);
  const V near = r - V(1.6), far = r - V(5);
  V size = power_sum(c, near), share = power_sum(d, near);
  const auto is_far = r > V(5);
  if (math::any(is_far)) {
    const auto is_end = math::is_inf(r);
    size = math::select(is_far, math::select(is_end, V(math::kInf<double>), power_sum(e, far)), size);
    share = math::select(is_far, math::select(is_end, V(1), power_sum(f, far)), share);
  }
  above = math::select(is_outer, math::copysign(size, q), above);
  below = math::select(is_outer, share, below);
  return above / below;
}

/// Infinite at 0 and 1, NaN outside.
struct Ndtri : Long {
  template <class T>
  STRATA_FORMULA T run(T p) {
    return math::in_double<Ndtri>(p, root_of_log(math::select(p < T(0.5), p, T(1) - p)));
  }
  template <class Goal, class V>
  STRATA_FORMULA V of(V p, V r) {
    return normal_quantile(p - V(0.5), r);
  }
};

// --- the gamma function ---------------------------------------------------------------------------------------------

/// log |Gamma(x)| to some 12 digits, relative ones near its zeros at 1 and 2: by the recurrence to [2, 3), where
/// Cephes's rational function takes over, from 5 on by Stirling's series (DLMF 5.11.1), below 0 by reflection (5.5.3).
/// Doubles are the C library's.
struct Lgamma : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double_or<Lgamma, &special::lgamma>(x); }
  template <class V>
  STRATA_FORMULA V on_the_right(V x) {
    constexpr double p[] = {-8.53555664245765465627e5, -1.72173700820839662146e6, -1.16237097492762307383e6,
                            -3.31612992738871184744e5, -3.88016315134637840924e4, -1.37825152569120859100e3};
    constexpr double q[] = {-2.01889141433532773231e6,
                            -2.53252307177582951285e6,
                            -1.13933444367982507207e6,
                            -2.20528590553854454839e5,
                            -1.70642106651881159223e4,
                            -3.51815701436523470549e2,
                            1};
    constexpr double stirling[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
    const V one = V(1), two = V(2);
    const auto is_far = x >= V(5);
    V u = math::select(is_far, two, x), product = one;
    for (int i = 0; i < 2; ++i) {
      const auto is_above = u >= V(3), is_below = u < two;
      const V down = u - one, factor = math::select(is_above, down, math::select(is_below, u, one));
      product = product * factor;
      u = math::select(is_above, down, math::select(is_below, u + one, u));
    }
    const V t = u - two, log = math::log(math::select(is_far, x, product));
    const V near = math::mul_add(t, power_sum(p, t) / power_sum(q, t), math::select(x < two, -log, log));
    if (!math::any(is_far)) return near;
    const V inverse = one / x, series = inverse * power_sum(stirling, inverse * inverse);
    const V far = math::mul_add(x - V(0.5), log, series + (V(0.91893853320467274178) - x));
    return math::select(is_far, far, near);
  }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), infinity = V(math::kInf<double>);
    const auto is_negative = x < V(0);
    V y = on_the_right(size);
    if (math::any(is_negative)) {
      const V wave = math::sin((size - math::round(size)) * V(kPi));
      y = math::select(is_negative, V(1.14472988584940017414) - math::log(math::abs(size * wave)) - y, y);
    }
    return math::select(size == infinity, infinity, y);
  }
};

/// x, or 1 - x below 0, climbed by steps of 1 to 10 or more, and the sum of 1 / y^power over the steps as one fraction.
template <class V>
struct Climbed {
  V y, sum, product;
};
template <int power, class V>
STRATA_FORMULA Climbed<V> climbed(V x) {
  const V zero = V(0), one = V(1);
  Climbed<V> c{math::select(x < zero, one - x, x), zero, one};
  for (int i = 0; i < 10; ++i) {
    const auto is_small = c.y < V(10);
    const V factor = power == 2 ? c.y * c.y : c.y;
    c.sum = math::select(is_small, math::mul_add(c.sum, factor, c.product), c.sum);
    c.product = math::select(is_small, c.product * factor, c.product);
    c.y = math::select(is_small, c.y + one, c.y);
  }
  return c;
}

/// The derivative of lgamma, with PyTorch's limits: NaN at negative integers, -inf at +0, +inf at -0. By the recurrence
/// up to 10 (DLMF 5.5.2), the series of large x (5.11.2) and, below 0, the reflection (5.5.4).
struct Digamma : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<Digamma>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V zero = V(0), one = V(1);
    const auto is_negative = x < zero;
    const auto [y, sum, product] = climbed<1>(x);
    constexpr double kSeries[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
    const V inverse = one / y, z = inverse * inverse;
    const V series = math::mul_add(V(0.5), inverse, z * power_sum(kSeries, z));
    const V right = math::log(y) - series - sum / product;
    const V at_zero = math::copysign(V(math::kInf<double>), -x);
    V result = math::select(x == zero, at_zero, right);
    if (math::any(is_negative)) {
      const V rest = x - math::trunc(x), reflected = right - V(kPi) / math::tan(rest * V(kPi));
      result = math::select(is_negative, math::select(rest == zero, V(math::kNaN<double>), reflected), result);
    }
    return result;
  }
};

/// The derivative of digamma, by the same means; infinite at 0 and the negative integers.
struct Trigamma : Long {
  STRATA_FORMULA auto run(auto x, auto) { return math::in_double<Trigamma>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V zero = V(0), one = V(1);
    const auto is_negative = x < zero;
    const auto [y, sum, product] = climbed<2>(x);
    constexpr double kSeries[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6};
    const V inverse = one / y, z = inverse * inverse;
    const V series = math::mul_add(inverse, math::mul_add(z, power_sum(kSeries, z), one), z * V(0.5));
    const V right = sum / product + series;
    if (!math::any(is_negative)) return right;
    const V wave = math::sin((x - math::round(x)) * V(kPi));
    return math::select(is_negative, V(kPi * kPi) / (wave * wave) - right, right);
  }
};

/// Hurwitz's zeta(s, q) by Euler and Maclaurin's formula (after Cephes) where it is the sum of positive terms;
/// elsewhere, and for doubles, by special::zeta.
struct Zeta : Long {
  STRATA_FORMULA auto run(auto q, auto s) { return math::in_double_or<Zeta, &special::zeta_of>(q, s); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V q, V s) {
    // B_2k / (2k)!
    constexpr double kFactors[] = {1.0 / 12,       -1.0 / 720,     1.0 / 30240,
                                   -1.0 / 1209600, 1.0 / 47900160, -1.0 / 1.8924375803183791606e9};
    V sum = V(0), a = q, term = sum;
    for (int i = 0; i < 10; ++i) {
      if (i > 0) a = a + V(1);
      term = math::exp2(-s * math::log2(a));
      sum = sum + term;
    }
    sum = sum + term * (a / (s - V(1)) - V(0.5));
    V factor = s, k = s;
    for (const double f : kFactors) {
      term = term / a;
      sum = math::mul_add(factor * term, V(f), sum);
      factor = factor * (k + V(1)) * (k + V(2));
      term = term / a;
      k = k + V(2);
    }
    const auto is_plain = (q > V(0)) & (s > V(1)) & (s < V(1e4)) & math::is_finite(q);
    return math::any(!is_plain) ? math::select(is_plain, sum, math::each<&special::zeta_of>(q, s)) : sum;
  }
};
/// The n-th derivative of digamma, n > 1.
struct Polygamma : Long {
  STRATA_FORMULA auto run(auto x, auto n) { return math::in_double_or<Polygamma, &special::polygamma_of>(x, n); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x, V n) {
    return V(special::polygamma_scale(math::first(n))) * Zeta::of<Goal>(x, n + V(1));
  }
};

// --- the logistic function ------------------------------------------------------------------------------------------

/// log(x / (1 - x)) of x held between two numbers, plus `outside` where it was not between them: 0, or NaN where
/// nothing is to be held.
struct Logit {
  template <class T>
  STRATA_FORMULA T run(T x, T low, T high, T outside) {
    const T p = math::select(x < low, low, math::select(x > high, high, x));
    // Of the quotient's neighbourhood of 1, log(1 + (2 p - 1) / (1 - p)), with what the sum rounds away.
    const auto is_near = (p > T(0.25)) & (p < T(0.75));
    const T part = math::select(is_near, p + p - T(1), p) / (T(1) - p), odds = math::select(is_near, T(1) + part, part);
    const T lost = math::select(is_near, part - (odds - T(1)), T(0)) / math::select(is_near, odds, T(1));
    const T y = math::log(odds) + lost;
    return math::select((x < low) | (x > high), y + outside, y);
  }
};
/// g / (x (1 - x)) between the numbers, them included.
struct LogitBackward : Cheap {
  template <class T>
  STRATA_FORMULA T run(T g, T x, T low, T high, T outside) {
    return math::select((x < low) | (x > high), outside, g / (x * (T(1) - x)));
  }
};
