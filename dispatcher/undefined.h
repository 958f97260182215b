// Errors that name the argument that is an undefined tensor, for functions that look into their arguments before they
// call an op; what an op's rules find is named by the dispatcher.
#pragma once

#include "../core/tensor.h"

namespace strata::dispatch {

struct Op;

[[noreturn, gnu::cold, gnu::noinline]] void fail_undefined(const Op& op, size_t input);
[[noreturn, gnu::cold, gnu::noinline]] void fail_undefined(const char* function, const char* argument);
[[noreturn, gnu::cold, gnu::noinline]] void fail_undefined(const char* function, size_t place_in_list);

/// The arguments under the names that the op's schema has for them.
inline void check_defined(const Op& op, const Tensor& first, const Tensor& second) {
  if (!first.defined()) [[unlikely]]
    fail_undefined(op, 0);
  if (!second.defined()) [[unlikely]]
    fail_undefined(op, 1);
}

inline void check_defined(const char* function, const char* argument, const Tensor& t) {
  if (!t.defined()) [[unlikely]]
    fail_undefined(function, argument);
}

/// Of a list the first that is undefined is named, as tensors[2].
inline void check_defined(const char* function, ArrayRef<Tensor> list) {
  for (size_t i = 0; i < list.size(); ++i)
    if (!list[i].defined()) [[unlikely]]
      fail_undefined(function, i);
}

}  // namespace strata::dispatch
