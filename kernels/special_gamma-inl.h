// The formulas of the regularized incomplete gamma functions.
//
// Included like special_formulas-inl.h, after it, by special_gamma.h and by vec_formulas-inl.h.

/// P(a, x) and Q(a, x) = 1 - P(a, x) of floats, by the power series (DLMF 8.7.1) around and below a and the continued
/// fraction (8.9.2) beyond, in double, which leaves enough digits of the smaller of the two. Where they would not be
/// enough, and for doubles, special::gamma_p and gamma_q.
template <class V>
STRATA_FORMULA V gamma_p_series(V a, V x) {
  V term = V(1), sum = V(1), n = V(1);
  auto goes_on = x > V(0);
  while (math::any(goes_on)) {
    term = term * x / (a + n);
    sum = math::select(goes_on, sum + term, sum);
    goes_on = goes_on & (term > sum * V(1e-10));
    n = n + V(1);
  }
  return sum;
}
/// By Lentz's way of evaluating a continued fraction, where `goes_on`.
template <class V, class Condition>
STRATA_FORMULA V gamma_q_fraction(V a, V x, Condition goes_on) {
  V b = x + V(1) - a, c = V(1e300), d = V(1) / b, h = d;
  for (V n = V(1); math::any(goes_on); n = n + V(1)) {
    const V an = n * (a - n);
    b = b + V(2);
    d = V(1) / math::mul_add(an, d, b);
    c = b + an / c;
    const V change = d * c;
    h = math::select(goes_on, h * change, h);
    goes_on = goes_on & (math::abs(change - V(1)) > V(1e-10));
  }
  return h;
}

template <bool lower, double (*kScalar)(double, double)>
struct IncompleteGamma : Long {
  STRATA_FORMULA auto run(auto x, auto a) { return math::in_double_or<IncompleteGamma<lower, kScalar>, kScalar>(x, a); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x, V a) {
    const auto is_plain = (a >= V(0.01)) & (a <= V(200)) & (x > V(0)) & (x <= V(1e6));
    // Other lanes do not keep the loops going.
    const V order = math::select(is_plain, a, V(1)), at = math::select(is_plain, x, V(1));
    const auto is_beyond = at > order + V(3) * math::sqrt(order) + V(4);
    const V density = math::exp(order * math::log(at) - at - Lgamma::on_the_right(order + V(1)));
    const V p = density * gamma_p_series(order, math::select(is_beyond, V(0), at));
    V y = lower ? p : V(1) - p;
    if (math::any(is_beyond)) {
      const V q = density * order * gamma_q_fraction(order, at, is_beyond);
      y = math::select(is_beyond, lower ? V(1) - q : q, y);
    }
    return math::any(!is_plain) ? math::select(is_plain, y, math::each<kScalar>(x, a)) : y;
  }
};
using Gammainc = IncompleteGamma<true, &special::gamma_p>;
using Gammaincc = IncompleteGamma<false, &special::gamma_q>;
