"""Writes special_series-inl.h: Chebyshev series of what is smooth in some functions of mathematics.

Each is the interpolant at Chebyshev's points of the function computed with 60 digits (mpmath), cut where the terms fall
below 1e-17 of the largest. Run: python kernels/special_series.py > kernels/special_series-inl.h
"""
from mpmath import mp, mpf, cos, pi, exp, log, sqrt, besseli, besselk, airyai, airybi, sin, loggamma, log1p, inf, besselj, bessely

mp.dps = 60
ZETA_AT_2 = 4 * sqrt(mpf(2)) / 3  # 2/3 x^(3/2) at x = 2


def coefficients(f):
    """Of sum' c_k T_k(t), the first one halved already."""
    n = 80
    points = [cos(pi * (2 * j + 1) / (2 * n)) for j in range(n)]
    at = [f(t) for t in points]
    c = [sum(at[j] * cos(pi * k * (2 * j + 1) / (2 * n)) for j in range(n)) * 2 / n for k in range(n)]
    c[0] /= 2
    size = max(abs(x) for x in c)
    while abs(c[-1]) < size * mpf("1e-17"):
        c.pop()
    assert len(c) < n - 5
    return c


def far(least, f):
    """f at x = 2 least / (t + 1), from `least` to infinity."""
    return lambda t: f(2 * least / (t + 1))


def airy_waves(zeta, derivative):
    """F and G of (F sin - G cos) and (F cos + G sin) at zeta + pi / 4: Ai(-z) and Bi(-z), or Bi'(-z) and -Ai'(-z)."""
    z = (3 * zeta / 2) ** (mpf(2) / 3)
    s, c = sin(zeta + pi / 4), cos(zeta + pi / 4)
    if derivative:
        scale, a, b = sqrt(pi) / z ** mpf("0.25"), airybi(-z, derivative=1), -airyai(-z, derivative=1)
    else:
        scale, a, b = sqrt(pi) * z ** mpf("0.25"), airyai(-z), airybi(-z)
    return scale * (a * s + b * c), scale * (b * s - a * c)


def airy_decaying(zeta, derivative):
    x = (3 * zeta / 2) ** (mpf(2) / 3)
    power = -mpf(1) / 4 if derivative else mpf(1) / 4
    return 2 * sqrt(pi) * x**power * exp(zeta) * airyai(x, derivative=derivative)


def waves(n, x):
    """P and Q of sqrt(pi x / 2) (J + i Y) = (P + i Q) exp(i (x - n pi / 2 - pi / 4)): DLMF 10.17.3 and 10.17.4."""
    angle, scale = x - n * pi / 2 - pi / 4, sqrt(pi * x / 2)
    s, c, j, y = sin(angle), cos(angle), scale * besselj(n, x), scale * bessely(n, x)
    return j * c + y * s, y * c - j * s


def far_waves(n, k):
    """P or x Q as a function of 25 / x^2 = (t + 1) / 2."""
    return lambda t: (lambda x: waves(n, x)[k] * (x if k else 1))(sqrt(50 / (t + 1)))


def over_square(f):
    """f at x^2 = 12.5 (t + 1)."""
    return lambda t: f(sqrt(mpf(25) / 2 * (t + 1)))


def log1pmx(s):
    return (log1p(s) - s) / s**2 if abs(s) > mpf("1e-30") else mpf(-1) / 2


