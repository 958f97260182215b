// The names that PyTorch's files have for the memory of each dtype. Internal to what saves and loads.
#pragma once
#include <string_view>

#include "../core/dtype.h"

namespace strata::serialize {

struct StorageType {
  std::string_view name;  ///< of a class in the module torch
  DType dtype;
};
constexpr StorageType kStorageTypes[] = {{"DoubleStorage", kDouble},
                                         {"FloatStorage", kFloat},
                                         {"HalfStorage", kHalf},
                                         {"BFloat16Storage", kBFloat16},
                                         {"LongStorage", kLong},
                                         {"IntStorage", kInt},
                                         {"ShortStorage", kShort},
                                         {"CharStorage", kChar},
                                         {"ByteStorage", kByte},
                                         {"BoolStorage", kBool},
                                         {"ComplexFloatStorage", kComplexFloat},
                                         {"ComplexDoubleStorage", kComplexDouble}};

/// "FloatStorage" for float32; empty for what PyTorch keeps in bytes without a type.
constexpr std::string_view storage_name(DType dtype) {
  for (const StorageType& s : kStorageTypes)
    if (s.dtype == dtype) return s.name;
  return "";
}

/// The dtype of a storage's elements by its class with the module, "torch.FloatStorage": bytes where the storage has
/// no type, undefined where there is no such class.
constexpr DType storage_dtype(std::string_view global) {
  if (global == "torch.storage.UntypedStorage" || global == "torch.UntypedStorage") return kByte;
  for (const StorageType& s : kStorageTypes)
    if (global.starts_with("torch.") && global.substr(6) == s.name) return s.dtype;
  return DType::Undefined;
}

}  // namespace strata::serialize
