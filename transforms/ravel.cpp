// Joining tensors into a vector and cutting it up again.
#include "transforms/ravel.h"

#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::tree::detail {

Tensor ravel_list(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> flat;
  for (const Tensor& t : tensors) {
    STRATA_CHECK(t.dtype() == tensors[0].dtype(), "tree::ravel: the tensors are {} and {}", name(tensors[0].dtype()),
                 name(t.dtype()));
    flat.push_back(t.reshape({-1}));
  }
  STRATA_CHECK(!flat.empty(), "tree::ravel: the nest holds no tensor");
  return cat(flat);
}

std::vector<Tensor> unravel_list(const Tensor& flat, const std::vector<Tensor>& like) {
  std::vector<Tensor> tensors;
  int64_t start = 0;
  for (const Tensor& t : like) {
    STRATA_CHECK(flat.dim() == 1 && start + t.numel() <= flat.size(0),
                 "tree::ravel: a vector of shape {} does not fill the nest", flat.sizes());
    tensors.push_back(flat.narrow(0, start, t.numel()).reshape(t.sizes()));
    start += t.numel();
  }
  return tensors;
}

}  // namespace strata::tree::detail
