// grad and value_and_grad: gradients of functions with respect to some of their arguments.
#pragma once
#include "grad_layer.h"

namespace strata::func {
namespace detail {

/// Throws unless `t` is a floating point scalar.
void check_loss(const Tensor& t, const char* who);
[[noreturn]] void fail_no_argument(const char* who, int64_t argnum, size_t arguments);
[[noreturn]] void fail_argument_type(const char* who, int64_t argnum);
void check_aux(const char* who, bool wanted, bool returned);

template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;
template <class A, class B>
inline constexpr bool is_pair<std::tuple<A, B>> = true;

/// A number that is differentiated becomes a tensor.
template <class T>
using Differentiable = std::conditional_t<std::is_arithmetic_v<std::decay_t<T>>, Tensor, std::decay_t<T>>;
Tensor to_tensor(const Scalar& number);
template <class T>
Differentiable<T> to_differentiable(T&& x) {
  if constexpr (std::is_arithmetic_v<std::decay_t<T>>)
    return to_tensor(x);
  else
    return std::forward<T>(x);
}

/// Runs `f` on the arguments, of which `select(args, use)` shows those to differentiate to `use`; then replaces these
/// by their gradients and returns what f returned.
template <class F, class Args, class Select>
auto differentiate(const F& f, Args& args, const Select& select, bool has_aux, const char* who) {
  GradLayer layer;
  Graph graph;
  auto out = [&] {
    const GradScope scope(layer);
    select(args, [&](auto& nest) { tree::for_each(nest, [&](Tensor& t) { graph.add_input(layer, t, who); }); });
    return fresh(std::apply(f, args));
  }();
  constexpr bool returned_pair = is_pair<decltype(out)>;
  check_aux(who, has_aux, returned_pair);
  const auto finish = [&](Tensor& loss) {
    check_loss(loss, who);
    graph.add_output(layer, loss);
  };
  if constexpr (returned_pair) {
    finish(std::get<0>(out));
    tree::for_each(std::get<1>(out), [&](Tensor& t) { t = layer.value(t); });
  } else {
    static_assert(std::is_same_v<decltype(out), Tensor>, "grad: the function must return a scalar tensor");
    finish(out);
  }
  const std::vector<Tensor> grads = graph.pull({}, false);
  size_t i = 0;
  select(args, [&](auto& nest) { tree::for_each(nest, [&](Tensor& t) { t = grads[i++]; }); });
  return out;
}

/// Selects arguments by number at compile time.
template <size_t... I>
struct StaticSelect {
  template <class Args, class Use>
  void operator()(Args& args, const Use& use) const {
    (use(std::get<I>(args)), ...);
  }
  template <class... A>
  static auto own(A&&... args) {
    return own_each(std::index_sequence_for<A...>(), std::forward<A>(args)...);
  }
  template <class Args>
  static auto take(Args& args) {
    if constexpr (sizeof...(I) == 1)
      return std::move(std::get<I...>(args));
    else
      return std::tuple(std::move(std::get<I>(args))...);
  }

