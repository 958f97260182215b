// A list of dims or sizes that may be left out.
#pragma once
#include <concepts>
#include <initializer_list>
#include <optional>
#include <type_traits>

#include "array_ref.h"

namespace strata {

/// Dims or sizes that may be left out (libtorch's type of this name); refers to the caller's as IntArrayRef does.
class OptionalIntArrayRef : public std::optional<IntArrayRef> {
  using Base = std::optional<IntArrayRef>;

 public:
  OptionalIntArrayRef() = default;
  OptionalIntArrayRef(std::nullopt_t) {}
  OptionalIntArrayRef(const std::optional<IntArrayRef>& dims) : Base(dims) {}
  OptionalIntArrayRef(const std::initializer_list<int64_t>& dims) : Base(IntArrayRef(dims)) {}
  OptionalIntArrayRef(const int64_t& one) : Base(IntArrayRef(one)) {}
  template <std::same_as<bool> B>
  OptionalIntArrayRef(B) = delete;
  template <class C>
  requires((std::is_class_v<C> || std::is_array_v<C>)&&std::is_convertible_v<const C&, IntArrayRef>)
      OptionalIntArrayRef(const C& dims)
      : Base(IntArrayRef(dims)) {}
};

}  // namespace strata
