// Optimizers as pure functions of nests of tensors, for programs of functional transforms: what they return can be
// differentiated, mapped and traced. As in optax: transformations of gradients, chained.
#pragma once
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../core/tree.h"
#include "../ops/binary.h"
#include "../ops/creation.h"
#include "../ops/reduce.h"
#include "../ops/ternary.h"
#include "../ops/unary.h"

/// A transformation has `init(params)`, which gives a state, and `update(grads, state, params)`, which gives the
/// updates and the next state and changes nothing in place. Parameters, gradients and updates are nests of one
/// structure (core/tree.h), and so are states.
///
///     const auto optimizer = optim::functional::adamw(1e-3);
///     auto state = optimizer.init(params);
///     auto [updates, next] = optimizer.update(grads, state, params);
///     params = optim::functional::apply_updates(params, updates);
///
/// A learning rate is a number, a 0-dim tensor, which may be differentiated by, or a schedule: a function of the number
/// of updates so far, a 0-dim float64.
namespace strata::optim::functional {

/// The parameters with the updates added.
template <class T>
T apply_updates(const T& params, const T& updates) {
  return tree::map([](const Tensor& p, const Tensor& u) { return (p + u).to(p.dtype()); }, params, updates);
}

/// The norm of all tensors of a nest together.
template <class T>
Tensor global_norm(const T& nest) {
  Tensor sum;
  for (const Tensor& t : tree::leaves(nest)) {
    const Tensor square = t.abs().square().sum();
    sum = sum.defined() ? sum + square : square;
  }
  STRATA_CHECK(sum.defined(), "global_norm: the nest has no tensors");
  return sum.sqrt();
}

namespace detail {

template <class T>
T zeros_as(const T& nest) {
  return tree::map([](const Tensor& t) { return zeros_like(t); }, nest);
}

/// A count of updates beside the nest's first tensor.
template <class T>
Tensor first_count(const T& nest) {
  const std::vector<Tensor> tensors = tree::leaves(nest);
  return zeros({}, TensorOptions(kDouble).device(tensors.empty() ? Device(kCPU) : tensors[0].device()));
}

/// `decay * average + (1 - decay) * now`.
inline Tensor move_average(const Tensor& average, const Tensor& now, double decay) {
  return average * decay + now * (1 - decay);
}

/// `t / by` in t's dtype, where `by` is 0-dim float64.
inline Tensor divided(const Tensor& t, const Tensor& by) { return t / by.to(t.dtype()); }

}  // namespace detail

/// The state of a transformation that has none.
struct EmptyState {};

/// Updates times a number or a 0-dim tensor.
template <class Factor>
struct Scale {
  Factor factor;

  template <class T>
  EmptyState init(const T&) const {
    return {};
  }
  template <class T>
  std::pair<T, EmptyState> update(const T& grads, const EmptyState&, const T&) const {
    return {tree::map([&](const Tensor& g) { return (g * factor).to(g.dtype()); }, grads), {}};
  }
};

struct CountState {
  Tensor count;
  auto fields() { return std::tie(count); }
};

/// Updates times `schedule(count)`.
template <class Schedule>
struct ScaleBySchedule {
  Schedule schedule;

  template <class T>
  CountState init(const T& params) const {
    return {detail::first_count(params)};
  }
  template <class T>
  std::pair<T, CountState> update(const T& grads, const CountState& state, const T& params) const {
    const auto factor = schedule(state.count);
    return {Scale<decltype(factor)>{factor}.update(grads, {}, params).first, {state.count + 1}};
  }
};

template <class Factor>
requires(!std::is_invocable_v<Factor, Tensor>) auto scale(Factor factor) {
  if constexpr (std::is_arithmetic_v<Factor>)
    return Scale<double>{static_cast<double>(factor)};
  else
    return Scale<Tensor>{factor};
}
template <class Schedule>
requires std::is_invocable_v<Schedule, Tensor>
auto scale(Schedule schedule) { return ScaleBySchedule<Schedule>{std::move(schedule)}; }

/// Updates times minus the learning rate: down the gradient.
template <class Rate>
auto scale_by_learning_rate(Rate lr) {
  if constexpr (std::is_invocable_v<Rate, Tensor>)
    return scale([lr](const Tensor& count) { return -lr(count); });
  else
    return scale(-lr);
}

/// Transformations one after the other; its state is the tuple of theirs.
template <class... Parts>
struct Chain {
  std::tuple<Parts...> parts;

