// Archives out of safetensors, of several of them together, and of PyTorch's files.
#include "ops/contents.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "ops/file.h"

namespace strata::serialize {

namespace {

using Json = nlohmann::json;
constexpr const char* kPacked = "strata:pickle";
constexpr size_t kLongestName = 1 << 12;     ///< of a tensor; names of parts in parts add up
constexpr uint64_t kMaxIndex = 100'000'000;  ///< bytes of a file that names the parts of a model

std::string name_of(const Value& key) {
  if (key.isString()) return key.toStringRef();
  STRATA_CHECK(key.isInt(), "load: an archive has {} as a name", key.kind_name());
  return std::to_string(key.toInt());
}

void add(Contents& contents, const std::string& name, const Value& value);

void add_items(Contents& contents, const std::string& prefix, const Value& value) {
  if (value.isGenericDict()) {
    for (const auto& [key, item] : value.toGenericDict()) add(contents, prefix + name_of(key), item);
  } else {
    size_t i = 0;
    for (const Value& item : value.toListRef()) add(contents, prefix + std::to_string(i++), item);
  }
}

void add(Contents& contents, const std::string& name, const Value& value) {
  STRATA_CHECK(name.size() <= kLongestName, "load: an archive has a name of {} bytes, at most {} are taken",
               name.size(), kLongestName);
  if (value.isTensor()) {
    contents.tensors.insert(name, value.toTensor().detach());
  } else if (value.isScalar()) {
    contents.tensors.insert(name, number_tensor(value.toScalar()));
  } else if (value.isString()) {
    contents.text.insert(name, value.toStringRef());
  } else if (value.isGenericDict()) {
    if (value.toGenericDict().size() == 0) contents.text.insert(name + ".", "");
    add_items(contents, name + ".", value);
  } else {
    contents.values.insert(name, value);
    if (value.isList() || value.isTuple()) add_items(contents, name + ".", value);
  }
}

Contents read_any(Source& source) {
  if (is_pickle(source)) return contents_of(read_pickle(source));
  Contents contents = read_safetensors(source);
  unpack_values(contents);
  return contents;
}

/// The name of a file that stands beside the index, and nowhere else.
void check_part(const std::string& part, const std::string& path) {
  const bool plain = !part.empty() && part.find('/') == part.npos && part.find('\0') == part.npos && part != "..";
  STRATA_CHECK(plain, "load: '{}' names '{}', which is no file beside it", path, part);
}

Contents read_parts(const std::string& path) {
  FileSource source(path);
  STRATA_CHECK(source.size() <= kMaxIndex, "load: '{}' is no index of a model: it has {} bytes", path, source.size());
  std::string text(source.size(), '\0');
  source.read(0, text.data(), text.size());
  const Json index = Json::parse(text, nullptr, false);
  const bool complete = index.is_object() && index.contains("weight_map") && index["weight_map"].is_object();
  STRATA_CHECK(complete, "load: '{}' is no index of a model: it has no \"weight_map\"", path);
  std::set<std::string> parts;
  for (const auto& [key, part] : index["weight_map"].items()) {
    STRATA_CHECK(part.is_string(), "load: '{}' has no file for '{}'", path, key);
    parts.insert(part.get<std::string>());
  }
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  Contents all;
  for (const std::string& part : parts) {
    check_part(part, path);
    FileSource file(folder + part);
    Contents read = read_any(file);
    for (const auto& item : read.tensors) all.tensors.insert(item.key(), item.value());
    for (const auto& item : read.refused) all.refused.insert(item.key(), item.value());
  }
  for (const auto& [key, part] : index["weight_map"].items())
    STRATA_CHECK(all.tensors.contains(key) || all.refused.contains(key),
                 "load: '{}' has no '{}', which '{}' says it has", folder + part.get<std::string>(), key, path);
  return all;
}

Contents on_device(Contents contents, std::optional<Device> device) {
  if (device && !device->is_cpu())
    for (auto& item : contents.tensors) item.value() = item.value().to(*device);
  return contents;
}

}  // namespace

Tensor number_tensor(const Scalar& value) {
  Tensor t = empty_cpu({}, value.type());
  visit_stored_dtype(value.type(), [&]<class T>() { *t.data_ptr<T>() = value.to<T>(); });
  return t;
}

Contents contents_of(const Value& value) {
  Contents contents;
  if (value.isGenericDict() || value.isList() || value.isTuple())
    add_items(contents, "", value);
  else
    add(contents, "0", value);
  return contents;
}

Contents with_packed_values(const Contents& contents) {
  Contents packed = contents;
  for (const auto& item : contents.values) {
    const std::vector<char> bytes = pickle_save(item.value());
    Tensor t = empty_cpu({static_cast<int64_t>(bytes.size())}, kByte);
    std::copy(bytes.begin(), bytes.end(), t.bytes());
    packed.tensors.insert(item.key(), t);
    packed.text.insert(item.key(), kPacked);
  }
  packed.values.clear();
  return packed;
}

void unpack_values(Contents& contents) {
  std::vector<std::string> names;
  for (const auto& item : contents.text)
    if (item.value() == kPacked && contents.tensors.contains(item.key())) names.push_back(item.key());
  for (const std::string& name : names) {
    const Tensor t = contents.tensors[name];
    const size_t bytes = t.nbytes();
    const std::vector<char> pickle = bytes > 0 ? std::vector<char>(t.bytes(), t.bytes() + bytes) : std::vector<char>();
    contents.values.insert(name, pickle_load(pickle));
    contents.tensors.erase(name);
    contents.text.erase(name);
  }
}

Contents read_contents(Source& source, std::optional<Device> device) {
  Contents contents = on_device(read_any(source), device);
  contents.source = source.name();
  return contents;
}

Contents read_contents(const std::string& path, std::optional<Device> device) {
  if (path.ends_with(".json")) {
    Contents contents = on_device(read_parts(path), device);
    contents.source = "'" + path + "'";
    return contents;
  }
  FileSource source(path);
  return read_contents(source, device);
}

}  // namespace strata::serialize
