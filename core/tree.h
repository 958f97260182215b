// Nests of tensors: what functions take and return beside single tensors, and how to walk, flatten and rebuild them.
#pragma once
#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensor.h"

namespace strata::tree {

/// Values that a nest may hold beside tensors and that every function passes through unchanged. Specialise it for a
/// class of yours without tensors.
template <class T>
inline constexpr bool is_static = !std::is_class_v<T> || std::is_empty_v<T>;
template <>
inline constexpr bool is_static<Scalar> = true;
template <>
inline constexpr bool is_static<Device> = true;
template <>
inline constexpr bool is_static<DimVector> = true;
template <>
inline constexpr bool is_static<TensorOptions> = true;
template <>
inline constexpr bool is_static<std::string> = true;
template <class T>
inline constexpr bool is_static<std::vector<T>> = std::is_arithmetic_v<T>;

namespace detail {

template <class T>
concept NamesFields = requires(T& t) {
  t.fields();
};
template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
};
template <class T>
concept OptionalLike = requires(T& t) {
  t.has_value();
  *t;
};
template <class T>
concept Range = requires(T& t) {
  t.begin();
  t.end();
};
template <class T>
concept Entry = requires(T& t) {
  t.second;
};

}  // namespace detail

/// Calls `f` with each direct child of a nest, in order: elements of a vector, array, tuple, pair, optional; values of
/// a map or named parameters; the `fields()` of a struct. Does not compile for other classes.
///
///     struct Dense {
///       Tensor weight, bias;
///       auto fields() { return std::tie(weight, bias); }
///     };
template <class T, class F>
void for_each_child(T& nest, F&& f) {
  using Plain = std::remove_const_t<T>;
  if constexpr (detail::NamesFields<T>) {
    std::apply([&f](auto&... child) { (f(child), ...); }, nest.fields());
  } else if constexpr (detail::Range<T>) {
    for (auto& entry : nest) {
      if constexpr (detail::Entry<decltype(entry)>)
        f(entry.second);
      else
        f(entry);
    }
  } else if constexpr (detail::TupleLike<Plain>) {
    std::apply([&f](auto&... child) { (f(child), ...); }, nest);
  } else {
    static_assert(detail::OptionalLike<T>,
                  "a nest is made of tensors, numbers, vector, array, tuple, pair, map, optional, and structs with a "
                  "member `auto fields() { return std::tie(...); }`");
    if (nest.has_value()) f(*nest);
  }
}

/// Calls `f(tensor)` for every tensor of a nest, in order; the tensors may be assigned to.
///
///     tree::for_each(layers, [](Tensor& t) { t = t.to(kDouble); });
template <class T, class F>
void for_each(T& nest, F&& f) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, Tensor>)
    f(nest);
  else if constexpr (!is_static<std::remove_const_t<T>>)
    for_each_child(nest, [&f](auto& child) { for_each(child, f); });
}

/// All tensors of a nest, in order.
///
///     optim::Adam optimizer(tree::leaves(layers));
template <class T>
std::vector<Tensor> leaves(const T& nest) {
  std::vector<Tensor> all;
  for_each(const_cast<T&>(nest), [&all](Tensor& t) { all.push_back(t); });
  return all;
}

/// A nest like `like` with these tensors in place of its own. Throws where their number differs.
template <class T>
T unflatten(T like, TensorList tensors) {
  size_t next = 0;
  for_each(like, [&](Tensor& t) {
    STRATA_CHECK(next < tensors.size(), "tree::unflatten: more than {} tensors are needed", tensors.size());
    t = tensors[next++];
  });
  STRATA_CHECK(next == tensors.size(), "tree::unflatten: {} tensors were given, {} are needed", tensors.size(), next);
  return like;
}

/// The tensors of a nest and the nest itself, which `unflatten` takes as the pattern.
///
///     auto [tensors, pattern] = tree::flatten(layers);
///     auto same = tree::unflatten(pattern, tensors);
template <class T>
std::pair<std::vector<Tensor>, T> flatten(const T& nest) {
  return {leaves(nest), nest};
}

/// A nest like the first with `f(a, b, ...)` of the tensors at each place; all nests have the same structure. Throws
/// where their numbers of tensors differ.
///
///     auto stepped = tree::map([](Tensor p, Tensor g) { return p - 0.1 * g; }, layers, gradients);
template <class F, class T, class... More>
T map(F&& f, T first, const More&... more) {
  const std::array<std::vector<Tensor>, sizeof...(More)> others{leaves(more)...};
  size_t at = 0;
  const auto apply = [&]<size_t... I>(const Tensor& t, std::index_sequence<I...>) { return f(t, others[I].at(at)...); };
  for_each(first, [&](Tensor& t) {
    for (const auto& other : others)
      STRATA_CHECK(at < other.size(), "tree::map: a nest has only {} tensors", other.size());
    t = apply(t, std::index_sequence_for<More...>());
    ++at;
  });
  for (const auto& other : others)
    STRATA_CHECK(at == other.size(), "tree::map: the first nest has {} tensors, another {}", at, other.size());
  return first;
}

}  // namespace strata::tree
