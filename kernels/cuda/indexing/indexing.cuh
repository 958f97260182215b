// Moving elements between a tensor and places that index tensors name: what gather, scatter, index and index_put share.
#pragma once
#include <algorithm>
#include <vector>

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/runtime/index_error.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_item.h"

namespace strata::cuda::indexing {

/// Index tensors of one call.
inline constexpr int kMostIndices = 8;

/// The indexed dims of a tensor x: one index tensor for each, all of one layout.
struct IndexedDims {
  int count = 0;
  int64_t first_dim = 0;
  bool wrap = false;
  IndexErrors errors{};
  const int64_t* data[kMostIndices] = {};
  int64_t sizes[kMostIndices] = {}, strides[kMostIndices] = {};  ///< of x

#if defined(__CUDACC__) || defined(STRATA_CUDA_EMULATOR)
  /// What the indices at `place` add to an offset in x; -1 where one is out of range.
  __device__ int64_t offset(int64_t place) const {
    int64_t sum = 0;
    STRATA_UNROLL
    for (int k = 0; k < kMostIndices; ++k) {
      if (k == count) break;
      const int64_t at = errors.checked(data[k][place], first_dim + k, sizes[k], wrap);
      if (at < 0) return -1;
      sum += at * strides[k];
    }
    return sum;
  }
#endif
  /// More than the largest offset.
  int64_t limit() const {
    int64_t sum = 1;
    for (int k = 0; k < count; ++k) sum += std::max<int64_t>(0, sizes[k] - 1) * strides[k];
    return sum;
  }
  IndexedDims from(int64_t place) const {
    IndexedDims d = *this;
    for (int k = 0; k < count; ++k) d.data[k] += place;
    return d;
  }
};

/// What a call moves: the elements beside x ("rows"), those of x at index 0, and the index, all walked together.
struct IndexedMove {
  static constexpr int kRows = 0, kX = 1, kIndex = 2;
  char *rows, *x;
  size_t item;
  Geometry<3> walk;
  IndexedDims dims;
  std::vector<Tensor> holders;  ///< keep copies of indices alive
};

/// gather and scatter: element i of `rows` belongs at i in x, but at index[i] along `dim`.
inline IndexedMove move_along(const Tensor& x, const Tensor& index, const Tensor& rows, int64_t dim,
                              const char* error) {
  IndexedMove m{rows.bytes(), x.bytes(), item_size(x.dtype()), {}, {}, {}};
  m.dims.count = 1;
  m.dims.first_dim = dim;
  m.dims.errors = index_errors(x, error);
  m.dims.data[0] = index.data_ptr<int64_t>();
  m.dims.sizes[0] = x.sizes()[dim];
  m.dims.strides[0] = x.strides()[dim];
  DimVector x_strides = x.strides();
  x_strides[dim] = 0;
  m.walk = collapse<3>(index.sizes(), {rows.strides(), x_strides, index.strides()});
  return m;
}

/// Sizes and strides of three tensors dim by dim.
struct Walk3 {
  DimVector sizes, strides[3];
  void add(IntArrayRef s, IntArrayRef a, IntArrayRef b, IntArrayRef c) {
    const auto push = [&](DimVector& to, IntArrayRef from, size_t d) { to.push_back(from.empty() ? 0 : from[d]); };
    for (size_t d = 0; d < s.size(); ++d) {
      sizes.push_back(s[d]);
      push(strides[0], a, d), push(strides[1], b, d), push(strides[2], c, d);
    }
  }
  Geometry<3> collapsed() const { return collapse<3>(sizes, {strides[0], strides[1], strides[2]}); }
};

/// The indices of inputs `from` on, which stand for dims `first` on of x.
inline void set_indices(IndexedMove& m, const Tensor& x, Args in, size_t from, int64_t first, bool wrap,
                        const char* error) {
  m.dims.count = static_cast<int>(in.size() - from);
  STRATA_CHECK(m.dims.count <= kMostIndices, "index: {} index tensors on a CUDA device, which takes {}", m.dims.count,
               kMostIndices);
  m.dims.first_dim = first;
  m.dims.wrap = wrap;
  m.dims.errors = index_errors(x, error);
  for (int k = 0; k < m.dims.count; ++k) {
    m.holders.push_back(row_major(in[from + static_cast<size_t>(k)]));
    m.dims.data[k] = m.holders.back().data_ptr<int64_t>();
    m.dims.sizes[k] = x.sizes()[static_cast<size_t>(first) + static_cast<size_t>(k)];
    m.dims.strides[k] = x.strides()[static_cast<size_t>(first) + static_cast<size_t>(k)];
  }
}

/// index and index_put: dims of x from `first` on are replaced by those of the indices, inputs `from` on.
inline IndexedMove move_at(const Tensor& x, Args in, size_t from, const Tensor& rows, int64_t first, bool wrap,
                           const char* error) {
  IndexedMove m{rows.bytes(), x.bytes(), item_size(x.dtype()), {}, {}, {}};
  set_indices(m, x, in, from, first, wrap, error);
  const IntArrayRef sizes = in[from].sizes(), row_strides = rows.strides();
  const size_t outer = static_cast<size_t>(first), indexed = static_cast<size_t>(m.dims.count);
  const DimVector index_strides = contiguous_strides(sizes);
  Walk3 walk;
  walk.add(x.sizes().slice(0, outer), row_strides.slice(0, outer), x.strides().slice(0, outer), {});
  walk.add(sizes, row_strides.slice(outer, sizes.size()), {}, index_strides);
  walk.add(x.sizes().slice(outer + indexed), row_strides.slice(outer + sizes.size()),
           x.strides().slice(outer + indexed), {});
  m.walk = walk.collapsed();
  return m;
}

/// Counts in elements of up to 16 bytes where several neighbours have one index and lie in a row on both sides.
inline void widen(IndexedMove& m) {
  Geometry<3>& g = m.walk;
  const auto fits = [&](int64_t factor) {
    if (g.rank == 0 || g.sizes[0] % factor != 0 || g.strides[0][IndexedMove::kIndex] != 0) return false;
    const size_t bytes = m.item * static_cast<size_t>(factor);
    if (!is_aligned(m.rows, bytes) || !is_aligned(m.x, bytes)) return false;
    for (int k : {IndexedMove::kRows, IndexedMove::kX}) {
      if (g.strides[0][k] != 1) return false;
      for (int d = 1; d < g.rank; ++d)
        if (g.strides[d][k] % factor != 0) return false;
    }
    return std::all_of(m.dims.strides, m.dims.strides + m.dims.count, [&](int64_t s) { return s % factor == 0; });
  };
  for (int64_t factor = 16 / static_cast<int64_t>(m.item); factor > 1; factor /= 2) {
    if (!fits(factor)) continue;
    g.sizes[0] /= factor;
    for (int k : {IndexedMove::kRows, IndexedMove::kX})
      for (int d = 1; d < g.rank; ++d) g.strides[d][k] /= factor;
    for (int k = 0; k < m.dims.count; ++k) m.dims.strides[k] /= factor;
    m.item *= static_cast<size_t>(factor);
    return;
  }
}

#if defined(__CUDACC__) || defined(STRATA_CUDA_EMULATOR)

/// What is done with an element of rows and the one of x; `x` is null where an index is out of range.
struct ReadX {
  template <class U>
  static __device__ void run(U& row, const U* x) {
    row = x ? *x : U{};
  }
};
struct WriteX {
  template <class U>
  static __device__ void run(const U& row, U* x) {
    if (x) *x = row;
  }
};

template <class Action, class U>
__global__ void __launch_bounds__(kThreads) move_kernel(U* rows, U* x, Strided<3> walk, IndexedDims dims) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<3> at = walk.at(i);
  const int64_t offset = dims.offset(at[IndexedMove::kIndex]);
  Action::run(rows[at[IndexedMove::kRows]], offset < 0 ? nullptr : x + at[IndexedMove::kX] + offset);
}

/// Runs the action on all elements, as of type U.
template <class Action, class U>
void run_move(std::string_view op, const IndexedMove& m, cudaStream_t stream) {
  for_each_piece(m.walk, [&](const Strided<3>& piece, const int64_t(&first)[3]) {
    start(op, move_kernel<Action, U>, {blocks_for(piece.numel)}, stream,
          reinterpret_cast<U*>(m.rows) + first[IndexedMove::kRows], reinterpret_cast<U*>(m.x) + first[IndexedMove::kX],
          piece, m.dims.from(first[IndexedMove::kIndex]));
  });
}

/// The same for actions that only move bits.
template <class Action>
void move_bits(std::string_view op, IndexedMove m, cudaStream_t stream) {
  widen(m);
  visit_wide_item(m.item, [&]<class U>() { run_move<Action, U>(op, m, stream); });
}

#endif

}  // namespace strata::cuda::indexing
