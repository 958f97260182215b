// The formulas of the complementary error function and its relatives.
//
// Included like special_formulas-inl.h, after it and special_series-inl.h.

/// exp(y^2) erfc(y) by the rational functions of W. J. Cody (Mathematics of Computation 23, 1969; CALERF of 1990), for
/// y of 0.46875 and more; down to 0 right to 5e-12.
template <class V>
STRATA_FORMULA V erfcx_by_quotients(V y) {
  constexpr double c[] = {1.23033935479799725e3, 2.05107837782607147e3,  1.71204761263407058e3,
                          8.81952221241769090e2, 2.98635138197400131e2,  6.61191906371416295e1,
                          8.88314979438837594e0, 5.64188496988670089e-1, 2.15311535474403846e-8};
  constexpr double d[] = {1.23033935480374942e3, 3.43936767414372164e3, 4.36261909014324716e3,
                          3.29079923573345963e3, 1.62138957456669019e3, 5.37181101862009858e2,
                          1.17693950891312499e2, 1.57449261107098347e1, 1};
  constexpr double p[] = {6.58749161529837803e-4, 1.60837851487422766e-2, 1.25781726111229246e-1,
                          3.60344899949804439e-1, 3.05326634961232344e-1, 1.63153871373020978e-2};
  constexpr double q[] = {2.33520497626869185e-3, 6.05183413124413191e-2, 5.27905102951428412e-1,
                          1.87295284992346725e0,  2.56852019228982242e0,  1};
  const V near = power_sum(c, y) / power_sum(d, y);
  const auto is_far = y > V(4);
  if (!math::any(is_far)) return near;
  const V z = V(1) / (y * y), rest = z * power_sum(p, z) / power_sum(q, z);
  return math::select(is_far, (V(std::numbers::inv_sqrtpi) - rest) / y, near);
}
/// exp(y^2) erfc(y) to the digits that Goal has, for y of 0 and more: those of floats by one series for all y.
template <class Goal, class V>
STRATA_FORMULA V erfcx_right(V y) {
  if constexpr (sizeof(Goal) == 8) return erfcx_by_quotients(y);
  const V finite = math::select(y > V(1e100), V(1e100), y), inverse = V(1) / (finite + V(3));
  return series::scaled_erfc<Goal>((V(3) - finite) * inverse) * (inverse * V(3));
}
/// erf(x) for |x| up to 0.46875, after the same.
template <class V>
STRATA_FORMULA V erf_middle(V x) {
  constexpr double a[] = {3.20937758913846947e3, 3.77485237685302021e2, 1.13864154151050156e2, 3.16112374387056560e0,
                          1.85777706184603153e-1};
  constexpr double b[] = {2.84423683343917062e3, 1.28261652607737228e3, 2.44024637934444173e2, 2.36012909523441209e1,
                          1};
  const V z = x * x;
  return x * power_sum(a, z) / power_sum(b, z);
}
/// Where `erfcx_by_quotients` is not good enough for doubles.
template <class V>
STRATA_FORMULA auto is_middle(V size) {
  return size < V(0.46875);
}

/// A square and what its rounding lost.
template <class V>
struct ExactSquare {
  V high, low;
};
/// Of 40 where x is larger: the exponentials of its half are infinite or 0 already.
template <class V>
STRATA_FORMULA ExactSquare<V> square_for_exp(V size) {
  const V x = math::select(size > V(40), V(40), size), high = x * x;
  return {high, math::fma(x, x, -high)};
}
/// exp(by size^2) to the digits that Goal has; `by` is a power of 2 of either sign, from a half on.
template <class Goal, class V>
STRATA_FORMULA V exp_of_square(V size, V by) {
  if constexpr (sizeof(Goal) == 8) {
    const ExactSquare<V> s = square_for_exp(size);
    return math::exp(s.high * by) * (V(1) + s.low * by);
  }
  const V x = math::select(size > V(20), V(20), size);
  return math::exp_to_float(x * x * by);
}

/// erfc(x), given exp(x^2) erfc(|x|) and exp(-x^2).
template <class Goal, class V>
STRATA_FORMULA V erfc_of(V x, V scaled, V power) {
  const V tail = power * scaled, y = math::select(x < V(0), V(2) - tail, tail);
  if constexpr (sizeof(Goal) == 4) return y;
  const auto middle = is_middle(math::abs(x));
  return math::any(middle) ? math::select(middle, V(1) - erf_middle(x), y) : y;
}

