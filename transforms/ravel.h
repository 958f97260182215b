// A nest of tensors as one vector and back.
#pragma once
#include "../core/tree.h"

namespace strata::tree {

namespace detail {
Tensor ravel_list(const std::vector<Tensor>& tensors);
/// The pieces of `flat` in the shapes of `like`.
std::vector<Tensor> unravel_list(const Tensor& flat, const std::vector<Tensor>& like);
}  // namespace detail

/// All elements of a nest as one vector `(n,)`, and the function that makes a nest of such a vector. Throws where
/// dtypes differ. After jax.flatten_util.ravel_pytree.
///
///     auto [flat, unravel] = tree::ravel(std::pair(w, b));  // w (2, 3), b (2,): flat (8,)
///     auto [w2, b2] = unravel(2 * flat);
template <class T>
auto ravel(const T& nest) {
  const std::vector<Tensor> tensors = leaves(nest);
  auto unravel = [nest, tensors](const Tensor& flat) { return unflatten(nest, detail::unravel_list(flat, tensors)); };
  return std::pair(detail::ravel_list(tensors), std::move(unravel));
}

}  // namespace strata::tree
