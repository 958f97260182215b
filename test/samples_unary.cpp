// Rows of the functions of one operand: each against the C library, and against what differentiating twice needs.
#include <cmath>

#include "ops/pointwise_functions.h"
#include "ops/unary.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using Unary = Tensor (*)(const Tensor&);
using Real = double (*)(double);

/// Samples of several shapes with values in [low, high).
Row unary(const char* op, Unary f, Real reference, double low, double high, Takes takes = Takes::kAll,
          double ulps = 4) {
  const Function call = [f](const List& in) { return List{f(in[0])}; };
  Row row{op, {}, takes, {}, [reference](const double* x) { return reference(x[0]); }, ulps};
  unsigned seed = 1;
  for (const DimVector& sizes : {DimVector{7, 3}, DimVector{1}, DimVector(), DimVector{2, 0, 3}, DimVector{2, 3, 4}})
    row.samples.push_back({{uniform_values(sizes, low, high, ++seed)}, call});
  return row;
}

double sign_of(double x) { return std::isnan(x) ? 0 : (x > 0) - (x < 0); }
double round_even(double x) { return std::nearbyint(x); }
double relu_of(double x) { return std::isnan(x) ? x : x > 0 ? x : 0; }
double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
double frac_of(double x) { return x - std::trunc(x); }
double sinc_of(double x) {
  const double rest = std::remainder(x, 2);  // by which sin(pi x) repeats itself
  return x == 0 ? 1 : std::sin(M_PI * (std::abs(rest) == 1 ? 0 : rest)) / (M_PI * x);
}
double digamma_of(double x) {
  if (x == 0) return std::signbit(x) ? INFINITY : -INFINITY;
  if (x < 0 && std::trunc(x) == x) return NAN;
  if (x < 0) return digamma_of(1 - x) - M_PI / std::tan(M_PI * x);
  double shift = 0;
  for (; x < 20; ++x) shift -= 1 / x;
  const double y = 1 / (x * x);
  return shift + std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
}

}  // namespace

