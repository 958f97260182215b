// Collectives of tensors in the memory of CUDA devices.
#include "kernels/collective.h"

#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/dense.h"

namespace strata::cuda::collective {
namespace {

struct Cuda {
  static void fill_with_zeros(Tensor& t) { fill_strided(t, 0); }
  static void copy(Tensor& to, const Tensor& from) {
    if (to.data_ptr() != from.data_ptr()) copy_strided(to, from);
  }
};

const strata::collective::Kernels<Cuda, RowMajor> registered(Key::CUDA);

}  // namespace
}  // namespace strata::cuda::collective
