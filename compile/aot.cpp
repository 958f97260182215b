// Making the two programs of a function, and the node by which eager autograd runs the second.
#include "compile/aot.h"

#include <algorithm>
#include <map>
#include <ostream>

#include "autograd/engine.h"
#include "compile/partition.h"
#include "compile/passes.h"
#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "transforms/custom.h"

namespace strata::func {

using autograd::Edge;
using autograd::SavedTensor;
using passes::Halves;
using passes::Joint;

namespace detail {
namespace {

bool wants_gradient(const Tensor& t) { return t.defined() && t.requires_grad() && is_differentiable(t.dtype()); }

/// The program with the captured tensors that require gradients as further inputs, which `primals` gets too.
Program with_leaves_as_inputs(const Program& program, std::vector<Tensor>& primals) {
  Program::Body body = program.body();
  for (const Program::Constant& c : program.constants()) {
    if (!c.captured || !wants_gradient(c.value)) continue;
    body.inputs.push_back(c.variable);
    primals.push_back(c.value);
  }
  std::erase_if(body.constants, [](const Program::Constant& c) { return c.captured && wants_gradient(c.value); });
  return Program(std::move(body));
}

/// What is the first program's own, and came from outside to the second, is the second's own too.
Program with_constants_of(const Program& first, const Program& second) {
  Program::Body body = second.body();
  for (Program::Constant& c : body.constants)
    for (const Program::Constant& own : first.constants())
      if (!own.captured && own.value.impl() == c.value.impl()) c.captured = false;
  return Program(std::move(body));
}

/// A tensor of the caller's, by its number among the primals unless it is captured and requires no gradient.
struct Place {
  size_t primal = 0;
  Tensor captured = {};
};

/// Of which primal each gradient of a program is a term, and which of its outputs pull some back.
struct Roles {
  struct Written {
    size_t root;
    Place place;
  };
  std::vector<size_t> terms, roots;
  std::vector<Written> written;  ///< roots that are no results, but what places hold after a recorded write
};

Place place_of(const Program& program, Program::Variable target) {
  const std::vector<Program::Variable>& inputs = program.inputs();
  const auto input = std::find(inputs.begin(), inputs.end(), target);
  if (input != inputs.end()) return {static_cast<size_t>(input - inputs.begin())};
  const auto constant = std::find_if(program.constants().begin(), program.constants().end(),
                                     [&](const Program::Constant& c) { return c.variable == target; });
  return {0, constant->value};
}

/// The program with what it writes as further outputs.
Program with_effects_as_outputs(const Program& program) {
  Program::Body body = program.body();
  for (const Program::Effect& e : body.effects) body.outputs.push_back(e.value);
  body.effects.clear();
  return Program(std::move(body));
}

/// Takes the last outputs for what is written to these.
Program with_outputs_as_effects(const Program& program, const std::vector<Place>& places) {
  Program::Body body = program.body();
  const auto first = body.outputs.end() - static_cast<int64_t>(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    const Program::Variable value = first[static_cast<int64_t>(i)];
    Program::Variable target = body.inputs[places[i].primal];
    if (const Tensor& captured = places[i].captured; captured.defined()) {
      const auto known = std::find_if(body.constants.begin(), body.constants.end(),
                                      [&](const Program::Constant& c) { return c.value.is_same(captured); });
      target = known == body.constants.end() ? static_cast<Program::Variable>(body.types.size()) : known->variable;
      if (known == body.constants.end()) {
        body.types.push_back({captured.dtype(), captured.device(), captured.sizes()});
        body.constants.push_back({target, captured, true});
      }
    }
    body.effects.push_back({target, value, false});
  }
  body.outputs.erase(first, body.outputs.end());
  return Program(std::move(body));
}

/// Note [Terms of gradients]
/// Autograd adds up what the uses of a tensor pass on in the order of its backward pass, to what uses outside of the
/// function have passed on before. For that sum to be eager code's to the bit, each use of a primal has a gradient of
/// its own, a term, and the engine adds them. So that no more lies in memory than in eager code, a program gives the
/// sum for what is large and has more than two uses.
constexpr size_t kMostBytesOfTerms = size_t{1} << 20;

/// The primals, by their variables, that have a term for each use.
std::map<Program::Variable, size_t> primals_in_terms(const Program& program, const std::vector<Tensor>& primals) {
  std::map<Program::Variable, size_t> uses, in_terms;
  for (const Program::Equation& e : program.equations())
    for (Program::Variable v : e.inputs) ++uses[v];
  for (size_t i = 0; i < primals.size(); ++i) {
    const Program::Variable v = program.inputs()[i];
    if (wants_gradient(primals[i]) && (uses[v] <= 2 || uses[v] * primals[i].nbytes() <= kMostBytesOfTerms))
      in_terms[v] = i;
  }
  return in_terms;
}

/// The program with inputs of their own for the uses of these primals. `uses` gets the primals in the order in which
/// autograd's engine comes back to the uses.
Program with_uses_as_inputs(const Program& program, const std::map<Program::Variable, size_t>& in_terms,
                            std::vector<size_t>& uses) {
  Program::Body body = program.body();
  for (auto e = body.equations.rbegin(); e != body.equations.rend(); ++e)
    for (Program::Variable& v : e->inputs) {
      const auto primal = in_terms.find(v);
      if (primal == in_terms.end()) continue;
      uses.push_back(primal->second);
      const Program::Type type = body.types[static_cast<size_t>(v)];
      v = static_cast<Program::Variable>(body.types.size());
      body.types.push_back(type);
      body.inputs.push_back(v);
    }
  return Program(std::move(body));
}

/// The primals as a graph's inputs, and where their gradients end.
struct TrackedPrimals {
  const GradLayer& grads;
  std::vector<Tensor> inputs;
  std::vector<Edge> ends = {};
  std::vector<size_t> primals = {};  ///< by end

