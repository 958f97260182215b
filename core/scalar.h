// A number of any element type, as it arrives in `a + 2.0` or leaves through `item()`.
#pragma once
#include <cstdint>
#include <type_traits>

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
  /// A complex number with an imaginary part is an error for every real T but bool.
  template <class T>
  constexpr T to() const {
    if constexpr (ComplexLike<T>) {
      using Part = typename T::value_type;
      return type_ == kComplexDouble ? T(static_cast<Part>(d_), static_cast<Part>(imag_)) : T(to<Part>());
    } else {
      if (type_ == kComplexDouble) [[unlikely]]
        return complex_to<T>();
      return to_real<T>();
    }
  }
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
    if (imag_ != 0) fail_complex();
    return Scalar(d_).to<T>();
  }
  [[noreturn]] void fail_complex() const;
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