series = [
    ("i0e_near", "exp(-x) I0(x), x = 4 (t + 1)", lambda t: exp(-4 * (t + 1)) * besseli(0, 4 * (t + 1))),
    ("i0e_far", "sqrt(x) exp(-x) I0(x), x = 16 / (t + 1)", far(8, lambda x: sqrt(x) * exp(-x) * besseli(0, x))),
    ("i1e_near", "exp(-x) I1(x) / x, x = 4 (t + 1)",
     lambda t: exp(-4 * (t + 1)) * besseli(1, 4 * (t + 1)) / (4 * (t + 1))),
    ("i1e_far", "sqrt(x) exp(-x) I1(x), x = 16 / (t + 1)", far(8, lambda x: sqrt(x) * exp(-x) * besseli(1, x))),
    ("k0_near", "K0(x) + log(x / 2) I0(x), x^2 = 2 (t + 1)",
     lambda t: (lambda x: besselk(0, x) + log(x / 2) * besseli(0, x))(sqrt(2 * (t + 1)))),
    ("k0e_far", "sqrt(x) exp(x) K0(x), x = 4 / (t + 1)", far(2, lambda x: sqrt(x) * exp(x) * besselk(0, x))),
    ("k1_near", "x (K1(x) - log(x / 2) I1(x)), x^2 = 2 (t + 1)",
     lambda t: (lambda x: x * (besselk(1, x) - log(x / 2) * besseli(1, x)))(sqrt(2 * (t + 1)))),
    ("k1e_far", "sqrt(x) exp(x) K1(x), x = 4 / (t + 1)", far(2, lambda x: sqrt(x) * exp(x) * besselk(1, x))),
    ("j0_near", "J0(x), x^2 = 12.5 (t + 1)", over_square(lambda x: besselj(0, x))),
    ("j1_near", "J1(x) / x, x^2 = 12.5 (t + 1)", over_square(lambda x: besselj(1, x) / x)),
    ("y0_near", "Y0(x) - 2 / pi log(x) J0(x), x^2 = 12.5 (t + 1)",
     over_square(lambda x: bessely(0, x) - 2 / pi * log(x) * besselj(0, x))),
    ("y1_near", "(Y1(x) - 2 / pi (log(x) J1(x) - 1 / x)) / x, x^2 = 12.5 (t + 1)",
     over_square(lambda x: (bessely(1, x) - 2 / pi * (log(x) * besselj(1, x) - 1 / x)) / x)),
    ("wave0_p", "P of sqrt(pi x / 2) (J0 + i Y0) = (P + i Q) exp(i (x - pi / 4)), 50 / x^2 = t + 1", far_waves(0, 0)),
    ("wave0_q", "x Q of the same", far_waves(0, 1)),
    ("wave1_p", "P of sqrt(pi x / 2) (J1 + i Y1) = (P + i Q) exp(i (x - 3 pi / 4)), 50 / x^2 = t + 1",
     far_waves(1, 0)),
    ("wave1_q", "x Q of the same", far_waves(1, 1)),
    ("airy_middle", "Ai(x), x = 2 t", lambda t: airyai(2 * t)),
    ("airy_decaying", "2 sqrt(pi) x^(1/4) exp(z) Ai(x), z = 2/3 x^(3/2), t = 2 z(2) / z - 1",
     far(ZETA_AT_2, lambda z: airy_decaying(z, 0))),
    ("airy_sine", "F of sqrt(pi) x^(1/4) Ai(-x) = F sin(z + pi/4) - G cos(z + pi/4), t = 2 z(2) / z - 1",
     far(ZETA_AT_2, lambda z: airy_waves(z, 0)[0])),
    ("airy_cosine", "G of the same", far(ZETA_AT_2, lambda z: airy_waves(z, 0)[1])),
    ("airy_slope_middle", "Ai'(x), x = 2 t", lambda t: airyai(2 * t, derivative=1)),
    ("airy_slope_decaying", "2 sqrt(pi) x^(-1/4) exp(z) Ai'(x), z = 2/3 x^(3/2), t = 2 z(2) / z - 1",
     far(ZETA_AT_2, lambda z: airy_decaying(z, 1))),
    ("airy_slope_sine", "F of -sqrt(pi) x^(-1/4) Ai'(-x) = F cos(z + pi/4) + G sin(z + pi/4), t = 2 z(2) / z - 1",
     far(ZETA_AT_2, lambda z: airy_waves(z, 1)[0])),
    ("airy_slope_cosine", "G of the same", far(ZETA_AT_2, lambda z: airy_waves(z, 1)[1])),
    ("lgamma1p", "log(Gamma(1 + a)) / a, a = (t + 1) / 2", lambda t: loggamma(1 + (t + 1) / 2) * 2 / (t + 1)),
    ("log1pmx", "(log(1 + s) - s) / s^2, s = t / 2", lambda t: log1pmx(t / 2)),
]


