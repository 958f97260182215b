// What a function throws, as text to look into.
#pragma once
#include <strata/core/error.h>

#include <string>

namespace strata {

/// The message of the strata::Error that `f` throws, or "no error".
template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace strata
