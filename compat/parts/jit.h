// TorchScript's names. It is deprecated and Strata does not run it: programs that use it compile, and where one loads,
// compiles or runs a script module, one error says what to do instead.
#pragma once
#include <strata/strata.h>

#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check.h"
#include "ivalue.h"

namespace strata::jit {

using IValue = strata::IValue;
using Stack = std::vector<IValue>;

[[noreturn]] inline void refuse(const std::string& what) {
  throw NotImplementedError(
      "torch::jit::" + what +
      ": TorchScript is deprecated and not run here; export the model with torch.export and read it by "
      "Program::load_pt2, or save its state_dict as safetensors and load it into a module by strata::load");
}

/// A function of a script.
class Function {
 public:
  const std::string& name() const { refuse("Function::name"); }
  size_t num_inputs() const { refuse("Function::num_inputs"); }
  IValue operator()(Stack /*inputs*/) { refuse("Function"); }
};

/// A method of a script module.
class Method {
 public:
  size_t num_inputs() const { refuse("Method::num_inputs"); }
  Function& function() const { refuse("Method::function"); }
  IValue operator()(const std::vector<IValue>& /*inputs*/) const { refuse("Method"); }
  std::string name() const { refuse("Method::name"); }
};

/// What class a script module is of.
class ClassType {
 public:
  struct QualifiedName {
    std::string text;
    const std::string& name() const { return text; }
    const std::string& qualifiedName() const { return text; }
  };
  std::optional<QualifiedName> name() const { return std::nullopt; }
};

/// A script module, of which none can be made: whatever it is asked throws NotImplementedError.
class Module {
 public:
  struct NamedModule;
  struct NamedTensor {
    std::string name;
    Tensor value;
  };
  struct NamedValue {
    std::string name;
    IValue value;
  };

  Module() = default;
  explicit Module(const std::string& /*class_name*/) {}
  IValue forward(const std::vector<IValue>& /*inputs*/) const { refuse("Module::forward"); }
  IValue operator()(const std::vector<IValue>& inputs) const { return forward(inputs); }
  template <class... A>
  IValue run_method(const std::string& /*name*/, const A&... /*arguments*/) const {
    refuse("Module::run_method");
  }
  Method get_method(const std::string& /*name*/) const { refuse("Module::get_method"); }
  std::optional<Method> find_method(const std::string& /*name*/) const { refuse("Module::find_method"); }
  std::vector<Method> get_methods() const { refuse("Module::get_methods"); }
  IValue attr(const std::string& /*name*/) const { refuse("Module::attr"); }
  IValue attr(const std::string& /*name*/, const IValue& /*or_else*/) const { refuse("Module::attr"); }
  void setattr(const std::string& /*name*/, const IValue& /*value*/) const { refuse("Module::setattr"); }
  bool hasattr(const std::string& /*name*/) const { refuse("Module::hasattr"); }
  void eval() const { refuse("Module::eval"); }
  void train(bool /*on*/ = true) const { refuse("Module::train"); }
  bool is_training() const { refuse("Module::is_training"); }
  void to(Device /*device*/, bool /*non_blocking*/ = false) const { refuse("Module::to"); }
  void to(DType /*dtype*/, bool /*non_blocking*/ = false) const { refuse("Module::to"); }
  void to(Device /*device*/, DType /*dtype*/, bool /*non_blocking*/ = false) const { refuse("Module::to"); }
  void save(const std::string& /*filename*/) const { refuse("Module::save"); }
  void define(const std::string& /*source*/) const { refuse("Module::define"); }
  void register_parameter(const std::string& /*name*/, const Tensor& /*value*/, bool /*is_buffer*/) const {
    refuse("Module::register_parameter");
  }
  void register_buffer(const std::string& /*name*/, const Tensor& /*value*/) const {
    refuse("Module::register_buffer");
  }
  void register_module(const std::string& /*name*/, const Module& /*module*/) const {
    refuse("Module::register_module");
  }
  std::vector<Tensor> parameters(bool /*recurse*/ = true) const { refuse("Module::parameters"); }
  std::vector<NamedTensor> named_parameters(bool /*recurse*/ = true) const { refuse("Module::named_parameters"); }
  std::vector<Tensor> buffers(bool /*recurse*/ = true) const { refuse("Module::buffers"); }
  std::vector<NamedTensor> named_buffers(bool /*recurse*/ = true) const { refuse("Module::named_buffers"); }
  std::vector<NamedValue> named_attributes(bool /*recurse*/ = true) const { refuse("Module::named_attributes"); }
  std::vector<Module> children() const { refuse("Module::children"); }
  std::vector<NamedModule> named_children() const { refuse("Module::named_children"); }
  std::vector<NamedModule> named_modules() const { refuse("Module::named_modules"); }
  ClassType* type() const { refuse("Module::type"); }
  Module clone(bool /*in_place*/ = false) const { refuse("Module::clone"); }
  Module copy() const { refuse("Module::copy"); }
  Module deepcopy() const { refuse("Module::deepcopy"); }
  std::vector<Module> modules() const { refuse("Module::modules"); }
  void save(std::ostream& /*out*/) const { refuse("Module::save"); }
  void dump(bool /*method_bodies*/, bool /*values*/, bool /*parameters*/) const { refuse("Module::dump"); }
};
struct Module::NamedModule {
  std::string name;
  Module value;
};
using ExtraFilesMap = std::unordered_map<std::string, std::string>;

/// Functions of a script's text.
class CompilationUnit {
 public:
  template <class... A>
  IValue run_method(const std::string& /*name*/, const A&... /*arguments*/) const {
    refuse("CompilationUnit::run_method");
  }
  Function* find_function(const std::string& /*name*/) const { refuse("CompilationUnit::find_function"); }
};

inline Module load(const std::string& /*filename*/, std::optional<Device> /*device*/ = std::nullopt) { refuse("load"); }
inline Module load(const std::string& /*filename*/, std::optional<Device> /*device*/, ExtraFilesMap& /*extra_files*/) {
  refuse("load");
}
inline Module load(std::istream& /*in*/, std::optional<Device> /*device*/ = std::nullopt) { refuse("load"); }
inline std::shared_ptr<CompilationUnit> compile(const std::string& /*source*/) { refuse("compile"); }
inline Module freeze(const Module& /*module*/) { refuse("freeze"); }
inline Module optimize_for_inference(const Module& /*module*/) { refuse("optimize_for_inference"); }
inline void ExportModule(const Module& /*module*/, const std::string& /*filename*/) { refuse("ExportModule"); }
/// How TorchScript would run what is not run here.
enum class FusionBehavior { STATIC, DYNAMIC };
using FusionStrategy = std::vector<std::pair<FusionBehavior, size_t>>;
inline FusionStrategy setFusionStrategy(const FusionStrategy& /*strategy*/) { return {}; }
inline FusionStrategy getFusionStrategy() { return {}; }
inline bool& getProfilingMode() {
  static bool on = false;
  return on;
}
inline void setGraphExecutorOptimize(bool /*on*/) {}
inline bool getGraphExecutorOptimize() { return false; }

namespace script {
using jit::Method;
using jit::Module;
}  // namespace script

}  // namespace strata::jit

namespace strata {
/// Types of scripts, of which there are none: pointers to them can be declared.
struct Type;
struct TensorType;
using TypePtr = std::shared_ptr<Type>;
using TensorTypePtr = std::shared_ptr<TensorType>;

inline jit::Module IValue::toModule() const { jit::refuse("Module"); }
}  // namespace strata
