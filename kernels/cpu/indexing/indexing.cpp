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
#include "kernels/cpu/indexing/places.h"
#include "kernels/cpu/indexing/scatter.h"
#include "kernels/cpu/indexing/writes.h"
#include "ops/binary_def.h"
#include "ops/indexing_def.h"

namespace strata::cpu::indexing {
namespace {

// --- gather and scatter ---

template <class U>
struct ReadLines {
  U* to;
  const U* from;

  void one(int64_t from_at, int64_t to_at) const { to[to_at] = from[from_at]; }
  void run(int64_t from_at, int64_t to_at, int64_t n) const { copy_run(to + to_at, from + from_at, n); }
};

void gather_cpu(Tensors& out, Args in, const GatherParams& p) {
  const Tensor &x = in[0], &y = out[0];
  if (in[1].numel() == 0) return;
  Tensor holder;
  const Tensor& dense = dense_index(in[1], p.dim, holder);
  const LineLoop loop =
      make_line_loop(x, dense, y, p.dim, {0, x.sizes()[p.dim], {"gather", WrongIndex::kError}, p.dim});
  visit_wide_item(item_size(x.dtype()), [&]<class U>() {
    for_lines(loop, dense.data_ptr<int64_t>(),
              ReadLines<U>{reinterpret_cast<U*>(y.bytes()), reinterpret_cast<const U*>(x.bytes())});
  });
}

void scatter_cpu(Tensors& out, Args in, const ScatterParams& p) {
  if (p.accumulate && is_narrow_float(out[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { scatter_cpu(wide, args, p); });
  const Tensor &y = out[0], &source = in[2];
  if (in[1].numel() == 0) return copy_base(y, in[0]);
  Tensor holder;
  const Tensor& index = dense_index(in[1], p.dim, holder);
  if (p.accumulate)
    return visit_any_dtype(with_same_sums(y.dtype()), [&]<class T>() {
      const Accumulate add{dispatch::loop_of(add_op, y.dtype()).loop};
      write_at_index<T>(y, in[0], index, source, p.dim, {"scatter", WrongIndex::kError}, add);
    });
  visit_wide_item(item_size(y.dtype()), [&]<class U>() {
    write_at_index<U>(y, in[0], index, source, p.dim, {"scatter", WrongIndex::kError}, Replace());
  });
}

// --- index and index_put ---

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
  const IndexedPlaces p = make_places(x, Args(in.begin() + 1, in.size() - 1), first, wrap, false, op);
  if (out[0].numel() == 0) return;
  visit_wide_item(item_size(x.dtype()), [&]<class U>() {
    write_row_major(out[0],
                    [&](char* to) { read_places(reinterpret_cast<U*>(to), reinterpret_cast<const U*>(x.bytes()), p); });
  });
}

void index_cpu(Tensors& out, Args in, const IndexParams& p) { index_rows(out, in, p.first, p.wrap, "index"); }
void embedding_cpu(Tensors& out, Args in, const EmbeddingParams&) { index_rows(out, in, 0, false, "embedding"); }

/// The values in row-major order; where all are one value (of index_fill), those of one place.
const char* values_of(IndexedPlaces& places, const Tensor& values, Tensor& holder) {
  places.takes_one = places.count > 1 && simple_step(*values.impl()) == 0;
  if (!places.takes_one) return row_major(values, holder);
  places.runs.clear();  // They are of several places.
  holder = empty_cpu({places.inner}, values.dtype());
  fill_strided(memory_of(holder), holder.sizes(), values.bytes(), item_size(values.dtype()));
  return holder.bytes();
}

void index_put_cpu(Tensors& out, Args in, const IndexPutParams& p) {
  if (p.accumulate && is_narrow_float(out[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { index_put_cpu(wide, args, p); });
  const Tensor &y = out[0], &values = in[1];
  if (is_idle(y, values.numel(), p.first, in.size() - 2)) return copy_base(y, in[0]);
  IndexedPlaces places = make_places(y, Args(in.begin() + 2, in.size() - 2), p.first, p.wrap, true, "index_put");
  if (values.numel() == 0) return copy_base(y, in[0]);
  Tensor holder;
  const char* data = values_of(places, values, holder);
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
