// Tracing branches and bodies of loops.
#include "transforms/control_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "dispatcher/names.h"
#include "transforms/trace.h"
#include "transforms/vmap.h"

namespace strata::func::control {

using Variable = Program::Variable;

namespace {

const Layer* layer_of(const WrapperBase& w) {
  const Layer* layer = thread_state.top_layer;
  while (layer && layer->level() != w.level) layer = layer->below();
  return layer;
}

/// Is a tensor without wrapper one that a compiled function is to read in each run?
bool is_recorded_outside(const Tensor& t) {
  static constexpr Op any{};
  for (const Layer* layer = thread_state.top_layer; layer; layer = layer->below())
    if (layer->records() && layer->takes(any, {&t}, Params::of(NoParams()))) return true;
  return false;
}

}  // namespace

Standing standing(const Tensor& t) {
  if (!thread_state.top_layer) return Standing::known;
  Standing found = Standing::known;
  const Tensor* at = &t;
  while (const WrapperBase* const w = at->impl()->wrapper()) {
    const Layer* const layer = layer_of(*w);
    if (!layer || dynamic_cast<const TraceLayer*>(layer)) return layer ? Standing::traced : found;
    if (dynamic_cast<const VmapLayer*>(layer)) found = Standing::mapped;
    at = &static_cast<const ValueWrapper*>(w)->value;
  }
  return is_recorded_outside(*at) ? Standing::traced : found;
}

bool any_traced(dispatch::Args args) {
  return thread_state.top_layer && std::any_of(args.begin(), args.end(), [](const Tensor* t) { return is_traced(*t); });
}
bool any_traced(const List& list) {
  return thread_state.top_layer && std::any_of(list.begin(), list.end(), [](const Tensor& t) { return is_traced(t); });
}

const Tensor& innermost(const Tensor& t) {
  const Tensor* at = &t;
  while (const WrapperBase* const w = at->impl()->wrapper()) at = &static_cast<const ValueWrapper*>(w)->value;
  return *at;
}

bool is_differentiated(const Tensor& t) {
  if (!is_differentiable(t.dtype())) return false;
  const Tensor* at = &t;
  while (const WrapperBase* const w = at->impl()->wrapper()) {
    const Layer* const layer = layer_of(*w);
    if (!layer || dynamic_cast<const TraceLayer*>(layer)) return true;  // later, perhaps
    if (!dynamic_cast<const VmapLayer*>(layer)) return true;
    at = &static_cast<const ValueWrapper*>(w)->value;
  }
  return at->requires_grad();
}

List spread_over(const List& some, const Mask& mask) {
  List all(mask.size());
  for (size_t i = 0, next = 0; i < mask.size(); ++i)
    if (mask[i]) all[i] = some[next++];
  return all;
}

Mask drop_undefined(List& list) {
  Mask mask;
  for (const Tensor& t : list) mask.push_back(t.defined());
  std::erase_if(list, [](const Tensor& t) { return !t.defined(); });
  return mask;
}

Program::Type type_of(const Tensor& t) { return {t.dtype(), t.device(), t.sizes()}; }
Types types_of(const List& list) {
  Types types;
  for (const Tensor& t : list) types.push_back(type_of(t));
  return types;
}

std::string text(const Types& types) {
  std::vector<std::string> words;
  for (const Program::Type& t : types) words.push_back(t.str());
  return fmt::format("({})", fmt::join(words, ", "));
}

Tensor shape_only(const Program::Type& type) {
  auto* const impl = new TensorImpl(type.dtype, type.device, Storage());
  impl->set_contiguous(type.sizes, numel_of(type.sizes));
  return Tensor::adopt(impl);
}

namespace {

/// The program of `f` with tensors from outside as its constants.
Program traced(ListRef f, const List& arguments, TraceLayer::Records records) {
  TraceLayer layer(records);
  const LayerScope scope(layer);
  List inputs;
  for (const Tensor& t : arguments) inputs.push_back(layer.input(t));
  return layer.finish(detail::fresh(f(inputs)));
}

bool is_lifted(const Program::Constant& c) { return c.captured || !detail::is_literal(c.value); }

/// Makes what `f` captured the first inputs: those of `all`, in which its own are at `places`.
Program lifted(const Program& p, const List& all, const std::unordered_map<TensorImpl*, size_t>& places) {
  Program::Body body = p.body();
  std::vector<Variable> first(all.size(), Program::kNone);
  std::vector<Program::Constant> left;
  for (Program::Constant& c : body.constants)
    is_lifted(c) ? void(first[places.at(c.value.impl())] = c.variable) : left.push_back(std::move(c));
  for (size_t i = 0; i < all.size(); ++i) {
    if (first[i] != Program::kNone) continue;
    first[i] = static_cast<Variable>(body.types.size());
    body.types.push_back(type_of(all[i]));
  }
  body.inputs.insert(body.inputs.begin(), first.begin(), first.end());
  body.constants = std::move(left);
  return Program(std::move(body));
}

}  // namespace

Closures close_all(ArrayRef<ListRef> functions, const List& arguments) {
  Closures result;
  std::unordered_map<TensorImpl*, size_t> places;
  for (const ListRef& f : functions) {
    result.programs.push_back(traced(f, arguments, TraceLayer::Records::body));
    for (const Program::Constant& c : result.programs.back().constants())
      if (is_lifted(c) && places.emplace(c.value.impl(), result.captured.size()).second)
        result.captured.push_back(c.value);
  }
  for (Program& p : result.programs) p = lifted(p, result.captured, places);
  return result;
}

Closure close(ListRef f, const List& arguments) {
  Closures all = close_all(f, arguments);
  return {std::move(all.programs[0]), std::move(all.captured)};
}

Program program_of(const Types& inputs, ListRef f) {
  List arguments;
  for (const Program::Type& t : inputs) arguments.push_back(shape_only(t));
  return traced(f, arguments, TraceLayer::Records::function);
}

Types input_types(const Program& p) {
  Types types;
  for (Variable v : p.inputs()) types.push_back(p.type(v));
  return types;
}
Types output_types(const Program& p) {
  Types types;
  for (Variable v : p.outputs()) types.push_back(p.type(v));
  return types;
}

Program reordered(const Program& p, const std::vector<size_t>& inputs, const std::vector<size_t>& outputs) {
  Program::Body body = p.body();
  for (size_t i = 0; i < inputs.size(); ++i) body.inputs[i] = p.inputs()[inputs[i]];
  for (size_t i = 0; i < outputs.size(); ++i) body.outputs[i] = p.outputs()[outputs[i]];
  return Program(std::move(body));
}

Program with_unused_inputs(const Program& p, size_t at, const Types& types) {
  Program::Body body = p.body();
  for (const Program::Type& t : types) {
    body.inputs.insert(body.inputs.begin() + static_cast<std::ptrdiff_t>(at++),
                       static_cast<Variable>(body.types.size()));
    body.types.push_back(t);
  }
  return Program(std::move(body));
}

}  // namespace strata::func::control