  void track(size_t input, size_t primal) {
    inputs[input] = grads.track(inputs[input]);
    ends.push_back(grads.edge(inputs[input]));
    primals.push_back(primal);
  }
  /// Of what was pulled back to the ends, primal by primal the terms that there are, undefined where there is none.
  /// `primal_of` gets the primal of each.
  std::vector<Tensor> terms(const std::vector<Tensor>& pulled, size_t count, std::vector<size_t>& primal_of) const {
    std::vector<Tensor> terms;
    for (size_t primal = 0; primal < count; ++primal) {
      const size_t before = terms.size();
      for (size_t i = 0; i < pulled.size(); ++i)
        if (primals[i] == primal && pulled[i].defined()) terms.push_back(pulled[i]);
      if (terms.size() == before) terms.emplace_back();
      primal_of.resize(terms.size(), primal);
    }
    return terms;
  }
};

/// Traces `program` once more, with the gradients of all primals that want some.
Joint differentiate(const Program& program, const std::vector<Tensor>& primals, Roles& roles) {
  const TraceGuard guard;
  const EnableGradGuard recording;
  TraceLayer layer(TraceLayer::Records::effects);
  const LayerScope scope(layer);
  GradLayer grads;
  std::vector<Tensor> inputs, cotangents;
  std::vector<Edge> roots;
  std::vector<size_t> uses;
  const Program whole = with_uses_as_inputs(with_effects_as_outputs(program), primals_in_terms(program, primals), uses);
  for (const Tensor& t : primals) inputs.push_back(layer.input(t));
  for (size_t primal : uses) inputs.push_back(inputs[primal]);
  TrackedPrimals tracked{grads, inputs};
  std::vector<Tensor> outputs = [&] {
    const GradScope inside(grads);
    for (size_t i = 0; i < primals.size(); ++i)
      if (wants_gradient(primals[i])) tracked.track(i, i);
    for (size_t i = 0; i < uses.size(); ++i) tracked.track(primals.size() + i, uses[i]);
    return fresh(whole(tracked.inputs));
  }();
  const auto is_root = [&](const Tensor& t, size_t place) {
    Edge edge = grads.edge(t);
    if (!edge || !is_differentiable(t.dtype())) return false;
    roots.push_back(std::move(edge));
    cotangents.push_back(layer.input(grads.value(t)));
    roles.roots.push_back(place);
    return true;
  };
  size_t results = program.outputs().size();
  const std::vector<Tensor> written(outputs.begin() + static_cast<int64_t>(results), outputs.end());
  outputs.resize(results);
  for (size_t i = 0; i < results; ++i) {
    is_root(outputs[i], i);
    outputs[i] = grads.value(outputs[i]);
  }
  std::vector<Place> places;
  for (size_t i = 0; i < written.size(); ++i) {
    const Program::Effect& e = program.effects()[i];
    places.push_back(place_of(program, e.target));
    if (!e.recording || !is_root(written[i], results)) continue;
    roles.written.push_back({roles.roots.size() - 1, places.back()});
    outputs.push_back(grads.value(written[i]));
    ++results;
  }
  const std::vector<Tensor> pulled = autograd::run_grad(roots, cotangents, tracked.ends, {false, true});
  outputs.resize(results);
  for (Tensor& t : tracked.terms(pulled, primals.size(), roles.terms)) outputs.push_back(std::move(t));
  for (const Tensor& t : written) outputs.push_back(grads.value(t));
  const Program joint = with_outputs_as_effects(layer.finish(outputs), places);
  return {with_constants_of(program, joint), primals.size(), results};
}

/// The gradients alone, of primals and cotangents.
Program gradients_of(const Joint& joint) {
  Program::Body body = joint.program.body();
  body.outputs.erase(body.outputs.begin(), body.outputs.begin() + static_cast<int64_t>(joint.results));
  body.effects.clear();
  return Program(std::move(body));
}

std::vector<Tensor> without_history(const compiling::Executable& run, std::vector<Tensor> inputs) {
  const NoGradGuard no_grad;
  const KeyOff autograd(Key::Autograd);
  return run(std::move(inputs));
}

AotOptions checked(AotOptions options) {
  const double budget = options.memory_budget;
  STRATA_CHECK(budget >= 0 && budget <= 1, "aot: memory_budget is {}, it has to be from 0 to 1", budget);
  return options;
}

}  // namespace

struct AotFunction::Differentiated {
  static std::unique_ptr<const Differentiated> make(const Program& traced, std::vector<Tensor> primals,
                                                    AotOptions options);
  std::vector<Tensor> leaves;
  Roles roles;
  size_t results;
  Program gradients;  // for a backward that is recorded
  AotPrograms programs;
  compiling::Executable forward, backward;
};

std::unique_ptr<const AotFunction::Differentiated> AotFunction::Differentiated::make(const Program& traced,
                                                                                     std::vector<Tensor> primals,
                                                                                     AotOptions options) {
  const size_t arguments = primals.size();
  const Program program = with_leaves_as_inputs(traced, primals);
  if (std::none_of(primals.begin(), primals.end(), wants_gradient)) return nullptr;
  Roles roles;
  const Joint joint = differentiate(program, primals, roles);
  Halves halves = passes::partition({passes::simplify(joint.program), joint.primals, joint.results},
                                    options.memory_budget, options.recompute_products);
  primals.erase(primals.begin(), primals.begin() + static_cast<int64_t>(arguments));
  AotPrograms programs{halves.forward, halves.backward, halves.saved_bytes};
  return std::unique_ptr<const Differentiated>(new Differentiated{
      std::move(primals), std::move(roles), joint.results, gradients_of(joint), std::move(programs),
      compiling::Executable(std::move(halves.forward)), compiling::Executable(std::move(halves.backward))});
}

/// One call's place in autograd's graph.
class AotNode final : public autograd::UserNode {
 public:
  using Programs = AotFunction::Differentiated;
  AotNode(std::shared_ptr<const AotFunction> function, const std::vector<Tensor>& primals, Generator::Position draws)
      : UserNode(edges_of(function->differentiated_->roles, primals),
                 kinds_of(function->differentiated_->roles, primals),
                 static_cast<uint32_t>(function->differentiated_->roles.roots.size())),
        function_(std::move(function)),
        draws_(draws) {
    for (const Tensor& t : primals) primals_.push_back(SavedTensor::of(t));
    for (const Program::Constant& c : programs().gradients.constants())
      if (c.captured) captured_.push_back(SavedTensor::of(c.value));
  }
  void save(TensorList saved) {
    for (const Tensor& t : saved) saved_.push_back(SavedTensor::of(t));
  }
  autograd::Tensors run(autograd::Tensors grads) override {
    check_not_released();
    std::vector<Tensor> cotangents;
    const Program& backward = programs().programs.backward;
    for (size_t i = 0; i < num_inputs(); ++i) {
      const Program::Type& t = backward.type(backward.inputs()[saved_.size() + i]);
      cotangents.push_back(grads[i].defined() ? grads[i] : zeros(t.sizes, TensorOptions(t.dtype).device(t.device)));
    }
    return fitted(GradMode::is_enabled() ? recorded(cotangents) : planned(std::move(cotangents)));
  }
  std::string name() const override { return "AotBackward"; }
  void release_variables() override { primals_.clear(), captured_.clear(), saved_.clear(); }

