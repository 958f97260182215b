// The checks that grad and vjp make.
#include "transforms/grad.h"

#include "ops/creation.h"
#include "ops/promote.h"
#include "transforms/vjp.h"

namespace strata::func::detail {

Tensor to_tensor(const Scalar& number) { return scalar_tensor(number, TensorOptions(result_type(number, number))); }

void check_loss(const Tensor& t, const char* who) {
  STRATA_CHECK(t.defined() && t.dim() == 0,
               "{}: the function must return a scalar, it returned shape {}: reduce it with sum() or mean(), or use "
               "jacrev",
               who, t.defined() ? t.sizes() : IntArrayRef());
  STRATA_CHECK(!t.is_complex(), "{}: the function must return a real scalar, it returned {}; use vjp, or a real part",
               who, name(t.dtype()));
  STRATA_CHECK(t.is_floating_point(), "{}: the function must return a floating point scalar, it returned {}", who,
               name(t.dtype()));
}

void check_cotangents(size_t given, size_t outputs) {
  STRATA_CHECK(given == outputs, "vjp: {} cotangents for {} outputs", given, outputs);
}

void fail_no_argument(const char* who, int64_t argnum, size_t arguments) {
  STRATA_THROW("{}: argnums has {}, the function was called with {} arguments", who, argnum, arguments);
}
void fail_argument_type(const char* who, int64_t argnum) {
  STRATA_THROW("{}: argument {} has another type than argument 0: name it at compile time, {}<{}>(f)", who, argnum, who,
               argnum);
}
void check_aux(const char* who, bool wanted, bool returned) {
  STRATA_CHECK(wanted || !returned,
               "{}: the function returned a pair: say .has_aux = true if the second is not to be differentiated", who);
  STRATA_CHECK(!wanted || returned, "{}: has_aux is set, but the function did not return a pair of loss and aux", who);
}

}  // namespace strata::func::detail
