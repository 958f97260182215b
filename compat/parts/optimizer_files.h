// What optimizers of a program's own write themselves into files with, by libtorch's names, and what compares states.
#pragma once
#include <strata/strata.h>

#include <algorithm>
#include <concepts>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "check.h"
#include "ivalue.h"

namespace strata::optim {

/// All of an optimizer: options and states of its groups, as its base class writes and reads them.
template <class ParamState, class Options>
void serialize(serialize::OutputArchive& archive, const Optimizer& optimizer) {
  optimizer.Optimizer::save(archive);
}
template <class ParamState, class Options>
void serialize(serialize::InputArchive& archive, Optimizer& optimizer) {
  optimizer.Optimizer::load(archive);
}

namespace detail {

/// Is it a deque, as LBFGS keeps its history in?
template <class T>
constexpr bool is_deque = false;
template <class T>
constexpr bool is_deque<std::deque<T>> = true;

/// An option or a part of a state. An undefined tensor and an empty optional are left out; a deque is written as a
/// list.
template <class T>
void write_option(serialize::OutputArchive& archive, const char* name, const T& value) {
  if constexpr (is_deque<T>)
    archive.write(name, IValue(std::vector<typename T::value_type>(value.begin(), value.end())));
  else
    serialize::detail::transfer(archive, name, value);
}
template <class T>
void write_option(serialize::OutputArchive& archive, const char* name, const std::optional<T>& value) {
  if (value) archive.write(name, IValue(*value));
}

/// What the file has under the name. Throws where it has nothing, but for tensors, which then are undefined.
template <class T>
T read_option(serialize::InputArchive& archive, const char* name) {
  T value{};
  if constexpr (is_deque<T>) {
    Value list;
    archive.read(name, list);
    for (const Value& item : list.toListRef()) value.push_back(item.to<typename T::value_type>());
  } else {
    serialize::detail::transfer(archive, name, value);
  }
  return value;
}
/// The same of what may be missing: a number, text or a list of numbers or tensors.
template <class T>
std::optional<T> read_optional(serialize::InputArchive& archive, const char* name) {
  Value value;
  return archive.try_read(name, value) && !value.isNone() ? std::optional(value.to<T>()) : std::nullopt;
}

/// Are two fields of a state equal? Tensors are if all their elements are, or if both are undefined.
template <class T>
bool same_field(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Tensor>)
    return a.defined() == b.defined() && (!a.defined() || equal(a, b));
  else if constexpr (is_deque<T>)
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_field<typename T::value_type>);
  else
    return a == b;
}

}  // namespace detail

template <std::derived_from<OptimizerParamState> State>
requires requires(const State& s) { State::fields(s); }
bool operator==(const State& a, const State& b) {
  return std::apply(
      [&b](const auto&... of_a) {
        return std::apply([&](const auto&... of_b) { return (detail::same_field(of_a, of_b) && ...); },
                          State::fields(b));
      },
      State::fields(a));
}

}  // namespace strata::optim

// Inside `serialize(archive)` of options or of a state, whose field `name` is read by `name()` and set by
// `name(value)`.
#define _TORCH_OPTIM_SERIALIZE(name) ::strata::optim::detail::write_option(archive, #name, self.name)
#define _TORCH_OPTIM_SERIALIZE_TORCH_ARG(name) ::strata::optim::detail::write_option(archive, #name, name())
#define _TORCH_OPTIM_SERIALIZE_TORCH_ARG_DEQUE(name) _TORCH_OPTIM_SERIALIZE_TORCH_ARG(name)
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(T, name) name(::strata::optim::detail::read_option<T>(archive, #name))
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_DEQUE(T, name) _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(T, name)
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_OPTIONAL(T, name) \
  name(::strata::optim::detail::read_optional<T>(archive, #name))
// Inside `serialize(self, archive)` of an optimizer.
#define _TORCH_OPTIM_SERIALIZE_WITH_TEMPLATE_ARG(Name) \
  ::strata::optim::serialize<Name##ParamState, Name##Options>(archive, self)
