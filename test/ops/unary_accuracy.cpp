// Largest errors of the unary functions in units of the last place, over bit patterns from the whole range of float and
// double.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "autograd/autograd.h"
#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/special.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/ops/ulps.h"

using namespace strata;
using namespace strata::test;

namespace {

using Long = long double;

/// Error of `got` in units of the last place of T; infinite where one is NaN or infinite and the other is not.
template <class T>
double ulps(T got, Long exact) {
  const T rounded = static_cast<T>(exact);
  if (std::isnan(got) || std::isnan(rounded)) return std::isnan(got) && std::isnan(rounded) ? 0 : HUGE_VAL;
  if (std::isinf(got) && std::isinf(rounded)) return got == rounded ? 0 : HUGE_VAL;
  // At the edge of overflow, one step is one unit.
  if (std::isinf(got))
    return static_cast<double>((std::abs(Long(std::numeric_limits<T>::max())) - std::abs(exact)) / spacing<T>(exact)) +
           1;
  if (std::isinf(rounded)) return static_cast<double>(std::abs(Long(got) - exact) / spacing<T>(Long(got)));
  return static_cast<double>(std::abs(Long(got) - exact) / spacing<T>(exact));
}

/// A number and those up to two roundings from it.
template <class T>
void add_beside(std::vector<T>& v, T x) {
  constexpr T kInf = std::numeric_limits<T>::infinity();
  const T below = std::nextafter(x, -kInf), above = std::nextafter(x, kInf);
  for (const T t : {std::nextafter(below, -kInf), below, x, above, std::nextafter(above, kInf)}) v.push_back(t);
}

/// Where kernels part numbers: sixteenths of a power of 2, and its product with the root of 2 and with what angles and
/// exponents are reduced by.
template <class T>
void add_beside_parts(std::vector<T>& v, int least_power, int largest_power) {
  for (int power = least_power; power <= largest_power; ++power) {
    for (int sixteenths = 16; sixteenths < 32; ++sixteenths) {
      for (const double sign : {1., -1.}) add_beside(v, static_cast<T>(std::ldexp(sign * sixteenths, power - 4)));
    }
    for (const double x : {std::numbers::sqrt2, std::numbers::ln2, std::numbers::pi}) {
      for (const double sign : {1., -1.}) add_beside(v, static_cast<T>(std::ldexp(sign * x, power)));
    }
  }
}

/// Numbers of every exponent with mixed mantissas, `count` evenly spread over [low, high], and those beside which
/// kernels part them.
template <class T>
std::vector<T> inputs(double low, double high, int count) {
  std::vector<T> v;
  add_beside_parts(v, -12, 12);
  const Bits<T> step = static_cast<Bits<T>>(sizeof(T) == 4 ? UINT64_C(26041) : UINT64_C(111848106666667111));
  for (Bits<T> b = 0; b < static_cast<Bits<T>>(-1) - step; b = static_cast<Bits<T>>(b + step))
    v.push_back(std::bit_cast<T>(b));
  for (int i = 0; i <= count; ++i) v.push_back(static_cast<T>(low + (high - low) * i / count));
  return v;
}

struct Worst {
  double error = 0, x = 0;
};

template <class T>
Worst worst(Tensor (*f)(const Tensor&), Long (*exact)(Long), double low, double high) {
  const std::vector<T> x = inputs<T>(low, high, 100000);
  const Tensor y = f(wrap(x));
  const T* got = y.data_ptr<T>();
  Worst w;
  for (size_t i = 0; i < x.size(); ++i) {
    const double e = ulps<T>(got[i], exact(static_cast<Long>(x[i])));
    if (e > w.error) w = {e, static_cast<double>(x[i])};
  }
  return w;
}

struct BoundedFunction {
  const char* name;
  Tensor (*f)(const Tensor&);
  Long (*exact)(Long);
  double low, high;                  // where to look closely
  double float_bound, double_bound;  // units of the last place
};

Long exact_sigmoid(Long x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }
/// Of the neighbourhood of a half, where the logarithms would cancel, by the inverse of tanh.
Long exact_logit(Long x) { return x > 0.25L && x < 0.75L ? 2 * std::atanh(2 * x - 1) : std::log(x) - std::log1p(-x); }
/// By its asymptotic expansion (DLMF 7.12.1) where exp(x^2) is too large.
Long exact_erfcx(Long x) {
  if (x < 60) return std::exp(x * x) * std::erfc(x);
  const Long z = 1 / (2 * x * x);
  return (1 - z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z))))) / (x * std::sqrt(std::numbers::pi_v<Long>));
}
Long exact_log_ndtr(Long x) {
  const Long t = x * std::sqrt(Long(0.5));
  return x < -1 ? std::log(exact_erfcx(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}
const BoundedFunction kBoundedFunctions[] = {
    {"sqrt", sqrt, [](Long x) { return std::sqrt(x); }, 0, 10, 0.51, 0.51},
    {"rsqrt", rsqrt, [](Long x) { return 1 / std::sqrt(x); }, 0, 10, 1.5, 1.5},
    {"reciprocal", reciprocal, [](Long x) { return 1 / x; }, 0, 10, 0.51, 0.51},
    {"exp", exp, [](Long x) { return std::exp(x); }, -20, 20, 2, 2},
    {"exp2", exp2, [](Long x) { return std::exp2(x); }, -20, 20, 2, 2},
    {"expm1", expm1, [](Long x) { return std::expm1(x); }, -2, 2, 4, 4},
    {"log", log, [](Long x) { return std::log(x); }, 0.5, 2, 2, 2},
    {"log2", log2, [](Long x) { return std::log2(x); }, 0.5, 2, 4, 4},
    {"log10", log10, [](Long x) { return std::log10(x); }, 0.5, 2, 4, 4},
    {"log1p", log1p, [](Long x) { return std::log1p(x); }, -0.5, 2, 4, 4},
    {"sin", sin, [](Long x) { return std::sin(x); }, -100, 100, 2, 2},
    {"cos", cos, [](Long x) { return std::cos(x); }, -100, 100, 2, 2},
    {"tan", tan, [](Long x) { return std::tan(x); }, -100, 100, 4, 4},
    {"asin", asin, [](Long x) { return std::asin(x); }, -1, 1, 4, 4},
    {"acos", acos, [](Long x) { return std::acos(x); }, -1, 1, 4, 4},
    {"atan", atan, [](Long x) { return std::atan(x); }, -10, 10, 4, 4},
    {"sinh", sinh, [](Long x) { return std::sinh(x); }, -5, 5, 4, 4},
    {"cosh", cosh, [](Long x) { return std::cosh(x); }, -5, 5, 4, 4},
    {"tanh", tanh, [](Long x) { return std::tanh(x); }, -5, 5, 4, 4},
    {"asinh", asinh, [](Long x) { return std::asinh(x); }, -5, 5, 4, 4},
    {"acosh", acosh, [](Long x) { return std::acosh(x); }, 1, 5, 4, 4},
    {"atanh", atanh, [](Long x) { return std::atanh(x); }, -1, 1, 4, 4},
    {"sigmoid", sigmoid, exact_sigmoid, -20, 20, 4, 4},
    {"logit", [](const Tensor& x) { return logit(x, std::nullopt); }, exact_logit, 0, 1, 4, 4},
    {"erf", erf, [](Long x) { return std::erf(x); }, -4, 4, 4, 4},
    {"erfc", erfc, [](Long x) { return std::erfc(x); }, -4, 10, 0.51, 6},
    {"erfcx", special::erfcx, exact_erfcx, -5, 30, 0.51, 6},
    {"log_ndtr", special::log_ndtr, exact_log_ndtr, -20, 38, 0.51, 8},
};

}  // namespace

TEST_CASE("unary functions stay within their bounds") {
  for (const BoundedFunction& f : kBoundedFunctions) {
    const Worst a = worst<float>(f.f, f.exact, f.low, f.high);
    INFO(f.name << ": float " << a.error << " at " << a.x);
    CHECK(a.error <= f.float_bound);
    const Worst b = worst<double>(f.f, f.exact, f.low, f.high);
    INFO(f.name << ": double " << b.error << " at " << b.x);
    CHECK(b.error <= f.double_bound);
  }
}

TEST_CASE("powers of floats are right to little more than a rounding") {
  const std::vector<float> x = inputs<float>(0, 4, 100000);
  for (const double exponent : {1.7, -3.3, 0.01, 41.25}) {
    const Tensor y = pow(wrap(x), exponent);
    const float rounded = static_cast<float>(exponent);
    Worst w;
    for (size_t i = 0; i < x.size(); ++i) {
      const double e = ulps<float>(y.data_ptr<float>()[i], std::pow(Long(x[i]), Long(rounded)));
      if (e > w.error) w = {e, x[i]};
    }
    INFO(exponent << ": " << w.error << " at " << w.x);
    CHECK(w.error <= 0.6);
  }
}

TEST_CASE("powers of doubles are right to little more than a rounding") {
  // Beside 1 few digits of the logarithm are those of its first term, and large exponents show them all.
  const std::vector<double> wide = inputs<double>(0, 4, 100000);
  std::vector<double> beside_1;
  for (int i = -5000; i <= 5000; ++i) beside_1.push_back(1 + i * 1.2e-5);
  for (const auto& [x, exponents, bound] : {std::tuple{wide, std::vector<double>{1.7, -3.3, 0.01, 41.25}, 0.76},
                                            std::tuple{beside_1, std::vector<double>{-9951.4, 1234.5}, 2.0}}) {
    for (const double exponent : exponents) {
      const Tensor y = pow(wrap(x), exponent);
      Worst w;
      for (size_t i = 0; i < x.size(); ++i) {
        const double e = ulps<double>(y.data_ptr<double>()[i], std::pow(Long(x[i]), Long(exponent)));
        if (e > w.error) w = {e, x[i]};
      }
      INFO(exponent << ": " << w.error << " at " << w.x);
      CHECK(w.error <= bound);
    }
  }
}

TEST_CASE("tanh of floats reaches 1 and never exceeds it") {
  std::vector<float> v;
  for (int i = 0; i <= 120000; ++i) v.push_back(static_cast<float>(i) * 1e-4f);
  const Tensor y = tanh(wrap(v));
  CHECK(std::all_of(y.data_ptr<float>(), y.data_ptr<float>() + v.size(), [](float t) { return t <= 1; }));
  CHECK(y.data_ptr<float>()[100000] == 1);
  CHECK(tanh(wrap(std::vector<float>{-100})).data_ptr<float>()[0] == -1);
}

TEST_CASE("tanh of doubles is rounded to 1 no sooner than its distance from it says") {
  std::vector<double> v;
  for (int i = 0; i <= 40000; ++i) v.push_back(16 + i * 1e-4);
  const Tensor y = tanh(wrap(v));
  for (size_t i = 0; i < v.size(); ++i) {
    INFO(v[i]);
    CHECK(ulps<double>(y.data_ptr<double>()[i], std::tanh(Long(v[i]))) <= 0.51);
  }
}

TEST_CASE("gelu of floats and its slope are right to a few roundings, and gone far below zero") {
  std::vector<float> v;
  for (int i = -90000; i <= 90000; ++i) v.push_back(static_cast<float>(i) * 1e-4f);
  const Tensor x = wrap(v).requires_grad_();
  const Tensor y = gelu(x), slope = autograd::grad({y}, {x}, {wrap(std::vector<float>(v.size(), 1))})[0];
  double worst = 0, worst_slope = 0;
  for (size_t i = 0; i < v.size(); ++i) {
    const double a = v[i], cdf = std::erfc(-a / std::sqrt(2.0)) / 2;
    const double pdf = std::exp(-a * a / 2) / std::sqrt(2 * M_PI);
    worst = std::max(worst, std::abs(y.data_ptr<float>()[i] - a * cdf) / std::max(1.0, std::abs(a)));
    worst_slope = std::max(worst_slope, std::abs(slope.data_ptr<float>()[i] - (cdf + a * pdf)));
  }
  CHECK(worst < 1.5e-7);
  CHECK(worst_slope < 3e-7);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor far = gelu(wrap(std::vector<float>{-7, -100, -1e30f, 1e30f, kInf, -kInf, std::nanf("")}));
  const float* f = far.data_ptr<float>();
  CHECK((f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 1e30f && f[4] == kInf));
  CHECK((std::isnan(f[5]) && std::isnan(f[6])));
  const Tensor edges =
      wrap(std::vector<float>{-7, -100, -1e30f, 7, 100, 1e30f, kInf, -kInf, std::nanf("")}).requires_grad_();
  const Tensor slopes = autograd::grad({gelu(edges)}, {edges}, {ones_like(edges)})[0];
  const float* s = slopes.data_ptr<float>();
  CHECK(std::all_of(s, s + 3, [](float v) { return std::abs(v) < 1e-8f; }));
  CHECK(std::all_of(s + 3, s + 6, [](float v) { return v == 1; }));
  CHECK(std::all_of(s + 6, s + 9, [](float v) { return std::isnan(v); }));
}
