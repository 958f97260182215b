// Places of a tensor that index tensors name together, and reading and writing the elements there.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/parallel.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/indexing/line_loop.h"

namespace strata::cpu::indexing {

/// How many times as much there is as is written, where a result is brought as a whole and not piece by piece.
inline constexpr int64_t kSparse = 4;

/// Brings x into `out`, unless they are the same memory.
inline void copy_base(const Tensor& out, const Tensor& x) {
  if (out.bytes() != x.bytes()) copy_strided(memory_of(out), memory_of(x), x.sizes(), item_size(x.dtype()));
}

/// What a dense result holds before elements of it are written: a dense tensor or one value. It is brought piece by
/// piece, just before the piece is written, while that is in the cache.
template <class U>
class Base {
 public:
  Base(const Tensor& out, const Tensor& x)
      : out_(out),
        x_(x),
        to_(reinterpret_cast<U*>(out.bytes())),
        from_(reinterpret_cast<const U*>(x.bytes())),
        step_(simple_step(*x.impl())),
        by_pieces_(out.is_contiguous() && step_ >= 0 && out.bytes() != x.bytes()) {
    if (!by_pieces_) copy_base(out, x);
  }
  /// Elements [begin, begin + n) in row-major order, if they are not there yet.
  void bring(int64_t begin, int64_t n) const {
    if (!by_pieces_) return;
    if (step_ == 0)
      fill_run(to_ + begin, n, *from_);
    else
      copy_run(to_ + begin, from_ + begin, n);
  }
  void bring_all() const {
    if (by_pieces_) copy_base(out_, x_);
  }
  bool by_pieces() const { return by_pieces_; }

 private:
  const Tensor &out_, &x_;
  U* to_;
  const U* from_;
  int64_t step_;
  bool by_pieces_;
};

/// Where the indexed elements of x stand: `outer` dims before the indexed ones, one place per index, `inner` elements
/// at each.
struct IndexedPlaces {
  /// Places [first, first + n) lie one behind the other, in x as in the values.
  struct Run {
    int64_t first, n;
  };
  DimVector outer_sizes, outer_strides;
  int64_t outer = 1, count = 1, rows = 1, inner = 1;
  bool takes_one = false;             // each place gets the same `inner` values, which stand once
  const int64_t* offset = nullptr;    // of each place in x
  const int64_t* row = nullptr;       // its number among all `rows` combinations of the indexed dims
  std::vector<int64_t> inner_offset;  // of the elements at a place; empty if they are consecutive
  std::vector<Run> runs;              // empty unless they are long and serve many outer positions
  Tensor offset_holder, row_holder;

