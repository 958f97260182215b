// Element types: names, sizes, categories and the promotion lattice.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

#include "complex.h"
#include "float8.h"
#include "half.h"

namespace strata {

/// Element type of a tensor; the names of libtorch's ScalarType. Those behind the complex ones are for storage: they
/// are moved, converted and compared, and few other ops take them.
enum class ScalarType : uint8_t {
  Bool,
  Byte,
  Char,
  Short,
  Int,
  UInt32,
  Long,
  Half,
  BFloat16,
  Float,
  Double,
  ComplexFloat,
  ComplexDouble,
  UInt16,
  UInt64,
  Float8_e5m2,
  Float8_e4m3fn,
  Float8_e5m2fnuz,
  Float8_e4m3fnuz,
  Undefined
};

// E4M3 and E5M2 of "OCP 8-bit Floating Point Specification (OFP8)", revision 1.0, and the "fnuz" forms of Noune et al.,
// "8-bit Numerical Formats for Deep Neural Networks" (arXiv 2206.02915). Where the specification leaves the choice, a
// number too large for E4M3 saturates, as in PyTorch, and infinity with it.
using Float8_e4m3fn = detail::Float8<3, 7, detail::Float8Codes::kFinite>;
using Float8_e5m2 = detail::Float8<2, 15, detail::Float8Codes::kIeee>;
using Float8_e4m3fnuz = detail::Float8<3, 8, detail::Float8Codes::kUnsignedZero>;
using Float8_e5m2fnuz = detail::Float8<2, 16, detail::Float8Codes::kUnsignedZero>;
using DType = ScalarType;
using Dtype = ScalarType;
inline constexpr int kNumDTypes = 19;

inline constexpr DType kBool = DType::Bool, kByte = DType::Byte, kUInt8 = DType::Byte, kChar = DType::Char,
                       kInt8 = DType::Char, kShort = DType::Short, kInt16 = DType::Short, kInt = DType::Int,
                       kInt32 = DType::Int, kUInt32 = DType::UInt32, kLong = DType::Long, kInt64 = DType::Long,
                       kHalf = DType::Half, kFloat16 = DType::Half, kBFloat16 = DType::BFloat16, kFloat = DType::Float,
                       kFloat32 = DType::Float, kDouble = DType::Double, kFloat64 = DType::Double,
                       kComplexFloat = DType::ComplexFloat, kComplex64 = DType::ComplexFloat,
                       kComplexDouble = DType::ComplexDouble, kComplex128 = DType::ComplexDouble,
                       kUInt16 = DType::UInt16, kUInt64 = DType::UInt64, kFloat8_e5m2 = DType::Float8_e5m2,
                       kFloat8_e4m3fn = DType::Float8_e4m3fn, kFloat8_e5m2fnuz = DType::Float8_e5m2fnuz,
                       kFloat8_e4m3fnuz = DType::Float8_e4m3fnuz;

namespace detail {
inline constexpr uint8_t kItemSize[] = {1, 1, 1, 2, 4, 4, 8, 2, 2, 4, 8, 8, 16, 2, 8, 1, 1, 1, 1, 0};
// bool < integer < floating point < complex: a higher category always wins in promotion.
inline constexpr uint8_t kCategory[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 1, 1, 2, 2, 2, 2, 0};
inline constexpr const char* kDTypeName[] = {
    "bool",    "uint8",       "int8",          "int16",           "int32",           "uint32",     "int64",
    "float16", "bfloat16",    "float32",       "float64",         "complex64",       "complex128", "uint16",
    "uint64",  "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz", "undefined"};
inline constexpr const char* kScalarTypeName[] = {"Bool",
                                                  "Byte",
                                                  "Char",
                                                  "Short",
                                                  "Int",
                                                  "UInt32",
                                                  "Long",
                                                  "Half",
                                                  "BFloat16",
                                                  "Float",
                                                  "Double",
                                                  "ComplexFloat",
                                                  "ComplexDouble",
                                                  "UInt16",
                                                  "UInt64",
                                                  "Float8_e5m2",
                                                  "Float8_e4m3fn",
                                                  "Float8_e5m2fnuz",
                                                  "Float8_e4m3fnuz",
                                                  "Undefined"};
}  // namespace detail

/// Bytes of one element.
constexpr size_t item_size(DType t) { return detail::kItemSize[static_cast<int>(t)]; }
constexpr size_t elementSize(DType t) { return item_size(t); }
/// 0 bool, 1 integer, 2 floating point, 3 complex.
constexpr int category(DType t) { return detail::kCategory[static_cast<int>(t)]; }
constexpr bool is_float8(DType t) { return t >= DType::Float8_e5m2 && t <= DType::Float8_e4m3fnuz; }
constexpr bool is_floating_point(DType t) { return (t >= DType::Half && t <= DType::Double) || is_float8(t); }
constexpr bool is_integral(DType t, bool include_bool = false) {
  return t != DType::Undefined && category(t) <= 1 && (include_bool || t != kBool);
}
constexpr bool is_complex(DType t) { return t >= DType::ComplexFloat && t <= DType::ComplexDouble; }
constexpr bool isComplexType(DType t) { return is_complex(t); }
/// A set of dtypes, for example those that an op takes. The undefined dtype is in every set.
class DTypes {
 public:
  constexpr DTypes() = default;
  template <std::same_as<DType>... T>
  constexpr explicit DTypes(T... types) : bits_((kUndefinedBit | ... | (1u << static_cast<int>(types)))) {}
  constexpr bool has(DType t) const { return bits_ >> static_cast<int>(t) & 1u; }
  friend constexpr DTypes operator|(DTypes a, DTypes b) { return from_bits(a.bits_ | b.bits_); }
  friend constexpr bool operator==(DTypes, DTypes) = default;

