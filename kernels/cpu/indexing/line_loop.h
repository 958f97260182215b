// How the kernels of gather, scatter and reductions at indices walk along the lines of an index, and what indices may
// be.
#pragma once
#include <algorithm>

#include "core/parallel.h"
#include "core/tensor.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/indexing/vec_index.h"

namespace strata::cpu::indexing {

/// Elements that are worth a thread.
inline constexpr int64_t kGrain = 16384;

/// What indices may be, and what an error says about them.
struct IndexRange {
  int64_t low, size;
  const char* op;
  int64_t dim;

  bool has(int64_t index) const { return index >= low && index < size; }
  /// Throws IndexError unless the range has all of `index`.
  void check(const int64_t* index, int64_t n) const {
    if (vec_index().in_range(index, n, low, size - 1)) return;
    for (int64_t i = 0; i < n; ++i)
      STRATA_CHECK_INDEX(has(index[i]), "{}: index {} is out of range for dim {} of size {}", op, index[i], dim, size);
  }
  /// The same on many threads.
  void check_all(const int64_t* index, int64_t n) const {
    parallel_for(0, n, 4 * kGrain, [&](int64_t b, int64_t e) { check(index + b, e - b); });
  }
};

inline const int64_t* index_data(const Tensor& index, Tensor& holder) {
  return reinterpret_cast<const int64_t*>(row_major(index, holder));
}

/// The loops of gather and scatter over the index tensor: units of work that never touch the same element of x, each of
/// `steps` steps along dim times `columns` along the last dim (steps is 1 where dim is the last dim).
struct LineLoop {
  DimVector sizes, index_strides, other_strides,
      x_strides;  // of the dims that tell units apart; x's stride along `dim` is 0
  int64_t units = 1, steps = 1, columns = 1;
  int64_t index_step = 0, index_column = 0, other_step = 0, other_column = 0, x_column = 0, x_dim = 0;
  IndexRange range{};
};

inline LineLoop make_line_loop(const Tensor& x, const Tensor& index, const Tensor& other, int64_t dim,
                               const IndexRange& range) {
  LineLoop l;
  l.range = range;
  const int64_t last = index.dim() - 1;
  l.columns = index.sizes()[last];
  l.index_column = index.strides()[last];
  l.other_column = other.strides()[last];
  l.x_column = dim == last ? 0 : x.strides()[last];
  l.x_dim = x.strides()[dim];
  if (dim != last) {
    l.steps = index.sizes()[dim];
    l.index_step = index.strides()[dim];
    l.other_step = other.strides()[dim];
  }
  for (int64_t d = 0; d < last; ++d) {
    if (d == dim) continue;
    l.sizes.push_back(index.sizes()[d]);
    l.index_strides.push_back(index.strides()[d]);
    l.other_strides.push_back(other.strides()[d]);
    l.x_strides.push_back(x.strides()[d]);
    l.units *= index.sizes()[d];
  }
  return l;
}

/// How much of a line loop's geometry the compiler knows: index and other contiguous; x's places along a row of it too.
enum class Known { kNothing, kUnit, kInRow };

/// One step: f(x at, other at) for columns [begin, end).
template <Known kKnown, class F>
void for_columns(const LineLoop& l, const int64_t* row, int64_t x_at, int64_t other_at, int64_t begin, int64_t end,
                 F&& f) {
  constexpr bool kUnit = kKnown != Known::kNothing, kInRow = kKnown == Known::kInRow;
  if constexpr (kInRow) {  // checks apart from moves are vectorized
    l.range.check(row + begin, end - begin);
    for (int64_t c = begin; c < end; ++c) f(x_at + row[c], other_at + c);
    return;
  }
  const int64_t index_column = kUnit ? 1 : l.index_column, other_column = kUnit ? 1 : l.other_column;
  const int64_t x_dim = kInRow ? 1 : l.x_dim, x_column = kInRow ? 0 : l.x_column;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t* const at = row + c * index_column;
    if (!l.range.has(*at)) [[unlikely]]
      l.range.check(at, 1);
    f(x_at + *at * x_dim + c * x_column, other_at + c * other_column);
  }
}

/// One step whose index says where a whole row goes.
template <class F>
void for_row(const LineLoop& l, const int64_t* at, int64_t x_at, int64_t other_at, int64_t begin, int64_t end, F&& f) {
  l.range.check(at, 1);
  const int64_t x_row = x_at + *at * l.x_dim;
  for (int64_t c = begin; c < end; ++c) f(x_row + c, other_at + c);
}

/// Calls f(x at, other at) for the elements of columns [begin, end) of one unit, steps in order.
template <class F>
void for_unit(const LineLoop& l, const int64_t* index, int64_t unit, int64_t begin, int64_t end, F&& f) {
  const int64_t* row = index + strided_offset(unit, l.sizes, l.index_strides);
  const int64_t x_at = strided_offset(unit, l.sizes, l.x_strides);
  const int64_t other_at = strided_offset(unit, l.sizes, l.other_strides);
  const bool is_unit = l.index_column == 1 && l.other_column == 1;
  const bool is_row = l.index_column == 0 && l.other_column == 1 && l.x_column == 1;
  for (int64_t s = 0; s < l.steps; ++s, row += l.index_step) {
    const int64_t other = other_at + s * l.other_step;
    if (is_row)
      for_row(l, row, x_at, other, begin, end, f);
    else if (is_unit && l.x_dim == 1 && l.x_column == 0)
      for_columns<Known::kInRow>(l, row, x_at, other, begin, end, f);
    else if (is_unit)
      for_columns<Known::kUnit>(l, row, x_at, other, begin, end, f);
    else
      for_columns<Known::kNothing>(l, row, x_at, other, begin, end, f);
  }
}

/// Shares out units and, where a unit's columns are independent (dim is not the last), blocks of columns.
template <class F>
void for_lines(const LineLoop& l, const int64_t* index, F&& f) {
  constexpr int64_t kBlock = 256;
  const bool splits = l.x_column != 0 || l.steps > 1;
  const int64_t blocks = splits ? (l.columns + kBlock - 1) / kBlock : 1, width = splits ? kBlock : l.columns;
  const int64_t work = std::max<int64_t>(1, l.steps * std::min(width, l.columns));
  parallel_for(0, l.units * blocks, std::max<int64_t>(1, kGrain / work), [&](int64_t b, int64_t e) {
    for (int64_t t = b; t < e; ++t) {
      const int64_t begin = t % blocks * width;
      for_unit(l, index, t / blocks, begin, std::min(begin + width, l.columns), f);
    }
  });
}

}  // namespace strata::cpu::indexing
