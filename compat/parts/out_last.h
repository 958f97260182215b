// libtorch's functions in _outf: those in _out with what is written to behind.
#pragma once
#include <cstddef>
#include <tuple>
#include <utility>

namespace strata::detail {

/// `f` of a tuple's elements, the last N of them first.
template <size_t N, class F, class... A, size_t... I>
auto call_last_first(const F& f, std::tuple<A...> t, std::index_sequence<I...>)
    -> decltype(f(std::get<(I + sizeof...(I) - N) % sizeof...(I)>(std::move(t))...)) {
  return f(std::get<(I + sizeof...(I) - N) % sizeof...(I)>(std::move(t))...);
}

/// What calls `f(out..., in...)` as `(in..., out...)`; `Outs` are the numbers of outs that overloads of f have.
template <class F, size_t... Outs>
struct OutLast {
  F f;

  template <class... A>
  decltype(auto) operator()(A&&... arguments) const {
    return call<Outs...>(std::forward_as_tuple(std::forward<A>(arguments)...));
  }

 private:
  template <size_t N, size_t... Others, class... A>
  decltype(auto) call(std::tuple<A...> t) const {
    using Places = std::index_sequence_for<A...>;
    if constexpr (sizeof...(Others) == 0 || requires { call_last_first<N>(f, std::move(t), Places()); })
      return call_last_first<N>(f, std::move(t), Places());
    else
      return call<Others...>(std::move(t));
  }
};

template <size_t... Outs, class F>
constexpr OutLast<F, Outs...> out_last(F f) {
  return {f};
}

}  // namespace strata::detail

/// `name_outf` of `name_out`, whose overloads write to so many tensors.
#define STRATA_OUT_LAST(name, ...)                                                                            \
  inline constexpr auto name##_outf =                                                                         \
      detail::out_last<__VA_ARGS__>([]<class... A>(A&&... a) -> decltype(name##_out(std::forward<A>(a)...)) { \
        return name##_out(std::forward<A>(a)...);                                                             \
      })