 private:
  static constexpr unsigned kUndefinedBit = 1u << static_cast<int>(DType::Undefined);
  static constexpr DTypes from_bits(unsigned bits) {
    DTypes s;
    s.bits_ = bits;
    return s;
  }
  uint32_t bits_ = kUndefinedBit;
};
inline constexpr DTypes kIntegralTypes(kBool, kByte, kChar, kShort, kInt, kUInt32, kLong);
inline constexpr DTypes kFloatingTypes(kHalf, kBFloat16, kFloat, kDouble);
inline constexpr DTypes kComplexTypes(kComplexFloat, kComplexDouble);
inline constexpr DTypes kRealTypes = kIntegralTypes | kFloatingTypes;
inline constexpr DTypes kAllTypes = kRealTypes | kComplexTypes;
inline constexpr DTypes kUnsignedStorageTypes(kUInt16, kUInt64);
inline constexpr DTypes kFloat8Types(kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz);
/// What a tensor can hold; kAllTypes are those that arithmetic is done in.
inline constexpr DTypes kStoredTypes = kAllTypes | kUnsignedStorageTypes | kFloat8Types;

/// Can a tensor of it have a gradient?
constexpr bool is_differentiable(DType t) { return (t >= DType::Half && t <= DType::ComplexDouble) || is_float8(t); }
/// The dtype whose sums, products and comparisons for equality have the same bits: the signed one of uint16 and uint64.
constexpr DType with_same_sums(DType t) { return t == kUInt16 ? kShort : t == kUInt64 ? kLong : t; }
/// The complex dtype whose parts hold `t`: complex128 for float64, complex64 for the others.
constexpr DType to_complex_dtype(DType t) {
  return t == kDouble || t == kComplexDouble ? kComplexDouble : kComplexFloat;
}
constexpr DType toComplexType(DType t) { return to_complex_dtype(t); }
/// The dtype of a complex dtype's parts; the others are their own.
constexpr DType to_real_dtype(DType t) { return !is_complex(t) ? t : t == kComplexDouble ? kDouble : kFloat; }
constexpr DType toRealValueType(DType t) { return to_real_dtype(t); }
constexpr bool isFloatingType(DType t) { return is_floating_point(t); }
constexpr bool isIntegralType(DType t, bool include_bool) { return is_integral(t, include_bool); }
/// "float32" and so on; the names of PyTorch's dtypes.
constexpr const char* name(DType t) { return detail::kDTypeName[static_cast<int>(t)]; }
/// The name that the dtype prints under: as `name`, or libtorch's "Float" (naming.h).
const char* toString(DType t);
std::ostream& operator<<(std::ostream& out, DType t);

/// The smallest type that holds both by PyTorch's lattice (int with float gives the float; uint8 with int8 gives
/// int16). Throws for an 8-bit floating point type, uint16 or uint64 with another type; the latter two go with
/// floating point ones.
DType promote_types(DType a, DType b);

/// The dtype used where none is given: float32 unless set otherwise.
DType get_default_dtype();
void set_default_dtype(DType t);

/// C++ type -> DType.
template <class T>
inline constexpr DType dtype_of = DType::Undefined;
template <ComplexLike T>
inline constexpr DType dtype_of<T> = sizeof(T) == 16 ? kComplexDouble : kComplexFloat;
template <>
inline constexpr DType dtype_of<bool> = kBool;
template <>
inline constexpr DType dtype_of<uint8_t> = kByte;
template <>
inline constexpr DType dtype_of<int8_t> = kChar;
template <>
inline constexpr DType dtype_of<int16_t> = kShort;
template <>
inline constexpr DType dtype_of<int32_t> = kInt;
template <>
inline constexpr DType dtype_of<uint32_t> = kUInt32;
template <>
inline constexpr DType dtype_of<int64_t> = kLong;
template <>
inline constexpr DType dtype_of<long long> = kLong;
template <>
inline constexpr DType dtype_of<Half> = kHalf;
template <>
inline constexpr DType dtype_of<BFloat16> = kBFloat16;
template <>
inline constexpr DType dtype_of<float> = kFloat;
template <>
inline constexpr DType dtype_of<double> = kDouble;
template <>
inline constexpr DType dtype_of<uint16_t> = kUInt16;
template <>
inline constexpr DType dtype_of<uint64_t> = kUInt64;
template <>
inline constexpr DType dtype_of<unsigned long long> = kUInt64;
template <>
inline constexpr DType dtype_of<Float8_e5m2> = kFloat8_e5m2;
template <>
inline constexpr DType dtype_of<Float8_e4m3fn> = kFloat8_e4m3fn;
template <>
inline constexpr DType dtype_of<Float8_e5m2fnuz> = kFloat8_e5m2fnuz;
template <>
inline constexpr DType dtype_of<Float8_e4m3fnuz> = kFloat8_e4m3fnuz;

/// The dtype of a tensor or of options as they give it: a DType wherever one is wanted, which knows the name of the C++
/// type too (libtorch's caffe2::TypeMeta).
class TypeMeta {
 public:
  constexpr TypeMeta() = default;
  constexpr explicit TypeMeta(DType t) : type_(t) {}
  constexpr TypeMeta& operator=(DType t) {
    type_ = t;
    return *this;
  }
  constexpr operator DType() const { return type_; }
  /// The number of the DType, as of the DType itself.
  template <std::integral T>
  constexpr explicit operator T() const {
    return static_cast<T>(type_);
  }
  template <class T>
  static constexpr TypeMeta Make() {
    return TypeMeta(dtype_of<T>);
  }
  static constexpr TypeMeta fromScalarType(DType t) { return TypeMeta(t); }
  constexpr DType toScalarType() const { return type_; }
  constexpr bool isScalarType() const { return type_ != DType::Undefined; }
  constexpr bool isScalarType(DType t) const { return type_ == t; }
  template <class T>
  constexpr bool Match() const {
    return type_ == dtype_of<T>;
  }
  constexpr size_t itemsize() const { return item_size(type_); }
  /// The C++ type as libtorch writes it: "float", "long int", "c10::Half".
  std::string_view name() const;
  friend constexpr bool operator==(TypeMeta a, TypeMeta b) { return a.type_ == b.type_; }
  friend constexpr bool operator==(TypeMeta a, DType b) { return a.type_ == b; }

