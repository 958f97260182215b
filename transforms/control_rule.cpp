// Rules by op, and what they share.
#include "transforms/control_rule.h"

#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/ternary.h"
#include "ops/view.h"

namespace strata::func::control {

List with_zeros(List tangents, const List& primals, const Mask& mask) {
  for (size_t i = 0; i < tangents.size(); ++i)
    if (mask[i] && !tangents[i].defined()) tangents[i] = zeros_like(primals[i]);
  return tangents;
}

Tensor repeated(const Tensor& t, int64_t size) {
  DimVector sizes = t.sizes();
  sizes.insert(0, size);
  return expand(unsqueeze(t, 0), sizes);
}

Program choosing(const Program& condition, const Program& body, size_t condition_consts, size_t carry) {
  const Types types = joined(slice(input_types(condition), 0, condition_consts), input_types(body));
  const size_t body_consts = body.inputs().size() - carry;
  return program_of(types, [&](const List& given) {
    const List consts = slice(given, 0, condition_consts), now = slice(given, condition_consts + body_consts, carry);
    const Tensor go_on = condition(joined(consts, now))[0];
    List next = body(slice(given, condition_consts, body_consts + carry));
    for (size_t i = 0; i < carry; ++i) {
      DimVector sizes = go_on.sizes();
      while (sizes.size() < next[i].sizes().size()) sizes.push_back(1);
      next[i] = where(sizes.size() == 1 ? go_on : go_on.view(sizes), next[i], now[i]);
    }
    return next;
  });
}

namespace {

/// `f` of the params of an op of control flow.
template <class F>
auto with_params(const Op& op, Params params, const F& f) {
  if (is_cond(op)) return f(params.as<CondParams>());
  if (is_while(op)) return f(params.as<WhileParams>());
  return f(params.as<ScanParams>());
}

}  // namespace

List to_list(Args args) {
  List list;
  list.reserve(args.size());
  for (const Tensor* t : args) list.push_back(*t);
  return list;
}
Tensors to_tensors(List list) {
  Tensors out = Tensors::undefined(list.size());
  for (size_t i = 0; i < list.size(); ++i) out[i] = std::move(list[i]);
  return out;
}

}  // namespace strata::func::control

namespace strata::func::detail {

bool is_one_of_control_flow(const Op& op) {
  return &op == &control::cond_op || &op == &control::while_op || &op == &control::scan_op;
}

std::pair<Tensors, Tensors> control_jvp(const Op& op, Args primals, Args tangents, Params params) {
  control::Duals both = control::with_params(
      op, params, [&](const auto& p) { return jvp(p, control::to_list(primals), control::to_list(tangents)); });
  return {control::to_tensors(std::move(both.primals)), control::to_tensors(std::move(both.tangents))};
}

control::Rule control_rule(const Op& op, Params params, control::Mask wanted) {
  return control::with_params(op, params, [&](const auto& p) { return reverse_rule(p, std::move(wanted)); });
}

}  // namespace strata::func::detail
