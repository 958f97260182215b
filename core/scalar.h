// A number of any element type, as it arrives in `a + 2.0` or leaves through `item()`.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "dtype.h"

namespace strata {

/// A bool, an integer, a floating point or a complex number; converts implicitly from the C++ ones.
class Scalar {
 public:
  constexpr Scalar() : Scalar(int64_t{0}) {}
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr Scalar(T v) {
    if constexpr (std::is_same_v<T, bool>) {
      type_ = kBool;
      i_ = v;
    } else if constexpr (std::is_integral_v<T>) {
      type_ = kLong;
      i_ = static_cast<int64_t>(v);
      if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8)
        if (i_ < 0) type_ = kUInt64;
    } else {
      type_ = kDouble;
      d_ = static_cast<double>(v);
    }
  }
  constexpr Scalar(Half v) : Scalar(static_cast<double>(static_cast<float>(v))) {}
  constexpr Scalar(BFloat16 v) : Scalar(static_cast<double>(static_cast<float>(v))) {}
  template <ComplexLike C>
  constexpr Scalar(const C& v)
      : type_(kComplexDouble), d_(static_cast<double>(v.real())), imag_(static_cast<double>(v.imag())) {}
  template <Float8Like T>
  constexpr Scalar(T v) : Scalar(static_cast<double>(static_cast<float>(v))) {}
  /// bool, int64, float64 or complex128; uint64 for what int64 does not hold.
  constexpr DType type() const { return type_; }
  constexpr bool is_complex() const { return type_ == kComplexDouble; }
  constexpr bool isComplex() const { return is_complex(); }
  constexpr bool is_floating_point() const { return type_ == kDouble; }
  constexpr bool isFloatingPoint() const { return is_floating_point(); }
  constexpr bool isIntegral(bool include_bool) const { return is_integral(type_, include_bool); }
  constexpr bool isBoolean() const { return type_ == kBool; }
  /// A complex number with an imaginary part is an error for every real T but bool, and so is a number that T does not
  /// hold.
  template <class T>
  constexpr T to() const {
    if (!fits<T>()) [[unlikely]]
      fail_conversion(dtype_of<T>);
    return wrapped_to<T>();
  }
  /// The same of any number: integers that do not fit wrap, NaN becomes 0 in an integer, and what is too large the
  /// largest int64, or infinity among floating point numbers.
  template <class T>
  constexpr T wrapped_to() const {
    if constexpr (ComplexLike<T>) {
      using Part = typename T::value_type;
      return type_ == kComplexDouble ? T(static_cast<Part>(d_), static_cast<Part>(imag_)) : T(wrapped_to<Part>());
    } else {
      if (type_ == kComplexDouble) [[unlikely]]
        return complex_to<T>();
      return to_real<T>();
    }
  }
  /// Does T hold the number, its fraction aside? As in libtorch a negative integer wraps in an unsigned T, if its size
  /// fits there, and a bool holds everything.
  template <class T>
  constexpr bool fits() const {
    if constexpr (std::is_same_v<T, bool>) {
      return true;
    } else if constexpr (ComplexLike<T>) {
      using Part = typename T::value_type;
      return type_ == kComplexDouble ? holds<Part>(d_) && holds<Part>(imag_) : fits<Part>();
    } else if (type_ == kComplexDouble) [[unlikely]] {
      return imag_ == 0 && holds<T>(d_);
    } else {
      return type_ == kDouble ? holds<T>(d_) : type_ == kUInt64 ? holds<T>(static_cast<uint64_t>(i_)) : holds<T>(i_);
    }
  }
  /// The same for the type that `dtype` names.
  bool fits(DType dtype) const;
  /// Throws as `to` does, naming the function `op`, where a tensor of `dtype` cannot hold the number.
  void check_fits(const char* op, DType dtype) const;
  constexpr double toDouble() const { return to<double>(); }
  constexpr float toFloat() const { return to<float>(); }
  constexpr int64_t toLong() const { return to<int64_t>(); }
  constexpr int toInt() const { return to<int>(); }
  constexpr int16_t toShort() const { return to<int16_t>(); }
  constexpr int8_t toChar() const { return to<int8_t>(); }
  constexpr uint8_t toByte() const { return to<uint8_t>(); }
  Half toHalf() const { return to<Half>(); }
  BFloat16 toBFloat16() const { return to<BFloat16>(); }
  constexpr bool toBool() const { return to<bool>(); }
  constexpr Complex<double> toComplexDouble() const { return to<Complex<double>>(); }
  constexpr Complex<float> toComplexFloat() const { return to<Complex<float>>(); }
  /// The number with the other sign; a bool is taken for an integer.
  constexpr Scalar operator-() const {
    if (is_complex()) return Complex<double>(-d_, -imag_);
    return is_floating_point() ? Scalar(-d_) : Scalar(-i_);
  }
  constexpr Scalar conj() const { return is_complex() ? Scalar(Complex<double>(d_, -imag_)) : *this; }
  /// Whether it is this number, whatever the types.
  template <class T>
  constexpr bool equal(T number) const {
    return *this == Scalar(number);
  }
  friend constexpr bool operator==(const Scalar& a, const Scalar& b) {
    if (a.is_complex() || b.is_complex()) return a.toComplexDouble() == b.toComplexDouble();
    if (a.type_ == kDouble || b.type_ == kDouble) return a.toDouble() == b.toDouble();
    return a.i_ == b.i_ && (a.type_ == kUInt64) == (b.type_ == kUInt64);
  }

