// The module of an exported program: its state by name, and what a run writes.
#include "exchange/pt2.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <unordered_map>

#include "compile/compile.h"
#include "exchange/module_tree.h"
#include "exchange/pt2_graph.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata {

using pt2::Input;
using pt2::Model;
using pt2::Output;

namespace {

std::string described(const pt2::TensorType& type) {
  std::string text(name(type.dtype));
  text += "[";
  for (const pt2::Size& size : type.sizes)
    text += (text.back() == '[' ? "" : ",") + (size.symbol.empty() ? std::to_string(size.value) : size.symbol);
  return text + "]";
}

/// Checks sizes against those of the file; a symbol has one size in all inputs.
class SymbolChecker {
 public:
  explicit SymbolChecker(const std::map<std::string, pt2::Range>& ranges) : ranges_(ranges) {}

  void check(const Input& input, const Tensor& t) {
    STRATA_CHECK(t.defined(), "load_pt2: the input '{}' is undefined", input.name);
    const pt2::TensorType& type = input.type;
    bool fits = t.dtype() == type.dtype && t.sizes().size() == type.sizes.size();
    for (size_t i = 0; fits && i < type.sizes.size(); ++i)
      fits = !type.sizes[i].symbol.empty() || t.sizes()[i] == type.sizes[i].value;
    STRATA_CHECK(fits, "load_pt2: the input '{}' must be {}, it is {}{}: export with dynamic_shapes for other sizes",
                 input.name, described(type), name(t.dtype()), t.sizes());
    for (size_t i = 0; i < type.sizes.size(); ++i)
      if (!type.sizes[i].symbol.empty()) check_symbol(input, type.sizes[i].symbol, t.sizes()[i]);
  }

 private:
  void check_symbol(const Input& input, const std::string& symbol, int64_t size) {
    const auto range = ranges_.find(symbol);
    STRATA_CHECK(range == ranges_.end() || (range->second.least <= size && size <= range->second.most),
                 "load_pt2: the size {} of the input '{}' is {}, it was exported for {} to {}", symbol, input.name,
                 size, range->second.least, range->second.most);
    const auto [known, is_new] = sizes_.emplace(symbol, size);
    STRATA_CHECK(is_new || known->second == size, "load_pt2: the size {} of the input '{}' is {}, elsewhere it is {}",
                 symbol, input.name, size, known->second);
  }

  const std::map<std::string, pt2::Range>& ranges_;
  std::unordered_map<std::string, int64_t> sizes_;
};

Tensor as_tensor(const Value& v) {
  if (v.isNone()) return {};
  if (v.isTensor()) return v.toTensor();
  STRATA_CHECK(v.isScalar(), "load_pt2: a result is {}, which is no tensor", v.kind_name());
  const Scalar number = v.toScalar();
  return scalar_tensor(number, v.isBool() ? kBool : v.isInt() ? kLong : kDouble);
}

/// A tensor of a shape without memory for it: what a trace looks at.
Tensor like_exported(const Input& input) {
  DimVector sizes;
  for (const pt2::Size& size : input.type.sizes) sizes.push_back(size.value);
  return expand(zeros({}, input.is_tensor ? input.type.dtype : kLong), sizes);
}

}  // namespace

ExportedProgramImpl::ExportedProgramImpl(const std::string& path)
    : Module("ExportedProgram"), model_(std::make_shared<const Model>(pt2::read_model(path))) {
  register_state();
}

ExportedProgramImpl::~ExportedProgramImpl() = default;

void ExportedProgramImpl::register_state() {
  ModuleTree modules(*this, "load_pt2");
  for (const Input& input : model_->inputs) {
    state_.emplace_back();
    if (input.kind == Input::Kind::user || input.kind == Input::Kind::literal) continue;
    const auto found = model_->tensors.find(input.name);
    STRATA_CHECK(found != model_->tensors.end(), "load_pt2: the file has no values for '{}'", input.name);
    state_.back() = found->second;
    if (input.kind == Input::Kind::constant || !input.persistent) continue;
    const auto [owner, own_name] = modules.owner_of(input.name);
    if (input.kind == Input::Kind::parameter)
      owner->register_parameter(own_name, state_.back(), state_.back().requires_grad());
    else
      owner->register_buffer(own_name, state_.back());
  }
}

