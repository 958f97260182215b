// Modules by the full names of their parameters, for models that come as a flat list of these. Internal to exchange.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "../nn/module.h"

namespace strata {

/// Modules by their full names, made where they are not there yet.
class ModuleTree {
 public:
  /// `reader` is what messages call the function that reads the model.
  ModuleTree(nn::Module& root, const char* reader) : reader_(reader) { modules_.emplace("", &root); }

  /// The module that "layers.0.weight" belongs to, and the last part of the name.
  std::pair<nn::Module*, std::string> owner_of(const std::string& full_name) {
    const auto depth = std::count(full_name.begin(), full_name.end(), '.');
    STRATA_CHECK(depth <= kMostNesting, "{}: a name has {} parts, at most {} are taken", reader_, depth, kMostNesting);
    return {module(parent_of(full_name)), own_name_of(full_name)};
  }

 private:
  static constexpr std::ptrdiff_t kMostNesting = 100;  ///< modules in modules

  static std::string parent_of(const std::string& name) {
    return name.substr(0, name.find('.') == name.npos ? 0 : name.rfind('.'));
  }
  static std::string own_name_of(const std::string& name) { return name.substr(name.rfind('.') + 1); }

  nn::Module* module(const std::string& full_name) {
    const auto known = modules_.find(full_name);
    if (known != modules_.end()) return known->second;
    const std::string own_name = own_name_of(full_name);
    nn::Module* const parent = module(parent_of(full_name));
    return modules_[full_name] = parent->register_module(own_name, std::make_shared<nn::Module>(own_name)).get();
  }

  const char* reader_;
  std::unordered_map<std::string, nn::Module*> modules_;
};

}  // namespace strata
