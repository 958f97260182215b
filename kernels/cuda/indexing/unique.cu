// The CUDA kernel of unique: sorts, then numbers the runs of equal elements.
#include "dispatcher/kernel.h"
#include "kernels/cuda/common/ranks.cuh"
#include "kernels/cuda/indexing/sort_lines.h"
#include "kernels/visit_item.h"
#include "ops/sort_def.h"

namespace strata::cuda::indexing {
namespace {

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
  const auto long_tensor = [&](int64_t size) { return empty_on_device({size}, kLong, x.device()); };
  const Differs<K> differs{reinterpret_cast<const K*>(sorted.keys.bytes()), x.is_floating_point()};
  const Ranks ranks(unique_op.name(), differs, n, x);
  const int64_t runs = ranks.count();
  const Tensor values = empty_on_device({runs}, x.dtype(), x.device()), starts = long_tensor(runs);
  const Tensor inverse = long_tensor(n), counts = long_tensor(runs);
  visit_item(item_size(x.dtype()), [&]<class U>() {
    ranks.visit(WriteDistinct<U>{reinterpret_cast<U*>(values.bytes()), starts.data_ptr<int64_t>(),
                                 inverse.data_ptr<int64_t>(), reinterpret_cast<const U*>(x.bytes()), x.strides()[0],
                                 sorted.order.data_ptr<uint32_t>()});
  });
  if (runs > 0)
    start(unique_op.name(), lengths_kernel, {blocks_for(runs)}, stream_of(x), counts.data_ptr<int64_t>(),
          starts.data_ptr<int64_t>(), runs, n);
  return {values, inverse, counts};
}

void unique_cuda(Tensors& out, Args in, const NoParams&) {
  const Tensor& x = in[0];
  const auto none = [&](DType dtype) { return empty_on_device({0}, dtype, x.device()); };
  if (x.numel() == 0) {
    out = Tensors{none(x.dtype()), none(kLong), none(kLong)};
    return;
  }
  const Tensor keys = make_keys(x, 0, false);
  const SortedKeys sorted = sort_keys(keys, key_bits(keys));
  out = sorted.keys.dtype() == kLong ? unique_of<uint64_t>(x, sorted) : unique_of<uint32_t>(x, sorted);
}

STRATA_KERNEL(unique_op, CUDA, unique_cuda);

}  // namespace
}  // namespace strata::cuda::indexing
