// Moving the tensors of a batch into pinned memory.
#pragma once
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include "example.h"

namespace strata::data::detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Pins the tensors in host memory that a batch is made of: examples, ranges, maps, tuples, pairs and optionals of
/// them, and whatever else has `pin_memory()`, which returns it pinned. What holds none stays as it is.
template <class T>
void pin(T& batch) {
  if constexpr (std::is_same_v<T, Tensor>) {
    if (batch.defined() && batch.is_cpu()) batch = batch.pin_memory();
  } else if constexpr (requires { batch = batch.pin_memory(); }) {
    batch = batch.pin_memory();
  } else if constexpr (requires {
                         typename T::DataType;
                         typename T::TargetType;
                         batch.data;
                       }) {
    pin(batch.data);
    if constexpr (requires { batch.target; }) pin(batch.target);
  } else if constexpr (kIsOptional<T>) {
    if (batch) pin(*batch);
  } else if constexpr (std::ranges::range<T&>) {
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(*std::ranges::begin(batch))>>)
      for (auto&& entry : batch) pin(entry);
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    std::apply([](auto&... parts) { (pin(parts), ...); }, batch);
  }
}
/// Whatever else a batch holds, such as the keys of maps, has no memory to pin.
template <class T>
void pin(const T&) {}

}  // namespace strata::data::detail
