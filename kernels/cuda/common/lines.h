// Tensors as lines along one dim: what kernels that work along a dim walk.
#pragma once
#include <array>
#include <utility>

#include "core/tensor.h"
#include "kernels/cuda/common/strided.h"

namespace strata::cuda {

/// The lines of N tensors of one shape along a dim: where each begins is walked by `starts`.
template <int N>
struct Lines {
  Geometry<N> starts;
  int64_t length = 1;
  int64_t steps[N] = {};  ///< from element to element of a line

  bool in_a_row() const {
    for (int64_t step : steps)
      if (step != 1 && length > 1) return false;
    return true;
  }
  /// Do lines consist of whole packs of `width` elements of `item` bytes at addresses that are multiples of a pack's?
  bool packed(int64_t width, size_t item, const std::array<const void*, N>& data) const {
    if (!in_a_row() || length % width != 0) return false;
    for (int k = 0; k < N; ++k) {
      if (!is_aligned(data[k], item * static_cast<size_t>(width))) return false;
      for (int d = 0; d < starts.rank; ++d)
        if (starts.strides[d][k] % width != 0) return false;
    }
    return true;
  }
};

namespace detail {
inline DimVector without(IntArrayRef v, int64_t dim) {
  DimVector rest;
  for (size_t d = 0; d < v.size(); ++d)
    if (d != static_cast<size_t>(dim)) rest.push_back(v[d]);
  return rest;
}
template <int N, size_t... k>
Geometry<N> starts_of(const std::array<const Tensor*, N>& tensors, int64_t dim, std::index_sequence<k...>) {
  const DimVector strides[N] = {without(tensors[k]->strides(), dim)...};
  const IntArrayRef views[N] = {IntArrayRef(strides[k])...};
  return collapse<N>(without(tensors[0]->sizes(), dim), views);
}
}  // namespace detail

/// The lines along `dim`; a 0-dim tensor is a line of one element. The first tensor's memory gives their order.
template <int N>
Lines<N> lines_along(const std::array<const Tensor*, N>& tensors, int64_t dim) {
  Lines<N> lines;
  lines.starts = detail::starts_of<N>(tensors, dim, std::make_index_sequence<N>());
  if (tensors[0]->dim() == 0) return lines;
  lines.length = tensors[0]->size(dim);
  for (int k = 0; k < N; ++k) lines.steps[k] = tensors[k]->strides()[static_cast<size_t>(dim)];
  return lines;
}

}  // namespace strata::cuda
