// What every transform takes and returns: functions whose own type is forgotten at the door where they say what they
// take, so that a nest of transforms is compiled once for a list of parameters and not once for each function.
#pragma once
#include <concepts>
#include <initializer_list>
#include <string_view>

#include "../core/function.h"
#include "dims.h"

namespace strata::func::detail {

/// Note [Functions at the door]
/// A lambda without `auto` parameters says what it takes. Its transforms call it by that list of types alone, whatever
/// the lambda is, and what they return says what it takes as well, so every nest over functions of one list is one
/// type. It can also tell which arguments it takes, and turns numbers into tensors where a tensor is wanted. A function
/// that does not say (one with `auto` parameters or with overloads) is carried along by its own type, as are functions
/// with parameters that refer to the caller's data, of which a transform could not hold values of its own.

/// Refers to a callable that outlives it.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
  requires(!std::same_as<F, FunctionRef>) FunctionRef(const F& f)
      : object_(reinterpret_cast<const void*>(&f)), call_([](const void* object, A... args) -> R {
          return (*reinterpret_cast<std::add_pointer_t<const F>>(const_cast<void*>(object)))(std::forward<A>(args)...);
        }) {}
  R operator()(A... args) const { return call_(object_, std::forward<A>(args)...); }

 private:
  const void* object_;
  R (*call_)(const void*, A...);
};

/// What a function takes and returns, by value.
template <class R, class... P>
struct Signature {
  using Owned = strata::detail::Function<R(const P&...)>;
  using Ref = FunctionRef<R(const P&...)>;
};

template <class T>
inline constexpr bool refers_to_data = std::is_pointer_v<T> || std::is_same_v<T, OptionalTensorRef>;
template <class T>
inline constexpr bool refers_to_data<ArrayRef<T>> = true;
template <>
inline constexpr bool refers_to_data<OptionalIntArrayRef> = true;
template <class T>
inline constexpr bool refers_to_data<std::initializer_list<T>> = true;
template <>
inline constexpr bool refers_to_data<std::string_view> = true;

/// Can a call hold a value of its own for a parameter of type P?
template <class P, class Value = std::decay_t<P>>
inline constexpr bool can_own =
    std::is_convertible_v<const Value&, P> && !std::is_rvalue_reference_v<P> && std::is_copy_constructible_v<Value> &&
    !std::is_polymorphic_v<Value> && !refers_to_data<Value>;

template <class R, class... P>
using SignatureIfOwned =
    std::conditional_t<(can_own<P> && ...) && !std::is_void_v<R>, Signature<std::decay_t<R>, std::decay_t<P>...>, void>;

/// The signature of a call operator or function, `type` is void where it has none that transforms can use.
template <class T>
struct SignatureOfCall {
  using type = void;
};
template <class C, class R, class... P>
struct SignatureOfCall<R (C::*)(P...) const> {
  using type = SignatureIfOwned<R, P...>;
};
template <class C, class R, class... P>
struct SignatureOfCall<R (C::*)(P...) const noexcept> {
  using type = SignatureIfOwned<R, P...>;
};
template <class R, class... P>
struct SignatureOfCall<R (*)(P...)> {
  using type = SignatureIfOwned<R, P...>;
};
template <class R, class... P>
struct SignatureOfCall<R(P...)> {
  using type = SignatureIfOwned<R, P...>;
};

template <class F>
struct SignatureOf : SignatureOfCall<F> {};
template <class F>
requires requires { &F::operator(); }
struct SignatureOf<F> : SignatureOfCall<decltype(&F::operator())> {};

/// Does F say what it takes, and may it be copied?
template <class F>
concept Typed = std::is_copy_constructible_v<std::decay_t<F>> && !std::is_void_v<typename SignatureOf<F>::type>;

/// `f` by its signature alone where it has one.
template <class F>
auto at_the_door(F f) {
  if constexpr (Typed<F>)
    return typename SignatureOf<F>::type::Owned(std::move(f));
  else
    return f;
}
/// The same for a function that is only called before this call returns.
template <Typed F>
typename SignatureOf<F>::type::Ref refer_to(const F& f) {
  return f;
}
template <class F>
const F& refer_to(const F& f) {
  return f;
}

/// A C++ number as a tensor without dims, of the dtype that it has in arithmetic.
Tensor to_tensor(const Scalar& number);

/// Can a parameter of type P be given an A?
template <class A, class P>
concept Gives = std::is_convertible_v<A, P> ||(std::is_same_v<P, Tensor>&& std::is_arithmetic_v<std::decay_t<A>>);
template <class P, class A>
P give(A&& arg) {
  if constexpr (std::is_convertible_v<A, P>)
    return std::forward<A>(arg);
  else
    return to_tensor(arg);
}

/// What a function takes, as `arguments(args...)` makes it: a tuple of values of its own.
template <class F>
struct Taken {
  template <class... A>
  static constexpr bool fits() {
    return true;
  }
  template <class... A>
  static std::tuple<std::decay_t<A>...> arguments(A&&... args) {
    return {std::forward<A>(args)...};
  }
};
template <class... P>
struct TakenTyped {
  template <class... A>
  static constexpr bool fits() {
    if constexpr (sizeof...(A) == sizeof...(P))
      return (Gives<A, P> && ...);
    else
      return false;
  }
  template <class... A>
  static std::tuple<P...> arguments(A&&... args) {
    return {give<P>(std::forward<A>(args))...};
  }
};
template <class R, class... P>
struct Taken<strata::detail::Function<R(const P&...)>> : TakenTyped<P...> {};
template <class R, class... P>
struct Taken<FunctionRef<R(const P&...)>> : TakenTyped<P...> {};

/// `args` as f takes them.
template <class F, class... A>
auto arguments_for(const F&, A&&... args) {
  static_assert(Taken<F>::template fits<A...>(), "the function takes other arguments");
  return Taken<F>::arguments(std::forward<A>(args)...);
}

/// A function made of another: `Body` is called with that function and the tuple of the arguments.
template <class Body, class F>
class Transformed {
 public:
  Transformed(Body body, F f) : body_(std::move(body)), f_(std::move(f)) {}
  template <class... A>
  requires(Taken<F>::template fits<A...>()) auto operator()(A&&... args) const {
    return body_(f_, Taken<F>::arguments(std::forward<A>(args)...));
  }
  const Body& body() const { return body_; }

 private:
  Body body_;
  F f_;
};

template <class Body, class R, class... P>
struct SignatureOf<Transformed<Body, strata::detail::Function<R(const P&...)>>> {
  using type =
      Signature<decltype(std::declval<const Body&>()(std::declval<const strata::detail::Function<R(const P&...)>&>(),
                                                     std::declval<std::tuple<P...>>())),
                P...>;
};

template <class Body, class F>
auto transformed(Body body, F f) {
  auto known = at_the_door(std::move(f));
  return Transformed<Body, decltype(known)>(std::move(body), std::move(known));
}

}  // namespace strata::func::detail
