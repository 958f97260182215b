// Making a program of recorded equations, and running it.
#include "transforms/program.h"

#include <algorithm>
#include <map>
#include <optional>

#include "autograd/meta.h"
#include "dispatcher/names.h"
#include "transforms/control_ops.h"
#include "transforms/program_field.h"

namespace strata::func {
namespace {

using Variable = Program::Variable;
/// Keeps the equations that an output needs, those that draw, and those that other ranks wait for.
void drop_dead(Program::Body& body) {
  std::vector<bool> live(body.types.size() + 1);  // the last one is kNone's
  const auto mark = [&](const std::vector<Variable>& list) {
    for (Variable v : list) live[v == Program::kNone ? body.types.size() : v] = true;
  };
  const auto any_live = [&](const std::vector<Variable>& list) {
    for (Variable v : list)
      if (live[v]) return true;
    return false;
  };
  const auto live_of = [&](const std::vector<Variable>& list) {
    std::vector<bool> mask;
    for (Variable v : list) mask.push_back(live[v]);
    return mask;
  };
  mark(body.outputs);
  for (const Program::Effect& e : body.effects) mark({e.target, e.value});
  std::vector<Program::Equation> kept;
  for (size_t i = body.equations.size(); i-- > 0;) {
    Program::Equation& e = body.equations[i];
    if (!any_live(e.outputs) && !has_side_effects(e)) continue;
    if (detail::is_control_flow(*e.op)) control::drop_dead_outputs(e, live_of(e.outputs));
    mark(e.inputs);
    kept.push_back(std::move(e));
  }
  body.equations.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  std::erase_if(body.constants, [&](const Program::Constant& c) { return !live[c.variable]; });
}

/// Numbers the variables that are left in the order that Program promises.
void renumber(Program::Body& body) {
  std::vector<Variable> number(body.types.size(), Program::kNone);
  std::vector<Program::Type> types;
  const auto define = [&](Variable& v) {
    if (v == Program::kNone) return;
    number[v] = static_cast<Variable>(types.size());
    types.push_back(std::move(body.types[v]));
    v = number[v];
  };
  const auto use = [&](Variable& v) {
    if (v != Program::kNone) v = number[v];
  };
  for (Variable& v : body.inputs) define(v);
  for (Program::Constant& c : body.constants) define(c.variable);
  for (Program::Equation& e : body.equations) {
    for (Variable& v : e.inputs) use(v);
    const bool draws_again = e.draws_as != Program::kNone;
    use(e.draws_as);
    STRATA_CHECK(!draws_again || e.draws_as != Program::kNone,
                 "program: {} is to draw the numbers of an equation that is not in the program", e.op->name());
    for (Variable& v : e.outputs) define(v);
  }
  for (Variable& v : body.outputs) use(v);
  for (Program::Effect& e : body.effects) use(e.target), use(e.value);
  body.types = std::move(types);
}

void find_last_uses(Program::Body& body) {
  std::vector<bool> needed(body.types.size());
  for (Variable v : body.outputs)
    if (v != Program::kNone) needed[v] = true;
  for (const Program::Effect& e : body.effects) needed[e.target] = needed[e.value] = true;
  for (size_t i = body.equations.size(); i-- > 0;) {
    Program::Equation& e = body.equations[i];
    e.last_uses.clear();
    const auto note = [&](Variable v) {
      if (v == Program::kNone || needed[v]) return;
      needed[v] = true;
      e.last_uses.push_back(v);
    };
    for (Variable v : e.outputs) note(v);
    for (Variable v : e.inputs) note(v);
  }
}

/// The places in the generator's numbers where the random equations of one run draw.
class Draws {
 public:
  explicit Draws(const Program::Body& body)
      : are_repeated_(std::any_of(body.equations.begin(), body.equations.end(),
                                  [](const Program::Equation& e) { return e.draws_as != Program::kNone; })) {}
  OwnedParams params_for(const Program::Equation& e) {
    if (const auto earlier = drawn_.find(e.draws_as); earlier != drawn_.end()) return earlier->second;
    const Params traced = e.params;
    STRATA_CHECK(traced.type().redraw,
                 "program: {} would give the numbers of the trace again; give its params seed and offset, or the op a "
                 "replay rule",
                 e.op->name());
    OwnedParams params(traced);
    params.redraw();
    if (are_repeated_) drawn_.emplace(e.outputs[0], params);
    return params;
  }