def temme(orders=8, powers=16):
    """d(k, n) of the uniform expansion of the incomplete gamma functions: DLMF 8.12.12."""
    count = powers + 2 * orders + 4
    alpha = [mpf(0), mpf(1), mpf(1) / 3, mpf(1) / 36]
    for n in range(4, count + 3):
        alpha.append((alpha[n - 1] - sum(j * alpha[j] * alpha[n - j + 1] for j in range(2, n))) / (n + 1))
    # Stirling's g_k: exp(sum of B_2m / (2m (2m - 1) a^(2m - 1))) in powers of 1 / a.
    logs = [mpf(0)] * (orders + 1)
    for m in range(1, orders // 2 + 2):
        if 2 * m - 1 <= orders:
            logs[2 * m - 1] = mp.bernoulli(2 * m) / (2 * m * (2 * m - 1))
    g = [mpf(1)]
    for k in range(1, orders + 1):
        g.append(sum(j * logs[j] * g[k - j] for j in range(1, k + 1)) / k)
    rows = [[-mpf(1) / 3] + [(n + 2) * alpha[n + 2] for n in range(1, count)]]
    for k in range(1, orders):
        last = rows[-1]
        rows.append([(-1) ** k * g[k] * rows[0][n] + (n + 2) * last[n + 2] for n in range(len(last) - 2)])
    return [row[:powers] for row in rows]


def listed(numbers, indent):
    lines, line = [], indent
    for x in numbers:
        word = mp.nstr(x, 20, min_fixed=1, max_fixed=0) + ", "
        if len(line) + len(word) > 118:
            lines.append(line.rstrip())
            line = indent
        line += word
    return "\n".join(lines + [line.rstrip().rstrip(",")])


def main():
    print("""// Chebyshev series of functions of mathematics, for t in [-1, 1]; made by special_series.py.
//
// Included inside of a namespace, by arithmetic_special.h for single numbers and by vec_formulas-inl.h once per
// instruction set. Goal is the type that the result is rounded to.
namespace series {

template <int n>
struct Terms {
  double c[n];
};

/// How many terms matter to Goal.
template <class Goal, int n>
constexpr int count_terms(const Terms<n>& s) {
  if (sizeof(Goal) == 8) return n;
  double most = 0, rest = 0;
  for (double c : s.c) most = c > most ? c : -c > most ? -c : most;
  int count = n;
  for (; count > 1; --count) {
    rest += s.c[count - 1] > 0 ? s.c[count - 1] : -s.c[count - 1];
    if (rest > 2e-12 * most) break;
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

/// The sum of c[k] T_k(t): for double by Clenshaw's recurrence.
template <class V, int n>
STRATA_FORMULA V clenshaw(const double (&c)[n], V t) {
  V b1 = V(0), b2 = V(0);
  const V twice = t + t;
  for (int k = n - 1; k > 0; --k) {
    const V b = math::mul_add(twice, b1, V(c[k]) - b2);
    b2 = b1;
    b1 = b;
  }
  return math::mul_add(t, b1, V(c[0]) - b2);
}
""")
    for name, what, f in series:
        print(f"/// {what}.\ntemplate <class Goal, class V>\nSTRATA_FORMULA V {name}(V t) {{")
        numbers = coefficients(f)
        print(f"  constexpr Terms<{len(numbers)}> s = {{{{")
        print(listed(numbers, "      ") + "}};")
        print("  if constexpr (sizeof(Goal) == 8) {\n    return clenshaw(s.c, t);\n  } else {")
        print("    constexpr auto p = powers<count_terms<Goal>(s)>(s);\n    return power_sum(p.c, t);\n  }\n}\n")
    print("/// sum over k of c_k(h) / a^k, c_k the sum over n of d(k, n) h^n: the expansion of the incomplete gamma\n"
          "/// functions that is uniform around x = a (Temme 1979; DLMF 8.12.8), for large a and |h| < 0.4.\n"
          "template <class V>\nSTRATA_FORMULA V temme(V a, V h) {")
    rows = temme()
    print(f"  constexpr double d[{len(rows)}][{len(rows[0])}] = {{")
    print(",\n".join("      {\n" + listed(row, "          ") + "}" for row in rows) + "};")
    print(f"""  V sum = V(0);
  for (int k = {len(rows) - 1}; k >= 0; --k) sum = sum / a + power_sum(d[k], h);
  return sum;
}}

}}  // namespace series""")


main()
