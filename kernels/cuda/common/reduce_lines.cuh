// A tensor as a set of lines that are each reduced to one result, and how their elements are shared out to threads.
#pragma once
#include <algorithm>
#include <bit>

#include "core/tensor.h"
#include "core/tensor_impl.h"
#include "kernels/cuda/common/block_reduce.cuh"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {

/// Where the i-th of some elements lies; dimensions from the innermost outwards.
struct Walk {
  static constexpr int kMostDims = 4;
  int rank = 0;
  Divider sizes[kMostDims];
  int64_t strides[kMostDims] = {};
  int64_t last_stride = 0;  ///< of the outermost dimension

  Walk() = default;
  /// Follows tensor `k` of the geometry, which `fits`.
  template <int N>
  Walk(const Geometry<N>& g, int k) : rank(g.rank) {
    for (int d = 0; d < rank; ++d) {
      strides[d] = g.strides[d][k];
      if (d < rank - 1) sizes[d] = Divider(static_cast<uint32_t>(g.sizes[d]));
    }
    if (rank > 0) last_stride = strides[rank - 1];
  }
  /// Only one dimension may have any number of elements: its index needs no division.
  template <int N>
  static bool fits(const Geometry<N>& g) {
    return g.rank <= 1 || (g.rank <= kMostDims && g.numel() <= std::numeric_limits<int32_t>::max());
  }
  bool in_a_row() const { return rank == 0 || (rank == 1 && strides[0] == 1); }

  STRATA_HD int64_t at(int64_t i) const {
    if (rank <= 1) return i * strides[0];
    int64_t at = 0;
    uint32_t left = static_cast<uint32_t>(i);
    STRATA_UNROLL
    for (int d = 0; d < kMostDims - 1; ++d) {
      if (d == rank - 1) break;
      const uint32_t quotient = sizes[d].quotient(left);
      at += (left - quotient * sizes[d].divisor) * strides[d];
      left = quotient;
    }
    return at + left * last_stride;
  }
};

/// The lines of a tensor along the reduced dims, in row-major order of the others; within a line, elements follow
/// memory.
struct LineSet {
  int64_t count = 1, length = 1;
  Walk lines, elements;
  bool side_by_side = false;  ///< neighbouring lines are closer in memory than the elements of a line
};

/// How lines are shared out to blocks of kThreads threads; see Note [CUDA reductions]. It depends on shapes only, and
/// so do the bits of results.
struct Split {
  int bits = 0;        ///< 1 << bits threads stand beside each other, along a line or along neighbouring lines
  int64_t groups = 1;  ///< of lines that a block takes together
  int64_t parts = 1;   ///< of each line
  int64_t part = 1;    ///< elements of a part
  dim3 blocks() const {
    return dim3(static_cast<unsigned>(std::min(groups, kMostBlocks)), static_cast<unsigned>(parts));
  }

  static constexpr int64_t kMostBlocks = 4096;
};

// Note [CUDA reductions]
// A line in a row is read by 1 to 32 lanes of a warp, or by a block if it is long, in packs of 16 bytes that go round
// the threads: which thread takes an element does not depend on the layout, only how it is loaded. LineSet that lie
// side by side are read by threads along the lines, each taking some elements of a line at once; the threads of a block
// that share a line meet in shared memory. Few or long lines are cut into parts, one block each, whose results a second
// kernel combines. Nothing is added in an order that time decides.

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// Of the least power of two that is not below n.
inline int bits_for(int64_t n) { return std::bit_width(static_cast<uint64_t>(n - 1)); }

namespace detail {

/// Blocks that fill a GPU of today; parts are made until there are as many.
inline constexpr int64_t kFullGrid = 1024;
inline constexpr int64_t kMostParts = 32768;

/// `units` of work per line in parts between `least` and `most`.
inline void cut(Split& s, int64_t units, int64_t unit, int64_t least, int64_t most) {
  const int64_t even = std::clamp(ceil_div(units * s.groups, kFullGrid), least, most);
  s.parts = std::max<int64_t>(1, ceil_div(units, std::max(even, ceil_div(units, kMostParts))));
  const int64_t part = std::max<int64_t>(1, ceil_div(units, s.parts));
  s.parts = std::max<int64_t>(1, ceil_div(units, part));
  s.part = part * unit;
}

/// New memory for `x` in which the elements of each line lie in a row, whatever the number of dims.
inline Tensor empty_with_lines_in_rows(const Tensor& x, IntArrayRef dims) {
  const Tensor rows = empty_on_device(x.sizes(), x.dtype(), x.device());
  DimVector strides(static_cast<size_t>(x.dim()), 0);
  int64_t step = 1;
  for (const bool reduced : {true, false}) {
    for (int64_t d = x.dim(); d-- > 0;) {
      if ((std::find(dims.begin(), dims.end(), d) != dims.end()) != reduced) continue;
      strides[d] = step;
      step *= x.sizes()[d];
    }
  }
  rows.impl()->set_geometry(x.sizes(), strides, 0);
  return rows;
}
inline Tensor with_lines_in_rows(const Tensor& x, IntArrayRef dims) {
  const Tensor rows = empty_with_lines_in_rows(x, dims);
  copy_strided(rows, x);
  return rows;
}

}  // namespace detail

/// Threads along lines, `pack` elements at once.
inline Split split_rows(const LineSet& l, int64_t pack) {
  constexpr int64_t kMostForWarp = 512, kLeastPart = 1024, kMostPart = 16384;
  const int64_t packs = std::max<int64_t>(1, ceil_div(l.length, pack));
  Split s;
  s.bits = packs > kMostForWarp ? bits_for(kThreads) : std::min(5, bits_for(ceil_div(packs, 2)));
  s.groups = ceil_div(l.count, kThreads >> s.bits);
  detail::cut(s, packs, pack, kLeastPart, kMostPart);
  return s;
}

/// Threads along neighbouring lines, `rows` elements of a line at once.
inline Split split_columns(const LineSet& l, int64_t rows) {
  const int64_t steps = std::max<int64_t>(1, ceil_div(l.length, rows));
  Split s;
  s.bits = std::min(bits_for(kThreads) - std::min(3, bits_for(steps)), bits_for(l.count));
  s.groups = ceil_div(l.count, int64_t{1} << s.bits);
  const int64_t depth = kThreads >> s.bits;
  detail::cut(s, steps, rows, 4 * depth, 64 * depth);
  return s;
}

/// The lines of `x` along sorted dims. `x` becomes a copy where they cannot be walked as they are.
inline LineSet lines_of(Tensor& x, IntArrayRef dims) {
  DimVector sizes, strides, line_sizes, line_strides;
  LineSet l;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const bool reduced = std::find(dims.begin(), dims.end(), d) != dims.end();
    (reduced ? l.length : l.count) *= x.sizes()[d];
    (reduced ? line_sizes : sizes).push_back(x.sizes()[d]);
    (reduced ? line_strides : strides).push_back(x.strides()[d]);
  }
  if (l.count == 0 || l.length == 0) return l;
  const Geometry<2> lines = collapse<2>(sizes, {contiguous_strides(sizes), strides});
  const Geometry<1> elements = collapse<1>(line_sizes, {line_strides});
  if (!Walk::fits(lines) || !Walk::fits(elements)) {
    x = detail::with_lines_in_rows(x, dims);
    return lines_of(x, dims);
  }
  l.lines = Walk(lines, 1);
  l.elements = Walk(elements, 0);
  l.side_by_side = l.count > 1 && l.length > 1 && std::abs(l.lines.strides[0]) < std::abs(l.elements.strides[0]);
  return l;
}

}  // namespace strata::cuda
