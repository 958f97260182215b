// How results are written into tensors that the caller gives.
#include "ops/out.h"

#include <algorithm>

#include "core/error.h"
#include "core/grad_mode.h"
#include "core/warning.h"
#include "ops/promote.h"

namespace strata::detail {

namespace {

void prepare(const char* name, const Tensor& out, IntArrayRef sizes, DType dtype) {
  STRATA_CHECK(out.defined(), "{}: the tensor to write to is undefined", name);
  STRATA_CHECK(can_cast(dtype, out.dtype()), "{}: the result is {}, out is {}", name, strata::name(dtype),
               strata::name(out.dtype()));
  if (out.sizes() == sizes) return;
  if (out.numel())
    warn("{}: out has shape {} and gets the result's, {}; give an empty tensor to have it resized silently", name,
         out.sizes(), sizes);
  out.resize_(sizes);
}

}  // namespace

void check_no_gradient(std::string_view name, const Tensor& out, std::initializer_list<const Tensor*> operands) {
  if (!GradMode::is_enabled()) return;
  const auto requires_grad = [](const Tensor* t) { return t->requires_grad(); };
  STRATA_CHECK(!(out.requires_grad() || std::any_of(operands.begin(), operands.end(), requires_grad)),
               "{}: functions with out=... arguments don't support automatic differentiation, but one of the arguments "
               "requires grad",
               name);
}

Tensor& write_out(const char* name, Tensor& out, const Tensor& result) {
  check_no_gradient(name, out, {&result});
  prepare(name, out, result.sizes(), result.dtype());
  return out.copy_(result);
}

}  // namespace strata::detail
