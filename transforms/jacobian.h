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

/// Derivatives of one output with respect to all inputs: `(*out, *in)` each, by pulling unit cotangents, all at once or
/// `chunk_size` at a time.
std::vector<Tensor> jacobian_rows(const Graph& graph, size_t output, const std::vector<Tensor>& outputs,
                                  const std::vector<Tensor>& inputs, std::optional<int64_t> chunk_size);

/// The unit tangents of `x`, `(n, *x)`, in pieces of `chunk_size`.
std::vector<Tensor> unit_tangents(const Tensor& x, std::optional<int64_t> chunk_size, const char* who);
/// A tangent `(n, *out)` of every unit direction, in pieces, as a derivative `(*out, *in)`.
Tensor jacobian_columns(const std::vector<Tensor>& pieces, const Tensor& out, const Tensor& in);

/// Jacobians by reverse mode.
struct Rows {
  static constexpr const char* kName = "jacrev";
  /// The Jacobian of `f` at the nest `in`, with kAux as a pair with aux.
  template <bool kAux, class F, class In>
  static auto of(const F& f, const In& in, std::optional<int64_t> chunk_size) {
    auto result = vjp_run<kAux>(f, std::tuple<In>(in), Select<0>(), Graph::Integers::refused, kName);
    const auto& out = std::get<0>(result);
    const std::vector<Tensor> outputs = tree::leaves(out), inputs = tree::leaves(in);
    std::vector<Tensor> blocks;
    for (size_t i = 0; i < outputs.size(); ++i)
      for (Tensor& t : jacobian_rows(std::get<1>(result).graph(), i, outputs, inputs, chunk_size))
        blocks.push_back(std::move(t));
    size_t i = 0;
    auto nest = jacobian_nest(out, in, [&] { return blocks[i++]; });
    if constexpr (kAux)
      return std::pair(std::move(nest), std::get<2>(std::move(result)));
    else
      return nest;
  }
};

/// Jacobians by forward mode.
struct Columns {
  static constexpr const char* kName = "jacfwd";
  template <bool kAux, class F, class In>
  static auto of(const F& f, const In& in, std::optional<int64_t> chunk_size) {
    const std::vector<Tensor> inputs = tree::leaves(in);
    STRATA_CHECK(!inputs.empty(), "jacfwd: the argument holds no tensor");
    std::optional<decltype(push<kAux>(f, in, 1, 0, Tensor()))> last;
    std::vector<std::vector<std::vector<Tensor>>> columns(inputs.size());  // of an input, an output, a piece
    for (size_t i = 0; i < inputs.size(); ++i)
      for (const Tensor& units : unit_tangents(inputs[i], chunk_size, kName)) {
        last.emplace(push<kAux>(f, in, inputs.size(), i, units));
        const std::vector<Tensor> tangents = tree::leaves(std::get<1>(*last));
        columns[i].resize(tangents.size());
        for (size_t o = 0; o < tangents.size(); ++o) columns[i][o].push_back(tangents[o]);
      }
    const auto& out = std::get<0>(*last);
    const std::vector<Tensor> outputs = tree::leaves(out);
    size_t n = 0;
    auto nest = jacobian_nest(out, in, [&] {
      const size_t input = n % inputs.size(), output = n / inputs.size();
      ++n;
      return jacobian_columns(columns[input][output], outputs[output], inputs[input]);
    });
    if constexpr (kAux)
      return std::pair(std::move(nest), std::get<2>(*std::move(last)));
    else
      return nest;
  }

 private:
  /// f at `in` and its derivative, `(n, *out)`, along n directions of one of its tensors.
  template <bool kAux, class F, class In>
  static auto push(const F& f, const In& in, size_t inputs, size_t input, const Tensor& directions) {
    VmapLayer layer(directions.size(0), Randomness::same);
    std::vector<Tensor> tangents(inputs);
    auto result = [&] {
      const LayerScope scope(layer);
      tangents[input] = layer.wrap(directions);
      return jvp_run<kAux>(f, std::tuple<In>(in), Select<0>(), tangents);
    }();
    tree::for_each(std::get<1>(result), [&](Tensor& t) { t = layer.unwrap(t, 0); });
    return result;
  }
};

/// The Jacobian with respect to selected arguments, the others being constants.
template <class Mode, bool kAux, class Which>
struct Jacobian {
  Which select;
  std::optional<int64_t> chunk_size;

  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    const auto all = select.with_tensors(std::move(args));
    using In = decltype(select.take(all));
    const auto of_selected = [&](const In& x) {
      auto arguments = all;
      select.put(arguments, x);
      return std::apply(f, std::move(arguments));
    };
    const FunctionRef<decltype(of_selected(std::declval<const In&>()))(const In&)> function(of_selected);
    return Mode::template of<kAux>(function, select.take(all), chunk_size);
  }
};

template <class Mode, bool kAux = false, class F, class Which>
auto jacobian(F f, Which select, std::optional<int64_t> chunk_size) {
  return transformed(Jacobian<Mode, kAux, Which>{std::move(select), chunk_size}, std::move(f));
}

}  // namespace detail

/// Which argument a Jacobian is taken with respect to; it must have the type of argument 0, else name it when
/// compiling: `jacrev<1>(f)`, `jacrev<0, 2>(f)`.
struct JacobianOptions {
  int64_t argnums = 0;
  /// Takes so many rows (columns, for jacfwd) of the matrix at a time, to save memory; all at once where there is none.
  std::optional<int64_t> chunk_size = {};
};
/// The same for two and more arguments of one type: at each output a vector.
struct JacobianListOptions {
  Argnums argnums;
  std::optional<int64_t> chunk_size = {};
};
/// For functions that return the pair of what is differentiated and aux; aux comes back beside the Jacobian.
struct JacobianAuxOptions {
  int64_t argnums = 0;
  AlwaysTrue has_aux;
  std::optional<int64_t> chunk_size = {};
};
struct JacobianListAuxOptions {
  Argnums argnums;
  AlwaysTrue has_aux;
  std::optional<int64_t> chunk_size = {};
};
/// Where the arguments are named when compiling.
struct ChunkOptions {
  std::optional<int64_t> chunk_size = {};
};
struct ChunkAuxOptions {
  AlwaysTrue has_aux;
  std::optional<int64_t> chunk_size = {};
};

