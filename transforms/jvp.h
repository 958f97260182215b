// jvp: forward-mode derivatives; a dual tensor carries its tangent along.
#pragma once
#include "dims.h"
#include "level.h"
#include "select.h"

namespace strata::func {

/// One level of forward mode: each op runs on the primals below, and its jvp rule on the tangents.
class JvpLayer final : public Layer {
 public:
  Tensors process(const Op& op, Args args, Params params) override;
  /// A tensor of this level with a tangent of the same shape; an undefined tangent is zero and makes it a constant.
  Tensor dual(const Tensor& primal, const Tensor& tangent) const;
  Tensor primal(const Tensor& t) const;
  /// The tangent that `t` carries at this level; undefined for constants.
  Tensor tangent(const Tensor& t) const;
};

namespace detail {

/// The tuple of arguments that `x` stands for: x alone, or a tuple's elements where f takes those.
template <class F>
struct Spread {
  template <class X>
  static auto arguments(X x) {
    if constexpr (std::is_arithmetic_v<X>)
      return std::tuple<Tensor>(to_tensor(x));
    else if constexpr (takes_one<X>)
      return std::tuple<X>(std::move(x));
    else
      return std::apply([](auto&... each) { return std::tuple(std::move(each)...); }, x);
  }

 private:
  template <class X>
  static constexpr bool takes_one = std::is_invocable_v<const F&, X&>;
};
/// A transform of a function that does not say what it takes: a tuple is its arguments.
template <class Body, class F>
struct Spread<Transformed<Body, F>> {
  template <class X>
  static auto arguments(X x) {
    if constexpr (std::is_arithmetic_v<X>)
      return std::tuple<Tensor>(to_tensor(x));
    else if constexpr (tree::detail::TupleLike<X>)
      return std::apply([](auto&... each) { return std::tuple(std::move(each)...); }, x);
    else
      return std::tuple<X>(std::move(x));
  }
};
template <class R, class... P>
struct Spread<FunctionRef<R(const P&...)>> {
  template <class X>
  static auto arguments(X x) {
    if constexpr (TakenTyped<P...>::template fits<X>())
      return TakenTyped<P...>::arguments(std::move(x));
    else
      return std::apply([](auto&... each) { return TakenTyped<P...>::arguments(std::move(each)...); }, x);
  }
};

/// The tensors of tangents in order; a number is a tensor where the argument it belongs to is one.
template <class Arg, class T>
void add_tangents(std::vector<Tensor>& all, const T& tangent) {
  if constexpr (!std::is_arithmetic_v<T>)
    for (Tensor& t : tree::leaves(tangent)) all.push_back(std::move(t));
  else if constexpr (std::is_same_v<Arg, Tensor>)
    all.push_back(to_tensor(tangent));
}
template <class... Arg, class T>
std::vector<Tensor> tangents_of(const std::tuple<const Arg&...>&, const T& tangents) {
  std::vector<Tensor> all;
  if constexpr (sizeof...(Arg) == 1)
    (add_tangents<Arg>(all, tangents), ...);
  else
    std::apply([&](const auto&... each) { (add_tangents<Arg>(all, each), ...); }, tangents);
  return all;
}

/// Makes duals of `x` and `t`, both of the same structure; throws where shapes or dtypes differ.
void make_duals(const JvpLayer& layer, const std::vector<Tensor*>& x, const std::vector<Tensor>& t);
/// Splits a result into its primal, left in place, and its tangent (zeros for a constant).
Tensor split_dual(const JvpLayer& layer, Tensor& t);

/// The result of `f(args...)`, its tangent for those of selected arguments and, with kAux, aux.
template <bool kAux, class F, class Args, class Which>
auto jvp_run(const F& f, Args args, const Which& select, const std::vector<Tensor>& tangents) {
  JvpLayer layer;
  auto [out, aux] = [&] {
    const LayerScope scope(layer);
    std::vector<Tensor*> inputs;
    select(args, [&](auto& nest) { tree::for_each(nest, [&](Tensor& x) { inputs.push_back(&x); }); });
    make_duals(layer, inputs, tangents);
    return split_aux<kAux>(fresh(std::apply(f, std::move(args))));
  }();
  auto derivative = out;
  std::vector<Tensor> split;
  tree::for_each(out, [&](Tensor& y) { split.push_back(split_dual(layer, y)); });
  derivative = tree::unflatten(std::move(derivative), split);
  if constexpr (kAux) {
    tree::for_each(aux, [&](Tensor& t) { t = layer.primal(t); });
    return std::tuple(std::move(out), std::move(derivative), std::move(aux));
  } else {
    return std::pair(std::move(out), std::move(derivative));
  }
}

template <bool kAux, class Which = void, class F, class X, class T>
auto jvp_of(const F& f, X primals, const T& tangents) {
  const auto& ref = refer_to(f);
  auto args = Spread<std::decay_t<decltype(ref)>>::arguments(std::move(primals));
  using Selected = std::conditional_t<std::is_void_v<Which>, SelectAll<decltype(args)>, Which>;
  const std::vector<Tensor> given = tangents_of(Selected::tied(args), tangents);
  return jvp_run<kAux>(ref, std::move(args), Selected(), given);
}

}  // namespace detail

/// `jvp(f, x, t)` is the pair of `f(x)` and its derivative in the direction `t`: one run of `f`, no graph.
/// `x` and `t` are tensors or nests of equal structure; for a function of several arguments, tuples of them. Undefined
/// tangents are zero, and so are those of arguments that `jvp<0, 2>(f, x, t)` does not name: then `t` is for the named
/// ones alone. A C++ number where f takes a tensor is taken as one. With `{.has_aux = true}`, `f` returns the pair of
/// its result and aux, which comes back as a third value. Throws where a tangent's shape or dtype is not its primal's,
/// and inside of custom_vjp. After JAX's and torch.func's jvp.
///
///     auto [y, dy] = jvp([](Tensor x) { return sin(x); }, x, t);  // dy: t cos(x)
///     auto [z, dz] = jvp([](Tensor a, Tensor b) { return a * b; }, std::tuple(a, b), std::tuple(t, Tensor()));
template <class F, class X, class T>
auto jvp(const F& f, X primals, T tangents) {
  return detail::jvp_of<false>(f, std::move(primals), tangents);
}
template <class F, class X, class T>
auto jvp(const F& f, X primals, T tangents, HasAux) {
  return detail::jvp_of<true>(f, std::move(primals), tangents);
}
template <size_t I, size_t... More, class F, class X, class T>
auto jvp(const F& f, X primals, T tangents) {
  return detail::jvp_of<false, detail::Select<I, More...>>(f, std::move(primals), tangents);
}
template <size_t I, size_t... More, class F, class X, class T>
auto jvp(const F& f, X primals, T tangents, HasAux) {
  return detail::jvp_of<true, detail::Select<I, More...>>(f, std::move(primals), tangents);
}

}  // namespace strata::func
