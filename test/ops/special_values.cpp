// Functions of namespace special over wide ranges and at edges, against the values in special_values.txt, which mpmath
// and PyTorch computed; their derivatives, dtypes and errors.
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "autograd/autograd.h"
#include "ops/digits.h"
#include "ops/reduce.h"
#include "ops/special.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/ops/check_values.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;
using strata::autograd::grad;

namespace {

using Unary = Tensor (*)(const Tensor&);
using Binary = Tensor (*)(const Tensor&, const Tensor&);

const std::map<std::string, Unary> kUnary = {
    {"bessel_j0", special::bessel_j0},
    {"bessel_j1", special::bessel_j1},
    {"bessel_y0", special::bessel_y0},
    {"bessel_y1", special::bessel_y1},
    {"i0", i0},
    {"i0e", special::i0e},
    {"i1", special::i1},
    {"i1e", special::i1e},
    {"modified_bessel_k0", special::modified_bessel_k0},
    {"modified_bessel_k1", special::modified_bessel_k1},
    {"scaled_modified_bessel_k0", special::scaled_modified_bessel_k0},
    {"scaled_modified_bessel_k1", special::scaled_modified_bessel_k1},
    {"airy_ai", special::airy_ai},
    {"spherical_bessel_j0", special::spherical_bessel_j0},
    {"erfcx", special::erfcx},
    {"log_ndtr", special::log_ndtr},
    {"ndtri", special::ndtri},
    {"erfc", erfc},
    {"erfinv", erfinv},
    {"gammaln", lgamma},
    {"digamma", digamma},
    {"trigamma", [](const Tensor& x) { return polygamma(1, x); }},
};
const std::map<std::string, Binary> kBinary = {
    {"gammainc", special::gammainc},
    {"gammaincc", special::gammaincc},
    {"zeta", special::zeta},
    {"chebyshev_polynomial_t", special::chebyshev_polynomial_t},
    {"chebyshev_polynomial_u", special::chebyshev_polynomial_u},
    {"chebyshev_polynomial_v", special::chebyshev_polynomial_v},
    {"chebyshev_polynomial_w", special::chebyshev_polynomial_w},
    {"shifted_chebyshev_polynomial_t", special::shifted_chebyshev_polynomial_t},
    {"shifted_chebyshev_polynomial_u", special::shifted_chebyshev_polynomial_u},
    {"shifted_chebyshev_polynomial_v", special::shifted_chebyshev_polynomial_v},
    {"shifted_chebyshev_polynomial_w", special::shifted_chebyshev_polynomial_w},
    {"hermite_polynomial_h", special::hermite_polynomial_h},
    {"hermite_polynomial_he", special::hermite_polynomial_he},
    {"laguerre_polynomial_l", special::laguerre_polynomial_l},
    {"legendre_polynomial_p", special::legendre_polynomial_p},
};

/// The absolute error that goes with one of the argument's last place: functions that oscillate have zeros, where no
/// relative error is bounded.
double allowed(const std::string& name, double x, double value) {
  if (name == "airy_ai") return 1e-14 * (std::abs(value) + (x < 0 ? 0.1 * std::abs(x) : 0));
  if (name.find("bessel_j") != name.npos || name.find("bessel_y") != name.npos) return 1e-14 * std::abs(value) + 1e-15;
  if (name.find("polynomial") != name.npos) return 1e-13 * std::abs(value) + 1e-14;
  if (name == "gammaln" || name == "digamma") return 1e-14 * std::abs(value) + (x < 0 ? 1e-13 : 2e-15);
  if (name == "trigamma") return (x < 0 ? 1e-12 : 1e-14) * std::abs(value);
  if (name == "erfc") return (4e-15 + (x > 1 ? 2e-16 * x * x : 0)) * std::abs(value);
  if (name == "log_ndtr") return 1e-15 * (4 + x * x) * std::abs(value);
  // Far in the tails the exponent's rounding shows.
  return (name.starts_with("gammainc") ? 2e-13 : 4e-15) * std::abs(value);
}

bool agrees(const std::string& name, double x, double got, double wanted) {
  if (std::isnan(wanted)) return std::isnan(got);
  return got == wanted || std::abs(got - wanted) <= allowed(name, x, wanted);
}

}  // namespace

TEST_CASE("special functions have the values of mpmath, and PyTorch's at edges") {
  std::ifstream file(source_dir() + "/test/ops/special_values.txt");
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    if (line == "edges") continue;
    INFO(line);
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    std::vector<double> operands;
    while (words >> word && word != ":") operands.push_back(std::stod(word));
    words >> word;
    const Tensor x = doubles({operands[0]});
    const Tensor y = operands.size() == 1 ? kUnary.at(name)(x) : kBinary.at(name)(x, doubles({operands[1]}));
    const double got = y.item<double>(), wanted = std::stod(word);
    INFO("got " << got);
    CHECK(agrees(name, operands[0], got, wanted));
    ++checked;
  }
  CHECK(checked > 1500);
}

