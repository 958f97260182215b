// Strided copies: dims merged as far as both layouts allow; rows, or tiles that are transposed, shared over the
// threads.
#include "kernels/cpu/common/strided_copy.h"

#include <hwy/cache_control.h>
#include <algorithm>
#include <cstdlib>

#include "core/parallel.h"
#include "kernels/cpu/common/vec_move.h"

namespace strata::cpu {
namespace {

/// Bytes of a copy that are worth a thread.
constexpr int64_t kGrainBytes = 64 << 10;

struct Dims {
  DimVector sizes, to, from;

  void push_back(int64_t size, int64_t to_stride, int64_t from_stride) {
    sizes.push_back(size);
    to.push_back(to_stride);
    from.push_back(from_stride);
  }
  size_t last() const { return sizes.size() - 1; }
};

/// The dims that are not 1, from the destination's longest stride to its shortest.
Dims sorted_dims(IntArrayRef sizes, IntArrayRef to, IntArrayRef from) {
  int64_t order[kMaxDims];
  int64_t n = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1) order[n++] = static_cast<int64_t>(d);
  std::stable_sort(order, order + n, [&](int64_t a, int64_t b) { return std::abs(to[a]) > std::abs(to[b]); });
  Dims sorted;
  for (int64_t i = 0; i < n; ++i) sorted.push_back(sizes[order[i]], to[order[i]], from[order[i]]);
  return sorted;
}

/// Joins neighbours that are one dim in both layouts.
Dims merged(const Dims& m) {
  Dims out;
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    const bool joins = d > 0 && out.to.back() == m.to[d] * m.sizes[d] && out.from.back() == m.from[d] * m.sizes[d];
    if (!joins) {
      out.push_back(m.sizes[d], m.to[d], m.from[d]);
      continue;
    }
    out.sizes.back() *= m.sizes[d];
    out.to.back() = m.to[d];
    out.from.back() = m.from[d];
  }
  return out;
}

// --- rows ---

/// Is there SIMD code for elements of this size?
template <class U>
constexpr bool kHasVectors = sizeof(U) <= 8;

template <class U>
void copy_line(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t n) {
  if (to_step == 1 && from_step == 1) {
    copy_run(to, from, n);
  } else if (to_step == 1 && from_step == 0) {
    fill_run(to, n, *from);
  } else if (to_step == 1) {
    if constexpr (kHasVectors<U>) {
      if (from_step == -1) return vec_move<U>().reverse_rows(to, 0, from, 0, 1, n);
      if (from_step >= 2 && from_step <= 4) return vec_move<U>().thin(to, from, from_step, n);
    }
    for (int64_t i = 0; i < n; ++i) to[i] = from[i * from_step];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * to_step] = from[i * from_step];
  }
}

/// Rows of so few elements that a loop over one, or a call for it, would take longer than they do.
template <int64_t n, class U>
void copy_short_lines(U* to, int64_t to_row, int64_t to_step, const U* from, int64_t from_row, int64_t from_step,
                      int64_t rows) {
  if (to_step == 1 && from_step == 1) {
    for (int64_t i = 0; i < rows; ++i, to += to_row, from += from_row)
      for (int64_t j = 0; j < n; ++j) to[j] = from[j];
  } else {
    for (int64_t i = 0; i < rows; ++i, to += to_row, from += from_row)
      for (int64_t j = 0; j < n; ++j) to[j * to_step] = from[j * from_step];
  }
}

/// Rows of n elements each.
template <class U>
void copy_lines(U* to, int64_t to_row, int64_t to_step, const U* from, int64_t from_row, int64_t from_step,
                int64_t rows, int64_t n) {
  if (n == 1) return copy_short_lines<1>(to, to_row, to_step, from, from_row, from_step, rows);
  if (n == 2) return copy_short_lines<2>(to, to_row, to_step, from, from_row, from_step, rows);
  if (n == 3) return copy_short_lines<3>(to, to_row, to_step, from, from_row, from_step, rows);
  if (n == 4) return copy_short_lines<4>(to, to_row, to_step, from, from_row, from_step, rows);
  if (to_step == 1 && from_step == 1) return copy_runs(to, to_row, from, from_row, rows, n);
  if constexpr (kHasVectors<U>)
    if (to_step == 1 && from_step == -1) return vec_move<U>().reverse_rows(to, to_row, from, from_row, rows, n);
  for (int64_t i = 0; i < rows; ++i) copy_line(to + i * to_row, to_step, from + i * from_row, from_step, n);
}

/// f(offset in the destination, in the source, n) for runs of n places of the dims `outer` of m that differ in the last
/// of those alone; together they are the places [begin, end).
template <class F>
void for_runs(IntArrayRef outer, const Dims& m, int64_t begin, int64_t end, F f) {
  const int64_t inner = outer.empty() ? 1 : outer.back();
  for (int64_t i = begin; i < end;) {
    const int64_t count = std::min(inner - i % inner, end - i);
    f(strided_offset(i, outer, m.to), strided_offset(i, outer, m.from), count);
    i += count;
  }
}

