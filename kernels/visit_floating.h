// Choosing code by the floating point type of elements.
#pragma once
#include <string_view>

#include "core/dtype.h"
#include "core/error.h"

namespace strata {

/// Calls f.template operator()<T>() with the type of `dtype`, float, double, Half or BFloat16; others are an error of
/// `op`.
template <class F>
void visit_floating(std::string_view op, DType dtype, F&& f) {
  switch (dtype) {
    case kFloat:
      return f.template operator()<float>();
    case kDouble:
      return f.template operator()<double>();
    case kHalf:
      return f.template operator()<Half>();
    case kBFloat16:
      return f.template operator()<BFloat16>();
    default:
      STRATA_THROW_AS(NotImplementedError, "{}: not implemented for {}; convert it with to()", op, name(dtype));
  }
}

}  // namespace strata
