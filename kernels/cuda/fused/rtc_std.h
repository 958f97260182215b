// What the formulas use of the C++ library, which NVRTC does not have: its names for what the compiler has by itself.
// Included under the names of the library's headers.
#pragma once

using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned;
using int64_t = long;
using uint64_t = unsigned long;

namespace std {

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;

template <bool condition, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool condition, class A, class B>
using conditional_t = typename conditional<condition, A, B>::type;

template <class T>
inline constexpr bool is_floating_point_v = is_same_v<T, float> || is_same_v<T, double>;
template <class T, class... Those>
inline constexpr bool is_one_of = (is_same_v<T, Those> || ...);
template <class T>
inline constexpr bool is_integral_v = is_one_of<T, bool, char, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                                                int64_t, uint64_t, long long, unsigned long long>;
template <class T>
inline constexpr bool is_signed_v = is_floating_point_v<T> || is_one_of<T, int8_t, int16_t, int32_t, int64_t>;
template <class T>
inline constexpr bool is_unsigned_v = is_one_of<T, bool, uint8_t, uint16_t, uint32_t, uint64_t>;

template <class From, class To>
concept convertible_to = requires(From from) {
  static_cast<To>(from);
};

constexpr bool is_constant_evaluated() { return __builtin_is_constant_evaluated(); }
template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<float> {
  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
  static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
  static constexpr float epsilon() { return 0x1p-23f; }
  static constexpr float min() { return 0x1p-126f; }
  static constexpr float max() { return 0x1.fffffep127f; }
};
template <>
struct numeric_limits<double> {
  static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ull); }
  static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }
  static constexpr double epsilon() { return 0x1p-52; }
  static constexpr double min() { return 0x1p-1022; }
  static constexpr double max() { return 0x1.fffffffffffffp1023; }
};
template <>
struct numeric_limits<int32_t> {
  static constexpr int32_t min() { return -2147483647 - 1; }
  static constexpr int32_t max() { return 2147483647; }
};
template <>
struct numeric_limits<int64_t> {
  static constexpr int64_t min() { return -9223372036854775807 - 1; }
  static constexpr int64_t max() { return 9223372036854775807; }
};

namespace numbers {
inline constexpr double pi = 3.141592653589793238462643383279502884;
inline constexpr double inv_sqrtpi = 0.564189583547756286948079451560772586;
inline constexpr double sqrt2 = 1.414213562373095048801688724209698079;
}  // namespace numbers

using ::abs, ::fma, ::erf, ::erfc, ::atan2, ::copysign, ::hypot, ::nextafter, ::fmod, ::frexp, ::tgamma;
using ::acos, ::acosh, ::asin, ::asinh, ::atan, ::atanh, ::cos, ::cosh, ::sin, ::sinh, ::tan, ::tanh;
using ::ceil, ::floor, ::nearbyint, ::trunc, ::exp, ::exp2, ::expm1, ::log, ::log10, ::log1p, ::log2, ::pow, ::sqrt;

template <class T>
__device__ bool isnan(T x) {
  return x != x;
}
template <class T>
__device__ bool isinf(T x) {
  return abs(x) == numeric_limits<T>::infinity();
}
template <class T>
__device__ bool isfinite(T x) {
  return abs(x) < numeric_limits<T>::infinity();
}

}  // namespace std