TEST_CASE("Bessel functions vanish or grow at infinity") {
  for (const auto f : {special::bessel_j0, special::bessel_j1, special::bessel_y0, special::bessel_y1})
    CHECK(f(doubles({kInf})).item<double>() == 0);
  check_values(i0(doubles({kInf, -kInf})), {kInf, kInf});
  check_values(special::i1(doubles({kInf, -kInf})), {kInf, -kInf});
}

TEST_CASE("special functions differentiate at 0 and in their tails as PyTorch does") {
  const auto slope = [](auto f, double at) {
    const Tensor x = doubles({at}).requires_grad_();
    return grad({f(x).sum()}, {x})[0].template item<double>();
  };
  CHECK(slope(special::i1, 0) == 0.5);
  CHECK(slope(special::i1e, 0) == 0.5);
  CHECK(slope(i0, 0) == 0);
  CHECK(slope(special::bessel_j1, 0) == 0.5);
  CHECK(slope(special::log_ndtr, -50) == Approx(50.01998403190402).epsilon(1e-13));
  CHECK(slope(special::erfcx, -1) == Approx(-11.14633932862008).epsilon(1e-13));
  CHECK(slope([](const Tensor& x) { return special::gammainc(doubles({2.5}), x); }, 1.5) ==
        Approx(0.3083606596075385).epsilon(1e-13));
  CHECK(slope([](const Tensor& q) { return special::zeta(3, q); }, 2) == Approx(-0.24696970113341455).epsilon(1e-13));
}

TEST_CASE("special functions refuse what they have no derivative or no value for") {
  const Tensor x = doubles({0.5}).requires_grad_(), y = doubles({2}), z = y.to(kComplexDouble);
  const auto backward = [](const Tensor& t) { t.sum().backward(); };
  CHECK_THROWS_WITH(backward(special::gammainc(x, y)), ContainsSubstring("igamma: the derivative is not implemented"));
  CHECK_THROWS_WITH(backward(igammac(x, y)), ContainsSubstring("igammac: the derivative is not implemented"));
  CHECK_THROWS_WITH(backward(special::zeta(x, y)), ContainsSubstring("zeta: the derivative is not implemented"));
  CHECK(special::zeta(x, y).requires_grad());
  CHECK_FALSE(special::legendre_polynomial_p(x, 2).requires_grad());
  const Tensor orders = doubles({3}).requires_grad_().expand({2, 2});
  CHECK(special::zeta(orders, y).equal(special::zeta(orders.detach(), y)));
  CHECK_NOTHROW(special::gammainc(y, x));
  CHECK_THROWS_WITH(i0(z), ContainsSubstring("i0: not implemented for complex"));
  CHECK_THROWS_WITH(special::zeta(z, 1), ContainsSubstring("zeta: not implemented for complex"));
  CHECK_THROWS_WITH(special::zeta(doubles({1, 2}), doubles({1, 2, 3})), ContainsSubstring("zeta: "));
}

TEST_CASE("special functions take PyTorch's dtypes") {
  const Tensor n = tensor(std::vector<int64_t>{2, 3});
  CHECK(i0(n).dtype() == kFloat);
  CHECK(special::zeta(n, 2).dtype() == kFloat);
  CHECK(special::hermite_polynomial_h(2, n).dtype() == kFloat);
  check_values(special::hermite_polynomial_h(2, n), {14, 40});
  CHECK(i0(doubles({1}).to(kHalf)).item<double>() == 1.265625);
  const Tensor x = doubles({1.5});
  CHECK(same_bits(x.clone().i0_(), i0(x)));
  CHECK(same_bits(x.clone().igamma_(doubles({2})), x.igamma(doubles({2}))));
  CHECK(same_bits(x.clone().igammac_(doubles({2})), x.igammac(doubles({2}))));
  CHECK_THROWS_WITH(n.igamma_(n), ContainsSubstring("igamma_: result type float32 can't be cast"));
}

