// The throwing side of in-place methods.
#include "ops/in_place.h"

#include <algorithm>
#include <string>
#include <typeinfo>

namespace strata::detail {
namespace {

bool is_op(std::string_view name) {
  for (const dispatch::Op& op : dispatch::all_ops())
    if (op.name() == name) return true;
  return false;
}

/// Is it something that the method is made of: an op, another in-place method, or the function of its own name?
bool is_inside(std::string_view name, std::string_view method) {
  return name.ends_with('_') || is_op(name) || name == method.substr(0, method.size() - 1);
}

/// The message with the method's name at its beginning.
std::string named(std::string_view method, std::string_view message) {
  const std::string_view name = message.substr(0, std::min(message.find(": "), message.size()));
  if (is_inside(name, method)) return std::string(method).append(message.substr(name.size()));
  return std::string(method).append(": ").append(message);
}

template <class... E>
bool is_one_of(const Error& e) {
  return ((typeid(e) == typeid(E)) || ...);
}

}  // namespace

void rethrow_as(std::string_view method) {
  try {
    throw;
  } catch (Error& e) {
    // Others are of a user's own kind, thrown by what a user lets run here.
    if (is_one_of<Error, IndexError, ValueError, TypeError, NotImplementedError, OutOfMemoryError>(e))
      e.replace_what(named(method, e.what()));
    throw;
  }
}

void rethrow_in_place(const dispatch::Op& op) { rethrow_as(std::string(op.name()) + "_"); }

}  // namespace strata::detail
