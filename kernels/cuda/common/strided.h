// How strided tensors are described to kernels: fewer dimensions, wide accesses, pieces whose numbers have 32 bits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/shape.h"
#include "kernels/cuda/common/walk.h"

namespace strata::cuda {

/// Is `p` aligned for accesses of `bytes`?
inline bool is_aligned(const void* p, size_t bytes) { return reinterpret_cast<uintptr_t>(p) % bytes == 0; }

/// N tensors of one shape on the host, of any size; dimensions from the innermost outwards, strides in elements.
template <int N>
struct Geometry {
  int rank = 0;
  int64_t sizes[kMaxDims];
  int64_t strides[kMaxDims][N];

  int64_t numel() const {
    int64_t n = 1;
    for (int d = 0; d < rank; ++d) n *= sizes[d];
    return n;
  }
  /// Do the elements of tensor k lie in a row, in the order of the walk?
  bool in_a_row(int k) const { return rank == 0 || (rank == 1 && strides[0][k] == 1); }
  bool in_a_row() const {
    for (int k = 0; k < N; ++k)
      if (!in_a_row(k)) return false;
    return true;
  }
  /// Are all elements of tensor k the same one?
  bool is_constant(int k) const {
    for (int d = 0; d < rank; ++d)
      if (strides[d][k] != 0) return false;
    return true;
  }
  /// Elements between the first and the last of tensor k.
  int64_t extent(int k) const {
    int64_t most = 0;
    for (int d = 0; d < rank; ++d) most += (sizes[d] - 1) * std::abs(strides[d][k]);
    return most;
  }
};

namespace detail {

/// Does dimension a belong inside dimension b? The first tensor that tells them apart decides: the output.
template <int N>
bool is_inner(const int64_t (&a)[N], const int64_t (&b)[N]) {
  for (int k = 0; k < N; ++k)
    if (std::abs(a[k]) != std::abs(b[k])) return std::abs(a[k]) < std::abs(b[k]);
  return false;
}

template <int N>
bool continues(const Geometry<N>& g, int inner, int outer) {
  for (int k = 0; k < N; ++k)
    if (g.strides[outer][k] != g.sizes[inner] * g.strides[inner][k]) return false;
  return true;
}

template <int N>
void copy_dim(Geometry<N>& g, int to, int from) {
  g.sizes[to] = g.sizes[from];
  std::copy_n(g.strides[from], N, g.strides[to]);
}

template <int N>
void swap_dims(Geometry<N>& g, int a, int b) {
  std::swap(g.sizes[a], g.sizes[b]);
  std::swap_ranges(g.strides[a], g.strides[a] + N, g.strides[b]);
}

/// Do rows, steps and addresses consist of `factor` elements of `item` bytes each?
template <int N>
bool divides(const Geometry<N>& g, int64_t factor, size_t item, const void* const (&data)[N]) {
  if (g.rank == 0 || g.sizes[0] % factor != 0) return false;
  for (int k = 0; k < N; ++k) {
    if (g.strides[0][k] != 1 || !is_aligned(data[k], item * static_cast<size_t>(factor))) return false;
    for (int d = 1; d < g.rank; ++d)
      if (g.strides[d][k] % factor != 0) return false;
  }
  return true;
}

template <int N>
bool fits_kernel(const Geometry<N>& g) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (g.rank > kMaxRank || g.numel() > kMost) return false;
  for (int k = 0; k < N; ++k)
    if (g.extent(k) > kMost) return false;
  return true;
}

template <int N>
Strided<N> for_kernel(const Geometry<N>& g) {
  Strided<N> s;
  s.rank = g.rank;
  s.numel = static_cast<uint32_t>(g.numel());
  for (int d = 0; d < kMaxRank; ++d) {
    s.sizes[d] = Divider(d < g.rank ? static_cast<uint32_t>(g.sizes[d]) : 1);
    for (int k = 0; k < N; ++k) s.strides[d][k] = d < g.rank ? static_cast<int32_t>(g.strides[d][k]) : 0;
  }
  return s;
}

/// The dimension whose halves are the two pieces: the one that reaches farthest.
template <int N>
int longest_dim(const Geometry<N>& g) {
  int best = 0;
  int64_t reach = -1;
  for (int d = 0; d < g.rank; ++d) {
    int64_t far = g.sizes[d] - 1;
    for (int k = 0; k < N; ++k) far = std::max(far, (g.sizes[d] - 1) * std::abs(g.strides[d][k]));
    if (far > reach) reach = far, best = d;
  }
  return best;
}

/// What one launch of a kernel walks: `first` is where it begins in each tensor.
template <int N>
struct Piece {
  Strided<N> walk;
  int64_t first[N];
};

template <int N>
void cut(const Geometry<N>& g, const int64_t (&start)[N], std::vector<Piece<N>>& pieces) {
  if (fits_kernel(g)) {
    pieces.push_back({for_kernel(g), {}});
    std::copy_n(start, N, pieces.back().first);
    return;
  }
  // A dimension too many is walked one by one: rank falls. Else the halves are smaller.
  const int dim = g.rank > kMaxRank ? g.rank - 1 : longest_dim(g);
  const int64_t step = g.rank > kMaxRank ? 1 : (g.sizes[dim] + 1) / 2;
  for (int64_t i = 0; i < g.sizes[dim]; i += step) {
    Geometry<N> part = g;
    part.sizes[dim] = std::min(step, g.sizes[dim] - i);
    if (g.rank > kMaxRank) --part.rank;
    int64_t from[N];
    for (int k = 0; k < N; ++k) from[k] = start[k] + i * g.strides[dim][k];
    cut(part, from, pieces);
  }
}

}  // namespace detail

