// libtorch's names for element types, what is asked of them, and numbers as tensors.
#pragma once
#include <strata/strata.h>

#include "dispatch.h"

namespace strata {

inline constexpr DType kI8 = kChar, kI16 = kShort, kI32 = kInt, kI64 = kLong, kU8 = kByte, kU32 = kUInt32, kF16 = kHalf,
                       kBF16 = kBFloat16, kF32 = kFloat, kF64 = kDouble, kC64 = kComplexFloat, kC128 = kComplexDouble;

constexpr TypeMeta scalarTypeToTypeMeta(DType t) { return TypeMeta(t); }
constexpr DType typeMetaToScalarType(TypeMeta t) { return t; }
constexpr std::optional<DType> optTypeMetaToScalarType(std::optional<DType> t) { return t; }
constexpr bool isReducedFloatingType(DType t) { return t == kHalf || t == kBFloat16; }
constexpr bool isSignedType(DType t) {
  return t != kBool && t != kByte && t != kUInt32 && !kUnsignedStorageTypes.has(t);
}
constexpr bool isFloat8Type(DType t) { return is_float8(t); }
constexpr bool isBarebonesUnsignedType(DType t) { return t == kUInt32 || kUnsignedStorageTypes.has(t); }
constexpr bool isBitsType(DType) { return false; }
constexpr bool isQIntType(DType) { return false; }
inline DType promoteTypes(DType a, DType b) { return promote_types(a, b); }
inline bool canCast(DType from, DType to) { return can_cast(from, to); }
inline DType get_default_complex_dtype() { return to_complex_dtype(get_default_dtype()); }

/// `CppTypeToScalarType<float>::value`.
template <class T>
struct CppTypeToScalarType : std::integral_constant<DType, dtype_of<T>> {};

/// The dtype of a type of C++, as options: `torch::zeros({2}, torch::dtype<double>())`.
template <class T>
TensorOptions dtype() {
  return TensorOptions(dtype_of<T>);
}

/// A number as a tensor without dims: float64, int64, complex128 or bool.
inline Tensor scalar_to_tensor(const Scalar& s, Device device = kCPU) {
  return scalar_tensor(s, TensorOptions(s.type()).device(device));
}
/// The type of a number's parts: `scalar_value_type<c10::complex<float>>::type` is float.
template <class T>
struct scalar_value_type {
  using type = T;
};
template <class T>
struct scalar_value_type<Complex<T>> {
  using type = T;
};

/// `c10::impl::ScalarTypeToCPPTypeT<kHalf>` and `c10::impl::ScalarTypeToCPPType<kHalf>::type`.
namespace impl {
template <DType t>
using ScalarTypeToCPPTypeT = compat::TypeOf<t>;
template <DType t>
struct ScalarTypeToCPPType {
  using type = ScalarTypeToCPPTypeT<t>;
};
}  // namespace impl

}  // namespace strata

// Lists of types with their dtypes' names, each of which a macro of the program's is given: `_(uint8_t, Byte)`.
#define AT_FORALL_INT_TYPES(_) _(uint8_t, Byte) _(int8_t, Char) _(int16_t, Short) _(int, Int) _(int64_t, Long)
#define AT_FORALL_SCALAR_TYPES(_) AT_FORALL_INT_TYPES(_) _(float, Float) _(double, Double)
#define AT_FORALL_COMPLEX_TYPES(_) _(::strata::Complex<float>, ComplexFloat) _(::strata::Complex<double>, ComplexDouble)
#define STRATA_COMPAT_TYPE_AND_NAME(_, NAME) _(::strata::compat::TypeOf<::strata::DType::NAME>, NAME)
#define AT_FORALL_SCALAR_TYPES_AND(A, _) AT_FORALL_SCALAR_TYPES(_) STRATA_COMPAT_TYPE_AND_NAME(_, A)
#define AT_FORALL_SCALAR_TYPES_AND2(A, B, _) AT_FORALL_SCALAR_TYPES_AND(A, _) STRATA_COMPAT_TYPE_AND_NAME(_, B)
#define AT_FORALL_SCALAR_TYPES_AND3(A, B, C, _) AT_FORALL_SCALAR_TYPES_AND2(A, B, _) STRATA_COMPAT_TYPE_AND_NAME(_, C)
