// All tensors of a module by name, loaded from a map or a file: strictly, or as far as the names go.
#pragma once
#include <concepts>
#include <string>
#include <vector>

#include "module.h"

namespace strata {
namespace nn {

/// The names that a module has and a file has not, and the other way round.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys, unexpected_keys;
  bool empty() const { return missing_keys.empty() && unexpected_keys.empty(); }
};

/// Parameters and buffers by the names that they have in files, detached and over the same memory; a tensor shared by
/// several modules has each of its names.
OrderedDict<std::string, Tensor> state_dict(const Module& module);

/// Copies tensors into those of a module that have their names. Throws, changing nothing, when a shape differs and, if
/// `strict`, when the names are not the same, with all of those in the message.
IncompatibleKeys load_state_dict(Module& module, const OrderedDict<std::string, Tensor>& tensors, bool strict = true);

}  // namespace nn

/// `load(net, "x.safetensors", strict(false))` takes what is there and returns the names that are not on both sides.
struct strict {
  explicit strict(bool value) : on(value) {}
  bool on;
};

namespace nn::detail {
IncompatibleKeys load_file_into(Module& module, const std::string& path, bool strict);
}  // namespace nn::detail

/// Loads a module (or what a holder holds) from a file of safetensors or of PyTorch.
template <class T, class Path, std::same_as<strict> How>
nn::IncompatibleKeys load(T& module, Path&& path, How how) {
  if constexpr (std::is_base_of_v<nn::Module, T>)
    return nn::detail::load_file_into(module, path, how.on);
  else
    return nn::detail::load_file_into(*module, path, how.on);
}

}  // namespace strata
