// Methods and functions of libtorch that are made of others.
#include "ops/aliases.h"

#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/view.h"

namespace strata {
namespace {

/// Gives `self` the geometry of a view of it. A view of something else becomes that view, whose history is known.
Tensor& reshaped_in_place(Tensor& self, const Tensor& view, const char* op) {
  STRATA_CHECK(!self.requires_grad() && self.has_storage(),
               "{}: the shape of a tensor that requires grad or stands inside a transform cannot change in place", op);
  if (self.is_view()) return self = view;
  self.impl()->set_geometry(view.sizes(), view.strides(), view.storage_offset());
  return self;
}

}  // namespace

Tensor trace(const Tensor& x) {
  STRATA_CHECK(x.dim() == 2, "trace: expected a matrix, got shape {}", x.sizes());
  return sum(diagonal(x));
}
std::vector<Tensor> where(const Tensor& condition) { return unbind(nonzero(condition), 1); }

Tensor Tensor::numpy_T() const {
  DimVector reversed;
  for (int64_t d = dim(); d-- > 0;) reversed.push_back(d);
  return permute(reversed);
}
Tensor Tensor::squeeze(IntArrayRef dims) const { return strata::squeeze(*this, dims); }
Tensor& Tensor::unsqueeze_(int64_t d) { return reshaped_in_place(*this, unsqueeze(d), "unsqueeze_"); }
Tensor& Tensor::squeeze_() { return reshaped_in_place(*this, squeeze(), "squeeze_"); }
Tensor& Tensor::squeeze_(int64_t d) { return reshaped_in_place(*this, squeeze(d), "squeeze_"); }
Tensor& Tensor::transpose_(int64_t a, int64_t b) { return reshaped_in_place(*this, transpose(a, b), "transpose_"); }
Tensor& Tensor::t_() { return reshaped_in_place(*this, t(), "t_"); }
Tensor Tensor::median() const { return strata::median(*this); }
std::tuple<Tensor, Tensor> Tensor::median(int64_t d, bool keepdim) const { return strata::median(*this, d, keepdim); }
std::tuple<Tensor, Tensor> Tensor::kthvalue(int64_t k, int64_t d, bool keepdim) const {
  return strata::kthvalue(*this, k, d, keepdim);
}
Tensor Tensor::addbmm(const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) const {
  return strata::addbmm(*this, a, b, beta, alpha);
}
Tensor Tensor::trace() const { return strata::trace(*this); }
Tensor& Tensor::fill_diagonal_(const Scalar& value) {
  diagonal().fill_(value);
  return *this;
}
Tensor Tensor::select_scatter(const Tensor& source, int64_t d, int64_t index) const {
  return strata::select_scatter(*this, source, d, index);
}
bool Tensor::is_signed() const {
  return is_differentiable(dtype()) || (is_integral(dtype()) && dtype() != kByte && dtype() != kUInt32);
}

}  // namespace strata
