// libtorch's typed dispatch: AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "name", [&] { … scalar_t … }) and its kin.
#pragma once
#include <strata/core/visit_types.h>

#include <type_traits>

namespace strata::compat {

/// The C++ type of a dtype: `TypeOf<kHalf>`.
template <DType t>
struct TypeOfDType;
template <>
struct TypeOfDType<kBool> : std::type_identity<bool> {};
template <>
struct TypeOfDType<kByte> : std::type_identity<uint8_t> {};
template <>
struct TypeOfDType<kChar> : std::type_identity<int8_t> {};
template <>
struct TypeOfDType<kShort> : std::type_identity<int16_t> {};
template <>
struct TypeOfDType<kInt> : std::type_identity<int32_t> {};
template <>
struct TypeOfDType<kUInt32> : std::type_identity<uint32_t> {};
template <>
struct TypeOfDType<kLong> : std::type_identity<int64_t> {};
template <>
struct TypeOfDType<kHalf> : std::type_identity<Half> {};
template <>
struct TypeOfDType<kBFloat16> : std::type_identity<BFloat16> {};
template <>
struct TypeOfDType<kFloat> : std::type_identity<float> {};
template <>
struct TypeOfDType<kDouble> : std::type_identity<double> {};
template <>
struct TypeOfDType<kComplexFloat> : std::type_identity<Complex<float>> {};
template <>
struct TypeOfDType<kComplexDouble> : std::type_identity<Complex<double>> {};
template <>
struct TypeOfDType<kUInt16> : std::type_identity<uint16_t> {};
template <>
struct TypeOfDType<kUInt64> : std::type_identity<uint64_t> {};
template <>
struct TypeOfDType<kFloat8_e5m2> : std::type_identity<Float8_e5m2> {};
template <>
struct TypeOfDType<kFloat8_e4m3fn> : std::type_identity<Float8_e4m3fn> {};
template <>
struct TypeOfDType<kFloat8_e5m2fnuz> : std::type_identity<Float8_e5m2fnuz> {};
template <>
struct TypeOfDType<kFloat8_e4m3fnuz> : std::type_identity<Float8_e4m3fnuz> {};
template <DType t>
using TypeOf = typename TypeOfDType<t>::type;

/// The dtype that a macro is given, by itself or as `x.type()`.
constexpr DType dispatched(DType dtype) { return dtype; }
inline DType dispatched(const DeprecatedTypeProperties& type) { return type.scalarType(); }

/// Calls `f` with the type of the dtype, which is one of the list.
template <DType... list, class T, class F>
decltype(auto) visit_dtypes(const T& type, std::string_view who, F&& f) {
  const DType dtype = dispatched(type);
  if (!((dtype == list) || ...))
    STRATA_THROW_AS(::strata::NotImplementedError, "\"{}\" not implemented for '{}'", who, toString(dtype));
  return visit_types<TypeOf<list>...>(dtype, who, std::forward<F>(f));
}

}  // namespace strata::compat

// Lists of dtypes, which AT_DISPATCH_V2 takes as well.
#define AT_EXPAND(...) __VA_ARGS__
#define AT_WRAP(...) __VA_ARGS__
#define AT_FLOATING_TYPES ::strata::kDouble, ::strata::kFloat
#define AT_REDUCED_FLOATING_TYPES ::strata::kHalf, ::strata::kBFloat16
#define AT_COMPLEX_TYPES ::strata::kComplexDouble, ::strata::kComplexFloat
#define AT_INTEGRAL_TYPES ::strata::kByte, ::strata::kChar, ::strata::kInt, ::strata::kLong, ::strata::kShort
#define AT_FLOAT8_TYPES \
  ::strata::kFloat8_e5m2, ::strata::kFloat8_e5m2fnuz, ::strata::kFloat8_e4m3fn, ::strata::kFloat8_e4m3fnuz
#define AT_BAREBONES_UNSIGNED_TYPES ::strata::kUInt16, ::strata::kUInt32, ::strata::kUInt64
#define AT_INTEGRAL_TYPES_V2 AT_INTEGRAL_TYPES, AT_BAREBONES_UNSIGNED_TYPES
#define AT_ALL_TYPES AT_INTEGRAL_TYPES, AT_FLOATING_TYPES
#define AT_ALL_TYPES_AND_COMPLEX AT_ALL_TYPES, AT_COMPLEX_TYPES

