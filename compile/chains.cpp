// Gathering equations into chains.
#include "compile/chains.h"

#include <algorithm>

#include "dispatcher/chain.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

using dispatch::Chain;
using Variable = Program::Variable;
using Equation = Program::Equation;

/// Goes through the equations once, in order. Element-wise ones over one shape gather in an open chain, which ends
/// before what needs its results; what needs none of them runs before it.
class Fuser {
 public:
  explicit Fuser(const Program::Body& body) : body_(body), readers_(body.types.size()), chain_of_(body.types.size()) {
    const auto read = [&](Variable v) {
      if (v != Program::kNone) ++readers_[v];
    };
    for (const Equation& e : body.equations) std::for_each(e.inputs.begin(), e.inputs.end(), read);
    std::for_each(body.outputs.begin(), body.outputs.end(), read);
    for (const Program::Effect& e : body.effects) read(e.value);
  }

  std::optional<Program> fused() {
    for (const Equation& e : body_.equations) {
      const bool is_step = can_be_step(e), is_alike = is_step && is_of_open_shape(e);
      if (is_alike && joins(e)) continue;
      if (is_alike || reads_open(e)) end_chain();
      if (!is_step || !joins(e)) equations_.push_back(e);
    }
    end_chain();
    if (!has_chains_) return std::nullopt;
    Program::Body body = body_;
    body.equations = std::move(equations_);
    return Program(std::move(body));
  }

 private:
  const Program::Type& type(Variable v) const { return body_.types[static_cast<size_t>(v)]; }
  bool is_open(Variable v) const { return v != Program::kNone && chain_of_[v] == chain_; }
  bool reads_open(const Equation& e) const {
    return std::any_of(e.inputs.begin(), e.inputs.end(), [&](Variable v) { return is_open(v); });
  }

  /// Does its device take it as a step of some chain?
  bool can_be_step(const Equation& e) const {
    if (e.outputs.size() != 1 || e.inputs.empty() || e.op->replay) return false;
    const Program::Type& out = type(e.outputs[0]);
    const dispatch::TakesStepFn takes = dispatch::takes_step(out.device.type());
    if (!takes || numel_of(out.sizes) == 0) return false;
    std::vector<DType> dtypes;
    for (Variable v : e.inputs) {
      if (v == Program::kNone || !(type(v).device == out.device) || type(v).sizes != out.sizes) return false;
      dtypes.push_back(type(v).dtype);
    }
    return takes(*e.op, dtypes, e.params.data());
  }

  /// May it stand in the open chain?
  bool is_of_open_shape(const Equation& e) const {
    if (open_.empty()) return true;
    const Program::Type &first = type(open_[0]->outputs[0]), &out = type(e.outputs[0]);
    return first.device == out.device && first.sizes == out.sizes;
  }

  /// Puts such an equation into the open chain, if that is of its shape and has room.
  bool joins(const Equation& e) {
    if (!is_of_open_shape(e)) return false;
    open_.push_back(&e);
    chain_of_[e.outputs[0]] = chain_;
    const size_t operands = open_inputs().size() + open_outputs().size();
    if (operands <= dispatch::kMostChainOperands && open_.size() <= dispatch::kMostChainSteps) return true;
    open_.pop_back();
    chain_of_[e.outputs[0]] = 0;
    return false;
  }

  /// What the open chain reads from outside, each variable once.
  std::vector<Variable> open_inputs() const {
    std::vector<Variable> inputs;
    for (const Equation* e : open_)
      for (Variable v : e->inputs)
        if (!is_open(v) && std::find(inputs.begin(), inputs.end(), v) == inputs.end()) inputs.push_back(v);
    return inputs;
  }

  /// What others read of it.
  std::vector<Variable> open_outputs() const {
    std::vector<Variable> outputs;
    for (const Equation* made : open_) {
      const Variable v = made->outputs[0];
      std::ptrdiff_t inside = 0;
      for (const Equation* e : open_) inside += std::count(e->inputs.begin(), e->inputs.end(), v);
      if (inside < readers_[v]) outputs.push_back(v);
    }
    return outputs;
  }

  void end_chain() {
    if (open_.size() > 1)
      equations_.push_back(chain_equation());
    else if (!open_.empty())
      equations_.push_back(*open_[0]);
    open_.clear();
    ++chain_;
  }

  Equation chain_equation() {
    has_chains_ = true;
    const std::vector<Variable> inputs = open_inputs(), outputs = open_outputs();
    const auto chain = std::make_shared<Chain>();
    std::vector<Variable> values = inputs;  // by number in the chain
    const auto number_of = [&](Variable v) {
      return static_cast<int32_t>(std::find(values.begin(), values.end(), v) - values.begin());
    };
    for (const Equation* e : open_) {
      Chain::Step& step = chain->steps.emplace_back(Chain::Step{e->op, e->params, {}});
      for (Variable v : e->inputs) step.in.push_back(number_of(v));
      values.push_back(e->outputs[0]);
    }
    for (Variable v : values) chain->dtypes.push_back(type(v).dtype);
    for (Variable v : outputs) chain->outputs.push_back(number_of(v));
    const dispatch::ChainParams params{chain};
    return {&dispatch::chain_op, OwnedParams(Params::of(params)), open_[0]->recording, inputs, outputs};
  }

  const Program::Body& body_;
  std::vector<std::ptrdiff_t> readers_;  // by variable: equations, outputs and effects that read it
  std::vector<int32_t> chain_of_;        // by variable: the number of the chain that makes it, 0 for none
  int32_t chain_ = 1;                    // of the open one
  std::vector<const Equation*> open_;
  std::vector<Equation> equations_;
  bool has_chains_ = false;
};

}  // namespace

std::optional<Program> fuse_chains(const Program& program) {
  const std::vector<Program::Type>& types = program.body().types;
  const auto runs_chains = [](const Program::Type& t) { return dispatch::takes_step(t.device.type()) != nullptr; };
  if (std::none_of(types.begin(), types.end(), runs_chains)) return std::nullopt;
  return Fuser(program.body()).fused();
}

}  // namespace strata::func::compiling
