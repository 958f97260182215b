// grad and value_and_grad: gradients of functions with respect to some of their arguments.
#pragma once
#include "grad_layer.h"
#include "select.h"

namespace strata::func {
namespace detail {

/// Throws unless `t` is a floating point scalar.
void check_loss(const Tensor& t, const char* who);
void check_aux(const char* who, bool wanted, bool returned);

/// Runs `f` on the arguments, of which `select(args, use)` shows those to differentiate to `use`; then replaces these
/// by their gradients and returns what f returned.
template <class F, class Args, class Which>
auto differentiate(const F& f, Args& args, const Which& select, bool has_aux, const char* who) {
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

/// The gradient beside what f returned besides its loss, if anything.
template <class Out, class Grads>
auto with_aux(Out out, Grads grads) {
  if constexpr (is_pair<Out>)
    return std::pair(std::move(grads), std::move(std::get<1>(out)));
  else
    return grads;
}

template <class Which>
struct ValueAndGrad {
  Which select;
  bool has_aux;
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    auto inputs = select.with_tensors(std::move(args));
    auto out = differentiate(f, inputs, select, has_aux, "grad");
    return std::pair(std::move(out), select.take(inputs));
  }
};
template <class Which>
struct Grad {
  Which select;
  bool has_aux;
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    auto [out, gradient] = ValueAndGrad<Which>{select, has_aux}(f, std::move(args));
    return with_aux(std::move(out), std::move(gradient));
  }
};

}  // namespace detail

/// Which argument is differentiated, known when `grad` runs: it must have the type of argument 0. Arguments of other
/// types are named at compile time: `grad<1>(f)`, `grad<0, 2>(f)`.
struct GradOptions {
  int64_t argnums = 0;
  bool has_aux = false;  ///< f returns a pair of its loss and anything else, which comes back beside the gradient
};
/// The same for two and more arguments of one type, `.argnums = {0, 2}`; their gradients come as a vector.
struct GradListOptions {
  Argnums argnums;
  bool has_aux = false;
};
struct AuxOptions {
  bool has_aux = false;
};

/// `value_and_grad(f)(x, ...)` is the pair of `f(x, ...)`, which must return a floating point scalar, and its gradient
/// with respect to argument 0 (`argnums`): a tensor, or a nest of the argument's structure. A C++ number that is
/// differentiated is taken as a tensor. With `has_aux` it is the pair of (loss, aux) and the gradient. Throws for
/// results that are no floating point scalar and for arguments that are not floating point. After JAX's value_and_grad.
///
///     auto [value, g] = value_and_grad([](Tensor x) { return (x * x).sum(); })(x);  // g: 2 x
template <class F>
auto value_and_grad(F f, GradOptions options = {}) {
  return detail::transformed(detail::ValueAndGrad<detail::SelectOne>{{options.argnums, "grad"}, options.has_aux},
                             std::move(f));
}
template <class F>
auto value_and_grad(F f, GradListOptions options) {
  return detail::transformed(
      detail::ValueAndGrad<detail::SelectList>{{std::move(options.argnums.list), "grad"}, options.has_aux},
      std::move(f));
}
template <size_t I, size_t... More, class F>
auto value_and_grad(F f, AuxOptions options = {}) {
  return detail::transformed(detail::ValueAndGrad<detail::Select<I, More...>>{{}, options.has_aux}, std::move(f));
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
  return detail::transformed(detail::Grad<detail::SelectOne>{{options.argnums, "grad"}, options.has_aux}, std::move(f));
}
template <class F>
auto grad(F f, GradListOptions options) {
  return detail::transformed(
      detail::Grad<detail::SelectList>{{std::move(options.argnums.list), "grad"}, options.has_aux}, std::move(f));
}
template <size_t I, size_t... More, class F>
auto grad(F f, AuxOptions options = {}) {
  return detail::transformed(detail::Grad<detail::Select<I, More...>>{{}, options.has_aux}, std::move(f));
}

}  // namespace strata::func
