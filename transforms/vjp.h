// vjp: a function's value and the map that pulls cotangents back.
#pragma once
#include "grad_layer.h"

namespace strata::func {
namespace detail {
void check_cotangents(size_t given, size_t outputs);
}

/// What `vjp` returns beside the outputs: maps cotangents of the outputs to those of the inputs, as often as called.
template <class Out, class... X>
class Pullback {
 public:
  Pullback(detail::Graph graph, std::tuple<X...> inputs) : graph_(std::move(graph)), inputs_(std::move(inputs)) {}
  /// Cotangents of f's inputs: a nest like its argument, for several arguments a tuple. Undefined cotangents are zero.
  auto operator()(const Out& cotangents) const {
    const std::vector<Tensor> given = tree::leaves(cotangents);
    detail::check_cotangents(given.size(), graph_.num_outputs());
    std::tuple<X...> result = inputs_;
    const std::vector<Tensor> grads = graph_.pull(given, true);
    size_t i = 0;
    tree::for_each(result, [&](Tensor& t) { t = grads[i++]; });
    if constexpr (sizeof...(X) == 1)
      return std::get<0>(std::move(result));
    else
      return result;
  }
  const detail::Graph& graph() const { return graph_; }

 private:
  detail::Graph graph_;
  std::tuple<X...> inputs_;
};

/// `auto [y, pullback] = vjp(f, x...)`: y = f(x...) and the map from a cotangent of y to cotangents of all arguments.
/// Throws for arguments that are not floating point; the pullback, for cotangents that do not fit y.
///
///     auto [y, pullback] = vjp([](Tensor a, Tensor b) { return a * b; }, a, b);
///     auto [da, db] = pullback(ones_like(y));  // b and a
template <class F, class... X>
auto vjp(const F& f, X... xs) {
  GradLayer layer;
  detail::Graph graph;
  std::tuple<X...> inputs(std::move(xs)...);
  auto out = [&] {
    const GradScope scope(layer);
    tree::for_each(inputs, [&](Tensor& t) { graph.add_input(layer, t, "vjp"); });
    return detail::fresh(std::apply(f, inputs));
  }();
  tree::for_each(inputs, [&](Tensor& t) { t = Tensor(); });  // the structure alone is kept
  tree::for_each(out, [&](Tensor& t) { graph.add_output(layer, t); });
  Pullback<decltype(out), X...> pullback(std::move(graph), std::move(inputs));
  return std::pair(std::move(out), std::move(pullback));
}

}  // namespace strata::func