 private:
  /// Infinities fit where T has them, and NaN does in all but integers.
  template <class T>
  static constexpr bool holds(double v) {
    if constexpr (std::is_integral_v<T>) {
      constexpr double kEnd = 2.0 * static_cast<double>(uint64_t{1} << (std::numeric_limits<T>::digits - 1));
      return v >= static_cast<double>(std::numeric_limits<T>::lowest()) && v < kEnd;
    } else if constexpr (std::is_floating_point_v<T> && sizeof(T) >= sizeof(double)) {
      return true;
    } else {
      constexpr bool kHasInfinity = !Float8Like<T> || std::is_same_v<T, Float8_e5m2>;
      const double size = v < 0 ? -v : v;
      return !(size > largest<T>()) || (kHasInfinity && size == std::numeric_limits<double>::infinity());
    }
  }
  template <class T, class I>
  requires std::is_integral_v<I>
  static constexpr bool holds(I v) {
    if constexpr (!std::is_integral_v<T>)
      return holds<T>(static_cast<double>(v));
    else if constexpr (std::is_unsigned_v<T> && std::is_signed_v<I>)
      return v < 0 ? std::in_range<T>(0 - static_cast<uint64_t>(v)) : std::in_range<T>(v);
    else
      return std::in_range<T>(v);
  }
  template <class T>
  static constexpr double largest() {
    return std::is_same_v<T, Half>       ? 65504
           : std::is_same_v<T, BFloat16> ? 0x1.fep127
           : Float8Like<T>               ? largest_float8<T>()
                                         : std::numeric_limits<float>::max();
  }
  template <class T>
  static constexpr double largest_float8() {
    return std::is_same_v<T, Float8_e5m2> || std::is_same_v<T, Float8_e5m2fnuz> ? 57344
           : std::is_same_v<T, Float8_e4m3fn>                                   ? 448
                                                                                : 240;
  }
  template <class T>
  constexpr T to_real() const {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> || Float8Like<T>)
      return T(to_real<float>());
    else if constexpr (std::is_same_v<T, bool>)
      return type_ == kDouble ? d_ != 0 : i_ != 0;
    else if constexpr (std::is_integral_v<T>)
      return type_ == kDouble ? static_cast<T>(to_int64(d_)) : static_cast<T>(i_);
    else
      return type_ == kDouble   ? static_cast<T>(d_)
             : type_ == kUInt64 ? static_cast<T>(static_cast<uint64_t>(i_))
                                : static_cast<T>(i_);
  }
  /// The number itself where the imaginary part is zero, else an error.
  template <class T>
  [[gnu::noinline]] constexpr T complex_to() const {
    if constexpr (std::is_same_v<T, bool>) return d_ != 0 || imag_ != 0;
    if (imag_ != 0) fail_conversion(dtype_of<T>);
    return Scalar(d_).wrapped_to<T>();
  }
  [[noreturn]] void fail_conversion(DType dtype) const;
  /// NaN gives 0 and what does not fit saturates, so that no conversion is undefined.
  static constexpr int64_t to_int64(double d) {
    if (d != d) return 0;
    if (d >= 9223372036854775807.0) return INT64_MAX;
    if (d <= -9223372036854775808.0) return INT64_MIN;
    return static_cast<int64_t>(d);
  }
  DType type_;
  union {
    int64_t i_;
    double d_;  ///< of a complex number the real part
  };
  double imag_ = 0;
};

}  // namespace strata
