// Maps of tensors to and from files of safetensors.
#include "ops/tensor_files.h"

#include "core/error.h"
#include "core/warning.h"
#include "ops/contents.h"
#include "ops/file.h"

namespace strata {

TensorMap load_file(const std::string& path, std::optional<Device> device) {
  serialize::Contents contents = serialize::read_contents(path, device);
  for (const auto& item : contents.refused)
    warn("load_file: '{}' is left out: tensor '{}' has the unknown dtype '{}'", path, item.key(), item.value());
  return std::move(contents.tensors);
}

void save_file(const TensorMap& tensors, const std::string& path, const std::map<std::string, std::string>& metadata) {
  serialize::Contents contents;
  for (const auto& item : tensors) {
    STRATA_CHECK(item.value().defined(), "save_file: tensor '{}' is undefined", item.key());
    contents.tensors.insert(item.key(), item.value().detach());
  }
  for (const auto& [key, text] : metadata) contents.text.insert(key, text);
  serialize::write_whole_file(path, [&](serialize::Sink& sink) { serialize::write_safetensors(contents, sink); });
}

std::map<std::string, std::string> load_metadata(const std::string& path) {
  serialize::FileSource source(path);
  std::map<std::string, std::string> out;
  for (const auto& item : serialize::read_header(source, /*any_dtype=*/true).text)
    out.emplace(item.key(), item.value());
  return out;
}

}  // namespace strata
