// Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict, Functional.
#include "nn/container.h"

#include <ostream>

#include "core/grad_mode.h"
#include "nn/detail.h"

namespace strata::nn {

void detail::fail_arity(const Module& module, size_t got) {
  STRATA_THROW("forward: {} cannot be called with {} argument{} of these types", module.name(), got,
               got == 1 ? "" : "s");
}

void detail::fail_argument_count(const Module& module, size_t got, size_t least, size_t most) {
  const std::string name = module.name();
  STRATA_CHECK(
      least == most,
      "forward: {}'s forward() method expects at least {} argument(s) and at most {} argument(s), but received "
      "{}.",
      name, least, most, got);
  STRATA_THROW(
      "forward: {}'s forward() method expects {} argument(s), but received {}. If {}'s forward() method has default "
      "arguments, please make sure the forward() method is declared with a corresponding `FORWARD_HAS_DEFAULT_ARGS` "
      "macro.",
      name, most, got, name);
}

void detail::fail_argument(const Module& module, size_t number, const std::type_info& wanted,
                           const std::type_info& found) {
  STRATA_THROW("forward: {}: Expected argument #{} to be of type {}, but received value of type {}", module.name(),
               number, demangled(wanted.name()), demangled(found.name()));
}

void detail::fail_value(const std::type_info& wanted, const std::type_info& found) {
  STRATA_THROW("Attempted to cast AnyValue to {}, but its actual type is {}", demangled(wanted.name()),
               demangled(found.name()));
}

void detail::fail_result(const std::type_info& wanted, const std::type_info& found) {
  STRATA_THROW("forward: The type of the return value is {}, but you asked for type {}", demangled(found.name()),
               demangled(wanted.name()));
}

void detail::fail_count(size_t got, size_t wanted) {
  STRATA_THROW("forward: the last module returned {} values, asked for {}", got, wanted);
}

void detail::fail_cast(const Module& module, const char* wanted) {
  STRATA_THROW("Attempted to cast module of type {} to type {}", module.name(), demangled(wanted));
}

SequentialImpl::SequentialImpl() = default;

SequentialImpl::SequentialImpl(OrderedDict<std::string, AnyModule>&& modules) {
  for (auto& item : modules) push_back(item.key(), std::move(item.value()));
}

SequentialImpl::SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
  for (const NamedAnyModule& m : modules) push_back(m.name(), m.module());
}

void SequentialImpl::push_back(AnyModule module) { push_back(std::to_string(modules_.size()), std::move(module)); }

void SequentialImpl::push_back(std::string name, AnyModule module) {
  register_module(std::move(name), module.ptr());
  modules_.push_back(std::move(module));
}

std::shared_ptr<Module> SequentialImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<SequentialImpl>();
  const std::vector<std::string> names = named_children().keys();
  for (size_t i = 0; i < modules_.size(); ++i) copy->push_back(names[i], modules_[i].clone(device));
  copy->Module::train(is_training());
  return copy;
}

detail::Pack SequentialImpl::run(detail::Pack values) const {
  STRATA_CHECK(!modules_.empty(), "Cannot call forward() on an empty Sequential");
  for (const AnyModule& module : modules_) values = module.call(std::move(values));
  return values;
}

const AnyModule& SequentialImpl::any_at(size_t i) const {
  STRATA_CHECK(i < modules_.size(), "Sequential: Index out of range: {} of {} modules", i, modules_.size());
  return modules_[i];
}

void SequentialImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "Sequential"; }

ModuleListImpl::ModuleListImpl() = default;

void ModuleListImpl::push_back(std::shared_ptr<Module> module) {
  register_module(std::to_string(modules_.size()), module);
  modules_.push_back(std::move(module));
}

void ModuleListImpl::insert(size_t index, std::shared_ptr<Module> module) {
  STRATA_CHECK(index <= size(), "ModuleList: Index out of range: {} of {} modules", index, size());
  push_back(module);
  modules_.pop_back();
  modules_.insert(modules_.begin() + static_cast<std::ptrdiff_t>(index), std::move(module));
  for (size_t i = index; i < size(); ++i) replace_module(std::to_string(i), modules_[i]);
}

std::shared_ptr<Module> ModuleListImpl::ptr(size_t i) const {
  STRATA_CHECK(i < modules_.size(), "ModuleList: Index out of range: {} of {} modules", i, modules_.size());
  return modules_[i];
}

std::shared_ptr<Module> ModuleListImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ModuleListImpl>();
  for (const auto& module : modules_) copy->push_back(module->clone(device));
  return copy;
}

void ModuleListImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "ModuleList"; }

ModuleDictImpl::ModuleDictImpl() = default;
ModuleDictImpl::ModuleDictImpl(const Pairs& modules) { update(modules); }
ModuleDictImpl::ModuleDictImpl(const ModuleDictionary& modules) { update(modules); }

void ModuleDictImpl::update(const Pairs& modules) {
  for (const auto& [key, module] : modules) {
    if (contains(key)) {
      replace_module(key, module);
      modules_[key] = module;
    } else {
      register_module(key, module);
      modules_.insert(key, module);
    }
  }
}

void ModuleDictImpl::clear() {
  for (const std::string& key : keys()) pop(key);
}

std::shared_ptr<Module> ModuleDictImpl::pop(const std::string& key) {
  std::shared_ptr<Module> module = modules_[key];
  modules_.erase(key);
  unregister_module(key);
  return module;
}

std::shared_ptr<Module> ModuleDictImpl::clone(const std::optional<Device>& device) const {
  Pairs copies;
  for (const auto& item : modules_) copies.emplace_back(item.key(), item.value()->clone(device));
  return std::make_shared<ModuleDictImpl>(copies);
}

void ModuleDictImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "ModuleDict"; }

namespace {

/// A leaf of its own that starts from the same values.
Tensor copy_of(const Tensor& t, const std::optional<Device>& device) {
  const NoGradGuard no_grad;
  const Tensor data = t.detach();
  return device ? data.to(*device, /*non_blocking=*/false, /*copy=*/true) : data.clone();
}

void print_parameters(std::ostream& stream, const char* name, const OrderedDict<std::string, Tensor>& parameters) {
  const bool libtorch = libtorch_names();
  stream << module_prefix() << name << "(\n";
  for (const auto& item : parameters) {
    stream << '(' << item.key() << "): Parameter containing: [" << item.value().scalar_type() << " of size "
           << (libtorch ? '[' : '(');
    for (int64_t d = 0; d < item.value().dim(); ++d) stream << (d ? ", " : "") << item.value().size(d);
    stream << (libtorch ? ']' : ')') << "]\n";
  }
  stream << ')';
}

}  // namespace

ParameterListImpl::ParameterListImpl() = default;

void ParameterListImpl::append(Tensor parameter) {
  const bool requires_grad = parameter.requires_grad();
  register_parameter(std::to_string(size()), std::move(parameter), requires_grad);
}

Tensor& ParameterListImpl::at(size_t i) {
  STRATA_CHECK(i < size(), "ParameterList: Index out of range: {} of {} parameters", i, size());
  return parameters_[i].value();
}

std::shared_ptr<Module> ParameterListImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ParameterListImpl>();
  for (const auto& item : parameters_)
    copy->append(copy_of(item.value(), device).requires_grad_(item.value().requires_grad()));
  return copy;
}

void ParameterListImpl::pretty_print(std::ostream& stream) const {
  print_parameters(stream, "ParameterList", parameters_);
}

ParameterDictImpl::ParameterDictImpl() = default;
ParameterDictImpl::ParameterDictImpl(const OrderedDict<std::string, Tensor>& parameters) {
  for (const auto& item : parameters) insert(item.key(), item.value());
}

Tensor& ParameterDictImpl::insert(const std::string& key, Tensor parameter) {
  const bool requires_grad = parameter.requires_grad();
  return register_parameter(key, std::move(parameter), requires_grad);
}

Tensor ParameterDictImpl::pop(const std::string& key) {
  Tensor parameter = parameters_[key];
  parameters_.erase(key);
  return parameter;
}

std::shared_ptr<Module> ParameterDictImpl::clone(const std::optional<Device>& device) const {
  auto copy = std::make_shared<ParameterDictImpl>();
  for (const auto& item : parameters_)
    copy->insert(item.key(), copy_of(item.value(), device).requires_grad_(item.value().requires_grad()));
  return copy;
}

void ParameterDictImpl::pretty_print(std::ostream& stream) const {
  print_parameters(stream, "ParameterDict", parameters_);
}

FunctionalImpl::FunctionalImpl(Function function) : function_(std::move(function)) {
  STRATA_CHECK(static_cast<bool>(function_), "Functional: the function is empty");
}
Tensor FunctionalImpl::forward(Tensor input) { return function_(std::move(input)); }
Tensor FunctionalImpl::operator()(Tensor input) { return forward(std::move(input)); }
void FunctionalImpl::pretty_print(std::ostream& stream) const { stream << module_prefix() << "Functional()"; }

}  // namespace strata::nn
