// A value of any type, as modules of any types take and give them.
#pragma once
#include <any>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "../core/tensor.h"

namespace strata::nn {

namespace detail {
/// Says what a value is and what it was asked for.
[[noreturn]] void fail_value(const std::type_info& wanted, const std::type_info& found);
}  // namespace detail

/// Holds a copyable value of any type and knows which (libtorch's class of this name).
class AnyValue {
 public:
  template <class T>
  requires(!std::is_same_v<std::decay_t<T>, AnyValue>) explicit AnyValue(T&& value) : value_(std::forward<T>(value)) {}

  /// The value, or null where it is of another type.
  template <class T>
  T* try_get() {
    return std::any_cast<T>(&value_);
  }
  template <class T>
  const T* try_get() const {
    return std::any_cast<T>(&value_);
  }
  /// The value; throws where it is of another type. Nothing is converted.
  template <class T>
  T get() const {
    const T* const value = try_get<T>();
    if (!value) detail::fail_value(typeid(T), type_info());
    return *value;
  }
  const std::type_info& type_info() const noexcept { return value_.type(); }

 private:
  std::any value_;
};

}  // namespace strata::nn
