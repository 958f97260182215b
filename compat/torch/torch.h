// Makes programs written for libtorch's C++ frontend build with Strata: its names, and the headers it brings along.
#pragma once

#include <strata/strata.h>

// libtorch's umbrella brings these, and its programs count on them.
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#if __cplusplus >= 202002L  // strata.h says so otherwise
#include "../parts/out_functions.h"

namespace strata {

// c10::optional and friends are the standard ones.
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
using std::string_view;

/// The arguments as text, one after the other.
template <class... T>
std::string str(const T&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// A list, such as that of the indices of `torch::index`.
template <class T>
class List : public std::vector<T> {
 public:
  using std::vector<T>::vector;
};
namespace compat {
template <class T>
std::vector<indexing::TensorIndex> indices_of(const List<T>& list) {
  return {list.begin(), list.end()};
}
}  // namespace compat

// Templates, which braced lists do not choose.
template <class T>
Tensor index(const Tensor& x, const List<T>& indices) {
  return index(x, compat::indices_of(indices));
}
template <class T>
Tensor index_put(const Tensor& x, const List<T>& indices, const Tensor& values, bool accumulate = false) {
  return index_put(x, compat::indices_of(indices), values, accumulate);
}
template <class T>
Tensor& index_put_(Tensor& x, const List<T>& indices, const Tensor& values, bool accumulate = false) {
  return index_put_(x, compat::indices_of(indices), values, accumulate);
}

namespace cuda {
/// Nothing runs behind a CPU-only program's back.
inline void synchronize(int64_t = -1) {}
}  // namespace cuda

namespace compat {
/// The message of a failed check, or what was checked where no message was given.
template <class... T>
std::string message(const char* condition, const T&... parts) {
  if constexpr (sizeof...(T) == 0)
    return std::string("Expected ") + condition + " to be true, but got false.";
  else
    return str(parts...);
}
}  // namespace compat

}  // namespace strata

namespace torch = strata;
namespace at = strata;
namespace c10 {  // not a mere name for strata, where complex is the function that joins two parts
using namespace strata;
template <class T>
using complex = strata::Complex<T>;
}  // namespace c10

#define TORCH_MODULE(Name) STRATA_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, Impl) STRATA_MODULE_IMPL(Name, Impl)
#define TORCH_ARG(T, name) STRATA_ARG(T, name)

#define TORCH_CHECK(cond, ...)                                                            \
  do {                                                                                    \
    if (!(cond)) [[unlikely]]                                                             \
      throw ::strata::Error(::strata::compat::message(#cond __VA_OPT__(, ) __VA_ARGS__)); \
  } while (0)
#define TORCH_CHECK_INDEX(cond, ...)                                                           \
  do {                                                                                         \
    if (!(cond)) [[unlikely]]                                                                  \
      throw ::strata::IndexError(::strata::compat::message(#cond __VA_OPT__(, ) __VA_ARGS__)); \
  } while (0)
#define TORCH_INTERNAL_ASSERT(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERT(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ERROR(...) throw ::strata::Error(::strata::compat::message("this point" __VA_OPT__(, ) __VA_ARGS__))
#define TORCH_WARN(...) ::strata::warn(::strata::Warning(::strata::str(__VA_ARGS__)))
#define TORCH_WARN_ONCE(...) ::strata::warn_once(::strata::str(__VA_ARGS__))
#endif
