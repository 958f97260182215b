// Runs a graph: calls the function of each node, one after the other.
#include "core/error.h"
#include "core/grad_mode.h"
#include "exchange/pt2_ops.h"
#include "ops/cast.h"

namespace strata::pt2 {
namespace {

Value resolved(const Argument& a, const Values& slots) {
  if (a.slot != kNoSlot) return slots[static_cast<size_t>(a.slot)];
  if (!a.is_list) return a.literal;
  Value::List items;
  items.reserve(a.items.size());
  for (const Argument& item : a.items) items.push_back(resolved(item, slots));
  return items;
}

/// The op without the underscore runs on a copy where its input may be saved, which is not to be written to then.
Values run_in_place(const Node& node, Values values, Device device) {
  STRATA_CHECK(!values.empty(), "load_pt2: nothing to write to");
  Tensor self = values[0].toTensor();
  if (GradMode::is_enabled() || self.impl()->wrapper()) values[0] = clone(self);
  const Arguments arguments(node, std::move(values), device);
  const Values result = node.run(arguments);
  arguments.check_all_read();
  STRATA_CHECK(result.size() == 1 && result[0].isTensor() && result[0].toTensor().sizes() == self.sizes(),
               "load_pt2: the result cannot be written to its first input, of shape {}", self.sizes());
  self.copy_(result[0].toTensor());
  return {self};
}

Values call(const Node& node, Values values, Device device) {
  if (node.writes_self) return run_in_place(node, std::move(values), device);
  const Arguments arguments(node, std::move(values), device);
  Values results = node.run(arguments);
  arguments.check_all_read();
  return results;
}

void run_node(const Node& node, Values& slots, Device device) {
  Values values;
  values.reserve(node.inputs.size());
  for (const Argument& a : node.inputs) values.push_back(resolved(a, slots));
  Values results = call(node, std::move(values), device);
  STRATA_CHECK(results.size() >= node.outputs.size(), "load_pt2: the file wants {} results, there are {}",
               node.outputs.size(), results.size());
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != kNoSlot) slots[static_cast<size_t>(node.outputs[i])] = std::move(results[i]);
  for (const Slot s : node.last_uses) slots[static_cast<size_t>(s)] = Value();
}

}  // namespace

Values run(const Graph& graph, Values inputs, Device device) {
  STRATA_CHECK(inputs.size() == graph.inputs.size(), "load_pt2: a graph takes {} inputs, {} were given",
               graph.inputs.size(), inputs.size());
  Values slots(graph.slots);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (graph.inputs[i] != kNoSlot) slots[static_cast<size_t>(graph.inputs[i])] = std::move(inputs[i]);
  for (const Node& node : graph.nodes) {
    try {
      run_node(node, slots, device);
    } catch (Error& e) {
      if (e.context().empty()) e.add_context("node '" + node.name + "' of an exported program, " + node.target);
      throw;
    }
  }
  Values outputs;
  for (const Argument& a : graph.outputs) outputs.push_back(resolved(a, slots));
  return outputs;
}

}  // namespace strata::pt2
