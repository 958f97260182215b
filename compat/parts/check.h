// libtorch's checks, errors and warnings: TORCH_CHECK and its kin, and the text that they are given in pieces.
#pragma once
#include <strata/core/error.h>
#include <strata/core/warning.h>
#include <strata/ops/factor.h>

#include <sstream>
#include <string>

namespace strata {

/// The arguments as text, one after the other.
template <class... T>
std::string str(const T&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

namespace compat {

/// The message of a failed check, or what was checked where no message was given.
template <class... T>
std::string message(const char* condition, const T&... parts) {
  if constexpr (sizeof...(T) == 0)
    return std::string("Expected ") + condition + " to be true, but got false.";
  else
    return str(parts...);
}

/// The message of a comparison that failed.
template <class A, class B>
std::string comparison(const char* text, const A& a, const B& b) {
  return str("Check failed: ", text, " (", a, " vs. ", b, "). ");
}

}  // namespace compat
}  // namespace strata

// Whole statements in braces as libtorch's, since programs leave the semicolon out.
#define STRATA_COMPAT_CHECK(Type, cond, ...)                                 \
  if (!(cond)) [[unlikely]] {                                                \
    throw Type(::strata::compat::message(#cond __VA_OPT__(, ) __VA_ARGS__)); \
  }
#define STRATA_COMPAT_COMPARE(a, op, b)                                           \
  if (!((a)op(b))) [[unlikely]] {                                                 \
    throw ::strata::Error(::strata::compat::comparison(#a " " #op " " #b, a, b)); \
  }

#define TORCH_CHECK(cond, ...) STRATA_COMPAT_CHECK(::strata::Error, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(cond, ...) STRATA_COMPAT_CHECK(::strata::IndexError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) STRATA_COMPAT_CHECK(::strata::ValueError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) STRATA_COMPAT_CHECK(::strata::TypeError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_LINALG(cond, ...) STRATA_COMPAT_CHECK(::strata::LinAlgError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) \
  STRATA_COMPAT_CHECK(::strata::NotImplementedError, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_WITH(type, cond, ...) STRATA_COMPAT_CHECK(::strata::type, cond __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_ARG(cond, argument, ...) \
  TORCH_CHECK(cond, "invalid argument ", argument, ": ", ::strata::compat::message(#cond __VA_OPT__(, ) __VA_ARGS__))
#define TORCH_CHECK_EQ(a, b) STRATA_COMPAT_COMPARE(a, ==, b)
#define TORCH_CHECK_NE(a, b) STRATA_COMPAT_COMPARE(a, !=, b)
#define TORCH_CHECK_LT(a, b) STRATA_COMPAT_COMPARE(a, <, b)
#define TORCH_CHECK_LE(a, b) STRATA_COMPAT_COMPARE(a, <=, b)
#define TORCH_CHECK_GT(a, b) STRATA_COMPAT_COMPARE(a, >, b)
#define TORCH_CHECK_GE(a, b) STRATA_COMPAT_COMPARE(a, >=, b)
#define TORCH_INTERNAL_ASSERT(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) \
  while (false) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#endif
#define AT_ASSERT(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERTM(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
#define AT_ERROR(...) throw ::strata::Error(::strata::compat::message("this point" __VA_OPT__(, ) __VA_ARGS__))
#define AT_INDEX_ERROR(...) \
  throw ::strata::IndexError(::strata::compat::message("this point" __VA_OPT__(, ) __VA_ARGS__))
#define C10_THROW_ERROR(type, text) throw ::strata::type(text)
#define STD_TORCH_CHECK(cond, ...) TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__)
// caffe2's, which older programs check by; whole statements that want their semicolon.
#define CAFFE_THROW(...) throw ::strata::Error(::strata::str(__VA_ARGS__))
#define CAFFE_ENFORCE(cond, ...)                  \
  do {                                            \
    TORCH_CHECK(cond __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
#define CAFFE_ENFORCE_EQ(a, b, ...) CAFFE_ENFORCE((a) == (b)__VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_NE(a, b, ...) CAFFE_ENFORCE((a) != (b)__VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_LT(a, b, ...) CAFFE_ENFORCE((a) < (b)__VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_LE(a, b, ...) CAFFE_ENFORCE((a) <= (b)__VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_GT(a, b, ...) CAFFE_ENFORCE((a) > (b)__VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_GE(a, b, ...) CAFFE_ENFORCE((a) >= (b)__VA_OPT__(, ) __VA_ARGS__)
#define TORCH_WARN(...) ::strata::warn(::strata::Warning(::strata::str(__VA_ARGS__)))
#define TORCH_WARN_ONCE(...) ::strata::warn_once(::strata::str(__VA_ARGS__))
#define TORCH_WARN_DEPRECATION(...) TORCH_WARN(__VA_ARGS__)
