// Control flow without what nobody reads: outputs, values that are carried for them alone, and operands.
#include <algorithm>

#include "dispatcher/names.h"
#include "transforms/control_programs.h"
#include "transforms/control_rule.h"

namespace strata::func::control {
namespace {

using Variable = Program::Variable;

Program with_outputs(const Program& p, const Mask& kept) {
  Program::Body body = p.body();
  body.outputs = masked(body.outputs, kept);
  return Program(std::move(body));
}
Program with_inputs(const Program& p, const Mask& kept) {
  Program::Body body = p.body();
  body.inputs = masked(body.inputs, kept);
  return Program(std::move(body));
}
Mask either(Mask a, const Mask& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
  return a;
}

void drop(Program::Equation& e, Params params, const Mask& inputs, const Mask& outputs) {
  e.params = OwnedParams(params);
  e.inputs = masked(e.inputs, inputs);
  e.outputs = masked(e.outputs, outputs);
}

void drop_dead(Program::Equation& e, CondParams p, const Mask& live) {
  Mask read(e.inputs.size() - 1);
  for (Program& b : p.branches) {
    b = with_outputs(b, live);
    read = either(read, inputs_read(b));
  }
  for (Program& b : p.branches) b = with_inputs(b, read);
  drop(e, Params::of(p), joined(Mask{true}, read), live);
}

/// The inputs that a program reads for some of its outputs, those of equations whose outputs are partly wanted all
/// counted. Programs inside are not cut for it, which would take exponentially long in their depth.
Mask inputs_read_for(const Program& p, const Mask& outputs) {
  std::vector<bool> live(p.body().types.size());
  const auto mark = [&](Variable v) {
    if (v != Program::kNone) live[v] = true;
  };
  const auto is_live = [&](Variable v) { return live[v]; };
  const std::vector<Variable> wanted = masked(p.outputs(), outputs);
  std::for_each(wanted.begin(), wanted.end(), mark);
  for (size_t i = p.equations().size(); i-- > 0;) {
    const Program::Equation& e = p.equations()[i];
    if (std::any_of(e.outputs.begin(), e.outputs.end(), is_live) || has_side_effects(e))
      std::for_each(e.inputs.begin(), e.inputs.end(), mark);
  }
  Mask read;
  for (Variable v : p.inputs()) read.push_back(v != Program::kNone && live[v]);
  return read;
}

/// The carried values that are live, or that a step reads to make those that are; `outputs` says which outputs of the
/// body they need, the carry first.
Mask needed_carry(const Program& body, size_t first, Mask carry, const Mask& others) {
  for (;;) {
    const Mask read = slice(inputs_read_for(body, joined(carry, others)), first, carry.size());
    Mask grown = either(carry, read);
    if (grown == carry) return carry;
    carry = std::move(grown);
  }
}

void drop_dead(Program::Equation& e, ScanParams p, const Mask& live) {
  const auto consts = static_cast<size_t>(p.consts), carry = static_cast<size_t>(p.carry);
  const Mask ys = slice(live, carry, live.size() - carry);
  const Mask kept = needed_carry(p.body, consts, slice(live, 0, carry), ys);
  p.body = with_outputs(p.body, joined(kept, ys));
  Mask inputs = inputs_read(p.body);
  std::copy(kept.begin(), kept.end(), inputs.begin() + p.consts);
  p.body = with_inputs(p.body, inputs);
  p.consts = static_cast<int64_t>(count(slice(inputs, 0, consts)));
  p.carry = static_cast<int64_t>(count(kept));
  drop(e, Params::of(p), inputs, joined(kept, ys));
}

void drop_dead(Program::Equation& e, WhileParams p, const Mask& live) {
  const auto tested = static_cast<size_t>(p.condition_consts), consts = static_cast<size_t>(p.body_consts);
  const Mask read = inputs_read(p.condition);
  const Mask kept = needed_carry(p.body, consts, either(live, slice(read, tested, live.size())), {});
  p.body = with_outputs(p.body, kept);
  const Mask body_consts = slice(inputs_read(p.body), 0, consts), condition_consts = slice(read, 0, tested);
  p.condition = with_inputs(p.condition, joined(condition_consts, kept));
  p.body = with_inputs(p.body, joined(body_consts, kept));
  p.condition_consts = static_cast<int64_t>(count(condition_consts));
  p.body_consts = static_cast<int64_t>(count(body_consts));
  drop(e, Params::of(p), joined(condition_consts, body_consts, kept), kept);
}

}  // namespace

void drop_dead_outputs(Program::Equation& e, const Mask& live) {
  if (count(live) == live.size()) return;
  const Params params = e.params;
  if (is_cond(*e.op)) return drop_dead(e, params.as<CondParams>(), live);
  if (is_while(*e.op)) return drop_dead(e, params.as<WhileParams>(), live);
  drop_dead(e, params.as<ScanParams>(), live);
}

}  // namespace strata::func::control
