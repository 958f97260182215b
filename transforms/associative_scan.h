// associative_scan: all prefixes of a list under an associative operation, in a logarithmic number of steps.
#pragma once
#include "control_stage.h"

namespace strata::func {

struct AssociativeScanOptions {
  bool reverse = false;
  int64_t axis = 0;
};

namespace detail {
using control::List;
using control::ListRef;
/// `combine` takes the tensors of the left elements, then those of the right ones.
List associative_scan_lists(ListRef combine, List elements, const AssociativeScanOptions& options);
}  // namespace detail

/// `associative_scan(f, elements)` is e0, f(e0, e1), f(f(e0, e1), e2), … along an axis of n elements, for an
/// associative f, which gets halves of all elements at once and so must work along that axis too (`add` does). Calls f
/// about 2 log2(n) times. Elements are a tensor or a nest of tensors of one size along the axis. Composed of other ops,
/// so every transform applies. Throws where sizes differ. After jax.lax.associative_scan (Blelloch 1990, Prefix sums
/// and their applications).
///
///     Tensor products = associative_scan([](Tensor a, Tensor b) { return a * b; }, full({4}, 2.0));  // 2, 4, 8, 16
template <class F, class Elements>
Elements associative_scan(const F& f, const Elements& elements, AssociativeScanOptions options = {}) {
  const auto combine = [&](const detail::List& both) {
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
    return tree::leaves(Elements(f(tree::unflatten(elements, detail::List(both.begin(), middle)),
                                   tree::unflatten(elements, detail::List(middle, both.end())))));
  };
  return tree::unflatten(elements, detail::associative_scan_lists(combine, tree::leaves(elements), options));
}

}  // namespace strata::func