template <class U>
void copy_rows(U* to, const U* from, const Dims& m) {
  const size_t last = m.last();
  const int64_t n = m.sizes[last], to_step = m.to[last], from_step = m.from[last];
  const int64_t grain_elements = kGrainBytes / static_cast<int64_t>(sizeof(U));
  if (last == 0) {
    return parallel_for(0, n, grain_elements, [&](int64_t b, int64_t e) {
      copy_line(to + b * to_step, to_step, from + b * from_step, from_step, e - b);
    });
  }
  const IntArrayRef outer = IntArrayRef(m.sizes).slice(0, last);
  int64_t rows = 1;
  for (int64_t s : outer) rows *= s;
  parallel_for(0, rows, std::max<int64_t>(1, grain_elements / n), [&](int64_t b, int64_t e) {
    const int64_t to_row = m.to[last - 1], from_row = m.from[last - 1];
    for_runs(outer, m, b, e, [&](int64_t t, int64_t f, int64_t count) {
      copy_lines(to + t, to_row, to_step, from + f, from_row, from_step, count, n);
    });
  });
}

// --- Note [Transposed copies]
// Where the two layouts disagree about which dim is the innermost, elements move in tiles of that dim of the source (a
// tile's rows) and that of the destination (its columns). A tile is 64 columns, and as many rows as fill 4 KB or at
// least a cache line of the source. It is transposed in registers into a buffer whose rows then go to the destination
// as long runs: lines that many rows share, at distances of powers of two, would push each other out of the cache
// otherwise. Large destinations are written past the caches, which would have to read each line before. What a coming
// tile reads is asked for early: no processor foresees so many columns by itself.

constexpr int64_t kTileBytes = 4096;
constexpr int64_t kTileColumns = 64;
constexpr int64_t kLineBytes = 64;
constexpr int64_t kTilesAhead = 2;
constexpr int64_t kStreamedBytes = 16 << 20;

/// to[i * to_step + j] = from[i * from_row + j * from_step] for a tile.
template <class U>
void copy_tile(U* to, int64_t to_step, const U* from, int64_t from_row, int64_t from_step, int64_t rows, int64_t cols) {
  if constexpr (kHasVectors<U>)
    if (from_row == 1) return vec_move<U>().transpose(to, to_step, from, from_step, rows, cols);
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i) to[i * to_step + j] = from[i * from_row + j * from_step];
}

/// The sizes of tiles and how many there are along the last two dims.
struct Tiling {
  int64_t rows, cols, down, across;

  Tiling(int64_t all_rows, int64_t all_cols, int64_t item) {
    cols = std::min(all_cols, kTileColumns);
    rows = std::min(all_rows, std::max(kLineBytes / item, kTileBytes / item / cols));
    down = (all_rows + rows - 1) / rows;
    across = (all_cols + cols - 1) / cols;
  }
};

/// The last dim is the destination's innermost, the one before it the source's.
template <class U>
void copy_transposed(U* to, const U* from, const Dims& m) {
  const size_t col = m.last(), row = col - 1;
  const int64_t to_row = m.to[row], from_row = m.from[row], from_step = m.from[col];
  const Tiling tiling(m.sizes[row], m.sizes[col], sizeof(U));
  const IntArrayRef outer = IntArrayRef(m.sizes).slice(0, row);
  int64_t tiles = tiling.down * tiling.across;
  for (int64_t s : outer) tiles *= s;
  const int64_t tile_bytes = tiling.rows * tiling.cols * static_cast<int64_t>(sizeof(U));
  const auto are_lines = [](int64_t items) { return items * static_cast<int64_t>(sizeof(U)) % kLineBytes == 0; };
  const bool is_large = tiles * tile_bytes >= kStreamedBytes && reinterpret_cast<uintptr_t>(to) % kLineBytes == 0 &&
                        std::all_of(m.to.begin(), m.to.begin() + static_cast<ptrdiff_t>(col), are_lines);
  const bool direct = to_row == m.sizes[col] && tiling.across == 1;  // a tile is one piece of the destination
  parallel_for(0, tiles, std::max<int64_t>(1, kGrainBytes / tile_bytes), [&](int64_t b, int64_t e) {
    alignas(64) U buffer[kTileBytes / sizeof(U)];
    for (int64_t t = b; t < e; ++t) {
      const int64_t i = t % tiling.down * tiling.rows, j = t / tiling.down % tiling.across * tiling.cols;
      const int64_t rows = std::min(tiling.rows, m.sizes[row] - i), cols = std::min(tiling.cols, m.sizes[col] - j);
      const int64_t at = t / (tiling.down * tiling.across);
      U* const y = to + strided_offset(at, outer, m.to) + i * to_row + j;
      const U* const x = from + strided_offset(at, outer, m.from) + i * from_row + j * from_step;
      if (from_row == 1 && i + kTilesAhead * tiling.rows < m.sizes[row])
        for (int64_t c = 0; c < cols; ++c) hwy::Prefetch(x + c * from_step + kTilesAhead * tiling.rows);
      if (direct) {
        copy_tile(y, to_row, x, from_row, from_step, rows, cols);
        continue;
      }
      copy_tile(buffer, cols, x, from_row, from_step, rows, cols);
      if constexpr (kHasVectors<U>)
        if (is_large && are_lines(cols)) {
          vec_move<U>().stream_rows(y, to_row, buffer, rows, cols);
          continue;
        }
      for (int64_t r = 0; r < rows; ++r) copy_run(y + r * to_row, buffer + r * cols, cols);
    }
    if (is_large) hwy::FlushStream();
  });
}

