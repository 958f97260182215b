// Control flow that transforms and programs can see: cond, switch_, while_loop, fori_loop, scan, map.
#pragma once
#include "../ops/binary.h"
#include "associative_scan.h"
#include "control_nest.h"
#include "vmap.h"

namespace strata::func {

/// `cond(pred, on_true, on_false, operands...)` is `pred ? on_true(operands...) : on_false(operands...)` for a
/// predicate that may be traced or mapped; it is a scalar of any dtype, and what the branches capture is theirs as in
/// C++. Where the predicate's value is known (eager code; a number; a constant of a trace), that is all that happens.
/// Where it is traced, both branches are, and the program has one equation `cond`; both must return the same structure,
/// shapes and dtypes, and may not write to tensors from outside. Under vmap with a predicate that differs between
/// examples, both branches run on all of them and each example gets its own; a branch not taken adds zero to the
/// gradient of operands, also where its own would be infinite (of captured tensors, only inside of trace). Throws where
/// the predicate is no scalar or the branches differ. After jax.lax.cond.
///
///     auto root = [](Tensor x) {
///       return cond(x > 0, [](Tensor v) { return v.sqrt(); }, [](Tensor v) { return zeros_like(v); }, x);
///     };
///     Tensor slopes = vmap(grad(root))(tensor({4.0f, 0.0f}));  // 0.25, 0
template <class True, class False, class... A>
auto cond(const Tensor& pred, const True& on_true, const False& on_false, const A&... operands) {
  using Out = detail::ReturnedBy<True, A...>;
  static_assert(std::is_same_v<Out, detail::ReturnedBy<False, A...>>, "cond: the branches return different types");
  if (control::standing(pred) == control::Standing::known)
    return detail::is_true("cond", pred) ? detail::returned<Out>(on_true(operands...))
                                         : detail::returned<Out>(on_false(operands...));
  return detail::choose_nests<Out>("cond", detail::number_of_branch(pred), std::tuple<A...>(operands...), on_false,
                                   on_true);
}
template <std::same_as<bool> P, class True, class False, class... A>
auto cond(P pred, const True& on_true, const False& on_false, const A&... operands) {
  return cond(detail::to_tensor(pred), on_true, on_false, operands...);
}

/// `switch_(index, std::tuple(f, g, h), operands...)` runs the branch of that number, clamped to those there are.
/// `index` is an integer or a scalar integer tensor; all else as `cond`. After jax.lax.switch.
///
///     Tensor third = switch_(2, std::tuple([](Tensor x) { return x; }, [](Tensor x) { return -x; },
///                                          [](Tensor x) { return x * x; }), ones({2}) * 3);  // 9, 9
template <class... F, class... A>
auto switch_(const Tensor& index, const std::tuple<F...>& branches, const A&... operands) {
  using Out = detail::ReturnedBy<std::tuple_element_t<0, std::tuple<F...>>, A...>;
  static_assert((std::is_same_v<Out, detail::ReturnedBy<F, A...>> && ...), "switch_: the branches return other types");
  return std::apply(
      [&](const F&... f) { return detail::choose_nests<Out>("switch_", index, std::tuple<A...>(operands...), f...); },
      branches);
}
template <std::integral I, class... F, class... A>
auto switch_(I index, const std::tuple<F...>& branches, const A&... operands) {
  return switch_(detail::to_tensor(static_cast<int64_t>(index)), branches, operands...);
}

/// `while_loop(condition, body, init)` is `while (condition(carry)) carry = body(carry);` from init on, for a carry
/// that is any nest of tensors. Eager code runs just that, and its backward works. Inside of trace it is one equation,
/// `while`, whose carry keeps its shapes and dtypes; it has forward mode (jvp) and no reverse mode, for which scan and
/// fori_loop are there. Under vmap, where examples take different numbers of steps, it runs until all are done, and
/// those that are keep their carry. `condition` returns a scalar bool. Throws where it does not, where the carry
/// changes its type inside of trace, and there for writes to tensors from outside. After jax.lax.while_loop.
///
///     auto power = [](Tensor x, Tensor n) {  // x to the n, for an integer n
///       return std::get<1>(while_loop([](std::tuple<Tensor, Tensor> c) { return std::get<0>(c) > 0; },
///                                     [x](std::tuple<Tensor, Tensor> c) {
///                                       auto [left, product] = c;
///                                       return std::tuple(left - 1, product * x);
///                                     },
///                                     std::tuple(n, ones_like(x))));
///     };
///     auto [cube, slope] = jvp(power, std::tuple(scalar_tensor(2.0), scalar_tensor(3)),
///                              std::tuple(scalar_tensor(1.0), Tensor()));  // 8, 12
template <class Condition, class Body, class Init>
auto while_loop(const Condition& condition, const Body& body, Init init) {
  auto carry = detail::as_tensor(std::move(init));
  using Carry = decltype(carry);
  if constexpr (std::is_same_v<std::decay_t<decltype(condition(carry))>, bool>) {
    while (condition(carry)) carry = detail::returned<Carry>(body(carry));
    return carry;
  } else {
    while (!dispatch::is_recorded()) {
      const Tensor go_on = condition(carry);
      if (control::standing(go_on) != control::Standing::known) break;
      if (!detail::is_true("while_loop", go_on)) return carry;
      carry = detail::returned<Carry>(body(carry));
    }
    detail::Listed<Carry, std::tuple<Carry>> listed("while_loop", std::tuple<Carry>(carry));
    listed.expect(carry);
    const auto test = [&](const detail::List& c) { return detail::List{listed.call(condition, c)}; };
    const auto step = [&](const detail::List& c) { return listed.run(body, c); };
    return listed.result(detail::while_lists(test, step, listed.tensors(carry)));
  }
}

/// `scan(f, init, xs)` carries a state over the first dims of xs: `f(carry, x)` returns the pair of the next carry and
/// of a y, for each of the n elements x of xs in turn; the result is the pair of the last carry and of all ys, stacked
/// to `(n, ...)`. Carry, xs and y are any nests of tensors; `std::tuple<>()` is none, and then `options.length` says
/// how many steps there are. Eager code runs the loop as it stands. Inside of trace it is one equation, `scan`, with
/// the body traced once whatever n is: what does not depend on the carry or xs is computed once before it, reverse mode
/// keeps what each step needs, or with `.checkpoint_every = k` the carry of each k-th step alone, from which it runs k
/// steps again. Throws where sizes of xs differ or are unknown, and where the carry changes its type inside of trace or
/// the body writes to tensors from outside there. After jax.lax.scan.
///
///     auto [total, sums] = scan([](Tensor sum, Tensor x) { return std::pair(sum + x, sum + x); }, zeros({}),
///                               arange(4, kFloat));  // 6 and 0, 1, 3, 6
template <class F, class Init, class Xs>
auto scan(const F& f, Init init, const Xs& xs, ScanOptions options = {}) {
  auto carry = detail::as_tensor(std::move(init));
  using Carry = decltype(carry);
  using Y = std::decay_t<decltype(std::get<1>(f(carry, xs)))>;
  using Out = std::pair<Carry, Y>;
  detail::Listed<Out, std::tuple<Carry, Xs>> listed("scan", std::tuple<Carry, Xs>(carry, xs));
  const std::string structure = detail::structure_of(carry);
  const auto checked = [&](const Carry& c, const Xs& x) {
    Out out(f(c, x));
    detail::check_structure("scan", structure, out.first);
    return out;
  };
  const auto step = [&](const detail::List& inputs) { return listed.run(checked, inputs); };
  return listed.result(detail::scan_lists(step, listed.tensors(carry), listed.tensors(xs), options));
}

/// `fori_loop(lower, upper, body, init)` is `for (i = lower; i < upper; ++i) carry = body(i, carry);` with i as an
/// int64 scalar tensor. With C++ integers as bounds it is a `scan` inside of trace, and differentiable; bounds that are
/// tensors make it a `while_loop`, which has forward mode alone there. After jax.lax.fori_loop.
///
///     auto power = [](Tensor x) { return fori_loop(0, 3, [x](Tensor, Tensor p) { return p * x; }, ones_like(x)); };
///     Tensor slope = grad(power)(2.0);  // 12
template <std::integral L, std::integral U, class Body, class Init>
auto fori_loop(L lower, U upper, const Body& body, Init init) {
  auto carry = detail::as_tensor(std::move(init));
  using Carry = decltype(carry);
  const auto first = static_cast<int64_t>(lower), last = static_cast<int64_t>(upper);
  if (!dispatch::is_recorded()) {
    for (int64_t i = first; i < last; ++i) carry = detail::returned<Carry>(body(detail::to_tensor(i), carry));
    return carry;
  }
  using Counted = std::pair<Tensor, Carry>;
  const auto step = [&](Counted c, std::tuple<>) {
    return std::pair(Counted(c.first + 1, body(c.first, c.second)), std::tuple<>());
  };
  const int64_t steps = std::max<int64_t>(last - first, 0);
  return scan(step, Counted(detail::to_tensor(first), carry), std::tuple<>(), {.length = steps}).first.second;
}
template <class Body, class Init>
auto fori_loop(const Tensor& lower, const Tensor& upper, const Body& body, Init init) {
  auto carry = detail::as_tensor(std::move(init));
  using Counted = std::pair<Tensor, decltype(carry)>;
  return while_loop([&](Counted c) { return c.first < upper; },
                    [&](Counted c) { return Counted(c.first + 1, body(c.first, c.second)); },
                    Counted(lower, std::move(carry)))
      .second;
}

/// `map(f, xs)` applies f to each element of xs along dim 0, one after the other, and stacks the results: vmap with the
/// memory of one example. With `.batch_size = b`, b elements at a time go through `vmap`. Inside of trace it is a scan
/// without carry. `f` takes and returns any nests of tensors. After jax.lax.map.
///
///     Tensor norms = func::map([](Tensor row) { return row.norm(); }, ones({3, 4}));  // 2, 2, 2
template <class F, class Xs>
auto map(const F& f, const Xs& xs, MapOptions options = {}) {
  const auto step = [&](std::tuple<>, const Xs& x) { return std::pair(std::tuple<>(), detail::as_tensor(f(x))); };
  if (!options.batch_size) return scan(step, std::tuple<>(), xs).second;
  const auto [batches, rest] = detail::batches_of(xs, *options.batch_size);
  const auto batched = [&](std::tuple<>, const Xs& x) { return std::pair(std::tuple<>(), vmap(f)(x)); };
  auto out = scan(batched, std::tuple<>(), batches).second;
  return detail::join_batches(out, rest ? std::optional(vmap(f)(*rest)) : std::nullopt);
}

}  // namespace strata::func