/// The same elements in fewer dimensions: in the order of the first tensor's memory, without dimensions of one element,
/// neighbours joined where they follow each other in all tensors.
template <int N>
Geometry<N> collapse(IntArrayRef sizes, const IntArrayRef (&strides)[N]) {
  Geometry<N> g;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    g.sizes[g.rank] = sizes[d];
    for (int k = 0; k < N; ++k) g.strides[g.rank][k] = strides[k][d];
    int at = g.rank++;
    for (; at > 0 && detail::is_inner(g.strides[at], g.strides[at - 1]); --at) detail::swap_dims(g, at, at - 1);
  }
  int last = 0;
  for (int d = 1; d < g.rank; ++d) {
    if (detail::continues(g, last, d))
      g.sizes[last] *= g.sizes[d];
    else
      detail::copy_dim(g, ++last, d);
  }
  if (g.rank > 0) g.rank = last + 1;
  return g;
}

/// Counts in elements as wide as an access may be, up to 16 bytes, where rows, steps and addresses allow it. Returns
/// the bytes of the new elements.
template <int N>
size_t widen(Geometry<N>& g, size_t item, const void* const (&data)[N]) {
  for (int64_t factor = 16 / static_cast<int64_t>(item); factor > 1; factor /= 2) {
    if (!detail::divides(g, factor, item, data)) continue;
    g.sizes[0] /= factor;
    for (int d = 1; d < g.rank; ++d)
      for (int k = 0; k < N; ++k) g.strides[d][k] /= factor;
    return item * static_cast<size_t>(factor);
  }
  return item;
}

/// f(const Strided<N>& piece, const int64_t (&first)[N]) for pieces that together are `g`; nearly always one. `first`
/// is the offset of a piece in each tensor.
template <int N, class F>
void for_each_piece(const Geometry<N>& g, F&& f) {
  const int64_t start[N] = {};
  if (g.numel() == 0) return;
  if (detail::fits_kernel(g)) return f(detail::for_kernel(g), start);
  std::vector<detail::Piece<N>> pieces;
  detail::cut(g, start, pieces);
  for (const detail::Piece<N>& piece : pieces) f(piece.walk, piece.first);
}

}  // namespace strata::cuda