/// `jacrev(f)(x, ...)` is the Jacobian of f with respect to argument 0 (`argnums`): `(*out, *in)`, or a nest like the
/// output of nests like the input (a struct in the output becomes the tuple of its fields); several arguments are a
/// nest too. Reverse mode: one run of f and one vmapped pull per output tensor, or per `chunk_size` of its elements;
/// best for more inputs than outputs. With `.has_aux = true`, `f` returns the pair of what is differentiated and aux,
/// and the result is the pair of Jacobian and aux. Throws for arguments that are not floating point. After JAX's and
/// torch.func's jacrev.
///
///     Tensor j = jacrev([](Tensor x) { return x.square(); })(x);  // x (3,): (3, 3) with 2 x on the diagonal
template <class F>
auto jacrev(F f, JacobianOptions o = {}) {
  return detail::jacobian<detail::Rows>(std::move(f), detail::SelectOne{o.argnums, "jacrev"}, o.chunk_size);
}
template <class F>
auto jacrev(F f, JacobianListOptions o) {
  return detail::jacobian<detail::Rows>(std::move(f), detail::SelectList{o.argnums.list, "jacrev"}, o.chunk_size);
}
template <class F>
auto jacrev(F f, JacobianAuxOptions o) {
  return detail::jacobian<detail::Rows, true>(std::move(f), detail::SelectOne{o.argnums, "jacrev"}, o.chunk_size);
}
template <class F>
auto jacrev(F f, JacobianListAuxOptions o) {
  return detail::jacobian<detail::Rows, true>(std::move(f), detail::SelectList{o.argnums.list, "jacrev"}, o.chunk_size);
}
template <size_t I, size_t... More, class F>
auto jacrev(F f, ChunkOptions o = {}) {
  return detail::jacobian<detail::Rows>(std::move(f), detail::Select<I, More...>(), o.chunk_size);
}
template <size_t I, size_t... More, class F>
auto jacrev(F f, ChunkAuxOptions o) {
  return detail::jacobian<detail::Rows, true>(std::move(f), detail::Select<I, More...>(), o.chunk_size);
}

/// The same Jacobian in forward mode: one vmapped run of f per input tensor, or per `chunk_size` of its elements; best
/// for more outputs than inputs. Random ops draw once for all directions. Throws for arguments that are not floating
/// point and where f has no jvp rule.
///
///     Tensor j = jacfwd<1>([](Tensor a, Tensor x) { return matmul(a, x); })(a, x);  // a (2, 3), x (3,): a
template <class F>
auto jacfwd(F f, JacobianOptions o = {}) {
  return detail::jacobian<detail::Columns>(std::move(f), detail::SelectOne{o.argnums, "jacfwd"}, o.chunk_size);
}
template <class F>
auto jacfwd(F f, JacobianListOptions o) {
  return detail::jacobian<detail::Columns>(std::move(f), detail::SelectList{o.argnums.list, "jacfwd"}, o.chunk_size);
}
template <class F>
auto jacfwd(F f, JacobianAuxOptions o) {
  return detail::jacobian<detail::Columns, true>(std::move(f), detail::SelectOne{o.argnums, "jacfwd"}, o.chunk_size);
}
template <class F>
auto jacfwd(F f, JacobianListAuxOptions o) {
  return detail::jacobian<detail::Columns, true>(std::move(f), detail::SelectList{o.argnums.list, "jacfwd"},
                                                 o.chunk_size);
}
template <size_t I, size_t... More, class F>
auto jacfwd(F f, ChunkOptions o = {}) {
  return detail::jacobian<detail::Columns>(std::move(f), detail::Select<I, More...>(), o.chunk_size);
}
template <size_t I, size_t... More, class F>
auto jacfwd(F f, ChunkAuxOptions o) {
  return detail::jacobian<detail::Columns, true>(std::move(f), detail::Select<I, More...>(), o.chunk_size);
}

/// `hessian(f)(x, ...)` is the matrix of second derivatives, `(*out, *in, *in)`: forward over reverse mode. Options and
/// errors as those of jacfwd and jacrev.
///
///     Tensor h = hessian([](Tensor x) { return x.pow(3).sum(); })(x);  // x (3,): (3, 3) with 6 x on the diagonal
template <class F>
auto hessian(F f, JacobianOptions o = {}) {
  return jacfwd(jacrev(std::move(f), o), o);
}
template <class F>
auto hessian(F f, JacobianListOptions o) {
  return jacfwd(jacrev(std::move(f), o), o);
}
template <class F>
auto hessian(F f, JacobianAuxOptions o) {
  return jacfwd(jacrev(std::move(f), o), o);
}
template <class F>
auto hessian(F f, JacobianListAuxOptions o) {
  return jacfwd(jacrev(std::move(f), o), o);
}
template <size_t I, size_t... More, class F>
auto hessian(F f, ChunkOptions o = {}) {
  return jacfwd<I, More...>(jacrev<I, More...>(std::move(f), o), o);
}
template <size_t I, size_t... More, class F>
auto hessian(F f, ChunkAuxOptions o) {
  return jacfwd<I, More...>(jacrev<I, More...>(std::move(f), o), o);
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