  int64_t outer_offset(int64_t o) const { return strided_offset(o, outer_sizes, outer_strides); }
  /// How far the values of one place stand behind those of the place before.
  int64_t step() const { return takes_one ? 0 : inner; }
};

inline int64_t* new_numbers(Tensor& holder, int64_t n) {
  holder = empty_cpu({n}, kLong);
  return holder.data_ptr<int64_t>();
}

/// The places of one index, which are the index itself where it counts elements.
inline void add_only_index(IndexedPlaces& p, const Tensor& index, const Tensor& x, int64_t dim, bool wrap,
                           const IndexUser& op) {
  const int64_t n = x.sizes()[dim], stride = x.strides()[dim];
  p.row = index_data(index, p.row_holder);
  IndexRange{wrap ? -n : 0, n, op, dim}.check_all(p.row, p.count);
  if (wrap && std::any_of(p.row, p.row + p.count, [](int64_t i) { return i < 0; })) {
    const int64_t* const from = p.row;
    Tensor counted;
    int64_t* const to = new_numbers(counted, p.count);
    for (int64_t k = 0; k < p.count; ++k) to[k] = from[k] < 0 ? from[k] + n : from[k];
    p.row = to, p.row_holder = counted;
  }
  p.offset = p.row;
  if (stride != 1) {
    int64_t* const to = new_numbers(p.offset_holder, p.count);
    for (int64_t k = 0; k < p.count; ++k) to[k] = p.row[k] * stride;
    p.offset = to;
  }
  p.rows = n;
}

/// Adds what one of several indices says to the places. What they are is not needed for reading: `row` may be null.
inline void add_index(const IndexedPlaces& p, int64_t* offset, int64_t* row, const Tensor& index, const Tensor& x,
                      int64_t dim, bool wrap, const IndexUser& op) {
  Tensor holder;
  const int64_t* i = index_data(index, holder);
  const int64_t n = x.sizes()[dim], stride = x.strides()[dim];
  IndexRange{wrap ? -n : 0, n, op, dim}.check_all(i, p.count);
  for (int64_t k = 0; k < p.count; ++k) {
    const int64_t at = i[k] < 0 ? i[k] + n : i[k];
    offset[k] += at * stride;
    if (row) row[k] = row[k] * n + at;
  }
}

inline void add_inner(IndexedPlaces& p, IntArrayRef sizes, IntArrayRef strides) {
  for (int64_t s : sizes) p.inner *= s;
  if (is_contiguous(sizes, strides)) return;
  p.inner_offset.resize(p.inner);
  for (int64_t q = 0; q < p.inner; ++q) p.inner_offset[q] = strided_offset(q, sizes, strides);
}

/// Padding and interpolating index mostly neighbours, which move together.
inline void find_runs(IndexedPlaces& p) {
  if (p.outer < 4 || p.count == 0 || !p.inner_offset.empty()) return;
  for (int64_t k = 0; k < p.count; ++k) {
    const bool follows = k > 0 && p.offset[k] == p.offset[k - 1] + p.inner;
    if (follows)
      ++p.runs.back().n;
    else
      p.runs.push_back({k, 1});
  }
  if (4 * static_cast<int64_t>(p.runs.size()) > p.count) p.runs.clear();
}

/// The places of x that `indices` name in the dims from `first` on. Where one index is all, the places may be its own
/// memory, so it must outlive them.
inline IndexedPlaces make_places(const Tensor& x, Args indices, int64_t first, bool wrap, bool writes,
                                 const IndexUser& op) {
  IndexedPlaces p;
  p.count = indices[0].numel();
  if (indices.size() == 1) {
    add_only_index(p, indices[0], x, first, wrap, op);
  } else {
    int64_t *const offset = new_numbers(p.offset_holder, p.count), *const row = writes
                                                                                    ? new_numbers(p.row_holder, p.count)
                                                                                    : nullptr;
    std::fill_n(offset, p.count, 0);
    if (row) std::fill_n(row, p.count, 0);
    for (size_t i = 0; i < indices.size(); ++i) {
      const int64_t dim = first + static_cast<int64_t>(i);
      add_index(p, offset, row, indices[i], x, dim, wrap, op);
      p.rows *= x.sizes()[dim];
    }
    p.offset = offset, p.row = row;
  }
  p.outer_sizes = x.sizes().slice(0, first);
  p.outer_strides = x.strides().slice(0, first);
  for (int64_t s : p.outer_sizes) p.outer *= s;
  const size_t behind = first + indices.size();
  add_inner(p, x.sizes().slice(behind), x.strides().slice(behind));
  find_runs(p);
  return p;
}

/// Copies the elements at places [first, first + n) of one outer position to consecutive memory.
template <class U>
void read_each(U* to, const U* from, const IndexedPlaces& p, int64_t first, int64_t n) {
  const int64_t* const offset = p.offset + first;
  if (p.inner == 1) {
    for (int64_t k = 0; k < n; ++k) to[k] = from[offset[k]];
  } else if (p.inner_offset.empty()) {
    copy_places(to, from, offset, n, p.inner);
  } else {
    for (int64_t k = 0; k < n; ++k)
      for (int64_t q = 0; q < p.inner; ++q) to[k * p.inner + q] = from[offset[k] + p.inner_offset[q]];
  }
}

template <class U>
void read_places(U* to, const U* from, const IndexedPlaces& p) {
  parallel_for(0, p.outer * p.count, std::max<int64_t>(1, kGrain / p.inner), [&](int64_t b, int64_t e) {
    for (int64_t r = b; r < e;) {
      const int64_t start = r % p.count, n = std::min(p.count - start, e - r);
      const U* base = from + p.outer_offset(r / p.count);
      U* row = to + r * p.inner;
      if (n == p.count && !p.runs.empty())
        for (const auto& run : p.runs)
          std::copy_n(base + p.offset[run.first], run.n * p.inner, row + run.first * p.inner);
      else
        read_each(row, base, p, start, n);
      r += n;
    }
  });
}

/// The values at one place.
template <class T, class Write>
void write_place(T* place, const T* from, const IndexedPlaces& p, const Write& write) {
  if (p.inner_offset.empty()) return write.run(place, from, p.inner);
  for (int64_t q = 0; q < p.inner; ++q) write.one(place[p.inner_offset[q]], from[q]);
}

/// Writes the values of one outer position, in order.
template <class T, class Write>
void write_outer(T* base, const T* values, const IndexedPlaces& p, const Write& write) {
  const int64_t step = p.step();
  if (!p.runs.empty()) {
    for (const auto& run : p.runs) {
      write.run(base + p.offset[run.first], values + run.first * p.inner, run.n * p.inner);
    }
  } else if (p.inner == 1) {
    for (int64_t k = 0; k < p.count; ++k) write.one(base[p.offset[k]], values[k * step]);
  } else {
    for (int64_t k = 0; k < p.count; ++k) write_place(base + p.offset[k], values + k * step, p, write);
  }
}

/// The places by the row that they are in, in order within each: those of row r are order[first[r]] to
/// order[first[r + 1] - 1].
struct PlacesByRow {
  std::vector<int64_t> first, order;

