// Compares the names in a module and in a file, and copies what fits.
#include "nn/state_dict.h"

#include <unordered_set>

#include "core/grad_mode.h"
#include "nn/state_names.h"

namespace strata::nn {

namespace {

void add_list(std::string& text, const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  text += std::string(text.empty() ? "" : "; ") + what;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? " '" : ", '") + names[i] + "'";
}

}  // namespace

namespace detail {

Differences differences(const OrderedDict<std::string, Tensor>& own, const serialize::InputArchive& archive) {
  Differences d;
  const std::vector<std::string> names = archive.tensor_names();
  const std::unordered_set<std::string> there(names.begin(), names.end());
  for (const auto& item : own) {
    if (!there.contains(item.key())) {
      d.keys.missing_keys.push_back(item.key());
      continue;
    }
    const Tensor found = archive.find(item.key());
    if (found.sizes() != item.value().sizes())
      d.shapes.push_back(
          strata::detail::format_message("'{}' has shape {} in the file and {} in the module",
                                         {archive.full_name(item.key()), found.sizes(), item.value().sizes()}));
  }
  for (const std::string& name : names)
    if (!own.contains(name)) d.keys.unexpected_keys.push_back(name);
  return d;
}

std::string Differences::text(bool strict) const {
  std::string text;
  if (strict) {
    add_list(text, "the file has no", keys.missing_keys);
    add_list(text, "the module has no", keys.unexpected_keys);
  }
  for (const std::string& shape : shapes) text += (text.empty() ? "" : "; ") + shape;
  return text;
}

static IncompatibleKeys load_state(Module& module, const serialize::InputArchive& archive, bool strict) {
  const NoGradGuard no_grad;
  const OrderedDict<std::string, Tensor> own = state_dict(module);
  const Differences d = differences(own, archive);
  const std::string problem = d.text(strict);
  STRATA_CHECK(problem.empty(), "load: {} does not fit the module: {}", archive.source(), problem);
  for (const auto& item : own)
    if (const Tensor found = archive.find(item.key()); found.defined()) item.value().copy_(found);
  return d.keys;
}

IncompatibleKeys load_file_into(Module& module, const std::string& path, bool strict) {
  serialize::InputArchive archive;
  archive.load_from(path);
  return load_state(module, archive, strict);
}

}  // namespace detail

OrderedDict<std::string, Tensor> state_dict(const Module& module) {
  serialize::OutputArchive archive;
  module.save(archive);
  return archive.tensors();
}

IncompatibleKeys load_state_dict(Module& module, const OrderedDict<std::string, Tensor>& tensors, bool strict) {
  return detail::load_state(module, serialize::InputArchive(tensors), strict);
}

}  // namespace strata::nn