std::vector<Tensor> ExportedProgramImpl::run(const std::vector<Tensor>& inputs) const {
  pt2::Values values;
  std::optional<Device> device;
  size_t next = 0;
  for (size_t i = 0; i < state_.size(); ++i) {
    const Input& input = model_->inputs[i];
    const Tensor& t = input.kind == Input::Kind::user ? inputs[next++] : state_[i];
    if (t.defined() && !device) device = t.device();
    if (input.kind == Input::Kind::user && !input.is_tensor)
      values.emplace_back(t.item());
    else
      values.push_back(t.defined() ? Value(t) : Value());
  }
  const pt2::Values results = pt2::run(model_->graph, values, device.value_or(kCPU));
  std::vector<Tensor> out;
  for (size_t i = 0; i < results.size(); ++i) {
    const Output& output = model_->outputs[i];
    if (output.is_result)
      out.push_back(as_tensor(results[i]));
    else
      write(output.target, values, results[i].toTensor());
  }
  return out;
}

/// A functional graph returns what the exported program wrote; the state of a module is no part of what is recorded.
void ExportedProgramImpl::write(size_t target, const pt2::Values& inputs, const Tensor& value) const {
  const AutoGradMode recording(GradMode::is_enabled() && model_->inputs[target].kind == Input::Kind::user);
  Tensor to = inputs[target].toTensor();
  to.copy_(value);
}

std::vector<Tensor> ExportedProgramImpl::forward(std::vector<Tensor> inputs) {
  check_inputs(inputs);
  return run(inputs);
}

void ExportedProgramImpl::check_inputs(const std::vector<Tensor>& inputs) const {
  const std::vector<std::string> names = input_names();
  STRATA_CHECK(inputs.size() == names.size(), "load_pt2: the program takes {} inputs ({}), {} were given", names.size(),
               fmt::format("{}", fmt::join(names, ", ")), inputs.size());
  SymbolChecker checker(model_->ranges);
  size_t next = 0;
  for (const Input& input : model_->inputs)
    if (input.kind == Input::Kind::user) checker.check(input, inputs[next++]);
}

Tensor ExportedProgramImpl::only(std::vector<Tensor> results) {
  STRATA_CHECK(results.size() == 1,
               "load_pt2: the program has {} results: call forward with a std::vector of its inputs", results.size());
  return std::move(results[0]);
}

std::vector<std::string> ExportedProgramImpl::input_names() const {
  std::vector<std::string> names;
  for (const Input& input : model_->inputs)
    if (input.kind == Input::Kind::user) names.push_back(input.name);
  return names;
}

func::Program ExportedProgramImpl::program() const {
  std::vector<Tensor> inputs;
  for (const Input& input : model_->inputs)
    if (input.kind == Input::Kind::user) inputs.push_back(like_exported(input));
  return program(inputs);
}

func::Program ExportedProgramImpl::program(const std::vector<Tensor>& inputs) const {
  check_inputs(inputs);
  const func::detail::TraceGuard guard;
  func::TraceLayer layer(func::TraceLayer::Records::effects);
  const func::LayerScope scope(layer);
  std::vector<Tensor> traced;
  for (const Tensor& t : inputs) traced.push_back(layer.input(t));
  return layer.finish(run(traced));
}

void ExportedProgramImpl::move_constants(std::optional<Device> device, std::optional<DType> dtype) {
  const NoGradGuard no_grad;
  for (size_t i = 0; i < state_.size(); ++i) {
    const Input& input = model_->inputs[i];
    if (!state_[i].defined() || (input.kind != Input::Kind::constant && input.persistent)) continue;
    const bool converts = dtype && is_floating_point(state_[i].dtype());
    state_[i] = state_[i].to(device.value_or(state_[i].device()), converts ? *dtype : state_[i].dtype());
  }
}

void ExportedProgramImpl::to(Device device, DType dtype, bool non_blocking) {
  Module::to(device, dtype, non_blocking);
  move_constants(device, dtype);
}

void ExportedProgramImpl::to(DType dtype, bool non_blocking) {
  Module::to(dtype, non_blocking);
  move_constants(std::nullopt, dtype);
}

void ExportedProgramImpl::to(Device device, bool non_blocking) {
  Module::to(device, non_blocking);
  move_constants(device, std::nullopt);
}

void ExportedProgramImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("ExportedProgram({})", fmt::join(input_names(), ", "));
}

ExportedProgram load_pt2(const std::string& path) { return ExportedProgram(path); }

func::Program func::Program::load_pt2(const std::string& path) { return ExportedProgram(path)->program(); }

}  // namespace strata