struct Erfc : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<Erfc>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x);
    return erfc_of<Goal>(x, erfcx_right<Goal>(size), exp_of_square<Goal>(size, V(-1)));
  }
};
/// erf(x) to the digits of doubles.
template <class V>
STRATA_FORMULA V erf_by_parts(V x) {
  const V size = math::abs(x), middle = erf_middle(x);
  const auto is_far = !is_middle(size);
  if (!math::any(is_far)) return middle;
  const V tail = erfcx_right<double>(size) * exp_of_square<double>(size, V(-1));
  return math::select(is_far, math::copysign(V(1) - tail, x), middle);
}
/// exp(x^2) erfc(x)
struct Erfcx : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<Erfcx>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V size = math::abs(x), right = erfcx_right<Goal>(size);
    const auto is_negative = x < V(0), middle = is_middle(size);
    if (!math::any(is_negative | middle)) return right;
    const V power = exp_of_square<Goal>(size, V(1));
    const V y = math::select(is_negative, V(2) * power - right, right);
    if constexpr (sizeof(Goal) == 4) return y;
    return math::select(middle, power * (V(1) - erf_middle(x)), y);
  }
};
/// erfc(t) at t = x / sqrt(2), or that with the other sign, given exp(t^2) erfc(|t|). The square is taken of x, as the
/// rounding of t would show in its exponential.
template <class Goal, class V>
STRATA_FORMULA V erfc_of_normal(V x, V t, V scaled) {
  return erfc_of<Goal>(t, scaled, exp_of_square<Goal>(math::abs(x), V(-0.5)));
}
/// The logarithm of the share of the standard normal distribution below x.
struct LogNdtr : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_double<LogNdtr>(x); }
  /// log(1 - above) is that of the rounded difference and what its rounding lost.
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V t = x * V(0.70710678118654752440), scaled = erfcx_right<Goal>(math::abs(t)), half = V(0.5);
    const V above = erfc_of_normal<Goal>(x, t, scaled) * half, below = V(1) - above;
    const auto is_low = x < V(-1);
    const V log = math::log(math::select(is_low, scaled * half, below));
    return log + math::select(is_low, -(x * x * half), (V(1) - below - above) / below);
  }
};
/// The share of the standard normal distribution below x.
struct Ndtr : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_own<Ndtr>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V t = x * V(-0.70710678118654752440);
    return erfc_of_normal<Goal>(x, t, erfcx_right<Goal>(math::abs(t))) * V(0.5);
  }
  /// By the density where a tail is rare, by the integral's power series around 0.
  template <class V>
  STRATA_FORMULA V of_floats(V x) {
    constexpr double kSeries[] = {1,          -1.0 / 6,     1.0 / 40,     -1.0 / 336,
                                  1.0 / 3456, -1.0 / 42240, 1.0 / 599040, -1.0 / 9676800};
    constexpr double kDensityAtZero = 0.39894228040143267794;
    const V size = math::abs(x), one = V(1);
    const auto is_far = size > one;
    const V middle = math::fma(x * V(kDensityAtZero), power_sum(kSeries, x * x), V(0.5));
    if (!math::any(is_far)) return middle;
    const V far = math::select(size > V(30), V(30), size), beyond = far + one;  // tails below 1e-45 are 0
    const ExactSquare<V> s = square_for_exp(far);
    const V scaled = series::normal_tail<series::InFloats>((V(3) - far) / beyond) / beyond;
    const V tail = math::exp(s.high * V(-0.5)) * math::fma(scaled, s.low * V(-0.5), scaled);
    return math::select(is_far, math::select(x < V(0), tail, one - tail), middle);
  }
};

/// The inverse of erf; infinite at -1 and 1, NaN beyond.
struct Erfinv : Long {
  STRATA_FORMULA auto run(auto x) { return math::in_own<Erfinv>(x); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x) {
    const V r = root_of_log((V(1) - math::abs(x)) * V(0.5));
    return normal_quantile(x * V(0.5), r) * V(0.70710678118654752440);
  }
  template <class V>
  STRATA_FORMULA V of_floats(V x) {
    const V w = -math::log(math::fma(-x, x, V(1)));
    const V y = math::fma(x, series::erfinv_of_floats(w), x);
    return math::copysign(math::select(math::is_inf(w), V(math::kInf<double>), y), x);
  }
};