  template <class T>
  auto init(const T& params) const {
    return std::apply([&](const Parts&... part) { return std::tuple(part.init(params)...); }, parts);
  }
  template <class T, class State>
  std::pair<T, State> update(const T& grads, const State& state, const T& params) const {
    std::pair<T, State> out(grads, state);
    const auto pass = [&](const auto& part, const auto& before, auto& after) {
      std::tie(out.first, after) = part.update(out.first, before, params);
    };
    [&]<size_t... I>(std::index_sequence<I...>) {
      (pass(std::get<I>(parts), std::get<I>(state), std::get<I>(out.second)), ...);
    }
    (std::index_sequence_for<Parts...>());
    return out;
  }
};

template <class... Parts>
auto chain(Parts... parts) {
  return Chain<Parts...>{std::tuple(std::move(parts)...)};
}

template <class T>
struct TraceState {
  T trace;
  auto fields() { return std::tie(trace); }
};

/// Momentum: `trace = grad + decay * trace`.
struct Trace {
  double decay = 0.9;
  bool nesterov = false;

  template <class T>
  TraceState<T> init(const T& params) const {
    return {detail::zeros_as(params)};
  }
  template <class T>
  std::pair<T, TraceState<T>> update(const T& grads, const TraceState<T>& state, const T&) const {
    const auto add = [&](const Tensor& g, const Tensor& t) { return g + t * decay; };
    const T trace = tree::map(add, grads, state.trace);
    return {nesterov ? tree::map(add, grads, trace) : trace, {trace}};
  }
};

template <class T>
struct MomentsState {
  Tensor count;
  T mu, nu;
  auto fields() { return std::tie(count, mu, nu); }
};

/// Adam's direction (Kingma and Ba, 2015).
struct ScaleByAdam {
  double b1 = 0.9, b2 = 0.999, eps = 1e-8;

  template <class T>
  MomentsState<T> init(const T& params) const {
    return {detail::first_count(params), detail::zeros_as(params), detail::zeros_as(params)};
  }
  template <class T>
  std::pair<T, MomentsState<T>> update(const T& grads, const MomentsState<T>& state, const T&) const {
    const Tensor count = state.count + 1;
    const T mu =
        tree::map([&](const Tensor& m, const Tensor& g) { return detail::move_average(m, g, b1); }, state.mu, grads);
    const T nu = tree::map([&](const Tensor& v, const Tensor& g) { return detail::move_average(v, g * g, b2); },
                           state.nu, grads);
    const Tensor first = 1 - pow(b1, count), second = 1 - pow(b2, count);
    const auto direction = [&](const Tensor& m, const Tensor& v) {
      return detail::divided(m, first) / (detail::divided(v, second).sqrt() + eps);
    };
    return {tree::map(direction, mu, nu), {count, mu, nu}};
  }
};

template <class T>
struct SecondMomentState {
  T nu;
  auto fields() { return std::tie(nu); }
};

/// Divides by the root of a moving average of squares (Tieleman and Hinton, 2012).
struct ScaleByRms {
  double decay = 0.99, eps = 1e-8;

  template <class T>
  SecondMomentState<T> init(const T& params) const {
    return {detail::zeros_as(params)};
  }
  template <class T>
  std::pair<T, SecondMomentState<T>> update(const T& grads, const SecondMomentState<T>& state, const T&) const {
    const T nu = tree::map([&](const Tensor& v, const Tensor& g) { return detail::move_average(v, g * g, decay); },
                           state.nu, grads);
    return {tree::map([&](const Tensor& g, const Tensor& v) { return g / (v.sqrt() + eps); }, grads, nu), {nu}};
  }
};

/// Divides by the root of the sum of all squares (Duchi et al., 2011).
struct ScaleByRss {
  double initial_accumulator_value = 0, eps = 1e-10;

  template <class T>
  SecondMomentState<T> init(const T& params) const {
    return {tree::map([&](const Tensor& p) { return full_like(p, initial_accumulator_value); }, params)};
  }
  template <class T>
  std::pair<T, SecondMomentState<T>> update(const T& grads, const SecondMomentState<T>& state, const T&) const {
    const T nu = tree::map([](const Tensor& v, const Tensor& g) { return v + g * g; }, state.nu, grads);
    return {tree::map([&](const Tensor& g, const Tensor& v) { return g / (v.sqrt() + eps); }, grads, nu), {nu}};
  }
};

/// The sign of Lion's mean gradient (Chen et al., 2023).
struct ScaleByLion {
  double b1 = 0.9, b2 = 0.99;