 private:
  template <size_t N, class A>
  static auto own_one(A&& arg) {
    if constexpr (((N == I) || ...))
      return to_differentiable(std::forward<A>(arg));
    else
      return std::decay_t<A>(std::forward<A>(arg));
  }
  template <size_t... N, class... A>
  static auto own_each(std::index_sequence<N...>, A&&... args) {
    return std::tuple<decltype(own_one<N>(std::forward<A>(args)))...>(own_one<N>(std::forward<A>(args))...);
  }
};

/// Calls `use` with argument `argnum`, which must have the type of argument 0.
template <class Args, class Use>
void use_argument(Args& args, int64_t argnum, const char* who, const Use& use) {
  using First = std::tuple_element_t<0, Args>;
  constexpr auto n = static_cast<int64_t>(std::tuple_size_v<Args>);
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

/// The gradient beside what f returned besides its loss, if anything.
template <class Out, class Grads>
auto with_aux(Out out, Grads grads) {
  if constexpr (is_pair<Out>)
    return std::pair(std::move(grads), std::move(std::get<1>(out)));
  else
    return grads;
}

}  // namespace detail

/// Which argument is differentiated, known when `grad` runs: it must have the type of argument 0. Arguments of other
/// types are named at compile time: `grad<1>(f)`, `grad<0, 2>(f)`.
struct GradOptions {
  int64_t argnums = 0;
  bool has_aux = false;  ///< f returns a pair of its loss and anything else, which comes back beside the gradient
};
/// The same for two and more arguments of one type, `.argnums = {0, 2}`; their gradients come as a vector.
struct GradListOptions {
  struct Numbers {
    template <class... N>
    Numbers(int64_t first, int64_t second, N... more) : list{first, second, more...} {}
    std::vector<int64_t> list;
  };
  Numbers argnums;
  bool has_aux = false;
};
struct AuxOptions {
  bool has_aux = false;
};

/// `value_and_grad(f)(x, ...)` is the pair of `f(x, ...)`, which must return a floating point scalar, and its gradient
/// with respect to argument 0 (`argnums`): a tensor, or a nest of the argument's structure. A C++ number as argument 0
/// is taken as a tensor. With `has_aux` it is the pair of (loss, aux) and the gradient. Throws for results that are no
/// floating point scalar and for arguments that are not floating point. After JAX's value_and_grad.
///
///     auto [value, g] = value_and_grad([](Tensor x) { return (x * x).sum(); })(x);  // g: 2 x
template <class F>
auto value_and_grad(F f, GradOptions options = {}) {
  return [f = std::move(f), options](auto&&... args) {
    auto inputs = detail::StaticSelect<0>::own(std::forward<decltype(args)>(args)...);
    const auto select = [&](auto& all, const auto& use) { detail::use_argument(all, options.argnums, "grad", use); };
    auto out = detail::differentiate(f, inputs, select, options.has_aux, "grad");
    std::tuple_element_t<0, decltype(inputs)> gradient;
    select(inputs, [&](auto& g) { gradient = std::move(g); });
    return std::pair(std::move(out), std::move(gradient));
  };
}
template <class F>
auto value_and_grad(F f, GradListOptions options) {
  return [f = std::move(f), options = std::move(options)](auto&&... args) {
    auto inputs = detail::StaticSelect<0>::own(std::forward<decltype(args)>(args)...);
    const auto select = [&](auto& all, const auto& use) {
      for (int64_t n : options.argnums.list) detail::use_argument(all, n, "grad", use);
    };
    auto out = detail::differentiate(f, inputs, select, options.has_aux, "grad");
    std::vector<std::tuple_element_t<0, decltype(inputs)>> gradients;
    select(inputs, [&](auto& g) { gradients.push_back(g); });
    return std::pair(std::move(out), std::move(gradients));
  };
}
template <size_t I, size_t... More, class F>
auto value_and_grad(F f, AuxOptions options = {}) {
  return [f = std::move(f), options](auto&&... args) {
    const detail::StaticSelect<I, More...> select;
    auto inputs = select.own(std::forward<decltype(args)>(args)...);
    auto out = detail::differentiate(f, inputs, select, options.has_aux, "grad");
    return std::pair(std::move(out), select.take(inputs));
  };
}

/// `grad(f)(x, ...)` is the gradient of the scalar `f(x, ...)`: what `value_and_grad` gives, without the value; with
/// `has_aux` the pair of gradient and aux. `grad(grad(f))` and the like differentiate again. Errors as there.
///
///     auto f = [](Tensor x, Tensor y) { return (x * x * y).sum(); };
///     Tensor gx = grad(f)(x, y);                                      // 2 x y
///     Tensor gy = grad<1>(f)(x, y);                                   // x^2
///     std::vector<Tensor> both = grad(f, {.argnums = {0, 1}})(x, y);  // these two
///     auto [g, aux] = grad([](Tensor x) { return std::pair(x.sum(), x + 1); }, {.has_aux = true})(x);
template <class F>
auto grad(F f, GradOptions options = {}) {
  return [g = value_and_grad(std::move(f), options)](auto&&... args) {
    auto [out, gradient] = g(std::forward<decltype(args)>(args)...);
    return detail::with_aux(std::move(out), std::move(gradient));
  };
}
template <class F>
auto grad(F f, GradListOptions options) {
  return [g = value_and_grad(std::move(f), std::move(options))](auto&&... args) {
    auto [out, gradient] = g(std::forward<decltype(args)>(args)...);
    return detail::with_aux(std::move(out), std::move(gradient));
  };
}
template <size_t I, size_t... More, class F>
auto grad(F f, AuxOptions options = {}) {
  return [g = value_and_grad<I, More...>(std::move(f), options)](auto&&... args) {
    auto [out, gradient] = g(std::forward<decltype(args)>(args)...);
    return detail::with_aux(std::move(out), std::move(gradient));
  };
}

}  // namespace strata::func
