// CPU kernels that read and write elements at indexed places. Indices are checked before anything is written.
#include <algorithm>
#include <cstring>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "dispatcher/loops.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/indexing/line_loop.h"
#include "ops/binary_def.h"
#include "ops/indexing_def.h"

namespace strata::cpu::indexing {
namespace {

/// Brings x into `out`, unless they are the same memory.
void copy_base(const Tensor& out, const Tensor& x) {
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

// --- gather and scatter ---

void gather_cpu(Tensors& out, Args in, const GatherParams& p) {
  const Tensor &x = in[0], &y = out[0];
  Tensor holder;
  const int64_t* index = index_data(in[1], holder);
  const Tensor& dense = holder.defined() ? holder : in[1];
  if (in[1].numel() == 0) return;
  const LineLoop loop = make_line_loop(x, dense, y, p.dim, {0, x.sizes()[p.dim], "gather", p.dim});
  visit_wide_item(item_size(x.dtype()), [&]<class U>() {
    const U* from = reinterpret_cast<const U*>(x.bytes());
    U* to = reinterpret_cast<U*>(y.bytes());
    for_lines(loop, index, [&](int64_t x_at, int64_t y_at) { to[y_at] = from[x_at]; });
  });
}

/// Does every line of `index` along the last dim stand in a row of its own of y, and is there one for each row?
bool is_by_rows(const Tensor& y, const Tensor& index, const Tensor& source, int64_t dim) {
  const size_t last = static_cast<size_t>(y.dim()) - 1;
  return dim + 1 == y.dim() && y.sizes().slice(0, last) == index.sizes().slice(0, last) && source.is_contiguous() &&
         source.sizes() == index.sizes();
}

/// Scatters into dense rows, each of which is brought, has its indices checked and is written in one go.
template <class T, class Write>
void scatter_rows(const Tensor& y, const Base<T>& base, const int64_t* index, int64_t columns, const Tensor& source,
                  const IndexRange& range, Write write) {
  const int64_t row = y.sizes().back(), rows = y.numel() / row;
  T* const to = reinterpret_cast<T*>(y.bytes());
  const T* const from = reinterpret_cast<const T*>(source.bytes());
  parallel_for(0, rows, std::max<int64_t>(1, kGrain / std::max(row, columns)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t* const at = index + r * columns;
      range.check(at, columns);
      base.bring(r * row, row);
      for (int64_t c = 0; c < columns; ++c) write(to[r * row + at[c]], from[r * columns + c]);
    }
  });
}

void scatter_cpu(Tensors& out, Args in, const ScatterParams& p) {
  if (p.accumulate && is_narrow_float(out[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { scatter_cpu(wide, args, p); });
  const Tensor &y = out[0], &source = in[2];
  Tensor holder;
  const int64_t* index = index_data(in[1], holder);
  const Tensor& dense = holder.defined() ? holder : in[1];
  const IndexRange range{0, y.sizes()[p.dim], "scatter", p.dim};
  if (in[1].numel() == 0) return copy_base(y, in[0]);
  // Memory of others stays as it is if an index is wrong.
  if (y.bytes() == in[0].bytes() || y.numel() == 0) range.check_all(index, in[1].numel());
  const auto run = [&]<class T>(auto write) {
    const Base<T> base(y, in[0]);
    if (base.by_pieces() && is_by_rows(y, dense, source, p.dim))
      return scatter_rows(y, base, index, dense.sizes().back(), source, range, write);
    base.bring_all();
    T* to = reinterpret_cast<T*>(y.bytes());
    const T* from = reinterpret_cast<const T*>(source.bytes());
    for_lines(make_line_loop(y, dense, source, p.dim, range), index,
              [&](int64_t y_at, int64_t at) { write(to[y_at], from[at]); });
  };
  if (p.accumulate)
    return visit_any_dtype(with_same_sums(y.dtype()),
                           [&]<class T>() { run.template operator()<T>([](T& a, T b) { a = sum_of(a, b); }); });
  visit_wide_item(item_size(y.dtype()), [&]<class U>() { run.template operator()<U>([](U& a, U b) { a = b; }); });
}

// --- index and index_put ---

/// Where the indexed elements of x stand: `outer` dims before the indexed ones, one place per index, `inner` elements
/// at each.
struct IndexedPlaces {
  /// Places [first, first + n) lie one behind the other, in x as in the values.
  struct Run {
    int64_t first, n;
  };
  DimVector outer_sizes, outer_strides;
  int64_t outer = 1, count = 1, rows = 1, inner = 1;
  std::vector<int64_t> offset;        // of each place in x
  std::vector<int64_t> row;           // its number among all `rows` combinations of the indexed dims
  std::vector<int64_t> inner_offset;  // of the elements at a place; empty if they are consecutive
  std::vector<Run> runs;              // empty unless they are long and serve many outer positions

  int64_t outer_offset(int64_t o) const { return strided_offset(o, outer_sizes, outer_strides); }
};

void add_index(IndexedPlaces& p, const Tensor& index, const Tensor& x, int64_t dim, bool wrap, const char* op) {
  Tensor holder;
  const int64_t* i = index_data(index, holder);
  const int64_t n = x.sizes()[dim], stride = x.strides()[dim];
  IndexRange{wrap ? -n : 0, n, op, dim}.check_all(i, p.count);
  for (int64_t k = 0; k < p.count; ++k) {
    const int64_t at = i[k] < 0 ? i[k] + n : i[k];
    p.offset[k] += at * stride;
    if (!p.row.empty()) p.row[k] = p.row[k] * n + at;
  }
  p.rows *= n;
}

void add_inner(IndexedPlaces& p, IntArrayRef sizes, IntArrayRef strides) {
  for (int64_t s : sizes) p.inner *= s;
  if (is_contiguous(sizes, strides)) return;
  p.inner_offset.resize(p.inner);
  for (int64_t q = 0; q < p.inner; ++q) p.inner_offset[q] = strided_offset(q, sizes, strides);
}

/// Padding and interpolating index mostly neighbours, which move together.
void find_runs(IndexedPlaces& p) {
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

/// `from` is the position of the first index among the inputs.
IndexedPlaces make_places(const Tensor& x, Args in, size_t from, int64_t first, bool wrap, bool writes,
                          const char* op) {
  IndexedPlaces p;
  p.count = in[from].numel();
  p.offset.resize(p.count);
  if (writes) p.row.resize(p.count);
  for (size_t i = from; i < in.size(); ++i) add_index(p, in[i], x, first + static_cast<int64_t>(i - from), wrap, op);
  p.outer_sizes = x.sizes().slice(0, first);
  p.outer_strides = x.strides().slice(0, first);
  for (int64_t s : p.outer_sizes) p.outer *= s;
  const size_t behind = first + in.size() - from;
  add_inner(p, x.sizes().slice(behind), x.strides().slice(behind));
  find_runs(p);
  return p;
}

/// Copies the elements at one place to consecutive memory.
template <class U>
void read_place(U* to, const U* from, const IndexedPlaces& p) {
  if (p.inner_offset.empty()) {
    copy_run(to, from, p.inner);
    return;
  }
  for (int64_t q = 0; q < p.inner; ++q) to[q] = from[p.inner_offset[q]];
}

template <class U>
void read_places(U* to, const U* from, const IndexedPlaces& p) {
  parallel_for(0, p.outer * p.count, std::max<int64_t>(1, kGrain / p.inner), [&](int64_t b, int64_t e) {
    for (int64_t r = b; r < e;) {
      const int64_t start = r % p.count, n = std::min(p.count - start, e - r);
      const U* base = from + p.outer_offset(r / p.count);
      const int64_t* offset = p.offset.data() + start;
      U* row = to + r * p.inner;
      if (n == p.count && !p.runs.empty())
        for (const auto& run : p.runs)
          std::copy_n(base + offset[run.first], run.n * p.inner, row + run.first * p.inner);
      else if (p.inner == 1)
        for (int64_t k = 0; k < n; ++k) row[k] = base[offset[k]];
      else
        for (int64_t k = 0; k < n; ++k) read_place(row + k * p.inner, base + offset[k], p);
      r += n;
    }
  });
}

/// Where no element is read or written, indices are not looked at, unless they point into a dim of no elements.
bool is_idle(const Tensor& x, int64_t moved, int64_t first, size_t indexed) {
  if (moved > 0) return false;
  const IntArrayRef sizes = x.sizes().slice(first, indexed);
  return std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
}

/// `wrap` is what x[index] says, which looks at no index in vain; index_select and embedding always do.
void index_rows(Tensors& out, Args in, int64_t first, bool wrap, const char* op) {
  const Tensor& x = in[0];
  if (wrap && is_idle(x, out[0].numel(), first, in.size() - 1)) return;
  const IndexedPlaces p = make_places(x, in, 1, first, wrap, false, op);
  if (out[0].numel() == 0) return;
  visit_wide_item(item_size(x.dtype()), [&]<class U>() {
    write_row_major(out[0],
                    [&](char* to) { read_places(reinterpret_cast<U*>(to), reinterpret_cast<const U*>(x.bytes()), p); });
  });
}

void index_cpu(Tensors& out, Args in, const IndexParams& p) { index_rows(out, in, p.first, p.wrap, "index"); }
void embedding_cpu(Tensors& out, Args in, const EmbeddingParams&) { index_rows(out, in, 0, false, "embedding"); }

/// How values come to their places: in the place of what is there.
struct Replace {
  template <class T>
  void one(T& to, T from) const {
    to = from;
  }
  template <class T>
  void run(T* to, const T* from, int64_t n) const {
    copy_run(to, from, n);
  }
};
/// Added to what is there.
struct Accumulate {
  Loop add;

  template <class T>
  void one(T& to, T from) const {
    to = sum_of(to, from);
  }
  template <class T>
  void run(T* to, const T* from, int64_t n) const {
    constexpr int64_t kShort = 16;
    if (n >= kShort) return add(LoopArgs{to, {to, from}, {1, 1}, n, nullptr, false});
    for (int64_t i = 0; i < n; ++i) one(to[i], from[i]);
  }
};

/// The values at one place.
template <class T, class Write>
void write_place(T* place, const T* from, const IndexedPlaces& p, Write write) {
  if (p.inner_offset.empty()) return write.run(place, from, p.inner);
  for (int64_t q = 0; q < p.inner; ++q) write.one(place[p.inner_offset[q]], from[q]);
}

/// Writes the values of one outer position, in order.
template <class T, class Write>
void write_outer(T* base, const T* values, const IndexedPlaces& p, Write write) {
  if (!p.runs.empty()) {
    for (const auto& run : p.runs) {
      write.run(base + p.offset[run.first], values + run.first * p.inner, run.n * p.inner);
    }
  } else if (p.inner == 1) {
    for (int64_t k = 0; k < p.count; ++k) write.one(base[p.offset[k]], values[k]);
  } else {
    for (int64_t k = 0; k < p.count; ++k) write_place(base + p.offset[k], values + k * p.inner, p, write);
  }
}

/// The places by the row that they are in, in order within each: those of row r are order[first[r]] to
/// order[first[r + 1] - 1].
struct PlacesByRow {
  std::vector<int64_t> first, order;

  explicit PlacesByRow(const IndexedPlaces& p) : first(p.rows + 1), order(p.count) {
    for (int64_t r : p.row) ++first[r + 1];
    for (int64_t r = 0; r < p.rows; ++r) first[r + 1] += first[r];
    std::vector<int64_t> next = first;
    for (int64_t k = 0; k < p.count; ++k) order[next[p.row[k]]++] = k;
  }
};

/// Asks for the first page of what is read next, at a place that the processor cannot foresee.
template <class T>
void fetch_ahead(const T* x, int64_t n) {
  constexpr int64_t kLine = 64 / sizeof(T), kPage = 4096 / sizeof(T);
  for (int64_t i = 0; i < std::min(n, kPage); i += kLine) __builtin_prefetch(x + i);
}

/// Rows of the result that are long and are brought from elsewhere: each has its values while it is in the cache.
template <class T, class Write>
void write_long_rows(T* to, const T* values, const IndexedPlaces& p, const Base<T>& base, Write write) {
  const PlacesByRow places(p);
  parallel_for(0, p.outer * p.rows, std::max<int64_t>(1, 2 * kGrain / p.inner), [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      base.bring(i * p.inner, p.inner);
      const int64_t r = i % p.rows;
      const T* const from = values + i / p.rows * p.count * p.inner;
      for (int64_t k = places.first[r]; k < places.first[r + 1]; ++k) {
        if (k + 1 < p.count) fetch_ahead(from + places.order[k + 1] * p.inner, p.inner);
        write_place(to + i * p.inner, from + places.order[k] * p.inner, p, write);
      }
    }
  });
}

/// Each thread owns a range of outer positions, or of rows of the result, and takes the values of those in order, so
/// sums do not depend on threads.
template <class T, class Write>
void write_places(T* to, const T* values, const IndexedPlaces& p, const Base<T>& base, Write write) {
  constexpr int64_t kManyOuter = 64, kLongRow = 32;
  const int64_t per_outer = p.count * p.inner, total = p.outer * per_outer;
  if (p.outer >= kManyOuter) {
    return parallel_for(0, p.outer, std::max<int64_t>(1, kGrain / per_outer), [&](int64_t b, int64_t e) {
      for (int64_t o = b; o < e; ++o) {
        base.bring(o * p.rows * p.inner, p.rows * p.inner);
        write_outer(to + p.outer_offset(o), values + o * per_outer, p, write);
      }
    });
  }
  if (base.by_pieces() && p.inner >= kLongRow) return write_long_rows(to, values, p, base, write);
  base.bring_all();
  const int64_t grain = std::max<int64_t>(
      1, static_cast<int64_t>(4.0 * kGrain * static_cast<double>(p.rows) / static_cast<double>(total)));
  parallel_for(0, p.rows, grain, [&](int64_t b, int64_t e) {
    for (int64_t o = 0; o < p.outer; ++o) {
      for (int64_t k = 0; k < p.count; ++k) {
        if (p.row[k] >= b && p.row[k] < e)
          write_place(to + p.outer_offset(o) + p.offset[k], values + (o * p.count + k) * p.inner, p, write);
      }
    }
  });
}

void index_put_cpu(Tensors& out, Args in, const IndexPutParams& p) {
  if (p.accumulate && is_narrow_float(out[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { index_put_cpu(wide, args, p); });
  const Tensor &y = out[0], &values = in[1];
  if (is_idle(y, values.numel(), p.first, in.size() - 2)) return copy_base(y, in[0]);
  const IndexedPlaces places = make_places(y, in, 2, p.first, p.wrap, true, "index_put");
  if (values.numel() == 0) return copy_base(y, in[0]);
  Tensor holder;
  const char* data = row_major(values, holder);
  const auto run = [&]<class T>(auto write) {
    write_places(reinterpret_cast<T*>(y.bytes()), reinterpret_cast<const T*>(data), places, Base<T>(y, in[0]), write);
  };
  if (p.accumulate)
    return visit_any_dtype(with_same_sums(y.dtype()), [&]<class T>() {
      run.template operator()<T>(Accumulate{dispatch::loop_of(add_op, y.dtype()).loop});
    });
  visit_wide_item(item_size(y.dtype()), [&]<class U>() { run.template operator()<U>(Replace()); });
}

// --- nonzero ---

/// Writes each position and moves on only behind a non-zero element, so that random masks cost no mispredicted
/// branches.
template <class T>
void write_positions(const T* v, IntArrayRef sizes, int64_t found, int64_t* to) {
  const int64_t dims = static_cast<int64_t>(sizes.size()), columns = dims ? sizes[dims - 1] : 1;
  DimVector at(sizes.size(), 0);
  for (int64_t n = 0; n < found; v += columns) {
    for (int64_t c = 0; c < columns && n < found; ++c) {
      for (int64_t d = 0; d + 1 < dims; ++d) to[n * dims + d] = at[d];
      if (dims) to[n * dims + dims - 1] = c;
      n += v[c] != T(0);
    }
    for (int64_t d = dims - 2; d >= 0 && ++at[d] == sizes[d]; --d) at[d] = 0;
  }
}

void nonzero_cpu(Tensors& out, Args in, const NoParams&) {
  const Tensor& x = in[0];
  Tensor holder;
  const char* data = row_major(x, holder);
  visit_dtype(x.dtype(), [&]<class T>() {
    const T* v = reinterpret_cast<const T*>(data);
    int64_t found = 0;
    for (int64_t i = 0; i < x.numel(); ++i) found += v[i] != T(0);
    out = Tensors(empty_cpu({found, x.dim()}, kLong));
    write_positions(v, x.sizes(), found, out[0].data_ptr<int64_t>());
  });
}

}  // namespace

STRATA_KERNEL(gather_op, CPU, gather_cpu);
STRATA_KERNEL(scatter_op, CPU, scatter_cpu);
STRATA_KERNEL(index_op, CPU, index_cpu);
STRATA_KERNEL(index_put_op, CPU, index_put_cpu);
STRATA_KERNEL(embedding_op, CPU, embedding_cpu);
STRATA_KERNEL(nonzero_op, CPU, nonzero_cpu);

}  // namespace strata::cpu::indexing