void add_unary(Table& t) {
  t.push_back(unary(
      "neg", neg, [](double x) { return -x; }, -2, 2, Takes::kNumeric, 0));
  t.push_back(unary(
      "abs", abs, [](double x) { return std::abs(x); }, 0.1, 2, Takes::kNumeric, 0));
  t.push_back(unary("sign", sign, sign_of, 0.1, 2, Takes::kAll, 0));
  t.push_back(unary("sqrt", sqrt, std::sqrt, 0.1, 4, Takes::kAll, 0.5));
  t.push_back(unary(
      "rsqrt", rsqrt, [](double x) { return 1 / std::sqrt(x); }, 0.1, 4, Takes::kAll, 2));
  t.push_back(unary(
      "reciprocal", reciprocal, [](double x) { return 1 / x; }, 0.2, 3, Takes::kAll, 0.51));
  t.push_back(unary(
      "square", square, [](double x) { return x * x; }, -2, 2, Takes::kAll, 0.51));
  t.push_back(unary("exp", exp, std::exp, -3, 3));
  t.push_back(unary("exp2", exp2, std::exp2, -3, 3));
  t.push_back(unary("expm1", expm1, std::expm1, -2, 2));
  t.push_back(unary("log", log, std::log, 0.1, 4));
  t.push_back(unary("log2", log2, std::log2, 0.1, 4));
  t.push_back(unary("log10", log10, std::log10, 0.1, 4));
  t.push_back(unary("log1p", log1p, std::log1p, -0.8, 4));
  t.push_back(unary("sin", sin, std::sin, -4, 4));
  t.push_back(unary("cos", cos, std::cos, -4, 4));
  t.push_back(unary("sinc", sinc, sinc_of, -0.5, 0.5));
  t.push_back(unary("tan", tan, std::tan, -1.4, 1.4));
  t.push_back(unary("asin", asin, std::asin, -0.9, 0.9));
  t.push_back(unary("acos", acos, std::acos, -0.9, 0.9));
  t.push_back(unary("atan", atan, std::atan, -4, 4));
  t.push_back(unary("sinh", sinh, std::sinh, -3, 3));
  t.push_back(unary("cosh", cosh, std::cosh, -3, 3));
  t.push_back(unary("tanh", tanh, std::tanh, -3, 3));
  t.push_back(unary("asinh", asinh, std::asinh, -4, 4));
  t.push_back(unary("acosh", acosh, std::acosh, 1.2, 4));
  t.push_back(unary("atanh", atanh, std::atanh, -0.8, 0.8));
  t.push_back(unary("sigmoid", sigmoid, sigmoid_of, -4, 4));
  t.push_back(unary("erf", erf, std::erf, -2, 2));
  t.push_back(unary("erfc", erfc, std::erfc, -2, 2));
  t.push_back(unary("floor", floor, std::floor, 1.1, 1.9, Takes::kNumeric, 0));
  t.push_back(unary("ceil", ceil, std::ceil, 1.1, 1.9, Takes::kNumeric, 0));
  t.push_back(unary("round", round, round_even, 1.55, 1.95, Takes::kNumeric, 0));
  t.push_back(unary(
      "round_to", [](const Tensor& x) { return round(x, 1); }, [](double x) { return std::nearbyint(x * 10) / 10; },
      1.06, 1.14, Takes::kFixed, 1));
  t.back().scalar = nullptr;  // the largest numbers overflow
  t.push_back(unary(
      "round_to", [](const Tensor& x) { return round(x, -1); }, [](double x) { return std::nearbyint(x / 10) * 10; },
      16, 24, Takes::kFixed, 1));
  t.push_back(unary("trunc", trunc, std::trunc, 1.1, 1.9, Takes::kNumeric, 0));
  t.push_back(unary("frac", frac, frac_of, 1.1, 1.9, Takes::kFloating, 0.51));
  t.back().scalar = nullptr;  // of an infinity: NaN here and 0 there
  t.push_back(unary("relu", relu, relu_of, -2, 2, Takes::kNumeric, 0));
  t.push_back(unary(
      "isnan", isnan, [](double x) -> double { return std::isnan(x); }, -2, 2, Takes::kAll, 0));
  t.push_back(unary(
      "isinf", isinf, [](double x) -> double { return std::isinf(x); }, -2, 2, Takes::kAll, 0));
  t.push_back(unary(
      "isfinite", isfinite, [](double x) -> double { return std::isfinite(x); }, -2, 2, Takes::kAll, 0));
  t.push_back(unary(
      "logical_not", logical_not, [](double x) -> double { return x == 0; }, -2, 2, Takes::kAll, 0));
  t.push_back(unary(
      "nan_to_num", [](const Tensor& x) { return nan_to_num(x, 0.5, 2, -3); },
      [](double x) { return std::isnan(x)   ? 0.5
                            : std::isinf(x) ? x > 0 ? 2 : -3
                                            : x; }, -2, 2, Takes::kAll, 0));
  // Functions without a place in the C library, or accurate only away from their zeros and poles: a range of their own.
  const auto in_range = [](const char* op, Unary f, Real reference, double low, double high, double tolerance) {
    Row row = unary(op, f, reference, low, high);
    row.scalar = nullptr;
    for (Sample& s : row.samples) {
      s.tolerance = tolerance;
      s.reference = [reference](const List& in) {
        std::vector<double> v = values(in[0]);
        for (double& x : v) x = reference(x);
        return List{from_values(v, in[0].sizes())};
      };
    }
    return row;
  };
  t.push_back(in_range(
      "erfinv", erfinv,
      [](double y) {
        double x = 0;  // Newton's method on erf
        for (int i = 0; i < 60; ++i) x -= (std::erf(x) - y) * std::sqrt(M_PI) / 2 * std::exp(x * x);
        return x;
      },
      -0.9, 0.9, 1e-12));
  t.push_back(in_range(
      "lgamma", lgamma, [](double x) { return std::lgamma(x); }, 0.3, 5, 1e-12));
  t.push_back(in_range("digamma", digamma, digamma_of, 0.3, 5, 1e-11));
  // Integers only.
  const Tensor bits = integers({5, 3}, -100, 100);
  t.push_back({"bitwise_not",
               {{{bits},
                 [](const List& in) { return List{bitwise_not(in[0])}; },
                 [](const List& in) {
                   std::vector<double> v = values(in[0]);
                   for (double& x : v) x = -x - 1;
                   return List{from_values(v, in[0].sizes(), kLong)};
                 },
                 0}},
               Takes::kIntegral});
}

}  // namespace strata::test