 private:
  DType type_ = DType::Undefined;
};
std::ostream& operator<<(std::ostream& out, TypeMeta t);

namespace detail {
[[noreturn]] void fail_not_implemented(DType t);
}

/// Calls `f.template operator()<T>()` with the C++ type of a complex `t`.
template <class F>
decltype(auto) visit_complex(DType t, F&& f) {
  if (t == DType::ComplexFloat) return f.template operator()<Complex<float>>();
  if (t == DType::ComplexDouble) return f.template operator()<Complex<double>>();
  detail::fail_not_implemented(t);
}

/// Calls `f.template operator()<T>()` with the C++ type of a real `t`; complex ones are an error: `visit_dtype(t,
/// [&]<class T>() { ... });`
template <class F>
decltype(auto) visit_dtype(DType t, F&& f) {
  switch (t) {
    case DType::Bool:
      return f.template operator()<bool>();
    case DType::Byte:
      return f.template operator()<uint8_t>();
    case DType::Char:
      return f.template operator()<int8_t>();
    case DType::Short:
      return f.template operator()<int16_t>();
    case DType::Int:
      return f.template operator()<int32_t>();
    case DType::UInt32:
      return f.template operator()<uint32_t>();
    case DType::Long:
      return f.template operator()<int64_t>();
    case DType::Half:
      return f.template operator()<Half>();
    case DType::BFloat16:
      return f.template operator()<BFloat16>();
    case DType::Double:
      return f.template operator()<double>();
    case DType::Float:
      return f.template operator()<float>();
    default:
      detail::fail_not_implemented(t);
  }
}

/// The same with the complex types too.
template <class F>
decltype(auto) visit_any_dtype(DType t, F&& f) {
  if (is_complex(t)) return visit_complex(t, f);
  return visit_dtype(t, f);
}

/// The same with all that a tensor can hold, for code that moves or converts single elements.
template <class F>
decltype(auto) visit_stored_dtype(DType t, F&& f) {
  switch (t) {
    case DType::UInt16:
      return f.template operator()<uint16_t>();
    case DType::UInt64:
      return f.template operator()<uint64_t>();
    case DType::Float8_e5m2:
      return f.template operator()<Float8_e5m2>();
    case DType::Float8_e4m3fn:
      return f.template operator()<Float8_e4m3fn>();
    case DType::Float8_e5m2fnuz:
      return f.template operator()<Float8_e5m2fnuz>();
    case DType::Float8_e4m3fnuz:
      return f.template operator()<Float8_e4m3fnuz>();
    default:
      return visit_any_dtype(t, f);
  }
}

}  // namespace strata
