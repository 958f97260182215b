// The CUDA kernel that finds the elements that are not zero.
#include <limits>

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/ranks.cuh"
#include "kernels/visit_item.h"
#include "ops/indexing_def.h"

namespace strata::cuda::indexing {
namespace {

/// Elements of which a bit of the mask is set: for floats all but the sign, since -0 is zero.
template <class U>
struct HasBits {
  const U* x;
  U mask;
  STRATA_HD bool operator()(int64_t i) const { return (x[i] & mask) != 0; }
};

/// Complex numbers that are not 0.
template <class T>
struct IsNotZero {
  const T* x;
  STRATA_HD bool operator()(int64_t i) const { return x[i] != T(); }
};

/// Writes the coordinates of picked elements.
struct WritePosition {
  int64_t* to;
  int dims;
  int64_t sizes[kMaxDims];
  STRATA_HD void operator()(int64_t i, bool picked, int64_t rank) const {
    if (!picked) return;
    for (int d = dims; d-- > 0; i /= sizes[d]) to[rank * dims + d] = i % sizes[d];
  }
};

/// The positions, (count, dims), of the elements that `pick` picks.
template <class Pick>
Tensor positions(const Tensor& x, const Pick& pick) {
  const Ranks ranks(nonzero_op.name(), pick, x.numel(), x);
  const Tensor found = empty_on_device({ranks.count(), x.dim()}, kLong, x.device());
  WritePosition write{found.data_ptr<int64_t>(), static_cast<int>(x.dim()), {}};
  std::copy(x.sizes().begin(), x.sizes().end(), write.sizes);
  if (found.numel() > 0) ranks.visit(write);
  return found;
}

void nonzero_cuda(Tensors& out, Args in, const NoParams&) {
  const Tensor x = row_major(in[0]);
  if (is_complex(x.dtype()))
    return visit_complex(x.dtype(), [&]<class T>() { out = Tensors(positions(x, IsNotZero<T>{x.data_ptr<T>()})); });
  visit_item(item_size(x.dtype()), [&]<class U>() {
    const U mask = x.is_floating_point() ? std::numeric_limits<U>::max() >> 1 : std::numeric_limits<U>::max();
    out = Tensors(positions(x, HasBits<U>{reinterpret_cast<const U*>(x.bytes()), mask}));
  });
}

STRATA_KERNEL(nonzero_op, CUDA, nonzero_cuda);

}  // namespace
}  // namespace strata::cuda::indexing
