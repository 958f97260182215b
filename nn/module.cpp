// The module tree: registration, traversal, conversion, cloning, printing, saving and loading.
#include "nn/module.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <ostream>
#include <typeinfo>
#include <unordered_set>

#include "core/grad_mode.h"
#include "core/host_state.h"
#include "core/naming.h"
#include "core/warning.h"
#include "nn/detail.h"
#include "nn/state_names.h"

namespace strata::nn {

namespace {

std::string join(const std::string& prefix, const std::string& name) {
  if (prefix.empty()) return name;
  return name.empty() ? prefix : prefix + "." + name;
}

/// `my::Net` of the class `my::NetImpl`; as libtorch the class itself.
std::string class_name(const Module& module) {
  std::string name = demangled(typeid(module).name());
  if (libtorch_names()) return name;
  const std::string suffix = "Impl";
  if (name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
    name.resize(name.size() - suffix.size());
  return name;
}

bool is_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Names libtorch's namespaces, in template arguments too.
std::string with_libtorch_namespaces(std::string name) {
  const std::string ours = "strata::", tensor = "strata::Tensor";
  for (size_t at = name.find(ours); at != std::string::npos; at = name.find(ours, at + 1)) {
    if (at > 0 && (is_of_a_word(name[at - 1]) || name[at - 1] == ':')) continue;  // another namespace of that name
    const size_t end = at + tensor.size();
    const bool is_tensor =
        name.compare(at, tensor.size(), tensor) == 0 && (end == name.size() || !is_of_a_word(name[end]));
    name.replace(at, ours.size(), is_tensor ? "at::" : "torch::");
  }
  return name;
}

void check_name(const std::string& name, const char* what) {
  STRATA_CHECK(!name.empty(), "{} name must not be empty", what);
  STRATA_CHECK(name.find('.') == std::string::npos, "{} name must not contain a dot (got '{}')", what, name);
}

Tensor converted(const Tensor& t, std::optional<Device> device, std::optional<DType> dtype) {
  return t.to(device.value_or(t.device()), dtype && is_differentiable(t.dtype()) ? *dtype : t.dtype());
}

Tensor copied(const Tensor& t, const std::optional<Device>& device) {
  const Tensor data = t.detach();
  return device && !(*device == t.device()) ? data.to(*device) : data.clone();
}

void load_one(serialize::InputArchive& archive, const std::string& key, Tensor& tensor) {
  const Tensor found = archive.find(key);
  STRATA_CHECK(found.defined(), "load: the file has no '{}'", archive.full_name(key));
  STRATA_CHECK(found.sizes() == tensor.sizes(), "load: '{}' has shape {} in the file and {} in the module",
               archive.full_name(key), found.sizes(), tensor.sizes());
  archive.read(key, tensor);
}

/// What a failed load gives back.
std::vector<Tensor> copies_of(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> out;
  for (const Tensor& t : tensors) out.push_back(t.detach().clone());
  return out;
}

void restore(const std::vector<Tensor>& tensors, const std::vector<Tensor>& copies) {
  for (size_t i = 0; i < tensors.size(); ++i) tensors[i].detach().copy_(copies[i]);
}

}  // namespace

std::string demangled(const char* type) {
  int status = 0;
  char* const text = abi::__cxa_demangle(type, nullptr, nullptr, &status);
  std::string name = text ? text : type;
  std::free(text);
  return libtorch_names() ? with_libtorch_namespaces(std::move(name)) : name;
}

Module::Module(std::string name)
    : parameters_("Parameter"), buffers_("Buffer"), children_("Submodule"), name_(std::move(name)) {
  detail::ConstructionScope::add(*this);
}
Module::Module() : Module(std::string()) {}
Module::Module(const Module&) = default;
Module::~Module() {
  detail::ConstructionScope::forget(*this);
  leave_children();
}

const std::string& Module::name() const {
  if (name_.empty()) name_ = class_name(*this);
  return name_;
}

std::shared_ptr<Module> Module::clone(const std::optional<Device>&) const {
  STRATA_THROW("clone() has not been implemented for {}; derive it from nn::Cloneable<{}> instead of nn::Module",
               name(), name());
}

void Module::clone_(Module&, const std::optional<Device>&) {}

void Module::collect(std::vector<Named>& out, const std::string& name) const {
  out.push_back({name, const_cast<Module*>(this)});
  for (const auto& child : children_)
    if (child.value()) child.value()->collect(out, join(name, child.key()));
}

std::vector<Module::Named> Module::tree(const std::string& name_prefix) const {
  std::vector<Named> out;
  collect(out, name_prefix);
  return out;
}

OrderedDict<std::string, Tensor> Module::collect_tensors(bool recurse,
                                                         OrderedDict<std::string, Tensor> Module::*which) const {
  OrderedDict<std::string, Tensor> out("Parameter");
  std::unordered_set<const TensorImpl*> seen;
  const auto add = [&](const std::string& prefix, const Module& module) {
    for (const auto& item : module.*which)
      if (item.value().defined() && seen.insert(item.value().impl()).second)
        out.insert(join(prefix, item.key()), item.value());
  };
  if (recurse)
    apply(add);
  else
    add("", *this);
  return out;
}

OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  return collect_tensors(recurse, &Module::parameters_);
}
OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  return collect_tensors(recurse, &Module::buffers_);
}
std::vector<Tensor> Module::parameters(bool recurse) const { return named_parameters(recurse).values(); }
std::vector<Tensor> Module::buffers(bool recurse) const { return named_buffers(recurse).values(); }

