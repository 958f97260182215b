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

/// What a wrong index throws: to libtorch those of gather and scatter are no IndexError.
enum class WrongIndex : uint8_t { kIndexError, kError };
/// The op that indices are for.
struct IndexUser {
  const char* name;
  WrongIndex wrong;
  IndexUser(const char* name, WrongIndex wrong = WrongIndex::kIndexError) : name(name), wrong(wrong) {}
};

/// What indices may be, and what an error says about them.
struct IndexRange {
  int64_t low, size;
  IndexUser op;
  int64_t dim;

  bool has(int64_t index) const { return index >= low && index < size; }
  /// The same for one index of a range from 0 on, in one comparison.
  void check_one(const int64_t* index) const {
    if (static_cast<uint64_t>(*index) >= static_cast<uint64_t>(size)) [[unlikely]]
      check(index, 1);
  }
  /// Throws unless the range has all of `index`.
  void check(const int64_t* index, int64_t n) const {
    if (vec_index().in_range(index, n, low, size - 1)) return;
    const int64_t* const wrong = std::find_if_not(index, index + n, [&](int64_t i) { return has(i); });
    constexpr const char* kText = "{}: index {} is out of bounds for dimension {} with size {}";
    if (op.wrong == WrongIndex::kIndexError) STRATA_THROW_AS(IndexError, kText, op.name, *wrong, dim, size);
    STRATA_THROW(kText, op.name, *wrong, dim, size);
  }
  /// The same on many threads.
  void check_all(const int64_t* index, int64_t n) const {
    parallel_for(0, n, 4 * kGrain, [&](int64_t b, int64_t e) { check(index + b, e - b); });
  }
};

/// Asks for the first page of what is read next, at a place that the processor cannot foresee.
template <class T>
void fetch_ahead(const T* x, int64_t n) {
  constexpr int64_t kLine = 64 / sizeof(T), kPage = 4096 / sizeof(T);
  for (int64_t i = 0; i < std::min(n, kPage); i += kLine) __builtin_prefetch(x + i);
}

inline const int64_t* index_data(const Tensor& index, Tensor& holder) {
  return reinterpret_cast<const int64_t*>(row_major(index, holder));
}

/// The indices of gather and its kin in row-major order: the tensor itself, or a copy that lives in `holder`. A copy
/// has size 1 in the dims along which an index was expanded; `dim`, which is indexed, is never among them.
inline const Tensor& dense_index(const Tensor& index, int64_t dim, Tensor& holder) {
  if (index.is_contiguous()) return index;
  DimVector sizes = index.sizes();
  for (int64_t d = 0; d < index.dim(); ++d)
    if (d != dim && index.strides()[d] == 0) sizes[d] = 1;
  holder = empty_cpu(sizes, kLong);
  copy_strided(memory_of(holder), memory_of(index), sizes, sizeof(int64_t));
  return holder;
}

/// The loops of gather and scatter over the index tensor: units of work that never touch the same element of x, each of
/// `steps` steps along dim times `columns` along another dim (or along dim, with a single step).
struct LineLoop {
  /// Distances of neighbours along a dim of the index, of x (0 along the indexed dim) and of the other tensor.
  struct Strides {
    int64_t index = 0, other = 0, x = 0;
  };

  DimVector sizes, index_strides, other_strides, x_strides;  // of the dims that tell units apart
  int64_t units = 1, steps = 1, columns = 1;
  Strides step, column;
  bool is_turned = false;  // are the steps a short line along the last dim?
  int64_t x_dim = 0;
  IndexRange range{0, 0, "", 0};

  /// One more dim that tells units apart: part of the last one where memory allows, so that a unit's place takes few
  /// divisions.
  void add_dim(int64_t size, const Strides& s) {
    units *= size;
    if (!sizes.empty() && index_strides.back() == size * s.index && other_strides.back() == size * s.other &&
        x_strides.back() == size * s.x) {
      sizes.back() *= size, index_strides.back() = s.index, other_strides.back() = s.other, x_strides.back() = s.x;
    } else if (size != 1) {
      sizes.push_back(size), index_strides.push_back(s.index), other_strides.push_back(s.other);
      x_strides.push_back(s.x);
    }
  }
  /// Short lines along dim, such as one label a row, become the steps, and the last dim of the units the columns.
  void turn_short_lines() {
    constexpr int64_t kShort = 16;
    if (steps != 1 || columns >= kShort || sizes.empty() || sizes.back() <= columns) return;
    is_turned = true;
    steps = columns, step = column;
    columns = sizes.back(), column = {index_strides.back(), other_strides.back(), x_strides.back()};
    units /= columns;
    for (DimVector* v : {&sizes, &index_strides, &other_strides, &x_strides}) v->erase(v->size() - 1);
  }
  /// Does an index say where a whole row goes?
  bool by_rows() const { return column.index == 0 && column.other == 1 && column.x == 1; }
};

