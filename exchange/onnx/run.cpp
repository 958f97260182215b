// Runs a graph: calls the function of each node, one after the other; and what the library exports.
#include "core/error.h"
#include "exchange/onnx/ops.h"

namespace strata::onnx {
namespace {

Values call(const Node& node, Values values, const Values& slots) {
  if (node.function) {
    values.resize(node.function->inputs.size());  // a function's last inputs may be left out
    return run(*node.function, std::move(values), slots);
  }
  const Arguments arguments(node, std::move(values), slots);
  Values results = node.run(arguments);
  arguments.check_all_read();
  return results;
}

void run_node(const Node& node, Values& slots) {
  Values values;
  values.reserve(node.inputs.size());
  for (const Slot s : node.inputs) values.push_back(s == kNoSlot ? Value() : slots[static_cast<size_t>(s)]);
  Values results = call(node, std::move(values), slots);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoSlot) continue;
    STRATA_CHECK(i < results.size(), "load_onnx: the file wants {} results of {}, there are {}", node.outputs.size(),
                 node.op, results.size());
    slots[static_cast<size_t>(node.outputs[i])] = std::move(results[i]);
  }
  for (const Slot s : node.last_uses) slots[static_cast<size_t>(s)] = Value();
}

class OnnxEngine final : public Engine {
 public:
  std::shared_ptr<const Model> read(const std::string& path) const override { return read_model(path); }
  Values run(const Model& model, Values inputs, const std::vector<Tensor>& initializers) const override {
    const auto& runnable = static_cast<const RunnableModel&>(model);
    for (size_t i = 0; i < initializers.size(); ++i)
      inputs.emplace_back(runnable.decides[i] ? known_here(initializers[i]) : initializers[i]);
    return onnx::run(runnable.graph, std::move(inputs), {});
  }
  void write(const func::Program& program, const std::string& path) const override { write_model(program, path); }
};

}  // namespace

Values run(const Graph& graph, Values inputs, const Values& around) {
  STRATA_CHECK(inputs.size() == graph.inputs.size(), "load_onnx: a graph takes {} inputs, {} were given",
               graph.inputs.size(), inputs.size());
  Values slots(graph.slots);
  const auto at = [&slots](Slot s) -> Value& { return slots[static_cast<size_t>(s)]; };
  for (size_t i = 0; i < inputs.size(); ++i) at(graph.inputs[i]) = std::move(inputs[i]);
  for (const auto& [outer, inner] : graph.captures) at(inner) = around[static_cast<size_t>(outer)];
  for (const auto& [slot, tensor] : graph.constants) at(slot) = known_here(tensor);
  for (const Node& node : graph.nodes) {
    try {
      run_node(node, slots);
    } catch (Error& e) {
      if (e.context().empty()) e.add_context("node '" + node.name + "' of an ONNX model, " + node.op);
      throw;
    }
  }
  Values outputs;
  for (const Slot s : graph.outputs) outputs.push_back(at(s));
  return outputs;
}

}  // namespace strata::onnx

extern "C" __attribute__((visibility("default"))) const strata::onnx::Engine* strata_onnx_entry() {
  static const strata::onnx::OnnxEngine engine;
  return &engine;
}
