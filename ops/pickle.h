// Values in PyTorch's own files: what `torch.save` writes is read here, and what is written here `torch.load` reads.
#pragma once
#include <string>
#include <vector>

#include "../core/value.h"
#include "safetensors.h"

namespace strata {

/// A value as the bytes of a `.pt` file, which `torch.load(file, weights_only=True)` reads (libtorch's function).
/// Tensors that share memory go on sharing it.
std::vector<char> pickle_save(const Value& value);
/// Reads the bytes of a `.pt` or `.pth` file, which `torch.save` wrote, the old format without zip included. No code of
/// the file is run: tensors and parameters, dicts, lists, tuples, sets, numbers, text, bytes, dtypes and devices are
/// known, and a file that names anything else is refused by an error that says what. Tensors come to the CPU.
Value pickle_load(const std::vector<char>& data);

/// The same to a file, which is written whole or not at all, and from one.
void save_pt(const Value& value, const std::string& path);
Value load_pt(const std::string& path);

namespace serialize {
/// Does it begin as a file of torch.save (zip or not)?
bool is_pickle(Source& source);
Value read_pickle(Source& source);
void write_pickle(const Value& value, Sink& sink);
}  // namespace serialize

}  // namespace strata
