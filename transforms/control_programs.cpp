// Programs of derivatives and batches, traced from programs.
#include "transforms/control_programs.h"

#include <algorithm>

#include "dispatcher/names.h"
#include "ops/creation.h"
#include "transforms/grad_layer.h"
#include "transforms/jvp.h"
#include "transforms/program_field.h"
#include "transforms/vmap.h"

namespace strata::func::control {

using Variable = Program::Variable;
using Equation = Program::Equation;

namespace {

/// Marks the variables of a program that depend on marked ones.
template <class Passes>
std::vector<bool> spread(const Program& p, const Mask& inputs, const Passes& passes) {
  std::vector<bool> marked(p.body().types.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]) marked[p.inputs()[i]] = true;
  for (const Equation& e : p.equations()) {
    const bool any =
        std::any_of(e.inputs.begin(), e.inputs.end(), [&](Variable v) { return v != Program::kNone && marked[v]; });
    for (Variable v : e.outputs) marked[v] = passes(e, any, v);
  }
  return marked;
}

Mask of_outputs(const Program& p, const std::vector<bool>& marked) {
  Mask mask;
  for (Variable v : p.outputs()) mask.push_back(marked[v]);
  return mask;
}

}  // namespace

size_t count(const Mask& mask) { return static_cast<size_t>(std::count(mask.begin(), mask.end(), true)); }

Mask inputs_read(const Program& p) {
  std::vector<bool> is_read(p.body().types.size());
  const auto read = [&](Variable v) {
    if (v != Program::kNone) is_read[v] = true;
  };
  for (const Equation& e : p.equations()) std::for_each(e.inputs.begin(), e.inputs.end(), read);
  std::for_each(p.outputs().begin(), p.outputs().end(), read);
  Mask mask;
  for (Variable v : p.inputs()) mask.push_back(v != Program::kNone && is_read[v]);
  return mask;
}

Mask dependent_outputs(const Program& p, const Mask& inputs, Paths paths) {
  return of_outputs(p, spread(p, inputs, [&](const Equation& e, bool any, Variable v) {
                      if (paths == Paths::all) return any;
                      return any && e.recording && !e.op->is(kNotDifferentiable) && is_differentiable(p.type(v).dtype);
                    }));
}

Mask with_dependent_carry(const Program& body, Mask inputs, size_t first, size_t carry, Paths paths) {
  for (bool grows = true; grows;) {
    grows = false;
    const Mask outputs = dependent_outputs(body, inputs, paths);
    for (size_t i = 0; i < carry; ++i) {
      grows = grows || (outputs[i] && !inputs[first + i]);
      inputs[first + i] = inputs[first + i] || outputs[i];
    }
  }
  return inputs;
}

namespace {

/// The equations none of whose outputs varies.
std::vector<bool> constant_equations(const Program& p, const std::vector<bool>& varies) {
  std::vector<bool> is_constant;
  for (const Equation& e : p.equations())
    is_constant.push_back(std::none_of(e.outputs.begin(), e.outputs.end(), [&](Variable v) { return varies[v]; }));
  return is_constant;
}

/// What depends on more than the `consts` first inputs, or is drawn.
std::vector<bool> find_varying(const Program& p, size_t consts) {
  Mask others(p.inputs().size(), true);
  std::fill_n(others.begin(), consts, false);
  return spread(p, others, [](const Equation& e, bool any, Variable) { return any || has_side_effects(e); });
}

/// Without captured tensors that the program does not read.
Closure pruned(Closure closure) {
  Mask kept = inputs_read(closure.program);
  kept.resize(closure.captured.size());
  closure.captured = masked(closure.captured, kept);
  Program::Body body = closure.program.body();
  kept.resize(body.inputs.size(), true);
  body.inputs = masked(body.inputs, kept);
  closure.program = Program(std::move(body));
  return closure;
}

}  // namespace

Mask constant_outputs(const Program& p, size_t consts) {
  Mask varies = of_outputs(p, find_varying(p, consts));
  varies.flip();
  return varies;
}