#define AT_DISPATCH_V2(TYPE, NAME, BODY, ...) \
  ::strata::compat::visit_dtypes<__VA_ARGS__>(TYPE, NAME, [&]<class scalar_t>() { return (BODY)(); })

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(A, B, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND3(A, B, C, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND3(A, B, C, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND4(A, B, C, D, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND4(A, B, C, D, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND5(A, B, C, D, E, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND5(A, B, C, D, E, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(A, __VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES_AND(A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND(A, __VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES_AND2(A, B, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND2(A, B, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND1(A, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(A, B, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(A, B, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(A, B, C, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(A, B, C, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND4(A, B, C, D, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(A, B, C, D, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND5(A, B, C, D, E, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(A, B, C, D, E, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND6(A, B, C, D, E, F, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(A, B, C, D, E, F, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND2(A, B, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND3(A, B, C, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND4(A, B, C, D, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND4(A, B, C, D, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND5(A, B, C, D, E, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND5(A, B, C, D, E, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND6(A, B, C, D, E, F, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND6(A, B, C, D, E, F, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(A, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(A, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(A, B, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(A, B, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(A, B, C, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(A, B, C, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(A, B, C, D, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(A, B, C, D, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(A, B, C, D, E, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(A, B, C, D, E, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND6(A, B, C, D, E, F, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(A, B, C, D, E, F, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND7(A, B, C, D, E, F, G, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(A, B, C, D, E, F, G, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND8(A, B, C, D, E, F, G, H, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(A, B, C, D, E, F, G, H, __VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                           \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                           \
                     AT_PRIVATE_CASE_TYPE_USING_HINT(::strata::kInt, index_t, __VA_ARGS__) \
                         AT_PRIVATE_CASE_TYPE_USING_HINT(::strata::kLong, index_t, __VA_ARGS__))

// The form with cases: AT_DISPATCH_SWITCH(x.scalar_type(), "name", AT_DISPATCH_CASE_FLOATING_TYPES([&] { … })). Each
// case is a statement of a lambda that returns where the dtype is its own. The others are made of it, so that scalar_t
// is no parameter of a template, and `made.data_ptr<scalar_t>()` needs no `template` where `made` was computed from
// one.
#define AT_PRIVATE_CASE_TYPE_USING_HINT(DTYPE, HINT, ...)          \
  if (strata_dispatched == (DTYPE)) {                              \
    using HINT [[maybe_unused]] = ::strata::compat::TypeOf<DTYPE>; \
    return __VA_ARGS__();                                          \
  }
#define AT_DISPATCH_CASE(DTYPE, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(DTYPE, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)       \
  AT_DISPATCH_CASE(::strata::kDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(::strata::kFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...) \
  AT_DISPATCH_CASE(::strata::kHalf, __VA_ARGS__)     \
  AT_DISPATCH_CASE(::strata::kBFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)        \
  AT_DISPATCH_CASE(::strata::kHalf, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)     \
  AT_DISPATCH_CASE(::strata::kByte, __VA_ARGS__) \
  AT_DISPATCH_CASE(::strata::kChar, __VA_ARGS__) \
  AT_DISPATCH_CASE(::strata::kInt, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::strata::kLong, __VA_ARGS__) \
  AT_DISPATCH_CASE(::strata::kShort, __VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)               \
  AT_DISPATCH_CASE(::strata::kComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(::strata::kComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)           \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
// Each takes its first dtype and leaves the others to the one before it.
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(A, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(A, B, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES_AND(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(A, B, C, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES_AND2(B, C, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND4(A, B, C, D, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES_AND3(B, C, D, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND5(A, B, C, D, E, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES_AND4(B, C, D, E, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(A, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND(A, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND2(A, B, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_COMPLEX_TYPES_AND(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND1(A, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(A, B, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND1(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(A, B, C, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(B, C, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(A, B, C, D, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(B, C, D, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(A, B, C, D, E, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(B, C, D, E, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(A, B, C, D, E, F, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(B, C, D, E, F, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(A, ...) AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(A, B, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND3(A, B, C, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND2(B, C, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND4(A, B, C, D, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND3(B, C, D, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND5(A, B, C, D, E, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND4(B, C, D, E, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND6(A, B, C, D, E, F, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND5(B, C, D, E, F, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(A, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(A, B, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(B, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(A, B, C, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(B, C, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(A, B, C, D, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(B, C, D, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(A, B, C, D, E, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(B, C, D, E, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(A, B, C, D, E, F, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(B, C, D, E, F, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(A, B, C, D, E, F, G, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(B, C, D, E, F, G, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(A, B, C, D, E, F, G, H, ...) \
  AT_DISPATCH_CASE(A, __VA_ARGS__) AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(B, C, D, E, F, G, H, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                     \
  [&] {                                                                                                         \
    const ::strata::DType strata_dispatched = ::strata::compat::dispatched(TYPE);                               \
    __VA_ARGS__                                                                                                 \
    STRATA_THROW_AS(::strata::NotImplementedError, "\"{}\" not implemented for '{}'", ::std::string_view(NAME), \
                    ::strata::toString(strata_dispatched));                                                     \
  }()
