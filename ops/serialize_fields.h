// One list of a class's fields for both saving and loading them.
#pragma once
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "serialize.h"

namespace strata::serialize::detail {

/// Writes a value under its name, or reads it. A tensor that is undefined is left out; the parts of a tuple are called
/// `name_0`, `name_1`, ….
template <class T>
void transfer(OutputArchive& archive, const std::string& name, const T& value) {
  if constexpr (std::is_same_v<T, Tensor>) {
    if (value.defined()) archive.write(name, value);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    size_t i = 0;
    std::apply([&](const auto&... part) { (archive.write(name + "_" + std::to_string(i++), part), ...); }, value);
  } else {
    archive.write(name, value);
  }
}

template <class T>
void transfer(InputArchive& archive, const std::string& name, T& value) {
  if constexpr (std::is_same_v<T, Tensor>) {
    value = Tensor();
    archive.try_read(name, value);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    size_t i = 0;
    std::apply([&](auto&... part) { (archive.read(name + "_" + std::to_string(i++), part), ...); }, value);
  } else {
    archive.read(name, value);
  }
}

}  // namespace strata::serialize::detail
