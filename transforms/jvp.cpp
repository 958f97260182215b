// The jvp layer: unzips duals, runs the op on the primals below, and its jvp rule on the tangents.
#include "transforms/jvp.h"

#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/view_def.h"
#include "transforms/control_ops.h"

namespace strata::func {
namespace {

struct Dual final : ValueWrapper {
  Dual(uint64_t level, Tensor primal, Tensor tangent)
      : ValueWrapper(level, std::move(primal)), tangent(std::move(tangent)) {}
  Tensor tangent;
};

}  // namespace

Tensor JvpLayer::dual(const Tensor& primal, const Tensor& tangent) const {
  return tangent.defined() ? make_wrapper(new Dual(level(), primal, tangent), primal) : primal;
}
Tensor JvpLayer::primal(const Tensor& t) const {
  const Dual* const w = wrapper_at<Dual>(t, level());
  return w ? w->value : t;
}
Tensor JvpLayer::tangent(const Tensor& t) const {
  const Dual* const w = wrapper_at<Dual>(t, level());
  return w ? w->tangent : Tensor();
}

Tensors JvpLayer::process(const Op& op, Args args, Params params) {
  Tensors tangents = Tensors::undefined(args.size());
  const ArgList primals = values_at<Dual>(level(), args, [&](size_t i, const Dual& d) { tangents[i] = d.tangent; });
  Tensors out, derivative;
  {
    const Below below(*this);
    if (op.is(kDetaches)) return call(alias_op, primals);  // a constant here, not below
    const ArgList directions(tangents);
    if (detail::is_control_flow(op)) {
      std::tie(out, derivative) = detail::control_jvp(op, primals, directions, params);
    } else {
      out = call(op, primals, params);
      if (op.is(kNotDifferentiable)) return out;
      STRATA_CHECK(op.jvp, "{}: has no forward-mode derivative", op.name());
      derivative = op.jvp({{op, primals, ArgList(out)}, directions}, params.data());
    }
  }
  for (size_t i = 0; i < out.size() && i < derivative.size(); ++i)
    if (out[i].defined() && is_differentiable(out[i].dtype())) out[i] = dual(out[i], derivative[i]);
  return out;
}

namespace detail {

void make_duals(const JvpLayer& layer, const std::vector<Tensor*>& x, const std::vector<Tensor>& t) {
  STRATA_CHECK(x.size() == t.size(), "jvp: {} tensors and {} tangents", x.size(), t.size());
  for (size_t i = 0; i < x.size(); ++i) {
    if (!t[i].defined()) continue;
    refresh(*x[i]);
    refresh(t[i]);
    STRATA_CHECK(x[i]->defined() && is_differentiable(x[i]->dtype()),
                 "jvp: a tangent was given for input {}, which is {}", i,
                 x[i]->defined() ? name(x[i]->dtype()) : "undefined");
    STRATA_CHECK(t[i].sizes() == x[i]->sizes() && t[i].dtype() == x[i]->dtype(),
                 "jvp: input {} is {} of shape {}, its tangent {} of shape {}", i, name(x[i]->dtype()), x[i]->sizes(),
                 name(t[i].dtype()), t[i].sizes());
    *x[i] = layer.dual(*x[i], t[i]);
  }
}

Tensor split_dual(const JvpLayer& layer, Tensor& t) {
  if (!t.defined()) return t;
  const Tensor tangent = layer.tangent(t);
  t = layer.primal(t);
  return tangent.defined() ? tangent : zeros_like(t);
}

}  // namespace detail
}  // namespace strata::func
