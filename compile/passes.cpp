// Folding of constants, reading past what changes nothing, and sharing of equations that compute the same.
#include "compile/passes.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "dispatcher/field_list.h"
#include "dispatcher/names.h"
#include "ops/binary_def.h"
#include "ops/cast_def.h"
#include "ops/view_def.h"
#include "transforms/program_field.h"

namespace strata::func::passes {
namespace {

using Variable = Program::Variable;
using Equation = Program::Equation;
/// Variables whose memory the caller gets: outputs, and what they are views of. Each keeps memory of its own, since the
/// caller may write to it.
std::vector<bool> find_escaping(const Program::Body& body) {
  std::vector<bool> escapes(body.types.size());
  for (Variable v : body.outputs)
    if (v != Program::kNone) escapes[v] = true;
  for (size_t i = body.equations.size(); i-- > 0;)
    if (const Equation& e = body.equations[i]; e.op->is(kView) && escapes[e.outputs[0]]) escapes[e.inputs[0]] = true;
  return escapes;
}

/// Names variables anew while a pass goes through the equations.
class Names {
 public:
  explicit Names(size_t variables) : name_(variables) {
    for (size_t v = 0; v < variables; ++v) name_[v] = static_cast<Variable>(v);
  }
  void rename(Variable from, Variable to) { name_[from] = to; }
  void apply(std::vector<Variable>& list) const {
    for (Variable& v : list)
      if (v != Program::kNone) v = name_[v];
  }
  void apply(Program::Body& body) const {
    apply(body.outputs);
    for (Program::Effect& e : body.effects) e.value = name_[e.value];
  }

