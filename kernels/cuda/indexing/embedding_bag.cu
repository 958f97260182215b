// CUDA kernels of bags of embeddings. Entries are sorted by the row that they go to, and a thread takes one column of a
// row in the order of the entries, so that sums have the CPU's order.
#include <algorithm>
#include <bit>

#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/dense.h"
#include "kernels/cuda/indexing/sort_keys.h"
#include "kernels/cuda/runtime/index_error.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_floating.h"
#include "ops/embedding_bag_def.h"

namespace strata::cuda::indexing {
namespace {

template <class T>
using Sum = arithmetic::Compute<T>;

/// Entries as the call has them, all of which are checked.
struct Given {
  const int64_t *from, *to;
  int64_t count, rows_from, rows_to;
  bool skips;
  IndexErrors errors;

  /// The row that entry i goes to; one behind the last for none.
  __device__ int64_t place(int64_t i) const {
    if (to[i] == -1 || (skips && from[i] == -1)) return rows_to;
    const int64_t row = errors.checked(to[i], 0, rows_to);
    return row < 0 || errors.checked(from[i], 0, rows_from) < 0 ? rows_to : row;
  }
};

__global__ void __launch_bounds__(kThreads) entry_places_kernel(int64_t* places, Given g) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < g.count) places[i] = g.place(i);
}

/// The entries by the row they go to.
struct Entries {
  const int64_t *keys, *from;
  const uint32_t* order;
  int64_t count;

  /// The first entry that goes to row `row` or behind it.
  __device__ int64_t first(int64_t row) const {
    int64_t low = 0, high = count;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if (keys[middle] < row)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

template <class T>
struct AddRows {
  const T *x, *scale;
  T* y;
  __device__ void operator()(const Entries& e, int64_t begin, int64_t end, int64_t columns, int64_t row,
                             int64_t c) const {
    Sum<T> sum = 0;
    for (int64_t k = begin; k < end; ++k) {
      const uint32_t i = e.order[k];
      const auto v = static_cast<Sum<T>>(x[e.from[i] * columns + c]);
      sum += scale ? static_cast<Sum<T>>(scale[i]) * v : v;
    }
    y[row * columns + c] = static_cast<T>(sum);
  }
};

template <class T>
struct MaxRows {
  const T* x;
  T* y;
  int64_t* rows;
  __device__ void operator()(const Entries& e, int64_t begin, int64_t end, int64_t columns, int64_t row,
                             int64_t c) const {
    Sum<T> best = 0;
    int64_t at = -1;
    for (int64_t k = begin; k < end; ++k) {
      const int64_t from = e.from[e.order[k]];
      const auto v = static_cast<Sum<T>>(x[from * columns + c]);
      if (at < 0 || v > best || v != v) best = v, at = from;
    }
    y[row * columns + c] = static_cast<T>(best);
    rows[row * columns + c] = at;
  }
};

/// Blocks take rows, threads columns.
template <class F>
__global__ void __launch_bounds__(kThreads) rows_kernel(F f, Entries e, int64_t columns) {
  const int64_t row = blockIdx.x, begin = e.first(row), end = e.first(row + 1);
  for (int64_t c = threadIdx.x; c < columns; c += blockDim.x) f(e, begin, end, columns, row, c);
}

template <class F>
void for_rows(const Op& op, const Tensor& x, const Tensor& from, const Tensor& to, const RowsParams& p, F f) {
  const int64_t n = from.numel(), columns = x.sizes()[1];
  if (p.count == 0 || columns == 0) return;
  STRATA_CHECK(n <= UINT32_MAX && p.count <= INT32_MAX, "{}: {} indices and {} bags are too many for a CUDA device",
               op.name(), n, p.count);
  const Tensor places = empty_on_device({1, n}, kLong, x.device());
  Tensor keys = places, order = empty_on_device({1, n}, kUInt32, x.device());
  if (n > 0) {
    const Given given{from.data_ptr<int64_t>(),
                      to.data_ptr<int64_t>(),
                      n,
                      x.sizes()[0],
                      p.count,
                      p.skips,
                      index_errors(x, "embedding_bag: index {} is out of bounds for dimension {} with size {}")};
    start(op.name(), entry_places_kernel, {blocks_for(n)}, stream_of(x), places.data_ptr<int64_t>(), given);
    const SortedKeys sorted = sort_keys(places, std::bit_width(static_cast<uint64_t>(p.count)));
    keys = sorted.keys, order = sorted.order;
  }
  const Entries entries{keys.data_ptr<int64_t>(), from.data_ptr<int64_t>(), order.data_ptr<uint32_t>(), n};
  const unsigned threads = static_cast<unsigned>(std::min<int64_t>(kThreads, (columns + 31) / 32 * 32));
  start(op.name(), rows_kernel<F>, {static_cast<unsigned>(p.count), threads}, stream_of(x), f, entries, columns);
}

void add_rows_cuda(Tensors& out, Args in, const RowsParams& p) {
  visit_floating(add_rows_op.name(), in[0].dtype(), [&]<class T>() {
    const AddRows<T> f{in[0].data_ptr<T>(), data_or_null<T>(in[3]), out[0].data_ptr<T>()};
    for_rows(add_rows_op, in[0], in[1], in[2], p, f);
  });
}
void max_rows_cuda(Tensors& out, Args in, const RowsParams& p) {
  visit_floating(max_rows_op.name(), in[0].dtype(), [&]<class T>() {
    const MaxRows<T> f{in[0].data_ptr<T>(), out[0].data_ptr<T>(), out[1].data_ptr<int64_t>()};
    for_rows(max_rows_op, in[0], in[1], in[2], p, f);
  });
}

STRATA_KERNEL(add_rows_op, CUDA, RowMajor<add_rows_cuda>::run);
STRATA_KERNEL(max_rows_op, CUDA, RowMajor<max_rows_cuda>::run);

}  // namespace
}  // namespace strata::cuda::indexing
