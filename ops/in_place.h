// What an in-place method throws begins with the method's name, whatever op or function inside of it refused.
#pragma once
#include <string_view>

#include "../dispatcher/op.h"

namespace strata::detail {

/// Throws the error again that is being handled: its message begins with `method`, which takes the place of the op or
/// function named there, or stands before what else stands there. Its kind stays as it is.
[[noreturn, gnu::cold]] void rethrow_as(std::string_view method);
/// The same for the method that is named like the op, with an underscore.
[[noreturn, gnu::cold]] void rethrow_in_place(const dispatch::Op& op);

/// What `body` returns; its errors name the method. Costs nothing where nothing is thrown.
template <class F>
[[gnu::always_inline]] inline Tensor& in_place(std::string_view method, F&& body) {
  try {
    return body();
  } catch (const Error&) {
    rethrow_as(method);
  }
}
/// The same for the method that is named like the op, with an underscore.
template <class F>
[[gnu::always_inline]] inline Tensor& in_place(const dispatch::Op& op, F&& body) {
  try {
    return body();
  } catch (const Error&) {
    rethrow_in_place(op);
  }
}

}  // namespace strata::detail