 private:
  std::vector<Variable> name_;
};

/// Results above this size are computed in each run: a constant would keep their memory for ever.
constexpr int64_t kMostFolded = 1 << 16;

bool is_small(const Program::Body& body, const Equation& e) {
  for (Variable v : e.outputs)
    if (numel_of(body.types[v].sizes) > kMostFolded) return false;
  return true;
}

/// Literals of one type and value are one constant.
void share_literals(const Program::Body& body, const std::vector<bool>& escapes, Names& names) {
  std::map<std::tuple<std::string, std::string>, Variable> known;
  for (const Program::Constant& c : body.constants) {
    if (c.captured || escapes[c.variable] || !detail::is_literal(c.value)) continue;
    const std::string bytes(c.value.bytes(), c.value.element_size());
    const auto [at, is_new] = known.emplace(std::tuple(body.types[c.variable].str(), bytes), c.variable);
    if (!is_new) names.rename(c.variable, at->second);
  }
}

std::vector<bool> find_ones(const Program::Body& body) {
  std::vector<bool> is_one(body.types.size());
  for (const Program::Constant& c : body.constants)
    is_one[c.variable] = !c.captured && detail::is_literal(c.value) && !is_complex(c.value.dtype()) &&
                         detail::literal_value(c.value).toDouble() == 1;
  return is_one;
}

/// The input whose elements the equation gives as they are, if its type is the output's.
Variable passed_on(const Equation& e, const std::vector<bool>& is_one) {
  const auto one = [&](size_t i) { return is_one[e.inputs[i]]; };
  if (e.op == &mul_op) return one(1) ? e.inputs[0] : one(0) ? e.inputs[1] : Program::kNone;
  if (e.op == &div_op) return one(1) ? e.inputs[0] : Program::kNone;
  return e.op == &alias_op || e.op == &expand_op || e.op == &view_op ? e.inputs[0] : Program::kNone;
}

/// What an equation of known op and inputs gives for its params.
struct Computed {
  std::vector<dispatch::Field> fields;
  std::vector<Variable> outputs;
};

/// Does the caller get at most one of each two results?
bool may_share(const std::vector<Variable>& a, const std::vector<Variable>& b, const std::vector<bool>& escapes) {
  for (size_t i = 0; i < a.size(); ++i)
    if (escapes[a[i]] && escapes[b[i]]) return false;
  return true;
}

}  // namespace

bool is_pure(const Equation& e) {
  const Op& op = *e.op;
  return !op.is(kCustom) && !op.is(kUpdatesInputs) && !op.is(kMovesDevice) && !has_side_effects(e);
}

Program::Body fold_constants(Program::Body body) {
  std::vector<const Tensor*> constant(body.types.size());
  const auto note = [&](const Program::Constant& c) {
    if (!c.captured && !c.value.impl()->wrapper() && !c.value.requires_grad()) constant[c.variable] = &c.value;
  };
  std::vector<Program::Constant> folded;
  folded.reserve(body.constants.size() + body.types.size());  // they are pointed to
  for (Program::Constant& c : body.constants) note(folded.emplace_back(std::move(c)));
  const auto is_known = [&](const Equation& e) {
    return !e.inputs.empty() && std::all_of(e.inputs.begin(), e.inputs.end(),
                                            [&](Variable v) { return v != Program::kNone && constant[v]; });
  };
  const NoGradGuard no_grad;
  std::vector<Equation> left;
  for (Equation& e : body.equations) {
    if (!is_pure(e) || e.op->replay || !is_known(e) || !is_small(body, e)) {
      left.push_back(std::move(e));
      continue;
    }
    ArgList args;
    for (Variable v : e.inputs) args.push_back(*constant[v]);
    Tensors out = call(*e.op, args, Params(e.params));
    for (size_t i = 0; i < e.outputs.size(); ++i)
      note(folded.emplace_back(Program::Constant{e.outputs[i], std::move(out[i]), false}));
  }
  body.equations = std::move(left);
  body.constants = std::move(folded);
  return body;
}

Program::Body drop_neutral(Program::Body body) {
  Names names(body.types.size());
  const std::vector<bool> is_one = find_ones(body), escapes = find_escaping(body);
  for (Equation& e : body.equations) {
    names.apply(e.inputs);
    if (!e.recording) continue;                               // gradients end here
    if (!e.op->is(kView) && escapes[e.outputs[0]]) continue;  // a copy for the caller
    const Variable same = passed_on(e, is_one);
    if (same != Program::kNone && body.types[same] == body.types[e.outputs[0]]) names.rename(e.outputs[0], same);
  }
  return body;  // outputs keep their names: each is a handle of its own
}

Program::Body share_common(Program::Body body) {
  Names names(body.types.size());
  std::vector<bool> escapes = find_escaping(body);
  share_literals(body, escapes, names);
  std::map<std::tuple<const Op*, bool, std::vector<Variable>>, std::vector<Computed>> known;
  std::vector<Equation> left;
  for (Equation& e : body.equations) {
    names.apply(e.inputs);
    if (is_pure(e)) {
      std::vector<Computed>& alike = known[std::tuple(e.op, e.recording, e.inputs)];
      Computed mine{dispatch::fields_of(e.params), e.outputs};
      const auto same = std::find_if(alike.begin(), alike.end(), [&](const Computed& c) {
        return c.fields == mine.fields && may_share(e.outputs, c.outputs, escapes);
      });
      if (same != alike.end()) {
        for (size_t i = 0; i < e.outputs.size(); ++i) {
          names.rename(e.outputs[i], same->outputs[i]);
          if (escapes[e.outputs[i]]) escapes[same->outputs[i]] = true;
        }
        continue;
      }
      alike.push_back(std::move(mine));
    }
    left.push_back(std::move(e));
  }
  body.equations = std::move(left);
  names.apply(body);
  return body;
}

/// An effect copies what it writes, so it needs no copy of its own.
Program::Body drop_copies_for_effects(Program::Body body) {
  for (const Equation& e : body.equations) {
    if (e.op != &copy_op || !(body.types[e.inputs[0]] == body.types[e.outputs[0]])) continue;
    for (Program::Effect& f : body.effects)
      if (f.value == e.outputs[0]) f.value = e.inputs[0];
  }
  return body;
}

Program simplify(const Program& program) {
  return Program(share_common(drop_neutral(drop_copies_for_effects(fold_constants(program.body())))));
}

}  // namespace strata::func::passes