std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  std::vector<std::shared_ptr<Module>> out;
  for (const Named& m : tree({}))
    if (include_self || m.module != this) out.push_back(m.module->shared_from_this_checked());
  return out;
}

ModuleDictionary Module::named_modules(const std::string& name_prefix, bool include_self) const {
  ModuleDictionary out("Module");
  for (const Named& m : tree(name_prefix))
    if (include_self || m.module != this) out.insert(m.name, m.module->shared_from_this_checked());
  return out;
}

std::vector<std::shared_ptr<Module>> Module::children() const { return children_.values(); }
ModuleDictionary Module::named_children() const { return children_; }

std::shared_ptr<Module> Module::shared_from_this_checked() const {
  const std::shared_ptr<const Module> self = weak_from_this().lock();
  STRATA_CHECK(self != nullptr,
               "It looks like you attempted to retrieve your top-level module as a shared_ptr, but {} is not held by "
               "one; make it with std::make_shared or a module holder",
               name());
  return std::const_pointer_cast<Module>(self);
}

void Module::train(bool on) {
  for (auto& child : children_) child.value()->train(on);
  strata::detail::note_host_state(this, is_training_, on);
  is_training_ = on;
}

void Module::to(Device device, DType dtype, bool non_blocking) {
  for (auto& child : children_) child.value()->to(device, dtype, non_blocking);
  convert(device, dtype);
}

void Module::to(DType dtype, bool non_blocking) {
  for (auto& child : children_) child.value()->to(dtype, non_blocking);
  convert(std::nullopt, dtype);
}

void Module::to(Device device, bool non_blocking) {
  for (auto& child : children_) child.value()->to(device, non_blocking);
  convert(device, std::nullopt);
}

void Module::convert(std::optional<Device> device, std::optional<DType> dtype) {
  STRATA_CHECK(!dtype || is_differentiable(*dtype),
               "to: modules have floating point or complex parameters, asked for {}", strata::name(*dtype));
  const NoGradGuard no_grad;
  for (const Tensor& p : parameters(false)) {
    p.set_data(converted(p, device, dtype));
    if (p.grad().defined()) p.mutable_grad() = converted(p.grad(), device, dtype);
  }
  for (const Tensor& b : buffers(false)) b.set_data(converted(b, device, dtype));
}

void Module::zero_grad(bool set_to_none) {
  for (auto& child : children_) child.value()->zero_grad(set_to_none);
  for (const Tensor& p : parameters(false)) {
    Tensor& grad = p.mutable_grad();
    if (!grad.defined()) continue;
    if (set_to_none)
      grad.reset();
    else
      grad = grad.detach().zero_();
  }
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name(name, "Parameter");
  if (tensor.defined())
    tensor.requires_grad_(requires_grad);
  else if (requires_grad)
    warn(
        "register_parameter: An undefined tensor cannot require grad. Ignoring the `requires_grad=true` function "
        "parameter of '{}'.",
        name);
  return parameters_.insert(std::move(name), std::move(tensor));
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_name(name, "Buffer");
  return buffers_.insert(std::move(name), std::move(tensor));
}

void Module::unregister_module(const std::string& name) {
  STRATA_CHECK(children_.contains(name), "unregister_module: No Module with name `{}` is registered", name);
  leave_children();
  children_.erase(name);
  take_children();
}

void Module::replace_child(const std::string& name, std::shared_ptr<Module> module) {
  leave_children();
  children_[name] = std::move(module);
  take_children();
}

void Module::add_child(std::string name, std::shared_ptr<Module> module) {
  check_name(name, "Submodule");
  STRATA_CHECK(module != nullptr, "register_module: the module '{}' is null", name);
  Module& child = *module;
  children_.insert(std::move(name), std::move(module));
  if (!child.place_.parent) child.place_.parent = this;
}

