// Reads and writes tensors as ONNX files hold them: as raw little-endian bytes, as numbers, or in a file beside.
#include "exchange/onnx/tensors.h"

#include <cstring>
#include <fstream>

#include "core/error.h"
#include "exchange/onnx/graph.h"
#include "ops/cast.h"
#include "ops/creation.h"

namespace strata::onnx {
namespace {

using Proto = ::onnx::TensorProto;

/// The number of bytes that the sizes ask for.
size_t bytes_of(const Proto& proto, IntArrayRef sizes, DType dtype) {
  size_t bytes = item_size(dtype);
  for (const int64_t size : sizes)
    STRATA_CHECK(size >= 0 && !__builtin_mul_overflow(bytes, static_cast<size_t>(size), &bytes) && bytes < (1ull << 62),
                 "load_onnx: the tensor '{}' has the sizes {}", proto.name(), sizes);
  return bytes;
}

/// The numbers of a field narrowed to the elements' own type.
template <class T, class Field>
std::string narrowed(const Field& field) {
  std::string bytes(static_cast<size_t>(field.size()) * sizeof(T), '\0');
  for (int i = 0; i < field.size(); ++i) {
    const T value = static_cast<T>(field.Get(i));
    std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

/// The bytes of a tensor that stands as numbers: which field depends on the dtype (onnx.proto).
std::string bytes_of_numbers(const Proto& proto, DType dtype) {
  if (dtype == kFloat || dtype == kComplexFloat) return narrowed<float>(proto.float_data());
  if (dtype == kDouble || dtype == kComplexDouble) return narrowed<double>(proto.double_data());
  if (dtype == kLong) return narrowed<int64_t>(proto.int64_data());
  if (dtype == kUInt64) return narrowed<uint64_t>(proto.uint64_data());
  if (dtype == kUInt32) return narrowed<uint32_t>(proto.uint64_data());
  if (item_size(dtype) == 4) return narrowed<int32_t>(proto.int32_data());
  if (item_size(dtype) == 2) return narrowed<uint16_t>(proto.int32_data());
  return narrowed<uint8_t>(proto.int32_data());
}

std::string entry_of(const Proto& proto, std::string_view key) {
  for (const auto& entry : proto.external_data())
    if (entry.key() == key) return entry.value();
  return "";
}

uint64_t number_in(const Proto& proto, const char* key, uint64_t otherwise) {
  const std::string text = entry_of(proto, key);
  if (text.empty()) return otherwise;
  const bool is_number = text.find_first_not_of("0123456789") == text.npos && text.size() < 19;
  STRATA_CHECK(is_number, "load_onnx: the {} of the tensor '{}' is '{}'", key, proto.name(), text);
  return std::stoull(text);
}

/// A file beside the model: of its folder or below, so that a stranger's model reads nothing else.
std::string bytes_beside(const Proto& proto, const std::string& folder, size_t bytes) {
  const std::string location = entry_of(proto, "location");
  const bool stays =
      !location.empty() && location[0] != '/' && ("/" + location + "/").find("/../") == std::string::npos;
  STRATA_CHECK(stays, "load_onnx: the tensor '{}' lies in '{}', which is not below the model's folder", proto.name(),
               location);
  std::ifstream file(folder + location, std::ios::binary | std::ios::ate);
  STRATA_CHECK(file, "load_onnx: no file '{}', in which the tensor '{}' lies", folder + location, proto.name());
  const auto size = static_cast<uint64_t>(file.tellg());
  const uint64_t offset = number_in(proto, "offset", 0), length = number_in(proto, "length", bytes);
  STRATA_CHECK(length == bytes && offset <= size && length <= size - offset,
               "load_onnx: the tensor '{}' of {} bytes is said to be {} bytes from {} on of '{}', which has {}",
               proto.name(), bytes, length, offset, location, size);
  std::string data(bytes, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(data.data(), static_cast<std::streamsize>(bytes));
  STRATA_CHECK(file, "load_onnx: '{}' cannot be read", folder + location);
  return data;
}

}  // namespace

Tensor read_tensor(const Proto& proto, const std::string& folder) {
  const DType dtype = dtype_of_number(proto.data_type());
  const std::vector<int64_t> sizes(proto.dims().begin(), proto.dims().end());
  const size_t wanted = bytes_of(proto, sizes, dtype);
  const bool is_beside = proto.data_location() == Proto::EXTERNAL;
  const std::string numbers = is_beside              ? bytes_beside(proto, folder, wanted)
                              : proto.has_raw_data() ? ""
                                                     : bytes_of_numbers(proto, dtype);
  const std::string& data = !is_beside && proto.has_raw_data() ? proto.raw_data() : numbers;
  STRATA_CHECK(data.size() == wanted, "load_onnx: the tensor '{}' of sizes {} needs {} bytes, the file has {}",
               proto.name(), IntArrayRef(sizes), wanted, data.size());
  const Tensor t = empty(sizes, dtype);
  if (wanted > 0) std::memcpy(t.data_ptr(), data.data(), wanted);
  return t;
}

void write_tensor(const Tensor& t, Proto& proto) {
  const Tensor host = contiguous(t.detach().to(kCPU));
  proto.set_data_type(static_cast<int32_t>(number_of_dtype(t.dtype())));
  for (const int64_t size : t.sizes()) proto.add_dims(size);
  proto.set_raw_data(host.data_ptr(), static_cast<size_t>(host.numel()) * item_size(t.dtype()));
}

}  // namespace strata::onnx