 private:
  static std::vector<Edge> edges_of(const Roles& roles, const std::vector<Tensor>& primals) {
    std::vector<Edge> edges;
    for (size_t i : roles.terms)
      edges.push_back(wants_gradient(primals[i]) ? autograd::gradient_edge(primals[i]) : Edge());
    return edges;
  }
  static std::vector<autograd::TensorKind> kinds_of(const Roles& roles, const std::vector<Tensor>& primals) {
    std::vector<autograd::TensorKind> kinds;
    for (size_t i : roles.terms) kinds.emplace_back(primals[i]);
    return kinds;
  }
  const Programs& programs() const { return *function_->differentiated_; }
  std::vector<Tensor> planned(std::vector<Tensor> cotangents) {
    std::vector<Tensor> inputs;
    for (const SavedTensor& t : saved_) inputs.push_back(t.unpack(*this));
    std::move(cotangents.begin(), cotangents.end(), std::back_inserter(inputs));
    if (!autograd::keeps_graph()) release_saved();  // the plan lets go of each after its last use
    return without_history(programs().backward, std::move(inputs));
  }
  /// From the primals on, with the numbers that forward drew.
  std::vector<Tensor> recorded(const std::vector<Tensor>& cotangents) {
    std::vector<Tensor> inputs;
    for (const SavedTensor& t : primals_) inputs.push_back(t.unpack(*this));
    for (const SavedTensor& t : captured_) t.unpack(*this);  // throws if one was written to
    inputs.insert(inputs.end(), cotangents.begin(), cotangents.end());
    const RestoredRandom random(draws_);
    return programs().gradients(std::move(inputs));
  }

