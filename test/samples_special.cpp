// Rows of the functions of mathematics beyond the C library's, against series, integrals and recurrences as textbooks
// have them, and of divisors and the digits of floats.
#include <cmath>
#include <numbers>
#include <numeric>

#include "ops/digits.h"
#include "ops/special.h"
#include "ops/view.h"
#include "ops/without_slope_def.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;
using Unary = Tensor (*)(T);
using Binary = Tensor (*)(T, T);
using Real = double (*)(double);
using RealPair = double (*)(double, double);
using Long = long double;

Function each(Real f, DType result = kDouble) {
  return [=](const List& in) {
    std::vector<double> v = values(in[0]);
    for (double& x : v) x = f(x);
    return List{from_values(v, in[0].sizes(), result)};
  };
}
Function each(RealPair f, DType result = kDouble) {
  return [=](const List& in) {
    std::vector<double> v = values(in[0]), w = values(in[1]);
    for (size_t i = 0; i < v.size(); ++i) v[i] = f(v[i], w[i]);
    return List{from_values(v, in[0].sizes(), result)};
  };
}

/// The integral of f from a to b by Simpson's rule.
template <class F>
double integral(F f, double a, double b, int n) {
  double sum = f(a) + f(b);
  for (int i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) * f(a + (b - a) * i / n);
  return sum * (b - a) / n / 3;
}

/// The sum of sign^k (x / 2)^(2k + n) / (k! (k + n)!): J_n for sign -1 (DLMF 10.2.2), I_n for 1 (10.25.2).
Long power_series(int n, Long x, int sign) {
  Long term = n == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 80; ++k) sum += term *= sign * x * x / 4 / (Long(k) * (k + n));
  return sum;
}
double j0_of(double x) { return static_cast<double>(power_series(0, x, -1)); }
double j1_of(double x) { return static_cast<double>(power_series(1, x, -1)); }
double i0_of(double x) { return static_cast<double>(power_series(0, x, 1)); }
double i1_of(double x) { return static_cast<double>(power_series(1, x, 1)); }
/// DLMF 10.8.2.
double y0_of(double x) {
  Long term = 1, harmonic = 0, sum = 0;
  for (int k = 1; k < 80; ++k) {
    term *= -Long(x) * x / 4 / (Long(k) * k);
    harmonic += Long(1) / k;
    sum += harmonic * term;
  }
  const Long start = (std::log(Long(x) / 2) + std::numbers::egamma_v<Long>)*power_series(0, x, -1);
  return static_cast<double>(2 / std::numbers::pi_v<Long> * (start - sum));
}
/// By the Wronskian, DLMF 10.5.2.
double y1_of(double x) { return (j1_of(x) * y0_of(x) - 2 / (std::numbers::pi * x)) / j0_of(x); }
/// DLMF 10.32.9, to where the integrand is below 1e-17.
template <int n>
double k_of(double x) {
  return integral([x](double t) { return std::exp(-x * std::cosh(t)) * std::cosh(n * t); }, 0, std::acosh(1 + 40 / x),
                  4000);
}
/// DLMF 9.4.1.
double airy_of(double x) {
  Long f = 1, g = x, sum = 0.355028053887817239260063186004183L - 0.258819403792806798405183560189204L * g;
  for (int k = 1; k < 80; ++k) {
    f *= Long(x) * x * x / ((3 * k - 1) * (3 * k));
    g *= Long(x) * x * x / ((3 * k) * (3 * k + 1));
    sum += 0.355028053887817239260063186004183L * f - 0.258819403792806798405183560189204L * g;
  }
  return static_cast<double>(sum);
}

Row special_unary(const char* op, Unary f, Real reference, double low, double high) {
  Row row{op, {}, Takes::kAll};
  for (const DimVector& sizes : {DimVector{5, 4}, DimVector{65}, DimVector(), DimVector{3, 0}})
    row.samples.push_back(
        {{uniform_values(sizes, low, high, 3)}, [f](const List& in) { return List{f(in[0])}; }, each(reference)});
  return row;
}

void add_bessel(Table& t) {
  Row row = special_unary("bessel", special::bessel_j0, j0_of, -6, 6);
  const auto add = [&](Unary f, Real reference, double low, double high) {
    for (Sample& s : special_unary("bessel", f, reference, low, high).samples)
      if (s.inputs[0].numel() == 20) row.samples.push_back(s);
  };
  add(special::bessel_j1, j1_of, -6, 6);
  add(special::bessel_y0, y0_of, 0.3, 2);
  add(special::bessel_y1, y1_of, 0.3, 2);
  add(special::i1, i1_of, -9, 9);
  add(
      special::i0e, [](double x) { return std::exp(-std::abs(x)) * i0_of(x); }, 0.3, 12);
  add(
      special::i1e, [](double x) { return std::exp(-std::abs(x)) * i1_of(x); }, -12, -0.3);
  add(special::modified_bessel_k0, k_of<0>, 0.3, 4);
  add(special::modified_bessel_k1, k_of<1>, 0.3, 4);
  add(
      special::scaled_modified_bessel_k0, [](double x) { return std::exp(x) * k_of<0>(x); }, 0.3, 4);
  add(
      special::scaled_modified_bessel_k1, [](double x) { return std::exp(x) * k_of<1>(x); }, 0.3, 4);
  add(special::airy_ai, airy_of, -4, 3);
  row.errors.push_back(
      {[] { special::bessel_j0(uniform_values({2}).to(kComplexFloat)); }, "bessel_j0: not implemented for complex64"});
  t.push_back(row);
  t.push_back(special_unary("i0", i0, i0_of, -9, 9));
}

