// Functions whose vectors are written apart from the scalar functions that they stand for: exact ones bit by bit,
// others within units of the last place, over numbers of every exponent and where numbers are special.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/binary.h"
#include "ops/digits.h"
#include "ops/pointwise_functions.h"
#include "ops/special.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/ops/ulps.h"

using namespace strata;
using namespace strata::test;

namespace {

template <class T>
std::vector<T> special_numbers() {
  using L = std::numeric_limits<T>;
  std::vector<T> v;
  for (const T x : {T(0), T(1), T(2), T(3), T(0.5), T(0.1), T(1e30), T(16777217), L::min(), L::denorm_min(), L::max(),
                    L::infinity(), L::quiet_NaN()})
    v.push_back(x), v.push_back(-x);
  return v;
}
/// All pairs of special numbers, `count` of any bits, and `count` of about one size.
template <class T>
std::pair<std::vector<T>, std::vector<T>> pairs(int count) {
  std::vector<T> a, b;
  for (const T x : special_numbers<T>())
    for (const T y : special_numbers<T>()) a.push_back(x), b.push_back(y);
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < count; ++i) {
    a.push_back(std::bit_cast<T>(static_cast<Bits<T>>(engine())));
    b.push_back(std::bit_cast<T>(static_cast<Bits<T>>(engine())));
    a.push_back(static_cast<T>(normal(engine)));
    b.push_back(static_cast<T>(normal(engine)));
  }
  return {a, b};
}

template <class T>
bool same_number(T got, T wanted) {
  return (std::isnan(got) && std::isnan(wanted)) || std::bit_cast<Bits<T>>(got) == std::bit_cast<Bits<T>>(wanted);
}

using Binary = Tensor (*)(const Tensor&, const Tensor&);

template <class T>
void check_bits(Binary f, T (*exact)(T, T)) {
  const auto [a, b] = pairs<T>(20000);
  const Tensor y = f(wrap(a), wrap(b));
  int wrong = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (same_number(y.data_ptr<T>()[i], exact(a[i], b[i]))) continue;
    UNSCOPED_INFO(a[i] << " and " << b[i] << " gave " << y.data_ptr<T>()[i] << ", not " << exact(a[i], b[i]));
    if (++wrong > 4) break;
  }
  CHECK(wrong == 0);
}

template <class T>
void check_near(Binary f, long double (*exact)(long double, long double), long double units) {
  const auto [a, b] = pairs<T>(20000);
  const Tensor y = f(wrap(a), wrap(b));
  int wrong = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const long double wanted = exact(a[i], b[i]);
    const T got = y.data_ptr<T>()[i], rounded = static_cast<T>(wanted);
    if (same_number(got, rounded) || std::abs(got - wanted) <= units * spacing<T>(wanted)) continue;
    UNSCOPED_INFO(a[i] << " and " << b[i] << " gave " << got << ", not " << rounded);
    if (++wrong > 4) break;
  }
  CHECK(wrong == 0);
}

template <class T>
T python_modulo(T a, T b) {
  const T r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

}  // namespace

TEST_CASE("remainders are exact") {
  const Binary mod = [](const Tensor& a, const Tensor& b) { return fmod(a, b); };
  check_bits<float>(mod, [](float a, float b) { return std::fmod(a, b); });
  check_bits<double>(mod, [](double a, double b) { return std::fmod(a, b); });
  const Binary modulo = [](const Tensor& a, const Tensor& b) { return remainder(a, b); };
  check_bits<float>(modulo, python_modulo<float>);
  check_bits<double>(modulo, python_modulo<double>);
}

TEST_CASE("neighbours and signs are those of the C library") {
  check_bits<float>(nextafter, [](float a, float b) { return std::nextafter(a, b); });
  check_bits<double>(nextafter, [](double a, double b) { return std::nextafter(a, b); });
  const Binary sign = [](const Tensor& a, const Tensor& b) { return copysign(a, b); };
  check_bits<float>(sign, [](float a, float b) { return std::copysign(a, b); });
  check_bits<double>(sign, [](double a, double b) { return std::copysign(a, b); });
}

TEST_CASE("lengths and angles are right to few units of the last place") {
  const auto length = [](long double a, long double b) { return std::hypot(a, b); };
  check_near<float>(hypot, length, 0.51L);
  check_near<double>(hypot, length, 2);
  const auto angle = [](long double a, long double b) { return std::atan2(a, b); };
  check_near<float>(atan2, angle, 0.51L);
  check_near<double>(atan2, angle, 3);
}

TEST_CASE("special functions of floats are those of doubles, rounded") {
  struct Special {
    const char* name;
    Tensor (*f)(const Tensor&);
    double bound = 0.6;  // larger for those that floats compute in floats
  };
  // Those of doubles have tests of their own, against other libraries.
  const Special functions[] = {{"erfc", erfc},
                               {"erfcx", special::erfcx},
                               {"log_ndtr", special::log_ndtr},
                               {"ndtr", special::ndtr, 4.2},
                               {"erfinv", erfinv, 2.6},
                               {"ndtri", special::ndtri, 2.5},
                               {"lgamma", lgamma},
                               {"digamma", digamma},
                               {"trigamma", [](const Tensor& x) { return polygamma(1, x); }},
                               {"polygamma 3", [](const Tensor& x) { return polygamma(3, x); }},
                               {"zeta 2.5", [](const Tensor& x) { return special::zeta(2.5, x); }},
                               {"i0", i0},
                               {"i0e", special::i0e},
                               {"i1", special::i1},
                               {"i1e", special::i1e, 4.2},
                               {"k0", special::modified_bessel_k0},
                               {"k1", special::modified_bessel_k1},
                               {"k0e", special::scaled_modified_bessel_k0},
                               {"k1e", special::scaled_modified_bessel_k1},
                               {"j0", special::bessel_j0},
                               {"j1", special::bessel_j1},
                               {"y0", special::bessel_y0},
                               {"y1", special::bessel_y1},
                               {"airy_ai", special::airy_ai}};
  std::vector<float> x = special_numbers<float>();
  for (uint32_t bits = 0; bits < 0xffff0000u; bits += 0x8ffffu) x.push_back(std::bit_cast<float>(bits));
  for (int i = -30000; i <= 30000; ++i) x.push_back(static_cast<float>(i) * 0.001f);
  for (const auto& [name, f, bound] : functions) {
    const Tensor floats = f(wrap(x)), doubles = f(wrap(x).to(kDouble));
    double worst = 0, at = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const float got = floats.data_ptr<float>()[i];
      const double exact = doubles.data_ptr<double>()[i];
      if (same_number(got, static_cast<float>(exact))) continue;
      const double error = std::isnan(got) || std::isnan(exact)
                               ? HUGE_VAL
                               : static_cast<double>(std::abs(got - exact) / spacing<float>(exact));
      if (error > worst) worst = error, at = x[i];
    }
    INFO(name << ": " << worst << " at " << at);
    CHECK(worst <= bound);
  }
}
