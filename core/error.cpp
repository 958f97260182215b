// Message formatting and the throwing side of the checks.
#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/called.h"
#include "core/stack.h"

namespace strata {

constinit thread_local const char* Called::current_ = nullptr;

std::string_view Called::function() noexcept { return current_ ? without_overload(current_) : std::string_view(); }

void Error::add_context(std::string where) {
  auto grown = context_ ? std::make_shared<Context>(*context_) : std::make_shared<Context>(Context{msg(), {}, {}});
  grown->lines.push_back(std::move(where));
  grown->text = msg();
  if (grown->lines.size() == 1) {
    grown->text += " (" + grown->lines[0] + ")";
  } else {
    for (const std::string& line : grown->lines) grown->text += "\n  " + line;
  }
  context_ = std::move(grown);
}

void Error::replace_what(std::string what) { context_ = std::make_shared<Context>(Context{what, {}, std::move(what)}); }

namespace detail {
namespace {

void append_dims(std::string& out, IntArrayRef dims) {
  out += '(';
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i) out += ", ";
    out += std::to_string(dims[i]);
  }
  out += dims.size() == 1 ? ",)" : ")";
}

void append_arg(std::string& out, const ErrorArg& a) {
  switch (a.kind) {
    case ErrorArg::Kind::kInt:
      out += std::to_string(a.i);
      break;
    case ErrorArg::Kind::kUnsigned:
      out += std::to_string(a.u);
      break;
    case ErrorArg::Kind::kFloat:
      out += fmt::format("{}", a.f);
      break;
    case ErrorArg::Kind::kText:
      out += a.text;
      break;
    case ErrorArg::Kind::kDims:
      append_dims(out, a.dims);
      break;
  }
}

}  // namespace

std::string format_message(std::string_view format, std::initializer_list<ErrorArg> args) {
  std::string out;
  auto next = args.begin();
  for (size_t i = 0; i < format.size(); ++i) {
    const bool hole = format.substr(i, 2) == "{}" && next != args.end();
    if (!hole) {
      out += format[i];
      continue;
    }
    append_arg(out, *next++);
    ++i;
  }
  return out;
}

namespace {

/// Is it what messages begin with: a function's name?
bool is_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

/// The message as that of the function that was called, where it says so (`Called`).
std::string under_called_name(std::string message) {
  const std::string_view called = Called::function();
  if (called.empty()) return message;
  const size_t end = std::min(message.find(": "), message.size());
  if (is_name(std::string_view(message).substr(0, end))) return message.replace(0, end, called);
  return std::string(called).append(": ").append(message);
}

/// With the frames of the user's code, where they are asked for.
template <class E>
E located(E error) {
  if (error_backtraces())
    for (const std::string& frame : user_frames()) error.add_context("at " + frame);
  return error;
}
}  // namespace

template <class E>
void fail_as(std::string_view format, std::initializer_list<ErrorArg> args) {
  throw located(E(under_called_name(format_message(format, args))));
}
template void fail_as<Error>(std::string_view, std::initializer_list<ErrorArg>);
template void fail_as<IndexError>(std::string_view, std::initializer_list<ErrorArg>);
template void fail_as<ValueError>(std::string_view, std::initializer_list<ErrorArg>);
template void fail_as<TypeError>(std::string_view, std::initializer_list<ErrorArg>);
template void fail_as<NotImplementedError>(std::string_view, std::initializer_list<ErrorArg>);
template void fail_as<OutOfMemoryError>(std::string_view, std::initializer_list<ErrorArg>);
void fail_at(size_t i, size_t size) { STRATA_THROW("ArrayRef: invalid index Index = {}; Length = {}", i, size); }

}  // namespace detail

}  // namespace strata
