// Names for what a program computes with, and scopes for what modules do.
#include "train/graph_nodes.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "compile/compile.h"
#include "core/thread_state.h"
#include "ops/shaping.h"
#include "transforms/program_field.h"
#include "transforms/trace.h"

namespace strata::train::board {
namespace {

using func::Program;
using Variable = Program::Variable;

/// Where equations and tensors from outside belong.
struct Places {
  struct Mark {
    std::string scope;  ///< that begins here; of the end of a scope it is empty
    bool begins = false;
  };
  std::unordered_map<Variable, Mark> marks;  ///< by what an equation gives that stands there for this alone
  std::unordered_map<const TensorImpl*, std::string> names;
  size_t outputs = 0;  ///< those after them are marks
};

/// `a.b` of a root as `root/a/b`.
std::string slashed(const std::string& root, std::string path) {
  std::replace(path.begin(), path.end(), '.', '/');
  return path.empty() ? root : root + "/" + path;
}

class GraphBuilder {
 public:
  GraphBuilder(const Program& program, const Places& places) : program_(program), places_(places) {}

  std::vector<GraphNode> build() {
    for (const Variable v : program_.inputs())
      if (v != Program::kNone) add({numbered("input", inputs_++), "Input"}, {v});
    for (const Program::Constant& c : program_.constants()) add_constant(c);
    for (const Program::Equation& e : program_.equations()) add_equation(e);
    for (size_t i = 0; i < places_.outputs; ++i) {
      const Variable v = program_.outputs()[i];
      if (const auto found = references_.find(v); found != references_.end())
        add({numbered("output", i), "Output", "", {found->second}}, {v});
    }
    return std::move(nodes_);
  }

 private:
  static std::string numbered(const std::string& name, size_t i) { return name + "_" + std::to_string(i); }

  /// Gives the node a name that no other has, and says what it computes.
  void add(GraphNode node, const std::vector<Variable>& outputs) {
    size_t& used = used_[node.name];
    if (used++ > 0) node.name = numbered(node.name, used - 1);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == Program::kNone) continue;
      const Program::Type& type = program_.type(outputs[i]);
      if (i == 0) node.dtype = type.dtype, node.device = type.device.str();
      node.shapes.emplace_back(type.sizes.begin(), type.sizes.end());
      references_.emplace(outputs[i], i == 0 ? node.name : node.name + ":" + std::to_string(i));
    }
    nodes_.push_back(std::move(node));
  }

  void add_constant(const Program::Constant& c) {
    const auto found = places_.names.find(c.value.impl());
    if (found != places_.names.end()) return add({found->second, "Parameter"}, {c.variable});
    if (c.captured || !func::detail::is_literal(c.value))
      add({numbered("constant", constants_++), "Constant"}, {c.variable});
  }

  void add_equation(const Program::Equation& e) {
    if (!e.outputs.empty()) {
      const auto mark = places_.marks.find(e.outputs[0]);
      if (mark != places_.marks.end()) return follow(mark->second);
    }
    const std::string name(e.op->name());
    GraphNode node{scopes_.empty() ? name : scopes_.back() + "/" + name, name};
    for (const Variable v : e.inputs)
      if (const auto found = references_.find(v); found != references_.end()) node.inputs.push_back(found->second);
    for (const std::string& text : func::param_texts(e)) {
      const size_t equals = text.find('=');
      node.params[equals == text.npos ? "params" : text.substr(0, equals)] = text.substr(equals + 1);
    }
    add(std::move(node), e.outputs);
  }

  void follow(const Places::Mark& mark) {
    if (mark.begins)
      scopes_.push_back(mark.scope);
    else
      scopes_.pop_back();
  }

  const Program& program_;
  const Places& places_;
  std::vector<GraphNode> nodes_;
  std::unordered_map<Variable, std::string> references_;
  std::unordered_map<std::string, size_t> used_;
  std::vector<std::string> scopes_;
  size_t inputs_ = 0, constants_ = 0;
};

/// Has each module of a tree leave an equation where its call begins and where it ends: a copy of the traced function's
/// first input that nothing else has. So an equation is found in its scope whatever it is made of.
class Marker {
 public:
  Marker(const nn::Module& root, const std::string& name, const dispatch::Layer& layer, Tensor copied)
      : layer_(layer), copied_(std::move(copied)) {
    for (const auto& item : root.named_modules()) {
      const std::string scope = slashed(name, item.key());
      nn::Module& m = *item.value();
      hooks_.push_back(m.register_forward_pre_hook([this, scope](nn::Module&) { leave({scope, true}); }));
      hooks_.push_back(
          m.register_forward_hook([this](nn::Module&, const std::vector<Tensor>&, const std::vector<Tensor>&) {
            leave({"", false});
          }));
    }
  }
  ~Marker() {
    for (const auto& hook : hooks_) hook.remove();
  }
  Marker(const Marker&) = delete;
  Marker& operator=(const Marker&) = delete;

  const std::vector<Tensor>& copies() const { return copies_; }
  const std::vector<Places::Mark>& marks() const { return marks_; }

 private:
  void leave(Places::Mark mark) {
    // A branch or the body of a loop is a program of its own, from which a copy cannot come out.
    for (const dispatch::Layer* l = thread_state.top_layer; l && l != &layer_; l = l->below())
      if (l->records()) return;
    copies_.push_back(copied_.clone());
    marks_.push_back(std::move(mark));
  }

  const dispatch::Layer& layer_;
  const Tensor copied_;
  std::vector<Tensor> copies_;
  std::vector<Places::Mark> marks_;
  std::vector<nn::RemovableHandle> hooks_;
};

std::unordered_map<const TensorImpl*, std::string> names_of(const nn::Module& module, const std::string& root) {
  std::unordered_map<const TensorImpl*, std::string> names;
  for (const auto& item : module.named_parameters()) names.emplace(item.value().impl(), slashed(root, item.key()));
  for (const auto& item : module.named_buffers()) names.emplace(item.value().impl(), slashed(root, item.key()));
  return names;
}

}  // namespace

std::vector<GraphNode> graph_of(const Program& program) {
  Places places;
  places.outputs = program.outputs().size();
  return GraphBuilder(program, places).build();
}

std::vector<GraphNode> graph_of(const std::shared_ptr<nn::Module>& module, const std::vector<Tensor>& inputs,
                                const strata::detail::Function<std::vector<Tensor>(const std::vector<Tensor>&)>& call) {
  STRATA_CHECK(!inputs.empty() && inputs[0].defined(), "add_graph: the first input is undefined");
  const std::string kind = module->name(), root = kind.substr(kind.rfind(':') + 1);
  Places places;
  places.names = names_of(*module, root);
  const func::detail::TraceGuard guard;
  func::TraceLayer layer(func::TraceLayer::Records::effects);
  const func::LayerScope scope(layer);
  std::vector<Tensor> traced;
  for (const Tensor& t : inputs) traced.push_back(layer.input(t));
  const Marker marker(*module, root, layer, traced[0]);
  std::vector<Tensor> outputs = call(traced);
  places.outputs = outputs.size();
  outputs.insert(outputs.end(), marker.copies().begin(), marker.copies().end());
  const Program program = layer.finish(outputs);
  for (size_t i = 0; i < marker.marks().size(); ++i)
    places.marks.emplace(program.outputs()[places.outputs + i], marker.marks()[i]);
  return GraphBuilder(program, places).build();
}

}  // namespace strata::train::board