/// p_n(x) of p_0 = 1, p_1 and p_{k + 1} = next(x, k, p_k, p_{k - 1}).
template <class Next>
double recurrent(double x, double n, double first, Next next) {
  double before = 1, p = first;
  if (n == 0) return 1;
  for (int k = 1; k < n; ++k) std::tie(before, p) = std::pair(p, next(x, k, p, before));
  return p;
}
double doubled(double x, double, double p, double before) { return 2 * x * p - before; }
double chebyshev_t(double x, double n) { return recurrent(x, n, x, doubled); }
double chebyshev_u(double x, double n) { return recurrent(x, n, 2 * x, doubled); }
double chebyshev_v(double x, double n) { return recurrent(x, n, 2 * x - 1, doubled); }
double chebyshev_w(double x, double n) { return recurrent(x, n, 2 * x + 1, doubled); }

void add_polynomials(Table& t) {
  Row row{"polynomial", {}, Takes::kAll};
  const Tensor x = uniform_values({13, 3}, -1.2, 1.2, 5);
  std::vector<double> degrees;
  for (int i = 0; i < 39; ++i) degrees.push_back(i / 3);
  const Tensor n = from_values(degrees, {13, 3});
  const auto add = [&](Binary f, RealPair reference) {
    row.samples.push_back({{x, n}, [f](const List& in) { return List{f(in[0], in[1])}; }, each(reference)});
    row.samples.back().constants_from = 0;  // no derivatives
  };
  add(special::chebyshev_polynomial_t, chebyshev_t);
  add(special::chebyshev_polynomial_u, chebyshev_u);
  add(special::chebyshev_polynomial_v, chebyshev_v);
  add(special::chebyshev_polynomial_w, chebyshev_w);
  add(special::shifted_chebyshev_polynomial_t, [](double v, double k) { return chebyshev_t(2 * v - 1, k); });
  add(special::shifted_chebyshev_polynomial_u, [](double v, double k) { return chebyshev_u(2 * v - 1, k); });
  add(special::shifted_chebyshev_polynomial_v, [](double v, double k) { return chebyshev_v(2 * v - 1, k); });
  add(special::shifted_chebyshev_polynomial_w, [](double v, double k) { return chebyshev_w(2 * v - 1, k); });
  add(special::hermite_polynomial_h, [](double v, double k) {
    return recurrent(v, k, 2 * v, [](double y, double j, double p, double b) { return 2 * y * p - 2 * j * b; });
  });
  add(special::hermite_polynomial_he, [](double v, double k) {
    return recurrent(v, k, v, [](double y, double j, double p, double b) { return y * p - j * b; });
  });
  add(special::laguerre_polynomial_l, [](double v, double k) {
    return recurrent(v, k, 1 - v,
                     [](double y, double j, double p, double b) { return ((2 * j + 1 - y) * p - j * b) / (j + 1); });
  });
  add(special::legendre_polynomial_p, [](double v, double k) {
    return recurrent(v, k, v,
                     [](double y, double j, double p, double b) { return ((2 * j + 1) * y * p - j * b) / (j + 1); });
  });
  row.errors.push_back({[] {
                          special::laguerre_polynomial_l(uniform_values({2, 3}), uniform_values({4}));
                        },
                        "laguerre_polynomial_l: "});
  t.push_back(row);
}

/// Lower incomplete gamma function, not regularized, for a >= 1.
double lower_gamma(double a, double x) {
  return integral([a](double s) { return std::pow(s, a - 1) * std::exp(-s); }, 0, x, 20000);
}

/// The second operand first: it alone has a derivative.
void add_pair(Table& t, const char* op, Binary f, RealPair reference, double low, double high, double low_x,
              double high_x) {
  Row row{op, {}, Takes::kAll};
  for (const DimVector& sizes : {DimVector{5, 4}, DimVector{17}, DimVector(), DimVector{3, 0}}) {
    row.samples.push_back({{uniform_values(sizes, low_x, high_x, 3), uniform_values(sizes, low, high, 4)},
                           [f](const List& in) { return List{f(stop_gradient(in[1]), in[0])}; },
                           [=](const List& in) {
                             return each(reference)({in[1], in[0]});
                           }});
    row.samples.back().constants_from = 1;
  }
  t.push_back(row);
}

