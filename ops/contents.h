// What archives hold in memory, and how it comes out of files of any format. Internal to what saves and loads.
#pragma once
#include <optional>
#include <string>

#include "../core/device.h"
#include "../core/value.h"
#include "pickle.h"
#include "safetensors.h"

namespace strata::serialize {

/// Tensors, numbers and text of a value's dicts and lists, by names joined with dots; a tensor or a list alone gets the
/// names "0", "1" and so on, as libtorch's archives have them. Lists and whatever else has no place of its own are kept
/// as values.
Contents contents_of(const Value& value);

/// A number as a tensor without dims, which is how archives keep it.
Tensor number_tensor(const Scalar& value);

/// Values that safetensors have no place for as pickles in tensors of bytes, and back.
Contents with_packed_values(const Contents& contents);
void unpack_values(Contents& contents);

/// A file of safetensors or of PyTorch.
Contents read_contents(Source& source, std::optional<Device> device);
/// The same by name; a `.json` names the parts of a model in several files (`model.safetensors.index.json`).
Contents read_contents(const std::string& path, std::optional<Device> device);

}  // namespace strata::serialize
