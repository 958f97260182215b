// Reading one value out of a tensor.
#include "core/cuda_backend.h"
#include "core/tensor.h"
#include "dispatcher/call.h"
#include "ops/view_def.h"

namespace strata {

Scalar Tensor::item() const {
  STRATA_CHECK(defined(), "item: undefined tensor");
  STRATA_CHECK(numel() == 1,
               "item: a tensor of shape {} with {} elements cannot be converted to Scalar; it has to have one", sizes(),
               numel());
  const bool outdated =
      impl_->wrapper() ? impl_->wrapper()->view != nullptr : impl_->base() && impl_->base()->wrapper();
  if (outdated) call1(alias_op, {this});  // a call makes views anew whose base was written to inside a transform
  if (impl_->wrapper()) return share(impl_->wrapper()->concrete("item")).item();
  if (is_cuda()) cuda::refuse_capture("item");
  const Tensor here = is_cpu() ? *this : cpu();
  return visit_stored_dtype(dtype(), [&]<class T>() { return Scalar(*here.data_ptr<T>()); });
}

}  // namespace strata
