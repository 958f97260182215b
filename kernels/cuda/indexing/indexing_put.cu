// CUDA kernels that write or add elements at indexed places.
#include "core/deterministic.h"
#include "kernels/cuda/indexing/indexing.cuh"
#include "kernels/cuda/indexing/indexing_sorted.h"
#include "ops/indexing_def.h"

namespace strata::cuda::indexing {
namespace {

/// Brings x into `out`, unless they are the same memory.
void copy_base(const Tensor& out, const Tensor& x) {
  if (out.bytes() != x.bytes()) copy_strided(out, x);
}

/// Adds in any order, which gives integers the same sum in every run, but not floats.
struct AddX {
  template <class T>
  static __device__ void run(const T& row, T* x) {
    if (!x) return;
    if constexpr (kIsComplex<T>) {
      atomicAdd(&x->real_, row.real());
      atomicAdd(&x->imag_, row.imag());
    } else if constexpr (std::is_same_v<T, int64_t>) {
      atomicAdd(reinterpret_cast<unsigned long long*>(x), static_cast<unsigned long long>(row));
    } else {
      atomicAdd(x, row);
    }
  }
};

/// Sums of this dtype are best taken in any order.
bool adds_in_any_order(DType t) {
  if (t == kInt || t == kUInt32 || t == kLong) return true;
  return (t == kFloat || t == kDouble || is_complex(t)) && !are_deterministic_algorithms_enabled();
}

void add_in_any_order(std::string_view op, const IndexedMove& m, DType dtype, cudaStream_t stream) {
  if (is_complex(dtype)) return visit_complex(dtype, [&]<class T>() { run_move<AddX, T>(op, m, stream); });
  if (dtype == kFloat) return run_move<AddX, float>(op, m, stream);
  if (dtype == kDouble) return run_move<AddX, double>(op, m, stream);
  if (dtype == kInt) return run_move<AddX, int>(op, m, stream);
  if (dtype == kUInt32) return run_move<AddX, unsigned>(op, m, stream);
  run_move<AddX, int64_t>(op, m, stream);
}

/// The place of an index, in row-major order of the indices: its offset in x, or `limit`.
__global__ void __launch_bounds__(kThreads)
    index_places_kernel(int64_t* places, int64_t x_first, Strided<3> walk, IndexedDims dims, int64_t limit) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= walk.numel) return;
  const Offsets<3> at = walk.at(i);
  const int64_t offset = dims.offset(at[IndexedMove::kIndex]);
  places[at[IndexedMove::kRows]] = offset < 0 ? limit : x_first + at[IndexedMove::kX] + offset;
}

/// The places of `count` indices; `walk` leads through the places, x and the index.
Tensor make_places(std::string_view op, const Geometry<3>& walk, const IndexedDims& dims, int64_t count, int64_t limit,
                   const Tensor& like) {
  const Tensor places = empty_on_device({1, count}, kLong, like.device());
  for_each_piece(walk, [&](const Strided<3>& piece, const int64_t(&first)[3]) {
    start(op, index_places_kernel, {blocks_for(piece.numel)}, stream_of(like),
          places.data_ptr<int64_t>() + first[IndexedMove::kRows], first[IndexedMove::kX], piece,
          dims.from(first[IndexedMove::kIndex]), limit);
  });
  return places;
}

void write_sorted(const SortedWrites& w, bool accumulate) { accumulate ? add_sorted(w) : put_sorted(w); }

void scatter_sorted(const Tensor& y, const Tensor& index, const Tensor& source, const ScatterParams& p,
                    const IndexedMove& m) {
  DimVector y_strides = y.strides();
  y_strides[p.dim] = 0;
  const Geometry<3> walk = collapse<3>(index.sizes(), {contiguous_strides(index.sizes()), y_strides, index.strides()});
  const int64_t limit = m.dims.limit() + walk.extent(IndexedMove::kX);
  const Tensor values = row_major(source);
  const Tensor places = make_places(scatter_op.name(), walk, m.dims, index.numel(), limit, y);
  write_sorted({scatter_op.name(), y, values, places, limit, {}, 1}, p.accumulate);
}

void scatter_cuda(Tensors& out, Args in, const ScatterParams& p) {
  const Tensor &y = out[0], &index = in[1], &source = in[2];
  copy_base(y, in[0]);
  if (index.numel() == 0) return;
  const cudaStream_t stream = stream_of(y);
  IndexedMove m =
      move_along(y, index, source, p.dim, "scatter: index {} is out of bounds for dimension {} with size {}");
  if (p.accumulate && adds_in_any_order(y.dtype())) return add_in_any_order(scatter_op.name(), m, y.dtype(), stream);
  if (p.accumulate || are_deterministic_algorithms_enabled()) return scatter_sorted(y, index, source, p, m);
  move_bits<WriteX>(scatter_op.name(), std::move(m), stream);
}

/// Walks all dims of y but the indexed ones: in y, and in row-major values of shape (outer..., count, inner...).
Geometry<2> around_indices(const Tensor& y, int64_t first, int64_t indexed, int64_t count) {
  const size_t outer = static_cast<size_t>(first), behind = static_cast<size_t>(first + indexed);
  DimVector sizes(y.sizes().slice(0, outer)), y_strides(y.strides().slice(0, outer));
  sizes.push_back(count);
  y_strides.push_back(0);
  for (size_t d = behind; d < y.sizes().size(); ++d) {
    sizes.push_back(y.sizes()[d]);
    y_strides.push_back(y.strides()[d]);
  }
  const DimVector value_strides = contiguous_strides(sizes);
  sizes[outer] = 1;  // the indices have a walk of their own
  return collapse<2>(sizes, {y_strides, value_strides});
}

void index_put_sorted(const Tensor& y, const Tensor& rows, const Tensor& index, const IndexPutParams& p,
                      const IndexedDims& dims) {
  const int64_t count = index.numel(), limit = dims.limit();
  int64_t inner = 1;
  for (int64_t n : y.sizes().slice(static_cast<size_t>(p.first + dims.count))) inner *= n;
  const Geometry<3> walk = collapse<3>({count}, {{1}, {0}, {1}});
  const Tensor values = row_major(rows);
  const Tensor places = make_places(index_put_op.name(), walk, dims, count, limit, y);
  const Geometry<2> rest = around_indices(y, p.first, dims.count, count);
  write_sorted({index_put_op.name(), y, values, places, limit, rest, inner}, p.accumulate);
}

void index_put_cuda(Tensors& out, Args in, const IndexPutParams& p) {
  const Tensor &y = out[0], &values = in[1];
  copy_base(y, in[0]);
  if (values.numel() == 0) return;
  IndexedMove m =
      move_at(y, in, 2, values, p.first, p.wrap, "index_put: index {} is out of bounds for dimension {} with size {}");
  if (p.accumulate || are_deterministic_algorithms_enabled()) return index_put_sorted(y, values, in[2], p, m.dims);
  move_bits<WriteX>(index_put_op.name(), std::move(m), stream_of(y));
}

STRATA_KERNEL(scatter_op, CUDA, scatter_cuda);
STRATA_KERNEL(index_put_op, CUDA, index_put_cuda);

}  // namespace
}  // namespace strata::cuda::indexing
