// Which arguments of a function a derivative is taken with respect to: by numbers known when compiling, or later.
#pragma once
#include "callable.h"

namespace strata::func {

/// Numbers of two and more arguments, which have one type: `{0, 2}`.
struct Argnums {
  template <class... N>
  Argnums(int64_t first, int64_t second, N... more) : list{first, second, more...} {}
  std::vector<int64_t> list;
};

/// `true` and nothing else. Options with a field of this type are told from those without it when compiling, as is what
/// a call then returns.
struct AlwaysTrue {
  consteval AlwaysTrue(bool value) {
    if (!value) throw "leave it out to say false";
  }
};
/// `{.has_aux = true}`: the function returns the pair of what is differentiated and anything else, which comes back
/// last.
struct HasAux {
  AlwaysTrue has_aux;
};

namespace detail {

[[noreturn]] void fail_no_argument(const char* who, int64_t argnum, size_t arguments);
[[noreturn]] void fail_argument_type(const char* who, int64_t argnum);

template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class A, class B>
inline constexpr bool is_pair<std::tuple<A, B>> = true;

/// A function's result as the pair of what is differentiated and aux, an empty tuple where there is none.
template <bool kAux, class Result>
auto split_aux(Result result) {
  if constexpr (kAux) {
    static_assert(is_pair<Result>, "with has_aux the function returns a pair: what is differentiated, and aux");
    return std::pair(std::get<0>(std::move(result)), std::get<1>(std::move(result)));
  } else {
    return std::pair(std::move(result), std::tuple<>());
  }
}

/// A number that is differentiated becomes a tensor.
template <class T>
auto as_tensor(T&& x) {
  if constexpr (std::is_arithmetic_v<std::decay_t<T>>)
    return to_tensor(x);
  else
    return std::decay_t<T>(std::forward<T>(x));
}

/// Arguments by numbers known when compiling, of any types. `select(args, use)` shows them to `use`, `take` gives them
/// (several as a tuple), `put` is its inverse.
template <size_t... I>
struct Select {
  template <class Args, class Use>
  void operator()(Args& args, const Use& use) const {
    (use(std::get<I>(args)), ...);
  }
  /// The arguments with tensors in place of selected numbers.
  template <class Args>
  static auto with_tensors(Args args) {
    return [&]<size_t... N>(std::index_sequence<N...>) {
      return std::tuple<decltype(one<N>(std::get<N>(std::move(args))))...>(one<N>(std::get<N>(std::move(args)))...);
    }
    (std::make_index_sequence<std::tuple_size_v<Args>>());
  }
  template <class Args>
  static auto take(const Args& args) {
    if constexpr (sizeof...(I) == 1)
      return std::get<I...>(args);
    else
      return std::tuple(std::get<I>(args)...);
  }
  template <class Args>
  static auto tied(const Args& args) {
    return std::tie(std::get<I>(args)...);
  }
  template <class Args, class Nest>
  static void put(Args& args, const Nest& nest) {
    if constexpr (sizeof...(I) == 1)
      (..., (std::get<I>(args) = nest));
    else
      std::tie(std::get<I>(args)...) = nest;
  }

 private:
  template <size_t N, class A>
  static auto one(A&& arg) {
    if constexpr (((N == I) || ...))
      return as_tensor(std::forward<A>(arg));
    else
      return std::decay_t<A>(std::forward<A>(arg));
  }
};

template <class Indices>
struct SelectEach;
template <size_t... I>
struct SelectEach<std::index_sequence<I...>> {
  using type = Select<I...>;
};
/// All elements of a tuple.
template <class Args>
using SelectAll = typename SelectEach<std::make_index_sequence<std::tuple_size_v<Args>>>::type;

/// Calls `use` with argument `argnum`, which must have the type of argument 0.
template <class Args, class Use>
void use_argument(Args& args, int64_t argnum, const char* who, const Use& use) {
  using First = std::decay_t<std::tuple_element_t<0, std::remove_const_t<Args>>>;
  constexpr auto n = static_cast<int64_t>(std::tuple_size_v<std::remove_const_t<Args>>);
  const int64_t wanted = argnum < 0 ? argnum + n : argnum;
  if (wanted < 0 || wanted >= n) fail_no_argument(who, argnum, n);
  int64_t i = 0;
  const auto use_one = [&](auto& arg) {
    if (i++ != wanted) return;
    if constexpr (std::is_same_v<std::decay_t<decltype(arg)>, First>)
      use(arg);
    else
      fail_argument_type(who, argnum);
  };
  std::apply([&](auto&... arg) { (use_one(arg), ...); }, args);
}

/// One argument by a number known when called, of the type of argument 0.
struct SelectOne {
  int64_t argnum;
  const char* who;

  template <class Args, class Use>
  void operator()(Args& args, const Use& use) const {
    use_argument(args, argnum, who, use);
  }
  template <class Args>
  static auto with_tensors(Args args) {
    return Select<0>::with_tensors(std::move(args));
  }
  template <class Args>
  auto take(const Args& args) const {
    std::tuple_element_t<0, Args> taken;
    (*this)(args, [&](const auto& nest) { taken = nest; });
    return taken;
  }
  template <class Args, class Nest>
  void put(Args& args, const Nest& nest) const {
    (*this)(args, [&](auto& argument) { argument = nest; });
  }
};

/// Several arguments of the type of argument 0, taken as a vector.
struct SelectList {
  std::vector<int64_t> argnums;
  const char* who;

  template <class Args, class Use>
  void operator()(Args& args, const Use& use) const {
    for (int64_t n : argnums) use_argument(args, n, who, use);
  }
  template <class Args>
  static auto with_tensors(Args args) {
    return Select<0>::with_tensors(std::move(args));
  }
  template <class Args>
  auto take(const Args& args) const {
    std::vector<std::tuple_element_t<0, Args>> taken;
    (*this)(args, [&](const auto& nest) { taken.push_back(nest); });
    return taken;
  }
  template <class Args, class Nest>
  void put(Args& args, const Nest& nest) const {
    size_t i = 0;
    (*this)(args, [&](auto& argument) { argument = nest.at(i++); });
  }
};

}  // namespace detail
}  // namespace strata::func
