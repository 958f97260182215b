// The files in a folder of Hugging Face's, and what makes their names fit.
#include "hf/pretrained.h"

#include <filesystem>

namespace hf {

TensorMap load_tensors(const std::string& folder) {
  for (const char* name : {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin"}) {
    const std::string path = folder + "/" + name;
    if (std::filesystem::exists(path)) return strata::load_file(path);
  }
  STRATA_THROW("{} has no model.safetensors, no model.safetensors.index.json and no pytorch_model.bin", folder);
}

std::string without(const std::string& prefix, const std::string& name) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

void add_tied(TensorMap& tensors, const std::string& name, const std::string& from) {
  const Tensor* shared = tensors.find(from);
  if (shared && !tensors.contains(name)) tensors.insert(name, Tensor(*shared));
}

void load_into(strata::nn::Module& module, const TensorMap& tensors, const std::string& folder) {
  try {
    strata::nn::load_state_dict(module, tensors);
  } catch (const strata::Error& e) {
    STRATA_THROW("{}: {}", folder, e.what());
  }
}

}  // namespace hf
