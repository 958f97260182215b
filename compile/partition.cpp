// The minimum cut between what forward has and what backward needs, over bytes.
#include "compile/partition.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include "compile/passes.h"
#include "dispatcher/names.h"
#include "ops/cast_def.h"
#include "ops/linalg_def.h"
#include "transforms/program_field.h"

namespace strata::func::passes {
namespace {

using Variable = Program::Variable;
using Equation = Program::Equation;
/// A flow network whose minimum cut is sought.
class Network {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::bidirectionalS>;
  struct Vertex {
    Traits::edge_descriptor predecessor{0, 0, nullptr};
    boost::default_color_type color{};
    int64_t distance = 0;
  };
  struct Edge {
    int64_t capacity = 0, residual = 0;
    Traits::edge_descriptor reverse{0, 0, nullptr};
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Vertex, Edge>;

 public:
  static constexpr int64_t kUncut = int64_t{1} << 56;
  static constexpr size_t kSource = 0, kSink = 1;

  explicit Network(size_t vertices) : graph_(vertices) {}
  void connect(size_t from, size_t to, int64_t capacity) {
    const auto there = boost::add_edge(from, to, graph_).first, back = boost::add_edge(to, from, graph_).first;
    graph_[there] = {capacity, 0, back};
    graph_[back] = {0, 0, there};
  }
  /// For each vertex, whether it lies on the sink's side of the minimum cut that is nearest to the sink.
  std::vector<bool> cut() {
    boost::boykov_kolmogorov_max_flow(graph_, get(&Edge::capacity, graph_), get(&Edge::residual, graph_),
                                      get(&Edge::reverse, graph_), get(&Vertex::predecessor, graph_),
                                      get(&Vertex::color, graph_), get(&Vertex::distance, graph_),
                                      get(boost::vertex_index, graph_), kSource, kSink);
    std::vector<bool> reaches(num_vertices(graph_));
    std::vector<size_t> open{kSink};
    reaches[kSink] = true;
    while (!open.empty()) {
      const size_t to = open.back();
      open.pop_back();
      for (const auto& e : boost::make_iterator_range(out_edges(to, graph_))) {
        const size_t from = target(e, graph_);
        if (reaches[from] || graph_[graph_[e].reverse].residual == 0) continue;
        reaches[from] = true;
        open.push_back(from);
      }
    }
    return reaches;
  }

 private:
  Graph graph_;
};

/// What can be had again from what is saved.
enum class Again : uint8_t { freely, dearly, never };

class Partitioner {
 public:
  Partitioner(const Joint& joint, bool products);
  Halves run(double budget) const;

 private:
  /// What a cut keeps from forward to backward, and which equations backward runs.
  struct Cut {
    std::vector<Variable> saved;
    std::vector<bool> in_backward;
    int64_t bytes = 0;
  };
  void find_backward();
  void find_ready();
  Again again(const Equation& e) const;
  double cost_of_running(const Equation& e) const;
  void find_dear();
  Network network(size_t allowed) const;
  Cut cut(size_t allowed) const;
  Cut cut_within(double budget) const;
  int64_t bytes(Variable v) const;
  int64_t cost_of_saving(Variable v) const;
  bool is_computed(Variable v) const { return v != Program::kNone && !is_constant_[v]; }
  std::vector<bool> find_last_ones() const;
  std::vector<size_t> backward_order() const;
  std::vector<Equation> in_order_of_need(const std::vector<bool>& runs) const;
  Program forward(const Cut& cut) const;
  Program backward(const Cut& cut) const;

  // Vertices: a variable is cut between the one that it is made at and the one that it is read at.
  static size_t made(Variable v) { return 2 + 2 * static_cast<size_t>(v); }
  static size_t read(Variable v) { return made(v) + 1; }
  size_t vertex(size_t equation) const { return 2 + 2 * body_.types.size() + equation; }

