"""Writes special_series-inl.h: Chebyshev series of what is smooth in some functions of mathematics.

Each is the interpolant at Chebyshev's points of the function computed with 60 digits (mpmath), cut where the terms fall
below 1e-17 of the largest. Some functions of floats are computed in floats, by rational functions that lose few of their
digits. Run: python kernels/special_series.py > kernels/special_series-inl.h; script/format
"""
from mpmath import (mp, mpf, cos, pi, exp, expm1, log, sqrt, besseli, besselk, airyai, airybi, sin, loggamma, log1p, inf,
                    besselj, bessely, erfc, erfinv, lu_solve, matrix)

mp.dps = 60
ZETA_AT_2 = 4 * sqrt(mpf(2)) / 3  # 2/3 x^(3/2) at x = 2


def coefficients(f, least=mpf("1e-17")):
    """Of sum' c_k T_k(t), the first one halved already, without those below `least` of the largest."""
    n = 80
    points = [cos(pi * (2 * j + 1) / (2 * n)) for j in range(n)]
    at = [f(t) for t in points]
    c = [sum(at[j] * cos(pi * k * (2 * j + 1) / (2 * n)) for j in range(n)) * 2 / n for k in range(n)]
    c[0] /= 2
    size = max(abs(x) for x in c)
    while abs(c[-1]) < size * least:
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


def erfinv_over_x(w):
    """erfinv(x) / x at w = -log(1 - x^2)."""
    x = sqrt(-expm1(-w))
    return erfinv(x) / x if x else sqrt(pi) / 2


def normal_tail(a):
    return exp(a**2 / 2) * erfc(a / sqrt(2)) / 2


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
    ("normal_tail", "(1 + x) exp(x^2 / 2) (1 - ndtr(x)), t = (3 - x) / (1 + x)",
     far(2, lambda x: x * normal_tail(x - 1))),
]

# Of floats alone, to 1e-10 of the largest term.
series_of_floats = [
    ("scaled_erfc", "(1 + x / 3) exp(x^2) erfc(x), t = (3 - x) / (3 + x)",
     lambda t: (lambda x: (1 + x / 3) * exp(x**2) * erfc(x))(3 * (1 - t) / (1 + t))),
]

# Of floats: what they are, the degrees of numerator and denominator, and f at points in [0, b] that lie evenly in
# 1 / (c + x), since the functions vary most at 0.
rationals = [
    ("i1e_near_of_floats", "exp(-x) I1(x) / x, x in [0, 8]", lambda x: exp(-x) * besseli(1, x) / x, 5, 6, 8, 8),
    ("erfinv_of_floats", "erfinv(y) / y - 1, x = -log(1 - y^2) in [0, 16]", lambda x: erfinv_over_x(x) - 1, 5, 5, 16,
     12),
]


def points(n, b, c):
    """Chebyshev's points of 1 / (c + x), x in [0, b]."""
    low, high = 1 / mpf(c + b), 1 / mpf(c)
    return [2 / (low + high + (high - low) * cos(pi * (2 * j + 1) / (2 * n))) - c for j in range(n)]


def rational(f, n, d, at):
    """The coefficients of a numerator and of a denominator that begins with 1, whose quotient is f at the points."""
    rows = [[x**j for j in range(n + 1)] + [-f(x) * x**j for j in range(1, d + 1)] for x in at]
    solved = list(lu_solve(matrix(rows), matrix([f(x) for x in at])))
    return solved[:n + 1], [mpf(1)] + solved[n + 1:]


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


def print_series(name, what, numbers):
    print(f"/// {what}.\ntemplate <class Goal, class V>\nSTRATA_FORMULA V {name}(V t) {{")
    print(f"  return sum_of<Goal>(t, [] {{\n    return Terms<{len(numbers)}>{{{{")
    print(listed(numbers, "      ") + "}};\n  });\n}\n")


def main():
    print("""// Chebyshev series of functions of mathematics, for t in [-1, 1]; made by special_series.py.
//
// Included inside of a namespace, by arithmetic_special.h for single numbers and by vec_formulas-inl.h once per
// instruction set. Goal is the type that the result is rounded to.
namespace series {

#include "kernels/special_terms-inl.h"
""")
    for name, what, f in series:
        print_series(name, what, coefficients(f))
    for name, what, f in series_of_floats:
        print_series(name, what, coefficients(f, mpf("1e-10")))
    for name, what, f, n, d, b, c in rationals:
        print(f"/// {what}.\ntemplate <class V>\nSTRATA_FORMULA V {name}(V x) {{")
        for letter, numbers in zip("pq", rational(f, n, d, points(n + d + 1, b, c))):
            print(f"  constexpr double {letter}[] = {{\n{listed(numbers, '      ')}}};")
        print("  return power_sum(p, x) / power_sum(q, x);\n}\n")
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