  const std::shared_ptr<const AotFunction> function_;
  const Generator::Position draws_;
  std::vector<SavedTensor> primals_, captured_, saved_;
};

AotFunction::AotFunction(std::string kind, Recorded recorded, const std::vector<Tensor>& inputs, AotOptions options)
    : kind_(std::move(kind)),
      pattern_(std::move(recorded.pattern)),
      aftermath_(std::move(recorded.aftermath)),
      results_(recorded.program.outputs().size()) {
  for (const Program::Constant& c : recorded.program.constants())
    if (c.captured) captured_.push_back({c.value, wants_gradient(c.value)});
  if (GradMode::is_enabled()) differentiated_ = Differentiated::make(recorded.program, inputs, options);
  if (!differentiated_) plain_ = std::make_unique<compiling::Executable>(std::move(recorded.program));
}

AotFunction::~AotFunction() = default;

bool AotFunction::fits() const {
  return !GradMode::is_enabled() || std::all_of(captured_.begin(), captured_.end(), [](const Captured& c) {
    return wants_gradient(c.tensor) == c.requires_grad;
  });
}

const AotPrograms* AotFunction::programs() const { return differentiated_ ? &differentiated_->programs : nullptr; }

namespace {

/// Results that get a history have bodies of their own, which no argument and nothing that is saved has, and are views
/// of nothing, whose history would be none.
void give_own_bodies(std::vector<Tensor>& made, size_t results, const std::vector<Tensor>& primals) {
  const NoGradGuard no_grad;
  const auto is_body_of = [](const Tensor& t) { return [&t](const Tensor& o) { return o.impl() == t.impl(); }; };
  for (size_t i = 0; i < results; ++i)
    if (made[i].defined() && (made[i].is_view() || (made[i].requires_grad() &&
                                                    std::any_of(primals.begin(), primals.end(), is_body_of(made[i])))))
      made[i] = made[i].detach();
  for (size_t i = results; i < made.size(); ++i)
    if (std::any_of(made.data(), made.data() + results, is_body_of(made[i]))) made[i] = made[i].detach();
}

/// A tensor that was written to gets the history of the value.
void take_history(const Tensor& written, const Tensor& value) {
  if (written.is_view()) {  // so does what it shows
    written.copy_(value);
    return;
  }
  const Edge edge = autograd::gradient_edge(value);
  autograd::set_history(written, edge.function, edge.input_nr);
}

}  // namespace

std::vector<Tensor> AotFunction::run(const std::shared_ptr<const AotFunction>& self, std::vector<Tensor> inputs) {
  const std::vector<Tensor> callers = self->aftermath_.callers_tensors(inputs);
  std::vector<Tensor> results =
      self->differentiated_ ? run_recorded(self, std::move(inputs)) : (*self->plain_)(std::move(inputs));
  self->aftermath_.settle(callers, results);
  return results;
}

std::vector<Tensor> AotFunction::run_recorded(const std::shared_ptr<const AotFunction>& self,
                                              std::vector<Tensor> inputs) {
  const Differentiated& d = *self->differentiated_;
  inputs.insert(inputs.end(), d.leaves.begin(), d.leaves.end());
  const Generator::Position draws = default_generator().state();
  std::vector<Tensor> made = without_history(d.forward, inputs);
  give_own_bodies(made, d.results, inputs);
  const IntrusivePtr<AotNode> node = IntrusivePtr<AotNode>::adopt(new AotNode(self, inputs, draws));
  node->save({made.data() + d.results, made.size() - d.results});
  for (uint32_t i = 0; i < d.roles.roots.size(); ++i)
    autograd::set_history(made[d.roles.roots[i]], IntrusivePtr<autograd::Node>::share(node.get()), i);
  for (const Roles::Written& w : d.roles.written)
    take_history(w.place.captured.defined() ? w.place.captured : inputs[w.place.primal], made[d.roles.roots[w.root]]);
  made.resize(self->results_);
  return made;
}

AotCache::AotCache(AotOptions options) : options_(checked(options)) {}

std::shared_ptr<const AotFunction> AotCache::find(std::string_view kind) const {
  const std::lock_guard lock(mutex_);
  ++stats_.calls;
  for (const auto& f : known_)
    if (f->kind() == kind && f->fits()) return f;
  return nullptr;
}

std::shared_ptr<const AotFunction> AotCache::add(std::string kind, Recorded recorded,
                                                 const std::vector<Tensor>& inputs) {
  auto made = std::make_shared<const AotFunction>(std::move(kind), std::move(recorded), inputs, options_);
  const std::lock_guard lock(mutex_);
  ++stats_.programs;
  known_.insert(known_.begin(), made);
  return made;
}

CompileStats AotCache::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

bool is_watched() {
  return thread_state.top_layer || (thread_state.included - thread_state.excluded).has(Key::Autocast);
}

void check_leaves_gradients(const Recorded& recorded) {
  STRATA_CHECK(recorded.gradients.empty(),
               "aot: the function calls backward() or asks for the gradient of an argument or of a captured tensor; "
               "call backward() outside, or use compile");
}

AotPrograms aot_programs_of(Recorded recorded, const std::vector<Tensor>& inputs, AotOptions options) {
  const AotFunction function("", std::move(recorded), inputs, checked(options));
  STRATA_CHECK(function.programs(),
               "aot_programs: nothing to differentiate: no argument and no captured tensor requires a gradient");
  return *function.programs();
}

}  // namespace detail

std::ostream& operator<<(std::ostream& out, const AotPrograms& programs) {
  return out << programs.forward << '\n' << programs.backward << '\n';
}

}  // namespace strata::func
