// CUDA kernels of sort, topk, unique and searchsorted; the sorting itself is in sort_keys.h.
#include "dispatcher/kernel.h"
#include "kernels/cuda/copy.h"
#include "kernels/cuda/ranks.cuh"
#include "kernels/cuda/sort_keys.h"
#include "kernels/cuda/strided.h"
#include "kernels/sort_key.h"
#include "kernels/visit_item.h"
#include "ops/sort_def.h"

namespace strata::cuda {
namespace {

int64_t size_along(const Tensor& x, int64_t dim) { return x.dim() ? x.sizes()[dim] : 1; }

/// Strides of x's shape when memory holds the lines along `dim` one after the other.
DimVector line_strides(const Tensor& x, int64_t dim) {
  DimVector strides(x.dim(), 0);
  if (x.dim() == 0) return strides;
  strides[dim] = 1;
  int64_t step = x.sizes()[dim];
  for (int64_t d = x.dim() - 1; d >= 0; --d)
    if (d != dim) strides[d] = step, step *= x.sizes()[d];
  return strides;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    keys_kernel(SortKey<T>* keys, const T* x, SortKey<T> flip, Strided<2> walk) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<2> at = walk.at(i);
  keys[at[0]] = sort_key(x[at[1]]) ^ flip;
}

template <class T>
SortedKeys sort_typed(const Tensor& x, int64_t dim, bool descending) {
  using K = SortKey<T>;
  const int64_t length = size_along(x, dim);
  const Tensor keys = empty_cuda({x.numel() / length, length}, sizeof(K) == 4 ? kUInt32 : kLong, x.device());
  const DimVector strides = line_strides(x, dim);
  for_each_piece(collapse<2>(x.sizes(), {strides, x.strides()}), [&](const Strided<2>& piece,
                                                                     const int64_t(&first)[2]) {
    start("sort", keys_kernel<T>, {blocks_for(piece.numel)}, stream_of(x), reinterpret_cast<K*>(keys.data()) + first[0],
          x.data_ptr<T>() + first[1], descending ? ~K{0} : K{0}, piece);
  });
  return sort_keys(keys, 8 * sizeof(K));
}

/// The keys of x's lines in order; those of equal elements keep theirs.
SortedKeys sort_lines(const Tensor& x, int64_t dim, bool descending) {
  STRATA_CHECK(size_along(x, dim) <= UINT32_MAX, "sort: a dim of {} elements is too long", size_along(x, dim));
  SortedKeys sorted;
  visit_dtype(x.dtype(), [&]<class T>() { sorted = sort_typed<T>(x, dim, descending); });
  return sorted;
}

/// values = x at the sorted places, indices = the places.
template <class U>
__global__ void __launch_bounds__(kThreads)
    pick_kernel(U* values, int64_t* indices, const uint32_t* order, const U* x, int64_t x_step, Strided<4> walk) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<4> at = walk.at(i);
  const int64_t place = order[at[2]];
  values[at[0]] = x[at[3] + place * x_step];
  indices[at[1]] = place;
}

/// As many places of each sorted line as the outputs have.
void sort_into(Tensors& out, const Tensor& x, int64_t dim, bool descending) {
  if (out[0].numel() == 0) return;
  const Tensor order = sort_lines(x, dim, descending).order;
  const DimVector order_strides = line_strides(x, dim);
  DimVector x_strides = x.strides();
  const int64_t x_step = x.dim() ? std::exchange(x_strides[dim], 0) : 0;
  const Geometry<4> g = collapse<4>(out[0].sizes(), {out[0].strides(), out[1].strides(), order_strides, x_strides});
  visit_item(item_size(x.dtype()), [&]<class U>() {
    for_each_piece(g, [&](const Strided<4>& piece, const int64_t(&first)[4]) {
      start("sort", pick_kernel<U>, {blocks_for(piece.numel)}, stream_of(x),
            reinterpret_cast<U*>(out[0].data()) + first[0], out[1].data_ptr<int64_t>() + first[1],
            order.data_ptr<uint32_t>() + first[2], reinterpret_cast<const U*>(x.data()) + first[3], x_step, piece);
    });
  });
}

void sort_cuda(Tensors& out, Args in, const SortParams& p) { sort_into(out, in[0], p.dim, p.descending); }
void topk_cuda(Tensors& out, Args in, const TopkParams& p) { sort_into(out, in[0], p.dim, p.largest); }

// --- searchsorted ---------------------------------------------------------------------------------------------------

/// Where `value` belongs among n sorted ones.
template <class T>
struct Search {
  const T* sorted;
  int64_t n, step;
  bool right;
  STRATA_HD int64_t find(T value, int64_t row) const {
    const auto key = sort_key(value);
    int64_t low = 0, high = n;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      const auto other = sort_key(sorted[row + middle * step]);
      if (right ? other <= key : other < key)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

template <class T>
__global__ void __launch_bounds__(kThreads)
    search_kernel(int64_t* out, const T* values, Search<T> search, int64_t row_first, Strided<3> walk) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<3> at = walk.at(i);
  out[at[0]] = search.find(values[at[1]], row_first + at[2]);
}

void searchsorted_cuda(Tensors& out, Args in, const SearchParams& p) {
  const Tensor &sorted = in[0], &values = in[1];
  const DimVector rows{sorted.strides()[0], 0};
  const Geometry<3> g = collapse<3>(values.sizes(), {out[0].strides(), values.strides(), rows});
  visit_dtype(sorted.dtype(), [&]<class T>() {
    const Search<T> search{sorted.data_ptr<T>(), sorted.sizes()[1], sorted.strides()[1], p.right};
    for_each_piece(g, [&](const Strided<3>& piece, const int64_t(&first)[3]) {
      start("searchsorted", search_kernel<T>, {blocks_for(piece.numel)}, stream_of(values),
            out[0].data_ptr<int64_t>() + first[0], values.data_ptr<T>() + first[1], search, first[2], piece);
    });
  });
}

STRATA_KERNEL(sort_op, CUDA, sort_cuda);
STRATA_KERNEL(topk_op, CUDA, topk_cuda);
STRATA_KERNEL(searchsorted_op, CUDA, searchsorted_cuda);

// --- unique ---------------------------------------------------------------------------------------------------------

/// Does a sorted element differ from the one before? NaN, the largest key of floats, equals nothing.
template <class K>
struct Differs {
  const K* keys;
  bool has_nan;
  STRATA_HD bool operator()(int64_t i) const {
    return i == 0 || keys[i] != keys[i - 1] || (has_nan && keys[i] == static_cast<K>(~K{0}));
  }
};

/// Writes the distinct values, where each one's run begins, and the number of every element's value.
template <class U>
struct WriteDistinct {
  U* values;
  int64_t *starts, *inverse;
  const U* x;
  int64_t x_step;
  const uint32_t* order;
  STRATA_HD void operator()(int64_t i, bool first, int64_t before) const {
    const int64_t number = before + (first ? 1 : 0) - 1, place = order[i];
    inverse[place] = number;
    if (!first) return;
    starts[number] = i;
    values[number] = x[place * x_step];
  }
};

__global__ void __launch_bounds__(kThreads)
    lengths_kernel(int64_t* lengths, const int64_t* starts, int64_t runs, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < runs) lengths[i] = (i + 1 < runs ? starts[i + 1] : n) - starts[i];
}

template <class K>
Tensors unique_of(const Tensor& x, const SortedKeys& sorted) {
  const int64_t n = x.numel();
  const auto long_tensor = [&](int64_t size) { return empty_cuda({size}, kLong, x.device()); };
  const Differs<K> differs{reinterpret_cast<const K*>(sorted.keys.data()), x.is_floating_point()};
  const Ranks ranks(unique_op.name(), differs, n, x);
  const int64_t runs = ranks.count();
  const Tensor values = empty_cuda({runs}, x.dtype(), x.device()), starts = long_tensor(runs);
  const Tensor inverse = long_tensor(n), counts = long_tensor(runs);
  visit_item(item_size(x.dtype()), [&]<class U>() {
    ranks.visit(WriteDistinct<U>{reinterpret_cast<U*>(values.data()), starts.data_ptr<int64_t>(),
                                 inverse.data_ptr<int64_t>(), reinterpret_cast<const U*>(x.data()), x.strides()[0],
                                 sorted.order.data_ptr<uint32_t>()});
  });
  if (runs > 0)
    start(unique_op.name(), lengths_kernel, {blocks_for(runs)}, stream_of(x), counts.data_ptr<int64_t>(),
          starts.data_ptr<int64_t>(), runs, n);
  return {values, inverse, counts};
}

void unique_cuda(Tensors& out, Args in, const NoParams&) {
  const Tensor& x = in[0];
  const auto none = [&](DType dtype) { return empty_cuda({0}, dtype, x.device()); };
  if (x.numel() == 0) {
    out = Tensors{none(x.dtype()), none(kLong), none(kLong)};
    return;
  }
  const SortedKeys sorted = sort_lines(x, 0, false);
  out = sorted.keys.dtype() == kLong ? unique_of<uint64_t>(x, sorted) : unique_of<uint32_t>(x, sorted);
}

STRATA_KERNEL(unique_op, CUDA, unique_cuda);

}  // namespace
}  // namespace strata::cuda
