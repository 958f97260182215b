// The rules of while_loop: forward mode and batches; reverse mode needs a number of steps.
#include <algorithm>

#include "dispatcher/names.h"
#include "ops/reduce.h"
#include "transforms/control_rule.h"

namespace strata::func::control {
namespace {

/// The operands of a call, or a mask of them, by what they are for.
template <class T>
struct WhileParts {
  std::vector<T> condition, body, carry;
  WhileParts(const WhileParams& p, const std::vector<T>& all)
      : condition(slice(all, 0, static_cast<size_t>(p.condition_consts))),
        body(slice(all, condition.size(), static_cast<size_t>(p.body_consts))),
        carry(slice(all, condition.size() + body.size(), all.size() - condition.size() - body.size())) {}
};

/// Which carried values differ once some operands do.
Mask dependent_carry(const WhileParams& p, const WhileParts<bool>& operands, Paths paths) {
  const Mask inputs = with_dependent_carry(p.body, joined(operands.body, operands.carry), operands.body.size(),
                                           operands.carry.size(), paths);
  return slice(inputs, operands.body.size(), operands.carry.size());
}

}  // namespace

Duals jvp(const WhileParams& p, const List& primals, const List& tangents) {
  Mask given;
  for (const Tensor& t : tangents) given.push_back(t.defined());
  const WhileParts<bool> mask(p, given);
  const WhileParts<Tensor> x(p, primals), t(p, tangents);
  const Mask carried = dependent_carry(p, mask, Paths::differentiable);
  const Mask inputs = joined(mask.body, carried);
  const Program both = jvp_of(p.body, inputs, carried);

  // Of [consts, tangents of consts, carry, tangents of the carry].
  const size_t consts = x.body.size(), carry = x.carry.size(), more = count(mask.body);
  std::vector<size_t> order, outputs;
  for (size_t i = 0; i < both.inputs().size(); ++i) order.push_back(i);
  std::rotate(order.begin() + static_cast<std::ptrdiff_t>(consts),
              order.begin() + static_cast<std::ptrdiff_t>(consts + carry),
              order.begin() + static_cast<std::ptrdiff_t>(consts + carry + more));
  WhileParams dual = p;
  dual.body = reordered(both, order, outputs);
  dual.body_consts += static_cast<int64_t>(more);
  dual.condition = with_unused_inputs(p.condition, p.condition.inputs().size(), masked(types_of(x.carry), carried));

  const List out = run(dual, joined(x.condition, x.body, masked(t.body, mask.body), x.carry,
                                    masked(with_zeros(t.carry, x.carry, carried), carried)));
  return {slice(out, 0, carry), spread_over(slice(out, carry, out.size() - carry), carried)};
}

List batch(const WhileParams& p, const dispatch::Batch& c) {
  const WhileParts<bool> mask(p, Mask(c.is_batched, c.is_batched + c.arity()));
  const WhileParts<Tensor> x(p, to_list(c.inputs));
  const MappedDim axis{c.size, c.axis};
  Mask carried = dependent_carry(p, mask, Paths::all);
  const bool is_choice = dependent_outputs(p.condition, joined(mask.condition, carried), Paths::all)[0];
  if (is_choice) carried.assign(carried.size(), true);

  WhileParams mapped = p;
  mapped.condition = vmap_of(p.condition, joined(mask.condition, carried), {is_choice}, axis);
  mapped.body = vmap_of(p.body, joined(mask.body, carried), carried, axis);
  List consts = x.body;
  if (is_choice) {
    mapped.body = choosing(mapped.condition, mapped.body, x.condition.size(), carried.size());
    mapped.condition = program_of(input_types(mapped.condition),
                                  [one = mapped.condition](const List& inputs) { return List{one(inputs)[0].any()}; });
    mapped.body_consts += p.condition_consts;
    consts = joined(x.condition, x.body);
  }
  List carry = x.carry;
  for (size_t i = 0; i < carry.size(); ++i)
    if (carried[i] && !mask.carry[i]) carry[i] = repeated(carry[i], c.size);
  List out = run(mapped, joined(x.condition, consts, carry));
  for (size_t i = 0; i < out.size(); ++i)
    if (!carried[i]) out[i] = repeated(out[i], c.size);
  return out;
}

namespace {

class WhileRule final : public ReverseRule {
 public:
  explicit WhileRule(const WhileParams& p) : params_(p) {}
  std::string name() const override { return "while_loop"; }
  Forward forward_with_residuals(const List& inputs) const override { return {run(params_, inputs), {}, nullptr}; }
  List backward(const Forward&, const List&) const override {
    STRATA_THROW(
        "while_loop: inside trace it has no reverse mode, since nobody knows how many steps to keep; use scan, or "
        "fori_loop with C++ integers as its bounds (forward mode, jvp, works)");
  }

 private:
  const WhileParams params_;
};

}  // namespace

Rule reverse_rule(const WhileParams& p, Mask wanted) {
  const WhileParts<bool> mask(p, wanted);
  if (count(dependent_carry(p, mask, Paths::differentiable)) == 0) return nullptr;
  return std::make_shared<WhileRule>(p);
}

}  // namespace strata::func::control
