// How results are written into tensors that the caller gives.
#include "ops/out.h"

#include <algorithm>
#include <string>
#include <string_view>

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

bool needs_gradient(const Tensor& out, dispatch::Args args) {
  const auto requires_grad = [](const Tensor* t) { return t->requires_grad(); };
  return GradMode::is_enabled() && (out.requires_grad() || std::any_of(args.begin(), args.end(), requires_grad));
}

[[noreturn, gnu::cold]] void refuse_gradient(std::string_view name) {
  STRATA_THROW(
      "{}: functions with out=... arguments don't support automatic differentiation, but one of the arguments requires "
      "grad; call it under NoGradGuard, or take its result",
      name);
}

}  // namespace

void check_no_gradient(const dispatch::Op& op, const Tensor& out, dispatch::Args args) {
  if (needs_gradient(out, args)) refuse_gradient(std::string(op.name()) + "_out");
}

Tensor& write_out(const char* name, Tensor& out, const Tensor& result) {
  if (needs_gradient(out, {&result})) refuse_gradient(name);
  prepare(name, out, result.sizes(), result.dtype());
  return out.copy_(result);
}

}  // namespace strata::detail
