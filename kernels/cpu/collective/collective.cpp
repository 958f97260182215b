// Collectives of tensors in the host's memory.
#include "kernels/collective.h"

#include <cstring>

#include "kernels/cpu/common/dense.h"

namespace strata::cpu::collective {
namespace {

struct Host {
  static void fill_with_zeros(Tensor& t) {
    if (t.nbytes() > 0) std::memset(t.data_ptr(), 0, t.nbytes());
  }
  static void copy(Tensor& to, const Tensor& from) {
    if (to.nbytes() > 0 && to.data_ptr() != from.data_ptr()) std::memcpy(to.data_ptr(), from.data_ptr(), to.nbytes());
  }
};

const strata::collective::Kernels<Host, RowMajor> registered(Key::CPU);

}  // namespace
}  // namespace strata::cpu::collective