Closure hoisted(Closure closure) {
  const Program& p = closure.program;
  const size_t consts = closure.captured.size();
  const std::vector<bool> is_constant = constant_equations(p, find_varying(p, consts));
  if (count(is_constant) == 0) return pruned(std::move(closure));
  Program::Body once = p.body(), each = p.body();
  once.inputs.resize(consts);
  once.outputs.clear();
  once.equations.clear();
  each.equations.clear();
  std::vector<bool> is_made(p.body().types.size()), is_given(is_made);
  const auto give = [&](Variable v) {
    if (v == Program::kNone || !is_made[v] || is_given[v]) return;
    is_given[v] = true;
    once.outputs.push_back(v);
  };
  for (size_t i = 0; i < p.equations().size(); ++i) {
    const Equation& e = p.equations()[i];
    (is_constant[i] ? once : each).equations.push_back(e);
    for (Variable v : e.outputs) is_made[v] = is_constant[i];
    if (!is_constant[i]) std::for_each(e.inputs.begin(), e.inputs.end(), give);
  }
  std::for_each(p.outputs().begin(), p.outputs().end(), give);
  each.inputs.insert(each.inputs.begin() + static_cast<std::ptrdiff_t>(consts), once.outputs.begin(),
                     once.outputs.end());
  append(closure.captured, Program(std::move(once))(slice(closure.captured, 0, consts)));
  closure.program = Program(std::move(each));
  return pruned(std::move(closure));
}

Program jvp_of(const Program& p, const Mask& inputs, const Mask& outputs) {
  const Types types = input_types(p);
  return program_of(joined(types, masked(types, inputs)), [&](const List& given) {
    JvpLayer layer;
    List out;
    {
      const LayerScope scope(layer);
      List duals = slice(given, 0, types.size());
      size_t next = types.size();
      for (size_t i = 0; i < duals.size(); ++i)
        if (inputs[i]) duals[i] = layer.dual(duals[i], given[next++]);
      out = p(std::move(duals));
    }
    List tangents;
    for (Tensor& t : out) tangents.push_back(detail::split_dual(layer, t));
    return joined(out, masked(tangents, outputs));
  });
}

Types mapped(Types types, const Mask& mask, int64_t size) {
  for (size_t i = 0; i < types.size(); ++i)
    if (mask[i]) types[i].sizes.insert(0, size);
  return types;
}

Program vmap_of(const Program& p, const Mask& inputs, const Mask& outputs, MappedDim axis) {
  return program_of(mapped(input_types(p), inputs, axis.size), [&](const List& given) {
    // Collectives compare the group by its address alone; whoever maps holds it.
    VmapLayer layer(axis.size, Randomness::error, ProcessGroup(ProcessGroup(), const_cast<Communicator*>(axis.group)));
    List out;
    {
      const LayerScope scope(layer);
      List examples = given;
      for (size_t i = 0; i < examples.size(); ++i)
        if (inputs[i]) examples[i] = layer.wrap(examples[i]);
      out = p(std::move(examples));
    }
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = layer.unwrap(out[i], outputs[i] ? std::optional<int64_t>(0) : std::nullopt);
    return out;
  });
}

