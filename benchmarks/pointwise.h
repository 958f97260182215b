// Element-wise functions that programs reach for less often, of 4096 x 1024 floats where a row does not say otherwise.
#pragma once
#include "families.h"

namespace pointwise {

inline Inputs normal() { return {torch::randn({4096, 1024})}; }
inline Inputs two_normal() { return {torch::randn({4096, 1024}), torch::randn({4096, 1024})}; }
/// In [0, 1).
inline Inputs unit() { return {torch::rand({4096, 1024})}; }
/// In [0.5, 1.5).
inline Inputs positive() { return {unit()[0] + 0.5}; }
inline Inputs two_positive() { return {positive()[0], positive()[0]}; }
/// In [0, 12): both sides of where most functions change from a series to an expansion.
inline Inputs wide() { return {unit()[0] * 12}; }
inline Inputs integers() {
  return {torch::randint(1, 1000, {4096, 1024}, torch::kInt), torch::randint(1, 1000, {4096, 1024}, torch::kInt)};
}

constexpr Operation kOperations[] = {
    {"erf", kForward | kBackward, normal, [](const Inputs& in) { return torch::erf(in[0]); }},
    {"erfc", kForward | kBackward, normal, [](const Inputs& in) { return torch::erfc(in[0]); }},
    {"special::erfcx", kForward | kBackward, normal, [](const Inputs& in) { return torch::special::erfcx(in[0]); }},
    {"special::ndtr", kForward | kBackward, normal, [](const Inputs& in) { return torch::special::ndtr(in[0]); }},
    {"special::log_ndtr", kForward | kBackward, normal,
     [](const Inputs& in) { return torch::special::log_ndtr(in[0]); }},
    {"special::ndtri", kForward | kBackward, unit, [](const Inputs& in) { return torch::special::ndtri(in[0]); }},
    {"special::expit", kForward | kBackward, normal, [](const Inputs& in) { return torch::special::expit(in[0]); }},
    {"special::xlog1py", kForward | kBackward, two_positive,
     [](const Inputs& in) { return torch::special::xlog1py(in[0], in[1]); }},
    {"special::entr of normal", kForward | kBackward, positive,
     [](const Inputs& in) { return torch::special::entr(in[0]); }},

    {"i0", kForward | kBackward, wide, [](const Inputs& in) { return torch::i0(in[0]); }},
    {"special::i0e", kForward | kBackward, wide, [](const Inputs& in) { return torch::special::i0e(in[0]); }},
    {"special::i1", kForward | kBackward, wide, [](const Inputs& in) { return torch::special::i1(in[0]); }},
    {"special::i1e", kForward | kBackward, wide, [](const Inputs& in) { return torch::special::i1e(in[0]); }},
    {"special::bessel_j0", kForward, wide, [](const Inputs& in) { return torch::special::bessel_j0(in[0]); }},
    {"special::bessel_j1", kForward, wide, [](const Inputs& in) { return torch::special::bessel_j1(in[0]); }},
    {"special::bessel_y0", kForward, wide, [](const Inputs& in) { return torch::special::bessel_y0(in[0]); }},
    {"special::bessel_y1", kForward, wide, [](const Inputs& in) { return torch::special::bessel_y1(in[0]); }},
    {"special::modified_bessel_k0", kForward, wide,
     [](const Inputs& in) { return torch::special::modified_bessel_k0(in[0]); }},
    {"special::modified_bessel_k1", kForward, wide,
     [](const Inputs& in) { return torch::special::modified_bessel_k1(in[0]); }},
    {"special::airy_ai", kForward, wide, [](const Inputs& in) { return torch::special::airy_ai(in[0]); }},
    {"special::spherical_bessel_j0", kForward, wide,
     [](const Inputs& in) { return torch::special::spherical_bessel_j0(in[0]); }},

    {"lgamma of normal", kForward | kBackward, normal, [](const Inputs& in) { return torch::lgamma(in[0]); }},
    {"digamma of normal", kForward | kBackward, normal, [](const Inputs& in) { return torch::digamma(in[0]); }},
    {"polygamma 1", kForward | kBackward, positive, [](const Inputs& in) { return torch::polygamma(1, in[0]); }},
    {"polygamma 3", kForward, positive, [](const Inputs& in) { return torch::polygamma(3, in[0]); }},
    {"mvlgamma 3", kForward | kBackward, [] { return Inputs{positive()[0] + 2}; },
     [](const Inputs& in) { return torch::mvlgamma(in[0], 3); }},
    {"special::zeta", kForward,
     [] {
       return Inputs{positive()[0] + 1, positive()[0]};
     },
     [](const Inputs& in) { return torch::special::zeta(in[0], in[1]); }},
    {"igamma", kForward, two_positive, [](const Inputs& in) { return torch::igamma(in[0], in[1]); }},
    {"igammac", kForward, two_positive, [](const Inputs& in) { return torch::igammac(in[0], in[1]); }},
    {"special::chebyshev_polynomial_t 8", kForward, unit,
     [](const Inputs& in) { return torch::special::chebyshev_polynomial_t(in[0], 8); }},
    {"special::legendre_polynomial_p 8", kForward, unit,
     [](const Inputs& in) { return torch::special::legendre_polynomial_p(in[0], 8); }},

    {"fmod", kForward | kBackward, two_normal, [](const Inputs& in) { return torch::fmod(in[0], in[1]); }},
    {"remainder by 0.3", kForward | kBackward, normal, [](const Inputs& in) { return torch::remainder(in[0], 0.3); }},
    {"floor_divide", kForward, two_normal, [](const Inputs& in) { return torch::floor_divide(in[0], in[1]); }},
    {"div, trunc", kForward, two_normal, [](const Inputs& in) { return torch::div(in[0], in[1], "trunc"); }},
    {"frexp", kForward, normal, [](const Inputs& in) { return std::get<0>(torch::frexp(in[0])); }},
    {"ldexp by integers", kForward,
     [] {
       return Inputs{normal()[0], integers()[0] % 8};
     },
     [](const Inputs& in) { return torch::ldexp(in[0], in[1]); }},
    {"float_power of tensors", kForward | kBackward, two_positive,
     [](const Inputs& in) { return torch::float_power(in[0], in[1]); }},
    {"nextafter", kForward, two_normal, [](const Inputs& in) { return torch::nextafter(in[0], in[1]); }},
    {"gcd of int32", kForward, integers, [](const Inputs& in) { return torch::gcd(in[0], in[1]); }},
    {"lcm of int32", kForward, integers, [](const Inputs& in) { return torch::lcm(in[0], in[1]); }},
    {"remainder of int32", kForward, integers, [](const Inputs& in) { return torch::remainder(in[0], in[1]); }},
    {"floor_divide of int32", kForward, integers, [](const Inputs& in) { return torch::floor_divide(in[0], in[1]); }},
    {"atan2", kForward | kBackward, two_normal, [](const Inputs& in) { return torch::atan2(in[0], in[1]); }},
    {"sgn", kForward | kBackward, normal, [](const Inputs& in) { return torch::sgn(in[0]); }},
    {"signbit", kForward, normal, [](const Inputs& in) { return torch::signbit(in[0]); }},
    {"isposinf", kForward, normal, [](const Inputs& in) { return torch::isposinf(in[0]); }},
    {"isreal", kForward, normal, [](const Inputs& in) { return torch::isreal(in[0]); }},
    {"deg2rad", kForward | kBackward, normal, [](const Inputs& in) { return torch::deg2rad(in[0]); }},
    {"round to 2 decimals", kForward, normal, [](const Inputs& in) { return torch::round(in[0], 2); }},
    {"lerp by a tensor", kForward | kBackward,
     [] {
       return Inputs{normal()[0], normal()[0], unit()[0]};
     },
     [](const Inputs& in) { return torch::lerp(in[0], in[1], in[2]); }},
    {"addcdiv", kForward | kBackward,
     [] {
       return Inputs{normal()[0], normal()[0], positive()[0]};
     },
     [](const Inputs& in) { return torch::addcdiv(in[0], in[1], in[2], 0.5); }},
    {"fmax", kForward | kBackward, two_normal, [](const Inputs& in) { return torch::fmax(in[0], in[1]); }},
    {"rsub", kForward | kBackward, two_normal, [](const Inputs& in) { return torch::rsub(in[0], in[1]); }},

    {"exp2", kForward | kBackward, normal, [](const Inputs& in) { return torch::exp2(in[0]); }},
    {"expm1", kForward | kBackward, normal, [](const Inputs& in) { return torch::expm1(in[0]); }},
    {"log2", kForward | kBackward, positive, [](const Inputs& in) { return torch::log2(in[0]); }},
    {"log10", kForward | kBackward, positive, [](const Inputs& in) { return torch::log10(in[0]); }},
    {"tan", kForward | kBackward, normal, [](const Inputs& in) { return torch::tan(in[0]); }},
    {"asin", kForward | kBackward, unit, [](const Inputs& in) { return torch::asin(in[0]); }},
    {"acos", kForward | kBackward, unit, [](const Inputs& in) { return torch::acos(in[0]); }},
    {"atan", kForward | kBackward, normal, [](const Inputs& in) { return torch::atan(in[0]); }},
    {"sinh", kForward | kBackward, normal, [](const Inputs& in) { return torch::sinh(in[0]); }},
    {"cosh", kForward | kBackward, normal, [](const Inputs& in) { return torch::cosh(in[0]); }},
    {"asinh", kForward | kBackward, normal, [](const Inputs& in) { return torch::asinh(in[0]); }},
    {"acosh", kForward | kBackward, [] { return Inputs{positive()[0] + 0.5}; },
     [](const Inputs& in) { return torch::acosh(in[0]); }},
    {"atanh", kForward | kBackward, unit, [](const Inputs& in) { return torch::atanh(in[0]); }},
    {"pow 1.7", kForward | kBackward, positive, [](const Inputs& in) { return torch::pow(in[0], 1.7); }},

    {"log_sigmoid", kForward | kBackward, normal, [](const Inputs& in) { return torch::log_sigmoid(in[0]); }},
    {"hardshrink", kForward | kBackward, normal, [](const Inputs& in) { return torch::hardshrink(in[0]); }},
    {"softshrink", kForward | kBackward, normal, [](const Inputs& in) { return torch::softshrink(in[0]); }},
    {"hardsigmoid", kForward | kBackward, normal, [](const Inputs& in) { return torch::hardsigmoid(in[0]); }},
    {"selu", kForward | kBackward, normal, [](const Inputs& in) { return torch::selu(in[0]); }},
};

}  // namespace pointwise