  template <class T>
  TraceState<T> init(const T& params) const {
    return {detail::zeros_as(params)};
  }
  template <class T>
  std::pair<T, TraceState<T>> update(const T& grads, const TraceState<T>& state, const T&) const {
    const auto direction = [&](const Tensor& m, const Tensor& g) { return detail::move_average(m, g, b1).sign(); };
    const auto next = [&](const Tensor& m, const Tensor& g) { return detail::move_average(m, g, b2); };
    return {tree::map(direction, state.trace, grads), {tree::map(next, state.trace, grads)}};
  }
};

/// What has no state: each update by itself and its parameter.
template <class Each>
struct Stateless {
  Each each;

  template <class T>
  EmptyState init(const T&) const {
    return {};
  }
  template <class T>
  std::pair<T, EmptyState> update(const T& grads, const EmptyState&, const T& params) const {
    return {tree::map(each, grads, params), {}};
  }
};

/// Adds `weight_decay` times the parameters to the updates.
inline auto add_decayed_weights(double weight_decay) {
  return Stateless{[=](const Tensor& g, const Tensor& p) { return g + p * weight_decay; }};
}
/// Each element within [-max_delta, max_delta].
inline auto clip(double max_delta) {
  return Stateless{[=](const Tensor& g, const Tensor&) { return g.clamp(-max_delta, max_delta); }};
}
/// Each update as long as its parameter (You et al., 2020); as it is where one of both is 0.
inline auto scale_by_trust_ratio() {
  return Stateless{[](const Tensor& g, const Tensor& p) {
    const Tensor length = p.norm(), other = g.norm(), one = ones_like(length);
    const Tensor both = (length > 0).logical_and(other > 0);
    return g * where(both, length / where(both, other, one), one);
  }};
}

/// All updates together no longer than `max_norm`.
struct ClipByGlobalNorm {
  double max_norm;

  template <class T>
  EmptyState init(const T&) const {
    return {};
  }
  template <class T>
  std::pair<T, EmptyState> update(const T& grads, const EmptyState&, const T&) const {
    const Tensor norm = global_norm(grads), factor = max_norm / norm.clamp_min(max_norm);
    return {tree::map([&](const Tensor& g) { return g * factor.to(g.dtype()); }, grads), {}};
  }
};
inline ClipByGlobalNorm clip_by_global_norm(double max_norm) { return {max_norm}; }

/// Stochastic gradient descent.
template <class Rate>
auto sgd(Rate lr, double momentum = 0, bool nesterov = false, double weight_decay = 0) {
  return chain(add_decayed_weights(weight_decay), Trace{momentum, nesterov}, scale_by_learning_rate(std::move(lr)));
}
/// Adam (Kingma and Ba, 2015).
template <class Rate>
auto adam(Rate lr, double b1 = 0.9, double b2 = 0.999, double eps = 1e-8) {
  return chain(ScaleByAdam{b1, b2, eps}, scale_by_learning_rate(std::move(lr)));
}
/// AdamW (Loshchilov and Hutter, 2019).
template <class Rate>
auto adamw(Rate lr, double b1 = 0.9, double b2 = 0.999, double eps = 1e-8, double weight_decay = 1e-2) {
  return chain(ScaleByAdam{b1, b2, eps}, add_decayed_weights(weight_decay), scale_by_learning_rate(std::move(lr)));
}
template <class Rate>
auto rmsprop(Rate lr, double decay = 0.99, double eps = 1e-8, double momentum = 0) {
  return chain(ScaleByRms{decay, eps}, Trace{momentum, false}, scale_by_learning_rate(std::move(lr)));
}
template <class Rate>
auto adagrad(Rate lr, double initial_accumulator_value = 0, double eps = 1e-10) {
  return chain(ScaleByRss{initial_accumulator_value, eps}, scale_by_learning_rate(std::move(lr)));
}
template <class Rate>
auto lion(Rate lr, double b1 = 0.9, double b2 = 0.99, double weight_decay = 0) {
  return chain(ScaleByLion{b1, b2}, add_decayed_weights(weight_decay), scale_by_learning_rate(std::move(lr)));
}
template <class Rate>
auto lamb(Rate lr, double b1 = 0.9, double b2 = 0.999, double eps = 1e-6, double weight_decay = 0) {
  return chain(ScaleByAdam{b1, b2, eps}, add_decayed_weights(weight_decay), scale_by_trust_ratio(),
               scale_by_learning_rate(std::move(lr)));
}

}  // namespace strata::optim::functional