Tensor& Module::replace_parameter(const std::string& name, Tensor tensor) {
  STRATA_CHECK(parameters_.contains(name), "replace_parameter: {} has no parameter '{}'", this->name(), name);
  return parameters_[name] = std::move(tensor);
}

void Module::forget_state() {
  parameters_.clear();
  buffers_.clear();
  leave_children();
  children_.clear();
}

void Module::copy_state_to(Module& copy, const std::optional<Device>& device) const {
  const NoGradGuard no_grad;
  const bool same = copy.parameters_.size() == parameters_.size() && copy.buffers_.size() == buffers_.size() &&
                    copy.children_.size() == children_.size();
  STRATA_CHECK(same,
               "clone: {} has other parameters, buffers or modules after reset(); register all of them in reset()",
               name());
  for (const auto& item : parameters_) {
    if (!item.value().defined()) continue;
    copy.parameters_[item.key()].set_data(copied(item.value(), device));
    copy.parameters_[item.key()].requires_grad_(item.value().requires_grad());
  }
  for (const auto& item : buffers_)
    if (item.value().defined()) copy.buffers_[item.key()].set_data(copied(item.value(), device));
  for (const auto& child : children_) copy.children_[child.key()]->clone_(*child.value(), device);
}

void Module::pretty_print(std::ostream& stream) const { stream << name(); }

void Module::print_tree(std::ostream& stream, const std::string& indentation) const {
  pretty_print(stream);
  if (children_.is_empty()) return;
  stream << "(\n";
  for (const auto& child : children_) {
    stream << indentation << "  (" << child.key() << "): ";
    child.value()->print_tree(stream, indentation + "  ");
    stream << '\n';
  }
  stream << indentation << ')';
}

std::ostream& operator<<(std::ostream& stream, const Module& module) {
  module.print_tree(stream, "");
  return stream;
}

void Module::save(serialize::OutputArchive& archive) const {
  for (const auto& item : parameters_)
    if (item.value().defined()) archive.write(item.key(), item.value());
  for (const auto& item : buffers_)
    if (item.value().defined()) archive.write(item.key(), item.value(), /*is_buffer=*/true);
  for (const auto& child : children_) {
    if (!child.value()->is_serializable()) continue;
    serialize::OutputArchive nested;
    child.value()->save(nested);
    archive.write(child.key(), nested);
  }
}

void Module::load(serialize::InputArchive& archive) {
  for (auto& item : parameters_)
    if (item.value().defined()) load_one(archive, item.key(), item.value());
  for (auto& item : buffers_)
    if (item.value().defined()) load_one(archive, item.key(), item.value());
  for (const auto& child : children_) {
    if (!child.value()->is_serializable()) continue;
    serialize::InputArchive nested = archive.nested(child.key());
    child.value()->load(nested);
  }
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Module& module) {
  module.save(archive);
  return archive;
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const std::shared_ptr<Module>& module) {
  STRATA_CHECK(module != nullptr, "save: the module is null");
  return archive << *module;
}

serialize::InputArchive& operator>>(serialize::InputArchive& archive, Module& module) {
  const NoGradGuard no_grad;
  const std::vector<Tensor> parameters = module.parameters(), buffers = module.buffers();
  const std::vector<Tensor> old_parameters = copies_of(parameters), old_buffers = copies_of(buffers);
  const auto check = [&](const detail::Differences& d, bool fits) {
    STRATA_CHECK(fits, "load: {} does not fit the module: {}", archive.source(), d.text(/*strict=*/true));
  };
  // A class may read older files by a load() of its own, so what is missing is told only when that failed.
  try {
    module.load(archive);
    const detail::Differences d = detail::differences(state_dict(module), archive);
    check(d, d.keys.unexpected_keys.empty() || libtorch_names());  // libtorch's programs load parts of what a file has
  } catch (...) {
    restore(parameters, old_parameters);
    restore(buffers, old_buffers);
    const detail::Differences d = detail::differences(state_dict(module), archive);
    check(d, d.text(/*strict=*/true).empty());
    throw;
  }
  return archive;
}

serialize::InputArchive& operator>>(serialize::InputArchive& archive, const std::shared_ptr<Module>& module) {
  STRATA_CHECK(module != nullptr, "load: the module is null");
  return archive >> *module;
}

void detail::fail_empty_holder() {
  STRATA_THROW(
      "Accessing empty ModuleHolder: it was made of nullptr and nothing was assigned to it since; assign a module "
      "before it is used, as in layer = register_module(\"layer\", nn::Linear(2, 3))");
}

}  // namespace strata::nn
