// vjp: a function's value and the map that pulls cotangents back.
#pragma once
#include "grad_layer.h"
#include "select.h"

namespace strata::func {
namespace detail {
void check_cotangents(size_t given, size_t outputs);
}

/// What `vjp` returns beside the outputs: maps cotangents of the outputs to those of the inputs, as often as called.
template <class Out, class In>
class Pullback {
 public:
  Pullback(detail::Graph graph, In inputs) : graph_(std::move(graph)), inputs_(std::move(inputs)) {}
  /// Cotangents of f's inputs: a nest like its argument, for several arguments a tuple. Undefined cotangents are zero.
  In operator()(const Out& cotangents) const {
    const std::vector<Tensor> given = tree::leaves(cotangents);
    detail::check_cotangents(given.size(), graph_.num_outputs());
    return tree::unflatten(inputs_, graph_.pull(given, true));
  }
  const detail::Graph& graph() const { return graph_; }

 private:
  detail::Graph graph_;
  In inputs_;  // its tensors are undefined
};

namespace detail {

/// The result of `f(args...)`, the pullback to selected arguments and, with kAux, aux.
template <bool kAux, class F, class Args, class Which>
auto vjp_run(const F& f, Args args, const Which& select, Graph::Integers integers, const char* who) {
  GradLayer layer;
  Graph graph;
  auto [out, aux] = [&] {
    const GradScope scope(layer);
    select(args,
           [&](auto& nest) { tree::for_each(nest, [&](Tensor& t) { graph.add_input(layer, t, who, integers); }); });
    return split_aux<kAux>(fresh(std::apply(f, args)));
  }();
  auto inputs = select.take(args);
  tree::for_each(inputs, [&](Tensor& t) { t = Tensor(); });  // the structure alone is kept
  tree::for_each(out, [&](Tensor& t) { graph.add_output(layer, t); });
  Pullback<std::decay_t<decltype(out)>, decltype(inputs)> pullback(std::move(graph), std::move(inputs));
  if constexpr (kAux) {
    tree::for_each(aux, [&](Tensor& t) { t = layer.value(t); });
    return std::tuple(std::move(out), std::move(pullback), std::move(aux));
  } else {
    return std::pair(std::move(out), std::move(pullback));
  }
}

template <bool kAux, class Which = void, class F, class... X>
auto vjp_of(const F& f, X&&... xs) {
  const auto& ref = refer_to(f);
  auto args = arguments_for(ref, std::forward<X>(xs)...);
  using Selected = std::conditional_t<std::is_void_v<Which>, SelectAll<decltype(args)>, Which>;
  return vjp_run<kAux>(ref, Selected::with_tensors(std::move(args)), Selected(), Graph::Integers::constants, "vjp");
}

}  // namespace detail

/// `auto [y, pullback] = vjp(f, x...)`: y = f(x...) and the map from a cotangent of y to cotangents of all arguments,
/// or of those with the numbers in `vjp<0, 2>(f, x...)`. Integer and bool tensors are constants, whose cotangents are
/// undefined; a C++ number where f takes a tensor is taken as one. With `vjp(f, {.has_aux = true}, x...)`, `f` returns
/// the pair of y and aux, which comes back as a third value. The pullback throws for cotangents that do not fit y.
///
///     auto [y, pullback] = vjp([](Tensor a, Tensor b) { return a * b; }, a, b);
///     auto [da, db] = pullback(ones_like(y));  // b and a
template <class F, class... X>
auto vjp(const F& f, X... xs) {
  return detail::vjp_of<false>(f, std::move(xs)...);
}
template <class F, class... X>
auto vjp(const F& f, HasAux, X... xs) {
  return detail::vjp_of<true>(f, std::move(xs)...);
}
template <size_t I, size_t... More, class F, class... X>
auto vjp(const F& f, X... xs) {
  return detail::vjp_of<false, detail::Select<I, More...>>(f, std::move(xs)...);
}
template <size_t I, size_t... More, class F, class... X>
auto vjp(const F& f, HasAux, X... xs) {
  return detail::vjp_of<true, detail::Select<I, More...>>(f, std::move(xs)...);
}

}  // namespace strata::func
