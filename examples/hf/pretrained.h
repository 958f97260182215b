// Models out of folders of Hugging Face: config.json says what is built, and the tensors of model.safetensors go into
// the modules that have their names.
#pragma once
#include <strata/strata.h>

#include <string>

#include "hf/config.h"

namespace hf {

using strata::Tensor;
using strata::TensorMap;

/// The tensors of a folder: of model.safetensors, of the files that model.safetensors.index.json names, or of
/// pytorch_model.bin. Throws where none of them is there.
TensorMap load_tensors(const std::string& folder);

/// `name` without `prefix`, if it begins so: a model with a head has the names of the model below with a prefix.
std::string without(const std::string& prefix, const std::string& name);

/// Gives the tensor `from` a second name, unless there is a tensor of that name: files hold a tensor that two modules
/// share once.
void add_tied(TensorMap& tensors, const std::string& name, const std::string& from);

/// Copies tensors into a module that has just their names. Throws where a name or a shape differs, with all of them.
void load_into(strata::nn::Module& module, const TensorMap& tensors, const std::string& folder);

/// The model of a folder, ready for inference. `Model` is a holder; what it holds is built of a Config, and has
/// `kType`, the folder's model_type, and `adapted`, which gives a file's tensors the names and layouts of the modules.
template <class Model>
Model from_pretrained(const std::string& folder) {
  using Impl = typename Model::ContainedType;
  const Config config(folder);
  STRATA_CHECK(config.model_type() == Impl::kType, "{} is of a model of type '{}', not '{}'", config.path(),
               config.model_type(), Impl::kType);
  Model model(config);
  load_into(*model, model->adapted(load_tensors(folder)), folder);
  model->eval();
  return model;
}

}  // namespace hf
