// Random numbers under explicit keys, one at a time: Note [Keyed elements]. What the CUDA kernels compute; the CPU's
// vector code takes its coefficients from here.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/half.h"
#include "kernels/convert.h"
#include "kernels/host_device.h"

namespace strata::keyed {

struct Key {
  uint32_t k0, k1;
};
/// The two words of a block.
struct Words {
  uint32_t x0, x1;
};

namespace detail {

template <int... kTurns>
STRATA_HD void mix(Words& w) {
  ((w.x0 += w.x1, w.x1 = (w.x1 << kTurns | w.x1 >> (32 - kTurns)) ^ w.x0), ...);
}
STRATA_HD void add_key(Words& w, uint32_t k0, uint32_t k1, uint32_t number) {
  w.x0 += k0;
  w.x1 += k1 + number;
}

}  // namespace detail

/// The Threefry-2x32-20 block function.
STRATA_HD Words threefry(Key key, uint64_t counter) {
  using detail::add_key, detail::mix;
  const uint32_t k0 = key.k0, k1 = key.k1, k2 = k0 ^ k1 ^ 0x1BD11BDAu;
  Words w{static_cast<uint32_t>(counter >> 32), static_cast<uint32_t>(counter)};
  add_key(w, k0, k1, 0);
  mix<13, 15, 26, 6>(w);
  add_key(w, k1, k2, 1);
  mix<17, 29, 16, 24>(w);
  add_key(w, k2, k0, 2);
  mix<13, 15, 26, 6>(w);
  add_key(w, k0, k1, 3);
  mix<17, 29, 16, 24>(w);
  add_key(w, k1, k2, 4);
  mix<13, 15, 26, 6>(w);
  add_key(w, k2, k0, 5);
  return w;
}

/// The random bits of an unsigned type: 64 of them are both words, the first one above.
template <class U>
STRATA_HD U bits_of(Words w) {
  if constexpr (sizeof(U) == 8)
    return U{w.x0} << 32 | w.x1;
  else
    return static_cast<U>(w.x0 ^ w.x1);
}

/// The type that values of T are computed in.
template <class T>
using Computed = std::conditional_t<kIsHalf16<T>, float, T>;

/// Rounded to T: JAX rounds 16-bit values after every step.
template <class T>
STRATA_HD Computed<T> rounded(Computed<T> x) {
  return static_cast<Computed<T>>(static_cast<T>(x));
}

/// A multiple of 2^-n in [0, 1), n being the bits of T's fraction.
template <class T>
STRATA_HD Computed<T> unit(Words w) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits_of<uint64_t>(w) >> 12 | 0x3ff0000000000000u) - 1.0;
  } else {
    constexpr int kDrawn = std::is_same_v<T, float> ? 32 : std::is_same_v<T, Half> ? 16 : 8;
    constexpr int kFraction = std::is_same_v<T, float> ? 23 : std::is_same_v<T, Half> ? 10 : 7;
    const uint32_t upper = bits_of<uint32_t>(w) << (32 - kDrawn) >> (32 - kFraction);
    return std::bit_cast<float>(upper << (23 - kFraction) | 0x3f800000u) - 1.0f;
  }
}

/// From [0, 1) to [low, low + width).
template <class T>
STRATA_HD Computed<T> stretch(Computed<T> x, Computed<T> low, Computed<T> width) {
  if (low == 0 && width == 1) return x;
  const Computed<T> moved = kIsHalf16<T> ? rounded<T>(rounded<T>(x * width) + low) : std::fma(x, width, low);
  return low < moved ? moved : low;
}

// --- logarithms: Note [Logarithms of XLA] ------------------------------------------------------------------------

template <size_t n>
using Coefficients = std::array<double, n>;

// From the highest power down.
inline constexpr Coefficients<3> kLogA{7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f};
inline constexpr Coefficients<3> kLogB{-1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f};
inline constexpr Coefficients<3> kLogC{2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f};
inline constexpr Coefficients<7> kLog1pAbove{
    4.5270000862445199635215E-5, 4.9854102823193375972212E-1, 6.5787325942061044846969E0, 2.9911919328553073277375E1,
    6.0949667980987787057556E1,  5.7112963590585538103336E1,  2.0039553499201281259648E1};
inline constexpr Coefficients<7> kLog1pBelow{1,
                                             1.5062909083469192043167E1,
                                             8.3047565967967209469434E1,
                                             2.2176239823732856465394E2,
                                             3.0909872225312059774938E2,
                                             2.1642788614495947685003E2,
                                             6.0118660497603843919306E1};
/// Giles' polynomials of erf_inv(x) / x, around the middle and in the tails.
template <class T>
struct ErfInv;
template <>
struct ErfInv<float> {
  static constexpr Coefficients<9> kCentral{2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
                                            -4.39150654e-06f, 0.00021858087f,  -0.00125372503f,
                                            -0.00417768164f,  0.246640727f,    1.50140941f};
  static constexpr Coefficients<9> kTail{-0.000200214257f, 0.000100950558f, 0.00134934322f,
                                         -0.00367342844f,  0.00573950773f,  -0.0076224613f,
                                         0.00943887047f,   1.00167406f,     2.83297682f};
};
template <>
struct ErfInv<double> {
  static constexpr Coefficients<23> kCentral{
      -3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
      -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
      -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
      1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
      -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
      -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356};
  static constexpr Coefficients<19> kTail{
      2.2137376921775787049e-09,  9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
      1.5027403968909827627e-06,  -4.013867526981545969e-06, 2.9234449089955446044e-06,  1.2475304481671778723e-05,
      -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,  -0.0003550375203628474796,
      0.00095328937973738049703,  -0.0016882755560235047313, 0.0024914420961078508066,   -0.0037512085075692412107,
      0.005370914553590063617,    1.0052589676941592334,     3.0838856104922207635};
  static constexpr Coefficients<17> kEnd{
      -2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,  -3.7894654401267369937e-09,
      7.6157012080783393804e-09,  -1.4960026627149240478e-08, 2.9147953450901080826e-08,  -6.7711997758452339498e-08,
      2.2900482228026654717e-07,  -9.9298272942317002539e-07, 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
      7.5995277030017761139e-05,  -0.00021503011930044477347, -0.00013871931833623122026, 1.0103004648645343977,
      4.8499064014085844221};
};