 private:
  const bool are_repeated_;
  std::map<Variable, OwnedParams> drawn_;  // by first result
};

Tensors run(const Program::Equation& e, Args args, Draws& draws) {
  std::optional<NoGradGuard> no_grad;
  if (!e.recording) no_grad.emplace();
  if (e.op->replay) return e.op->replay({*e.op, args}, e.params.data());
  if (e.op->is(kRandom)) return call(*e.op, args, Params(draws.params_for(e)));
  return call(*e.op, args, Params(e.params));
}

/// What a tensor is now, with memory and a body of its own, its layout and its history.
Tensor copy_with_history(const Tensor& t) {
  const NoGradGuard no_grad;
  int64_t extent = t.numel() == 0 ? 0 : 1;
  for (int64_t d = 0; extent > 0 && d < t.dim(); ++d) extent += (t.size(d) - 1) * t.stride(d);
  const Tensor memory = t.detach().as_strided({extent}, {1}).clone();
  const Tensor copy = memory.as_strided(t.sizes(), t.strides(), 0).detach();
  if (const autograd::Edge edge = t.requires_grad() ? autograd::gradient_edge(t) : autograd::Edge())
    autograd::set_history(copy, edge.function, edge.input_nr);
  return copy;
}

/// Note [What effects write over]
/// Eager code that writes to a tensor keeps for gradients what that was before, where its rule reads that. Here writes
/// come when all equations have run, so those that autograd records, and views, which they may read, are of copies of
/// what will be written to.
class WrittenLater {
 public:
  explicit WrittenLater(const std::vector<Program::Effect>& effects) {
    if (GradMode::is_enabled())
      for (const Program::Effect& e : effects) copies_[e.target];
  }
  ArgList arguments(const Program::Equation& e, const std::vector<Tensor>& values) {
    static const Tensor none;
    const bool reads_copies = !copies_.empty() && (e.op->is(kView) || is_recorded(e, values));
    ArgList args;
    for (Variable v : e.inputs) {
      const auto written = reads_copies ? copies_.find(v) : copies_.end();
      args.push_back(v == Program::kNone        ? none
                     : written == copies_.end() ? values[v]
                                                : copy(written->second, values[v]));
    }
    return args;
  }

 private:
  static bool is_recorded(const Program::Equation& e, const std::vector<Tensor>& values) {
    return e.recording && std::any_of(e.inputs.begin(), e.inputs.end(), [&](Variable v) {
             return v != Program::kNone && (values[v].requires_grad() || values[v].impl()->wrapper());
           });
  }
  static const Tensor& copy(Tensor& made, const Tensor& t) {
    if (t.impl()->wrapper()) return t;  // whose value nodes of its level keep
    if (!made.defined()) made = copy_with_history(t);
    return made;
  }
  std::map<Variable, Tensor> copies_;  // by what is written to; made when they are read
};

void check_input(const Tensor& t, const Program::Type* wanted, size_t i) {
  if (!t.defined() && !wanted) return;
  STRATA_CHECK(t.defined(), "program: input {} is undefined, it must be {}", i, wanted->str());
  const Program::Type got{t.dtype(), t.device(), t.sizes()};
  STRATA_CHECK(wanted, "program: input {} was undefined when traced, it is {} now: trace again", i, got.str());
  STRATA_CHECK(got == *wanted, "program: input {} must be {}, it is {}: trace again for other shapes and dtypes", i,
               wanted->str(), got.str());
}

}  // namespace

bool Program::Type::operator==(const Type& o) const {
  return dtype == o.dtype && device == o.device && sizes == o.sizes;
}

Program::Program(Body body) {
  drop_dead(body);
  renumber(body);
  find_last_uses(body);
  body_ = std::make_shared<const Body>(std::move(body));
}

std::vector<Tensor> Program::operator()(std::vector<Tensor> inputs) const {
  const Body& body = *body_;
  STRATA_CHECK(inputs.size() == body.inputs.size(), "program: {} inputs are needed, {} were given", body.inputs.size(),
               inputs.size());
  std::vector<Tensor> values(body.types.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Variable v = body.inputs[i];
    check_input(inputs[i], v == Program::kNone ? nullptr : &body.types[v], i);
    if (v != Program::kNone) values[v] = std::move(inputs[i]);
  }
  for (const Constant& c : body.constants) values[c.variable] = c.value;
  Draws draws(body);
  WrittenLater written(body.effects);
  for (const Equation& e : body.equations) {
    Tensors out = run(e, written.arguments(e, values), draws);
    for (size_t i = 0; i < e.outputs.size(); ++i) values[e.outputs[i]] = std::move(out[i]);
    for (Variable v : e.last_uses) values[v].reset();
  }
  write_effects(body.effects, values);
  for (const Constant& c : body.constants)  // whoever gets an output may write to it
    if (!c.captured && values[c.variable].defined()) values[c.variable] = c.value.clone();
  std::vector<Tensor> outputs;
  for (Variable v : body.outputs) outputs.push_back(v == Program::kNone ? Tensor() : values[v]);
  return outputs;
}

namespace {
/// One of the elements of `t` for each of `target`'s that share memory.
Tensor without_repeats(Tensor t, const Tensor& target) {
  for (int64_t d = 0; d < target.dim(); ++d)
    if (target.strides()[static_cast<size_t>(d)] == 0 && target.sizes()[static_cast<size_t>(d)] > 1)
      t = t.slice(d, 0, 1);
  return t;
}
}  // namespace

void Program::write_effects(const std::vector<Effect>& effects, std::vector<Tensor>& values) {
  const auto is_written = [&](const Tensor& t) {
    return t.has_storage() && std::any_of(effects.begin(), effects.end(), [&](const Effect& e) {
             return values[e.target].has_storage() && values[e.target].storage() == t.storage();
           });
  };
  std::vector<Tensor> written;
  for (const Effect& e : effects)
    written.push_back(is_written(values[e.value]) ? values[e.value].clone() : values[e.value]);
  for (size_t i = 0; i < written.size(); ++i) {
    std::optional<NoGradGuard> no_grad;
    if (!effects[i].recording) no_grad.emplace();
    const Tensor& target = values[effects[i].target];
    if (target.is_contiguous())
      target.copy_(written[i]);
    else
      without_repeats(target, target).copy_(without_repeats(written[i], target));
  }
}

}  // namespace strata::func
