// CUDA kernels of sort, topk and searchsorted; the sorting itself is in sort_keys.h.
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/indexing/sort_lines.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/sort_key.h"
#include "kernels/visit_item.h"
#include "ops/sort_def.h"

namespace strata::cuda::indexing {
namespace {

/// Strides of x's shape when memory holds lines of `length` along `dim` one after the other.
DimVector line_strides(const Tensor& x, int64_t dim, int64_t length) {
  DimVector strides(x.dim(), 0);
  if (x.dim() == 0) return strides;
  strides[dim] = 1;
  int64_t step = length;
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
Tensor make_typed_keys(const Tensor& x, int64_t dim, bool descending) {
  using K = SortKey<T>;
  const int64_t length = size_along(x, dim);
  const Tensor keys = empty_on_device({x.numel() / length, length}, sizeof(K) == 4 ? kUInt32 : kLong, x.device());
  const DimVector strides = line_strides(x, dim, length);
  for_each_piece(collapse<2>(x.sizes(), {strides, x.strides()}), [&](const Strided<2>& piece,
                                                                     const int64_t(&first)[2]) {
    start("sort", keys_kernel<T>, {blocks_for(piece.numel)}, stream_of(x),
          reinterpret_cast<K*>(keys.bytes()) + first[0], x.data_ptr<T>() + first[1], descending ? ~K{0} : K{0}, piece);
  });
  return keys;
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

void sort_cuda(Tensors& out, Args in, const SortParams& p) {
  if (out[0].numel() == 0) return;
  const Tensor keys = make_keys(in[0], p.dim, p.descending);
  pick_sorted(out[0], out[1], in[0], p.dim, sort_keys(keys, key_bits(keys)).order);
}

// --- topk -----------------------------------------------------------------------------------------------------------

/// Is it faster to find the k best of each line than to sort the lines? One block takes a line: not if lines are few
/// and long.
bool is_worth_selecting(int64_t lines, int64_t length, int64_t k) {
  return length >= 256 && k <= length / 4 && k <= 4096 && (lines >= 16 || length <= 1 << 16) && length < 1 << 30;
}

/// to[i] = places[order[i]] in lines of k.
__global__ void __launch_bounds__(kThreads)
    compose_kernel(uint32_t* to, const uint32_t* places, const uint32_t* order, int64_t k, int64_t n) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) to[i] = places[i / k * k + order[i]];
}

/// The positions of the k smallest keys of each line, in their order.
Tensor smallest_in_order(const Tensor& keys, int64_t k) {
  const SortedKeys best = smallest_keys(keys, k);
  const Tensor order = sort_keys(best.keys, key_bits(keys)).order;
  const Tensor places = empty_on_device(order.sizes(), kUInt32, order.device());
  start("topk", compose_kernel, {blocks_for(order.numel())}, stream_of(order), places.data_ptr<uint32_t>(),
        best.order.data_ptr<uint32_t>(), order.data_ptr<uint32_t>(), k, order.numel());
  return places;
}

void topk_cuda(Tensors& out, Args in, const TopkParams& p) {
  if (out[0].numel() == 0) return;
  const Tensor keys = make_keys(in[0], p.dim, p.largest);
  const bool selects = is_worth_selecting(keys.sizes()[0], keys.sizes()[1], p.k);
  pick_sorted(out[0], out[1], in[0], p.dim,
              selects ? smallest_in_order(keys, p.k) : sort_keys(keys, key_bits(keys)).order);
}

// --- searchsorted ---------------------------------------------------------------------------------------------------

/// Where `value` belongs among n sorted ones, in the steps of the CPU's kernel: the same among unsorted ones, too.
template <class T>
struct Search {
  const T* sorted;
  int64_t n, step;
  bool right;
  STRATA_HD int64_t find(T value, int64_t row) const {
    const auto key = sort_key(value);
    int64_t low = 0;
    for (int64_t rest = n; rest > 1; rest -= rest / 2) low += is_before(row, low + rest / 2 - 1, key) ? rest / 2 : 0;
    return low + (n > 0 && is_before(row, low, key) ? 1 : 0);
  }
  template <class Key>
  STRATA_HD bool is_before(int64_t row, int64_t i, Key key) const {
    const Key other = sort_key(sorted[row + i * step]);
    return right ? other <= key : other < key;
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

}  // namespace

Tensor make_keys(const Tensor& x, int64_t dim, bool descending) {
  STRATA_CHECK(size_along(x, dim) <= UINT32_MAX, "sort: a dim of {} elements is too long", size_along(x, dim));
  Tensor keys;
  visit_dtype(x.dtype(), [&]<class T>() { keys = make_typed_keys<T>(x, dim, descending); });
  return keys;
}

void pick_sorted(const Tensor& values, const Tensor& indices, const Tensor& x, int64_t dim, const Tensor& order) {
  const DimVector order_strides = line_strides(x, dim, order.sizes()[1]);
  DimVector x_strides = x.strides();
  const int64_t x_step = x.dim() ? std::exchange(x_strides[dim], 0) : 0;
  const Geometry<4> g = collapse<4>(values.sizes(), {values.strides(), indices.strides(), order_strides, x_strides});
  visit_item(item_size(x.dtype()), [&]<class U>() {
    for_each_piece(g, [&](const Strided<4>& piece, const int64_t(&first)[4]) {
      start("sort", pick_kernel<U>, {blocks_for(piece.numel)}, stream_of(x),
            reinterpret_cast<U*>(values.bytes()) + first[0], indices.data_ptr<int64_t>() + first[1],
            order.data_ptr<uint32_t>() + first[2], reinterpret_cast<const U*>(x.bytes()) + first[3], x_step, piece);
    });
  });
}

}  // namespace strata::cuda::indexing
