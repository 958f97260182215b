// Writing to the places that an index names along one dim: what scatter and the reductions at places share.
#pragma once
#include <algorithm>

#include "kernels/cpu/indexing/line_loop.h"
#include "kernels/cpu/indexing/places.h"
#include "kernels/cpu/indexing/writes.h"

namespace strata::cpu::indexing {

/// Does every line of `index` along the last dim stand in a row of its own of y, and is there one for each row?
inline bool is_by_rows(const Tensor& y, const Tensor& index, const Tensor& source, int64_t dim) {
  const size_t last = static_cast<size_t>(y.dim()) - 1;
  return dim + 1 == y.dim() && y.sizes().slice(0, last) == index.sizes().slice(0, last) && source.is_contiguous() &&
         source.sizes() == index.sizes();
}

/// Is it a vector along `dim`, expanded along all others, so that each index says where a whole slice of source goes?
inline bool is_by_slices(const Tensor& y, const Tensor& index, const Tensor& source, int64_t dim) {
  if (dim + 1 == y.dim() || index.numel() != index.sizes()[dim] || !source.is_contiguous()) return false;
  for (int64_t d = 0; d < y.dim(); ++d)
    if (d != dim && source.sizes()[d] != y.sizes()[d]) return false;
  return true;
}

template <class T, class Write>
void write_row(T* to, const int64_t* at, const T* from, int64_t columns, const IndexRange range, const Write write) {
  for (int64_t c = 0; c < columns; ++c) {
    range.check_one(at + c);
    write.one(to[at[c]], from[c]);
  }
}

/// Scatters into dense rows, each of which is brought and written in one go.
template <class T, class Write>
void scatter_rows(const Tensor& y, const Base<T>& base, const int64_t* index, int64_t columns, const Tensor& source,
                  const IndexRange& range, const Write& write) {
  const int64_t row = y.sizes().back(), rows = y.numel() / row;
  T* const to = reinterpret_cast<T*>(y.bytes());
  const T* const from = reinterpret_cast<const T*>(source.bytes());
  parallel_for(0, rows, std::max<int64_t>(1, kGrain / std::max(row, columns)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t* const at = index + r * columns;
      base.bring(r * row, row);
      write_row(to + r * row, at, from + r * columns, columns, range, write);
    }
  });
}

/// x with source's elements written to y at the places that `index` (dense_index's) names along `dim`, in row-major
/// order.
template <class T, class Write>
void write_at_index(const Tensor& y, const Tensor& x, const Tensor& index, const Tensor& source, int64_t dim,
                    const IndexUser& op, const Write& write) {
  const IndexRange range{0, y.sizes()[dim], op, dim};
  const int64_t* const at = index.data_ptr<int64_t>();
  // Memory of others stays as it is if an index is wrong.
  if (y.bytes() == x.bytes() || y.numel() == 0) range.check_all(at, index.numel());
  const Base<T> base(y, x);
  T* const to = reinterpret_cast<T*>(y.bytes());
  const T* const from = reinterpret_cast<const T*>(source.bytes());
  if (base.by_pieces() && is_by_slices(y, index, source, dim))
    return write_places(to, from, make_places(y, {&index}, dim, false, true, op), base, write);
  // Where few elements of a row are written, all of the base comes faster at once.
  const bool is_sparse = kSparse * index.sizes().back() <= y.sizes().back();
  if (base.by_pieces() && !is_sparse && is_by_rows(y, index, source, dim))
    return scatter_rows(y, base, at, index.sizes().back(), source, range, write);
  base.bring_all();
  for_lines(make_line_loop(y, index, source, dim, range), at, WriteLines<T, Write>{to, from, write});
}

}  // namespace strata::cpu::indexing
