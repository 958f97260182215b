// The one exception type of the library and the check macro that throws it with a formatted one-line message.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "array_ref.h"

namespace strata {

/// Thrown for every misuse and every failure of the outside world; `what()` is one line a person can act on.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  /// The message, with what `add_context` added after it.
  const char* what() const noexcept override { return context_ ? context_->text.c_str() : std::runtime_error::what(); }
  /// The same (libtorch's spelling): there is no backtrace in it.
  const char* what_without_backtrace() const noexcept { return what(); }
  std::string backtrace() const { return {}; }
  /// The message alone.
  std::string msg() const { return context_ ? context_->message : std::runtime_error::what(); }
  /// Adds where it happened, for whoever catches the error next: one in brackets, several on lines of their own.
  void add_context(std::string where);
  std::vector<std::string> context() const { return context_ ? context_->lines : std::vector<std::string>(); }
  /// Says `what` instead of the message and its context, for whoever throws the error on: it stays of its kind.
  void replace_what(std::string what);

 private:
  struct Context {
    std::string message;
    std::vector<std::string> lines;
    std::string text;
  };
  std::shared_ptr<const Context> context_;  // shared, for copies of an exception must not throw
};

/// An index outside of its range; as those below a kind of Error, as in libtorch.
class IndexError : public Error {
 public:
  using Error::Error;
};
/// A value that no function could take.
class ValueError : public Error {
 public:
  using Error::Error;
};
/// An argument of the wrong type.
class TypeError : public Error {
 public:
  using Error::Error;
};
/// What there is no code for, as an op on a dtype that it does not take.
class NotImplementedError : public Error {
 public:
  using Error::Error;
};
/// Memory that is not to be had.
class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

namespace detail {

/// One argument of a message: integers, floats, text and shapes, so that headers need no formatting library.
struct ErrorArg {
  enum class Kind : uint8_t { kInt, kUnsigned, kFloat, kText, kDims } kind;
  union {
    int64_t i;
    uint64_t u;
    double f;
  };
  std::string_view text{};
  IntArrayRef dims{};
  template <class T>
  requires std::is_integral_v<T> ErrorArg(T v) {
    if constexpr (std::is_same_v<T, bool>) {
      kind = Kind::kText;
      text = v ? "true" : "false";
    } else if constexpr (std::is_signed_v<T>) {
      kind = Kind::kInt;
      i = v;
    } else {
      kind = Kind::kUnsigned;
      u = v;
    }
  }
  ErrorArg(double v) : kind(Kind::kFloat), f(v) {}
  ErrorArg(const char* v) : kind(Kind::kText), i(0), text(v) {}
  ErrorArg(std::string_view v) : kind(Kind::kText), i(0), text(v) {}
  ErrorArg(const std::string& v) : kind(Kind::kText), i(0), text(v) {}
  ErrorArg(IntArrayRef v) : kind(Kind::kDims), i(0), dims(v) {}
};

/// `format_message("a {} b {}", {1, "x"})`: replaces each `{}` in turn; shapes print as `(2, 3)`.
std::string format_message(std::string_view format, std::initializer_list<ErrorArg> args);
/// Throws an E, which is Error or one of the kinds above.
template <class E>
[[noreturn]] void fail_as(std::string_view format, std::initializer_list<ErrorArg> args);
[[noreturn]] inline void fail(std::string_view format, std::initializer_list<ErrorArg> args) {
  fail_as<Error>(format, args);
}

}  // namespace detail

/// A warning (warning.h) that is given once per distinct message.
void warn_once(const std::string& message);

}  // namespace strata

#define STRATA_THROW_AS(Kind, ...) ::strata::detail::fail_with<Kind>(__VA_ARGS__)
#define STRATA_THROW(...) STRATA_THROW_AS(::strata::Error, __VA_ARGS__)
/// Throws an error of that kind when `cond` is false.
#define STRATA_CHECK_AS(Kind, cond, ...)              \
  do {                                                \
    if (!(cond)) [[unlikely]]                         \
      ::strata::detail::fail_with<Kind>(__VA_ARGS__); \
  } while (0)
/// `STRATA_CHECK(ok, "op: what is wrong with {}", x)` throws strata::Error when `ok` is false.
#define STRATA_CHECK(cond, ...) STRATA_CHECK_AS(::strata::Error, cond, __VA_ARGS__)
#define STRATA_CHECK_INDEX(cond, ...) STRATA_CHECK_AS(::strata::IndexError, cond, __VA_ARGS__)

// Each library has its own of these, so they are no names of it.
namespace strata::detail {
template <class E, class... A>
[[noreturn, gnu::cold, gnu::noinline, gnu::visibility("hidden")]] void fail_with(std::string_view format,
                                                                                 const A&... args) {
  fail_as<E>(format, {ErrorArg(args)...});
}
}  // namespace strata::detail