  const Joint& joint_;
  const Program::Body& body_;
  const bool products_;
  std::vector<bool> is_backward_;    // by variable: depends on a cotangent
  std::vector<bool> runs_backward_;  // by equation: the same
  std::vector<bool> is_held_;        // by variable: a primal or a captured tensor
  std::vector<bool> is_constant_;    // by variable: the program's own, or a number
  std::vector<bool> is_view_;        // by variable
  std::vector<bool> shows_held_;     // by variable: held, or a view of what is
  std::vector<size_t> dear_;         // equations to compute again if the budget says so, in this order
};

Partitioner::Partitioner(const Joint& joint, bool products)
    : joint_(joint), body_(joint.program.body()), products_(products) {
  find_backward();
  find_ready();
  find_dear();
}

void Partitioner::find_backward() {
  is_backward_.assign(body_.types.size(), false);
  runs_backward_.assign(body_.equations.size(), false);
  for (size_t i = joint_.primals; i < body_.inputs.size(); ++i)
    if (body_.inputs[i] != Program::kNone) is_backward_[body_.inputs[i]] = true;
  for (size_t i = 0; i < body_.equations.size(); ++i) {
    const Equation& e = body_.equations[i];
    runs_backward_[i] = std::any_of(e.inputs.begin(), e.inputs.end(),
                                    [&](Variable v) { return v != Program::kNone && is_backward_[v]; });
    for (Variable v : e.outputs) is_backward_[v] = runs_backward_[i];
  }
}

/// What costs nothing to have in backward.
void Partitioner::find_ready() {
  is_held_.assign(body_.types.size(), false);
  is_constant_ = is_view_ = is_held_;
  for (size_t i = 0; i < joint_.primals; ++i)
    if (body_.inputs[i] != Program::kNone) is_held_[body_.inputs[i]] = true;
  for (const Program::Constant& c : body_.constants) (c.captured ? is_held_ : is_constant_)[c.variable] = true;
  shows_held_ = is_held_;
  for (const Equation& e : body_.equations) {
    if (!e.op->is(kView)) continue;
    is_view_[e.outputs[0]] = true;
    shows_held_[e.outputs[0]] = shows_held_[e.inputs[0]];
  }
}

/// Autocast's list of ops that run in 16 bits is that of the ops which arithmetic bounds.
Again Partitioner::again(const Equation& e) const {
  const Op& op = *e.op;
  if (!is_pure(e) || !programs_in(e.params).empty()) return Again::never;  // branches and loops may hold products
  const auto is_weight = [&](Variable v) { return v != Program::kNone && shows_held_[v]; };
  if (op.autocast == AutocastPolicy::kLower)
    return products_ && &op == &matmul_op && std::none_of(e.inputs.begin(), e.inputs.end(), is_weight) ? Again::dearly
                                                                                                       : Again::never;
  return op.is(kView) || op.is(kPointwise) ? Again::freely : Again::dearly;
}

int64_t Partitioner::bytes(Variable v) const {
  const Program::Type& t = body_.types[v];
  return numel_of(t.sizes) * static_cast<int64_t>(item_size(t.dtype));
}

/// A view is made again of what it shows, which keeps as many bytes alive.
int64_t Partitioner::cost_of_saving(Variable v) const {
  return is_held_[v] ? 0 : is_view_[v] ? Network::kUncut : bytes(v);
}

/// In bytes moved: what is read, and for a product the arithmetic, of which eight steps take the time of a byte.
double Partitioner::cost_of_running(const Equation& e) const {
  double cost = 0;
  for (Variable v : e.inputs) cost += v == Program::kNone ? 0 : static_cast<double>(bytes(v));
  if (e.op == &matmul_op)
    cost += static_cast<double>(numel_of(body_.types[e.outputs[0]].sizes) * body_.types[e.inputs[0]].sizes.back()) / 4;
  return cost;
}

/// What costs least for the bytes that it makes comes first.
void Partitioner::find_dear() {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < body_.equations.size(); ++i) {
    const Equation& e = body_.equations[i];
    if (runs_backward_[i] || again(e) != Again::dearly) continue;
    double made = 1;
    for (Variable v : e.outputs) made += static_cast<double>(bytes(v));
    order.emplace_back(cost_of_running(e) / made, i);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [cost, i] : order) dear_.push_back(i);
}

/// Flow goes from what forward alone can make to what backward needs. The first `allowed` of the dear equations may be
/// computed again.
Network Partitioner::network(size_t allowed) const {
  Network net(vertex(body_.equations.size()));
  std::vector<bool> is_free(body_.equations.size());
  for (size_t i = 0; i < allowed; ++i) is_free[dear_[i]] = true;
  for (size_t v = 0; v < body_.types.size(); ++v) {
    const auto variable = static_cast<Variable>(v);
    if (is_constant_[v] || is_backward_[v]) continue;
    net.connect(made(variable), read(variable), cost_of_saving(variable));
    if (is_held_[v]) net.connect(Network::kSource, made(variable), Network::kUncut);
  }
  const auto is_needed = [&](Variable v) {
    if (is_computed(v) && !is_backward_[v]) net.connect(read(v), Network::kSink, Network::kUncut);
  };
  for (size_t i = 0; i < body_.equations.size(); ++i) {
    const Equation& e = body_.equations[i];
    if (runs_backward_[i]) {
      std::for_each(e.inputs.begin(), e.inputs.end(), is_needed);
      continue;
    }
    const Again how = again(e);
    if (how == Again::never || (how == Again::dearly && !is_free[i]))
      net.connect(Network::kSource, vertex(i), Network::kUncut);
    for (Variable v : e.inputs)
      if (is_computed(v)) net.connect(read(v), vertex(i), Network::kUncut);
    for (Variable v : e.outputs) net.connect(vertex(i), made(v), Network::kUncut);
  }
  std::for_each(body_.outputs.begin() + static_cast<int64_t>(joint_.results), body_.outputs.end(), is_needed);
  return net;
}

Partitioner::Cut Partitioner::cut(size_t allowed) const {
  const std::vector<bool> is_late = network(allowed).cut();
  Cut result;
  for (size_t v = 0; v < body_.types.size(); ++v) {
    const auto variable = static_cast<Variable>(v);
    if (is_late[made(variable)] || !is_late[read(variable)]) continue;
    result.saved.push_back(variable);
    result.bytes += cost_of_saving(variable);
  }
  for (size_t i = 0; i < body_.equations.size(); ++i)
    result.in_backward.push_back(runs_backward_[i] || is_late[vertex(i)]);
  return result;
}

/// More that may be computed again never makes a cut larger, so the least that is enough is found by halving.
Partitioner::Cut Partitioner::cut_within(double budget) const {
  Cut plain = cut(0);
  if (budget >= 1 || dear_.empty()) return plain;
  const auto wanted = static_cast<int64_t>(budget * static_cast<double>(plain.bytes));
  size_t too_few = 0, enough = dear_.size();
  Cut best = cut(enough);
  if (best.bytes == plain.bytes) return plain;
  const int64_t reachable = std::max(wanted, best.bytes);
  while (enough - too_few > 1) {
    const size_t middle = (too_few + enough) / 2;
    Cut tried = cut(middle);
    const bool is_enough = tried.bytes <= reachable;
    (is_enough ? enough : too_few) = middle;
    if (is_enough) best = std::move(tried);
  }
  return best;
}

/// What is computed that no result, effect or saved tensor needs is dropped by Program.
Program Partitioner::forward(const Cut& cut) const {
  Program::Body body = body_;
  body.inputs.resize(joint_.primals);
  body.outputs.resize(joint_.results);
  body.equations.clear();
  for (size_t i = 0; i < body_.equations.size(); ++i)
    if (!runs_backward_[i]) body.equations.push_back(body_.equations[i]);
  for (Variable v : cut.saved) {
    const bool is_written =
        std::any_of(body.effects.begin(), body.effects.end(), [&](const Program::Effect& e) { return e.target == v; });
    body.outputs.push_back(v);
    if (!is_written) continue;  // else backward would see what it is afterwards
    body.outputs.back() = static_cast<Variable>(body.types.size());
    body.types.push_back(Program::Type(body.types[v]));
    body.equations.push_back({&copy_op, OwnedParams(Params::of(NoParams())), true, {v}, {body.outputs.back()}});
  }
  return Program(std::move(body));
}

/// By equation: is all that it makes a result of the program, or a view that goes into such a result alone?
std::vector<bool> Partitioner::find_last_ones() const {
  std::vector<bool> is_last(body_.equations.size()), is_result(body_.types.size()), goes_on(body_.types.size());
  for (Variable v : body_.outputs)
    if (v != Program::kNone) is_result[v] = true;
  for (size_t i = body_.equations.size(); i-- > 0;) {
    const Equation& e = body_.equations[i];
    const auto is_end = [&](Variable v) { return !goes_on[v] && (is_result[v] || is_view_[v]); };
    is_last[i] = std::all_of(e.outputs.begin(), e.outputs.end(), is_end);
    if (is_last[i]) continue;
    for (Variable v : e.inputs)
      if (v != Program::kNone) goes_on[v] = true;
  }
  return is_last;
}

/// Equations that depend on cotangents, in the order of eager code, but those that only lead to a result come as soon
/// as they can: what they read is free then.
std::vector<size_t> Partitioner::backward_order() const {
  const std::vector<bool> is_last = find_last_ones();
  std::vector<size_t> order, ready(body_.types.size());  // by variable: how many that go on have run before
  std::vector<std::pair<size_t, size_t>> keys;
  size_t count = 0;
  for (size_t i = 0; i < body_.equations.size(); ++i) {
    if (!runs_backward_[i]) continue;
    const Equation& e = body_.equations[i];
    size_t when = is_last[i] ? 0 : ++count;
    for (Variable v : e.inputs)
      if (v != Program::kNone && is_last[i]) when = std::max(when, ready[v]);
    for (Variable v : e.outputs) ready[v] = when;
    keys.emplace_back(when, i);
  }
  std::sort(keys.begin(), keys.end());  // what goes on was first to reach its number
  for (const auto& [when, i] : keys) order.push_back(i);
  return order;
}

/// What is computed again comes right before what needs it, so that it is not kept from the beginning on.
std::vector<Equation> Partitioner::in_order_of_need(const std::vector<bool>& runs) const {
  std::vector<size_t> maker(body_.types.size(), body_.equations.size());
  for (size_t i = 0; i < body_.equations.size(); ++i)
    for (Variable v : body_.equations[i].outputs) maker[v] = i;
  std::vector<bool> is_done(body_.equations.size() + 1);
  is_done.back() = true;  // stands for what no equation makes
  std::vector<Equation> order;
  std::vector<size_t> open;
  const auto need = [&](Variable v) {
    if (v == Program::kNone || is_done[maker[v]] || !runs[maker[v]]) return false;
    open.push_back(maker[v]);
    return true;
  };
  const auto finish = [&] {
    while (!open.empty()) {
      const size_t i = open.back();
      const std::vector<Variable>& inputs = body_.equations[i].inputs;
      if (!is_done[i] && std::count_if(inputs.begin(), inputs.end(), need) > 0) continue;
      open.pop_back();
      if (!is_done[i]) order.push_back(body_.equations[i]);
      is_done[i] = true;
    }
  };
  for (size_t i : backward_order()) {
    open.push_back(i);
    finish();
  }
  std::for_each(body_.outputs.begin() + static_cast<int64_t>(joint_.results), body_.outputs.end(), need);
  finish();
  return order;
}

Program Partitioner::backward(const Cut& cut) const {
  Program::Body body = body_;
  body.inputs = cut.saved;
  body.inputs.insert(body.inputs.end(), body_.inputs.begin() + static_cast<int64_t>(joint_.primals),
                     body_.inputs.end());
  body.outputs.erase(body.outputs.begin(), body.outputs.begin() + static_cast<int64_t>(joint_.results));
  body.effects.clear();
  body.equations = in_order_of_need(cut.in_backward);
  std::erase_if(body.constants, [](const Program::Constant& c) { return c.captured; });
  return Program(std::move(body));
}

Halves Partitioner::run(double budget) const {
  const Cut best = cut_within(budget);
  return {forward(best), backward(best), best.bytes};
}

}  // namespace

Halves partition(const Joint& joint, double budget, bool products) { return Partitioner(joint, products).run(budget); }

}  // namespace strata::func::passes