  explicit PlacesByRow(const IndexedPlaces& p) : first(p.rows + 1), order(p.count) {
    for (int64_t k = 0; k < p.count; ++k) ++first[p.row[k] + 1];
    for (int64_t r = 0; r < p.rows; ++r) first[r + 1] += first[r];
    std::vector<int64_t> next = first;
    for (int64_t k = 0; k < p.count; ++k) order[next[p.row[k]]++] = k;
  }
};

/// Rows of the result that are long and are brought from elsewhere: each has its values while it is in the cache.
template <class T, class Write>
void write_long_rows(T* to, const T* values, const IndexedPlaces& p, const Base<T>& base, const Write& write) {
  const PlacesByRow places(p);
  const int64_t step = p.step();
  parallel_for(0, p.outer * p.rows, std::max<int64_t>(1, 2 * kGrain / p.inner), [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      base.bring(i * p.inner, p.inner);
      const int64_t r = i % p.rows;
      const T* const from = values + i / p.rows * p.count * step;
      for (int64_t k = places.first[r]; k < places.first[r + 1]; ++k) {
        if (k + 1 < p.count) fetch_ahead(from + places.order[k + 1] * step, p.inner);
        write_place(to + i * p.inner, from + places.order[k] * step, p, write);
      }
    }
  });
}

/// Each thread owns a range of outer positions, or of rows of the result, and takes the values of those in order, so
/// sums do not depend on threads.
template <class T, class Write>
void write_places(T* to, const T* values, const IndexedPlaces& p, const Base<T>& base, const Write& write) {
  constexpr int64_t kManyOuter = 64, kLongRow = 32, kCacheBytes = int64_t{1} << 22;
  const int64_t per_outer = p.count * p.inner, total = p.outer * per_outer, step = p.step();
  if (p.outer >= kManyOuter) {
    return parallel_for(0, p.outer, std::max<int64_t>(1, kGrain / per_outer), [&](int64_t b, int64_t e) {
      for (int64_t o = b; o < e; ++o) {
        base.bring(o * p.rows * p.inner, p.rows * p.inner);
        write_outer(to + p.outer_offset(o), values + o * p.count * step, p, write);
      }
    });
  }
  // A lone thread takes the values of a result that stays in the cache as they come. Where most rows get none, a base
  // comes faster as a whole.
  const bool is_alone = get_num_threads() == 1 || in_parallel_region();
  const bool stays_cached = p.outer * p.rows * p.inner * static_cast<int64_t>(sizeof(T)) <= kCacheBytes;
  const bool is_sparse = kSparse * p.count <= p.rows;
  if (base.by_pieces() && p.inner >= kLongRow && !is_sparse && !(is_alone && stays_cached))
    return write_long_rows(to, values, p, base, write);
  base.bring_all();
  const int64_t grain = std::max<int64_t>(
      1, static_cast<int64_t>(4.0 * kGrain * static_cast<double>(p.rows) / static_cast<double>(total)));
  parallel_for(0, p.rows, grain, [&](int64_t b, int64_t e) {
    for (int64_t o = 0; o < p.outer; ++o) {
      T* const place = to + p.outer_offset(o);
      const T* const from = values + o * p.count * step;
      if (b == 0 && e == p.rows) {
        write_outer(place, from, p, write);
        continue;
      }
      for (int64_t k = 0; k < p.count; ++k)
        if (p.row[k] >= b && p.row[k] < e) write_place(place + p.offset[k], from + k * step, p, write);
    }
  });
}

}  // namespace strata::cpu::indexing
