// Maps of named tensors in files of safetensors, and numpy's .npy and .npz files.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "../core/ordered_dict.h"
#include "../core/tensor.h"

namespace strata {

using TensorMap = OrderedDict<std::string, Tensor>;

/// All tensors of a file of safetensors, of several of them together by their index (`model.safetensors.index.json`),
/// or of a state dict that torch.save wrote. A tensor of a dtype that is not known here is left out, with a warning.
TensorMap load_file(const std::string& path, std::optional<Device> device = std::nullopt);
/// Writes tensors, and `metadata` beside `{"format": "pt"}`, as the file that safetensors' `load_file` reads. The file
/// is written whole or not at all.
void save_file(const TensorMap& tensors, const std::string& path,
               const std::map<std::string, std::string>& metadata = {});
/// The text that a file of safetensors has beside its tensors.
std::map<std::string, std::string> load_metadata(const std::string& path);

/// The array of an `.npy` file, row-major or not. Throws for arrays of objects, of text and of records.
Tensor load_npy(const std::string& path);
/// Writes what `numpy.load` reads. Throws for dtypes that numpy does not have.
void save_npy(const Tensor& tensor, const std::string& path);
/// The arrays of an `.npz` file by name, packed or not.
TensorMap load_npz(const std::string& path);
void save_npz(const TensorMap& tensors, const std::string& path);

}  // namespace strata
