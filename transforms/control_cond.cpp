// The rules of cond: each is a cond of programs made of the branches.
#include <algorithm>

#include "dispatcher/names.h"
#include "ops/creation.h"
#include "transforms/control_rule.h"
#include "transforms/vmap.h"

namespace strata::func::control {
namespace {

List with_index(const Tensor& index, const List& operands) { return joined(List{index}, operands); }
List operands_of(const List& inputs) { return {inputs.begin() + 1, inputs.end()}; }

Mask any_dependent(const std::vector<Program>& branches, const Mask& operands, Paths paths) {
  Mask any(branches[0].outputs().size());
  for (const Program& b : branches) {
    const Mask mask = dependent_outputs(b, operands, paths);
    for (size_t i = 0; i < any.size(); ++i) any[i] = any[i] || mask[i];
  }
  return any;
}

Mask defined(const List& list) {
  Mask mask;
  for (const Tensor& t : list) mask.push_back(t.defined());
  return mask;
}

}  // namespace

Duals jvp(const CondParams& p, const List& primals, const List& tangents) {
  const Mask operands = defined(operands_of(tangents));
  const Mask outputs = any_dependent(p.branches, operands, Paths::differentiable);
  CondParams both;
  for (const Program& b : p.branches) both.branches.push_back(jvp_of(b, operands, outputs));
  const List out = run(both, joined(primals, masked(operands_of(tangents), operands)));
  Duals dual{slice(out, 0, outputs.size()), List(outputs.size())};
  for (size_t i = 0, next = outputs.size(); i < outputs.size(); ++i)
    if (outputs[i]) dual.tangents[i] = out[next++];
  return dual;
}

namespace {

/// All branches on the batch, and the choice of each example.
List batch_of_choices(const CondParams& p, const dispatch::Batch& c) {
  VmapLayer layer(c.size, Randomness::error, ProcessGroup(ProcessGroup(), const_cast<Communicator*>(c.axis)));
  List out;
  {
    const LayerScope scope(layer);
    List operands;
    for (size_t i = 0; i < c.arity(); ++i) operands.push_back(c.batched(i) ? layer.wrap(c.in(i)) : c.in(i));
    std::vector<ListRef> branches;
    for (const Program& b : p.branches) branches.emplace_back(b);
    out = select("cond", operands[0], branches, operands_of(operands));
  }
  for (Tensor& t : out) t = layer.unwrap(t, 0);
  return out;
}

}  // namespace

List batch(const CondParams& p, const dispatch::Batch& c) {
  if (c.batched(0)) return batch_of_choices(p, c);
  const Mask operands(c.is_batched + 1, c.is_batched + c.arity());
  const Mask outputs(p.branches[0].outputs().size(), true);
  CondParams mapped;
  for (const Program& b : p.branches) mapped.branches.push_back(vmap_of(b, operands, outputs, {c.size, c.axis}));
  return run(mapped, to_list(c.inputs));
}

namespace {

/// The places of what branches make for their backwards: those of one type share a place, since one branch runs.
class ResidualPlaces {
 public:
  /// A place for each type of one branch.
  std::vector<size_t> take(const Types& wanted) {
    std::vector<size_t> places;
    for (const Program::Type& t : wanted) {
      size_t at = 0;
      while (at < types.size() && (types[at] != t || std::find(places.begin(), places.end(), at) != places.end())) ++at;
      if (at == types.size()) types.push_back(t);
      places.push_back(at);
    }
    return places;
  }
  Types types;
};

class CondRule final : public ReverseRule {
 public:
  CondRule(const CondParams& p, const Mask& wanted, Mask cotangents)
      : wanted_(wanted), cotangents_(std::move(cotangents)) {
    std::vector<Pullback> parts;
    ResidualPlaces places;
    std::vector<std::vector<size_t>> made;
    kept_.resize(wanted.size());
    for (const Program& b : p.branches) {
      parts.push_back(pullback_of(b, wanted, cotangents_, Mask(wanted.size()), false));
      for (size_t i : parts.back().kept) kept_[i] = true;
      const Types outputs = output_types(parts.back().forward);
      made.push_back(places.take(slice(outputs, cotangents_.size(), parts.back().made)));
    }
    for (size_t b = 0; b < parts.size(); ++b) {
      forward_.branches.push_back(forward_of(parts[b], made[b], places.types));
      backward_.branches.push_back(backward_of(p.branches[b], parts[b], made[b], places.types));
    }
  }

  std::string name() const override { return "cond"; }

  Forward forward_with_residuals(const List& inputs) const override {
    const List out = run(forward_, inputs);
    const size_t n = cotangents_.size();
    const List residuals =
        joined(with_index(inputs[0], masked(operands_of(inputs), kept_)), slice(out, n, out.size() - n));
    return {slice(out, 0, n), residuals, nullptr};
  }
  List backward(const Forward& kept, const List& grads) const override {
    const List out = run(backward_, joined(kept.residuals, masked(grads, cotangents_)));
    List all(1 + wanted_.size());
    for (size_t i = 0, next = 0; i < wanted_.size(); ++i)
      if (wanted_[i]) all[i + 1] = out[next++];
    return all;
  }

 private:
  /// Gives the outputs, then all places, with zeros in those that the branch does not use.
  Program forward_of(const Pullback& parts, const std::vector<size_t>& made, const Types& places) const {
    return program_of(input_types(parts.forward), [&](const List& inputs) {
      List out = parts.forward(inputs);
      List all;
      for (const Program::Type& t : places) all.push_back(constant(0, t.dtype, t.device, t.sizes));
      for (size_t i = 0; i < made.size(); ++i) all[made[i]] = out[cotangents_.size() + i];
      return joined(slice(out, 0, cotangents_.size()), all);
    });
  }
  /// Takes the operands that some branch keeps, all places, and the cotangents.
  Program backward_of(const Program& branch, const Pullback& parts, const std::vector<size_t>& made,
                      const Types& places) const {
    const Types kept = masked(input_types(branch), kept_), outputs = masked(output_types(branch), cotangents_);
    return program_of(joined(kept, places, outputs), [&](const List& given) {
      List inputs;
      for (size_t i : parts.kept) inputs.push_back(given[place_of(i)]);
      for (size_t place : made) inputs.push_back(given[kept.size() + place]);
      append(inputs, slice(given, kept.size() + places.size(), outputs.size()));
      return parts.backward(std::move(inputs));
    });
  }
  size_t place_of(size_t operand) const { return count(slice(kept_, 0, operand)); }

  const Mask wanted_, cotangents_;
  Mask kept_;
  CondParams forward_, backward_;
};

}  // namespace

Rule reverse_rule(const CondParams& p, Mask wanted) {
  wanted.erase(wanted.begin());  // the index has no gradient
  Mask cotangents = any_dependent(p.branches, wanted, Paths::differentiable);
  if (count(cotangents) == 0) return nullptr;
  return std::make_shared<CondRule>(p, wanted, std::move(cotangents));
}

}  // namespace strata::func::control