TEST_CASE("gcd and lcm of the lowest integers wrap as PyTorch's") {
  const int64_t lowest = std::numeric_limits<int64_t>::min();
  const auto ints = [](const std::vector<int64_t>& v) { return tensor(v); };
  // PyTorch gives -2 for the second.
  CHECK(equal(gcd(ints({lowest, lowest, 0, 12, -18, 0}), ints({0, 6, lowest, 18, 12, 0})),
              ints({lowest, 2, lowest, 6, 6, 0})));
  CHECK(equal(lcm(ints({4, -6, 0, -4, int64_t{1} << 62}), ints({6, 4, 0, 6, 3})),
              ints({12, 12, 0, 12, int64_t{1} << 62})));
  const Tensor bytes = ints({-128}).to(kChar);
  CHECK(gcd(bytes, ints({0}).to(kChar)).item<int64_t>() == -128);
  CHECK(lcm(bytes, ints({3}).to(kChar)).item<int64_t>() == -128);
  CHECK(equal(lcm(ints({-16448, 16424, 16404}).to(kShort), ints({3}).to(kShort)),
              ints({-16192, -16264, 16404}).to(kShort)));
  CHECK(gcd(bytes, ints({6})).dtype() == kLong);
  CHECK(ints({12}).gcd_(ints({18})).item<int64_t>() == 6);
  CHECK_THROWS_WITH(gcd(doubles({1}), doubles({1})), ContainsSubstring("gcd: expected integers"));
  CHECK_THROWS_WITH(lcm(ones({1}, kBool), ones({1}, kBool)), ContainsSubstring("lcm: expected integers"));
}

TEST_CASE("nextafter steps by the last place of each dtype") {
  check_values(nextafter(doubles({1, 0, -0.0, 1, kInf, kNaN, 1, 2}), doubles({2, -1, 1, 1, 0, 1, kNaN, 1})),
               {1 + 0x1p-52, -0x1p-1074, 0x1p-1074, 1, 0x1.fffffffffffffp1023, kNaN, kNaN, 2 - 0x1p-52}, 0);
  const Tensor from = doubles({1, 0, 1, 65504, 6.103515625e-05, kInf, -1, kNaN, 3, 0x1p-24}),
               to = doubles({2, -1, 0, kInf, 0, 0, 0, 1, 3, 0});
  check_values(nextafter(from.to(kHalf), to.to(kHalf)),
               {1 + 0x1p-10, -0x1p-24, 1 - 0x1p-11, kInf, 0x1p-14 - 0x1p-24, 65504, -1 + 0x1p-11, kNaN, 3, 0}, 0);
  check_values(nextafter(doubles({1, 0, 1, kInf}).to(kBFloat16), doubles({2, 1, 0, 0}).to(kBFloat16)),
               {1 + 0x1p-7, 0x1p-133, 1 - 0x1p-8, 0x1.fep127}, 0);
  CHECK_THROWS_WITH(nextafter(tensor({1, 2}), tensor({1, 2})), ContainsSubstring("nextafter: expected floating point"));
}

TEST_CASE("frexp gives PyTorch's mantissas and exponents") {
  const auto [m, e] = frexp(doubles({0, -0.0, 1, -3, kInf, kNaN, 0x1p-1074, 0.5}));
  check_values(m, {0, -0.0, 0.5, -0.75, kInf, kNaN, 0.5, 0.5}, 0);
  check_values(e, {0, 0, 1, 2, 0, 0, -1073, 0}, 0);
  CHECK(e.dtype() == kInt);
  const auto [half, exponent] = doubles({6e-8, 3}).to(kHalf).frexp();
  CHECK(half.dtype() == kHalf);
  check_values(exponent, {-23, 2}, 0);
  const Tensor x = doubles({3, 0.3}).requires_grad_();
  check_values(grad({std::get<0>(frexp(x)).sum()}, {x})[0], {0.25, 2});
  CHECK_THROWS_WITH(frexp(tensor({1, 2})), ContainsSubstring("frexp: only supports floating-point dtypes"));
}

TEST_CASE("view as another dtype shows the bits as PyTorch does") {
  const Tensor x = arange(4, TensorOptions(kFloat));
  check_values(x.view(kInt), {0, 1065353216, 1073741824, 1077936128}, 0);
  check_values(x.view(kDouble), {0.0078125, 32.00000762939453}, 1e-15);
  CHECK(x.view(kShort).sizes() == IntArrayRef{8});
  CHECK(x.view(tensor({1}).to(kInt).dtype()).dtype() == kInt);  // as other tensors give theirs
  CHECK(x.view(kInt).is_alias_of(x));
  CHECK(ones({2, 4, 2}).slice(1, 0, 2).transpose(0, 1).view(kDouble).strides() == IntArrayRef{1, 4, 1});
  CHECK_THROWS_WITH(x.slice(0, 0, 3).view(kDouble), ContainsSubstring("self.size(-1) must be divisible by 2"));
  CHECK_THROWS_WITH(x.slice(0, 1, 3).view(kDouble), ContainsSubstring("self.storage_offset() must be divisible by 2"));
  CHECK_THROWS_WITH(x.slice(0, 0, 4, 2).view(kShort), ContainsSubstring("self.stride(-1) must be 1"));
  CHECK_THROWS_WITH(ones({}).view(kShort), ContainsSubstring("self.dim() cannot be 0"));
  CHECK_FALSE(ones({2}).requires_grad_().view(kInt).requires_grad());
}
