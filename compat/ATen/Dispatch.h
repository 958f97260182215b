// libtorch's typed dispatch: AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "name", [&] { … scalar_t … }) and its kin.
#pragma once
#include <strata/core/visit_types.h>

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  ::strata::visit_types<double, float>(TYPE, NAME, [&]<class scalar_t>() { return (__VA_ARGS__)(); })
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  ::strata::visit_types<double, float, ::strata::Half>(TYPE, NAME, [&]<class scalar_t>() { return (__VA_ARGS__)(); })
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...)                              \
  ::strata::visit_types<double, float, ::strata::Complex<double>, ::strata::Complex<float>>( \
      TYPE, NAME, [&]<class scalar_t>() { return (__VA_ARGS__)(); })
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                             \
  ::strata::visit_types<uint8_t, int8_t, int32_t, int64_t, int16_t>(TYPE, NAME, \
                                                                    [&]<class scalar_t>() { return (__VA_ARGS__)(); })
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                      \
  ::strata::visit_types<uint8_t, int8_t, int32_t, int64_t, int16_t, double, float>( \
      TYPE, NAME, [&]<class scalar_t>() { return (__VA_ARGS__)(); })
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...)                                                    \
  ::strata::visit_types<uint8_t, int8_t, int32_t, int64_t, int16_t, double, float, ::strata::Complex<double>, \
                        ::strata::Complex<float>>(TYPE, NAME, [&]<class scalar_t>() { return (__VA_ARGS__)(); })