namespace detail {

template <const auto& table, class T, size_t k>
STRATA_HD T coefficient() {
  constexpr T kValue = static_cast<T>(table[k]);
  return kValue;
}
template <const auto& table, class T, size_t... k>
STRATA_HD T horner(T x, std::index_sequence<k...>) {
  T y = coefficient<table, T, 0>();
  ((y = std::fma(y, x, coefficient<table, T, k + 1>())), ...);
  return y;
}
template <const auto& table, class T>
STRATA_HD T polynomial(T x) {
  return horner<table>(x, std::make_index_sequence<table.size() - 1>());
}

}  // namespace detail

/// Logarithm of x >= 0: -inf at 0.
STRATA_HD double log(double x) { return std::log(x); }
STRATA_HD float log(float x) {
  using detail::polynomial;
  if (x == 0) return -std::numeric_limits<float>::infinity();
  const uint32_t bits =
      std::bit_cast<uint32_t>(x < std::numeric_limits<float>::min() ? std::numeric_limits<float>::min() : x);
  const float mantissa = std::bit_cast<float>((bits & 0x807fffffu) | 0x3f000000u);
  const bool low = mantissa < 0.70710677f;
  const float e = static_cast<float>(static_cast<int32_t>(bits >> 23) - 126) - (low ? 1.0f : 0.0f);
  const float f = (mantissa - 1.0f) + (low ? mantissa : 0.0f);
  const float f2 = f * f, f3 = f2 * f;
  const float p = std::fma(std::fma(polynomial<kLogA>(f), f3, polynomial<kLogB>(f)), f3, polynomial<kLogC>(f));
  const float tail = std::fma(p, f3, e * -2.12194440e-4f), head = std::fma(-0.5f, f2, f);
  return std::fma(e, 0.693359375f, head + tail);
}

/// log(1 + x) for x in [-1, 0].
template <class T>
STRATA_HD T log1p(T x) {
  using detail::polynomial;
  if (!(std::abs(x) < T(0.41421356237309504880))) return keyed::log(x + T(1));
  const T x2 = x * x, ratio = polynomial<kLog1pAbove>(x) / polynomial<kLog1pBelow>(x);
  return x + std::fma(T(-0.5), x2, x * x2 * ratio);
}

/// erf_inv(x) / x, with w = -log(1 - x^2).
STRATA_HD float erf_inv_ratio(float w) {
  using detail::polynomial;
  if (w < 5.0f) return polynomial<ErfInv<float>::kCentral>(w - 2.5f);
  return polynomial<ErfInv<float>::kTail>(std::sqrt(w) - 3.0f);
}
STRATA_HD double erf_inv_ratio(double w) {
  using detail::polynomial;
  if (w < 6.25) return polynomial<ErfInv<double>::kCentral>(w - 3.125);
  if (w < 16.0) return polynomial<ErfInv<double>::kTail>(std::sqrt(w) - 3.25);
  return polynomial<ErfInv<double>::kEnd>(std::sqrt(w) - 5.0);
}

template <class T>
STRATA_HD T erf_inv(T x) {
  if (std::abs(x) == T(1)) return x * std::numeric_limits<T>::infinity();
  return x * erf_inv_ratio(-keyed::log1p(x * -x));
}

// --- samples, from values in [0, 1) -------------------------------------------------------------------------------

/// From a value in (-1, 1).
template <class T>
STRATA_HD Computed<T> normal(Computed<T> u) {
  const Computed<T> root = rounded<T>(static_cast<Computed<T>>(1.4142135623730951));
  return rounded<T>(erf_inv(u)) * root;
}
template <class T>
STRATA_HD Computed<T> exponential(Computed<T> u) {
  return -keyed::log1p(-u);
}
template <class T>
STRATA_HD Computed<T> gumbel(Computed<T> u) {
  using C = Computed<T>;
  constexpr C kTiny = std::is_same_v<T, Half> ? C(0x1p-14) : std::numeric_limits<C>::min();
  return -keyed::log(rounded<T>(-keyed::log(u < kTiny ? kTiny : u)));
}

/// a mod n; a itself for n = 0.
template <class U>
STRATA_HD U rest(U a, U n) {
  return n == 0 ? a : a % n;
}
/// What the upper bits of a randint are multiplied by: 2^(bits of U) mod span, as far as U holds the products.
template <class U>
U randint_shift(U span) {
  const U root = rest(U{1} << (4 * sizeof(U)), span);
  return rest(static_cast<U>(root * root), span);
}
/// upper * shift + lower, modulo `span`.
template <class U>
STRATA_HD U randint_offset(U upper, U lower, U shift, U span) {
  return rest(static_cast<U>(rest(upper, span) * shift + rest(lower, span)), span);
}

}  // namespace strata::keyed
