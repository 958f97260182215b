// Strided copies: dims merged as far as both layouts allow, rows shared out over the threads.
#include "kernels/cpu/strided_copy.h"

#include <algorithm>

#include "core/parallel.h"

namespace strata::cpu {
namespace {

/// Bytes of a copy that are worth a thread.
constexpr int64_t kGrainBytes = 64 << 10;

struct Dims {
  DimVector sizes, to, from;
};

Dims merge_dims(IntArrayRef sizes, IntArrayRef to, IntArrayRef from) {
  Dims m;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    const bool joins = !m.sizes.empty() && m.to.back() == to[d] * sizes[d] && m.from.back() == from[d] * sizes[d];
    if (!joins) {
      m.sizes.push_back(sizes[d]);
      m.to.push_back(to[d]);
      m.from.push_back(from[d]);
      continue;
    }
    m.sizes.back() *= sizes[d];
    m.to.back() = to[d];
    m.from.back() = from[d];
  }
  return m;
}

template <class U>
void copy_line(U* to, int64_t to_step, const U* from, int64_t from_step, int64_t n) {
  if (to_step == 1 && from_step == 1) {
    std::memcpy(to, from, n * sizeof(U));
  } else if (to_step == 1 && from_step == 0) {
    std::fill(to, to + n, *from);
  } else if (to_step == 1 && from_step == -1) {
    for (int64_t i = 0; i < n; ++i) to[i] = from[-i];
  } else if (to_step == 1) {
    for (int64_t i = 0; i < n; ++i) to[i] = from[i * from_step];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * to_step] = from[i * from_step];
  }
}

/// Rows of a transposed source: in tiles, so that the cache lines read serve all the rows that share them.
template <class U>
void copy_tiles(U* to, int64_t to_row, const U* from, int64_t from_step, int64_t rows, int64_t n) {
  constexpr int64_t kTile = 16;
  for (int64_t c = 0; c < n; c += kTile)
    for (int64_t r = 0; r < rows; r += kTile)
      for (int64_t i = r; i < std::min(r + kTile, rows); ++i)
        for (int64_t j = c; j < std::min(c + kTile, n); ++j) to[i * to_row + j] = from[i + j * from_step];
}

template <class U>
void copy_dims(U* to, const U* from, const Dims& m) {
  const size_t last = m.sizes.size() - 1;
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
    const int64_t inner = outer.back(), to_row = m.to[last - 1], from_row = m.from[last - 1];
    for (int64_t r = b; r < e;) {
      const int64_t start = r % inner, count = std::min(inner - start, e - r);
      U* t = to + strided_offset(r, outer, m.to);
      const U* f = from + strided_offset(r, outer, m.from);
      if (to_step == 1 && from_row == 1 && from_step != 1 && count > 1)
        copy_tiles(t, to_row, f, from_step, count, n);
      else
        for (int64_t i = 0; i < count; ++i) copy_line(t + i * to_row, to_step, f + i * from_row, from_step, n);
      r += count;
    }
  });
}

}  // namespace

void copy_strided(const Place& to, const Place& from, IntArrayRef sizes, size_t item) {
  for (int64_t s : sizes)
    if (s == 0) return;
  Dims m = merge_dims(sizes, to.strides, from.strides);
  if (m.sizes.empty()) {
    std::memcpy(to.data, from.data, item);
    return;
  }
  visit_wide_item(
      item, [&]<class U>() { copy_dims(reinterpret_cast<U*>(to.data), reinterpret_cast<const U*>(from.data), m); });
}

void fill_strided(const Place& to, IntArrayRef sizes, const void* value, size_t item) {
  const DimVector zeros(sizes.size(), 0);
  copy_strided(to, {static_cast<char*>(const_cast<void*>(value)), zeros}, sizes, item);
}

}  // namespace strata::cpu
