// libtorch's names for Strata: a program that includes <torch/torch.h> builds unchanged with this folder on its path.
#pragma once
#include <strata/strata.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <tuple>

namespace torch = strata;
namespace at = strata;
namespace c10 = strata;

namespace strata {
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
}  // namespace strata

namespace strata::detail {
/// The arguments one after the other, as libtorch's messages are put together.
template <class... A>
std::string concatenated(const A&... args) {
  std::ostringstream text;
  (text << ... << args);
  return text.str();
}
}  // namespace strata::detail

#define TORCH_MODULE(Name) STRATA_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, ImplType) STRATA_MODULE_IMPL(Name, ImplType)
#define TORCH_ARG(T, name) STRATA_ARG(T, name)
#define TORCH_CHECK(cond, ...)                                                       \
  do {                                                                               \
    if (!(cond)) throw ::strata::Error(::strata::detail::concatenated(__VA_ARGS__)); \
  } while (0)
#define TORCH_INTERNAL_ASSERT(cond, ...) TORCH_CHECK(cond, "assertion failed: " #cond " " __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERT(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
