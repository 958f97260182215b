// From a dtype known at run time to a C++ type: the typed dispatch that kernels of programs are written with.
#pragma once
#include <string_view>

#include "dtype.h"
#include "error.h"

namespace strata {

/// `visit_types<float, double>(x.dtype(), "cube", [&]<class T>() { … })` calls the function with the listed type that
/// `dtype` names, and throws, naming `who`, where there is none.
template <class First, class... Others, class F>
decltype(auto) visit_types(DType dtype, std::string_view who, F&& f) {
  if (dtype == dtype_of<First>) return f.template operator()<First>();
  if constexpr (sizeof...(Others) > 0)
    return visit_types<Others...>(dtype, who, std::forward<F>(f));
  else
    STRATA_THROW_AS(NotImplementedError, "{}: not implemented for {}", who, name(dtype));
}

}  // namespace strata
