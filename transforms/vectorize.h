// vectorize: a function of few core dimensions, broadcast over all others.
#pragma once
#include "vmap.h"

namespace strata::func {
namespace detail {

/// The leading dimensions of arguments against their core dimensions, as `vectorize`'s signature names them.
class Broadcasting {
 public:
  /// `signature` is empty for scalars; throws when it does not parse or does not fit.
  Broadcasting(const std::string& signature, const std::vector<Tensor>& arguments);
  /// Argument i with its leading dims broadcast and joined: `(n, *core)`.
  Tensor flat(size_t i) const;
  /// A result `(n, *out)` with the leading dims apart again.
  Tensor apart(const Tensor& result) const;
  bool any() const { return !leading_.empty(); }

 private:
  std::vector<Tensor> arguments_;
  std::vector<int64_t> core_;
  DimVector leading_;
};

struct Vectorize {
  std::string signature;
  template <class F, class Args>
  auto operator()(const F& f, Args args) const {
    const Broadcasting b(signature, std::apply([](const auto&... arg) { return std::vector<Tensor>{arg...}; }, args));
    using Out = decltype(Vmap{}(f, args));
    if (!b.any()) return Out(std::apply(f, args));
    size_t i = 0;
    tree::for_each(args, [&](Tensor& t) { t = b.flat(i++); });
    Out out = Vmap{}(f, std::move(args));
    tree::for_each(out, [&](Tensor& t) { t = b.apart(t); });
    return out;
  }
};

}  // namespace detail

/// `vectorize(f, "(n),(n)->()")(x, y)` applies f to arguments of the dimensions in parentheses and broadcasts over all
/// that stand before them, as one vmap; without a signature f takes scalars. Arguments and results are tensors, or f
/// returns a nest of them. Throws where the signature is malformed, sizes of one name differ, or the leading dimensions
/// do not broadcast. After jax.numpy.vectorize.
///
///     auto dot = vectorize([](Tensor a, Tensor b) { return (a * b).sum(); }, "(n),(n)->()");
///     Tensor all = dot(x, y);  // x (2, 1, 3), y (4, 3): (2, 4)
template <class F>
auto vectorize(F f, std::string signature = {}) {
  return detail::transformed(detail::Vectorize{std::move(signature)}, std::move(f));
}

}  // namespace strata::func
