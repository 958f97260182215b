// Sums of Chebyshev series, which special_series-inl.h has of functions of mathematics. Included by it inside of its
// namespace. Goal is the type that the result is rounded to, or InFloats.

template <int n>
struct Terms {
  double c[n];
};

/// The goal of sums that are computed in floats too.
struct InFloats {};

/// How many terms matter to Goal.
template <class Goal, int n>
constexpr int count_terms(const Terms<n>& s) {
  if (sizeof(Goal) == 8) return n;
  constexpr double kShare = std::is_same_v<Goal, InFloats> ? 1e-8 : 2e-12;
  double most = 0, rest = 0;
  for (double c : s.c) most = c > most ? c : -c > most ? -c : most;
  int count = n;
  for (; count > 1; --count) {
    rest += s.c[count - 1] > 0 ? s.c[count - 1] : -s.c[count - 1];
    if (rest > kShare * most) break;
  }
  return count;
}

/// The first m terms as a sum of powers of t, which loses digits that floats do not have.
template <int m, int n>
constexpr Terms<m> powers(const Terms<n>& s) {
  Terms<m> sum{}, before{}, now{};
  before.c[0] = 1;
  sum.c[0] = s.c[0];
  if (m > 1) now.c[1] = 1, sum.c[1] = s.c[1];
  for (int k = 2; k < m; ++k) {
    Terms<m> next{};
    for (int i = 0; i < m; ++i) next.c[i] = (i > 0 ? 2 * now.c[i - 1] : 0) - before.c[i];
    before = now;
    now = next;
    for (int i = 0; i < m; ++i) sum.c[i] += s.c[k] * now.c[i];
  }
  return sum;
}

/// The last k + 1 steps of Clenshaw's recurrence; without a loop, as `power_sum`.
template <int k, class V, int n>
STRATA_FORMULA V clenshaw_from(const double (&c)[n], V t, V b1, V b2) {
  if constexpr (k == 0)
    return math::mul_add(t, b1, V(c[0]) - b2);
  else
    return clenshaw_from<k - 1>(c, t, math::mul_add(t + t, b1, V(c[k]) - b2), b1);
}

/// The sum of c[k] T_k(t): for double by Clenshaw's recurrence.
template <class V, int n>
STRATA_FORMULA V clenshaw(const double (&c)[n], V t) {
  return clenshaw_from<n - 1>(c, t, V(0), V(0));
}

/// The series whose terms `terms()` gives, at t in [-1, 1], to the digits that Goal has.
template <class Goal, class V, class F>
STRATA_FORMULA V sum_of(V t, F terms) {
  constexpr auto s = terms();
  if constexpr (sizeof(Goal) == 8) {
    return clenshaw(s.c, t);
  } else {
    constexpr auto p = powers<count_terms<Goal>(s)>(s);
    return power_sum(p.c, t);
  }
}