void add_gamma(Table& t) {
  add_pair(
      t, "gammainc", special::gammainc, [](double a, double x) { return lower_gamma(a, x) / std::tgamma(a); }, 3.1, 5,
      0.3, 6);
  add_pair(
      t, "gammaincc", special::gammaincc, [](double a, double x) { return 1 - lower_gamma(a, x) / std::tgamma(a); },
      3.1, 5, 0.3, 6);
  add_pair(
      t, "zeta", [](T s, T q) { return special::zeta(s, q); },
      [](double s, double q) {
        // The first terms, and the integral of the others with the first two corrections of Euler and Maclaurin.
        double sum = 0;
        for (int k = 0; k < 5000; ++k) sum += std::pow(q + k, -s);
        const double end = q + 5000;
        return sum + std::pow(end, 1 - s) / (s - 1) + std::pow(end, -s) / 2 + s * std::pow(end, -s - 1) / 12;
      },
      1.5, 4, 0.5, 3);
}

void add_digits(Table& t) {
  const auto whole = [&](const char* op, Binary f, RealPair reference) {
    Row row{op, {}};
    for (const DType dtype : {kLong, kInt, kChar})
      row.samples.push_back({{integers({6, 5}, -30, 30, 1, dtype), integers({6, 5}, -12, 12, 2, dtype)},
                             [f](const List& in) { return List{f(in[0], in[1])}; },
                             each(reference, dtype),
                             0});
    row.errors.push_back(
        {[f] { f(uniform_values({2}), uniform_values({2})); }, "expected integers, got float64 and float64"});
    t.push_back(row);
  };
  whole("gcd", gcd,
        [](double a, double b) -> double { return std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b)); });
  // Below 128 in int8 too.
  whole(
      "lcm", [](T a, T b) { return lcm(a.remainder(11), b.remainder(7)); },
      [](double a, double b) -> double {
        const auto modulo = [](double v, int64_t m) { return (static_cast<int64_t>(v) % m + m) % m; };
        return std::lcm(modulo(a, 11), modulo(b, 7));
      });
  Row next{"nextafter", {}};
  next.samples.push_back({{uniform_values({6, 5}), uniform_values({6, 5}, -1, 1, 2)},
                          [](const List& in) { return List{nextafter(in[0], in[1])}; },
                          each(std::nextafter),
                          0});
  t.push_back(next);
  t.push_back({"without_slope",
               {{{uniform_values({6, 5}), uniform_values({3}, -1, 1, 2)},
                 [](const List& in) {
                   return List{call1(without_slope_op, {&in[0], &in[1]}, WithoutSlopeParams{})};
                 },
                 [](const List& in) { return List{in[0]}; },
                 0}}});
  const auto mantissa_of = [](double x) {
    int e = 0;
    return std::frexp(x, &e);
  };
  const auto exponent_of = [](double x) -> double {
    int e = 0;
    std::frexp(x, &e);
    return e;
  };
  t.push_back(special_unary(
      "frexp_mantissa", [](T x) { return std::get<0>(frexp(x)); }, mantissa_of, 2.1, 3.9));
  Row exponent = special_unary(
      "frexp_exponent", [](T x) { return std::get<1>(frexp(x)); }, exponent_of, 2.1, 3.9);
  for (Sample& s : exponent.samples) s.reference = each(exponent_of, kInt);
  t.push_back(exponent);
  for (size_t i = t.size() - 2; i < t.size(); ++i) t[i].takes = Takes::kFloating;
}

}  // namespace

void add_special(Table& t) {
  add_bessel(t);
  add_polynomials(t);
  add_gamma(t);
  t.push_back(special_unary(
      "entr", special::entr, [](double x) { return -x * std::log(x); }, 0.1, 4));
  t.push_back(special_unary(
      "erfcx", special::erfcx, [](double x) { return std::exp(x * x) * std::erfc(x); }, -2, 3));
  t.push_back(special_unary(
      "ndtr", special::ndtr, [](double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }, -5, 3));
  t.push_back(special_unary(
      "log_ndtr", special::log_ndtr, [](double x) { return std::log(std::erfc(-x * std::sqrt(0.5)) / 2); }, -5, 2));
  t.push_back(special_unary(
      "ndtri", special::ndtri,
      [](double p) {
        double low = -10, high = 10;  // halved until they meet
        for (int i = 0; i < 80; ++i) {
          const double middle = (low + high) / 2;
          (std::erfc(-middle * std::sqrt(0.5)) / 2 < p ? low : high) = middle;
        }
        return low;
      },
      0.02, 0.98));
  add_digits(t);
}

}  // namespace strata::test
