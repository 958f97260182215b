// What the sources of modules put around a `forward`. Not included by public headers.
#pragma once
#include <type_traits>

#include "../core/error.h"
#include "module.h"

namespace strata::nn {

/// Does the work of a module's `forward`, so that errors carry its path where a program calls `layer->forward(x)` too.
template <class F>
std::invoke_result_t<F> in_module(const Module& module, F&& work) {
  try {
    return work();
  } catch (Error& error) {
    detail::name_module(error, module);
    throw;
  }
}

}  // namespace strata::nn
