// Whole derivatives: jacrev and jacfwd (Jacobians by rows and by columns), hessian, and products with a Hessian.
#pragma once
#include <map>

#include "../core/ordered_dict.h"
#include "grad.h"
#include "jvp.h"
#include "vjp.h"
#include "vmap.h"

namespace strata::func {
namespace detail {

/// A nest with every tensor replaced by a T: the type of a Jacobian, which has a nest like the input for each output.
template <class Nest, class T>
struct Rebind;
template <class T>
struct Rebind<Tensor, T> {
  using type = T;
};
template <class N, class T>
struct Rebind<std::vector<N>, T> {
  using type = std::vector<typename Rebind<N, T>::type>;
};
template <class N, size_t S, class T>
struct Rebind<std::array<N, S>, T> {
  using type = std::array<typename Rebind<N, T>::type, S>;
};
template <class A, class B, class T>
struct Rebind<std::pair<A, B>, T> {
  using type = std::pair<typename Rebind<A, T>::type, typename Rebind<B, T>::type>;
};
template <class... N, class T>
struct Rebind<std::tuple<N...>, T> {
  using type = std::tuple<typename Rebind<std::decay_t<N>, T>::type...>;
};
template <class K, class N, class T>
struct Rebind<std::map<K, N>, T> {
  using type = std::map<K, typename Rebind<N, T>::type>;
};
template <class K, class N, class T>
struct Rebind<OrderedDict<K, N>, T> {
  using type = OrderedDict<K, typename Rebind<N, T>::type>;
};
/// A struct becomes the tuple of its fields.
template <tree::detail::NamesFields S, class T>
struct Rebind<S, T> : Rebind<decltype(std::declval<S&>().fields()), T> {};

/// Builds the Jacobian's nest: at each tensor of `out` a copy of `in` whose tensors are `next()`.
template <class Out, class In, class Next>
auto jacobian_nest(const Out& out, const In& in, const Next& next) {
  if constexpr (std::is_same_v<Out, Tensor>) {
    In block = in;
    tree::for_each(block, [&](Tensor& t) { t = next(); });
    return block;
  } else if constexpr (tree::detail::NamesFields<Out>) {
    return jacobian_nest(const_cast<Out&>(out).fields(), in, next);
  } else {
    typename Rebind<Out, In>::type result{};
    if constexpr (tree::detail::TupleLike<Out> && !tree::detail::Range<Out>) {
      [&]<size_t... I>(std::index_sequence<I...>) {
        ((std::get<I>(result) = jacobian_nest(std::get<I>(out), in, next)), ...);
      }
      (std::make_index_sequence<std::tuple_size_v<Out>>());
    } else if constexpr (tree::detail::TupleLike<Out>) {
      for (size_t i = 0; i < out.size(); ++i) result[i] = jacobian_nest(out[i], in, next);
    } else {
      for (const auto& entry : out) {
        if constexpr (requires { result.emplace(entry.first, jacobian_nest(entry.second, in, next)); })
          result.emplace(entry.first, jacobian_nest(entry.second, in, next));
        else if constexpr (tree::detail::Entry<decltype(entry)>)
          result.insert(entry.first, jacobian_nest(entry.second, in, next));
        else
          result.push_back(jacobian_nest(entry, in, next));
      }
    }
    return result;
  }
}

/// Derivatives of one output with respect to all inputs: `(*out, *in)` each, from one pull of all unit cotangents.
std::vector<Tensor> jacobian_rows(const Graph& graph, size_t output, const std::vector<Tensor>& outputs,
                                  const std::vector<Tensor>& inputs);

/// The unit tangents of `x`, `(n, *x)`.
Tensor unit_tangents(const Tensor& x);
/// A tangent `(n, *out)` of every unit direction as a derivative `(*out, *in)`.
Tensor jacobian_columns(const Tensor& tangents, const Tensor& out, const Tensor& in);

/// The function of argument `I` alone, the others being constants.
template <size_t I, class F, class Args>
auto with_argument(const F& f, const Args& args) {
  return [&f, &args](const auto& x) {
    Args all = args;
    std::get<I>(all) = x;
    return std::apply(f, std::move(all));
  };
}

template <class F, class In>
auto jacobian_by_rows(const F& f, const In& in) {
  auto [out, pullback] = vjp(f, in);
  const std::vector<Tensor> outputs = tree::leaves(out), inputs = tree::leaves(in);
  std::vector<Tensor> blocks;
  for (size_t i = 0; i < outputs.size(); ++i)
    for (Tensor& t : jacobian_rows(pullback.graph(), i, outputs, inputs)) blocks.push_back(std::move(t));
  size_t i = 0;
  return jacobian_nest(out, in, [&] { return blocks[i++]; });
}

/// f at `in` and its derivative, `(n, *out)`, along every unit direction of one input tensor.
template <class F, class In>
auto push_units(const F& f, const In& in, const std::vector<Tensor>& inputs, size_t input) {
  VmapLayer layer(inputs[input].numel(), Randomness::same);
  std::vector<Tensor> tangents(inputs.size());
  const Tensor units = unit_tangents(inputs[input]);
  auto result = [&] {
    const LayerScope scope(layer);
    tangents[input] = layer.wrap(units);
    return jvp(f, in, tree::unflatten(in, tangents));
  }();
  tree::for_each(result.second, [&](Tensor& t) { t = layer.unwrap(t, 0); });
  return result;
}

template <class F, class In>
auto jacobian_by_columns(const F& f, const In& in) {
  const std::vector<Tensor> inputs = tree::leaves(in);
  STRATA_CHECK(!inputs.empty(), "jacfwd: the argument holds no tensor");
  std::vector<std::vector<Tensor>> columns;  // for each input, the derivatives of all outputs
  const auto [out, first] = push_units(f, in, inputs, 0);
  columns.push_back(tree::leaves(first));
  for (size_t i = 1; i < inputs.size(); ++i) columns.push_back(tree::leaves(push_units(f, in, inputs, i).second));
  const std::vector<Tensor> outputs = tree::leaves(out);
  size_t n = 0;
  return jacobian_nest(out, in, [&] {
    const size_t input = n % inputs.size(), output = n / inputs.size();
    ++n;
    return jacobian_columns(columns[input][output], outputs[output], inputs[input]);
  });
}

}  // namespace detail

/// `jacrev(f)(x, ...)` is the Jacobian of f with respect to argument `I`: `(*out, *in)`, or a nest like the output of
/// nests like the input (a struct in the output becomes the tuple of its fields). Reverse mode: one run of f and one
/// vmapped pull per output tensor; best for more inputs than outputs. Throws for arguments that are not floating point.
/// After JAX's and torch.func's jacrev.
///
///     Tensor j = jacrev([](Tensor x) { return x.square(); })(x);  // x (3,): (3, 3) with 2 x on the diagonal
template <size_t I = 0, class F>
auto jacrev(F f) {
  return [f = std::move(f)](auto&&... args) {
    const auto inputs = detail::owned(std::forward<decltype(args)>(args)...);
    return detail::jacobian_by_rows(detail::with_argument<I>(f, inputs), std::get<I>(inputs));
  };
}

/// The same Jacobian in forward mode: one vmapped run of f per input tensor; best for more outputs than inputs. Random
/// ops draw once for all directions. Throws for arguments that are not floating point and where f has no jvp rule.
///
///     Tensor j = jacfwd<1>([](Tensor a, Tensor x) { return matmul(a, x); })(a, x);  // a (2, 3), x (3,): a
template <size_t I = 0, class F>
auto jacfwd(F f) {
  return [f = std::move(f)](auto&&... args) {
    const auto inputs = detail::owned(std::forward<decltype(args)>(args)...);
    return detail::jacobian_by_columns(detail::with_argument<I>(f, inputs), std::get<I>(inputs));
  };
}

/// `hessian(f)(x, ...)` is the matrix of second derivatives, `(*out, *in, *in)`: forward over reverse mode. Errors as
/// those of jacfwd and jacrev.
///
///     Tensor h = hessian([](Tensor x) { return x.pow(3).sum(); })(x);  // x (3,): (3, 3) with 6 x on the diagonal
template <size_t I = 0, class F>
auto hessian(F f) {
  return jacfwd<I>(jacrev<I>(std::move(f)));
}

/// `hvp(f, x, v)`: the Hessian of a scalar function at x times v, without making the matrix; x and v are tensors or
/// nests of equal structure. Costs about as much as two gradients. Errors as those of grad and jvp.
///
///     Tensor hv = hvp([](Tensor x) { return x.pow(3).sum(); }, x, v);  // 6 x v, like x
template <class F, class X>
auto hvp(const F& f, const X& x, const X& v) {
  return jvp(grad(f), x, v).second;
}

}  // namespace strata::func