namespace {

/// Of the inputs of `p`, cotangents of outputs in the mask and first terms of gradients: the outputs, then gradients of
/// the wanted inputs.
Program both_of(const Program& p, const Mask& wanted, const Mask& cotangents, const Mask& begun) {
  const Types types = input_types(p);
  const Types seed_types = joined(masked(output_types(p), cotangents), masked(types, begun));
  return program_of(joined(types, seed_types), [&](const List& given) {
    GradLayer layer;
    detail::Graph graph;
    List out, given_on;
    {
      const GradScope scope(layer);
      List inputs = slice(given, 0, types.size());
      for (size_t i = 0; i < inputs.size(); ++i)
        if (wanted[i]) graph.add_input(layer, inputs[i], "control flow");
      given_on = masked(inputs, begun);
      out = p(std::move(inputs));
    }
    List seeds;
    size_t next = types.size();
    for (size_t i = 0; i < out.size(); ++i) {
      graph.add_output(layer, out[i]);
      seeds.push_back(cotangents[i] ? given[next++] : Tensor());
    }
    // An input that is given on as an output has that output's cotangent as the first term of its gradient.
    for (Tensor& t : given_on) {
      graph.add_output(layer, t);
      seeds.push_back(given[next++]);
    }
    return joined(out, graph.pull(seeds, false));
  });
}

/// Cuts the program of both passes in two: what depends on no cotangent belongs to the first.
class Cut {
 public:
  Cut(Program both, const Program& p, bool recompute)
      : both_(std::move(both)),
        p_(p),
        num_inputs_(p.inputs().size()),
        num_outputs_(p.outputs().size()),
        recompute_(recompute),
        is_made_(both_.body().types.size()) {
    Mask cotangents(both_.inputs().size());
    std::fill(cotangents.begin() + static_cast<std::ptrdiff_t>(num_inputs_), cotangents.end(), true);
    is_backward_ = spread(both_, cotangents, [&](const Equation&, bool any, Variable) { return any || recompute; });
    for (const Equation& e : both_.equations())
      if (!is_of_backward(e))
        for (Variable v : e.outputs) is_made_[v] = true;
  }

  Pullback make() {
    for (const Equation& e : both_.equations())
      if (is_of_backward(e)) need(e.inputs);
    need(slice(both_.outputs(), num_outputs_, both_.outputs().size() - num_outputs_));
    Pullback result;
    std::vector<Variable> inputs;
    for (size_t i = 0; i < num_inputs_; ++i) {
      const Variable v = both_.inputs()[i];
      if (!is_needed(v)) continue;
      result.kept.push_back(i);
      inputs.push_back(v);
    }
    const auto last = std::remove_if(needed_.begin(), needed_.end(), [&](Variable v) { return !is_made_[v]; });
    const std::vector<Variable> made(needed_.begin(), last);
    result.made = made.size();
    result.forward = recompute_ ? p_ : forward(made);
    result.backward = backward(joined(inputs, made));
    return result;
  }

 private:
  bool is_of_backward(const Equation& e) const {
    return std::any_of(e.outputs.begin(), e.outputs.end(), [&](Variable v) { return is_backward_[v]; });
  }
  bool is_needed(Variable v) const { return std::find(needed_.begin(), needed_.end(), v) != needed_.end(); }
  void need(const std::vector<Variable>& variables) {
    for (Variable v : variables)
      if (v != Program::kNone && !is_needed(v)) needed_.push_back(v);
  }
  Program forward(const std::vector<Variable>& made) const {
    Program::Body body = both_.body();
    body.inputs.resize(num_inputs_);
    body.outputs.resize(num_outputs_);
    append(body.outputs, made);
    std::erase_if(body.equations, [&](const Equation& e) { return is_of_backward(e); });
    return Program(std::move(body));
  }
  Program backward(const std::vector<Variable>& inputs) const {
    Program::Body body = both_.body();
    body.inputs = joined(inputs, slice(both_.inputs(), num_inputs_, both_.inputs().size() - num_inputs_));
    body.outputs = slice(both_.outputs(), num_outputs_, both_.outputs().size() - num_outputs_);
    std::erase_if(body.equations, [&](const Equation& e) { return !is_of_backward(e); });
    return Program(std::move(body));
  }

  const Program both_;
  const Program& p_;
  const size_t num_inputs_, num_outputs_;
  const bool recompute_;
  std::vector<bool> is_backward_, is_made_;
  std::vector<Variable> needed_;
};

}  // namespace

Pullback pullback_of(const Program& p, const Mask& wanted, const Mask& cotangents, const Mask& begun, bool recompute) {
  return Cut(both_of(p, wanted, cotangents, begun), p, recompute).make();
}

}  // namespace strata::func::control
