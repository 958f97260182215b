// The module of an ONNX file: its state by name, and the checks of what it is given.
#include "exchange/onnx.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <unordered_set>

#include "compile/compile.h"
#include "core/component.h"
#include "exchange/module_tree.h"
#include "exchange/onnx_engine.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata {
namespace {

const onnx::Engine& engine(const char* user) {
  static const auto entry =
      reinterpret_cast<onnx::EngineEntry>(detail::load_component(user, "libstrata_onnx.so", "strata_onnx_entry"));
  return *entry();
}

std::string described(const onnx::Input& input) {
  std::string text(name(input.dtype));
  text += "[";
  for (const onnx::Size& size : input.sizes) {
    text += text.back() == '[' ? "" : ",";
    text += size.value >= 0 ? std::to_string(size.value) : size.symbol.empty() ? "?" : size.symbol;
  }
  return text + "]";
}

/// Checks sizes against those of the file; a symbol has one size in all inputs.
class SizeChecker {
 public:
  void check(const onnx::Input& input, const Tensor& t) {
    STRATA_CHECK(t.defined(), "load_onnx: the input '{}' is undefined", input.name);
    STRATA_CHECK(t.dtype() == input.dtype, "load_onnx: the input '{}' must be {}, it is {}", input.name,
                 name(input.dtype), name(t.dtype()));
    if (!input.has_sizes) return;
    bool fits = t.sizes().size() == input.sizes.size();
    for (size_t i = 0; fits && i < input.sizes.size(); ++i) fits = takes(input.sizes[i], t.sizes()[i]);
    STRATA_CHECK(fits, "load_onnx: the input '{}' must be {}, it is {}{}", input.name, described(input),
                 name(t.dtype()), t.sizes());
  }

 private:
  bool takes(const onnx::Size& wanted, int64_t size) {
    if (wanted.value >= 0) return wanted.value == size;
    return wanted.symbol.empty() || sizes_.emplace(wanted.symbol, size).first->second == size;
  }

  std::unordered_map<std::string, int64_t> sizes_;
};

/// Full names that a tree of modules can have: no empty parts, and none that is a module and a tensor.
std::vector<std::string> tree_names(const std::vector<onnx::Initializer>& initializers) {
  std::unordered_set<std::string> modules;
  for (const onnx::Initializer& i : initializers)
    for (size_t dot = i.name.find('.'); dot != i.name.npos; dot = i.name.find('.', dot + 1))
      modules.insert(i.name.substr(0, dot));
  std::vector<std::string> names;
  for (const onnx::Initializer& i : initializers) {
    names.push_back(i.name);
    const bool has_empty_part =
        names.back().starts_with('.') || names.back().ends_with('.') || names.back().find("..") != std::string::npos;
    if (has_empty_part || modules.contains(i.name)) std::replace(names.back().begin(), names.back().end(), '.', '_');
    if (modules.contains(names.back())) names.back() += "_";
  }
  return names;
}

/// A tensor of an input's type without memory for it: what a trace looks at.
Tensor like_stated(const onnx::Input& input) {
  STRATA_CHECK(input.is_tensor && input.has_sizes,
               "load_onnx: the file does not say what the input '{}' is like: call "
               "program with examples of the inputs",
               input.name);
  DimVector sizes;
  for (const onnx::Size& size : input.sizes) {
    STRATA_CHECK(size.value >= 0,
                 "load_onnx: the file leaves sizes of the input '{}' open, {}: call program with "
                 "examples of the inputs",
                 input.name, described(input));
    sizes.push_back(size.value);
  }
  return expand(zeros({}, input.dtype), sizes);
}

std::vector<Tensor> tensors_of(const std::vector<Value>& values) {
  std::vector<Tensor> out;
  for (const Value& v : values) {
    STRATA_CHECK(v.isTensor() || v.isNone(), "load_onnx: a result is {}, which is no tensor: call run", v.kind_name());
    out.push_back(v.isTensor() ? v.toTensor() : Tensor());
  }
  return out;
}

}  // namespace

OnnxModelImpl::OnnxModelImpl(const std::string& path) : Module("OnnxModel"), model_(engine("load_onnx").read(path)) {
  register_state();
}

OnnxModelImpl::~OnnxModelImpl() = default;

void OnnxModelImpl::register_state() {
  ModuleTree modules(*this, "load_onnx");
  const std::vector<std::string> names = tree_names(model_->initializers);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto& [full_name, value, is_parameter] = model_->initializers[i];
    const auto [owner, own_name] = modules.owner_of(names[i]);
    if (is_parameter)
      owner->register_parameter(own_name, value);
    else
      owner->register_buffer(own_name, value);
    state_.push_back({names[i], is_parameter});
  }
}

std::vector<Value> OnnxModelImpl::results(std::vector<Value> inputs) const {
  const auto parameters = named_parameters(), buffers = named_buffers();
  std::vector<Tensor> initializers;
  for (const State& s : state_) initializers.push_back(s.is_parameter ? parameters[s.name] : buffers[s.name]);
  return engine("load_onnx").run(*model_, std::move(inputs), initializers);
}

std::vector<Value> OnnxModelImpl::run(std::vector<Value> inputs) {
  check_inputs(inputs);
  return results(std::move(inputs));
}

std::vector<Tensor> OnnxModelImpl::forward(std::vector<Tensor> inputs) {
  return tensors_of(run(std::vector<Value>(inputs.begin(), inputs.end())));
}

void OnnxModelImpl::check_inputs(const std::vector<Value>& inputs) const {
  STRATA_CHECK(inputs.size() == model_->inputs.size(), "load_onnx: the model takes {} inputs ({}), {} were given",
               model_->inputs.size(), fmt::format("{}", fmt::join(input_names(), ", ")), inputs.size());
  SizeChecker checker;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (model_->inputs[i].is_tensor) checker.check(model_->inputs[i], inputs[i].toTensor());
}

Tensor OnnxModelImpl::only(std::vector<Tensor> results) {
  STRATA_CHECK(results.size() == 1,
               "load_onnx: the model has {} results: call forward with a std::vector of its inputs", results.size());
  return std::move(results[0]);
}

std::vector<std::string> OnnxModelImpl::input_names() const {
  std::vector<std::string> names;
  for (const onnx::Input& input : model_->inputs) names.push_back(input.name);
  return names;
}

std::vector<std::string> OnnxModelImpl::output_names() const { return model_->outputs; }

func::Program OnnxModelImpl::program() const {
  std::vector<Tensor> inputs;
  for (const onnx::Input& input : model_->inputs) inputs.push_back(like_stated(input));
  return program(inputs);
}

func::Program OnnxModelImpl::program(const std::vector<Tensor>& inputs) const {
  check_inputs(std::vector<Value>(inputs.begin(), inputs.end()));
  const func::detail::TraceGuard guard;
  func::TraceLayer layer(func::TraceLayer::Records::effects);
  const func::LayerScope scope(layer);
  std::vector<Value> traced;
  for (const Tensor& t : inputs) traced.emplace_back(layer.input(t));
  return layer.finish(tensors_of(results(std::move(traced))));
}

void OnnxModelImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("OnnxModel({})", fmt::join(input_names(), ", "));
}

OnnxModel load_onnx(const std::string& path) { return OnnxModel(path); }

void save_onnx(const func::Program& program, const std::string& path) { engine("save_onnx").write(program, path); }

func::Program func::Program::load_onnx(const std::string& path) { return OnnxModel(path)->program(); }

}  // namespace strata
