// Checking and fitting gradients that users compute.
#include "autograd/validate.h"

#include "ops/reduce.h"

namespace strata::autograd {
namespace {

bool broadcasts_to(IntArrayRef from, IntArrayRef to) {
  if (from.size() > to.size()) return false;
  const size_t lead = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1 && from[i] != to[lead + i]) return false;
  return true;
}

}  // namespace

TensorKind::TensorKind(const Tensor& t) {
  if (!t.defined()) return;
  sizes = t.sizes();
  dtype = t.dtype();
  device = t.device();
}

Tensor fit_gradient(const Tensor& grad, const TensorKind& input, const std::string& who, size_t i) {
  if (!grad.defined()) return grad;
  STRATA_CHECK(broadcasts_to(input.sizes, grad.sizes()),
               "{}: backward returned an invalid gradient at index {} - got {} but expected shape compatible with {}",
               who, i, grad.sizes(), IntArrayRef(input.sizes));
  STRATA_CHECK(!grad.is_complex() || is_complex(input.dtype), "{}: backward returned a {} gradient for input {} of {}",
               who, name(grad.dtype()), i, name(input.dtype));
  STRATA_CHECK(grad.device() == input.device, "{}: backward returned a gradient on {} for input {} on {}", who,
               grad.device().str(), i, input.device.str());
  const Tensor same = grad.dtype() == input.dtype ? grad : grad.to(input.dtype);
  return same.sizes() == IntArrayRef(input.sizes) ? same : same.sum_to_size(input.sizes);
}

}  // namespace strata::autograd
