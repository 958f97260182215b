// The formulas of orthogonal polynomials of degree n at x by their recurrences; 0 for n < 0, and n without its
// fraction.
//
// Included like special_formulas-inl.h, after it.

/// Steps of a recurrence that a kernel takes at most, more would seem to hang: NaN for higher degrees.
inline constexpr double kHighestDegree = 1e6;

/// p_n of p_0 = 1, p_1 = `first` and p_{k + 1} = Next::of(x, k, p_k, p_{k - 1}).
template <class Next, class V>
STRATA_FORMULA V recurrent(V x, V n, V first) {
  const V whole = math::trunc(n);
  V before = V(1), p = first, k = V(1);
  auto goes_on = (k < whole) & (whole <= V(kHighestDegree)) & (p == p);
  while (math::any(goes_on)) {
    const V after = Next::of(x, k, p, before);
    before = math::select(goes_on, p, before);
    p = math::select(goes_on, after, p);
    k = k + V(1);
    goes_on = goes_on & (k < whole) & (p == p);
  }
  const V low = math::select(whole == V(0), V(1), math::select(n == n, V(0), n));
  const V high = math::select(whole <= V(kHighestDegree), p, V(math::kNaN<double>));
  return math::select(whole >= V(1), high, low);
}

struct ChebyshevStep {
  template <class V>
  STRATA_FORMULA V of(V x, V, V p, V before) {
    return V(2) * x * p - before;
  }
};
/// The physicists' ones.
struct HermiteHStep {
  template <class V>
  STRATA_FORMULA V of(V x, V k, V p, V before) {
    return V(2) * (x * p - k * before);
  }
};
/// The probabilists' ones.
struct HermiteHeStep {
  template <class V>
  STRATA_FORMULA V of(V x, V k, V p, V before) {
    return x * p - k * before;
  }
};
struct LaguerreStep {
  template <class V>
  STRATA_FORMULA V of(V x, V k, V p, V before) {
    return ((k + k + V(1) - x) * p - k * before) / (k + V(1));
  }
};
struct LegendreStep {
  template <class V>
  STRATA_FORMULA V of(V x, V k, V p, V before) {
    return ((k + k + V(1)) * x * p - k * before) / (k + V(1));
  }
};

/// The first polynomial is scale x + shift.
template <class Step, int scale, int shift>
struct Recurrent : Long {
  STRATA_FORMULA auto run(auto x, auto n) { return math::in_double<Recurrent>(x, n); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V x, V n) {
    return recurrent<Step>(x, n, V(scale) * x + V(shift));
  }
};
using HermiteH = Recurrent<HermiteHStep, 2, 0>;
using HermiteHe = Recurrent<HermiteHeStep, 1, 0>;
using LaguerreL = Recurrent<LaguerreStep, -1, 1>;
using LegendreP = Recurrent<LegendreStep, 1, 0>;

/// Chebyshev's of the first to fourth kind, t, u, v and w, between -1 and 1 by their angle from some degree on; shifted
/// ones are those of 2 x - 1.
template <char kind, bool shifted>
struct Chebyshev : Long {
  STRATA_FORMULA auto run(auto x, auto n) { return math::in_double<Chebyshev>(x, n); }
  template <class Goal, class V>
  STRATA_FORMULA V of(V at, V n) {
    const V x = shifted ? at + at - V(1) : at, size = math::abs(x), one = V(1);
    const auto is_angle = (n > V(kind == 't' ? 6 : 8)) & (size < one);
    const V first = kind == 't' ? x : kind == 'u' ? x + x : kind == 'v' ? x + x - one : x + x + one;
    V y = recurrent<ChebyshevStep>(x, math::select(is_angle, V(0), n), first);
    if (math::any(is_angle)) y = math::select(is_angle, by_angle(math::acos(x), math::trunc(n)), y);
    const auto is_end = (n >= V(0)) & (size == one);
    return math::any(is_end) ? math::select(is_end, at_end(x, math::trunc(n)), y) : y;
  }
  template <class V>
  STRATA_FORMULA V by_angle(V angle, V n) {
    if constexpr (kind == 't') return math::cos(n * angle);
    if constexpr (kind == 'u') return math::sin((n + V(1)) * angle) / math::sin(angle);
    if constexpr (kind == 'v') return math::cos((n + V(0.5)) * angle) / math::cos(angle * V(0.5));
    return math::sin((n + V(0.5)) * angle) / math::sin(angle * V(0.5));
  }
  template <class V>
  STRATA_FORMULA V at_end(V x, V n) {
    const V half = n * V(0.5), sign = math::select(math::floor(half) == half, V(1), V(-1)), odd = n + n + V(1);
    const V right = kind == 't' || kind == 'v' ? V(1) : kind == 'u' ? n + V(1) : odd;
    const V left = kind == 't' || kind == 'w' ? V(1) : kind == 'u' ? n + V(1) : odd;
    return math::select(x > V(0), right, sign * left);
  }
};
