// The mathematical functions of complex numbers against std::complex: special values, signs of zeros, accuracy.
#include "kernels/arithmetic_complex.h"

#include <complex>
#include <random>
#include <vector>

#include "test/catch.h"

namespace strata::test {
namespace {

namespace math = arithmetic::math;

/// A function here and that of the C library.
template <class T>
struct Pair {
  const char* name;
  Complex<T> (*ours)(const Complex<T>&);
  std::complex<T> (*theirs)(const std::complex<T>&);
};

template <class T>
std::vector<Pair<T>> pairs() {
  return {{"sqrt", math::sqrt<T>, std::sqrt<T>},    {"exp", math::exp<T>, std::exp<T>},
          {"log", math::log<T>, std::log<T>},       {"sinh", math::sinh<T>, std::sinh<T>},
          {"cosh", math::cosh<T>, std::cosh<T>},    {"tanh", math::tanh<T>, std::tanh<T>},
          {"sin", math::sin<T>, std::sin<T>},       {"cos", math::cos<T>, std::cos<T>},
          {"tan", math::tan<T>, std::tan<T>},       {"asin", math::asin<T>, std::asin<T>},
          {"acos", math::acos<T>, std::acos<T>},    {"atan", math::atan<T>, std::atan<T>},
          {"asinh", math::asinh<T>, std::asinh<T>}, {"acosh", math::acosh<T>, std::acosh<T>},
          {"atanh", math::atanh<T>, std::atanh<T>}};
}

/// The same special value, or finite numbers whose distance is a few units in the last place of `size`. Where the other
/// part is NaN, C leaves signs open.
template <class T>
bool close(T x, T y, T size, bool signs) {
  if (!signs) x = std::abs(x), y = std::abs(y);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (std::isinf(x) || std::isinf(y)) return x == y;
  const bool same_zero = x != 0 || y != 0 || std::signbit(x) == std::signbit(y);
  return same_zero && std::abs(x - y) <=
                          8 * std::max(size * std::numeric_limits<T>::epsilon(), std::numeric_limits<T>::denorm_min());
}

template <class T>
void check(const Pair<T>& f, T x, T y) {
  const Complex<T> ours = f.ours({x, y});
  const std::complex<T> theirs = f.theirs({x, y});
  const T re = std::abs(theirs.real()), im = std::abs(theirs.imag());
  const T size = std::isfinite(re) && std::isfinite(im) ? std::max(re, im) : std::isfinite(re) ? re : im;
  INFO(f.name << "(" << x << ", " << y << ") = (" << ours.real() << ", " << ours.imag() << "), std::complex has "
              << theirs);
  CHECK((close(ours.real(), theirs.real(), size, !std::isnan(im)) &&
         close(ours.imag(), theirs.imag(), size, !std::isnan(re))));
}

template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{0,
                        Limits::denorm_min(),
                        Limits::min(),
                        Limits::epsilon() / 8,
                        T(0.1),
                        T(0.5),
                        1,
                        T(1.25),
                        2,
                        10,
                        50,
                        T(0.99) * std::log(Limits::max()),
                        T(1.01) * std::log(Limits::max()),
                        2 / Limits::epsilon(),
                        Limits::max() / 3,
                        Limits::max(),
                        Limits::infinity()};
  for (size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

}  // namespace

TEMPLATE_TEST_CASE("complex functions at special values", "", float, double) {
  using T = TestType;
  for (const Pair<T>& f : pairs<T>())
    for (T x : special_values<T>())
      for (T y : special_values<T>()) check(f, x, y);
}

TEMPLATE_TEST_CASE("complex functions of ordinary numbers and near the circle", "", float, double) {
  using T = TestType;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const Pair<T>& f : pairs<T>()) {
    for (double scale : {0.01, 1.0, 20.0})
      for (int i = 0; i < 200; ++i)
        check(f, static_cast<T>(scale * unit(random)), static_cast<T>(scale * unit(random)));
    for (int i = 0; i < 200; ++i) {
      const double angle = 3.2 * unit(random);
      check(f, static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)));
    }
  }
}

TEMPLATE_TEST_CASE("complex functions that the C library does not have", "", float, double) {
  using T = TestType;
  using Wide = std::complex<long double>;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto is_near = [](const Complex<T>& z, const Wide& expected) {
    return std::abs(Wide(z.real(), z.imag()) - expected) <=
           16 * std::abs(expected) * static_cast<long double>(std::numeric_limits<T>::epsilon());
  };
  for (double scale : {1e-3, 0.4, 1.0, 5.0}) {
    for (int i = 0; i < 200; ++i) {
      const Complex<T> z(static_cast<T>(scale * unit(random)), static_cast<T>(scale * unit(random)));
      const Complex<T> w(static_cast<T>(unit(random)), static_cast<T>(unit(random)));
      const Wide x(z.real(), z.imag()), y(w.real(), w.imag());
      CAPTURE(x, y);
      CHECK(is_near(math::expm1(z), std::exp(x) - 1.0L));
      CHECK(is_near(math::log1p(z), std::log(x + 1.0L)));
      CHECK(is_near(math::exp2(z), std::pow(Wide(2), x)));
      CHECK(is_near(math::log2(z), std::log(x) / std::log(2.0L)));
      CHECK(is_near(math::log10(z), std::log10(x)));
      CHECK(is_near(math::pow(z, w), std::pow(x, y)));
    }
  }
}

TEST_CASE("complex powers of zero") {
  const Complex<double> zero, i(0, 1);
  CHECK(math::pow(zero, zero) == Complex<double>(1));
  CHECK(math::pow(i, zero) == Complex<double>(1));
  CHECK(math::pow(zero, Complex<double>(2, 1)) == zero);
  CHECK(math::pow(zero, Complex<double>(-1)).real() == math::kInf<double>);
}

}  // namespace strata::test