// --- a few parts that alternate, as colours of pixels do ---

enum class Alternating { Neither, Source, Destination };

/// In which of the layouts do the last two dims make one run, in which two to four parts alternate?
Alternating alternating(const Dims& m) {
  const size_t col = m.last(), row = col - 1;
  const auto few = [](int64_t n) { return n >= 2 && n <= 4; };
  if (m.to[col] != 1 || m.from[row] != 1) return Alternating::Neither;
  if (few(m.sizes[row]) && m.from[col] == m.sizes[row]) return Alternating::Source;
  if (few(m.sizes[col]) && m.to[row] == m.sizes[col]) return Alternating::Destination;
  return Alternating::Neither;
}

/// Pieces of the long one of the last two dims, for each of the places of the others.
template <class U>
void copy_alternating(U* to, const U* from, const Dims& m, bool splits) {
  const size_t col = m.last(), row = col - 1, part = splits ? row : col, along = splits ? col : row;
  const int64_t parts = m.sizes[part], n = m.sizes[along], to_step = m.to[along], from_step = m.from[along];
  const int64_t most = kGrainBytes / static_cast<int64_t>(sizeof(U)) / parts, pieces = (n + most - 1) / most;
  const IntArrayRef outer = IntArrayRef(m.sizes).slice(0, row);
  int64_t places = 1;
  for (int64_t s : outer) places *= s;
  const int64_t to_place = outer.empty() ? 0 : m.to[row - 1], from_place = outer.empty() ? 0 : m.from[row - 1];
  parallel_for(0, places * pieces, std::max<int64_t>(1, most / n), [&](int64_t b, int64_t e) {
    for (int64_t at = b; at < e;) {
      const int64_t begin = at % pieces * most, count = std::min(most, n - begin);
      const int64_t first = at / pieces, end = pieces == 1 ? e : first + 1;
      for_runs(outer, m, first, end, [&](int64_t t, int64_t f, int64_t run) {
        U* y = to + t + begin * to_step;
        const U* x = from + f + begin * from_step;
        for (int64_t r = 0; r < run; ++r, y += to_place, x += from_place)
          splits ? vec_move<U>().split(y, m.to[row], x, parts, count)
                 : vec_move<U>().join(y, x, m.from[col], parts, count);
      });
      at = pieces == 1 ? e : at + 1;
    }
  });
}

/// Moves the dim in which the source is denser than in the last one next to that. False if there is none, or if the
/// destination's runs are no runs.
bool transpose_dims(Dims& m) {
  const size_t last = m.last();
  if (m.to[last] != 1 || m.from[last] == 0) return false;
  size_t dense = last;
  for (size_t d = 0; d < last; ++d)
    if (m.from[d] != 0 && std::abs(m.from[d]) < std::abs(m.from[dense])) dense = d;
  if (dense == last) return false;
  for (DimVector* list : {&m.sizes, &m.to, &m.from})
    std::rotate(list->begin() + dense, list->begin() + dense + 1, list->begin() + last);
  return true;
}

}  // namespace

void copy_strided(const StridedMemory& to, const StridedMemory& from, IntArrayRef sizes, size_t item) {
  for (int64_t s : sizes)
    if (s == 0) return;
  Dims m = merged(sorted_dims(sizes, to.strides, from.strides));
  if (m.sizes.empty()) {
    std::memcpy(to.data, from.data, item);
    return;
  }
  const bool transposes = transpose_dims(m);
  visit_wide_item(item, [&]<class U>() {
    U* const y = reinterpret_cast<U*>(to.data);
    const U* const x = reinterpret_cast<const U*>(from.data);
    if (!transposes) return copy_rows(y, x, m);
    if constexpr (kHasVectors<U>)
      if (const Alternating where = alternating(m); where != Alternating::Neither)
        return copy_alternating(y, x, m, where == Alternating::Source);
    copy_transposed(y, x, m);
  });
}

void fill_strided(const StridedMemory& to, IntArrayRef sizes, const void* value, size_t item) {
  const DimVector zeros(sizes.size(), 0);
  copy_strided(to, {static_cast<char*>(const_cast<void*>(value)), zeros}, sizes, item);
}

}  // namespace strata::cpu