/// `index` is as dense_index gives it, `other` has the index's own sizes.
inline LineLoop make_line_loop(const Tensor& x, const Tensor& index, const Tensor& other, int64_t dim,
                               const IndexRange& range) {
  LineLoop l;
  l.range = range;
  l.x_dim = x.strides()[dim];
  const auto strides = [&](int64_t d) -> LineLoop::Strides {
    return {index.sizes()[d] == other.sizes()[d] ? index.strides()[d] : 0, other.strides()[d],
            d == dim ? 0 : x.strides()[d]};
  };
  const int64_t last = index.dim() - 1;
  l.columns = other.sizes()[last];
  l.column = strides(last);
  if (dim != last) {
    l.steps = other.sizes()[dim];
    l.step = strides(dim);
  }
  for (int64_t d = 0; d < last; ++d)
    if (d != dim) l.add_dim(other.sizes()[d], strides(d));
  if (dim == last) l.turn_short_lines();
  return l;
}

/// How much of a line loop's geometry the compiler knows: index and other contiguous; x's places along a row of it too.
enum class Known { kNothing, kUnit, kInRow };

/// One step: f.one(x at, other at) for columns [begin, end). All that it is told stays in registers: what f writes may
/// not be part of it.
template <Known kKnown, class F>
void for_columns(const LineLoop& l, const int64_t* row, int64_t x_at, int64_t other_at, int64_t begin, int64_t end,
                 const F f) {
  constexpr bool kUnit = kKnown != Known::kNothing, kInRow = kKnown == Known::kInRow;
  const int64_t index_column = kUnit ? 1 : l.column.index, other_column = kUnit ? 1 : l.column.other;
  const int64_t x_dim = kInRow ? 1 : l.x_dim, x_column = kInRow ? 0 : l.column.x;
  const IndexRange range = l.range;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t* const at = row + c * index_column;
    range.check_one(at);
    f.one(x_at + *at * x_dim + c * x_column, other_at + c * other_column);
  }
}

/// All steps of one column after another, for columns [begin, end).
template <class F>
void for_short_lines(const LineLoop& l, const int64_t* index, int64_t x_at, int64_t other_at, int64_t begin,
                     int64_t end, const F f) {
  const IndexRange range = l.range;
  const int64_t steps = l.steps, x_dim = l.x_dim;
  const LineLoop::Strides step = l.step, column = l.column;
  const bool in_row = step.index == 1 && step.other == 1 && x_dim == 1;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t* const line = index + c * column.index;
    if (in_row) {
      for_columns<Known::kInRow>(l, line, x_at + c * column.x, other_at + c * column.other, 0, steps, f);
      continue;
    }
    for (int64_t s = 0; s < steps; ++s) {
      const int64_t* const at = line + s * step.index;
      range.check_one(at);
      f.one(x_at + c * column.x + *at * x_dim, other_at + c * column.other + s * step.other);
    }
  }
}

/// Calls f.one, or f.run for rows, for the elements of columns [begin, end) of one unit, steps in order.
template <class F>
void for_unit(const LineLoop& l, const int64_t* index, int64_t unit, int64_t begin, int64_t end, const F& f) {
  const int64_t* row = index + strided_offset(unit, l.sizes, l.index_strides);
  const int64_t x_at = strided_offset(unit, l.sizes, l.x_strides);
  const int64_t other_at = strided_offset(unit, l.sizes, l.other_strides);
  if (l.is_turned && l.steps > 1) return for_short_lines(l, row, x_at, other_at, begin, end, f);
  const bool is_unit = l.column.index == 1 && l.column.other == 1;
  for (int64_t s = 0; s < l.steps; ++s, row += l.step.index) {
    const int64_t other = other_at + s * l.step.other;
    if (is_unit && s + 1 < l.steps) fetch_ahead(row + l.step.index + begin, end - begin);
    if (l.by_rows()) {
      l.range.check_one(row);
      f.run(x_at + *row * l.x_dim + begin, other + begin, end - begin);
    } else if (is_unit && l.x_dim == 1 && l.column.x == 0) {
      for_columns<Known::kInRow>(l, row, x_at, other, begin, end, f);
    } else if (is_unit) {
      for_columns<Known::kUnit>(l, row, x_at, other, begin, end, f);
    } else {
      for_columns<Known::kNothing>(l, row, x_at, other, begin, end, f);
    }
  }
}

/// Shares out units and, where a unit's columns are independent (they are not along dim), blocks of columns.
template <class F>
void for_lines(const LineLoop& l, const int64_t* index, const F& f) {
  constexpr int64_t kBlock = 256;
  const bool splits = l.column.x != 0 || l.steps > 1;
  // Neighbouring blocks go together as far as x's part of them tends to fit into a cache; rows that move whole do so
  // however long they are.
  constexpr int64_t kCached = int64_t{1} << 20;
  const int64_t together = l.by_rows() || l.steps * l.columns <= kCached ? l.columns : 2;
  const int64_t blocks = splits ? (l.columns + kBlock - 1) / kBlock : 1, width = splits ? kBlock : l.columns;
  const int64_t work = std::max<int64_t>(1, l.steps * std::min(width, l.columns));
  parallel_for(0, l.units * blocks, std::max<int64_t>(1, kGrain / work), [&](int64_t b, int64_t e) {
    for (int64_t t = b; t < e;) {
      const int64_t block = t % blocks, n = std::min({blocks - block, e - t, together});
      for_unit(l, index, t / blocks, block * width, std::min((block + n) * width, l.columns), f);
      t += n;
    }
  });
}

}  // namespace strata::cpu::indexing
